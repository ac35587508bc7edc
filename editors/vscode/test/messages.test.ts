import { beforeEach, expect, test, vi } from "vitest";
import { shown } from "./vscode";
import { Messages } from "../src/messages";

beforeEach(() => shown.splice(0));

test("one cause is one message while it stands", async () => {
  const messages = new Messages();
  messages.show("error", "no server", { Retry: () => undefined });
  messages.show("error", "no server", { Retry: () => undefined });
  expect(shown).toHaveLength(1);
  shown[0]?.answer();
  await vi.waitFor(() => {
    messages.show("error", "no server", {});
    expect(shown).toHaveLength(2);
  });
  expect(messages.shown.map(({ text }) => text)).toEqual(["no server", "no server"]);
});

test("an answer runs its action, and only that", async () => {
  const install = vi.fn();
  const choose = vi.fn();
  new Messages().show("information", "install?", { Install: install, "Choose a Path": choose });
  expect(shown[0]?.actions).toEqual(["Install", "Choose a Path"]);
  shown[0]?.answer("Install");
  await vi.waitFor(() => expect(install).toHaveBeenCalledOnce());
  expect(choose).not.toHaveBeenCalled();
});
