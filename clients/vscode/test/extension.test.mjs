// The bundled extension with a stand-in for VS Code and the real server over the demo firmware.
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire, Module } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL("../../..", import.meta.url));
const program = process.env.DATASHEET_LSP ?? join(root, ".venv/bin/datasheet-lsp");
const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
  return request === "vscode" ? fileURLToPath(new URL("../stand-in/vscode.cjs", import.meta.url)) : resolve.call(this, request, ...rest);
};
const vscode = require("vscode");
const { commands, said, shown, opened, panels, settings, answers, providers, Document } = vscode.standIn;
const extension = require("../dist/extension.cjs");

const options = existsSync(program) ? {} : { skip: `${program} is not there: make setup` };
let folder;
let editor;
let api;

async function until(what, seconds = 60) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await what();
    if (found) return found;
    if (Date.now() > end) assert.fail(`not within ${seconds} s: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

before(async () => {
  if (options.skip) return;
  folder = mkdtempSync(join(tmpdir(), "datasheet-"));
  cpSync(join(root, "data/demo"), folder, { recursive: true, filter: (path) => !path.includes(".datasheet") });
  // The words of a model are not for a test to foresee: the answer is planned from the device.
  writeFileSync(join(folder, "datasheet.toml"), "[model]\nenabled = false\n");
  const file = join(folder, "src/uart.c");
  const document = new Document(vscode.Uri.file(file), "c", readFileSync(file, "utf8"));
  editor = { document, selection: new vscode.Selection(0, 0, 0, 0) };
  vscode.workspace.workspaceFolders.push({ uri: vscode.Uri.file(folder), name: "demo", index: 0 });
  vscode.workspace.textDocuments.push(document);
  vscode.window.activeTextEditor = editor;
  settings["datasheet.server.path"] = program;
  api = await extension.activate({ subscriptions: [] });
});

after(async () => {
  await extension.deactivate();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

test("the server starts and its own commands clash with none of these", options, () => {
  assert.deepEqual(said, []);
  assert.ok(api.client().isRunning());
  for (const name of ["askQuestion", "searchManuals", "explainSetup", "stop", "showStatus"]) {
    assert.ok(commands.has(`datasheet.${name}`), name);
  }
});

test("a hover shows the register's table", options, async () => {
  const text = editor.document.text;
  const at = text.indexOf("USART2->BRR");
  const line = text.slice(0, at).split("\n").length - 1;
  const character = at - text.lastIndexOf("\n", at) - 1 + "USART2->B".length;
  const { provider } = await until(() => providers.find((each) => each.name === "registerHoverProvider"));
  const token = new vscode.CancellationTokenSource().token;
  const hover = await until(() => provider.provideHover(editor.document, new vscode.Position(line, character), token));
  const shownText = JSON.stringify(hover.args ?? hover);
  assert.match(shownText, /0x4000 4408/);
});

test("the status is shown as a document", options, async () => {
  await commands.get("datasheet.showStatus")();
  assert.match(shown.at(-1).document.getText(), /STM32F407/);
});

test("a search lists passages and opens the one that is picked", options, async () => {
  let items = [];
  await until(async () => {
    answers.input.push(() => "USART2->BRR");
    answers.pick.push((all) => {
      items = all;
      return undefined;
    });
    await commands.get("datasheet.searchManuals")();
    answers.pick.length = 0;
    return items.length > 0;
  });
  assert.match(items.map((each) => each.label).join("\n"), /BRR|[Bb]aud/);
  const before = opened.length + shown.length;
  answers.pick.push((all) => all[0]);
  await commands.get("datasheet.searchManuals")("USART2->BRR");
  assert.equal(opened.length + shown.length, before + 1);
});

test("an answer is streamed into the panel, its citations open", options, async () => {
  await commands.get("datasheet.askQuestion")("What is the reset value of USART2->BRR?");
  const panel = panels.at(-1);
  const last = panel.messages.at(-1);
  assert.equal(last.busy, false);
  assert.match(last.html, /0x0000 0000/);
  await commands.get("datasheet.askQuestion")("How do I configure USART2 at 9600 baud?");
  const answer = panels.at(-1).messages.at(-1);
  assert.match(answer.html, /USART2EN/);
  const cited = /data-cite="(\d+)"/.exec(answer.html);
  assert.ok(cited, answer.html);
  const before = opened.length + shown.length;
  panel.receive({ do: "cite", number: Number(cited[1]) });
  await until(() => opened.length + shown.length === before + 1);
});

test("an answer can be stopped", options, async () => {
  const asking = commands.get("datasheet.askQuestion")("Which pins and clocks does SPI1 need?");
  await commands.get("datasheet.stop")();
  await asking;
  assert.equal(panels.at(-1).messages.at(-1).busy, false);
});

test("selected code is explained", options, async () => {
  said.length = 0;
  editor.selection = new vscode.Selection(0, 0, editor.document.text.split("\n").length - 1, 0);
  await commands.get("datasheet.explainSetup")();
  const { html } = panels.at(-1).messages.at(-1);
  assert.match(html, /USART2\.CR1 <a href="#" class="cite"/);
  assert.match(html, /DIV_Mantissa = 104/);
  assert.deepEqual(said.filter(([kind]) => kind === "Error"), []);
});
