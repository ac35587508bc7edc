"""Which invisible characters are ordinary writing where they stand, and which have no use there.

Emoji sequences (Unicode Technical Standard 51), variation sequences, joiners in the scripts that use them, breaks in
scripts without blanks and hyphenation are ordinary. Whether a directional control is depends on its line: see `bidi`.
"""

from __future__ import annotations

import enum
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from plainview import unicode_sets


class Kind(enum.Enum):
    """What sort of invisible character one is, by the ways to write text with it."""

    TAG = "tag character"
    SELECTOR = "variation selector"
    BIDI = "directional control"
    ZERO_WIDTH = "zero-width character"
    HYPHEN = "soft hyphen"
    PRIVATE = "private-use character"
    UNASSIGNED = "unassigned code point"
    BREAK = "line or paragraph separator"
    CONTROL = "control character"


class Run(NamedTuple):
    """Neighbouring characters of one kind, from `start` to before `end` (code points)."""

    start: int
    end: int
    kind: Kind


# Planes without a single character, and code points that never will be one (Unicode 16.0, chapter 23.7).
_UNASSIGNED = "\ufdd0-\ufdef\ufffe\uffff\U00040000-\U000dffff\U000e1000-\U000effff"
_ZWJ = "\u200d"
_PRESENTATION = "\ufe0e\ufe0f"
_BLACK_FLAG = "\U0001f3f4"
# A subdivision of a region that vendors have drawn flags of, as in ISO 3166-2, and the cancel tag: any letters
# at all would let a payload pass in pieces.
_SUBDIVISION = re.compile(
    "(?:"
    "\U000e0075\U000e0073|\U000e0063\U000e0061|\U000e0067\U000e0062|\U000e0066\U000e0072|"
    "\U000e0064\U000e0065|\U000e0065\U000e0073|\U000e0069\U000e0074|\U000e006a\U000e0070|"
    "\U000e0061\U000e0075|\U000e0062\U000e0072|\U000e0063\U000e0068|\U000e006e\U000e006c|"
    "\U000e0062\U000e0065"
    ")[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,3}\U000e007f"
)
_BRAILLE = re.compile(r"[\u2800-\u28ff](?:[\u2800-\u28ff]|\s)*")
_DOTTED = re.compile(r"[\u2801-\u28ff]")
# What is neither printed ASCII nor a tab or line end: to look there alone is faster than to look everywhere.
_AREA = re.compile(r"[^ -~\t\r\n]+")
# Joiners come in pairs by slips of the keyboard; a longer run spells something.
_MOST_IN_A_ROW = 2
# The Ideographic Variation Database gives no ideograph more than a few dozen sequences; bytes of text lie beyond.
_LAST_REGISTERED = "\U000e012f"
_LONG_WORD = 6
_PIECE = 2


@cache
def among(characters: str) -> re.Pattern[str]:
    """A pattern for one of the characters of a set of `unicode_sets`."""
    return re.compile(f"[{characters}]")


@cache
def _spots() -> re.Pattern[str]:
    return re.compile(f"[{unicode_sets.INVISIBLE}{unicode_sets.PRIVATE_USE}{_UNASSIGNED}]+")


def looks_invisible(text: str) -> bool:
    """Whether the text has any character that is looked at here, with or without use."""
    return any(
        _spots().search(text, *area.span()) is not None or _BRAILLE.search(text, *area.span()) is not None
        for area in _AREA.finditer(text)
    )


def without_use(text: str) -> list[Run]:
    """The runs of invisible characters that have no use where they stand, in order. Directional controls are all in."""
    if text.isascii() and "\x7f" not in text:
        return []
    braille = _blank_braille(text) if "\u2800" in text else frozenset[int]()
    runs: list[Run] = []
    spots = (spot for area in _AREA.finditer(text) for spot in _spots().finditer(text, *area.span()))
    for spot in spots:
        start, end = spot.span()
        for offset in _left_over(text, _after_sequence(text, start, end), end):
            kind = _kind(text, offset)
            if text[offset] == "\u2800" and offset not in braille:
                continue
            if runs and runs[-1].end == offset and runs[-1].kind is kind:
                runs[-1] = Run(runs[-1].start, offset + 1, kind)
            else:
                runs.append(Run(offset, offset + 1, kind))
    return runs


def selectors(text: str) -> list[int]:
    """Where variation selectors stand in a text."""
    return [one.start() for one in among(unicode_sets.VARIATION_SELECTOR).finditer(text)]


def selectors_in_use(found: Iterable[int], runs: Sequence[Run]) -> list[Run]:
    """Those of the variation selectors at `found` that belong to what they stand behind: none of `runs` holds them."""
    idle = iter([offset for run in runs if run.kind is Kind.SELECTOR for offset in range(run.start, run.end)])
    skipped = next(idle, -1)
    used = []
    for offset in found:
        if offset == skipped:
            skipped = next(idle, -1)
        else:
            used.append(Run(offset, offset + 1, Kind.SELECTOR))
    return used


def _after_sequence(text: str, start: int, end: int) -> int:
    """Where the emoji or variation sequence ends that the run continues; `start` if it continues none."""
    if not start:
        # A byte order mark that the decoder left in.
        return start + (text[0] == "\ufeff")
    base = text[start - 1]
    offset = start
    while offset < min(end, start + _MOST_IN_A_ROW) and text[offset] in _PRESENTATION and _takes_presentation(base):
        offset += 1
    if base == _BLACK_FLAG and (flag := _SUBDIVISION.match(text, offset, end)) is not None:
        offset = flag.end()
    joined = offset + 1 == end < len(text) and text[offset] == _ZWJ
    if joined and _is_pictograph(base) and _is_pictograph(text[end]):
        return end
    alone = offset == start and (start + 1 == end or not _is(unicode_sets.VARIATION_SELECTOR, text[start + 1]))
    return start + 1 if alone and _is_variation(base, text[start]) else offset


