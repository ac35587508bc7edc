import { expect, test } from "vitest";
import { lastWords, lines, run } from "../src/process";

test("chunks become lines", () => {
  const seen: string[] = [];
  const feed = lines((line) => seen.push(line));
  ["on", "e\r\ntwo\nthr", "ee\n", "rest"].forEach(feed);
  expect(seen).toEqual(["one", "two", "three"]);
});

test.each([
  [
    "Traceback (most recent call last):\n  File x\nModuleNotFoundError: No module named 're2'\n",
    "ModuleNotFoundError: No module named 're2'",
  ],
  [
    "ERROR: No matching distribution found for x\n[notice] A new release of pip is available\n",
    "ERROR: No matching distribution found for x",
  ],
  [
    "WARNING: Retrying\nERROR: Could not install packages due to an OSError\nWARNING: more\n",
    "ERROR: Could not install packages due to an OSError",
  ],
  ["\n\n", ""],
])("the line that says why", (output, line) => {
  expect(lastWords(output)).toBe(line);
});

test("a program's output, line by line, and how it ended", async () => {
  const seen: string[] = [];
  const script = "console.log('out'); console.error('err'); process.exit(3)";
  const outcome = await run(process.execPath, ["-e", script], { onLine: (line) => seen.push(line) });
  expect(outcome).toEqual({ code: 3, stdout: "out\n", stderr: "err\n" });
  expect(seen.sort()).toEqual(["err", "out"]);
});

test("a program that cannot be started is an outcome", async () => {
  expect(await run("/nowhere/python", [])).toMatchObject({
    code: null,
    stderr: expect.stringContaining("ENOENT"),
  });
});

test("a run can be broken off", async () => {
  const abort = new AbortController();
  const outcome = run(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { signal: abort.signal });
  abort.abort();
  expect(await outcome).toMatchObject({ code: null });
});
