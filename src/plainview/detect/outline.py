"""Which headings a place in a document stands under."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from plainview.finding import Span
from plainview.markup import Markup


class Heading(NamedTuple):
    """A top-level heading: its level from 1, its place, and the offset at which its line begins."""

    level: int
    heading: Span
    start: int


class Outline:
    """The top-level headings of a page; text in HTML or quotations is none of them."""

    def __init__(self, markup: Markup) -> None:
        self._heads = markup.heads()
        self._starts = [start + head[0] for start, head in self._heads]
        self._above: list[int] | None = None

    def __len__(self) -> int:
        return len(self._heads)

    def number(self, offset: int) -> int:
        """The number of the last heading that begins at `offset` or before, from 0; -1 where there is none."""
        return bisect_right(self._starts, offset) - 1

    def start(self, number: int) -> int:
        """The offset at which the line of a heading begins; 0 for none."""
        return self._starts[number] if number >= 0 else 0

    def heading(self, number: int) -> Heading:
        """The heading of that number. Raises IndexError where there is none."""
        start, (line, level, place, _) = self._heads[number]
        return Heading(level, Span(start + place.start, start + place.end), start + line)

    def over(self, number: int) -> list[Heading]:
        """The heading of that number and those that it stands under, the innermost first; nothing for -1."""
        if self._above is None:
            self._above = self._enclosing()
        found: list[Heading] = []
        while number >= 0:
            found.append(self.heading(number))
            number = self._above[number]
        return found

    def _enclosing(self) -> list[int]:
        """For each heading the number of the one that it stands under, -1 where there is none."""
        above: list[int] = []
        open_at: list[int] = []
        heads = self._heads
        for number, (_, (_, level, _, _)) in enumerate(heads):
            while open_at and heads[open_at[-1]][1][1] >= level:
                open_at.pop()
            above.append(open_at[-1] if open_at else -1)
            open_at.append(number)
        return above
