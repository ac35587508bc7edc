"""The folded view: what a spelling normalises to, with a map back to the source.

Phrase patterns match this view, so that wrapping, emphasis, letter case, compatibility letters, look-alikes
within a Latin word, bare tags, entities, escapes and invisible characters do not decide whether a phrase is
seen. Most text needs no change, so one regular expression finds the spots that do, and the map records only
those. What can be read in two ways (leet, letter spacing, links) is left to `respell`.
"""

from __future__ import annotations

import enum
import html
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache

from plainview import late, lookalikes, plain_fold, unicode_sets
from plainview.finding import Span


class Mode(enum.Enum):
    """How line ends and punctuation fold: wrapped prose, lines of code, or a YAML header."""

    PROSE = "prose"
    CODE = "code"
    YAML = "yaml"


# Where in the source something else stands in the folded text, and how long that is; -1 for a blank that is left out.
_Spot = tuple[int, int, int]


class Folded:
    """Folded text and its map to the source, or to the text it was made of, which has a map of its own.

    `text` is lower case. Line ends that end a thought (a blank line, the next list item, a line of code)
    are kept as `\\n`; others are blanks.
    """

    __slots__ = ("_by", "_folded", "_origin", "_source", "_spots", "_under", "_written", "text")

    def __init__(
        self,
        text: str,
        folded: list[int],
        source: list[int],
        under: Folded | None = None,
        spots: Sequence[_Spot] = (),
        by: int = 0,
        written: tuple[str, Span, Mode] | None = None,
        origin: Folded | None = None,
    ) -> None:
        """`spots` are what is yet to be made of a map that begins with the items of `folded` and `source`.

        If they are yet to be found, `written` is what was folded, or `origin` has the same map. Its places in the
        source are to be moved `by` so many code points.
        """
        self.text = text
        self._folded = folded
        self._source = source
        self._under = under
        self._spots = spots
        self._by = by
        self._written = written
        self._origin = origin

    def span(self, start: int, end: int) -> Span:
        """The source code points that the folded code points from `start` to before `end` come from."""
        self._map()
        first = self._start(start)
        last = max(first, self._end(end))
        if self._under is not None:
            first, last = self._under.span(first, last)
        return Span(first + self._by, last + self._by)

    def on(self, under: Folded) -> Folded:
        """This view, where its source is itself the view `under`: its places are those of the source below."""
        return Folded(self.text, self._folded, self._source, under, origin=self._origin or self)

    def moved(self, by: int) -> Folded:
        """This view, where its source, or the source below it, stands `by` code points further on."""
        return Folded(self.text, self._folded, self._source, self._under, by=self._by + by, origin=self._origin or self)

    def _map(self) -> None:
        """Makes the map, which most texts are never asked for."""
        if self._origin is not None:
            self._origin._map()
            self._folded, self._source, self._origin = self._origin._folded, self._origin._source, None
            return
        if self._written is not None:
            _, self._spots = walk(*self._written)
            self._written = None
        if not self._spots:
            return
        length, position = self._folded[-1], self._source[-1]
        folded, source = list(self._folded), list(self._source)
        for start, stop, width in self._spots:
            length += start - position
            position = stop
            folded.append(length)
            source.append(start)
            if width >= 0:
                length += width
                folded.append(length)
                source.append(stop)
        self._folded, self._source, self._spots = folded, source, ()

    def at(self, offset: int) -> int:
        """The folded code point that the source code point at `offset` comes to, or the next one that is left."""
        self._map()
        offset -= self._by
        if self._under is not None:
            offset = self._under.at(offset)
        index = max(bisect_right(self._source, offset) - 1, 0)
        following = self._folded[min(index + 1, len(self._folded) - 1)]
        return min(self._folded[index] + max(offset - self._source[index], 0), following)

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


