// Places in documents: how they are called, and how they are opened.

import type { Citation, Hit } from "./protocol.ts";

type Place = Pick<Citation, "title" | "revision" | "page" | "label" | "heading_path" | "line" | "file">;

/** `Manual rev 19, p. 1010: Baud rate register`. */
export function placeText(place: Place): string {
  const parts = [place.title || place.file];
  if (place.revision) parts.push(` ${place.revision}`);
  if (place.page > 0) {
    parts.push(`, p. ${place.page}`);
    if (place.label && place.label !== String(place.page)) parts.push(` (printed ${place.label})`);
  } else if (place.line) {
    parts.push(`, line ${place.line}`);
  }
  const heading = place.heading_path?.at(-1);
  if (heading) parts.push(`: ${heading}`);
  return parts.join("");
}

export type Opening =
  | { how: "text"; uri: string; line: number }
  | { how: "outside"; uri: string }
  | { how: "nowhere"; problem: string };

/** How a place is opened: text at its line in the editor, a PDF at its page by the system. */
export function opening(place: { uri?: string; page: number; line?: number; file: string }): Opening {
  if (!place.uri) return { how: "nowhere", problem: `Where ${place.file} lies is not known.` };
  if (!place.uri.startsWith("file:")) {
    return { how: "nowhere", problem: `${place.uri} is no file of this machine.` };
  }
  if (/\.pdf$/i.test(place.uri)) {
    return { how: "outside", uri: place.page > 0 ? `${place.uri}#page=${place.page}` : place.uri };
  }
  if (/\.(docx|pptx|xlsx)$/i.test(place.uri)) return { how: "outside", uri: place.uri };
  return { how: "text", uri: place.uri, line: Math.max(0, (place.line ?? 1) - 1) };
}

export interface HitItem {
  label: string;
  description: string;
  detail: string;
}

/** A hit as a line of a list: its heading, where it is, and its first words. */
export function hitItem(hit: Hit): HitItem {
  const words = hit.text
    .replace(/^\s*\|[-| :]+\|\s*$/gm, " ")
    .replace(/[|*`#]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return {
    label: hit.heading_path.at(-1) ?? hit.title,
    description: placeText({
      title: hit.title,
      revision: hit.revision,
      file: hit.file,
      page: hit.page,
      label: hit.labels?.[0],
      line: hit.line,
    }),
    detail: words.length > 200 ? `${words.slice(0, 199)}…` : words,
  };
}
