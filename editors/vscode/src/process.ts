import { spawn } from "node:child_process";
import { homedir } from "node:os";

export interface Outcome {
  /** `null` where the program could not be started, or was stopped by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  readonly timeout?: number;
  readonly onLine?: (line: string) => void;
}

export type Run = (command: string, args: readonly string[], options?: RunOptions) => Promise<Outcome>;

/** Never rejects: a program that cannot be started is an outcome, with the reason in `stderr`. */
export const run: Run = (command, args, options = {}) =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      // Not the workspace: Python would import what lies there.
      cwd: homedir(),
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
      ...(options.signal && { signal: options.signal }),
      ...(options.timeout !== undefined && { timeout: options.timeout }),
    });
    const text = { stdout: "", stderr: "" };
    let failure = "";
    for (const name of ["stdout", "stderr"] as const) {
      const line = lines((complete) => options.onLine?.(complete));
      child[name].setEncoding("utf8").on("data", (chunk: string) => {
        text[name] += chunk;
        line(chunk);
      });
    }
    child.on("error", (error) => (failure = error.message));
    child.on("close", (code) =>
      resolve({ code: failure ? null : code, ...text, stderr: text.stderr + failure }),
    );
  });

/** Turns chunks of a stream into whole lines. */
export function lines(onLine: (line: string) => void): (chunk: string) => void {
  let rest = "";
  return (chunk) => {
    const parts = (rest + chunk).split(/\r?\n/);
    rest = parts.pop() ?? "";
    parts.forEach(onLine);
  };
}

/** The line of a program's output that says why it failed: pip and Python both put it last. */
export function lastWords(output: string): string {
  const meaningful = output
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^(\[notice\]|WARNING:|note:|hint:)/i.test(line));
  const error = meaningful.findLast((line) => /^(ERROR|[\w.]*(Error|Exception)):/.test(line));
  return (error ?? meaningful.at(-1) ?? "").slice(0, 300);
}
