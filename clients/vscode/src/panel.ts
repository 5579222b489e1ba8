// The panel beside the code that shows an answer while it comes in.

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { AnswerState } from "./pure/answer.ts";
import { page, view } from "./pure/page.ts";
import { opening } from "./pure/places.ts";
import type { Citation } from "./pure/protocol.ts";

export class AnswerPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private state: AnswerState | undefined;
  private stop: (() => void) | undefined;

  /** Shows a state; `stop` is called when the user has had enough of it. */
  show(state: AnswerState, stop?: () => void): void {
    this.state = state;
    this.stop = stop;
    if (!this.panel) {
      const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      const options = { enableScripts: true, localResourceRoots: [], enableFindWidget: true };
      this.panel = vscode.window.createWebviewPanel("datasheet.answer", "Datasheet", column, options);
      this.panel.onDidDispose(() => {
        this.panel = undefined;
        this.stop?.();
      });
      this.panel.webview.onDidReceiveMessage((message) => this.receive(message));
      this.panel.webview.html = page(randomBytes(16).toString("base64url"));
    }
    this.send();
  }

  /** A further state of what is shown. A panel that was closed stays closed. */
  update(state: AnswerState): void {
    this.state = state;
    this.send();
  }

  get shown(): AnswerState | undefined {
    return this.state;
  }

  dispose(): void {
    this.panel?.dispose();
  }

  private send(): void {
    if (this.panel && this.state) void this.panel.webview.postMessage(view(this.state));
  }

  private receive(message: { do?: string; number?: number }): void {
    if (message.do === "ready") this.send();
    else if (message.do === "stop") this.stop?.();
    else if (message.do === "cite") {
      const cited = this.state?.citations.find((each) => each.number === message.number);
      if (cited) void openPlace(cited);
    }
  }
}

/** Opens the document of a citation or hit at its place. */
export async function openPlace(place: Pick<Citation, "uri" | "page" | "line" | "file">): Promise<void> {
  const how = opening(place);
  if (how.how === "nowhere") {
    void vscode.window.showWarningMessage(how.problem);
  } else if (how.how === "outside") {
    await vscode.env.openExternal(vscode.Uri.parse(how.uri, true));
  } else {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(how.uri, true));
    const at = new vscode.Range(how.line, 0, how.line, 0);
    await vscode.window.showTextDocument(document, { selection: at, preview: true });
  }
}
