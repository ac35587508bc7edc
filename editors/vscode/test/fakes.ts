import type { Machine } from "../src/machine";
import type { Outcome, Run } from "../src/process";

/** A machine on which exactly these programs and files exist. */
export function machine(
  programs: string[],
  { path = ["/usr/bin"], files = [] as string[], windows = false } = {},
): Machine {
  return {
    windows,
    path,
    isProgram: (file) => Promise.resolve(programs.includes(file)),
    exists: (file) => Promise.resolve(programs.includes(file) || files.includes(file)),
    real: (path) => Promise.resolve(path.replace(/^\/link/, "/ws")),
  };
}

/** Answers each command by the first entry whose key its command line contains, and keeps what was run. */
export function runner(answers: Record<string, Partial<Outcome>>): { run: Run; commands: string[] } {
  const commands: string[] = [];
  const run: Run = (command, args) => {
    const line = [command, ...args].join(" ");
    commands.push(line);
    const key = Object.keys(answers).find((part) => line.includes(part));
    return Promise.resolve({ code: 0, stdout: "", stderr: "", ...(key === undefined ? {} : answers[key]) });
  };
  return { run, commands };
}
