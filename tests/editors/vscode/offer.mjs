// A machine without the language server: what is offered, and what each answer leads to.
import assert from "node:assert/strict";
import { drive, task, until } from "./editor.mjs";

const patience = { timeout: 60_000 };

await drive({ payload: [["openFile", `${task.workspace}/${task.file}`]] }, async ({ page, open }) => {
  await open();
  const toasts = page.locator(".notification-toast");
  const offer = toasts.filter({ hasText: "Plainview needs its language server" });
  await offer.waitFor(patience);
  const buttons = await offer.locator(".monaco-button").allInnerTexts();
  assert.deepEqual(
    buttons.map((text) => text.trim()),
    ["Install", "Choose a Path", "Not Now"],
  );
  assert.equal(await toasts.count(), 1);

  await offer.locator(".monaco-button", { hasText: task.answer }).click();
  await offer.waitFor({ ...patience, state: "detached" });
  if (task.answer === "Install") {
    const squiggle = page.locator(".monaco-editor .squiggly-error");
    await until(
      "diagnostics from the installed server",
      async () => {
        const said = (await toasts.allInnerTexts()).join("\n");
        assert.doesNotMatch(said, /could not|needs Python|does not run|did not start/);
        return (await squiggle.count()) > 0;
      },
      240_000,
    );
    await page.locator(".statusbar-item", { hasText: /Plainview [B-F] · \d/ }).waitFor(patience);
  } else {
    await page.locator(".view-line", { hasText: "Release helper" }).first().click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("More text.");
    await page.waitForTimeout(2_000);
    assert.equal(await page.locator(".statusbar-item", { hasText: "Plainview" }).count(), 0);
  }
  assert.deepEqual(await toasts.allInnerTexts(), []);
});
