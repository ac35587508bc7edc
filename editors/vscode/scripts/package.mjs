// Builds the .vsix, with the language server's wheel inside: the extension then installs exactly the server
// that it was built with. The optional argument is where the .vsix goes.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));
const root = join(here, "..", "..");
const out = resolve(process.argv[2] ?? join(here, "plainview.vsix"));

const ownPython = join(root, ".venv", "bin", "python");
const python = process.env.PYTHON ?? (existsSync(ownPython) ? ownPython : "python3");
const bundled = join(here, "bundled");
rmSync(bundled, { recursive: true, force: true });
mkdirSync(bundled);
run(python, [
  "-m",
  "pip",
  "wheel",
  "--quiet",
  "--disable-pip-version-check",
  "--no-deps",
  "-w",
  bundled,
  root,
]);
const wheels = readdirSync(bundled).filter((name) => name.endsWith(".whl"));
if (wheels.length !== 1) {
  throw new Error(`expected one wheel in ${bundled}, found: ${wheels.join(", ") || "none"}`);
}

copyFileSync(join(root, "LICENSE"), join(here, "LICENSE"));
run(join(here, "node_modules", ".bin", "vsce"), [
  "package",
  "--no-dependencies",
  "--allow-missing-repository",
  "--out",
  out,
]);

function run(command, args) {
  execFileSync(command, args, { cwd: here, stdio: ["ignore", "inherit", "inherit"] });
}
