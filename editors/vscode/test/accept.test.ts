import { beforeEach, expect, test, vi } from "vitest";
import { saved, shown, Uri, window, workspace } from "./vscode";
import { accept } from "../src/accept";
import { Messages } from "../src/messages";

const finding = { uri: "file:///w/AGENTS.md", rule: "hidden-comment", fingerprint: "0f" };
const config = Uri.parse("file:///w/plainview.toml");
const edit = { entries: () => [[config, []]] };

/** A server that has this edit for the finding, and what it was asked. */
function client(given: unknown) {
  const sendRequest = vi.fn(() => Promise.resolve(given));
  const protocol2CodeConverter = { asWorkspaceEdit: () => Promise.resolve(given) };
  return { sendRequest, protocol2CodeConverter } as never as Parameters<typeof accept>[0] & {
    sendRequest: typeof sendRequest;
  };
}

beforeEach(() => {
  shown.splice(0);
  saved.splice(0);
  workspace.textDocuments.splice(0);
  workspace.applyEdit.mockReset().mockResolvedValue(true);
  window.showInputBox.mockReset().mockResolvedValue("It is a quotation.");
});

test("the reason goes to the server, and the edit that comes back is made and saved", async () => {
  const server = client(edit);
  await accept(server, new Messages(), finding);
  expect(server.sendRequest).toHaveBeenCalledWith("plainview/accept", {
    ...finding,
    reason: "It is a quotation.",
  });
  expect(workspace.applyEdit).toHaveBeenCalledWith(edit);
  expect(saved).toEqual(["file:///w/plainview.toml"]);
  expect(shown).toEqual([]);
});

test("a blank reason is refused where it is typed", async () => {
  await accept(client(edit), new Messages(), finding);
  const [options] = window.showInputBox.mock.calls[0] ?? [];
  expect(options?.validateInput("  ")).toMatch(/reason/);
  expect(options?.validateInput("Ours.")).toBeUndefined();
});

test("whoever gives no reason accepts nothing", async () => {
  window.showInputBox.mockResolvedValue(undefined);
  const server = client(edit);
  await accept(server, new Messages(), finding);
  expect(server.sendRequest).not.toHaveBeenCalled();
  expect(workspace.applyEdit).not.toHaveBeenCalled();
});

test("a file with unsaved changes is left for its user to save", async () => {
  workspace.textDocuments.push({ uri: config, isDirty: true });
  await accept(client(edit), new Messages(), finding);
  expect(workspace.applyEdit).toHaveBeenCalledOnce();
  expect(saved).toEqual([]);
});

test.each([
  ["the finding is gone", null, true],
  ["the edit cannot be made", edit, false],
])("it is said when %s", async (_, given, applies) => {
  workspace.applyEdit.mockResolvedValue(applies);
  await accept(client(given), new Messages(), finding);
  expect(shown.map(({ text }) => text)).toEqual([expect.stringContaining("nothing was accepted")]);
  expect(saved).toEqual([]);
});
