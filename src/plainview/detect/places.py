"""Places in a folded text: which lie in a range, and which are read by whoever reads a phrase."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from plainview.detect.document import Document, Unit
from plainview.finding import Span
from plainview.hidden import HiddenSpan
from plainview.match import Place


def between(places: Sequence[Place], start: int, end: int) -> Sequence[Place]:
    """The places that begin at `start` or later and end at `end` or before."""
    first = bisect_left(places, (start, 0))
    last = bisect_left(places, (end, 0), first)
    if last > first and places[last - 1][1] > end:
        last -= 1
    return places[first:last]


def is_read(document: Document, unit: Unit, place: Place, hidden: HiddenSpan | None) -> bool:
    """Whether whoever reads the phrase, which stands in `hidden` or nowhere hidden, reads these words too."""
    offset = unit.folded.span(*place).start
    if hidden is not None:
        return hidden.span.start <= offset < hidden.span.end
    return not document.unseen.at(offset) and document.hidden_at(Span(offset, offset)) is None
