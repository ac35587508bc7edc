import { expect, test } from "vitest";
import { locateServer, type Surroundings } from "../src/locate";
import { machine, runner } from "./fakes";

const everything = ["/own/plainview", "/usr/bin/plainview", "/ws/.venv/bin/python", "/private/python"];
const isolated = ["-I", "-m", "plainview", "server"];

function locate(programs: string[], changes: Partial<Surroundings> = {}) {
  return locateServer({
    settings: { path: "", useWorkspacePython: false },
    trusted: true,
    folders: ["/ws"],
    machine: machine(programs),
    run: runner({}).run,
    privatePython: () => Promise.resolve(programs.find((program) => program.startsWith("/private"))),
    ...changes,
  });
}

const found = (origin: string, command: string, args: string[]) => ({
  kind: "found",
  server: { origin, command, args },
});

test("the setting comes first", async () => {
  const settings = { path: "/own/plainview", useWorkspacePython: true };
  expect(await locate(everything, { settings })).toEqual(found("setting", "/own/plainview", ["server"]));
});

test.each([
  ["gone", [], "there is no file /gone/plainview"],
  ["no program", ["/gone/plainview"], "/gone/plainview is not a program"],
])("a setting that is %s is said, not replaced", async (_, files, what) => {
  const located = await locate(everything, {
    settings: { path: "/gone/plainview", useWorkspacePython: false },
    machine: machine(everything, { files }),
  });
  expect(located).toMatchObject({ kind: "broken", message: expect.stringContaining(what) });
  expect(located).toMatchObject({ message: expect.stringContaining("plainview.server.path") });
});

test("PATH comes second", async () => {
  const settings = { path: "", useWorkspacePython: true };
  expect(await locate(everything, { settings })).toEqual(found("PATH", "/usr/bin/plainview", ["server"]));
});

test("on Windows PATH is searched for the executable, not for a script", async () => {
  const windows = machine(["/usr/bin/plainview", "/usr/bin/plainview.exe"], { windows: true });
  expect(await locate([], { machine: windows })).toEqual(found("PATH", "/usr/bin/plainview.exe", ["server"]));
});

const activated = machine(["/ws/.venv/bin/plainview", "/usr/bin/plainview"], {
  path: ["/ws/.venv/bin", "/usr/bin"],
});

test("an activated environment of a trusted workspace counts as PATH", async () => {
  const command = "/ws/.venv/bin/plainview";
  expect(await locate([], { machine: activated })).toEqual(found("PATH", command, ["server"]));
});

test("nothing inside an untrusted workspace is run, even from PATH", async () => {
  const located = await locate([], { machine: activated, trusted: false });
  expect(located).toEqual(found("PATH", "/usr/bin/plainview", ["server"]));
});

test("a workspace that is opened through a link is still the workspace", async () => {
  const located = await locate([], { machine: activated, trusted: false, folders: ["/link"] });
  expect(located).toEqual(found("PATH", "/usr/bin/plainview", ["server"]));
});

const withoutPath = everything.slice(2);

test("the workspace's Python is left alone unless the setting is on", async () => {
  expect(await locate(withoutPath)).toEqual(found("private environment", "/private/python", isolated));
});

test("the workspace's Python, where the setting is on and the workspace is trusted", async () => {
  const settings = { path: "", useWorkspacePython: true };
  const { run, commands } = runner({});
  const located = await locate(withoutPath, { settings, run });
  expect(located).toEqual(found("workspace", "/ws/.venv/bin/python", isolated));
  expect(commands).toEqual(["/ws/.venv/bin/python -I -m plainview --version"]);
});

test("an untrusted workspace's Python is not even asked for its version", async () => {
  const settings = { path: "", useWorkspacePython: true };
  const { run, commands } = runner({});
  const located = await locate(withoutPath, { settings, run, trusted: false });
  expect(located).toEqual(found("private environment", "/private/python", isolated));
  expect(commands).toEqual([]);
});

test("a workspace's Python without plainview is passed over", async () => {
  const settings = { path: "", useWorkspacePython: true };
  const { run } = runner({ "/ws": { code: 1, stderr: "No module named plainview" } });
  const located = await locate(withoutPath, { settings, run });
  expect(located).toEqual(found("private environment", "/private/python", isolated));
});

test("nothing anywhere", async () => {
  expect(await locate([])).toEqual({ kind: "missing" });
});
