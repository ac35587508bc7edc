"""What stays within a line: which lines an edit touches, and which patterns match nothing beyond one."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from plainview.literals import tokens
from plainview.text import common_head, common_tail

# Without one of these a pattern has no token that stands for a line end.
_SIGN = re.compile(r"\\[nsWDCpPx]|\[\^|\[:|\(\?[a-z]|\n")
# Tokens of a pattern that stand for one character, or for an edge.
_ONE = frozenset({"code", "hex", "property", "escape", "class"})


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


def may_hold_line_end(pattern: str) -> bool:
    """Whether what `pattern` (RE2's syntax) matches may hold a `\\n`: true where that is not known."""
    return _SIGN.search(pattern) is not None and any(
        _is_line_end(written) if kind in _ONE else kind == "flags" or "\n" in written
        for kind, written in tokens(pattern)
    )


@cache
def _is_line_end(character: str) -> bool:
    """Whether an escape or a class of characters, as it is written, may stand for a line end."""
    import re2

    return re2.fullmatch(character, "\n") is not None
