import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import * as vscode from "vscode";

export interface ServerSettings {
  /** Absolute, or empty where the user left the choice to the extension. */
  readonly path: string;
  readonly useWorkspacePython: boolean;
}

export function serverSettings(folder: string | undefined): ServerSettings {
  const settings = vscode.workspace.getConfiguration("plainview.server");
  return {
    path: expandPath(settings.get("path", ""), homedir(), folder),
    useWorkspacePython: settings.get("useWorkspacePython", false),
  };
}

export function expandPath(path: string, home: string, folder: string | undefined): string {
  let expanded = path.trim();
  if (expanded === "~" || expanded.startsWith("~/") || expanded.startsWith("~\\")) {
    expanded = join(home, expanded.slice(1));
  }
  expanded = expanded.replaceAll("${workspaceFolder}", folder ?? "");
  return expanded === "" || isAbsolute(expanded) ? expanded : join(folder ?? home, expanded);
}
