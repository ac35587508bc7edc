// Runs driver/tests.js inside the editor's extension host, where the real `vscode` API is.
import { fileURLToPath } from "node:url";
import { drive } from "./editor.mjs";

const driver = fileURLToPath(new URL("./driver", import.meta.url));
const payload = [
  ["extensionDevelopmentPath", driver],
  ["extensionTestsPath", `${driver}/tests.js`],
];

await drive({ payload }, async ({ page, open, log }) => {
  const finished = new Promise((resolve) => {
    void page.exposeFunction("codeAutomationExit", resolve);
  });
  await page.exposeFunction("codeAutomationLog", (_type, values) => {
    const text = values.join(" ");
    (text.startsWith("plainview: ") ? console : { log: (line) => log.push(`${line}\n`) }).log(text);
  });
  await open();
  const patience = new Promise((_, reject) => {
    setTimeout(() => reject(new Error("the tests did not end within 4 minutes")), 240_000).unref();
  });
  const code = await Promise.race([finished, patience]);
  if (code !== 0) {
    throw new Error("a test failed");
  }
});
