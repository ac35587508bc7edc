"""Other readings of prose that may be spelled so as not to be read: what is split, spaced out or made of signs.

`fold` undoes what can be read in one way only. Here is what cannot: digits and signs for letters, letters set
apart, words run together, text upside down, words all of look-alike letters, links and elements within a
phrase. A paragraph that shows signs of one of them gets a reading of its own, in which all of them are undone;
the base view of it is matched all the same. A word is respelled only where that comes to a known one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any

from plainview import late, lookalikes, together
from plainview.finding import Span
from plainview.fold import ALIKE, COMBINING, Folded, Mode, fold
from plainview.unicode_sets import VARIATION_SELECTOR

# How much of a reading a finding carries, in code points.
MOST = 200

SIGNS = "@$!|+\u20ac\u00a3\u00a1"
# What is upside down, where that is no letter of ASCII.
UPRIGHT = "".join(one for several in lookalikes.TURNED.values() for one in several if one > "\x7f")
_INVISIBLE = "\u00ad\u034f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff"
BLANK_LINE = re.compile(r"(?:\r\n|\r|\n)[ \t>]*(?:\r\n|\r|\n)\s*")
LETTER_LINE = re.compile(
    rf"(?:\A|[\r\n])[ \t>]{{0,8}}[^\s>][{COMBINING}\u200b-\u200d\u2060\ufeff\u00ad]{{0,8}}[ \t]{{0,8}}(?=[\r\n]|\Z)"
)
"""A line that holds one letter or sign."""
# The same or more, for RE2.
_LETTER_LINES = (
    rf"(?:^|[\r\n])[ \t>]*[^\s>][{COMBINING}\x{{200b}}-\x{{200d}}\x{{2060}}\x{{feff}}\x{{ad}}]*[ \t]*(?:[\r\n]|$)",
)
_LATIN = "\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff"
_ALL_ALIKE = "".join(map(chr, ALIKE))
_CAPITAL_I = "".join(chr(code) for code, letter in ALIKE.items() if letter in "il")

# What a paragraph shows when one of the spellings is there, for RE2, which has no look-around. Too much rather than
# too little, and few classes of Unicode, which take long to compile: letters beyond ASCII are what is no punctuation.
_BEYOND = r"\x{c0}-\x{1fff}\x{2100}-\x{218f}\x{2460}-\x{24ff}\x{2c00}-\x{10ffff}"
_SET_APART = rf"[A-Za-z0-9@$'{_BEYOND}][{COMBINING}\x{{200b}}-\x{{200d}}]*"
_APART = r"(?:[ \t\x{a0}]+|[ ]?[-._|/,:~+*\x{b7}\x{2022}\x{2013}][ ]?|[ \t]*[\r\n][ \t\r\n>]*(?:[-*+] )?)"
_UNSEEN_SIGNS = r"\x{ad}\x{200b}-\x{200d}\x{2060}"
_WITH_DIGITS = (
    rf"(?:[A-Za-z{_UNSEEN_SIGNS}]+[0-9$@][A-Za-z0-9$@{_UNSEEN_SIGNS}]*"
    rf"|[0-9$@]+[A-Za-z{_UNSEEN_SIGNS}][A-Za-z0-9$@{_UNSEEN_SIGNS}]*)"
)
_TELLING = (
    r"[^\s<>|][ \t]*<(?:!--|/?[a-zA-Z][a-zA-Z0-9-]*[ \t]+[a-zA-Z-]+ ?=)",
    rf"[A-Za-z0-9{_BEYOND}]</?[a-zA-Z][^<>\n]*>",
    rf"\]\([^)\n]*\)[ \t]*[A-Za-z0-9\[{_BEYOND}]",
    rf"\]\[[^\]\n]*\][ \t]*[A-Za-z\[{_BEYOND}]",
    rf"[A-Za-z{_BEYOND}][ \t]*\[[^\]\n]*\][(\[]",
    rf"\][ \t]+\[[A-Za-z{_BEYOND}]",
    rf"[a-zA-Z][013457{SIGNS}]+[a-zA-Z]",
    rf"(?:^|[^A-Za-z0-9./#:$&_+=-])[01345{SIGNS}]+[a-z][a-z]",
    rf"{_WITH_DIGITS} +{_WITH_DIGITS} +{_WITH_DIGITS}",
    rf"(?:^|[^A-Za-z0-9]){_SET_APART}(?:{_APART}{_SET_APART}){{4}}(?:$|[^A-Za-z0-9])",
    *(rf"(?:^|[^A-Za-z0-9_./\\=`@:#$+~-])[A-Za-z]+(?:{join}[A-Za-z]+){{3}}" for join in ("_", r"\.", "-", "/", r"\+")),
    r"(?:^|[^A-Za-z0-9_./\\=`@:#$-])[A-Za-z][a-z]+(?:[A-Z][a-z]*){3}",
    r"[A-Za-z]{18}|[a-z]{17}",
    rf"(?:^|[^\pL])[{_ALL_ALIKE}][{_ALL_ALIKE}]+(?:$|[^\pL])",
    rf"[a-z][{_CAPITAL_I}]|['\x{{2019}}][{_ALL_ALIKE}]",
    r"[a-z]II?(?:$|[^A-Za-z0-9_])",
    rf"[a-zA-Z][{COMBINING}]",
    rf"[{_LATIN}][a-zA-Z]*[{_LATIN}]",
    rf"[{UPRIGHT}][^\n]*[{UPRIGHT}]",
    r"[a-z]-[ \t]*\r?\n[ \t>]*[a-z]",
)
_MEMORY = 64 << 20


def readings(text: str, span: Span, mode: Mode = Mode.PROSE) -> Iterator[Folded]:
    """Other folded views of the paragraphs of `text` within `span` that show signs of a respelling.

    Each has a map back to `text`. Time is linear in the span's length.
    """
    for piece in _paragraphs(text, span):
        yield from views(text, piece, mode)


def views(text: str, span: Span, mode: Mode = Mode.PROSE) -> Iterator[Folded]:
    """The other folded views of `text` within `span`, which shows signs of a respelling."""
    # Only here, so that nothing of it is loaded for ordinary texts.
    from plainview.unspell import comments, plainly

    view = plainly(text, span)
    yield fold(view.text, Span(0, len(view.text)), mode).on(view)
    # What a comment says is left out above, and may itself be respelled.
    for inner in comments(text, span):
        yield from readings(text, inner, mode)


def tells(text: str) -> bool:
    """Whether a paragraph shows signs of a respelling."""
    return _telling().search(text.encode("utf-8", "replace")) is not None


def may_tell(texts: Sequence[bytes]) -> list[bool]:
    """For each text (UTF-8), whether it may show signs of a respelling."""
    return together.touched(_telling(), texts)


def may_be_lettered(texts: Sequence[bytes]) -> list[bool]:
    """For each text (UTF-8), whether there may be a line of one letter in it."""
    return together.touched(together.either(_LETTER_LINES), texts)


def columns(text: str, span: Span) -> Iterator[Span]:
    """Where letters stand one to a line within `span`, blank lines between them or none."""
    from plainview.unspell import COLUMN

    for column in COLUMN.finditer(text, *span):
        yield Span(*column.span())


def respelled(written: str, reading: str, *, other: bool = False) -> str | None:
    """How a phrase reads, where its spelling hides that; None for ordinary writing.

    `written` is the source, `reading` its folded text. Case, blanks, emphasis and punctuation make no difference;
    `other` tells a phrase that the base view does not hold.
    """
    composed = unicodedata.normalize("NFC", written)
    if not other and _letters(composed) == _letters(reading) and _UNSEEN.search(composed) is None:
        return None
    return " ".join(reading.split())[:MOST]


# What is not seen at the letters of a word, or drawn over them.
_UNSEEN = late.pattern(
    f"[A-Za-z0-9](?:[{_INVISIBLE}]|[{VARIATION_SELECTOR}][A-Za-z0-9])|[{_INVISIBLE}][A-Za-z0-9]|[A-Za-z][{COMBINING}]"
)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFC", text.casefold())))


def _telling() -> Any:
    return together.either(_TELLING, _MEMORY)


def _paragraphs(text: str, span: Span) -> Iterator[Span]:
    """The runs of paragraphs within `span` that show signs of a respelling."""
    if not tells(text[span.start : span.end]):
        return
    found = columns(text, span)
    column = next(found, None)
    run: Span | None = None
    start = span.start
    for end in (*(blank.end() for blank in BLANK_LINE.finditer(text, *span)), span.end):
        while column is not None and column.end <= start:
            column = next(found, None)
        if (column is not None and column.start < end) or tells(text[start:end]):
            run = Span(run.start if run else start, end)
        elif run:
            yield run
            run = None
        start = end
    if run:
        yield run
