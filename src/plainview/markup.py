"""Markdown structure as labels on exact source ranges; it labels context and never hides text.

markdown-it-py finds the blocks; its line ranges and the recorded places of inline code and inline HTML are
turned into code point offsets here. Only what labels need is parsed: links and emphasis are left alone,
which also keeps the time linear on hostile brackets and asterisks.

A parse covers a range of whole lines (`parse_lines`), so that an edit can re-parse a window of blocks.
"""

from __future__ import annotations

import enum
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from plainview.finding import Span
from plainview.text import Source

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

# CommonMark sets no limit and markdown-it-py's preset stops at 20. Thirty levels occur in hostile files;
# each level costs the parser a few stack frames, so the limit stays well below Python's.
MAX_NESTING = 60


class RegionKind(enum.Enum):
    """What a leaf of the page is."""

    PROSE = "prose"
    HEADING = "heading"
    CELL = "table cell"
    FENCE = "fence"
    INDENTED_CODE = "indented code"
    INLINE_CODE = "inline code"
    HTML_BLOCK = "HTML block"
    HTML_INLINE = "inline HTML"
    DEFINITION = "link definition"
    RULE = "thematic break"


_BACKTICKS = re.compile("`+")
_ESCAPED_OR_BACKTICKS = re.compile(r"\\.|`+", re.DOTALL)

CODE = frozenset({RegionKind.FENCE, RegionKind.INDENTED_CODE, RegionKind.INLINE_CODE})
CODE_BLOCKS = frozenset({RegionKind.FENCE, RegionKind.INDENTED_CODE})
HTML = frozenset({RegionKind.HTML_BLOCK, RegionKind.HTML_INLINE})


class Region(NamedTuple):
    """A leaf of the page: its range, what it is, and what it stands in.

    The range runs from the first character of the content, behind list and quotation markers, to the end
    of its last line. Inline code and inline HTML lie within the prose, heading or cell that holds them.
    `level` is a heading's level from 1, `info` a fence's info string.
    """

    span: Span
    kind: RegionKind
    quoted: bool = False
    listed: bool = False
    level: int = 0
    info: str = ""


class Block(NamedTuple):
    """A top-level block: its lines from 0 (the end excluded), its name and its leaves in order."""

    first_line: int
    end_line: int
    name: str
    regions: tuple[Region, ...]


class Section(NamedTuple):
    """A top-level heading and what follows until the next heading of its level or above."""

    title: str
    level: int
    heading: Span
    span: Span


class Markup:
    """The blocks of a text, and which leaf stands at an offset."""

    __slots__ = ("_inline", "_inline_starts", "_leaves", "_starts", "blocks", "source")

    def __init__(self, source: Source, blocks: Sequence[Block]) -> None:
        self.source = source
        self.blocks = tuple(blocks)
        inline = (RegionKind.INLINE_CODE, RegionKind.HTML_INLINE)
        regions = [region for block in self.blocks for region in block.regions]
        self._leaves = [region for region in regions if region.kind not in inline]
        self._inline = [region for region in regions if region.kind in inline]
        self._starts = [region.span.start for region in self._leaves]
        self._inline_starts = [region.span.start for region in self._inline]

    def leaves(self) -> Sequence[Region]:
        """Every region but inline code and inline HTML, in order; they do not overlap."""
        return self._leaves

    def inline(self) -> Sequence[Region]:
        """Inline code and inline HTML, in order; they do not overlap."""
        return self._inline

    def html(self) -> list[Region]:
        """HTML blocks and inline HTML, in order."""
        found = [region for region in self._leaves if region.kind is RegionKind.HTML_BLOCK]
        found += [region for region in self._inline if region.kind is RegionKind.HTML_INLINE]
        return sorted(found)

    def leaf_at(self, offset: int) -> Region | None:
        """The leaf that holds the character at `offset`; None between blocks and in a header."""
        return _at(self._leaves, self._starts, offset)

    def inline_at(self, offset: int) -> Region | None:
        """The inline code or inline HTML that holds the character at `offset`, if any."""
        return _at(self._inline, self._inline_starts, offset)

    def in_code(self, offset: int) -> bool:
        """Whether the character at `offset` is shown as code."""
        leaf = self.leaf_at(offset)
        if leaf is not None and leaf.kind in CODE:
            return True
        inline = self.inline_at(offset)
        return inline is not None and inline.kind in CODE

    def sections(self) -> list[Section]:
        """The top-level headings with what belongs to them; text in HTML or quotations starts no section."""
        source = self.source
        heads = [
            region
            for region in self._leaves
            if region.kind is RegionKind.HEADING and not region.quoted and not region.listed
        ]
        starts = [source.line_start(source.line_of(head.span.start)) for head in heads]
        ends = [len(source.text)] * len(heads)
        # The levels above are at most six, so looking for a heading's end among them keeps this linear.
        open_at: list[int] = []
        for index, head in enumerate(heads):
            while open_at and heads[open_at[-1]].level >= head.level:
                ends[open_at.pop()] = starts[index]
            open_at.append(index)
        return [
            Section(source.text[head.span.start : head.span.end], head.level, head.span, Span(start, end))
            for head, start, end in zip(heads, starts, ends, strict=True)
        ]


