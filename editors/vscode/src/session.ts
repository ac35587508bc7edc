import type * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { createClient, type ClientParts } from "./client";
import { CrashPolicy } from "./crashPolicy";
import type { Located, Server } from "./locate";
import { ServerProcess } from "./serverProcess";

export interface SessionParts extends Omit<ClientParts, "process"> {
  readonly locate: () => Promise<Located>;
  readonly onMissing: () => void;
  readonly onBroken: (message: string) => void;
  readonly onFailed: (message: string, server: Server) => void;
  readonly onStopped: () => void;
}

interface Run {
  readonly server: Server;
  readonly process: ServerProcess;
  readonly client: LanguageClient;
}

const patience = 30_000;

/** The life of the server: started, started again when it dies, replaced when the settings change. */
export class Session implements vscode.Disposable {
  private run: Run | undefined;
  private timer: NodeJS.Timeout | undefined;
  private queue: Promise<void> = Promise.resolve();
  private disposed = false;
  private located: Located | undefined;
  private readonly crashes = new CrashPolicy();

  constructor(private readonly parts: SessionParts) {}

  get client(): LanguageClient | undefined {
    return this.run?.client;
  }

  get server(): (Server & { readonly pid: number | undefined }) | undefined {
    return this.run && { ...this.run.server, pid: this.run.process.pid };
  }

  get missing(): boolean {
    return this.located?.kind === "missing";
  }

  /** Starts the server, or another one in its place. Concurrent calls are carried out one after the other. */
  restart(): Promise<void> {
    this.crashes.forget();
    return this.then(() => this.replace());
  }

  async stop(): Promise<void> {
    this.disposed = true;
    await this.then(() => this.end());
  }

  dispose(): void {
    void this.stop();
  }

  private then(step: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(step).catch((error: unknown) => this.parts.output.error(String(error)));
    return this.queue;
  }

  private async replace(): Promise<void> {
    await this.end();
    if (this.disposed) {
      return;
    }
    const located = (this.located = await this.parts.locate());
    if (located.kind === "missing") {
      this.parts.onMissing();
    } else if (located.kind === "broken") {
      this.parts.output.error(located.message);
      this.parts.onBroken(located.message);
    } else {
      await this.begin(located.server);
    }
  }

  private async begin(server: Server): Promise<void> {
    const { output } = this.parts;
    output.info(`Starting (${server.origin}): ${[server.command, ...server.args].join(" ")}`);
    let process: ServerProcess;
    try {
      process = await ServerProcess.start(server);
    } catch (error) {
      this.fail(server, notRun(error as NodeJS.ErrnoException));
      return;
    }
    const client = createClient({ ...this.parts, process });
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve("It does not answer as a language server."), patience);
    });
    const problem = await Promise.race([
      client.start().then(
        () => undefined,
        // A server that dies while it starts says more on stderr than the broken connection does.
        async (error: Error) => {
          return (await process.stop()) ? process.verdict : error.message;
        },
      ),
      process.ended.then(() => process.verdict),
      silence,
    ]);
    clearTimeout(timer);
    if (problem !== undefined) {
      await process.stop(0);
      this.fail(server, problem);
      return;
    }
    const run = (this.run = { server, process, client });
    void process.ended.then(() => this.then(() => this.revive(run)));
  }

  private fail(server: Server, problem: string): void {
    const message = `Plainview's language server did not start: ${server.command} (from ${origins[server.origin]}). ${problem}`;
    this.parts.output.error(message);
    this.parts.onFailed(message, server);
  }

  private async revive(run: Run): Promise<void> {
    if (this.run !== run) {
      return;
    }
    await this.end();
    const { output } = this.parts;
    output.error(`The language server stopped. ${run.process.verdict}`);
    const delay = this.crashes.afterCrash();
    if (delay === undefined) {
      const { restarts, minutes } = this.crashes;
      this.parts.onFailed(
        `Plainview's language server stopped ${restarts + 1} times within ${minutes} minutes and was not started again. ${run.process.verdict}`,
        run.server,
      );
      return;
    }
    this.timer = setTimeout(() => void this.then(() => this.replace()), delay);
  }

  private async end(): Promise<void> {
    clearTimeout(this.timer);
    const run = this.run;
    this.run = undefined;
    if (run !== undefined) {
      await run.client.stop(2_000).catch(() => undefined);
      await run.process.stop();
      this.parts.onStopped();
    }
  }
}

const origins: Record<Server["origin"], string> = {
  setting: "the setting plainview.server.path",
  PATH: "PATH",
  workspace: "the workspace's .venv",
  "private environment": "the private environment",
};

function notRun(error: NodeJS.ErrnoException): string {
  // The file was there a moment ago, so it is the interpreter in its first line that is not.
  return error.code === "ENOENT"
    ? "The Python that it was installed with is gone; install plainview again."
    : `It cannot be run: ${error.message}.`;
}
