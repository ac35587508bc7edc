"""The header of a file, with the place of every key and value.

A header starts on the first line with `---` (YAML) or `+++` (TOML) and ends at the next such line. Where YAML
fails it is read line by line, as lenient hosts do. Plain values resolve as in YAML 1.2's core schema, which the
hosts' JavaScript parsers follow, so `yes`, `on` and dates are strings. Whatever the text, nothing here raises,
and the time is linear in it. All offsets are code points into the whole text.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from plainview import late
from plainview.finding import Span

if TYPE_CHECKING:
    from yaml.events import Event, ScalarEvent

_MAX_LENGTH = 1 << 16
_MAX_DEPTH = 32
# Each level of a map that YAML refuses is split into lines once more.
_MAX_WRITTEN_DEPTH = 4
# What starting a parser costs, in characters that it could have read meanwhile.
_PARSER_START_UP = 256

_OPENING = re.compile(r"(---|\+\+\+)([ \t]*)(?:\r\n?|\n|\Z)")
_CLOSING = {
    "---": re.compile(r"[\r\n](?:---|\.\.\.)[ \t]*(?:\r\n?|\n|\Z)"),
    "+++": re.compile(r"[\r\n]\+\+\+[ \t]*(?:\r\n?|\n|\Z)"),
}
_BLANKS = " \t\r\n"
_ANY_BLANKS = re.compile(r"[ \t\r\n]*")
_LINE = re.compile(r"[^\r\n]+")
_BLANK_START = re.compile(r"[ \t]*")
_KEY = re.compile(
    r"""(?:"(?P<double>[^"\r\n]*)"|'(?P<single>[^'\r\n]*)'"""
    r"""|(?P<plain><<|(?![-?][ \t])[^ \t\r\n'"#*<>|\[\]}!&@%`,:][^ \t\r\n]*?))[ \t]*:(?=[ \t\r\n]|\Z)"""
)
_ITEM = re.compile(r"-(?=[ \t\r\n]|\Z)[ \t]*")
_BLOCK_SCALAR = re.compile(r"[|>][-+0-9]{0,2}(?:[ \t]+#.*)?")
# YAML 1.1 breaks lines at the first three and drops the fourth at the start; YAML 1.2 and the hosts do neither.
_UNLIKE_YAML_1_2 = "\x85\u2028\u2029\ufeff"
_ANY_UNLIKE = late.pattern(f"[{_UNLIKE_YAML_1_2}]")

_INTEGER = re.compile(r"[-+]?[0-9]{1,100}|0o[0-7]{1,100}|0x[0-9a-fA-F]{1,100}")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NAMED: Mapping[str, object] = {
    **dict.fromkeys(["", "~", "null", "Null", "NULL"], None),
    **dict.fromkeys(["true", "True", "TRUE"], True),
    **dict.fromkeys(["false", "False", "FALSE"], False),
    **{f"{sign}.{inf}": float("inf") for sign in ["", "+"] for inf in ["inf", "Inf", "INF"]},
    **{f"-.{inf}": float("-inf") for inf in ["inf", "Inf", "INF"]},
    **{f".{nan}": float("nan") for nan in ["nan", "NaN", "NAN"]},
}
_CORE_TAGS = {f"tag:yaml.org,2002:{name}" for name in ["null", "bool", "int", "float"]}

_TOML_KEY = re.compile(r"""[ \t]*(?:"([^"\r\n]*)"|'([^'\r\n]*)'|([A-Za-z0-9_-]+))[ \t]*(?:\.[^=\r\n]*)?=[ \t]*""")
_TOML_TABLE = re.compile(r"""[ \t]*\[\[?[ \t]*(?:"([^"\r\n]*)"|'([^'\r\n]*)'|([A-Za-z0-9_-]+))""")
_TOML_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)")
# Messages name keys, and a message is no place for what a hostile file says.
_TOML_QUOTATION = re.compile(r"""\(['"].*\)|(['"]).{9,}\1""")
# The standard library's reader takes quadratic time over the parts of one dotted key.
_TOML_DEEP_KEY = re.compile(
    r"""(?:\.[ \t]*(?:[A-Za-z0-9_-]+|"[^"\r\n]*"|'[^'\r\n]*')[ \t]*){%d}""" % _MAX_DEPTH  # noqa: UP031
)


