import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import manifest from "../package.json";
import { documentSelector } from "../src/documents";

const settings = Object.entries(manifest.contributes.configuration.properties);

test("whatever chooses a program is out of an untrusted workspace's reach", () => {
  const choosing = settings.map(([name]) => name).filter((name) => name.startsWith("plainview.server."));
  expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual(choosing);
});

test("every language that is checked wakes the extension, and no other does", () => {
  const checked = documentSelector.flatMap((one) =>
    typeof one === "object" && "language" in one && one.language !== undefined ? [one.language] : [],
  );
  const waking = manifest.activationEvents.flatMap((event) => event.match(/^onLanguage:(.*)/)?.[1] ?? []);
  expect(waking).toEqual([...new Set(checked)]);
});

test("the README's table has every setting and its default", () => {
  const readme = readFileSync(join(__dirname, "../README.md"), "utf8").replace(/ +/g, " ");
  for (const [name, { default: value }] of settings) {
    expect(readme).toContain(`| \`${name}\` | \`${JSON.stringify(value)}\` |`);
  }
});

test("the extension and its server are released together", () => {
  const project = readFileSync(join(__dirname, "../../../pyproject.toml"), "utf8");
  expect(project).toContain(`version = "${manifest.version}"`);
});