_ENTITY = r"&(?:#0*[0-9]{1,7};?|#[xX]0*[0-9a-fA-F]{1,6};?|(?:nbsp|shy)\b;?|[A-Za-z][A-Za-z0-9]{1,31};)"
# Tags without attributes that only format what they stand in, and those that end a line. Of other tags the name
# and the attributes are read too, so they stay.
_TAG = (
    r"<(?i:/?(?:abbr|acronym|b|bdi|bdo|big|cite|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|tt"
    r"|u|var|wbr|br|div|p)[ \t]{0,9}/?)>"
)
# Blanks beyond ASCII, and what looks like one.
_BLANKS = "\x85\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000"
_COMMON = (
    rf"[^\x00-\x7f{_BLANKS}]+|[{_BLANKS}][ \t{_BLANKS}]*"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+|[\r\n][ \t\r\n]*|[ \t]{2,}|\t"
)
# Combining marks of no script of their own.
COMBINING = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_ACCENTED = rf"|[A-Za-z][{COMBINING}]+"
_SPOTS = {
    Mode.PROSE: late.pattern(_COMMON + _ACCENTED + r"|[*~`]+|_+|\\(?=[!-/:-@\[-`{-~\r\n])|" + _ENTITY + "|" + _TAG),
    Mode.CODE: late.pattern(_COMMON + _ACCENTED + r"|\\(?=[\r\n])"),
    Mode.YAML: late.pattern(_COMMON + _ACCENTED + r"|[*~`]+"),
}
# What stands before the first character of a line.
_LINE_ENDS = ("", "\n", "\r")
_QUOTE_MARKS = re.compile(r"(?:>[ \t]*)+")
_ITEM = late.pattern(plain_fold.ITEM)

# Typographic variants that compatibility normalisation leaves alone but writers interchange.
_PUNCTUATION = str.maketrans(
    {
        "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201b": "'", "\u2032": "'", "\u02bc": "'",
        "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u201f": '"', "\u2033": '"', "\u00ab": '"', "\u00bb": '"',
        "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2015": "-", "\u2212": "-",
        "\u0131": "i",
    }
)  # fmt: skip
_STYLED = lookalikes.table(lookalikes.STYLED)
SPELLING = _STYLED | _PUNCTUATION

# Characters that a page shows as nothing.
IGNORABLE = late.pattern(f"[{unicode_sets.IGNORABLE}\x80-\x84\x86-\x9f\ufff9-\ufffb]")
_MARKS = re.compile(f"[{COMBINING}]")
_CLUSTER = re.compile(f"(?s:.)[{COMBINING}]*")
# What makes an underscore part of a word, whatever is not seen beside it; it may be escaped, and the next letter a
# reference.
_WORD_BEFORE = re.compile(rf"[^\W_][{unicode_sets.IGNORABLE}]{{0,8}}\\?\Z")
_WORD_BEHIND = re.compile(rf"[{unicode_sets.IGNORABLE}]{{0,8}}(?:[^\W_]|&#)")
_IS_BLANK = re.compile(f"[{_BLANKS}]")
_BREAK = re.compile(r"<(?i:/?(?:br|div|p))\b")
_INDICATOR_A = "\U0001f1e6"
_INDICATORS = re.compile("[\U0001f1e6-\U0001f1ff]+")
_FLAG = 2

# Letters of other scripts that pass for an ASCII letter, by code point.
ALIKE = lookalikes.table(lookalikes.ALIKE)
_CAPITAL_I = "".join(chr(code) for code, letter in ALIKE.items() if letter == "i" and chr(code).isupper())
_ALIKE = late.pattern(f"[{''.join(map(chr, ALIKE))}]")
# A word that holds characters beyond ASCII, with its marks and what is not seen in it.
_LETTERS = re.compile(f"[^\\W_](?:[^\\W_]|[{COMBINING}\u00ad\u200b-\u200f\u2060\ufeff])*")
_GOES_ON = re.compile(r"[*_~`\\]{0,4}(?:[A-Za-z]|&#)")
_CACHED_LENGTH = 32


