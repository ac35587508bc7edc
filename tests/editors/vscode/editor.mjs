// Starts VS Code's real workbench: its server from the code-server package, its page in Chromium.
// Everything that it writes goes below `home`; everything that it starts ends with this process group.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { createRequire } from "node:module";
import { join } from "node:path";

/** What the Python side asks for: cache, home, workspace, extensions, shots; the settings of machine and user. */
export const task = JSON.parse(process.env.PLAINVIEW_EDITOR_TASK ?? "{}");

const modules = join(task.cache, "code-server", "node_modules");
const { chromium } = createRequire(join(modules, "playwright-core", "package.json"))("playwright-core");

// Quiet and the same on every machine: nothing in a picture or in the way of a click that is not under test.
const quiet = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.colorTheme": "Default Light Modern",
  "workbench.activityBar.location": "hidden",
  "workbench.layoutControl.enabled": false,
  "window.commandCenter": false,
  "window.menuBarVisibility": "hidden",
  "breadcrumbs.symbolPath": "off",
  "editor.minimap.enabled": false,
  "editor.fontFamily": "'JetBrains Mono', 'DejaVu Sans Mono', monospace",
  "editor.fontLigatures": false,
  "editor.hover.above": false,
  "editor.renderLineHighlight": "none",
  "chat.commandCenter.enabled": false,
  "extensions.autoUpdate": "off",
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "git.enabled": false,
  "security.workspace.trust.startupPrompt": "never",
  "security.workspace.trust.banner": "never",
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "files.autoSave": "off",
};

export async function openEditor({ payload = [], viewport = { width: 1100, height: 620 }, scale = 1 } = {}) {
  const data = join(task.home, "data");
  settings(join(data, "User"), { ...quiet, ...task.userSettings });
  // Machine settings reach the extension before it starts; a user's may come a moment later.
  settings(join(data, "Machine"), task.machineSettings ?? {});

  const port = await freePort();
  const log = [];
  const server = spawn(
    process.execPath,
    [
      join(modules, "code-server", "lib", "vscode", "out", "server-main.js"),
      ...["--host", "127.0.0.1", "--port", String(port), "--without-connection-token"],
      ...["--user-data-dir", data, "--server-data-dir", data, "--extensions-dir", task.extensions],
      "--accept-server-license-terms",
      "--enable-smoke-test-driver",
      "--disable-telemetry",
      ...(task.trusted === false ? [] : ["--disable-workspace-trust"]),
    ],
    {
      // VSCODE_CLI: the environment is the one given here, not what a login shell makes of it.
      env: { ...process.env, VSCODE_CLI: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  for (const stream of [server.stdout, server.stderr]) {
    stream.on("data", (chunk) => log.push(String(chunk)));
  }
  let browser;
  const close = async () => {
    await browser?.close().catch(() => undefined);
    server.kill("SIGTERM");
  };
  try {
    await until("the editor's server", async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/version`).catch(() => undefined);
      return answer?.ok;
    });
    browser = await chromium.launchPersistentContext(join(task.home, "chromium"), {
      executablePath: "/usr/bin/chromium",
      headless: true,
      viewport,
      deviceScaleFactor: scale,
      args: [
        ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
        ...["--disable-background-networking", "--disable-component-update"],
      ],
    });
  } catch (error) {
    await close();
    throw new Error(`${error.message}\n${log.join("").slice(-2000)}`);
  }
  const page = browser.pages()[0] ?? (await browser.newPage());
  const authority = `127.0.0.1:${port}`;
  const remote = (path) => `vscode-remote://${authority}${path}`;
  const open = async () => {
    const query = new URLSearchParams({ folder: task.workspace });
    const entries = payload.map(([key, path]) => [key, remote(path)]);
    if (entries.length > 0) {
      query.set("payload", JSON.stringify(entries));
    }
    await page.goto(`http://${authority}/?${query}`);
  };
  return { page, open, close, log };
}

export async function until(what, probe, patience = 60_000) {
  const end = Date.now() + patience;
  for (;;) {
    const value = await probe();
    if (value) {
      return value;
    }
    if (Date.now() > end) {
      throw new Error(`waited ${patience / 1000} s in vain for ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Runs a script against the editor; on failure leaves a picture of what the screen showed. */
export async function drive(options, script) {
  const editor = await openEditor(options);
  let failed = false;
  try {
    await script(editor);
  } catch (error) {
    failed = true;
    mkdirSync(task.shots, { recursive: true });
    await editor.page
      .screenshot({ path: join(task.shots, `failure-${process.pid}.png`) })
      .catch(() => undefined);
    console.error(error.stack ?? error);
    console.error(editor.log.join("").slice(-2000));
  } finally {
    await editor.close();
  }
  process.exit(failed ? 1 : 0);
}

function settings(folder, values) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "settings.json"), JSON.stringify(values, undefined, 2));
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
