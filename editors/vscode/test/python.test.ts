import { expect, test } from "vitest";
import { findPython } from "../src/python";
import { machine, runner } from "./fakes";

const version = (stdout: string) => ({ stdout: `${stdout}\n` });

test("python3 comes first", async () => {
  const { run } = runner({ "python3.13": version("3.13.1"), python3: version("3.11.2") });
  const found = await findPython(machine(["/usr/bin/python3", "/usr/bin/python3.13"]), run);
  expect(found).toEqual({ command: "/usr/bin/python3", version: "3.11.2" });
});

test("one that is too old is passed over", async () => {
  const { run } = runner({ "python3.13": version("3.13.1"), python3: version("3.9.2") });
  const found = await findPython(machine(["/usr/bin/python3", "/usr/bin/python3.13"]), run);
  expect(found.command).toBe("/usr/bin/python3.13");
});

test("Python 2 is not taken for a new one", async () => {
  const { run } = runner({ python: version("2.17.0") });
  await expect(findPython(machine(["/usr/bin/python"]), run)).rejects.toThrow("/usr/bin/python is 2.17.0");
});

test("the message names the versions and the places", async () => {
  const { run } = runner({ python3: version("3.9.2") });
  const search = findPython(machine(["/usr/bin/python3"]), run);
  await expect(search).rejects.toThrow(
    "Plainview needs Python 3.10 or newer, with its venv module, to install its language server. Looked at: /usr/bin/python3 is 3.9.2.",
  );
});

test("no Python at all: where it looked", async () => {
  const search = findPython(machine([], { path: ["/usr/bin", "/bin"] }), runner({}).run);
  await expect(search).rejects.toThrow("PATH has none. Looked in /usr/bin, /bin.");
});

test("Debian's Python without venv: what to install", async () => {
  const { run } = runner({ python3: { code: 1, stderr: "No module named 'ensurepip'" } });
  const search = findPython(machine(["/usr/bin/python3"]), run);
  await expect(search).rejects.toThrow(
    "/usr/bin/python3 has no venv module. On Debian and Ubuntu, the package python3-venv",
  );
});
