import * as vscode from "vscode";
import type { LanguageClient, WorkspaceEdit } from "vscode-languageclient/node";
import type { Messages } from "./messages";

/** What names a finding between the editor and the server: the argument of the command `plainview.accept`. */
export interface Finding {
  readonly uri: string;
  readonly rule: string;
  readonly fingerprint: string;
}

export const acceptMethod = "plainview/accept";

type Client = Pick<LanguageClient, "sendRequest" | "protocol2CodeConverter">;

/** Asks why a finding is fine, and records it where the server says. */
export async function accept(
  client: Client | undefined,
  messages: Messages,
  finding: Finding,
): Promise<void> {
  const reason = await vscode.window.showInputBox({
    title: `Accept ${finding.rule}`,
    prompt: "Why is this finding fine? The reason goes into the configuration, for all who review it.",
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() === "" ? "An acceptance needs a reason." : undefined),
  });
  if (reason === undefined || client === undefined) {
    return;
  }
  const given = await client.sendRequest<WorkspaceEdit | null>(acceptMethod, { ...finding, reason });
  const edit = given && (await client.protocol2CodeConverter.asWorkspaceEdit(given));
  if (!edit) {
    messages.show("error", `The finding of ${finding.rule} is not there any more; nothing was accepted.`, {});
    return;
  }
  const files = edit.entries().map(([uri]) => uri);
  const unsaved = files.filter((uri) => find(uri)?.isDirty);
  if (!(await vscode.workspace.applyEdit(edit))) {
    messages.show("error", "The configuration could not be changed; nothing was accepted.", {});
    return;
  }
  // What the user had not saved is left for the user to save.
  for (const uri of files.filter((one) => !unsaved.includes(one))) {
    await (await vscode.workspace.openTextDocument(uri)).save();
  }
}

function find(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}