class Problem(msgspec.Struct, frozen=True):
    """Why the header cannot be read as its format says, and where."""

    message: str
    span: Span


class Entry(msgspec.Struct, frozen=True):
    """One key with its value.

    `key_span` and `value_span` cover what is written, quotes, tags and anchors included; an empty value's span is
    empty. `value` is a str, bool, int, float, None, list or dict. `text` is the value as one string: a list's
    items joined by ", ", a map's as "key: value", and "" for null. `entries` are those of a map; reached
    through an alias, they stand where the map is written. Nested TOML entries have the span of the outermost.
    """

    key: str
    key_span: Span
    value: object
    value_span: Span
    text: str
    entries: tuple[Entry, ...] = ()


class Frontmatter(msgspec.Struct, frozen=True):
    """A header.

    `span` runs from the opening fence to the end of the closing fence's line, line end included; `content_span`
    is what stands between the fence lines; the body starts at `body_start`. `loose_opening`: blanks follow the
    opening fence. `lenient`: the format's parser failed, `problem` says why, and entries were read line by line.
    `closed` False: the closing fence is missing, hence no header, all three spans are at 0 and all is body.
    """

    span: Span
    content_span: Span
    body_start: int
    form: Literal["yaml", "toml"]
    entries: tuple[Entry, ...] = ()
    problem: Problem | None = None
    lenient: bool = False
    closed: bool = True
    loose_opening: bool = False

    def get(self, key: str) -> Entry | None:
        """The entry of a top-level key, the last one where it is repeated."""
        return next((entry for entry in reversed(self.entries) if entry.key == key), None)

    def text_of(self, key: str) -> str | None:
        """The value of a top-level key as one string; None where there is no such key."""
        entry = self.get(key)
        return None if entry is None else entry.text

    def value_of(self, key: str) -> object:
        """The value of a top-level key; None where there is no such key."""
        entry = self.get(key)
        return None if entry is None else entry.value


def parse(text: str) -> Frontmatter | None:
    """The header that `text` (without its byte order mark) starts with, or None.

    A leading `---` is a thematic break, hence no header, where no `key:` line follows before the next one. A
    header that is never closed comes back with `closed` False.
    """
    return _parse_at(text, 0)


def misplaced(text: str) -> Frontmatter | None:
    """The closed YAML header that stands behind blank lines or HTML comments only, or None.

    Hosts look at the first line alone, so they do not read it.
    """
    start = _after_comments(text)
    if start == 0 or text[start - 1] not in "\r\n" or not text.startswith("---", start):
        return None
    opening = _OPENING.match(text, start)
    if opening is None or not _KEY.match(text, opening.end()):
        return None
    header = _parse_at(text, start)
    return header if header is not None and header.closed else None


def _after_comments(text: str) -> int:
    at = _blanks_end(text, 0)
    while text.startswith("<!--", at):
        # `<!-->` is a whole comment (CommonMark 0.31, section 6.6).
        end = text.find("-->", at + 2)
        if end < 0:
            return at
        at = _blanks_end(text, end + 3)
    return at


def _blanks_end(text: str, start: int) -> int:
    found = _ANY_BLANKS.match(text, start)
    return found.end() if found else start


