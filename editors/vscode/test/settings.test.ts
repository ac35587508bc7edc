import { expect, test } from "vitest";
import { values } from "./vscode";
import { expandPath, serverSettings } from "../src/settings";

test.each([
  ["", ""],
  ["  ", ""],
  ["/opt/plainview", "/opt/plainview"],
  ["~/bin/plainview", "/home/me/bin/plainview"],
  ["${workspaceFolder}/.venv/bin/plainview", "/ws/.venv/bin/plainview"],
  [".venv/bin/plainview", "/ws/.venv/bin/plainview"],
])("the path %j means %j", (path, expected) => {
  expect(expandPath(path, "/home/me", "/ws")).toBe(expected);
});

test("without a folder, a relative path starts at home", () => {
  expect(expandPath("bin/plainview", "/home/me", undefined)).toBe("/home/me/bin/plainview");
});

test("what is set, and what is not", () => {
  expect(serverSettings("/ws")).toEqual({ path: "", useWorkspacePython: false });
  values["plainview.server.path"] = "/opt/plainview";
  values["plainview.server.useWorkspacePython"] = true;
  expect(serverSettings("/ws")).toEqual({ path: "/opt/plainview", useWorkspacePython: true });
});
