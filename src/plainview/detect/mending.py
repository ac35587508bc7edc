"""Passages mended: the items of a list joined, stray marks within a sentence taken out, and matched again.

A hit counts only where a cut runs through it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plainview import together
from plainview.finding import Span
from plainview.fold import Folded, fold
from plainview.match import Matcher, Scan
from plainview.rules import Rule

# Items of a list with no more than a few words each, two of them or more.
_MARKER = r"[ \t]{0,8}(?:[-+*]|[0-9]{1,3}[.)])[ \t]+"
_ITEM = _MARKER + r"[^\s]{1,30}(?:[ \t][^\s]{1,30}){0,3}[ \t]*"
_LIST = re.compile(rf"^{_ITEM}(?:(?:\r\n|\n|\r){_ITEM}){{1,30}}$", re.MULTILINE)
_BREAK = re.compile(rf"[ \t]*(?:\r\n|\n|\r){_MARKER}")
# A mark that ends a sentence, and yet the next word goes on in lower case.
_STRAY = re.compile(r"[?!;](?<=[a-z].)(?= [a-z])")
_LINE_END = re.compile(r"[\r\n]")
_APART = "\n\n"
# One of the two, or more than that, for RE2.
_CUT = (
    "[a-z][?!;] [a-z]",
    rf"(?:^|[\r\n]){_ITEM}(?:\r\n|\n|\r){_ITEM}(?:[\r\n]|$)",
)


class _Piece(NamedTuple):
    """A piece of the source, and what stands between it and the next one in the mended text."""

    span: Span
    glue: str


class Mended(NamedTuple):
    """A text's pieces, put together: where each begins in `folded`'s source, and what occurs there."""

    pieces: tuple[_Piece, ...]
    starts: list[int]
    folded: Folded
    scan: Scan

    def found(self) -> Iterator[tuple[Rule, Span]]:
        """The rules that hold, each with the place that its pieces take up in the text."""
        pieces, starts = self.pieces, self.starts
        for hit in self.scan.hits():
            place = self.folded.span(*hit.span)
            first, last = (bisect_right(starts, offset) - 1 for offset in (place.start, place.end - 1))
            if first == last or hit.lessened:
                continue
            if any(piece.glue == _APART for piece in pieces[first:last]):
                continue
            start = pieces[first].span.start + place.start - starts[first]
            end = pieces[last].span.start + place.end - starts[last]
            yield hit.rule, Span(start, min(end, pieces[last].span.end))


def may_be_cut_up(texts: Sequence[bytes]) -> list[bool]:
    """For each text (UTF-8), whether there may be something to mend in it."""
    return together.touched(together.either(_CUT), texts)


def mended(text: str, matcher: Matcher) -> Mended | None:
    """The text mended; None where there is nothing to mend."""
    pieces = (*_lists(text), *_lines(text))
    if not pieces:
        return None
    starts: list[int] = []
    joined: list[str] = []
    length = 0
    for span, glue in pieces:
        starts.append(length)
        joined.append(text[span.start : span.end] + glue)
        length += len(joined[-1])
    folded = fold("".join(joined), Span(0, length))
    return Mended(pieces, starts, folded, matcher.scan(folded))


def _lists(text: str) -> Iterator[_Piece]:
    """The items of lists of a few words each, joined by blanks."""
    for found in _LIST.finditer(text):
        start = found.start()
        for cut in _BREAK.finditer(text, found.start(), found.end()):
            yield _Piece(Span(start, cut.start()), " ")
            start = cut.end()
        yield _Piece(Span(start, found.end()), _APART)


def _lines(text: str) -> Iterator[_Piece]:
    """Lines with stray marks, without them."""
    start = end = 0
    for cut in _STRAY.finditer(text):
        if cut.start() >= end:
            if end:
                yield _Piece(Span(start, end), _APART)
            # From the last line on only, lest many marks in a long text look it through again and again.
            start = max(text.rfind("\n", end, cut.start()), text.rfind("\r", end, cut.start()), end - 1) + 1
            following = _LINE_END.search(text, cut.end())
            end = following.start() if following else len(text)
        yield _Piece(Span(start, cut.start()), "")
        start = cut.end()
    if end:
        yield _Piece(Span(start, end), _APART)
