import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { homedir } from "node:os";
import type { Server } from "./locate";
import { lastWords, lines } from "./process";

/** One run of the server: started here, and not by the client, to know what it said before it died. */
export class ServerProcess {
  private readonly tail: string[] = [];

  /** Resolves when the process is gone. */
  readonly ended: Promise<void>;

  private constructor(readonly child: ChildProcessWithoutNullStreams) {
    this.ended = new Promise((resolve) => child.once("close", () => resolve()));
    const keep = lines((line) => {
      this.tail.push(line);
      this.tail.splice(0, this.tail.length - 50);
    });
    child.stderr.setEncoding("utf8").on("data", keep);
    // A write to a process that has just died; its end is reported by `close`.
    child.stdin.on("error", () => undefined);
  }

  /** Rejects where the operating system cannot run the command. */
  static async start(server: Server): Promise<ServerProcess> {
    // Not in the workspace: nothing that lies there may be imported.
    const child = spawn(server.command, server.args, { cwd: homedir(), stdio: "pipe", windowsHide: true });
    await once(child, "spawn");
    // From here on only a failed kill is an error, and there is nothing left to kill then.
    child.on("error", () => undefined);
    return new ServerProcess(child);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** How it ended and what it said last, for a message. */
  get verdict(): string {
    const { exitCode, signalCode } = this.child;
    const end = signalCode ? `was stopped by ${signalCode}` : `ended with exit code ${exitCode ?? "unknown"}`;
    const words = lastWords(this.tail.join("\n"));
    return words === "" ? `It ${end} without a word.` : `It ${end}: ${words}`;
  }

  /** Waits a little, then kills; resolves to whether the process had ended by itself. */
  async stop(grace = 1_000): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), grace)));
    const alone = await Promise.race([this.ended.then(() => true), patience]);
    clearTimeout(timer);
    if (!alone) {
      this.child.kill("SIGKILL");
    }
    return alone;
  }
}