def fold(text: str, span: Span, mode: Mode = Mode.PROSE) -> Folded:
    """The folded view of `text` within `span` (code points). Time is linear in the span's length."""
    start, end = span
    if mode is Mode.PROSE:
        plain = plain_fold.prose(text[start:end], text[end : end + 1])
    else:
        plain = (plain_fold.code if mode is Mode.CODE else plain_fold.yaml)(text[start:end])
    if plain is not None:
        return Folded(plain, [0], [start], written=(text, span, mode))
    folded, spots = walk(text, span, mode)
    return Folded(folded, [0], [start], spots=spots)


def walk(text: str, span: Span, mode: Mode) -> tuple[str, list[_Spot]]:
    """The folded text of `text` within `span`, spot after spot, and the spots that its map is made of."""
    search = _SPOTS[mode].search
    position, end = span
    spots: list[_Spot] = []
    if (
        mode is Mode.PROSE
        and (marks := _QUOTE_MARKS.match(text, position, end))
        and text[position - 1 : position] in _LINE_ENDS
    ):
        spots.append((position, marks.end(), 0))
        position = marks.end()
    pieces: list[str] = []
    last = ""
    while position < end:
        spot = search(text, position, end)
        if spot is None:
            pieces.append(text[position:end].lower())
            break
        start, stop = spot.span()
        if start > position:
            pieces.append(text[position:start].lower())
            last = text[start - 1]
        first = text[start]
        beyond = False
        if first in "*~`":
            replacement = ""
        elif first < "\x80":
            replacement, stop = _replacement(text, start, stop, end, mode, last)
        elif _IS_BLANK.match(first) is None:
            beyond = True
            run = in_word(text[start:stop], last, text, stop, end)
            replacement = _other(run)
        else:
            replacement = " "
        if replacement == " " and (not last or last in " \n"):
            replacement = ""
        if beyond and len(replacement) != stop - start:
            for part in _CLUSTER.findall(run):
                plain = _other(part)
                spots.append((start, start + len(part), len(plain)))
                start += len(part)
                if plain:
                    pieces.append(plain)
                    last = plain[-1]
        else:
            spots.append((start, stop, len(replacement)))
            if replacement:
                pieces.append(replacement)
                last = replacement[-1]
        position = stop
        if last in " \n" and text[stop : stop + 1] == " " and stop < end:
            spots.append((stop, stop + 1, -1))
            position += 1
    spots.append((end, end, 0))
    return "".join(pieces), spots


def fold_text(text: str, mode: Mode = Mode.PROSE) -> str:
    """The folded view of all of `text`, without the map."""
    return fold(text, Span(0, len(text)), mode).text


def _replacement(text: str, start: int, stop: int, end: int, mode: Mode, last: str) -> tuple[str, int]:
    """What stands for `text[start:stop]`, and where the spot ends (quotation marks may belong to it)."""
    first = text[start]
    if first in "\r\n":
        return _line_end(text, start, stop, end, mode)
    if first in " \t":
        return " ", stop
    if first == "&":
        return _entity(text, start, stop, end, last), stop
    if first == "<":
        return (" " if _BREAK.match(text, start) else ""), stop
    if first == "_":
        behind = _WORD_BEHIND.match(text, stop, end)
        inside = behind is not None and _WORD_BEFORE.search(text, max(start - 10, 0), start) is not None
        return (text[start:stop] if inside else ""), stop
    if first in "*~`\\" or first < " " or first == "\x7f":
        return "", stop
    return _other(text[start:stop]), stop


def _entity(text: str, start: int, stop: int, end: int, last: str) -> str:
    decoded = html.unescape(text[start:stop])
    if decoded.isspace():
        return " "
    return _other(in_word(decoded, last, text, stop, end)) if decoded > "\x7f" else decoded.lower()


