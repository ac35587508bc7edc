import { findOnPath, type Machine } from "./machine";
import type { Run } from "./process";

export interface Python {
  readonly command: string;
  readonly version: string;
}

/** A failure that one sentence explains to the user. */
export class InstallError extends Error {}

const oldestMinor = 10;

// `python3` first: it is the user's choice. On Windows it is often a stub that opens the store, so `python` leads.
const names = (windows: boolean): string[] => [
  ...(windows ? ["python", "python3"] : ["python3"]),
  ...[14, 13, 12, 11, 10].map((minor) => `python3.${minor}`),
  ...(windows ? [] : ["python"]),
];

const probe = "import sys, venv, ensurepip; print('%d.%d.%d' % sys.version_info[:3])";

export async function findPython(machine: Machine, run: Run): Promise<Python> {
  const tooOld: string[] = [];
  const broken: string[] = [];
  for (const name of names(machine.windows)) {
    for (const command of await findOnPath(name, machine)) {
      const { code, stdout, stderr } = await run(command, ["-I", "-c", probe], { timeout: 20_000 });
      const version = stdout.trim();
      const [major, minor] = version.split(".").map(Number);
      if (code !== 0 || major === undefined || minor === undefined) {
        broken.push(`${command} ${/ensurepip|venv/.test(stderr) ? "has no venv module" : "does not run"}`);
      } else if (major === 3 && minor >= oldestMinor) {
        return { command, version };
      } else {
        tooOld.push(`${command} is ${version}`);
      }
    }
  }
  throw new InstallError(noPython([...tooOld, ...broken], machine));
}

function noPython(rejected: readonly string[], machine: Machine): string {
  const seen = rejected.length > 0 ? `Looked at: ${[...new Set(rejected)].join("; ")}.` : "PATH has none.";
  const debian = rejected.some((line) => line.endsWith("no venv module"))
    ? " On Debian and Ubuntu, the package python3-venv brings the module."
    : "";
  const folders = rejected.length > 0 ? "" : ` Looked in ${machine.path.join(", ") || "an empty PATH"}.`;
  return `Plainview needs Python 3.${oldestMinor} or newer, with its venv module, to install its language server. ${seen}${folders}${debian}`;
}
