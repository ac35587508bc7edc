import type * as vscode from "vscode";
import type { Messages } from "./messages";

export interface OfferParts {
  readonly messages: Messages;
  readonly memory: vscode.Memento;
  readonly version: string;
  readonly install: () => Promise<void>;
  readonly choosePath: () => Promise<void>;
  /** Whether the server is still missing: a setting that names it may arrive a moment after the start. */
  readonly stillWanted: () => boolean;
}

const key = "plainview.declinedInstallation";

const question =
  "Plainview needs its language server. Install it into a private environment? It is made with your Python and brings a few packages from the package index; nothing else on this machine changes.";

/** Asks whether to install the server. Who said no is asked again by the next version, not by every window. */
export class Offer {
  constructor(
    private readonly parts: OfferParts,
    private readonly delay = 1_500,
  ) {}

  make(): void {
    setTimeout(() => this.ask(), this.delay);
  }

  async forgetAnswer(): Promise<void> {
    await this.parts.memory.update(key, undefined);
  }

  private ask(): void {
    const { messages, memory, version, install, choosePath, stillWanted } = this.parts;
    if (stillWanted() && memory.get(key) !== version) {
      messages.show("information", question, {
        Install: install,
        "Choose a Path": choosePath,
        "Not Now": () => memory.update(key, version),
      });
    }
  }
}
