import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ClientParts } from "../src/client";
import type { Located } from "../src/locate";
import { Session } from "../src/session";

// The client's part is played by the first thing that the process says: a server that never speaks never starts.
vi.mock("../src/client", () => ({
  createClient: ({ process }: ClientParts) => ({
    start: () => new Promise((resolve) => process.child.stdout.once("data", resolve)),
    stop: () => Promise.resolve(process.child.stdin.end()),
  }),
}));

const node = (script: string): Located => ({
  kind: "found",
  server: { origin: "setting", command: process.execPath, args: ["-e", script] },
});
const healthy = node("console.log(1); process.stdin.on('data', () => {}).on('end', () => process.exit())");

const told = { missing: vi.fn(), broken: vi.fn(), failed: vi.fn(), stopped: vi.fn() };
const output = { info: vi.fn(), error: vi.fn() };
let located: Located;
let session: Session;

beforeEach(() => {
  vi.resetAllMocks();
  session = new Session({
    output: output as never,
    locate: () => Promise.resolve(located),
    initializationOptions: () => ({}),
    onStatus: () => undefined,
    onMissing: told.missing,
    onBroken: told.broken,
    onFailed: told.failed,
    onStopped: told.stopped,
  });
});

afterEach(() => session.stop());

test("a server is started, and replaced on request", async () => {
  located = healthy;
  await session.restart();
  const first = session.server?.pid;
  expect(first).toBeDefined();
  await session.restart();
  expect(session.server?.pid).not.toBe(first);
  expect(() => process.kill(first ?? 0, 0)).toThrow("ESRCH");
  expect(told.failed).not.toHaveBeenCalled();
});

test("restarts that overlap leave one server", async () => {
  located = healthy;
  await Promise.all([session.restart(), session.restart(), session.restart()]);
  expect(told.stopped).toHaveBeenCalledTimes(2);
  expect(session.server).toBeDefined();
});

test("no server, or a wrong setting, is passed on as it is", async () => {
  located = { kind: "missing" };
  await session.restart();
  expect(told.missing).toHaveBeenCalledOnce();
  located = { kind: "broken", message: "there is no file" };
  await session.restart();
  expect(told.broken).toHaveBeenCalledWith("there is no file");
});

test("a server that dies while it starts is one message with its last words", async () => {
  located = node("console.error('ImportError: no re2'); process.exit(1)");
  await session.restart();
  expect(told.failed).toHaveBeenCalledOnce();
  expect(told.failed.mock.calls[0]?.[1]).toMatchObject({ origin: "setting" });
  const [message] = told.failed.mock.calls[0] as [string];
  expect(message).toContain(process.execPath);
  expect(message).toContain("the setting plainview.server.path");
  expect(message).toContain("exit code 1: ImportError: no re2");
});

test("a program that the system cannot run is one message", async () => {
  located = { kind: "found", server: { origin: "PATH", command: "/nowhere/plainview", args: [] } };
  await session.restart();
  expect(told.failed).toHaveBeenCalledOnce();
  expect(told.failed.mock.calls[0]?.[0]).toContain("/nowhere/plainview (from PATH)");
});

test("a killed server comes back, and after too many crashes one message says so", async () => {
  located = healthy;
  await session.restart();
  for (let crash = 0; crash < 4; crash += 1) {
    const pid = session.server?.pid ?? 0;
    process.kill(pid, "SIGKILL");
    await vi.waitFor(() => expect(session.server?.pid ?? pid).not.toBe(pid), { timeout: 10_000 });
    expect(told.failed).not.toHaveBeenCalled();
  }
  process.kill(session.server?.pid ?? 0, "SIGKILL");
  await vi.waitFor(() => expect(told.failed).toHaveBeenCalledOnce(), { timeout: 10_000 });
  expect(told.failed.mock.calls[0]?.[0]).toContain("stopped 5 times within 3 minutes");
  expect(session.server).toBeUndefined();
}, 30_000);
