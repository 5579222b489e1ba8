import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { begin, fail, finish, take } from "../dist/pure/answer.mjs";
import { toHtml } from "../dist/pure/markdown.mjs";
import { page, view } from "../dist/pure/page.mjs";
import { hitItem, opening, placeText } from "../dist/pure/places.mjs";
import { findServer } from "../dist/pure/server.mjs";
import { configuration, forServer } from "../dist/pure/settings.mjs";

const where = (files, more = {}) => ({
  path: "",
  home: "/home/me",
  env: { PATH: "relative:/opt/bin:/usr/bin" },
  platform: "linux",
  runs: (path) => files.includes(path),
  ...more,
});

test("the server is the first on the PATH, then where pipx puts it", () => {
  const both = ["/usr/bin/datasheet-lsp", "/home/me/.local/bin/datasheet-lsp"];
  assert.deepEqual(findServer(where(both)), { command: "/usr/bin/datasheet-lsp" });
  assert.deepEqual(findServer(where(both.slice(1))), { command: "/home/me/.local/bin/datasheet-lsp" });
});

test("nothing is started from a relative folder of the PATH", () => {
  assert.match(findServer(where(["relative/datasheet-lsp"])).problem, /pipx install datasheet-lsp/);
});

test("the setting goes first, and a wrong one is said", () => {
  const files = ["/usr/bin/datasheet-lsp", "/tools/ds", "/home/me/ds"];
  assert.deepEqual(findServer(where(files, { path: "/tools/ds" })), { command: "/tools/ds" });
  assert.deepEqual(findServer(where(files, { path: "~/ds" })), { command: "/home/me/ds" });
  assert.match(findServer(where(files, { path: "/tools/no" })).problem, /server\.path is \/tools\/no/);
});

test("an answer comes in piece by piece, and the last word replaces it", () => {
  let state = begin("a", "why");
  state = take(state, { id: "a", kind: "stage", text: "searching" });
  state = take(state, { id: "other", kind: "text", text: "no" });
  state = take(state, { id: "a", kind: "text", text: "Set " });
  state = take(state, { id: "a", kind: "text", text: "it" });
  assert.equal(state.text, "Set it");
  assert.equal(state.stage, "searching");
  state = take(state, { id: "a", kind: "replace", text: "~~Set it~~ Clear it" });
  state = finish(state, { text: "Clear it [1]", citations: [{ number: 1, title: "M", file: "m.pdf", page: 3 }] });
  assert.equal(state.text, "Clear it [1]");
  assert.equal(state.busy, false);
  assert.equal(take(state, { id: "a", kind: "text", text: "late" }).text, "Clear it [1]");
  assert.equal(fail(begin("b", "q"), "Stopped.").problem, "Stopped.");
});

test("text of documents stays text", () => {
  const html = toHtml('<img src=x onerror=alert(1)> [a](javascript:alert(1)) ![b](http://x/y) <http://x/>');
  assert.ok(!/<img|<a /.test(html), html);
  assert.ok(html.includes("&lt;img"));
});

test("citations are links, struck values are struck, tables are tables", () => {
  const html = toHtml("Set ~~`0x40`~~ `0x44` [1][12]\n\n| a | b |\n| - | - |\n| c[3] | d |\n");
  assert.ok(html.includes('<a href="#" class="cite" data-cite="1">[1]</a>'));
  assert.ok(html.includes('data-cite="12"'));
  assert.ok(html.includes("<s><code>0x40</code></s>"));
  assert.ok(html.includes("<table>"));
  assert.ok(!toHtml("`ISER[1]`").includes("data-cite"));
});

test("the panel lists the places once, and says what goes on", () => {
  const busy = view({ ...begin("a", "<b>"), stage: "searching" });
  assert.deepEqual([busy.stage, busy.busy], ["Searching the manuals", true]);
  assert.ok(busy.html.includes("&lt;b&gt;"));
  const cited = { number: 1, title: "Manual", file: "m.pdf", revision: "rev 19", page: 1010, label: "1010", heading_path: ["USART", "Baud rate register"] };
  const done = view(finish(begin("a", "q"), { text: "Set it [1].", citations: [cited] }));
  assert.ok(done.html.includes("Manual rev 19, p. 1010: Baud rate register"));
  const listed = view(finish(begin("a", "q"), { text: "Set it [1].\n\n[1] Manual rev 19", citations: [cited] }));
  assert.ok(!listed.html.includes('class="places"'));
});

test("the page loads nothing and runs its own script only", () => {
  const html = page("N0NCE");
  assert.match(html, /default-src 'none'; style-src 'nonce-N0NCE'; script-src 'nonce-N0NCE'/);
  assert.ok(!/https?:/.test(html));
});

test("a place has its page, the printed one where it differs, or its line", () => {
  const place = { title: "Manual", file: "m.pdf", page: 20, label: "326", heading_path: ["A", "B"] };
  assert.equal(placeText(place), "Manual, p. 20 (printed 326): B");
  assert.equal(placeText({ title: "", file: "x.svd", page: 0, line: 7 }), "x.svd, line 7");
});

test("a PDF is opened at its page outside, an SVD at its line in the editor", () => {
  assert.deepEqual(opening({ uri: "file:///m.pdf", page: 3, file: "m.pdf" }), { how: "outside", uri: "file:///m.pdf#page=3" });
  assert.deepEqual(opening({ uri: "file:///x.svd", page: 0, line: 9, file: "x.svd" }), { how: "text", uri: "file:///x.svd", line: 8 });
  assert.equal(opening({ uri: "http://x/m.pdf", page: 3, file: "m.pdf" }).how, "nowhere");
  assert.equal(opening({ page: 3, file: "m.pdf" }).how, "nowhere");
});

test("a hit is a line that can be read", () => {
  const item = hitItem({ title: "Manual", file: "m.pdf", page: 3, last_page: 4, labels: ["3"], heading_path: ["USART", "BRR"], kind: "table", text: "| Bits | Name |\n| --- | --- |\n| 15:4 | DIV |" });
  assert.deepEqual(item, { label: "BRR", description: "Manual, p. 3", detail: "Bits Name 15:4 DIV" });
});

test("the settings are those of the server's schema", () => {
  const schema = JSON.parse(readFileSync(new URL("../../../server/datasheet_lsp/workspace/datasheet.schema.json", import.meta.url)));
  const made = configuration(schema);
  assert.equal(made["datasheet.hover.max_rows"].default, 64);
  assert.equal(made["datasheet.hover.max_rows"].scope, "resource");
  assert.equal(made["datasheet.context"].items.properties.svd.type, "string");
  assert.ok(!JSON.stringify(made).includes("$ref"));
  const { contributes } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url)));
  for (const [name, entry] of Object.entries(made)) {
    assert.deepEqual(contributes.configuration.properties[name], entry, `${name}: npm run settings`);
  }
  const own = ["datasheet.server.path", "datasheet.trace.server"];
  assert.deepEqual(new Set(Object.keys(contributes.configuration.properties)), new Set([...own, ...Object.keys(made)]));
});

test("the client's own settings stay here", () => {
  assert.deepEqual(forServer({ server: { path: "x" }, trace: { server: "off" }, hover: { max_rows: 3 } }), { hover: { max_rows: 3 } });
  assert.equal(forServer(null), null);
});
