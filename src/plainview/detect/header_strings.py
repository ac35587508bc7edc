"""Strings in headers: the marks around a value delimit it, and those within it quote."""

from __future__ import annotations

import re

from plainview.finding import Span
from plainview.match import Place

# In a header the marks around a value say that it is a string, and what is looked for is quoted by its key.
_YAML_VALUE = re.compile(
    r"[ \t]*(?:[-?] +)*(?:(?P<key>\w[\w .-]{0,47}?) ?: ?|(?<=- )|: ?)(?:[!&][\w!]{0,24} )?(?P<mark>\"?)"
)
_QUOTING_KEY = re.compile(
    r"(?:[\w .-]*[ ._-])?(?:patterns?|regex(?:es|p)?|triggers?|keywords?|phrases?|examples?|samples?|signatures?"
    r"|indicators?|match(?:es)?|text)",
    re.IGNORECASE,
)
# In a longer string no quotation is looked for.
_LONGEST = 1000


def opening(text: str, line: int) -> int | None:
    """Where the mark stands that opens a string in double marks, the value of a key in the line of a header.

    None where there is none, or where the key says that what it holds is looked for.
    """
    found = _YAML_VALUE.match(text, line)
    if found is None or not found["mark"] or _QUOTING_KEY.fullmatch(found["key"] or ""):
        return None
    return found.start("mark")


def quotation(text: str, string: Span, phrase: Span, mark: str) -> Place | None:
    """The marks around a phrase in a string, where it stands between one that opens and one that closes.

    `mark` is what the string has for one: a single mark or an escaped one. A blank stands before an opening mark and
    none behind it, and the other way round.
    """
    if string.end - string.start > _LONGEST:
        return None
    first = text.rfind(mark, string.start, phrase.start)
    # A pattern may end in what stands behind its last word, be that the closing mark.
    last = text.find(mark, phrase.end - 1, string.end)
    if first < 0 or last < 0:
        return None
    behind = first + len(mark)
    opens = not text[first - 1].isalnum() and not text[behind].isspace()
    closes = not text[last - 1].isspace() and not text[last + len(mark) : last + len(mark) + 1].isalnum()
    return (behind - 1, last + len(mark) - 1) if opens and closes else None
