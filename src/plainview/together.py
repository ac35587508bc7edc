"""Many short texts looked at as one: RE2 takes longer to be called than to read a few hundred bytes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from typing import Any

from plainview import linear

GAP = b"\n\0\n"
"""What stands between the texts: line ends, and what no text that anybody types holds."""


def starts(texts: Sequence[bytes]) -> list[int]:
    """Where each text begins when they are joined by gaps, and where one more would."""
    return list(accumulate((len(text) + len(GAP) for text in texts), initial=0))


@cache
def either(patterns: tuple[str, ...], memory: int = 8 << 20) -> Any:
    """One pattern (RE2's syntax) that matches what any of `patterns` does, with so many bytes for its states."""
    return linear.pattern("|".join(f"(?:{one})" for one in patterns), memory=memory)


def touched(pattern: Any, texts: Sequence[bytes]) -> list[bool]:
    """For each text (UTF-8), whether it may match: false only where `pattern`, compiled by RE2, matches nothing in it.

    Where the pattern asks for the beginning or end of a text, it must take a line end in its place.
    """
    if len(texts) == 1:
        return [pattern.search(texts[0]) is not None]
    found = [False] * len(texts)
    begins = starts(texts)
    whole = GAP.join(texts)
    position = 0
    while (match := pattern.search(whole, position)) is not None:
        start, end = match.span()
        first = bisect_right(begins, start) - 1
        # What ends at the beginning of a text may have been cut short there.
        last = min(bisect_right(begins, end) - 1, len(texts) - 1)
        for number in range(first, last + 1):
            found[number] = True
        # Once is enough; the gap before the next text may stand for its beginning.
        position = max(end, begins[last + 1] - len(GAP))
        if position >= len(whole):
            break
    return found
