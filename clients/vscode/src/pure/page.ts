// The panel's page: made once, then told what to show.

import type { AnswerState } from "./answer.ts";
import { escapeHtml, toHtml } from "./markdown.ts";
import { placeText } from "./places.ts";

const STAGES: Record<string, string> = {
  planning: "Planning from the device",
  searching: "Searching the manuals",
  reading: "Reading what was found",
  answering: "Answering",
  checking: "Checking values against the device",
};

/** What the page shows of an answer, as messages to it. */
export function view(state: AnswerState): { html: string; stage: string; busy: boolean } {
  const parts = [`<h2>${escapeHtml(state.question)}</h2>`, toHtml(state.text)];
  if (state.problem) parts.push(`<p class="problem">${escapeHtml(state.problem)}</p>`);
  for (const note of state.notes) parts.push(`<p class="note">${escapeHtml(note)}</p>`);
  // The answer's own list, where it has one, is not repeated.
  const listed = /^\s*(?:[-*]\s*)?\[1\]\s+\S/m.test(state.text);
  if (state.citations.length > 0 && !listed) {
    const rows = state.citations.map(
      (each) =>
        `<li><a href="#" class="cite" data-cite="${each.number}">[${each.number}]</a> ${escapeHtml(placeText(each))}</li>`,
    );
    parts.push(`<ul class="places">${rows.join("")}</ul>`);
  }
  const stage = state.busy ? (STAGES[state.stage] ?? (state.stage || "Starting")) : "";
  return { html: parts.join("\n"), stage, busy: state.busy };
}

/** The empty page. Only the script with this `nonce` runs, and nothing is loaded from anywhere. */
export function page(nonce: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'">
<title>Datasheet</title>
<style nonce="${nonce}">
body { line-height: 1.5; max-width: 60em; }
table { border-collapse: collapse; }
th, td { border: 1px solid var(--vscode-panel-border); padding: 0.2em 0.6em; text-align: left; vertical-align: top; }
code { font-family: var(--vscode-editor-font-family); }
.bar { position: sticky; top: 0; display: flex; gap: 1em; align-items: center; min-height: 2.2em; background: var(--vscode-editor-background); color: var(--vscode-descriptionForeground); }
.bar[hidden] { display: none; }
button { color: var(--vscode-button-foreground); background: var(--vscode-button-background); border: 0; padding: 0.3em 1em; cursor: pointer; }
.cite { text-decoration: none; }
.places { list-style: none; padding: 0; }
.problem { color: var(--vscode-errorForeground); }
.note { color: var(--vscode-descriptionForeground); }
s, del { color: var(--vscode-errorForeground); }
</style>
</head>
<body>
<div class="bar" id="bar" hidden><span id="stage" role="status"></span><button id="stop" type="button">Stop</button></div>
<main id="answer" aria-live="polite"></main>
<script nonce="${nonce}">
const vscode = acquireVsCodeApi();
const get = (id) => document.getElementById(id);
window.addEventListener("message", ({ data }) => {
  if (!data || typeof data.html !== "string") return;
  get("answer").innerHTML = data.html;
  get("stage").textContent = data.stage;
  get("bar").hidden = !data.busy;
});
get("stop").addEventListener("click", () => vscode.postMessage({ do: "stop" }));
document.addEventListener("click", (event) => {
  const link = event.target.closest ? event.target.closest("[data-cite]") : null;
  if (!link) return;
  event.preventDefault();
  vscode.postMessage({ do: "cite", number: Number(link.dataset.cite) });
});
vscode.postMessage({ do: "ready" });
</script>
</body>
</html>`;
}