def _takes_presentation(base: str) -> bool:
    return (
        _is(unicode_sets.EMOJI, base)
        or _is_pictograph(base)
        or (base > "\x7f" and unicodedata.category(base)[0] == "S")
    )


def _is_pictograph(character: str) -> bool:
    return (
        _is(unicode_sets.PICTOGRAPHIC, character) or "\U0001f3fb" <= character <= "\U0001f3ff" or character == "\u20e3"
    )


def _is_variation(base: str, selector: str) -> bool:
    """Whether the two are a variation sequence: standardized, ideographic or Mongolian."""
    if selector >= "\U000e0100":
        return selector <= _LAST_REGISTERED and _is(unicode_sets.IDEOGRAPHIC, base)
    if "\u180b" <= selector <= "\u180f":
        return "\u1800" <= base <= "\u18af"
    if not "\ufe00" <= selector <= "\ufe0f":
        return False
    if "\U00013000" <= base <= "\U0001345f":
        return selector <= "\ufe06"
    # Myanmar, Phags-pa, Manichaean, CJK and mathematical signs have three at most; Latin letters have none.
    return (selector <= "\ufe02" or selector in _PRESENTATION) and (
        base == "0"
        or _is(unicode_sets.SPACELESS + unicode_sets.JOINING + unicode_sets.MATHEMATICAL, base)
        or (base > "\x7f" and unicodedata.category(base)[0] in "SP")
    )


def _left_over(text: str, start: int, end: int) -> Iterator[int]:
    if end - start > _MOST_IN_A_ROW:
        yield from range(start, end)
        return
    before, after = text[start - 1 : start], text[end : end + 1]
    for offset in range(start, end):
        if not _has_use(text[offset], before, after):
            yield offset


def _has_use(character: str, before: str, after: str) -> bool:
    """Whether the character does something between what stands before and after it (both may be empty)."""
    if character in "\u200c\u200d":
        return _is(unicode_sets.JOINING, before) or _is(unicode_sets.JOINING, after)
    if character in "\u200b\u2060":
        return _is(unicode_sets.SPACELESS, before) or _is(unicode_sets.SPACELESS, after)
    if character == "\u034f":
        return _is_mark(before) or _is_mark(after)
    if character in "\u115f\u1160":
        return any("\u1100" <= one <= "\u11ff" or "\ua960" <= one <= "\ua97c" for one in (before, after))
    if character in "\u17b4\u17b5":
        return "\u1780" <= before <= "\u17ff"
    if "\u180b" <= character <= "\u180f":
        return "\u1800" <= before <= "\u18af" or "\u1800" <= after <= "\u18af"
    # Format characters of notations: music, shorthand, hieroglyphs.
    if "\U00010000" <= character < "\U000e0000" and not _is(unicode_sets.NONCHARACTER, character):
        return any(one and ord(one) >> 8 in (ord(character) >> 8, (ord(character) >> 8) - 1) for one in (before, after))
    return False


def _kind(text: str, offset: int) -> Kind:
    character = text[offset]
    if "\U000e0000" <= character <= "\U000e0fff":
        return Kind.SELECTOR if "\U000e0100" <= character <= "\U000e01ef" else Kind.TAG
    if "\ufe00" <= character <= "\ufe0f":
        return Kind.SELECTOR
    if _is(unicode_sets.BIDI_CONTROL, character):
        return Kind.BIDI
    if character == "\xad":
        return Kind.HYPHEN if _hyphenates(text, offset) else Kind.ZERO_WIDTH
    if character in "\u2028\u2029\x85":
        return Kind.BREAK
    if character <= "\x9f":
        return Kind.CONTROL
    if _is(_UNASSIGNED, character):
        return Kind.UNASSIGNED
    return Kind.PRIVATE if unicodedata.category(character) == "Co" else Kind.ZERO_WIDTH


def _hyphenates(text: str, offset: int) -> bool:
    """Whether a soft hyphen stands where a long word may be broken: no piece of it is a single letter."""
    before, after = text[max(offset - _PIECE, 0) : offset], text[offset + 1 : offset + 1 + _PIECE]
    if len(before) < _PIECE or not before.isalpha():
        return False
    if after[:1] in ("\r", "\n", ""):
        return True
    around = text[max(offset - _LONG_WORD - 2, 0) : offset + _LONG_WORD + 3]
    left, right = around[: min(offset, _LONG_WORD + 2)], around[min(offset, _LONG_WORD + 2) + 1 :]
    letters = _letters(reversed(left)) + _letters(iter(right))
    return len(after) == _PIECE and after.isalpha() and letters >= _LONG_WORD


def _letters(characters: Iterator[str]) -> int:
    count = 0
    for character in characters:
        if not (character.isalpha() or character == "\xad"):
            break
        count += character != "\xad"
    return count


def braille_stretches(text: str) -> Iterator[tuple[int, int]]:
    """Where Braille cells stand, stretches that only blanks part taken as one."""
    for stretch in _BRAILLE.finditer(text):
        yield stretch.span()


def _blank_braille(text: str) -> frozenset[int]:
    """Where blank cells stand that have no dotted cell around them."""
    blank: set[int] = set()
    for start, end in braille_stretches(text):
        if _DOTTED.search(text, start, end) is None:
            blank.update(offset for offset in range(start, end) if text[offset] == "\u2800")
    return frozenset(blank)


def _is(characters: str, character: str) -> bool:
    return character != "" and among(characters).match(character) is not None


def _is_mark(character: str) -> bool:
    return character != "" and unicodedata.category(character)[0] == "M"
