"""Findings, and what is wrong with a configuration, as the protocol's diagnostics.

Without lsprotocol, whose classes take longer to load and to write out than a file takes to scan: a worker makes these
too, and what is sent is kept as bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from plainview import wording
from plainview.finding import Finding, Severity, Span
from plainview.rules import rules_dir
from plainview.server.answer import Answer, encoded
from plainview.server.folders import Trouble
from plainview.text import Encoding, Source

if TYPE_CHECKING:
    from plainview.scan import Report

SOURCE = "plainview"

# The protocol's numbers: error, warning, information, hint.
_ERROR, _WARNING, _INFORMATION, _HINT = 1, 2, 3, 4
_SEVERITIES = {
    Severity.CRITICAL: _ERROR,
    Severity.HIGH: _ERROR,
    Severity.MEDIUM: _WARNING,
    Severity.LOW: _INFORMATION,
    Severity.INFO: _HINT,
}


class Place(msgspec.Struct, frozen=True, gc=False):
    """A position: line and column in the units that were agreed on, both from 0."""

    line: int
    character: int


class Range(msgspec.Struct, frozen=True, gc=False):
    """Two positions."""

    start: Place
    end: Place


class Location(msgspec.Struct, frozen=True, gc=False):
    """A range of a document."""

    uri: str
    range: Range


class Related(msgspec.Struct, frozen=True, gc=False):
    """Another place that a diagnostic is about, and what is there."""

    location: Location
    message: str


class Link(msgspec.Struct, frozen=True, gc=False):
    """Where a code is explained."""

    href: str


class Data(msgspec.Struct, frozen=True, gc=False):
    """What only our own clients read: the severity's own name and the range of all that the finding is about."""

    severity: str
    range: Range


class Diagnostic(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, rename="camel"):
    """The protocol's diagnostic, its fields those of the specification."""

    range: Range
    severity: int
    code: str
    source: str
    message: str
    code_description: Link | None = None
    related_information: tuple[Related, ...] | None = None
    data: Data | None = None


def answer(
    report: Report, uri: str, encoding: Encoding, *, page: Callable[[Finding], str | None], quoted: bool
) -> Answer:
    """All that is found in a document. `page` gives the address of a finding's rule's page."""
    return Answer.of(
        encoded([diagnostic(one, report, uri, encoding, page=page(one), quoted=quoted) for one in report.findings])
    )


def diagnostic(
    finding: Finding, report: Report, uri: str, encoding: Encoding, *, page: str | None = None, quoted: bool = True
) -> Diagnostic:
    """The finding as a diagnostic.

    Its code links to `page`, the address of the rule's page; without one to the rule's file. One that is accepted is a
    hint, with its reason if that may be `quoted`.
    """
    source = report.source
    address = page or _rule_address(finding.category, finding.rule)
    return Diagnostic(
        range=range_of(source, opening_line(source, finding.span), encoding),
        severity=_severity(finding),
        code=finding.rule,
        code_description=Link(address) if address is not None else None,
        source=SOURCE,
        message=_message(finding, report, quoted=quoted),
        related_information=tuple(
            Related(Location(uri, range_of(source, opening_line(source, one.span), encoding)), one.message)
            for one in finding.related
        )
        or None,
        data=Data(finding.severity.word, range_of(source, finding.span, encoding)),
    )


def trouble(trouble: Trouble, encoding: Encoding, *, quoted: bool) -> Diagnostic:
    """What is wrong with a configuration or a rule; where it may not be `quoted`, only that something is."""
    return Diagnostic(
        range=range_of(trouble.source, opening_line(trouble.source, trouble.span), encoding),
        severity=_ERROR if trouble.is_error else _WARNING,
        code="configuration",
        source=SOURCE,
        message=f"{trouble.message[:1].upper()}{trouble.message[1:]}" if quoted else _UNQUOTED[trouble.is_error],
    )


def opening_line(source: Source, span: Span) -> Span:
    """The part of a span on its first line: many lines of squiggle would drown the text."""
    return Span(span.start, min(span.end, max(source.line_end(source.line_of(span.start)), span.start)))


def range_of(source: Source, span: Span, encoding: Encoding) -> Range:
    """The range of a span of the text."""
    start, end = (source.position(offset, encoding) for offset in span)
    return Range(Place(start.line, start.column), Place(end.line, end.column))


_UNQUOTED = {True: "This cannot be used as it is; all else is.", False: "This has no effect, or another than it says."}


def _message(finding: Finding, report: Report, *, quoted: bool) -> str:
    said = wording.sentences(finding, report)
    if finding.accepted is None:
        return said
    return f"Accepted ({wording.quote(finding.accepted)}): {said}" if quoted else f"Accepted: {said}"


def _severity(finding: Finding) -> int:
    if finding.accepted is not None:
        return _HINT
    hidden = finding.hidden
    is_note = hidden is not None and finding.itself and not hidden.covert
    if is_note and hidden is not None and not hidden.orders:
        # Notes among people are most of what is hidden: an author is warned of them, not stopped.
        return _SEVERITIES[min(finding.severity, Severity.MEDIUM)]
    return _SEVERITIES[finding.severity]


@lru_cache(maxsize=512)
def _rule_address(category: str, rule: str) -> str | None:
    """Where the rule stands, with its reasons and examples: it is installed with the program."""
    file: Path = rules_dir() / category / f"{rule}.toml"
    return file.resolve().as_uri() if file.is_file() else None
