import * as vscode from "vscode";
import { statusLabel, statusText, statusTooltip, type NoStatus, type Status } from "./status";

/** Grade and tokens of the file in front, nothing for any other file. */
export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    "plainview",
    vscode.StatusBarAlignment.Right,
    100,
  );
  private readonly known = new Map<string, Status>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly listeners: vscode.Disposable[];
  private visible = false;

  readonly onDidChange = this.changed.event;

  constructor(command: string) {
    this.item.name = "Plainview";
    this.item.command = command;
    this.listeners = [
      vscode.window.onDidChangeActiveTextEditor(() => this.render()),
      vscode.workspace.onDidCloseTextDocument((document) => this.known.delete(document.uri.toString())),
    ];
  }

  update(uri: vscode.Uri, status: Status | NoStatus): void {
    if (status.kind === null) {
      this.known.delete(uri.toString());
    } else {
      this.known.set(uri.toString(), status as Status);
    }
    this.render();
    this.changed.fire(uri);
  }

  clear(): void {
    this.known.clear();
    this.render();
  }

  of(uri: vscode.Uri | undefined): Status | undefined {
    return uri && this.known.get(uri.toString());
  }

  /** What the status bar reads now. */
  get text(): string | undefined {
    return this.visible ? this.item.text : undefined;
  }

  dispose(): void {
    vscode.Disposable.from(...this.listeners, this.changed, this.item).dispose();
  }

  private render(): void {
    const status = this.of(vscode.window.activeTextEditor?.document.uri);
    this.visible = status !== undefined;
    if (status === undefined) {
      this.item.hide();
      return;
    }
    this.item.text = statusText(status);
    this.item.tooltip = new vscode.MarkdownString(statusTooltip(status));
    this.item.accessibilityInformation = { label: statusLabel(status) };
    this.item.show();
  }
}
