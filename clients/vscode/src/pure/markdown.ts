// Markdown of the server as HTML. What it says of documents is text: no HTML of theirs, no links
// but the citations, no pictures.

import MarkdownIt from "markdown-it";

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
markdown.disable(["image", "link", "autolink", "html_inline", "html_block", "reference"], true);
markdown.inline.ruler.before("emphasis", "citation", (state, silent) => {
  const found = /^\[(\d{1,3})\]/.exec(state.src.slice(state.pos, state.pos + 5));
  if (!found) return false;
  if (!silent) {
    const token = state.push("citation", "a", 0);
    token.content = found[1]!;
  }
  state.pos += found[0].length;
  return true;
});
markdown.renderer.rules["citation"] = (tokens, index) => {
  const number = tokens[index]!.content;
  return `<a href="#" class="cite" data-cite="${number}">[${number}]</a>`;
};

export function toHtml(text: string): string {
  return markdown.render(text);
}

export function escapeHtml(text: string): string {
  return markdown.utils.escapeHtml(text);
}
