import { beforeEach, expect, test } from "vitest";
import { statusLabel, statusText, statusTooltip, type Status } from "../src/status";
import { StatusBar } from "../src/statusBar";
import { bringToFront, statusItem, Uri } from "./vscode";

const status: Status = {
  uri: "file:///x.md",
  version: 1,
  kind: "Claude Code subagent",
  grade: "C",
  arithmetic: "100 − 25 (1 high)",
  tokens: { session: 35, invoked: 2640 },
  findings: { critical: 0, high: 1, medium: 0, low: 0, info: 0 },
  hidden: 1,
};

test("the text has the grade and both costs", () => {
  expect(statusText(status)).toBe("Plainview C · 35 + 2,640 tok");
  expect(statusText({ ...status, tokens: null })).toBe("Plainview C · … tok");
});

test("a screen reader hears words", () => {
  expect(statusLabel(status)).toBe("Plainview: grade C, 35 tokens every session, 2,640 once invoked");
  expect(statusLabel({ ...status, tokens: null })).toBe("Plainview: grade C, tokens are being counted");
});

test("the tooltip says where the grade comes from and what is hidden", () => {
  const tooltip = statusTooltip(status);
  expect(tooltip).toContain("**Claude Code subagent** · grade **C**: 100 − 25 \\(1 high\\)");
  expect(tooltip).toContain("| once invoked | 2,640 |");
  expect(tooltip).toContain("1 hidden span");
  expect(statusTooltip({ ...status, hidden: 2 })).toContain("2 hidden spans");
  expect(statusTooltip({ ...status, hidden: 0, tokens: null })).toContain("counted");
});

test("words from the server stay words", () => {
  expect(statusTooltip({ ...status, kind: "[x](command:y) $(bug)\n# z" })).toContain(
    "\\[x\\]\\(command:y\\) \\$\\(bug\\) \\# z",
  );
});

const agent = Uri.parse("file:///x.md");
const page = Uri.parse("file:///README.md");

beforeEach(() => bringToFront(undefined));

test("the item follows the file in front", () => {
  const bar = new StatusBar("plainview.menu");
  bar.update(agent as never, status);
  expect(bar.text).toBeUndefined();
  bringToFront(agent);
  expect(bar.text).toBe("Plainview C · 35 + 2,640 tok");
  expect(statusItem.tooltip).toMatchObject({ isTrusted: false });
  bar.update(page as never, { uri: "file:///README.md", kind: null });
  bringToFront(page);
  expect(bar.text).toBeUndefined();
  expect(statusItem.hide).toHaveBeenCalled();
});

test("a file that is no agent file any more, or a server that is gone, shows nothing", () => {
  const bar = new StatusBar("plainview.menu");
  bringToFront(agent);
  bar.update(agent as never, status);
  bar.update(agent as never, { uri: "file:///x.md", kind: null });
  expect(bar.text).toBeUndefined();
  bar.update(agent as never, status);
  bar.clear();
  expect(bar.text).toBeUndefined();
});
