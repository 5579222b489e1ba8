// What the server and this client say to one another besides LSP: see docs/protocol.md.

export const SEARCH = "datasheet/search";
export const ASK = "datasheet/ask";
export const EXPLAIN = "datasheet/explain";
export const STATUS = "datasheet/status";
export const RELOAD = "datasheet/reload";
export const REINDEX = "datasheet/reindex";
export const ANSWER_CHUNK = "datasheet/answerChunk";

export interface Citation {
  number: number;
  title: string;
  revision?: string;
  file: string;
  uri?: string;
  /** Physical page, counted from 1; 0 in a file without pages. */
  page: number;
  /** What is printed on the page, where it differs. */
  label?: string;
  heading_path?: string[];
  /** Line of an SVD file, counted from 1. */
  line?: number;
}

export interface AnswerChunk {
  id: string;
  kind: "stage" | "text" | "replace";
  text: string;
}

export interface Answer {
  text: string;
  title?: string;
  citations: Citation[];
  notes?: string[];
  conversation?: string;
}

export interface Hit {
  title: string;
  revision?: string;
  file: string;
  uri?: string;
  page: number;
  last_page: number;
  labels?: string[];
  heading_path: string[];
  kind: string;
  text: string;
  line?: number;
}

export interface SearchResult {
  query: string;
  device: string | null;
  hits: Hit[];
  notes?: string[];
  corrected?: Record<string, string>;
}