def _parse_at(text: str, start: int) -> Frontmatter | None:
    opening = _OPENING.match(text, start)
    if opening is None or opening.end() == len(text):
        return None
    fence = opening[1]
    closing = _CLOSING[fence].search(text, opening.end() - 1)
    if closing is None:
        return _unclosed(text, opening)
    content = Span(opening.end(), closing.start() + 1)
    read = _read_yaml(text, content) if fence == "---" else _read_toml(text, content)
    if not read.entries and text[content.start : content.end].strip(_BLANKS):
        return None
    return Frontmatter(
        span=Span(start, closing.end()),
        content_span=content,
        body_start=closing.end(),
        form="yaml" if fence == "---" else "toml",
        entries=read.entries,
        problem=read.problem,
        lenient=read.problem is not None,
        loose_opening=bool(opening[2]),
    )


def _unclosed(text: str, opening: re.Match[str]) -> Frontmatter | None:
    first = _first_significant(text, Span(opening.end(), len(text)))
    key = _KEY if opening[1] == "---" else _TOML_KEY
    if first is None or not key.match(text, first):
        return None
    return Frontmatter(
        span=Span(0, 0),
        content_span=Span(0, 0),
        body_start=0,
        form="yaml" if opening[1] == "---" else "toml",
        problem=Problem(f"the header that starts here has no closing {opening[1]}", Span(*opening.span(1))),
        closed=False,
        loose_opening=bool(opening[2]),
    )


class _Reading(NamedTuple):
    """The entries of a header, read line by line if there is a problem."""

    entries: tuple[Entry, ...]
    problem: Problem | None


class _UnreadableError(Exception):
    """The format's parser gave up: `message`, and the offset into the whole text."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


def _problem_within(content: Span, error: _UnreadableError) -> Problem:
    at = min(max(error.offset, content.start), max(content.end - 1, content.start))
    return Problem(error.message, Span(at, min(at + 1, content.end)))


# YAML


def _read_yaml(text: str, content: Span) -> _Reading:
    try:
        node = _compose(text, content)
        if node is None:
            return _Reading((), None)
        if not isinstance(node.value, dict):
            raise _UnreadableError("the header is not a map of keys to values", node.span.start)
        return _Reading(node.entries, None)
    except _UnreadableError as error:
        first = _first_significant(text, content)
        if first is None or not _KEY.match(text, first):
            return _Reading((), None)
        return _Reading(_LineReader(text).read(content), _problem_within(content, error))


class _Node(NamedTuple):
    """A value read. `height` counts the levels below it, `size` what writing it out in full would take."""

    value: object
    text: str
    span: Span
    entries: tuple[Entry, ...] = ()
    height: int = 0
    size: int = 0
    is_scalar: bool = True


class _Open:
    """A list or map whose end has not come yet; a map's children are keys and values by turns."""

    __slots__ = ("anchor", "children", "is_map", "start")

    def __init__(self, is_map: bool, start: int, anchor: str | None) -> None:
        self.is_map = is_map
        self.start = start
        self.anchor = anchor
        self.children: list[_Node] = []


def _compose(text: str, part: Span) -> _Node | None:
    """The one YAML document in `part`, None where it is empty. Raises _UnreadableError."""
    import yaml

    source = text[part.start : part.end]
    if len(source) > _MAX_LENGTH:
        raise _UnreadableError(f"the header is longer than {_MAX_LENGTH:,} characters", part.start)
    unprintable = yaml.reader.Reader.NON_PRINTABLE.search(source)
    if unprintable:
        code = f"U+{ord(unprintable[0]):04X}"
        raise _UnreadableError(f"YAML does not allow the character {code}", part.start + unprintable.start())
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    disguised, restore = _disguise(source)
    composer = _Composer(part.start, source, restore)
    try:
        return composer.compose(yaml.parse(disguised, Loader=loader))
    except yaml.MarkedYAMLError as error:
        raise _UnreadableError(*_where(error, part.start)) from None
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError) as error:
        raise _UnreadableError(f"not YAML ({type(error).__name__})", part.start) from None


