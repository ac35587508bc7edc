// A workspace that names programs of its own: run only where the user trusts the workspace.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { drive, task, until } from "./editor.mjs";

const ran = join(task.workspace, "ran");

await drive({ payload: [["openFile", `${task.workspace}/${task.file}`]] }, async ({ page, open }) => {
  await open();
  if (task.trusted) {
    await until("the workspace's program to be run", () => existsSync(ran));
    return;
  }
  await page.locator(".statusbar-item", { hasText: "Restricted Mode" }).waitFor({ timeout: 60_000 });
  // The extension is at work, and of all the places for a server only the workspace has one.
  const offer = page.locator(".notification-toast", { hasText: "Plainview needs its language server" });
  await offer.waitFor({ timeout: 60_000 });
  await page.waitForTimeout(2_000);
  if (existsSync(ran)) {
    throw new Error("a program of the untrusted workspace was run");
  }
});
