"""The folded view: what a spelling normalises to, with a map back to the source.

Phrase patterns match this view, so that wrapping, emphasis, letter case, compatibility letters, entities,
escapes and invisible characters do not decide whether a phrase is seen. Most text needs no change, so one
regular expression finds the spots that do, and the map records only those.
"""

from __future__ import annotations

import enum
import html
import re
import unicodedata
from bisect import bisect_left, bisect_right
from functools import lru_cache

from plainview.finding import Span


class Mode(enum.Enum):
    """How line ends and punctuation fold: wrapped prose, lines of code, or a YAML header."""

    PROSE = "prose"
    CODE = "code"
    YAML = "yaml"


class Folded:
    """Folded text and its map to the source.

    `text` is lower case. Line ends that end a thought (a blank line, the next list item, a line of code)
    are kept as `\\n`; others are blanks.
    """

    __slots__ = ("_folded", "_source", "text")

    def __init__(self, text: str, folded: list[int], source: list[int]) -> None:
        self.text = text
        self._folded = folded
        self._source = source

    def span(self, start: int, end: int) -> Span:
        """The source code points that the folded code points from `start` to before `end` come from."""
        return Span(self._start(start), max(self._start(start), self._end(end)))

    def _start(self, offset: int) -> int:
        index = max(bisect_right(self._folded, offset) - 1, 0)
        return self._within(index, offset, at_end=False)

    def _end(self, offset: int) -> int:
        index = max(bisect_left(self._folded, offset) - 1, 0)
        return self._within(index, offset, at_end=True)

    def _within(self, index: int, offset: int, *, at_end: bool) -> int:
        folded, source = self._folded, self._source
        if index + 1 >= len(folded):
            return source[-1]
        width = folded[index + 1] - folded[index]
        if width == source[index + 1] - source[index]:
            return source[index] + min(offset - folded[index], width)
        return source[index + 1] if at_end else source[index]


_ENTITY = r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
_COMMON = r"[^\x00-\x7f]+|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+|[\r\n][ \t\r\n]*|[ \t]{2,}|\t"
_SPOTS = {
    Mode.PROSE: re.compile(_COMMON + r"|[*~`]+|_+|\\(?=[!-/:-@\[-`{-~])|[A-Za-z][\u0300-\u036f]+|" + _ENTITY),
    Mode.CODE: re.compile(_COMMON + r"|[A-Za-z][\u0300-\u036f]+|\\(?=[\r\n])"),
    Mode.YAML: re.compile(_COMMON + r"|[*~`]+|[A-Za-z][\u0300-\u036f]+"),
}
_QUOTE_MARKS = re.compile(r"(?:>[ \t]*)+")
# What begins a new thought on a new line, so that the line before is not joined to it.
_ITEM = re.compile(r"[-+*][ \t]|[0-9]{1,9}[.)][ \t]|#{1,6}[ \t]|\||```|~~~")

# Typographic variants that compatibility normalisation leaves alone but writers interchange.
_PUNCTUATION = str.maketrans(
    {
        "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201b": "'", "\u2032": "'", "\u02bc": "'",
        "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u201f": '"', "\u2033": '"', "\u00ab": '"', "\u00bb": '"',
        "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2015": "-", "\u2212": "-",
        "\u3000": " ", "\u0131": "i",
    }
)  # fmt: skip

# Default_Ignorable_Code_Point of the Unicode Character Database (DerivedCoreProperties.txt, 16.0):
# characters that a page shows as nothing.
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
_MARKS = re.compile("[\u0300-\u036f]")
_CLUSTER = re.compile(r"(?s:.)[\u0300-\u036f]*")
_WORD = re.compile(r"[A-Za-z0-9]")
_CACHED_LENGTH = 32


def fold(text: str, span: Span, mode: Mode = Mode.PROSE) -> Folded:
    """The folded view of `text` within `span` (code points). Time is linear in the span's length."""
    search = _SPOTS[mode].search
    position, end = span
    pieces: list[str] = []
    folded, source = [0], [position]
    length = 0
    last = ""
    while position < end:
        spot = search(text, position, end)
        if spot is None:
            pieces.append(text[position:end].lower())
            length += end - position
            break
        start, stop = spot.span()
        if start > position:
            pieces.append(text[position:start].lower())
            length += start - position
            last = text[start - 1]
        replacement, stop = _replacement(text, start, stop, end, mode)
        if replacement == " " and (not length or last in " \n"):
            replacement = ""
        if text[start] > "\x7f" and len(replacement) != stop - start:
            parts = [(part.group(), _other(part.group())) for part in _CLUSTER.finditer(text, start, stop)]
        else:
            parts = [(text[start:stop], replacement)]
        for original, plain in parts:
            folded += (length, length + len(plain))
            source += (start, start + len(original))
            start += len(original)
            length += len(plain)
            if plain:
                pieces.append(plain)
                last = plain[-1]
        position = stop
    folded.append(length)
    source.append(end)
    return Folded("".join(pieces), folded, source)


def fold_text(text: str, mode: Mode = Mode.PROSE) -> str:
    """The folded view of all of `text`, without the map."""
    return fold(text, Span(0, len(text)), mode).text


def _replacement(text: str, start: int, stop: int, end: int, mode: Mode) -> tuple[str, int]:
    """What stands for `text[start:stop]`, and where the spot ends (quotation marks may belong to it)."""
    first = text[start]
    if first in "\r\n":
        return _line_end(text, start, stop, end, mode)
    if first in " \t":
        return " ", stop
    if first == "&":
        return _other(html.unescape(text[start:stop])), stop
    if first == "_":
        inside = _WORD.match(text, start - 1) is not None and _WORD.match(text, stop, end) is not None
        return (text[start:stop] if inside and start else ""), stop
    if first in "*~`\\" or first < " " or first == "\x7f":
        return "", stop
    return _other(text[start:stop]), stop


def _line_end(text: str, start: int, stop: int, end: int, mode: Mode) -> tuple[str, int]:
    blank = text[start:stop].replace("\r\n", "\n")
    ends = blank.count("\n") + blank.count("\r")
    if mode is Mode.CODE:
        return (" " if text[start - 1 : start] == "\\" else "\n"), stop
    if mode is Mode.YAML:
        wrapped = ends == 1 and blank[-1] in " \t" and not _ITEM.match(text, stop, end)
        return (" " if wrapped else "\n"), stop
    while (marks := _QUOTE_MARKS.match(text, stop, end)) is not None:
        stop = marks.end()
        if stop < end and text[stop] in "\r\n":
            ends += 1
            stop += 2 if text.startswith("\r\n", stop) else 1
            continue
        break
    wrapped = ends == 1 and not _ITEM.match(text, stop, end)
    return (" " if wrapped else "\n"), stop


def _other(run: str) -> str:
    """Characters beyond ASCII, or a letter with combining marks, normalised (NFKC), folded and made plain."""
    return _cached(run) if len(run) < _CACHED_LENGTH else _plain(run)


def _plain(run: str) -> str:
    composed = unicodedata.normalize("NFKC", _IGNORABLE.sub("", run).translate(_PUNCTUATION))
    return _MARKS.sub("", composed.casefold()).translate(_PUNCTUATION)


_cached = lru_cache(maxsize=4096)(_plain)
