// A stand-in for the module `vscode`: as much of it as this extension and vscode-languageclient
// use, with what was shown and said kept for the tests.
"use strict";
const { EventEmitter } = require("node:events");
const { readFileSync } = require("node:fs");
const { pathToFileURL, fileURLToPath } = require("node:url");

class Disposable {
  constructor(action) {
    this.action = action;
  }
  static from(...all) {
    return new Disposable(() => all.forEach((each) => each.dispose()));
  }
  dispose() {
    this.action?.();
    this.action = undefined;
  }
}

class Emitter {
  constructor() {
    this.emitter = new EventEmitter();
    this.emitter.setMaxListeners(0);
    this.event = (listener, self, disposables) => {
      const bound = self ? listener.bind(self) : listener;
      this.emitter.on("x", bound);
      const end = new Disposable(() => this.emitter.off("x", bound));
      disposables?.push(end);
      return end;
    };
  }
  fire(value) {
    this.emitter.emit("x", value);
  }
  dispose() {
    this.emitter.removeAllListeners();
  }
}

class CancellationTokenSource {
  constructor() {
    const emitter = new Emitter();
    this.emitter = emitter;
    this.token = { isCancellationRequested: false, onCancellationRequested: emitter.event };
  }
  cancel() {
    if (this.token.isCancellationRequested) return;
    this.token.isCancellationRequested = true;
    this.emitter.fire(undefined);
  }
  dispose() {}
}

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}
class Range {
  constructor(a, b, c, d) {
    this.start = typeof a === "number" ? new Position(a, b) : a;
    this.end = typeof a === "number" ? new Position(c, d) : b;
  }
  get isEmpty() {
    return this.start.line === this.end.line && this.start.character === this.end.character;
  }
}
class Selection extends Range {
  get active() {
    return this.end;
  }
}
class Uri {
  constructor(text) {
    this.text = text;
    this.scheme = text.slice(0, text.indexOf(":"));
  }
  static parse(text) {
    return new Uri(text);
  }
  static file(path) {
    return new Uri(pathToFileURL(path).href);
  }
  get fsPath() {
    return fileURLToPath(this.text);
  }
  get path() {
    return new URL(this.text).pathname;
  }
  toString() {
    return this.text;
  }
  with() {
    return this;
  }
}
class MarkdownString {
  constructor(value = "") {
    this.value = value;
  }
  appendMarkdown(text) {
    this.value += text;
    return this;
  }
  appendCodeblock(text, language = "") {
    this.value += `\n\`\`\`${language}\n${text}\n\`\`\`\n`;
    return this;
  }
}
class Document {
  constructor(uri, languageId, text) {
    Object.assign(this, { uri, languageId, text, version: 1, isClosed: false, fileName: uri.fsPath });
  }
  getText(range) {
    if (!range) return this.text;
    const lines = this.text.split("\n").slice(range.start.line, range.end.line + 1);
    lines[lines.length - 1] = lines.at(-1).slice(0, range.end.character);
    lines[0] = lines[0].slice(range.start.character);
    return lines.join("\n");
  }
}

const commands = new Map();
const said = [];
const shown = [];
const opened = [];
const panels = [];
const settings = {};
const answers = { input: [], pick: [] };
const providers = [];
const events = new Map();
const event = (name) => {
  if (!events.has(name)) events.set(name, new Emitter());
  return events.get(name).event;
};
const read = (section, key) => {
  const path = [section, key].filter(Boolean).join(".");
  if (path in settings) return settings[path];
  const inner = Object.entries(settings).filter(([name]) => name.startsWith(`${path}.`));
  if (inner.length === 0) return undefined;
  return Object.fromEntries(inner.map(([name, value]) => [name.slice(path.length + 1), value]));
};

