import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { environmentPython, type Machine } from "./machine";
import { lastWords, type Run } from "./process";
import { findPython, InstallError } from "./python";

export interface InstallOptions {
  readonly signal: AbortSignal;
  /** What is being done, for the progress notification. */
  readonly step: (text: string) => void;
  /** Everything that the tools print. */
  readonly log: (line: string) => void;
}

const hour = 3_600_000;

/**
 * The language server in an environment of the extension's own, made from the wheel inside the extension.
 *
 * An environment cannot be moved once it is made, so it is built where it stays, and counts only when the marker
 * file, written last and in one step, names it. Two windows that install at once do not disturb each other.
 */
export class PrivateEnvironment {
  constructor(
    private readonly storage: string,
    private readonly bundled: string,
    private readonly version: string,
    private readonly machine: Machine,
    private readonly run: Run,
  ) {}

  async python(): Promise<string | undefined> {
    const folder = await this.complete();
    if (folder === undefined) {
      return undefined;
    }
    const python = environmentPython(join(this.storage, folder), this.machine.windows);
    return (await this.machine.isProgram(python)) ? python : undefined;
  }

  async install(options: InstallOptions): Promise<void> {
    const { signal, step, log } = options;
    const wheel = await this.wheel();
    step("looking for Python");
    const base = await findPython(this.machine, this.run);
    const folder = `server-${this.version}-${randomBytes(4).toString("hex")}`;
    const environment = join(this.storage, folder);
    await mkdir(this.storage, { recursive: true });
    try {
      step(`making an environment with Python ${base.version}`);
      await this.must(
        `${base.command} could not make an environment`,
        base.command,
        ["-I", "-m", "venv", environment],
        {
          signal,
          log,
        },
      );
      const python = environmentPython(environment, this.machine.windows);
      step("installing the language server and what it needs from the package index");
      await this.must("pip could not install the language server", python, pipInstall(wheel), {
        signal,
        log,
      });
      step("checking");
      await this.must(
        "the installed language server does not run",
        python,
        ["-I", "-m", "plainview", "--version"],
        {
          signal,
          log,
        },
      );
      await this.mark(folder);
    } catch (error) {
      await remove(environment);
      throw error;
    }
    await this.tidy(folder);
  }

  private async must(
    failure: string,
    command: string,
    args: readonly string[],
    { signal, log }: Pick<InstallOptions, "signal" | "log">,
  ): Promise<void> {
    log(`$ ${[command, ...args].join(" ")}`);
    const { code, stdout, stderr } = await this.run(command, args, { signal, onLine: log });
    if (signal.aborted) {
      throw new InstallError("The installation was cancelled; nothing was kept.");
    }
    if (code !== 0) {
      throw new InstallError(`Plainview: ${failure}. ${lastWords(`${stdout}\n${stderr}`)}`.trim());
    }
  }

  private async wheel(): Promise<string> {
    const names = await readdir(this.bundled).catch(() => []);
    const name = names.find((candidate) => candidate.endsWith(".whl"));
    if (name === undefined) {
      throw new InstallError(
        "Plainview: this build of the extension carries no language server. Install the Python package plainview and set plainview.server.path.",
      );
    }
    return join(this.bundled, name);
  }

  private get marker(): string {
    return join(this.storage, `server-${this.version}.json`);
  }

  private async mark(folder: string): Promise<void> {
    const draft = join(this.storage, `${folder}.json`);
    await writeFile(draft, JSON.stringify({ folder }));
    await rename(draft, this.marker);
  }

  private async complete(): Promise<string | undefined> {
    try {
      const { folder } = JSON.parse(await readFile(this.marker, "utf8")) as { folder?: unknown };
      return typeof folder === "string" ? folder : undefined;
    } catch {
      return undefined;
    }
  }

  /** Removes what earlier versions and broken-off attempts left, but nothing that another window may be building. */
  private async tidy(current: string): Promise<void> {
    for (const name of await readdir(this.storage)) {
      const path = join(this.storage, name);
      const old = name.startsWith("server-") && name !== current && path !== this.marker;
      if (old && Date.now() - (await stat(path)).mtimeMs > hour) {
        await remove(path);
      }
    }
  }
}

// Wheels only: no package's build script runs on the user's machine, and a missing one fails in one clear line.
export function pipInstall(wheel: string): string[] {
  return [
    ...["-I", "-m", "pip", "install", "--no-input", "--disable-pip-version-check"],
    ...["--only-binary", ":all:", wheel],
  ];
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => undefined);
}
