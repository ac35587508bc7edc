"""The one place where the engine's values become the protocol's, and positions offsets."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from lsprotocol import types

from plainview import wording
from plainview.finding import Edit, Finding, Severity, Span
from plainview.rules import rules_dir
from plainview.scan import Report
from plainview.server.document import Document
from plainview.server.folders import Trouble
from plainview.text import Change, Encoding, Position, Source

SOURCE = "plainview"

_SEVERITIES = {
    Severity.CRITICAL: types.DiagnosticSeverity.Error,
    Severity.HIGH: types.DiagnosticSeverity.Error,
    Severity.MEDIUM: types.DiagnosticSeverity.Warning,
    Severity.LOW: types.DiagnosticSeverity.Information,
    Severity.INFO: types.DiagnosticSeverity.Hint,
}


def change(event: types.TextDocumentContentChangeEvent) -> Change:
    """An edit of the client, its columns in the units that were agreed on."""
    if isinstance(event, types.TextDocumentContentChangeWholeDocument):
        return Change(None, None, event.text)
    return Change(_place(event.range.start), _place(event.range.end), event.text)


def offset(source: Source, position: types.Position, encoding: Encoding) -> int | None:
    """The offset of a position, clamped to its line; None where there is no such line."""
    if position.line >= source.line_count:
        return None
    return source.offset(_place(position), encoding)


def span(source: Source, given: types.Range, encoding: Encoding) -> Span:
    """The offsets of a range, clamped to the text."""
    return Span(source.offset(_place(given.start), encoding), source.offset(_place(given.end), encoding))


def range_of(source: Source, span: Span, encoding: Encoding) -> types.Range:
    """The range of a span of the text."""
    start, end = (source.position(offset, encoding) for offset in span)
    return types.Range(types.Position(start.line, start.column), types.Position(end.line, end.column))


def opening_line(source: Source, span: Span) -> Span:
    """The part of a span on its first line: many lines of squiggle would drown the text."""
    return Span(span.start, min(span.end, max(source.line_end(source.line_of(span.start)), span.start)))


def diagnostic(
    finding: Finding,
    report: Report,
    document: Document,
    encoding: Encoding,
    *,
    page: str | None = None,
    quoted: bool = True,
) -> types.Diagnostic:
    """The finding as a diagnostic. Its data hold the severity's own name and the range of all that it is about.

    Its code links to `page`, the address of the rule's page; without one to the rule's file. One that is accepted is a
    hint, with its reason if that may be `quoted`.
    """
    source = report.source
    return types.Diagnostic(
        range=range_of(source, opening_line(source, finding.span), encoding),
        severity=_severity(finding),
        code=finding.rule,
        code_description=_page(finding, page),
        source=SOURCE,
        message=_message(finding, report, quoted=quoted),
        related_information=[
            types.DiagnosticRelatedInformation(
                types.Location(document.uri, range_of(source, opening_line(source, related.span), encoding)),
                related.message,
            )
            for related in finding.related
        ]
        or None,
        data={
            "severity": finding.severity.word,
            "range": _plain_range(range_of(source, finding.span, encoding)),
        },
    )


def trouble(trouble: Trouble, encoding: Encoding, *, quoted: bool) -> types.Diagnostic:
    """What is wrong with a configuration or a rule; where it may not be `quoted`, only that something is."""
    severity = types.DiagnosticSeverity.Error if trouble.is_error else types.DiagnosticSeverity.Warning
    message = f"{trouble.message[:1].upper()}{trouble.message[1:]}" if quoted else _UNQUOTED[trouble.is_error]
    place = range_of(trouble.source, opening_line(trouble.source, trouble.span), encoding)
    return types.Diagnostic(place, message, severity, code="configuration", source=SOURCE)


def text_edit(source: Source, edit: Edit, encoding: Encoding) -> types.TextEdit:
    """An edit of the engine."""
    return types.TextEdit(range_of(source, edit.span, encoding), edit.text)


def _place(position: types.Position) -> Position:
    return Position(position.line, position.character)


_UNQUOTED = {True: "This cannot be used as it is; all else is.", False: "This has no effect, or another than it says."}


def _message(finding: Finding, report: Report, *, quoted: bool) -> str:
    said = wording.sentences(finding, report)
    if finding.accepted is None:
        return said
    return f"Accepted ({wording.quote(finding.accepted)}): {said}" if quoted else f"Accepted: {said}"


def _severity(finding: Finding) -> types.DiagnosticSeverity:
    if finding.accepted is not None:
        return types.DiagnosticSeverity.Hint
    hidden = finding.hidden
    is_note = hidden is not None and finding.itself and not hidden.covert
    if is_note and hidden is not None and not hidden.orders:
        # Notes among people are most of what is hidden: an author is warned of them, not stopped.
        return _SEVERITIES[min(finding.severity, Severity.MEDIUM)]
    return _SEVERITIES[finding.severity]


def _page(finding: Finding, page: str | None) -> types.CodeDescription | None:
    address = page or _rule_address(finding.category, finding.rule)
    return types.CodeDescription(address) if address is not None else None


@lru_cache(maxsize=512)
def _rule_address(category: str, rule: str) -> str | None:
    """Where the rule stands, with its reasons and examples: it is installed with the program."""
    file: Path = rules_dir() / category / f"{rule}.toml"
    return file.resolve().as_uri() if file.is_file() else None


def _plain_range(given: types.Range) -> dict[str, dict[str, int]]:
    return {
        "start": {"line": given.start.line, "character": given.start.character},
        "end": {"line": given.end.line, "character": given.end.character},
    }
