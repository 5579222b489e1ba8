// Finds and starts the server, and brings its commands into VS Code.

import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions } from "vscode-languageclient/node";
import { AnswerPanel } from "./panel.ts";
import * as protocol from "./pure/protocol.ts";
import { findServer } from "./pure/server.ts";
import { forServer } from "./pure/settings.ts";
import { Questions } from "./questions.ts";

let client: LanguageClient | undefined;
let panel: AnswerPanel;
let questions: Questions;

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

async function start(): Promise<LanguageClient | undefined> {
  const settings = vscode.workspace.getConfiguration("datasheet.server");
  const found = findServer({
    path: settings.get<string>("path", "").trim(),
    home: homedir(),
    env: process.env,
    platform: process.platform,
    runs,
  });
  if ("problem" in found) {
    void vscode.window.showErrorMessage(found.problem);
    return undefined;
  }
  const options: LanguageClientOptions = {
    documentSelector: ["c", "cpp", "rust"].map((language) => ({ scheme: "file", language })),
    markdown: { isTrusted: false, supportHtml: false },
    middleware: {
      workspace: {
        configuration: async (params, token, next) => {
          const values = await next(params, token);
          return Array.isArray(values) ? values.map(forServer) : values;
        },
      },
      executeCommand: async (command, args, next) => {
        // What the server offers as code actions: shown in the panel, where it can be stopped.
        if (command === "datasheet.explain") return questions.explain(args[0]);
        if (command === "datasheet.ask" && args[0]?.question) return questions.ask(args[0].question);
        return next(command, args);
      },
    },
  };
  const made = new LanguageClient("datasheet", "Datasheet", { command: found.command, args: ["serve"] }, options);
  made.onNotification(protocol.ANSWER_CHUNK, (chunk: protocol.AnswerChunk) => questions.take(chunk));
  await made.start();
  return made;
}

async function restart(): Promise<void> {
  const old = client;
  client = undefined;
  await old?.stop();
  client = await start();
}

function running(): { client: LanguageClient; panel: AnswerPanel } {
  if (!client) throw new Error("The datasheet server does not run: see “Datasheet: Restart the Server”.");
  return { client, panel };
}

async function status(): Promise<void> {
  const result = await running().client.sendRequest<unknown>(protocol.STATUS, {});
  const text = `${JSON.stringify(result, null, 2)}\n`;
  const document = await vscode.workspace.openTextDocument({ language: "json", content: text });
  await vscode.window.showTextDocument(document, { preview: true });
}

export async function activate(extension: vscode.ExtensionContext): Promise<object> {
  panel = new AnswerPanel();
  questions = new Questions(running);
  const command = (name: string, action: (...args: never[]) => unknown) =>
    vscode.commands.registerCommand(name, async (...args: never[]) => {
      try {
        return await action(...args);
      } catch (error) {
        void vscode.window.showErrorMessage(String((error as Error).message ?? error));
        return undefined;
      }
    });
  extension.subscriptions.push(
    panel,
    command("datasheet.askQuestion", (question?: string) => questions.ask(question)),
    command("datasheet.searchManuals", (query?: string) => questions.search(query)),
    command("datasheet.explainSetup", () => questions.explain()),
    command("datasheet.stop", () => questions.stop()),
    command("datasheet.showStatus", status),
    command("datasheet.reloadProject", () => running().client.sendRequest(protocol.RELOAD, {})),
    command("datasheet.reindexManuals", () => running().client.sendRequest(protocol.REINDEX, {})),
    command("datasheet.restartServer", restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("datasheet.server")) void restart();
    }),
  );
  client = await start();
  return { client: () => client, panel: () => panel };
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
