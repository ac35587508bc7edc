import * as vscode from "vscode";
import type { Messages } from "./messages";
import type { PrivateEnvironment } from "./privateEnvironment";
import { InstallError } from "./python";

let underway: Promise<boolean> | undefined;

/** Runs the installation in front of the user, once at a time; resolves to whether there is a server now. */
export function installServer(
  environment: PrivateEnvironment,
  messages: Messages,
  output: vscode.LogOutputChannel,
): Promise<boolean> {
  underway ??= install(environment, messages, output).finally(() => (underway = undefined));
  return underway;
}

async function install(
  environment: PrivateEnvironment,
  messages: Messages,
  output: vscode.LogOutputChannel,
): Promise<boolean> {
  try {
    await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: "Plainview", cancellable: true },
      async (progress, token) => {
        const abort = new AbortController();
        token.onCancellationRequested(() => abort.abort());
        await environment.install({
          signal: abort.signal,
          step: (message) => {
            output.info(message);
            progress.report({ message });
          },
          log: (line) => output.info(line),
        });
      },
    );
    return true;
  } catch (error) {
    const text =
      error instanceof InstallError
        ? error.message
        : `Plainview could not install its language server: ${(error as Error).message}`;
    output.error(text);
    messages.show("error", text, { "Show Output": () => output.show() });
    return false;
  }
}
