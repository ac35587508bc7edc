import { join } from "node:path";
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { accept, type Finding } from "./accept";
import { installServer } from "./install";
import { locateServer, type Server } from "./locate";
import { thisMachine } from "./machine";
import { Messages, type Message } from "./messages";
import { Offer } from "./offer";
import { PrivateEnvironment } from "./privateEnvironment";
import { run } from "./process";
import { Session } from "./session";
import { serverSettings } from "./settings";
import type { Status } from "./status";
import { StatusBar } from "./statusBar";

/** What `activate` returns, for other extensions and for the tests in the real editor. */
export interface PlainviewApi {
  readonly client: LanguageClient | undefined;
  readonly server: (Server & { readonly pid: number | undefined }) | undefined;
  /** Every message that the user was shown. */
  readonly messages: readonly Message[];
  /** Grade and tokens of a document, by default the one in front. */
  status(uri?: vscode.Uri): Status | undefined;
  readonly statusBarText: string | undefined;
  readonly onDidChangeStatus: vscode.Event<vscode.Uri>;
}

let session: Session | undefined;

export function activate(context: vscode.ExtensionContext): PlainviewApi {
  const output = vscode.window.createOutputChannel("Plainview", { log: true });
  const messages = new Messages();
  const statusBar = new StatusBar("plainview.menu");
  const machine = thisMachine();
  const version = String((context.extension.packageJSON as { version: unknown }).version);
  const environment = new PrivateEnvironment(
    context.globalStorageUri.fsPath,
    join(context.extensionPath, "bundled"),
    version,
    machine,
    run,
  );
  const folders = (): string[] =>
    (vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme === "file")
      .map(({ uri }) => uri.fsPath);

  const showOutput = (): void => output.show();
  const openSettings = (): Thenable<unknown> =>
    vscode.commands.executeCommand("workbench.action.openSettings", "plainview.server");
  const restart = (): Promise<void> | undefined => session?.restart();
  const restartByHand = async (): Promise<void> => {
    await offer.forgetAnswer();
    await restart();
  };
  const install = async (): Promise<void> => {
    if (await installServer(environment, messages, output)) {
      await restart();
    }
  };

  const offer = new Offer({
    messages,
    memory: context.globalState,
    version,
    install,
    choosePath,
    stillWanted: () => session?.missing === true,
  });

  session = new Session({
    output,
    locate: () =>
      locateServer({
        settings: serverSettings(folders()[0]),
        trusted: vscode.workspace.isTrusted,
        folders: folders(),
        machine,
        run,
        privatePython: () => environment.python(),
      }),
    initializationOptions: () => ({
      settings: vscode.workspace.getConfiguration().get("plainview"),
      trusted: vscode.workspace.isTrusted,
    }),
    onStatus: (uri, status) => statusBar.update(uri, status),
    onStopped: () => statusBar.clear(),
    onMissing: () => offer.make(),
    onBroken: (text) =>
      messages.show("error", text, { "Open Settings": openSettings, "Show Output": showOutput }),
    onFailed: (text, { origin }) =>
      messages.show("error", text, {
        Restart: restart,
        ...(origin === "private environment" && { "Install Again": install }),
        ...(origin === "setting" && { "Open Settings": openSettings }),
        "Show Output": showOutput,
      }),
  });

  context.subscriptions.push(
    output,
    statusBar,
    vscode.commands.registerCommand("plainview.restart", restartByHand),
    vscode.commands.registerCommand("plainview.showOutput", showOutput),
    vscode.commands.registerCommand("plainview.installServer", install),
    vscode.commands.registerCommand("plainview.menu", showMenu),
    // Quick fixes of the server's call it; it makes no sense by itself, so no menu has it.
    vscode.commands.registerCommand("plainview.accept", (finding: Finding) =>
      accept(session?.client, messages, finding),
    ),
    // Settings may also arrive after activation: a remote window starts its extensions before it has them all.
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("plainview.server")) {
        void restart();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
  );
  void restart();

  return {
    get client() {
      return session?.client;
    },
    get server() {
      return session?.server;
    },
    get messages() {
      return messages.shown;
    },
    status: (uri = vscode.window.activeTextEditor?.document.uri) => statusBar.of(uri),
    get statusBarText() {
      return statusBar.text;
    },
    onDidChangeStatus: statusBar.onDidChange,
  };
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}

async function choosePath(): Promise<void> {
  const [file] = (await vscode.window.showOpenDialog({ title: "The plainview program" })) ?? [];
  if (file !== undefined) {
    const settings = vscode.workspace.getConfiguration("plainview.server");
    await settings.update("path", file.fsPath, vscode.ConfigurationTarget.Global);
  }
}

async function showMenu(): Promise<void> {
  const entries: Record<string, string> = {
    "Show Problems": "workbench.actions.view.problems",
    "Show Output": "plainview.showOutput",
    "Restart the Language Server": "plainview.restart",
  };
  const choice = await vscode.window.showQuickPick(Object.keys(entries), { placeHolder: "Plainview" });
  const command = choice && entries[choice];
  if (command) {
    await vscode.commands.executeCommand(command);
  }
}
