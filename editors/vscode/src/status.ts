/** What the server's `plainview/status` notification says of one document. */
export interface Status {
  readonly uri: string;
  readonly version: number | null;
  readonly kind: string;
  readonly grade: string;
  /** Where the grade comes from, such as `100 − 25 (1 high)`. */
  readonly arithmetic: string;
  /** `null` until the server has its vocabulary. */
  readonly tokens: { readonly session: number; readonly invoked: number } | null;
  readonly findings: Readonly<Record<"critical" | "high" | "medium" | "low" | "info", number>>;
  readonly hidden: number;
}

/** A document that no agent loads. */
export interface NoStatus {
  readonly uri: string;
  readonly kind: null;
}

export const statusMethod = "plainview/status";

export function statusText(status: Status): string {
  const { grade, tokens } = status;
  const count = tokens === null ? "…" : `${figure(tokens.session)} + ${figure(tokens.invoked)}`;
  return `Plainview ${grade} · ${count} tok`;
}

export function statusLabel(status: Status): string {
  const { grade, tokens } = status;
  const count =
    tokens === null
      ? "tokens are being counted"
      : `${figure(tokens.session)} tokens every session, ${figure(tokens.invoked)} once invoked`;
  return `Plainview: grade ${grade}, ${count}`;
}

export function statusTooltip(status: Status): string {
  const { kind, grade, arithmetic, tokens, hidden } = status;
  const rows = [`**${plain(kind)}** · grade **${plain(grade)}**: ${plain(arithmetic)}`];
  if (tokens === null) {
    rows.push("Tokens are being counted …");
  } else {
    rows.push(
      ["| | tokens |", "|:--|--:|", `| every session | ${figure(tokens.session)} |`]
        .concat(`| once invoked | ${figure(tokens.invoked)} |`)
        .join("\n"),
    );
  }
  rows.push(hidden === 0 ? "Nothing hidden" : `${figure(hidden)} hidden ${hidden === 1 ? "span" : "spans"}`);
  return rows.join("\n\n");
}

export function figure(value: number): string {
  return value.toLocaleString("en-US");
}

// The words come from the server, which takes them from its own rules; they still must not become markup here.
function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]()<>#+!|~$]/g, "\\$&").replace(/\s+/g, " ");
}