def parse(source: Source, start: int = 0) -> Markup:
    """The structure of `source` from the line that holds offset `start` (the end of a header) on."""
    first = source.line_of(start)
    return Markup(source, parse_lines(source, first, source.line_count))


def parse_lines(source: Source, first: int, end: int) -> list[Block]:
    """The top-level blocks of the lines from `first` to before `end`, as if the page were only they."""
    lines = source.lines(first, end)
    tokens = _block_tokens("\n".join(lines))
    places = _Places(source, lines, first)
    return list(_blocks(tokens, places))


def _at(regions: Sequence[Region], starts: Sequence[int], offset: int) -> Region | None:
    index = bisect_right(starts, offset) - 1
    if index >= 0 and offset < regions[index].span.end:
        return regions[index]
    return None


def _block_tokens(text: str) -> list[Token]:
    parser = _parser()
    tokens: list[Token] = []
    parser.block.parse(text.replace("\0", "\ufffd"), parser, {}, tokens)
    return tokens


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING, "inline_definitions": True})
    parser.enable("table")
    parser.inline.ruler.enableOnly(["text", "escape", "backticks", "autolink", "html_inline"])
    for name, kind in (("backticks", "code_inline"), ("html_inline", "html_inline")):
        rule = next(entry.fn for entry in parser.inline.ruler.__rules__ if entry.name == name)
        parser.inline.ruler.at(name, _recording(rule, kind))
    return parser


def _recording(rule: Any, kind: str) -> Any:
    """The inline rule, noting in each token of `kind` where in the inline text it stands."""

    def record(state: Any, silent: bool) -> bool:
        start = state.pos
        if not rule(state, silent):
            return False
        if not silent and state.tokens and state.tokens[-1].type == kind:
            state.tokens[-1].meta.setdefault("place", (start, state.pos))
        return True

    return record


class _Places:
    """Finds where the parser's content stands in the source."""

    def __init__(self, source: Source, lines: Sequence[str], first: int) -> None:
        self._source = source
        self._lines = lines
        self._first = first
        self._row = (-1, 0)

    def line(self, line: int) -> int:
        """The source's line of a line of the parse."""
        return self._first + line

    def start(self, line: int) -> int:
        return self._source.line_start(self._first + line)

    def block(self, token: Token) -> Span:
        """A leaf block, from its first character to the end of its last line that is not blank."""
        first, end = token.map or (0, 1)
        last = min(max(first, end - 1), len(self._lines) - 1)
        while last > first and not self._lines[last].strip():
            last -= 1
        line = self._lines[first].replace("\0", "\ufffd")
        column = len(line) - len(line.lstrip())
        # An HTML block or fence starts behind its container's markers, where its own text does.
        own = token.content.split("\n", 1)[0].strip() if token.type == "html_block" else token.markup
        if own:
            column = max(line.rfind(own) if token.type == "html_block" else line.find(own), column)
        return Span(self.start(first) + column, self.start(last) + len(self._lines[last]))

    def content(self, token: Token) -> list[int]:
        """For each line of an inline token's content, the offset at which it starts in the source.

        The parser strips container markers and indentation before a line and blanks after the last, so
        what is left of a line is the tail of the source's, or within it for headings and setext titles.
        """
        lines: list[int] = token.map or [0, 0]
        found = []
        for index, part in enumerate(token.content.split("\n")):
            line = min(lines[0] + index, len(self._lines) - 1)
            text = self._lines[line].replace("\0", "\ufffd")
            stripped = part.lstrip(" \t")
            column = len(text) - len(stripped) if text.endswith(stripped) else text.rfind(stripped)
            found.append(self.start(line) + max(column, 0) - (len(part) - len(stripped)))
        return found

    def cell(self, token: Token) -> Span | None:
        """Where a table cell's content stands; cells of a row must be asked for in order."""
        if not token.content or not token.map:
            return None
        line = token.map[0]
        cursor = self._row[1] if self._row[0] == line else 0
        text = self._lines[line].replace("\0", "\ufffd")
        written = token.content.replace("|", "\\|")
        column = text.find(written, cursor)
        if column < 0:
            return None
        self._row = (line, column + len(written))
        return Span(self.start(line) + column, self.start(line) + column + len(written))


