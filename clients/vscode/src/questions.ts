// Ask, explain and search: from a command to what the user sees.

import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { type AnswerPanel, openPlace } from "./panel.ts";
import { type AnswerState, begin, fail, finish, take } from "./pure/answer.ts";
import { hitItem } from "./pure/places.ts";
import * as protocol from "./pure/protocol.ts";

export interface Running {
  client: LanguageClient;
  panel: AnswerPanel;
}

/** The document and the place in it that a question is asked from. */
function context(): object {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.uri.scheme !== "file") return {};
  const { line, character } = editor.selection.active;
  return { textDocument: { uri: editor.document.uri.toString() }, position: { line, character } };
}

export class Questions {
  private under: { state: AnswerState; cancel: vscode.CancellationTokenSource } | undefined;
  private conversation: string | undefined;

  constructor(private readonly running: () => Running) {}

  /** A notification of the server about the answer under way. */
  take(chunk: protocol.AnswerChunk): void {
    if (!this.under) return;
    this.under.state = take(this.under.state, chunk);
    this.running().panel.update(this.under.state);
  }

  async ask(given?: string): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const selected = editor && !editor.selection.isEmpty ? editor.document.getText(editor.selection) : "";
    const question =
      given ??
      (await vscode.window.showInputBox({
        title: "Datasheet: Ask",
        prompt: "A question about the chip, in plain words",
        placeHolder: "configure USART2 at 9600 baud",
        value: selected.includes("\n") ? "" : selected,
      }));
    if (!question?.trim()) return;
    const params = { question, conversation: this.conversation, ...context() };
    const answer = await this.follow(question, protocol.ASK, params);
    this.conversation = answer?.conversation ?? this.conversation;
  }

  async explain(target?: { textDocument: { uri: string }; range: unknown }): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!target && !editor) {
      void vscode.window.showInformationMessage("Open a file and select the set-up code to explain.");
      return;
    }
    const params = target ?? {
      textDocument: { uri: editor!.document.uri.toString() },
      range: this.running().client.code2ProtocolConverter.asRange(editor!.selection),
    };
    await this.follow("Explain this set-up", protocol.EXPLAIN, params);
  }

  async search(given?: string): Promise<void> {
    const query =
      given ??
      (await vscode.window.showInputBox({
        title: "Datasheet: Search",
        prompt: "A question, a register, an address",
        placeHolder: "USART2->BRR",
      }));
    if (!query?.trim()) return;
    const { client } = this.running();
    const result = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: "Datasheet: searching" },
      () => client.sendRequest<protocol.SearchResult>(protocol.SEARCH, { query, ...context() }),
    );
    const items = result.hits.map((hit) => ({ ...hitItem(hit), hit }));
    if (items.length === 0) {
      const why = result.notes?.join(" ") ?? "";
      void vscode.window.showInformationMessage(`The documents say nothing about “${query}”. ${why}`.trim());
      return;
    }
    const picked = await vscode.window.showQuickPick(items, {
      title: result.device ? `${query} (documents of ${result.device})` : query,
      placeHolder: result.notes?.join(" ") ?? "",
      matchOnDescription: true,
      matchOnDetail: true,
    });
    if (picked) await openPlace(picked.hit);
  }

  stop(): void {
    this.under?.cancel.cancel();
  }

  private async follow(title: string, method: string, params: object): Promise<protocol.Answer | undefined> {
    this.stop();
    const { client, panel } = this.running();
    const id = randomUUID();
    const cancel = new vscode.CancellationTokenSource();
    const under = { state: begin(id, title), cancel };
    this.under = under;
    panel.show(under.state, () => cancel.cancel());
    try {
      const answer = await client.sendRequest<protocol.Answer>(method, { ...params, id }, cancel.token);
      under.state = finish(under.state, answer);
      return answer;
    } catch (error) {
      const why = cancel.token.isCancellationRequested ? "Stopped." : String((error as Error).message ?? error);
      under.state = fail(under.state, why);
      return undefined;
    } finally {
      if (this.under === under) {
        panel.update(under.state);
        this.under = undefined;
      }
      cancel.dispose();
    }
  }
}
