// Stands in for the `vscode` module: only what src/ uses, with what it was told to show on record.
import { vi } from "vitest";

export const shown: { text: string; actions: string[]; answer: (choice?: string) => void }[] = [];

const display = (text: string, ...actions: string[]): Promise<string | undefined> =>
  new Promise((answer) => shown.push({ text, actions, answer: (choice) => answer(choice) }));

export const statusItem = {
  text: "",
  tooltip: undefined as unknown,
  show: vi.fn(),
  hide: vi.fn(),
  dispose: vi.fn(),
};

export interface InputBox {
  readonly validateInput: (value: string) => string | undefined;
}

type Editor = { document: { uri: Uri } } | undefined;

export const window = {
  activeTextEditor: undefined as Editor,
  showErrorMessage: display,
  showInputBox: vi.fn<(options: InputBox) => Promise<string | undefined>>(),
  showInformationMessage: display,
  createStatusBarItem: () => statusItem,
  onDidChangeActiveTextEditor: (listener: () => void) => {
    listeners.push(listener);
    return new Disposable();
  },
};

const listeners: (() => void)[] = [];

export function bringToFront(uri: Uri | undefined): void {
  window.activeTextEditor = uri && { document: { uri } };
  listeners.forEach((listener) => listener());
}

export const values: Record<string, unknown> = {};

export const workspace = {
  getConfiguration: (section: string) => ({
    get: (key: string, fallback: unknown) => values[`${section}.${key}`] ?? fallback,
  }),
  onDidCloseTextDocument: () => new Disposable(),
  textDocuments: [] as { uri: Uri; isDirty: boolean }[],
  applyEdit: vi.fn<(edit: unknown) => Promise<boolean>>(),
  openTextDocument: (uri: Uri) =>
    Promise.resolve({ save: () => Promise.resolve(saved.push(String(uri)) > 0) }),
};

/** Files that were saved, in order. */
export const saved: string[] = [];

export class Disposable {
  static from(...parts: { dispose(): void }[]): { dispose(): void } {
    return { dispose: () => parts.forEach((part) => part.dispose()) };
  }

  dispose(): void {}
}

export class EventEmitter {
  readonly event = (): Disposable => new Disposable();
  readonly fire = vi.fn();

  dispose(): void {}
}

export class MarkdownString {
  isTrusted = false;

  constructor(readonly value: string) {}
}

export class Uri {
  private constructor(private readonly text: string) {}

  static parse(text: string): Uri {
    return new Uri(text);
  }

  toString(): string {
    return this.text;
  }
}

export const StatusBarAlignment = { Left: 1, Right: 2 };
