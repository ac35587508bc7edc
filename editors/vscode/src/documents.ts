import type { DocumentSelector } from "vscode-languageclient";

// VS Code gives agent files languages of their own, and plain ones `markdown`. Which of them an agent loads is
// the server's decision; it answers nothing for the others.
const languages = ["markdown", "prompt", "instructions", "chatagent", "skill"];

// Files that VS Code takes for plain text or TOML.
const patterns = [
  "**/*.mdc",
  "**/{.clinerules,.cursorrules,.windsurfrules,.rules,.augment-guidelines}",
  "**/{.roorules,.roorules-*}",
  "**/{.clinerules,.roo/rules,.roo/rules-*}/**/*.txt",
  // Two hosts' prompts, the configuration and a user's rules; the server says nothing of any other.
  "**/*.toml",
];

// A remote window hands its files to this side as `file` too. Other schemes (`git`, diff views, virtual
// folders) would get a second set of diagnostics for a text that cannot be edited.
export const documentSelector: DocumentSelector = [
  ...languages.flatMap((language) => [
    { scheme: "file", language },
    { scheme: "untitled", language },
  ]),
  ...patterns.map((pattern) => ({ scheme: "file", pattern })),
];
