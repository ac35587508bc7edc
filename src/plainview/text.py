"""Text and its line index: the one place where offsets and positions meet.

An offset counts code points from 0. A position is a line and a column from 0, the column in units of an
encoding. Only `\\n`, `\\r\\n` and a lone `\\r` end a line (Language Server Protocol 3.17, "Text Documents");
U+2028, U+0085, form feed and the rest of `str.splitlines()` do not.
"""

from __future__ import annotations

import enum
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from plainview.finding import Span

_LINE_END = re.compile(r"\r\n?|\n")
_STRIDE = 1024
_UTF8_BOM = b"\xef\xbb\xbf"
_UTF16_BOMS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


class Encoding(enum.Enum):
    """The unit of a column, by its name in the protocol."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


class Position(NamedTuple):
    """A place in a text: line and column, both from 0, the column in units of an encoding."""

    line: int
    column: int


class Change(NamedTuple):
    """Replace what stands from `start` to `end` by `text`.

    `start` None replaces the whole text; `end` None with a start inserts there.
    """

    start: Position | None
    end: Position | None
    text: str


class InvalidRange(ValueError):  # noqa: N818 - the name is the whole message
    """A range whose start comes after its end."""


class NotUtf8(ValueError):  # noqa: N818 - the name is the whole message
    """Bytes that are not UTF-8.

    `offset` is the first bad byte, counted from the start of the bytes, and `reason` says what is wrong with
    it. `replaced` is the text with U+FFFD for what could not be decoded: it can be scanned all the same.
    """

    def __init__(self, offset: int, reason: str, replaced: Source) -> None:
        super().__init__(f"byte {offset}: {reason}")
        self.offset = offset
        self.reason = reason
        self.replaced = replaced

    def __reduce__(self) -> tuple[type[NotUtf8], tuple[int, str, Source]]:
        # An exception pickles by its message alone; worker processes need all three.
        return NotUtf8, (self.offset, self.reason, self.replaced)


class Source:
    """An immutable text with its lines. Lines count from 0; what follows the last line end is a line too.

    `text` is without the byte order mark that `bom` notes.
    """

    __slots__ = ("_starts", "_strides", "bom", "text")

    text: str
    bom: bool
    _starts: list[int] | None
    _strides: dict[tuple[int, Encoding], list[int]]

    def __init__(self, text: str, bom: bool = False) -> None:
        self.text = text
        self.bom = bom
        self._starts = None
        self._strides = {}

    def __repr__(self) -> str:
        return f"Source({len(self.text)} code points)"

    @classmethod
    def from_bytes(cls, data: bytes) -> Source:
        """Decode UTF-8, with or without a byte order mark. Raises NotUtf8 with a best-effort Source in it."""
        utf16 = _UTF16_BOMS.get(data[:2])
        if utf16:
            replaced = cls(data[2:].decode(utf16, "replace"), bom=True)
            raise NotUtf8(0, "this is UTF-16, by its byte order mark", replaced)
        bom = data.startswith(_UTF8_BOM)
        body = data[len(_UTF8_BOM) :] if bom else data
        try:
            return cls(body.decode("utf-8"), bom)
        except UnicodeDecodeError as error:
            offset = error.start + len(data) - len(body)
            raise NotUtf8(offset, error.reason, cls(body.decode("utf-8", "replace"), bom)) from None

    @property
    def line_count(self) -> int:
        """How many pieces the line ends cut the text into: 1 at least, the last empty one included."""
        return len(self._index())

    def line_start(self, line: int) -> int:
        """The offset of the line's first code point. Raises IndexError where there is no such line."""
        if line < 0:
            raise IndexError(line)
        return self._index()[line]

    def line_end(self, line: int) -> int:
        """The offset behind the line's content, before its line end. Raises IndexError like `line_start`."""
        start = self.line_start(line)
        starts = self._index()
        if line + 1 == len(starts):
            return len(self.text)
        after = starts[line + 1]
        is_crlf = after - start >= 2 and self.text[after - 2 : after] == "\r\n"
        return after - 2 if is_crlf else after - 1

    def line_span(self, line: int) -> Span:
        """The line's content, without its line end. Raises IndexError like `line_start`."""
        return Span(self.line_start(line), self.line_end(line))

    def line_text(self, line: int) -> str:
        """The line's content, without its line end. Raises IndexError like `line_start`."""
        return self.text[self.line_start(line) : self.line_end(line)]

    def lines(self, first: int, end: int) -> list[str]:
        """The content of the lines from `first` to before `end`, without their line ends."""
        if first >= end:
            return []
        part = self.text[self.line_start(first) : self.line_end(end - 1)]
        return _LINE_END.split(part) if "\r" in part else part.split("\n")

    def line_starts(self, first: int, end: int) -> list[int]:
        """The offsets of the first code points of the lines from `first` to before `end`, as far as there are any."""
        return self._index()[first:end]

    def line_of(self, offset: int) -> int:
        """The line that holds `offset`; a line end belongs to the line that it ends. Clamps to the text."""
        return max(bisect_right(self._index(), offset) - 1, 0)

    def lines_touched(self, span: Span) -> int:
        """How many lines hold a code point of `span`; 1 for an empty span."""
        return self.line_of(max(span.start, span.end - 1)) - self.line_of(span.start) + 1

    def position(self, offset: int, encoding: Encoding = Encoding.UTF32) -> Position:
        """The position of `offset`, clamped to the text.

        Between the two characters of a CRLF it is the end of the line's content. A lone surrogate counts one
        UTF-16 unit or three UTF-8 units.
        """
        offset = min(max(offset, 0), len(self.text))
        line = self.line_of(offset)
        start = self._index()[line]
        offset = min(offset, self.line_end(line))
        if encoding is Encoding.UTF32 or self.text.isascii():
            return Position(line, offset - start)
        if offset - start <= _STRIDE:
            return Position(line, _width(self.text[start:offset], encoding))
        stride = (offset - start) // _STRIDE
        column = self._columns(line, encoding)[stride]
        return Position(line, column + _width(self.text[start + stride * _STRIDE : offset], encoding))

    def offset(self, position: Position, encoding: Encoding) -> int:
        """The offset of `position`, clamped as the protocol says.

        Before the text is its start, a line past the last is the end of the text, a column past the line is
        the end of its content, and a column inside a character is that character's start.
        """
        line, column = position
        if line < 0:
            return 0
        if line >= self.line_count:
            return len(self.text)
        start, end = self.line_span(line)
        column = max(column, 0)
        if encoding is Encoding.UTF32 or self.text.isascii():
            return min(start + column, end)
        if end - start > _STRIDE:
            columns = self._columns(line, encoding)
            stride = bisect_right(columns, column) - 1
            start = min(start + stride * _STRIDE, end)
            column -= columns[stride]
        piece = self.text[start : min(end, start + _STRIDE)]
        return start + _fitting(piece, column, encoding)

    def apply(self, changes: Sequence[Change], encoding: Encoding) -> Source:
        """The text after `changes`, each made to the result of the one before it, columns in `encoding`.

        Positions clamp as in `offset`. Raises InvalidRange where a start comes after its end.
        """
        source = self
        for change in changes:
            source = source._changed(change, encoding)
        return source

    def _changed(self, change: Change, encoding: Encoding) -> Source:
        if change.start is None:
            return Source(change.text, self.bom)
        end = change.start if change.end is None else change.end
        if change.start > end:
            raise InvalidRange(f"the range starts at {tuple(change.start)} but ends at {tuple(end)}")
        return self._spliced(self.offset(change.start, encoding), self.offset(end, encoding), change.text)

    def _spliced(self, start: int, end: int, text: str) -> Source:
        result = Source("".join((self.text[:start], text, self.text[end:])), self.bom)
        starts = self._index()
        # Whether a line starts at an offset depends on the characters on both sides of it alone. So lines
        # that start before `start` or behind `end` stay, and only those in between are looked for.
        last = start + len(text)
        between = [
            found.end()
            for found in _LINE_END.finditer(result.text, max(start - 1, 0), last + 1)
            if start <= found.end() <= last
        ]
        shift = last - end
        behind = starts[bisect_right(starts, end) :]
        kept = starts[: bisect_left(starts, start)] or [0]
        result._starts = kept + between + ([line + shift for line in behind] if shift else behind)
        return result

    def _index(self) -> list[int]:
        if self._starts is None:
            self._starts = _line_starts(self.text)
        return self._starts

    def _columns(self, line: int, encoding: Encoding) -> list[int]:
        # Without these milestones, placing every finding of a file that is one long line would be quadratic.
        key = (line, encoding)
        if key not in self._strides:
            start, end = self.line_span(line)
            widths = (_width(self.text[at : at + _STRIDE], encoding) for at in range(start, end, _STRIDE))
            self._strides[key] = list(accumulate(widths, initial=0))
        return self._strides[key]


