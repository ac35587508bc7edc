import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, relative, sep } from "node:path";

/** What the choice of a program depends on; tests put their own in its place. */
export interface Machine {
  readonly windows: boolean;
  /** The folders of `PATH`, absolute ones only: a relative one would mean a program from the workspace. */
  readonly path: readonly string[];
  isProgram(file: string): Promise<boolean>;
  exists(file: string): Promise<boolean>;
  /** The path without symbolic links, as far as there is one. */
  real(path: string): Promise<string>;
}

export function thisMachine(): Machine {
  const windows = process.platform === "win32";
  return {
    windows,
    path: (process.env["PATH"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder)),
    isProgram: (file) => isFile(file, windows ? constants.F_OK : constants.X_OK),
    exists: (file) =>
      access(file).then(
        () => true,
        () => false,
      ),
    real: (path) => realpath(path).catch(() => path),
  };
}

async function isFile(file: string, mode: number): Promise<boolean> {
  try {
    await access(file, mode);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

export async function findOnPath(name: string, machine: Machine): Promise<string[]> {
  const file = machine.windows ? `${name}.exe` : name;
  const found: string[] = [];
  for (const folder of machine.path) {
    const candidate = join(folder, file);
    if (!found.includes(candidate) && (await machine.isProgram(candidate))) {
      found.push(candidate);
    }
  }
  return found;
}

export function environmentPython(folder: string, windows: boolean): string {
  return windows ? join(folder, "Scripts", "python.exe") : join(folder, "bin", "python");
}

export function isInside(file: string, folder: string): boolean {
  const path = relative(folder, file);
  return path !== "" && path.split(sep)[0] !== ".." && !isAbsolute(path);
}
