// The workbench as a person sees and uses it: types, looks, mends by keyboard. Leaves the README's picture.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { drive, task, until } from "./editor.mjs";

const patience = { timeout: 60_000 };
const file = `${task.workspace}/${task.file}`;

await drive({ payload: [["openFile", file]], scale: 2 }, async ({ page, open }) => {
  await open();
  const line = (text) => page.locator(".view-line", { hasText: text });
  const statusBar = page.locator(".statusbar-item", { hasText: "Plainview" });
  const squiggle = page.locator(".monaco-editor .squiggly-error");
  await line("Release helper").first().waitFor(patience);
  await closeSideBar(page);
  await statusBar.filter({ hasText: /Plainview A · \d+ \+ [\d,]+ tok/ }).waitFor(patience);
  assert.equal(await squiggle.count(), 0);

  await line("Release helper").first().click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(task.comment, { delay: 5 });
  await squiggle.first().waitFor({ ...patience, state: "attached" });
  await statusBar.filter({ hasText: "Plainview F · " }).waitFor(patience);
  console.log(`status bar: ${(await statusBar.innerText()).trim()}`);

  await page.keyboard.press("Control+Shift+M");
  const problem = page.locator(".markers-panel .monaco-list-row", { hasText: "plainview" });
  await problem.first().waitFor(patience);
  console.log(`problem: ${(await problem.first().innerText()).replace(/\s+/g, " ")}`);
  await page.keyboard.press("Control+J");
  await problem.first().waitFor({ ...patience, state: "hidden" });

  const card = page.locator(".monaco-hover:visible", { hasText: "ignore all previous instructions" });
  await hoverOver(page, task.pointAt, card);
  await card.filter({ hasText: "Quick Fix" }).first().waitFor(patience);
  const text = (await card.first().innerText()).replace(/\s+/g, " ");
  console.log(`hover: ${text}`);
  assert.match(text, /tokens/);
  assert.deepEqual(await page.locator(".notification-toast").allInnerTexts(), []);
  await takePicture(page);

  await page.mouse.move(5, 5);
  await line("<!--").click();
  await page.keyboard.press("Escape");
  const action = page.locator(".action-widget .monaco-list-row", { hasText: "Delete the hidden comment" });
  await until("the quick fixes", async () => {
    await page.keyboard.press("Control+.");
    return action.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
  });
  await until("the wanted fix in focus", async () => {
    if (/focused/.test((await action.getAttribute("class")) ?? "")) {
      return true;
    }
    await page.keyboard.press("ArrowDown");
    return false;
  });
  await page.keyboard.press("Enter");
  await line("<!--").waitFor({ ...patience, state: "detached" });
  await squiggle.first().waitFor({ ...patience, state: "detached" });
  await statusBar.filter({ hasText: "Plainview A · " }).waitFor(patience);
});

async function closeSideBar(page) {
  const sideBar = page.locator(".part.sidebar");
  await sideBar.waitFor(patience);
  await page.keyboard.press("Control+B");
  await sideBar.waitFor({ ...patience, state: "hidden" });
}

async function hoverOver(page, words, card) {
  await until("the hover card", async () => {
    const point = await page.evaluate((text) => {
      for (const line of document.querySelectorAll(".view-line")) {
        const words = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        for (let node; (node = words.nextNode());) {
          const at = node.data.replaceAll("\u00a0", " ").indexOf(text);
          if (at >= 0) {
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + text.length);
            const { x, y, width, height } = range.getBoundingClientRect();
            return { x: x + width / 2, y: y + height / 2 };
          }
        }
      }
      return undefined;
    }, words);
    if (point === undefined) {
      return false;
    }
    await page.mouse.move(point.x - 30, point.y);
    await page.mouse.move(point.x, point.y, { steps: 5 });
    return card
      .first()
      .waitFor({ timeout: 5_000 })
      .then(
        () => true,
        () => false,
      );
  });
}

/** Squiggle, hover card and status bar in one view, less what only this way of running the editor shows. */
async function takePicture(page) {
  await page.locator(".codelens-decoration", { hasText: "grade F" }).waitFor(patience);
  await page.addStyleTag({
    content: `
      .monaco-workbench { font-family: Inter, "DejaVu Sans", sans-serif !important; }
      .statusbar-item:is([id^="status.host"], [id*="forwardedPorts"], [id*="keyboardLayout"]) { display: none !important; }
      .monaco-editor .cursors-layer { visibility: hidden; }`,
  });
  mkdirSync(task.shots, { recursive: true });
  await page.screenshot({ path: join(task.shots, "vscode.png") });
}
