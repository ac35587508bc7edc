"""Offsets, positions and edits, against a slow model that walks character by character."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainview.finding import Span
from plainview.text import Change, Encoding, InvalidRange, NotUtf8, Position, Source

UTF8, UTF16, UTF32 = Encoding.UTF8, Encoding.UTF16, Encoding.UTF32

PIECES = [
    *"ab \t-",
    "\n",
    "\r\n",
    "\r",
    "\u2028",
    "\u2029",
    "\x85",
    "\x0b",
    "\x0c",
    "\x1c",
    "\0",
    "\ufeff",
    "é",
    "e\u0301",
    "日",
    "😀",
    "\U000e0041",
    "👩\u200d💻",
    "\ud83d",
    "\ude00",
]
texts = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
long_lines = st.lists(st.sampled_from(["a" * 700, "é" * 500, "😀" * 900, "b", "日", "\n"]), max_size=8).map("".join)
encodings = st.sampled_from(Encoding)
positions = st.builds(Position, st.integers(-1, 12), st.integers(-2, 30))


def slow_lines(text: str) -> list[tuple[int, int]]:
    """Start and end of the content of every line."""
    lines = []
    start = at = 0
    while at < len(text):
        if text[at] in "\r\n":
            lines.append((start, at))
            at += 2 if text[at : at + 2] == "\r\n" else 1
            start = at
        else:
            at += 1
    return [*lines, (start, len(text))]


def units(char: str, encoding: Encoding) -> int:
    if encoding is UTF32:
        return 1
    code = ord(char)
    if encoding is UTF16:
        return 2 if code > 0xFFFF else 1
    return 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4


def slow_position(text: str, offset: int, encoding: Encoding) -> Position:
    offset = min(max(offset, 0), len(text))
    line, (start, end) = [entry for entry in enumerate(slow_lines(text)) if entry[1][0] <= offset][-1]
    return Position(line, sum(units(char, encoding) for char in text[start : min(offset, end)]))


def slow_offset(text: str, position: Position, encoding: Encoding) -> int:
    lines = slow_lines(text)
    if position.line < 0:
        return 0
    if position.line >= len(lines):
        return len(text)
    at, end = lines[position.line]
    left = position.column
    while at < end and units(text[at], encoding) <= left:
        left -= units(text[at], encoding)
        at += 1
    return at


def slow_apply(text: str, changes: list[Change], encoding: Encoding) -> str:
    for change in changes:
        if change.start is None or change.end is None:
            text = change.text
        else:
            start = slow_offset(text, change.start, encoding)
            text = text[:start] + change.text + text[slow_offset(text, change.end, encoding) :]
    return text


def index(source: Source) -> list[Span]:
    return [source.line_span(line) for line in range(source.line_count)]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("a", ["a"]),
        ("a\n", ["a", ""]),
        ("a\r\nb\rc\nd", ["a", "b", "c", "d"]),
        ("\r\r\n\n\r", ["", "", "", "", ""]),
        ("a\u2028b\x85c\x0bd\x0ce\x1cf\u2029g", ["a\u2028b\x85c\x0bd\x0ce\x1cf\u2029g"]),
    ],
)
def test_only_the_protocols_line_ends_end_a_line(text: str, lines: list[str]) -> None:
    source = Source(text)
    assert [source.line_text(line) for line in range(source.line_count)] == lines


@pytest.mark.parametrize("line", [-1, 2])
def test_a_line_that_is_not_there(line: int) -> None:
    for ask in (Source("a\nb").line_start, Source("a\nb").line_end, Source("a\nb").line_text):
        with pytest.raises(IndexError):
            ask(line)


@pytest.mark.parametrize(
    ("text", "offset", "utf8", "utf16", "utf32"),
    [
        ("abc", 2, (0, 2), (0, 2), (0, 2)),
        ("é😀x", 1, (0, 2), (0, 1), (0, 1)),
        ("é😀x", 2, (0, 6), (0, 3), (0, 2)),
        ("\ud83dx", 1, (0, 3), (0, 1), (0, 1)),
        ("\ud83d\ude00x", 2, (0, 6), (0, 2), (0, 2)),
        ("a\r\nb", 2, (0, 1), (0, 1), (0, 1)),
        ("a\r\nb", 3, (1, 0), (1, 0), (1, 0)),
        ("a\rb", 2, (1, 0), (1, 0), (1, 0)),
        ("日\nb", 99, (1, 1), (1, 1), (1, 1)),
        ("日\nb", -4, (0, 0), (0, 0), (0, 0)),
    ],
)
def test_positions(
    text: str, offset: int, utf8: tuple[int, int], utf16: tuple[int, int], utf32: tuple[int, int]
) -> None:
    source = Source(text)
    assert [source.position(offset, encoding) for encoding in (UTF8, UTF16, UTF32)] == [utf8, utf16, utf32]


@pytest.mark.parametrize(
    ("text", "position", "encoding", "offset"),
    [
        ("abc\nde", (1, 1), UTF16, 5),
        ("abc\nde", (0, 99), UTF16, 3),
        ("abc\r\nde", (0, 4), UTF16, 3),
        ("abc\nde", (2, 0), UTF16, 6),
        ("abc\nde", (-1, 5), UTF16, 0),
        ("abc\nde", (1, -5), UTF16, 4),
        ("a😀b", (0, 2), UTF16, 1),
        ("a😀b", (0, 3), UTF16, 2),
        ("a😀b", (0, 4), UTF8, 1),
        ("a日b", (0, 3), UTF8, 1),
        ("a日b", (0, 4), UTF8, 2),
        ("a😀b", (0, 2), UTF32, 2),
        ("\ud83d\ude00b", (0, 1), UTF16, 1),
        ("é" * 1500, (0, 2999), UTF8, 1499),
        ("é" * 1500, (0, 3000), UTF8, 1500),
        ("é" * 1500, (0, 9999), UTF8, 1500),
        ("😀" * 2048 + "\n", (0, 4096), UTF16, 2048),
        ("😀" * 2048 + "\n", (0, 2049), UTF16, 1024),
    ],
)
def test_offsets_clamp(text: str, position: tuple[int, int], encoding: Encoding, offset: int) -> None:
    assert Source(text).offset(Position(*position), encoding) == offset


@pytest.mark.parametrize(
    ("span", "lines"), [((0, 0), 1), ((0, 2), 1), ((0, 3), 2), ((1, 6), 3), ((2, 2), 1), ((3, 5), 1)]
)
def test_lines_touched(span: tuple[int, int], lines: int) -> None:
    assert Source("a\nbb\nc").lines_touched(Span(*span)) == lines


@pytest.mark.parametrize(
    ("text", "change", "result"),
    [
        ("abc\nZ", Change(Position(1, 9), Position(1, 9), "f"), "abc\nZf"),
        ("a\r\nb", Change(Position(0, 1), Position(1, 0), ""), "ab"),
        ("a\r\nb", Change(Position(0, 9), Position(0, 9), "x"), "ax\r\nb"),
        ("a\rb", Change(Position(1, 0), Position(1, 0), "\n"), "a\r\nb"),
        ("a\nb", Change(Position(0, 1), Position(0, 1), "\r"), "a\r\nb"),
        ("a\r\rb\n", Change(Position(1, 0), Position(2, 1), ""), "a\r\n"),
        ("old", Change(None, None, "new\n"), "new\n"),
        ("ab", Change(Position(0, 1), None, "-"), "a-b"),
    ],
)
def test_edits(text: str, change: Change, result: str) -> None:
    edited = Source(text).apply([change], UTF16)
    assert edited.text == result
    assert index(edited) == slow_lines(result)


@pytest.mark.parametrize("end", [Position(0, 1), Position(0, 99)])
def test_a_reversed_range_is_refused(end: Position) -> None:
    source = Source("ab\ncd")
    with pytest.raises(InvalidRange):
        source.apply([Change(Position(1, 0), end, "x")], UTF16)
    assert source.text == "ab\ncd"


@pytest.mark.parametrize(
    ("data", "text", "bom"),
    [
        (b"", "", False),
        ("a😀".encode(), "a😀", False),
        (b"\xef\xbb\xbfa", "a", True),
        (b"\xef\xbb\xbf\xef\xbb\xbfa", "\ufeffa", True),
    ],
)
def test_utf8(data: bytes, text: str, bom: bool) -> None:
    source = Source.from_bytes(data)
    assert (source.text, source.bom) == (text, bom)


@pytest.mark.parametrize(
    ("data", "offset", "reason", "replaced"),
    [
        (b"ab\xffc", 2, "start byte", "ab\ufffdc"),
        (b"\xef\xbb\xbfa\xc3", 4, "end of data", "a\ufffd"),
        (b"\xed\xa0\x80", 0, "continuation", "\ufffd" * 3),
        ("\ufeffhé".encode("utf-16-le"), 0, "UTF-16", "hé"),
        ("\ufeffhé".encode("utf-16-be"), 0, "UTF-16", "hé"),
        (b"\xff\xfeh\0\0\xd8", 0, "UTF-16", "h\ufffd"),
    ],
)
def test_not_utf8(data: bytes, offset: int, reason: str, replaced: str) -> None:
    with pytest.raises(NotUtf8) as caught:
        Source.from_bytes(data)
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):  # noqa: S301 - made here
        assert error.offset == offset
        assert reason in error.reason
        assert error.replaced.text == replaced


@given(texts)
def test_the_index_is_the_models(text: str) -> None:
    assert index(Source(text)) == slow_lines(text)


@given(texts | long_lines, encodings, st.data())
def test_positions_are_the_models(text: str, encoding: Encoding, data: st.DataObject) -> None:
    source = Source(text)
    offset = data.draw(st.integers(-2, len(text) + 2))
    assert source.position(offset, encoding) == slow_position(text, offset, encoding)


@given(texts | long_lines, encodings, st.data())
def test_offsets_are_the_models(text: str, encoding: Encoding, data: st.DataObject) -> None:
    line = data.draw(st.integers(-1, text.count("\n") + 2))
    position = Position(line, data.draw(st.integers(-2, 4 * len(text) + 4)))
    assert Source(text).offset(position, encoding) == slow_offset(text, position, encoding)


@given(texts, encodings)
def test_offset_and_position_are_inverse(text: str, encoding: Encoding) -> None:
    source = Source(text)
    for offset in range(len(text) + 1):
        inside_crlf = text[offset - 1 : offset + 1] == "\r\n" and offset > 0
        expected = offset - 1 if inside_crlf else offset
        assert source.offset(source.position(offset, encoding), encoding) == expected


@st.composite
def changes(draw: st.DrawFn) -> Change:
    if draw(st.integers(0, 9)) == 0:
        return Change(None, None, draw(texts))
    start, end = sorted([draw(positions), draw(positions)])
    return Change(start, end, draw(texts))


@given(texts, st.lists(changes(), max_size=6), encodings)
def test_edits_are_the_models(text: str, edits: list[Change], encoding: Encoding) -> None:
    source = Source(text)
    edited = source.apply(edits, encoding)
    assert edited.text == slow_apply(text, edits, encoding)
    assert index(edited) == index(Source(edited.text))
    assert source.text == text
    assert index(source) == slow_lines(text)


def test_a_source_pickles() -> None:
    source = Source("a\nb", bom=True)
    source.position(3)
    copy = pickle.loads(pickle.dumps(source))  # noqa: S301 - made here
    assert (copy.text, copy.bom, index(copy)) == ("a\nb", True, index(source))