const vscode = {
  Disposable,
  EventEmitter: Emitter,
  CancellationTokenSource,
  CancellationError: class extends Error {},
  Position,
  Range,
  Selection,
  Uri,
  MarkdownString,
  version: "1.95.0",
  env: {
    appName: "stand-in",
    language: "en",
    openExternal: async (uri) => opened.push(uri.toString()),
  },
  extensions: { getExtension: () => undefined, all: [] },
  commands: {
    registerCommand(name, action) {
      if (commands.has(name)) throw new Error(`command '${name}' already exists`);
      commands.set(name, action);
      return new Disposable(() => commands.delete(name));
    },
    executeCommand: async (name, ...args) => commands.get(name)?.(...args),
  },
  window: {
    activeTextEditor: undefined,
    visibleTextEditors: [],
    tabGroups: { all: [], onDidChangeTabs: event("tabs"), onDidChangeTabGroups: event("groups") },
    onDidChangeActiveTextEditor: event("active"),
    onDidChangeVisibleTextEditors: event("visible"),
    createOutputChannel: () => new Proxy({}, { get: () => () => {} }),
    createWebviewPanel(type, title) {
      const got = new Emitter();
      const closed = new Emitter();
      const panel = {
        type,
        title,
        messages: [],
        receive: (message) => got.fire(message),
        onDidDispose: closed.event,
        dispose: () => closed.fire(),
        webview: {
          html: "",
          onDidReceiveMessage: got.event,
          postMessage: async (message) => panel.messages.push(message),
        },
      };
      panels.push(panel);
      return panel;
    },
    showInputBox: async (options) => answers.input.shift()?.(options),
    showQuickPick: async (items, options) => answers.pick.shift()?.(items, options),
    showTextDocument: async (document, options) => shown.push({ document, options }),
    withProgress: async (_, task) => task({ report() {} }, new CancellationTokenSource().token),
  },
  workspace: {
    workspaceFolders: [],
    textDocuments: [],
    notebookDocuments: [],
    isTrusted: true,
    fs: { isWritableFileSystem: () => true },
    getConfiguration: (section) => ({
      get: (key, fallback) => read(section, key) ?? fallback,
      has: (key) => read(section, key) !== undefined,
      inspect: () => undefined,
    }),
    openTextDocument: async (what) =>
      what instanceof Uri
        ? new Document(what, "xml", readFileSync(what.fsPath, "utf8"))
        : { uri: new Uri("untitled:1"), ...what, getText: () => what.content },
    createFileSystemWatcher: () => ({
      onDidCreate: event("created"),
      onDidChange: event("changed"),
      onDidDelete: event("deleted"),
      dispose() {},
    }),
    getWorkspaceFolder: () => vscode.workspace.workspaceFolders[0],
    asRelativePath: (path) => path,
  },
  languages: new Proxy(
    { match: () => 1, createDiagnosticCollection: () => ({ set() {}, clear() {}, delete() {}, dispose() {} }) },
    {
      get(target, name) {
        if (name in target) return target[name];
        if (!String(name).startsWith("register")) return undefined;
        return (selector, provider) => {
          providers.push({ name, selector, provider });
          return new Disposable();
        };
      },
    },
  ),
};
for (const kind of ["Error", "Warning", "Information"]) {
  vscode.window[`show${kind}Message`] = async (text) => {
    said.push([kind, text]);
  };
}
const numbers = (...names) => Object.fromEntries(names.map((name, index) => [name, index]));
Object.assign(vscode, {
  ViewColumn: { Active: -1, Beside: -2, One: 1 },
  ProgressLocation: { SourceControl: 1, Window: 10, Notification: 15 },
  StatusBarAlignment: { Left: 1, Right: 2 },
  DiagnosticSeverity: numbers("Error", "Warning", "Information", "Hint"),
  DiagnosticTag: { Unnecessary: 1, Deprecated: 2 },
  TextDocumentSaveReason: { Manual: 1, AfterDelay: 2, FocusOut: 3 },
  TextDocumentChangeReason: { Undo: 1, Redo: 2 },
  CompletionItemKind: new Proxy({}, { get: () => 0 }),
  CompletionItemTag: { Deprecated: 1 },
  SymbolKind: new Proxy({}, { get: () => 0 }),
  SymbolTag: { Deprecated: 1 },
  CodeActionTriggerKind: { Invoke: 1, Automatic: 2 },
  InlayHintKind: { Type: 1, Parameter: 2 },
  FileType: { Unknown: 0, File: 1, Directory: 2 },
  LogLevel: numbers("Off", "Trace", "Debug", "Info", "Warning", "Error"),
});
class Kind {
  constructor(value) {
    this.value = value;
  }
  append(part) {
    return new Kind(this.value ? `${this.value}.${part}` : part);
  }
}
Kind.Empty = new Kind("");
for (const name of ["QuickFix", "Refactor", "RefactorExtract", "RefactorInline", "RefactorRewrite", "Source", "SourceOrganizeImports", "SourceFixAll"]) {
  Kind[name] = new Kind(name);
}
vscode.CodeActionKind = Kind;
// What vscode-languageclient listens to, extends or makes, whatever its name.
const open = (target) =>
  new Proxy(target, {
    get(inner, name) {
      if (name in inner || typeof name !== "string") return inner[name];
      if (/^on(Did|Will)/.test(name)) return event(name);
      return undefined;
    },
  });
vscode.workspace = open(vscode.workspace);
vscode.window = open(vscode.window);

module.exports = new Proxy(vscode, {
  get(target, name) {
    if (name in target || typeof name !== "string") return target[name];
    if (!/^[A-Z]/.test(name)) return undefined;
    target[name] = class {
      constructor(...args) {
        this.args = args;
      }
    };
    return target[name];
  },
});
module.exports.standIn = { commands, said, shown, opened, panels, settings, answers, providers, Document };
