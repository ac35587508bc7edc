import { join } from "node:path";
import { environmentPython, findOnPath, isInside, type Machine } from "./machine";
import type { Run } from "./process";
import type { ServerSettings } from "./settings";

export type Origin = "setting" | "PATH" | "workspace" | "private environment";

export interface Server {
  readonly origin: Origin;
  readonly command: string;
  readonly args: readonly string[];
}

export type Located =
  | { readonly kind: "found"; readonly server: Server }
  /** The user's own choice does not work: said, and never silently replaced by another server. */
  | { readonly kind: "broken"; readonly message: string }
  | { readonly kind: "missing" };

export interface Surroundings {
  readonly settings: ServerSettings;
  readonly trusted: boolean;
  readonly folders: readonly string[];
  readonly machine: Machine;
  readonly run: Run;
  /** The Python of the private environment, if it is complete. */
  readonly privatePython: () => Promise<string | undefined>;
}

export async function locateServer(surroundings: Surroundings): Promise<Located> {
  const { settings, trusted, folders, machine } = surroundings;
  if (settings.path !== "") {
    return fromSetting(settings.path, machine);
  }
  for (const command of await findOnPath("plainview", machine)) {
    // An activated environment of the workspace is on PATH too.
    if (trusted || !(await isInsideAny(command, folders, machine))) {
      return found("PATH", command, ["server"]);
    }
  }
  if (settings.useWorkspacePython && trusted) {
    for (const folder of folders) {
      const python = environmentPython(join(folder, ".venv"), machine.windows);
      if ((await machine.isProgram(python)) && (await hasPlainview(python, surroundings.run))) {
        return found("workspace", python, isolated);
      }
    }
  }
  const python = await surroundings.privatePython();
  return python === undefined ? { kind: "missing" } : found("private environment", python, isolated);
}

// -I: neither the current folder nor PYTHONPATH decides which `plainview` is imported.
const isolated = ["-I", "-m", "plainview", "server"];

function found(origin: Origin, command: string, args: readonly string[]): Located {
  return { kind: "found", server: { origin, command, args } };
}

async function fromSetting(path: string, machine: Machine): Promise<Located> {
  if (await machine.isProgram(path)) {
    return found("setting", path, ["server"]);
  }
  const what = (await machine.exists(path)) ? `${path} is not a program` : `there is no file ${path}`;
  return {
    kind: "broken",
    message: `Plainview has no language server: ${what}. Correct the setting plainview.server.path, or clear it to let Plainview look by itself.`,
  };
}

async function isInsideAny(command: string, folders: readonly string[], machine: Machine): Promise<boolean> {
  const real = await machine.real(command);
  for (const folder of folders) {
    if (isInside(command, folder) || isInside(real, await machine.real(folder))) {
      return true;
    }
  }
  return false;
}

async function hasPlainview(python: string, run: Run): Promise<boolean> {
  const { code } = await run(python, ["-I", "-m", "plainview", "--version"], { timeout: 20_000 });
  return code === 0;
}