def _disguise(source: str) -> tuple[str, dict[int, str]]:
    """`source` with stand-ins for what YAML 1.1 reads unlike 1.2, and the table that restores them."""
    if not _ANY_UNLIKE.search(source):
        return source, {}
    used = set(source)
    unused = (char for char in map(chr, range(0xE000, 0xF8FF)) if char not in used)
    stand_ins = {ord(char): stand_in for char, stand_in in zip(_UNLIKE_YAML_1_2, unused, strict=False)}
    return source.translate(stand_ins), {ord(stand_in): chr(code) for code, stand_in in stand_ins.items()}


def _where(error: Exception, base: int) -> tuple[str, int]:
    problem = str(getattr(error, "problem", None) or "not YAML")
    context = str(getattr(error, "context", None) or "")
    mark = getattr(error, "problem_mark", None)
    if context.startswith("while scanning") or mark is None:
        # There the problem is noticed late: at the end of the text for a quote that is never closed.
        mark = getattr(error, "context_mark", None) or mark
    return (f"{problem}, {context}" if context else problem), base + _index(mark)


def _index(mark: Any) -> int:
    """The offset of a PyYAML mark, which its stubs take for optional."""
    return int(mark.index) if mark is not None else 0


class _Composer:
    """Builds the nodes of one document from PyYAML's events.

    PyYAML's own composer recurses, and lets aliases multiply a small text without bound.
    """

    def __init__(self, base: int, source: str, restore: dict[int, str]) -> None:
        self._base = base
        self._source = source
        self._restore = restore
        self._stack: list[_Open] = []
        self._anchors: dict[str, _Node | None] = {}
        self._copied = 0
        self._root: _Node | None = None

    def compose(self, events: Iterator[Event]) -> _Node | None:
        """The document's node, None where there is none. Raises _UnreadableError and yaml.YAMLError."""
        import yaml

        for event in events:
            start, end = self._base + _index(event.start_mark), self._base + _index(event.end_mark)
            if isinstance(event, yaml.ScalarEvent):
                self._add(self._scalar(event, start, end), event.anchor)
            elif isinstance(event, yaml.AliasEvent):
                self._add(self._aliased(event.anchor or "", start, end), None)
            elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
                self._open(isinstance(event, yaml.MappingStartEvent), start, event.anchor)
            elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
                opened = self._stack.pop()
                self._add(_closed(opened, end if end > start else None), opened.anchor)
            elif isinstance(event, yaml.DocumentStartEvent) and self._root is not None:
                raise _UnreadableError("a second document starts inside the header", start)
        return self._root

    def _open(self, is_map: bool, start: int, anchor: str | None) -> None:
        if len(self._stack) == _MAX_DEPTH:
            raise _UnreadableError(f"nested more than {_MAX_DEPTH} levels deep", start)
        if anchor:
            self._anchors[anchor] = None
        self._stack.append(_Open(is_map, start, anchor))

    def _add(self, node: _Node, anchor: str | None) -> None:
        if anchor:
            self._anchors[anchor] = node
        if not self._stack:
            self._root = node
            return
        parent = self._stack[-1]
        if parent.is_map and len(parent.children) % 2 == 0 and not node.is_scalar:
            raise _UnreadableError("a key must be a plain value, not a list or a map", node.span.start)
        parent.children.append(node)

    def _aliased(self, anchor: str, start: int, end: int) -> _Node:
        node = self._anchors.get(anchor)
        if node is None:
            inside = anchor in self._anchors
            raise _UnreadableError("an alias inside its own anchor" if inside else "unknown alias", start)
        self._copied += node.size
        if self._copied > _MAX_LENGTH or len(self._stack) + node.height > _MAX_DEPTH:
            raise _UnreadableError("aliases multiply the header beyond measure", start)
        return node._replace(span=Span(start, end))

    def _scalar(self, event: ScalarEvent, start: int, end: int) -> _Node:
        if event.style in ("|", ">"):
            written = self._source[start - self._base : end - self._base]
            end = start + len(written.rstrip(_BLANKS))
        text: str = event.value.translate(self._restore) if self._restore else event.value
        value = _resolved(text) if event.implicit[0] or event.tag in _CORE_TAGS else text
        return _Node(value, text, Span(start, end), size=len(text) + 1)


