import { beforeEach, expect, test, vi } from "vitest";
import { shown } from "./vscode";
import { Messages } from "../src/messages";
import { Offer } from "../src/offer";

const memory = new Map<string, unknown>();
let missing = true;
const install = vi.fn();

function offer(version = "1.2.3"): Offer {
  return new Offer(
    {
      messages: new Messages(),
      memory: {
        get: (key: string) => memory.get(key),
        update: (key: string, value: unknown) => Promise.resolve(void memory.set(key, value)),
        keys: () => [...memory.keys()],
      },
      version,
      install,
      choosePath: () => Promise.resolve(),
      stillWanted: () => missing,
    },
    0,
  );
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

beforeEach(() => {
  shown.splice(0);
  memory.clear();
  missing = true;
});

test("one message, and nothing is installed before the answer", async () => {
  offer().make();
  await pause();
  expect(shown.map(({ actions }) => actions)).toEqual([["Install", "Choose a Path", "Not Now"]]);
  expect(install).not.toHaveBeenCalled();
  shown[0]?.answer("Install");
  await pause();
  expect(install).toHaveBeenCalledOnce();
});

test("a server that turns up in time needs no offer", async () => {
  offer().make();
  missing = false;
  await pause();
  expect(shown).toEqual([]);
});

test("a no holds until the next version, or until the user asks for the server", async () => {
  offer().make();
  await pause();
  shown[0]?.answer("Not Now");
  await pause();
  offer().make();
  await pause();
  expect(shown).toHaveLength(1);
  offer("1.3.0").make();
  await pause();
  expect(shown).toHaveLength(2);
  await offer().forgetAnswer();
  offer().make();
  await pause();
  expect(shown).toHaveLength(3);
});
