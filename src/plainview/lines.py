"""Which lines an edit touches."""

from __future__ import annotations

from typing import NamedTuple

from plainview.text import common_head, common_tail


class Edited(NamedTuple):
    """The lines that an edit touched: where they begin, and where they end in the old text and in the new one."""

    start: int
    old_end: int
    end: int


def edited_lines(old: str, new: str) -> Edited:
    """The lines, parted by `\\n`, in which two texts differ, as code points; what is before and behind is the same.

    They begin behind a line end or with the text, and end at a line end or with the text.
    """
    head = common_head(old, new)
    tail = common_tail(old, new, min(len(old), len(new)) - head)
    start = new.rfind("\n", 0, head) + 1
    end = new.find("\n", len(new) - tail)
    if end < 0:
        return Edited(start, len(old), len(new))
    return Edited(start, end + len(old) - len(new), end)
