import { afterEach, expect, test, vi } from "vitest";
import { isInside, thisMachine } from "../src/machine";

afterEach(() => vi.unstubAllEnvs());

test("relative entries of PATH would be found in the workspace, so they do not count", () => {
  vi.stubEnv("PATH", "node_modules/.bin:/usr/bin::.:/bin");
  expect(thisMachine().path).toEqual(["/usr/bin", "/bin"]);
});

test("a folder is no program, and neither is what is not there", async () => {
  expect(await thisMachine().isProgram("/usr")).toBe(false);
  expect(await thisMachine().isProgram("/nowhere/plainview")).toBe(false);
  expect(await thisMachine().isProgram(process.execPath)).toBe(true);
});

test.each([
  ["/ws/.venv/bin/plainview", true],
  ["/ws/..name/plainview", true],
  ["/wsx/plainview", false],
  ["/usr/bin/plainview", false],
  ["/ws", false],
])("%s is inside /ws: %s", (file, expected) => {
  expect(isInside(file, "/ws")).toBe(expected);
});