def _closed(opened: _Open, end: int | None) -> _Node:
    children = opened.children
    if end is None:
        end = children[-1].span.end if children else opened.start
    span = Span(opened.start, max(opened.start, end))
    height = 1 + max((child.height for child in children), default=0)
    size = 1 + sum(child.size for child in children)
    if not opened.is_map:
        values = [child.value for child in children]
        return _Node(values, ", ".join(map(_shown, children)), span, (), height, size, False)
    entries = tuple(
        Entry(key.text, key.span, value.value, value.span, _shown(value), value.entries)
        for key, value in zip(children[::2], children[1::2], strict=True)
    )
    return _Node(_as_dict(entries), _as_text(entries), span, entries, height, size, False)


def _shown(node: _Node) -> str:
    return "" if node.value is None else node.text


def _as_dict(entries: tuple[Entry, ...]) -> dict[str, object]:
    return {entry.key: entry.value for entry in entries}


def _as_text(entries: tuple[Entry, ...]) -> str:
    return ", ".join(f"{entry.key}: {entry.text}" for entry in entries)


def _resolved(text: str) -> object:
    """What a plain scalar means in the core schema (YAML 1.2.2, section 10.3.2)."""
    if text in _NAMED:
        return _NAMED[text]
    if text[0] not in "+-.0123456789":
        return text
    if _INTEGER.fullmatch(text):
        base = {"0o": 8, "0x": 16}.get(text[:2], 10)
        return int(text, base)
    return float(text) if _FLOAT.fullmatch(text) else text


# Line by line


def _lines(text: str, part: Span) -> Iterator[Span]:
    """The lines of `part` that are not empty, without their line ends."""
    return (Span(*found.span()) for found in _LINE.finditer(text, part.start, part.end))


def _indented_start(text: str, line: Span) -> int:
    found = _BLANK_START.match(text, line.start, line.end)
    return found.end() if found else line.start


def _first_significant(text: str, part: Span) -> int | None:
    """Where the first line that is neither blank nor a comment starts, behind its blanks."""
    for line in _lines(text, part):
        start = _indented_start(text, line)
        if start < line.end and text[start] != "#":
            return start
    return None


def _stripped(text: str, span: Span) -> Span:
    start = _indented_start(text, span)
    return Span(start, start + len(text[start : span.end].rstrip(_BLANKS)))


class _KeyLines(NamedTuple):
    """A key with the rest of its line, and the lines that follow and belong to it."""

    key: str
    key_span: Span
    first: Span
    rest: list[Span]

    @property
    def end(self) -> int:
        """Where the last of the lines ends."""
        return self.rest[-1].end if self.rest else self.first.end


