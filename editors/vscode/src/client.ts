import type * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  type ClientCapabilities,
  type FeatureState,
  type LanguageClientOptions,
  type StaticFeature,
} from "vscode-languageclient/node";
import { documentSelector } from "./documents";
import { lines } from "./process";
import type { ServerProcess } from "./serverProcess";
import { statusMethod, type NoStatus, type Status } from "./status";

export interface ClientParts {
  readonly process: ServerProcess;
  readonly output: vscode.LogOutputChannel;
  readonly initializationOptions: () => unknown;
  readonly onStatus: (uri: vscode.Uri, status: Status | NoStatus) => void;
}

export function createClient(parts: ClientParts): LanguageClient {
  const options: LanguageClientOptions = {
    documentSelector,
    outputChannel: parts.output,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    stdioOptions: {
      stdout: () => undefined,
      // The server's log, not its errors: most of what it writes there is for information.
      stderr: (stream, output) => {
        const log = lines((line) => output.info(line));
        stream.on("data", (chunk: Buffer | string) => log(String(chunk)));
      },
    },
    initializationOptions: parts.initializationOptions,
    initializationFailedHandler: () => false,
    synchronize: { configurationSection: "plainview" },
    // Whether and when the server is started again is the session's decision: it knows why it died.
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => ({
        action: CloseAction.DoNotRestart,
        handled: true,
        message: "The server's connection is closed.",
      }),
    },
  };
  const client = new QuietClient(
    "plainview",
    "Plainview",
    () => Promise.resolve(parts.process.child),
    options,
  );
  client.registerFeature(new OwnCapabilities());
  client.onNotification(statusMethod, (status: Status | NoStatus) =>
    parts.onStatus(client.protocol2CodeConverter.asUri(status.uri), status),
  );
  return client;
}

/** Logs what the library would put into message boxes; the session says it once, in words for a user. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  // The library stops a client that never came up, which it refuses to do itself.
  override async stop(timeout?: number): Promise<void> {
    if (this.isRunning()) {
      await super.stop(timeout);
    }
  }
}

class OwnCapabilities implements StaticFeature {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const others = capabilities.experimental as Record<string, unknown> | undefined;
    capabilities.experimental = { ...others, plainview: { status: true, accept: true } };
  }

  getState(): FeatureState {
    return { kind: "static" };
  }

  initialize(): void {}

  clear(): void {}
}