def _line_end(text: str, start: int, stop: int, end: int, mode: Mode) -> tuple[str, int]:
    if mode is Mode.CODE:
        return (" " if text[start - 1 : start] == "\\" else "\n"), stop
    if mode is Mode.PROSE and stop == start + 1 and text[stop : stop + 1].isalpha():
        # By far the most line ends: one that is followed by a word.
        return (_joint(text, start, stop) if stop < end else "\n"), stop
    blank = text[start:stop].replace("\r\n", "\n")
    ends = blank.count("\n") + blank.count("\r")
    if mode is Mode.YAML:
        wrapped = ends == 1 and blank[-1] in " \t" and not _ITEM.match(text, stop, end)
        return (_joint(text, start, stop) if wrapped else "\n"), stop
    while text.startswith(">", stop) and (marks := _QUOTE_MARKS.match(text, stop, end)) is not None:
        stop = marks.end()
        if stop < end and text[stop] in "\r\n":
            ends += 1
            stop += 2 if text.startswith("\r\n", stop) else 1
            continue
        break
    wrapped = ends == 1 and not _ITEM.match(text, stop, end)
    return (_joint(text, start, stop) if wrapped else "\n"), stop


def _joint(text: str, start: int, stop: int) -> str:
    """What joins two wrapped lines: nothing where the first ends in the hyphen of a compound."""
    hyphen = start > 1 and text[start - 1] == "-" and text[start - 2].isalpha()
    return "" if hyphen and text[stop : stop + 1].isalpha() else " "


def in_word(run: str, last: str, text: str, stop: int, end: int) -> str:
    """`run` (beyond ASCII) with look-alikes for the letters that they pass for, within words that are Latin too.

    The word may go on before the run, in `last` (the last folded character), or behind it, at `text[stop:end]`.
    As many characters as before. Words all of one other script are left alone.
    """
    if _ALIKE.search(run) is None:
        return run
    after = _GOES_ON.match(text, stop, end) is not None
    before = ""
    if last.isascii() and last.isalpha():
        start = stop - len(run)
        before = text[start - 1 : start] if text[start - 1 : start].isalpha() else last
    if not before and not after and max(run) < "\u1d00":
        return run
    return _in_word(run, before, after) if len(run) < _CACHED_LENGTH else _map_words(run, before, after)


def _map_words(run: str, before: str, after: bool) -> str:
    pieces: list[str] = []
    reached = 0
    for word in _LETTERS.finditer(run):
        start, stop = word.span()
        letters = IGNORABLE.sub("", _MARKS.sub("", word.group()))
        beside = (start == 0 and bool(before)) or (stop == len(run) and after)
        latin = [letter for letter in letters if _is_latin(letter)]
        if (beside or latin) and all(letter in latin or ord(letter) in ALIKE for letter in letters):
            pieces += run[reached:start], _as_latin(word.group(), before if start == 0 else "")
            reached = stop
    return "".join((*pieces, run[reached:]))


def _as_latin(word: str, before: str) -> str:
    """The word with the letters that its look-alikes pass for; what looks like "I" is an "l" behind a small letter."""
    plain = word.translate(ALIKE)
    if not before.islower():
        return plain
    length = len(word) - len(word.lstrip(_CAPITAL_I))
    return "l" * length + plain[length:]


def _is_latin(letter: str) -> bool:
    plain = unicodedata.normalize("NFKC", letter.translate(_STYLED))
    return plain.isascii() and plain.isalnum()


def _other(run: str) -> str:
    """Characters beyond ASCII, or a letter with combining marks, normalised (NFKC), folded and made plain."""
    return _cached(run) if len(run) < _CACHED_LENGTH else _plain(run)


def _plain(run: str) -> str:
    kept = _INDICATORS.sub(_flag_or_letters, IGNORABLE.sub("", run)).translate(SPELLING)
    composed = unicodedata.normalize("NFKC", kept)
    return _MARKS.sub("", composed.casefold()).translate(_PUNCTUATION)


def _flag_or_letters(indicators: re.Match[str]) -> str:
    """Two regional indicators are a flag; one or many spell letters."""
    run = indicators.group()
    return run if len(run) == _FLAG else "".join(chr(ord(one) - ord(_INDICATOR_A) + ord("a")) for one in run)


_cached = lru_cache(maxsize=4096)(_plain)
_in_word = lru_cache(maxsize=4096)(_map_words)