class _LineReader:
    """Reads a header that YAML refuses: each key by itself as YAML if it can be, else as it is written."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._yaml_left = _MAX_LENGTH

    def read(self, part: Span, depth: int = 0) -> tuple[Entry, ...]:
        return tuple(self._entry(lines, depth) for lines in self._split(part))

    def _split(self, part: Span) -> list[_KeyLines]:
        """Lines that stand no deeper than the first and are no `key:` belong to no key."""
        text = self._text
        first = _first_significant(text, part)
        if first is None:
            return []
        found: list[_KeyLines] = []
        current: _KeyLines | None = None
        margin: int | None = None
        for line in _lines(text, part):
            start = _indented_start(text, line)
            if start == line.end:
                continue
            if text[start] == "#" and (margin is None or start - line.start <= margin):
                continue
            if margin is None:
                margin = start - line.start
            if start - line.start > margin:
                if current is not None:
                    current.rest.append(line)
                continue
            key = _KEY.match(text, start, line.end)
            if key:
                current = _key_lines(text, key, line)
                found.append(current)
            elif current is not None and _is_empty(text, current.first) and _ITEM.match(text, start, line.end):
                current.rest.append(line)
            else:
                current = None
        return found

    def _entry(self, lines: _KeyLines, depth: int) -> Entry:
        return self._as_yaml(lines) or self._as_written(lines, depth)

    def _as_yaml(self, lines: _KeyLines) -> Entry | None:
        part = Span(lines.key_span.start, lines.end)
        self._yaml_left -= part.end - part.start + _PARSER_START_UP
        if self._yaml_left < 0:
            return None
        try:
            node = _compose(self._text, part)
        except _UnreadableError:
            return None
        return node.entries[0] if node is not None and len(node.entries) == 1 else None

    def _as_written(self, lines: _KeyLines, depth: int) -> Entry:
        text, first = self._text, lines.first
        rest = [_stripped(text, line) for line in lines.rest]
        if not _is_empty(text, first):
            return self._as_prose(lines, rest)
        rest = [line for line in rest if text[line.start] != "#"]
        if not rest:
            return Entry(lines.key, lines.key_span, None, Span(first.start, first.start), "")
        whole = Span(rest[0].start, rest[-1].end)
        if _ITEM.match(text, whole.start, whole.end):
            items = [_written_scalar(item) for item in _items(text, rest)]
            shown = ", ".join(item for _, item in items)
            return Entry(lines.key, lines.key_span, [value for value, _ in items], whole, shown)
        if depth < _MAX_WRITTEN_DEPTH and _KEY.match(text, rest[0].start, rest[0].end):
            inner = self.read(Span(lines.rest[0].start, lines.end), depth + 1)
            return Entry(lines.key, lines.key_span, _as_dict(inner), whole, _as_text(inner), inner)
        joined = " ".join(text[line.start : line.end] for line in rest)
        return Entry(lines.key, lines.key_span, joined, whole, joined)

    def _as_prose(self, lines: _KeyLines, rest: list[Span]) -> Entry:
        text, first = self._text, lines.first
        if not rest:
            value, shown = _written_scalar(text[first.start : first.end])
            return Entry(lines.key, lines.key_span, value, first, shown)
        joined = _joined(text, first, rest)
        return Entry(lines.key, lines.key_span, joined, Span(first.start, rest[-1].end), joined)


def _key_lines(text: str, key: re.Match[str], line: Span) -> _KeyLines:
    name = next(part for part in key.groups() if part is not None)
    span = Span(key.start(), key.start() + len(key[0][:-1].rstrip(" \t")))
    return _KeyLines(name, span, _stripped(text, Span(key.end(), line.end)), [])


def _is_empty(text: str, value: Span) -> bool:
    return value.start == value.end or text[value.start] == "#"


def _joined(text: str, first: Span, rest: list[Span]) -> str:
    pieces = [text[line.start : line.end] for line in rest]
    head = text[first.start : first.end]
    if not _BLOCK_SCALAR.fullmatch(head):
        return " ".join([head, *pieces])
    return "\n".join(pieces) if head[0] == "|" else " ".join(pieces)


def _items(text: str, lines: list[Span]) -> list[str]:
    items: list[list[str]] = []
    for line in lines:
        mark = _ITEM.match(text, line.start, line.end)
        if mark:
            items.append([text[mark.end() : line.end]])
        else:
            items[-1].append(text[line.start : line.end])
    return [" ".join(pieces) for pieces in items]


def _written_scalar(written: str) -> tuple[object, str]:
    """The value and the text of an unparsed value, its quotes taken off if they enclose all of it."""
    quote = written[:1]
    if len(written) > 1 and quote in "'\"" and written.find(quote, 1) == len(written) - 1:
        return written[1:-1], written[1:-1]
    value = _resolved(written)
    return value, "" if value is None else written


# TOML


def _read_toml(text: str, content: Span) -> _Reading:
    places = _toml_places(text, content)
    try:
        values = _toml_values(text, content)
    except _UnreadableError as error:
        return _Reading(_toml_as_written(text, places), _problem_within(content, error))
    by_key = {place.key: place for place in reversed(places)}
    nowhere = Span(content.start, content.start)
    entries = []
    for key, value in values.items():
        place = by_key.get(key, _TomlPlace(key, nowhere, nowhere))
        entries.append(_toml_entry(place, value))
    return _Reading(tuple(entries), None)


class _TomlPlace(NamedTuple):
    """A key at the start of a line, and the rest of that line."""

    key: str
    key_span: Span
    value_span: Span


def _toml_places(text: str, content: Span) -> list[_TomlPlace]:
    """Top-level keys and tables by line; a line inside a multi-line string may pass for one."""
    places = []
    in_table = False
    for line in _lines(text, content):
        table = _TOML_TABLE.match(text, line.start, line.end)
        in_table = in_table or table is not None
        found = table if in_table else _TOML_KEY.match(text, line.start, line.end)
        if found:
            group = next(number for number in (1, 2, 3) if found[number] is not None)
            value = _stripped(text, Span(found.end(), line.end)) if not table else Span(line.end, line.end)
            places.append(_TomlPlace(found[group], Span(*found.span(group)), value))
    return places


def _toml_values(text: str, content: Span) -> dict[str, object]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    source = text[content.start : content.end]
    if len(source) > _MAX_LENGTH:
        raise _UnreadableError(f"the header is longer than {_MAX_LENGTH:,} characters", content.start)
    deep = _TOML_DEEP_KEY.search(source)
    if deep:
        raise _UnreadableError(
            f"a key of more than {_MAX_DEPTH} parts, or a line that looks like one", content.start + deep.start()
        )
    try:
        values = tomllib.loads(source)
        return {key: _toml_value(value, 1) for key, value in values.items()}
    except RecursionError:
        raise _UnreadableError(f"nested more than {_MAX_DEPTH} levels deep", content.start) from None
    except ValueError as error:
        raise _UnreadableError(*_toml_where(text, content, str(error))) from None


def _toml_where(text: str, content: Span, message: str) -> tuple[str, int]:
    found = _TOML_PLACE.search(message)
    said = _TOML_QUOTATION.sub("a key", message[: found.start()] if found else message)
    if found is None:
        return said, content.start
    offset = content.end
    if found[1]:
        # The message counts lines by their line feeds alone, and a CRLF as one character.
        lines = text[content.start : content.end].split("\n")[: int(found[1]) - 1]
        offset = content.start + sum(len(line) + 1 for line in lines) + int(found[2]) - 1
    return said, offset


def _toml_value(value: object, depth: int) -> object:
    """A TOML value with its dates as strings."""
    if depth > _MAX_DEPTH:
        raise RecursionError
    if isinstance(value, dict):
        return {key: _toml_value(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_toml_value(inner, depth + 1) for inner in value]
    return value if isinstance(value, (str, bool, int, float)) else str(value)


def _toml_entry(place: _TomlPlace, value: object) -> Entry:
    entries: tuple[Entry, ...] = ()
    if isinstance(value, dict):
        entries = tuple(_toml_entry(place._replace(key=key), inner) for key, inner in value.items())
    return Entry(place.key, place.key_span, value, place.value_span, _toml_text(value), entries)


def _toml_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_toml_text(inner)}" for key, inner in value.items())
    if isinstance(value, list):
        return ", ".join(map(_toml_text, value))
    return str(value)


def _toml_as_written(text: str, places: list[_TomlPlace]) -> tuple[Entry, ...]:
    entries = []
    for place in places:
        value, shown = _written_scalar(text[place.value_span.start : place.value_span.end])
        entries.append(Entry(place.key, place.key_span, value, place.value_span, shown))
    return tuple(entries)
