"""A file with all that is hidden in it made visible and marked, as `plainview reveal` prints it.

Marks are U+27E6 and U+27E7 around what hides the text and what it says; all else stays as it is, but for secrets,
which are masked, and for what a terminal or a build server would obey.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from plainview import masking, wording
from plainview.finding import Hidden, Span
from plainview.output.page import Line, Piece
from plainview.scan import Report

_LINE_END = re.compile(r"\r\n?|\n")
# What a terminal obeys, or shows in another order than it stands in: C0 and C1 controls, bidi controls; and what
# begins a build server's command ("::error::" at the head of a line, "##vso[" anywhere in one).
_OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
    r"|#(?=#\w*\[)|^[ \t]*:(?=:)",
    re.MULTILINE,
)


def render(report: Report) -> Iterator[Line]:
    """The lines of the file, hidden text marked; of marks within each other the outer one."""
    yield from _lines(_pieces(report))


def _pieces(report: Report) -> Iterator[Piece]:
    text = report.source.text
    position = 0
    for span, said in sorted(_marks(report), key=lambda one: (one[0].start, -one[0].end)):
        if span.start < position:
            continue
        yield "", _shown(_scanned(report, position, span.start))
        yield "mark", f"\u27e6{said()}\u27e7"
        position = span.end
    yield "", _shown(_scanned(report, position, len(text)))


def _marks(report: Report) -> Iterator[tuple[Span, Callable[[], str]]]:
    """What a mark takes the place of, and what stands in it; what is strewn among visible words has several."""
    for hidden in report.hidden:
        first, *others = hidden.parts or (hidden.span,)
        yield first, partial(_first_mark, hidden, report)
        for part in others:
            yield part, partial(_further_mark, part, report)


def _first_mark(hidden: Hidden, report: Report) -> str:
    return f"{hidden.form}: {_said(hidden, report)}"


def _further_mark(part: Span, report: Report) -> str:
    return wording.visible(_scanned(report, part.start, part.end))


def _scanned(report: Report, start: int, end: int) -> str:
    return masking.cut(report.source.text, report.secrets, start, end, goes_on=start > 0)


def _said(hidden: Hidden, report: Report) -> str:
    """What it says, with its lines, in characters that show."""
    said = wording.decoded(hidden, report).strip()
    return _shown("\n".join(wording.visible(line) for line in _LINE_END.split(said)))


def _shown(text: str) -> str:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return _OBEYED.sub(lambda found: f"{found.group()[:-1]}\\u{{{ord(found.group()[-1]):04x}}}", plain)


def _lines(pieces: Iterator[Piece]) -> Iterator[Line]:
    line: Line = []
    for role, text in pieces:
        first, *rest = text.split("\n")
        line.append((role, first))
        for part in rest:
            yield line
            line = [(role, part)]
    if any(text for _, text in line):
        yield line
