import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Machine } from "../src/machine";
import { PrivateEnvironment } from "../src/privateEnvironment";
import type { Outcome } from "../src/process";
import { machine, runner } from "./fakes";

let folder: string;
let storage: string;
let bundled: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "plainview-"));
  storage = join(folder, "storage");
  bundled = join(folder, "bundled");
  mkdirSync(bundled);
  writeFileSync(join(bundled, "plainview-1.2.3-py3-none-any.whl"), "");
});

afterEach(() => rmSync(folder, { recursive: true }));

// Every Python that is asked for is there: those of the environments have names made up while installing.
const allThere: Machine = {
  ...machine(["/usr/bin/python3"]),
  isProgram: (file) => Promise.resolve(/python3?$/.test(file)),
};

function setUp(answers: Record<string, Partial<Outcome>> = {}, version = "1.2.3") {
  const { run, commands } = runner({ "import sys": { stdout: "3.11.2\n" }, ...answers });
  const environment = new PrivateEnvironment(storage, bundled, version, allThere, run);
  const abort = new AbortController();
  const log: string[] = [];
  const steps: string[] = [];
  const install = () =>
    environment.install({
      signal: abort.signal,
      step: (text) => steps.push(text),
      log: (line) => log.push(line),
    });
  return { environment, install, commands, abort, log, steps };
}

test("what is run, in order", async () => {
  const { environment, install, commands, log } = setUp();
  await install();
  const python = await environment.python();
  const made = python?.replace("/bin/python", "");
  expect(made).toMatch(/storage\/server-1\.2\.3-[0-9a-f]{8}$/);
  const wheel = join(bundled, "plainview-1.2.3-py3-none-any.whl");
  expect(commands.slice(1)).toEqual([
    `/usr/bin/python3 -I -m venv ${made}`,
    `${python} -I -m pip install --no-input --disable-pip-version-check --only-binary :all: ${wheel}`,
    `${python} -I -m plainview --version`,
  ]);
  expect(log).toEqual(commands.slice(1).map((line) => `$ ${line}`));
});

test("without an installation there is no Python", async () => {
  expect(await setUp().environment.python()).toBeUndefined();
});

test("another version's environment does not count", async () => {
  await setUp().install();
  expect(await setUp({}, "1.3.0").environment.python()).toBeUndefined();
});

test("a damaged marker counts as none", async () => {
  await setUp().install();
  writeFileSync(join(storage, "server-1.2.3.json"), "{");
  expect(await setUp().environment.python()).toBeUndefined();
});

test.each([
  ["-m venv", "/usr/bin/python3 could not make an environment. Error: no space left"],
  ["-m pip", "pip could not install the language server. Error: no space left"],
  ["--version", "the installed language server does not run. Error: no space left"],
])("a failure of `%s` is one sentence, and leaves nothing that counts", async (step, message) => {
  const { environment, install } = setUp({ [step]: { code: 1, stderr: "much\nError: no space left\n" } });
  await expect(install()).rejects.toThrow(`Plainview: ${message}`);
  expect(await environment.python()).toBeUndefined();
});

test("a cancelled installation says so and leaves nothing", async () => {
  const { environment, install, abort } = setUp();
  abort.abort();
  await expect(install()).rejects.toThrow("cancelled");
  expect(await environment.python()).toBeUndefined();
});

test("a build without a wheel says what to do", async () => {
  rmSync(join(bundled, "plainview-1.2.3-py3-none-any.whl"));
  await expect(setUp().install()).rejects.toThrow("plainview.server.path");
});

test("installing again replaces the environment, and what another window builds is left alone", async () => {
  const { environment, install } = setUp();
  await install();
  const first = await environment.python();
  mkdirSync(join(storage, "server-1.2.3-underway"));
  mkdirSync(join(storage, "server-1.0.0-old"));
  utimesSync(join(storage, "server-1.0.0-old"), 1, 1);
  await install();
  expect(await environment.python()).not.toBe(first);
  expect(readdirSync(storage).sort()).toEqual(["server-1.2.3-underway", "server-1.2.3.json"]);
});
