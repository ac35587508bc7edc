"""A file with all that is hidden in it made visible and marked, as `plainview reveal` prints it.

Marks are U+27E6 and U+27E7 around what hides the text and what it says; all else stays as it is, but for what
a terminal would obey.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from plainview import wording
from plainview.finding import Hidden
from plainview.output.page import Line, Piece
from plainview.scan import Report

_LINE_END = re.compile(r"\r\n?|\n")
# What a terminal obeys, or shows in another order than it stands in: C0 and C1 controls, bidi controls.
_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def render(report: Report) -> Iterator[Line]:
    """The lines of the file, hidden text marked; of spans within each other the outer one."""
    yield from _lines(_pieces(report))


def _pieces(report: Report) -> Iterator[Piece]:
    text = report.source.text
    position = 0
    for hidden in report.hidden:
        if hidden.span.start < position:
            continue
        yield "", _shown(text[position : hidden.span.start])
        yield "mark", f"\u27e6{hidden.form}: {_said(hidden)}\u27e7"
        position = hidden.span.end
    yield "", _shown(text[position:])


def _said(hidden: Hidden) -> str:
    """What it says, with its lines, in characters that show."""
    return "\n".join(wording.visible(line) for line in _LINE_END.split(hidden.decoded.strip()))


def _shown(text: str) -> str:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return _OBEYED.sub(lambda found: f"\\u{{{ord(found.group()):04x}}}", plain)


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