def _line_starts(text: str) -> list[int]:
    if text.count("\r") != text.count("\r\n"):
        return [0, *(found.end() for found in _LINE_END.finditer(text))]
    starts = [0]
    at = text.find("\n") + 1
    while at:
        starts.append(at)
        at = text.find("\n", at) + 1
    return starts


def _width(text: str, encoding: Encoding) -> int:
    """The length of `text` in UTF-8 or UTF-16 units."""
    if text.isascii():
        return len(text)
    if encoding is Encoding.UTF8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _fitting(text: str, width: int, encoding: Encoding) -> int:
    """How many whole code points from the start of `text` fit into `width` units."""
    if text.isascii():
        return min(width, len(text))
    longest = min(width, len(text)) + 1
    return bisect_right(range(longest), width, key=lambda count: _width(text[:count], encoding)) - 1


# Code points that are compared at once: less than the texts hold, for to compare is to copy.
_COMPARED = 1 << 14


def common_head(a: str, b: str) -> int:
    """How many code points two texts begin with in common."""
    low, high = 0, min(len(a), len(b))
    while low + _COMPARED < high and a.startswith(b[low : low + _COMPARED], low):
        low += _COMPARED
    high = min(high, low + _COMPARED)
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_tail(a: str, b: str, limit: int) -> int:
    """How many code points two texts end with in common, `limit` at most."""
    low, high = 0, limit
    while low + _COMPARED < high and a.endswith(b[len(b) - low - _COMPARED : len(b) - low], 0, len(a) - low):
        low += _COMPARED
    high = min(high, low + _COMPARED)
    while low < high:
        middle = (low + high + 1) // 2
        if a[len(a) - middle : len(a) - low] == b[len(b) - middle : len(b) - low]:
            low = middle
        else:
            high = middle - 1
    return low
