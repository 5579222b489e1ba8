// An answer while it comes in.

import type { Answer, AnswerChunk, Citation } from "./protocol.ts";

export interface AnswerState {
  id: string;
  question: string;
  text: string;
  /** What the server is doing; "" when it is done. */
  stage: string;
  busy: boolean;
  citations: Citation[];
  notes: string[];
  problem: string;
}

export function begin(id: string, question: string): AnswerState {
  return { id, question, text: "", stage: "", busy: true, citations: [], notes: [], problem: "" };
}

/** The state after a notification; one that is for another answer, or comes late, changes nothing. */
export function take(state: AnswerState, chunk: AnswerChunk): AnswerState {
  if (chunk.id !== state.id || !state.busy) return state;
  switch (chunk.kind) {
    case "stage":
      return { ...state, stage: chunk.text };
    case "text":
      return { ...state, text: state.text + chunk.text };
    case "replace":
      return { ...state, text: chunk.text };
    default:
      return state;
  }
}

/** The state with the server's last word. */
export function finish(state: AnswerState, answer: Answer): AnswerState {
  return {
    ...state,
    text: answer.text,
    citations: answer.citations ?? [],
    notes: answer.notes ?? [],
    stage: "",
    busy: false,
  };
}

/** The state when no answer came: stopped by the user, or failed with a reason. */
export function fail(state: AnswerState, problem: string): AnswerState {
  return { ...state, problem, stage: "", busy: false };
}
