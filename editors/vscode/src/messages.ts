import * as vscode from "vscode";

export interface Message {
  readonly severity: "information" | "error";
  readonly text: string;
  readonly actions: readonly string[];
}

/** The one place that puts a message before the user: no cause is reported twice while its first report stands. */
export class Messages {
  private readonly log: Message[] = [];
  private readonly open = new Set<string>();

  /** Everything shown so far. */
  get shown(): readonly Message[] {
    return this.log;
  }

  show(severity: Message["severity"], text: string, actions: Record<string, () => unknown>): void {
    if (this.open.has(text)) {
      return;
    }
    const labels = Object.keys(actions);
    this.open.add(text);
    this.log.push({ severity, text, actions: labels });
    const display =
      severity === "error" ? vscode.window.showErrorMessage : vscode.window.showInformationMessage;
    void display(text, ...labels).then((choice) => {
      this.open.delete(text);
      if (choice !== undefined) {
        void actions[choice]?.();
      }
    });
  }
}
