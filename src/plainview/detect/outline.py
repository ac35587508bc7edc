"""Which headings a place in a document stands under."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from plainview.finding import Span
from plainview.markup import Markup
from plainview.memory import Memory


class Heading(NamedTuple):
    """A top-level heading: its level from 1, its place, and the offset at which its line begins."""

    level: int
    heading: Span
    start: int


class Outline:
    """The top-level headings of a page; text in HTML or quotations is none of them."""

    def __init__(self, markup: Markup, memory: Memory) -> None:
        self._heads = markup.heads()
        self._memory = memory
        self._starts = [start + head[0] for start, head in self._heads]
        self._above: list[int] | None = None

    def __len__(self) -> int:
        return len(self._heads)

    def number(self, offset: int) -> int:
        """The number of the last heading that begins at `offset` or before, from 0; -1 where there is none."""
        return bisect_right(self._starts, offset) - 1

    def passage(self, number: int) -> int:
        """The offset at which the passage of a heading begins. Raises IndexError where there is none of that number."""
        return self._heads[number][0]

    def heading(self, number: int) -> Heading:
        """The heading of that number. Raises IndexError where there is none."""
        start, (line, level, place, _) = self._heads[number]
        return Heading(level, Span(start + place.start, start + place.end), start + line)

    def over(self, number: int) -> list[Heading]:
        """The heading of that number and those that it stands under, the innermost first; nothing for -1."""
        if self._above is None:
            # Which heading stands under which hardly ever changes.
            self._above = self._memory.recall(_enclosing, tuple([head[1] for _, head in self._heads]))
        found: list[Heading] = []
        while number >= 0:
            found.append(self.heading(number))
            number = self._above[number]
        return found


def _enclosing(levels: tuple[int, ...]) -> list[int]:
    """For each heading of those levels the number of the one that it stands under, -1 where there is none."""
    above: list[int] = []
    open_at: list[int] = []
    for number, level in enumerate(levels):
        while open_at and levels[open_at[-1]] >= level:
            open_at.pop()
        above.append(open_at[-1] if open_at else -1)
        open_at.append(number)
    return above