_CONTAINERS = {
    "paragraph_open": "paragraph",
    "heading_open": "heading",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "blockquote_open": "quotation",
    "table_open": "table",
    "fence": "fence",
    "code_block": "indented code",
    "html_block": "HTML block",
    "hr": "thematic break",
    "definition": "link definition",
}

_LEAVES = {
    "fence": RegionKind.FENCE,
    "code_block": RegionKind.INDENTED_CODE,
    "html_block": RegionKind.HTML_BLOCK,
    "hr": RegionKind.RULE,
    "definition": RegionKind.DEFINITION,
}


def _blocks(tokens: Sequence[Token], places: _Places) -> Iterator[Block]:
    begin = 0
    while begin < len(tokens):
        opening = tokens[begin]
        end = begin + 1
        if opening.nesting == 1:
            while tokens[end].level != opening.level or tokens[end].nesting != -1:
                end += 1
            end += 1
        lines = opening.map or [0, 0]
        regions = tuple(_regions(tokens[begin:end], places))
        name = _CONTAINERS.get(opening.type, opening.type)
        yield Block(places.line(lines[0]), places.line(lines[1]), name, regions)
        begin = end


def _regions(tokens: Sequence[Token], places: _Places) -> Iterator[Region]:
    quotes = lists = level = 0
    in_table = False
    for token in tokens:
        kind = token.type
        if kind == "blockquote_open":
            quotes += 1
        elif kind == "blockquote_close":
            quotes -= 1
        elif kind == "list_item_open":
            lists += 1
        elif kind == "list_item_close":
            lists -= 1
        elif kind in ("table_open", "table_close"):
            in_table = kind == "table_open"
        elif kind == "heading_open":
            level = int(token.tag[1])
        elif kind == "heading_close":
            level = 0
        elif kind in _LEAVES:
            span = places.block(token)
            yield Region(span, _LEAVES[kind], quotes > 0, lists > 0, info=token.info.strip())
        elif kind == "inline":
            yield from _inline_regions(token, places, (quotes > 0, lists > 0, level, in_table))


def _inline_regions(token: Token, places: _Places, context: tuple[bool, bool, int, bool]) -> Iterator[Region]:
    quoted, listed, level, in_table = context
    if in_table:
        span = places.cell(token)
        if span is None:
            return
        yield Region(span, RegionKind.CELL, quoted, listed)
        starts = [span.start]
    else:
        starts = places.content(token)
        last = token.content.rsplit("\n", 1)[-1]
        kind = RegionKind.HEADING if level else RegionKind.PROSE
        yield Region(Span(starts[0], starts[-1] + len(last)), kind, quoted, listed, level)
    if "`" not in token.content and "<" not in token.content:
        return
    offsets = _ContentMap(token.content, starts, in_table)
    for name, begin, end in _inline_places(token.content):
        inline = RegionKind.INLINE_CODE if name == "code_inline" else RegionKind.HTML_INLINE
        yield Region(Span(offsets.source(begin), offsets.source(end)), inline, quoted, listed)


def _inline_places(content: str) -> Iterator[tuple[str, int, int]]:
    if "<" not in content:
        yield from _code_spans(content)
        return
    parser = _parser()
    tokens: list[Token] = []
    parser.inline.parse(content, parser, {}, tokens)
    for token in tokens:
        if "place" in token.meta:
            begin, end = token.meta["place"]
            yield token.type, begin, end


def _code_spans(content: str) -> Iterator[tuple[str, int, int]]:
    """The inline code of a text without HTML (CommonMark 0.31, 6.1), which is what most inline text comes to."""
    closing: dict[int, list[int]] = {}
    for run in _BACKTICKS.finditer(content):
        closing.setdefault(run.end() - run.start(), []).append(run.start())
    position = 0
    while (opening := _ESCAPED_OR_BACKTICKS.search(content, position)) is not None:
        begin, position = opening.span()
        if content[begin] == "\\":
            continue
        width = position - begin
        ends = closing.get(width, ())
        index = bisect_left(ends, position)
        if index < len(ends):
            position = ends[index] + width
            yield "code_inline", begin, position


class _ContentMap:
    """Maps offsets in an inline token's content to offsets in the source."""

    def __init__(self, content: str, starts: Sequence[int], is_cell: bool) -> None:
        self._content = content
        self._starts = starts
        self._is_cell = is_cell
        self._lines = [0]
        for part in content.split("\n")[:-1]:
            self._lines.append(self._lines[-1] + len(part) + 1)

    def source(self, offset: int) -> int:
        """The source offset of the content's character at `offset`."""
        line = bisect_right(self._lines, offset) - 1
        found = self._starts[line] + offset - self._lines[line]
        # A bar inside a cell is written with a backslash that the parser has taken away.
        return found + self._content.count("|", 0, offset) if self._is_cell else found
