"""Markdown structure as labels on exact source ranges; it labels context and never hides text.

markdown-it-py finds the blocks; its line ranges and the recorded places of inline code and inline HTML are
turned into code point offsets here. Only what labels need is parsed: links and emphasis are left alone,
which also keeps the time linear on hostile brackets and asterisks.

A page is a row of passages: blocks that no blank line parts, and the blank lines behind them. A passage knows its
own text alone, so that whatever is worked out from it holds as long as the text does, wherever it comes to stand;
an edit parses a window of passages anew (`parse` with the page before it) and leaves the others as they are.
"""

from __future__ import annotations

import enum
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from plainview.finding import Span
from plainview.text import Source, common_head, common_tail

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

T = TypeVar("T")

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
    """A top-level block: its lines from 0 (the end excluded), its name and its leaves in order.

    Lines and ranges count from the beginning of the passage in a passage, of the page in a page.
    """

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


_Head = tuple[int, int, Span, str]


UNKNOWN = "\uffff"
"""The mark of a passage in which nothing hidden has been looked for."""


class Passage:
    """Blocks that no blank line parts, with the blank lines behind them; a heading begins one too.

    All ranges and lines count from its beginning. Blank lines at the beginning of a page belong to its first passage.
    """

    __slots__ = (
        "_bounds",
        "_inline",
        "_inline_starts",
        "_leaves",
        "_recalled",
        "_starts",
        "blocks",
        "defines",
        "detected",
        "former",
        "heads",
        "hidden",
        "html",
        "line_count",
        "mark",
        "text",
        "tokens",
    )

    def __init__(self, text: str, line_count: int, blocks: tuple[Block, ...], bounds: list[Span] | None = None) -> None:
        self.text = text
        self._bounds = bounds
        self.line_count = line_count
        self.blocks = blocks
        # What is asked of every passage at every edit has a place of its own; the modules of these names fill it.
        self.hidden: Any = None
        # What `hidden` holds, as one character, so that those of many passages make a text to be searched.
        self.mark = UNKNOWN
        self.detected: Any = None
        self.tokens: Any = None
        # What an edit made this of, until its tokens have been counted.
        self.former: Passage | None = None
        # Whether there may be HTML in it, and a definition of a link.
        self.html = "<" in text or "-->" in text
        self.defines = "]:" in text
        self.heads = _heads(self) if any(block.name == "heading" for block in blocks) else ()
        self._leaves: list[Region] | None = None
        self._inline: list[Region] = []
        self._starts: list[int] = []
        self._inline_starts: list[int] = []
        self._recalled: dict[tuple[object, ...], Any] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Passage) and self.text == other.text and self.blocks == other.blocks

    def __hash__(self) -> int:
        return hash(self.text)

    def recall(self, work: Callable[..., T], *context: Hashable) -> T:
        """What `work(passage, *context)` returns, worked out once: it must rest on nothing else."""
        key = (work, *context)
        try:
            return self._recalled[key]  # type: ignore[no-any-return]
        except KeyError:
            found = self._recalled[key] = work(self, *context)
            return found

    def bounds(self) -> list[Span]:
        """Where each block stands, from the start of its first line to the start of the line behind its last."""
        if self._bounds is None:
            source = self.source()
            self._bounds = [
                Span(source.line_start(block.first_line), source.line_start(block.end_line))
                if block.end_line < source.line_count
                else Span(source.line_start(block.first_line), len(self.text))
                for block in self.blocks
            ]
        return self._bounds

    def source(self) -> Source:
        """The passage as a text of its own."""
        return self.recall(_source)

    def leaves(self) -> Sequence[Region]:
        """Every region but inline code and inline HTML, in order; they do not overlap."""
        if self._leaves is None:
            inline = (RegionKind.INLINE_CODE, RegionKind.HTML_INLINE)
            regions = [region for block in self.blocks for region in block.regions]
            self._inline = [region for region in regions if region.kind in inline]
            self._leaves = [region for region in regions if region.kind not in inline]
            self._starts = [region.span.start for region in self._leaves]
            self._inline_starts = [region.span.start for region in self._inline]
        return self._leaves

    def inline(self) -> Sequence[Region]:
        """Inline code and inline HTML, in order; they do not overlap."""
        self.leaves()
        return self._inline

    def leaf_at(self, offset: int) -> Region | None:
        """The leaf that holds the character at `offset`, if any."""
        return _at(self.leaves(), self._starts, offset)

    def leaf_before(self, offset: int) -> Region | None:
        """The last leaf that ends at `offset` or before."""
        leaves = self.leaves()
        index = bisect_right(self._starts, offset) - 1
        # They do not overlap, so it is the one that begins there or the one before.
        while index >= 0 and leaves[index].span.end > offset:
            index -= 1
        return leaves[index] if index >= 0 else None

    def inline_at(self, offset: int) -> Region | None:
        """The inline code or inline HTML that holds the character at `offset`, if any."""
        return _at(self.inline(), self._inline_starts, offset)


class Markup:
    """The passages of a text from `start` on, and which leaf stands at an offset of the text.

    What comes before `start` is a header, and no page.
    """

    def __init__(
        self, source: Source, passages: Sequence[Passage], start: int, starts: list[int] | None = None
    ) -> None:
        """`starts`, if they are known, are the offsets at which the passages begin, and that of the end."""
        self.source = source
        self.start = start
        self.passages = passages
        self.starts = starts or list(accumulate([len(passage.text) for passage in passages], initial=start))
        self._recalled: dict[tuple[object, ...], Any] = {}
        self._leaves: list[Region] | None = None

    def recall(self, work: Callable[..., T], *context: Hashable) -> T:
        """What `work(markup, *context)` returns, worked out once: it must rest on nothing else."""
        key = (work, *context)
        if key not in self._recalled:
            self._recalled[key] = work(self, *context)
        return self._recalled[key]  # type: ignore[no-any-return]

    @property
    def blocks(self) -> list[Block]:
        """The blocks of all passages, in order."""
        return [
            Block(
                line + block.first_line,
                line + block.end_line,
                block.name,
                tuple(_moved(region, start) for region in block.regions),
            )
            for passage, start in zip(self.passages, self.starts, strict=False)
            for line in (self.source.line_of(start),)
            for block in passage.blocks
        ]

    def leaves(self) -> Sequence[Region]:
        """Every region but inline code and inline HTML, in order; they do not overlap."""
        if self._leaves is None:
            self._leaves = [
                _moved(region, start)
                for passage, start in zip(self.passages, self.starts, strict=False)
                for region in passage.leaves()
            ]
        return self._leaves

    def inline(self) -> Sequence[Region]:
        """Inline code and inline HTML, in order; they do not overlap."""
        return [
            _moved(region, start)
            for passage, start in zip(self.passages, self.starts, strict=False)
            for region in passage.inline()
        ]

    def passage_at(self, offset: int) -> int:
        """The number of the passage that holds `offset`; -1 in a header, or where there is none."""
        index = bisect_right(self.starts, offset) - 1
        return min(index, len(self.passages) - 1)

    def leaf_at(self, offset: int) -> Region | None:
        """The leaf that holds the character at `offset`; None between blocks and in a header."""
        index = self.passage_at(offset)
        if index < 0:
            return None
        start = self.starts[index]
        found = self.passages[index].leaf_at(offset - start)
        return None if found is None else _moved(found, start)

    def leaf_before(self, offset: int) -> Region | None:
        """The last leaf that ends at `offset` or before."""
        for index in range(self.passage_at(offset), -1, -1):
            start = self.starts[index]
            leaf = self.passages[index].leaf_before(offset - start)
            if leaf is not None:
                return _moved(leaf, start)
        return None

    def inline_at(self, offset: int) -> Region | None:
        """The inline code or inline HTML that holds the character at `offset`, if any."""
        index = self.passage_at(offset)
        if index < 0:
            return None
        start = self.starts[index]
        found = self.passages[index].inline_at(offset - start)
        return None if found is None else _moved(found, start)

    def in_code(self, offset: int) -> bool:
        """Whether the character at `offset` is shown as code."""
        leaf = self.leaf_at(offset)
        if leaf is not None and leaf.kind in CODE:
            return True
        inline = self.inline_at(offset)
        return inline is not None and inline.kind in CODE

    def blocks_before(self, offset: int) -> Iterator[tuple[int, int, Block]]:
        """The blocks that begin in the line of `offset` or before, the last first.

        Each comes with the offset and the line at which its passage begins, from which it counts.
        """
        line = self.source.line_of(offset)
        for index in range(self.passage_at(offset), -1, -1):
            first = self.source.line_of(self.starts[index])
            blocks = self.passages[index].blocks
            for number in range(bisect_right(blocks, line - first, key=_first_line) - 1, -1, -1):
                yield self.starts[index], first, blocks[number]

    def heads(self) -> list[tuple[int, _Head]]:
        """The top-level headings, each with the offset at which its passage begins, from which it counts."""
        return [
            (start, head)
            for start, passage in zip(self.starts, self.passages, strict=False)
            if passage.heads
            for head in passage.heads
        ]

    def sections(self) -> list[Section]:
        """The top-level headings with what belongs to them; text in HTML or quotations starts no section."""
        heads = self.heads()
        ends = [len(self.source.text)] * len(heads)
        # The levels above are at most six, so looking for a heading's end among them keeps this linear.
        open_at: list[int] = []
        for index, (start, (line, level, _, _)) in enumerate(heads):
            while open_at and heads[open_at[-1]][1][1] >= level:
                ends[open_at.pop()] = start + line
            open_at.append(index)
        return [
            Section(title, level, Span(start + heading.start, start + heading.end), Span(start + line, end))
            for (start, (line, level, heading, title)), end in zip(heads, ends, strict=True)
        ]


def parse(source: Source, start: int = 0, before: Markup | None = None) -> Markup:
    """The structure of `source` from offset `start` (the end of a header, and the start of a line) on.

    `before` is that of an earlier text: what has not changed since is taken from it.
    """
    if before is not None:
        return _reparsed(source, start, before)
    return Markup(source, list(_passages(source, start, len(source.text))), start)


def _passages(source: Source, start: int, end: int) -> Iterator[Passage]:
    """The passages of what stands from `start` to before `end`, as if the page were only that."""
    if start >= end:
        return
    first = source.line_of(start)
    last = source.line_of(end - 1) + 1 if end < len(source.text) else source.line_count
    lines = source.lines(first, last)
    places = _Places(source, lines, first)
    groups: list[list[tuple[str, int, int, Sequence[Token]]]] = [[]]
    begins = [0]
    for block in _blocks(_block_tokens("\n".join(lines))):
        name, begin = block[:2]
        # A line of more than blanks and tabs is not blank to Markdown, and the title of a link's definition runs over
        # what underlines a heading.
        opens = name == "heading" and lines[begin].lstrip(" ").startswith("#")
        if groups[-1] and (opens or not lines[begin - 1].strip(" \t")):
            groups.append([])
            begins.append(begin)
        groups[-1].append(block)
    begins.append(last - first)
    same: dict[Passage, Passage] = {}
    for group, begin, until in zip(groups, begins, begins[1:], strict=False):
        offset = places.move(begin)
        stop = end if until == last - first else source.line_start(first + until)
        blocks = []
        bounds = []
        for name, block_first, block_end, tokens in group:
            blocks.append(Block(block_first - begin, block_end - begin, name, tuple(_regions(tokens, places))))
            bounds.append(Span(places.start(block_first), min(places.line_start(block_end), stop) - offset))
        passage = Passage(source.text[offset:stop], until - begin, tuple(blocks), bounds)
        # What says the same is the same, wherever it stands.
        yield same.setdefault(passage, passage)


# Passages in the first window that is parsed after an edit, beside those that it touches: before it and behind it.
_BEFORE, _BEHIND = 1, 2
_WIDER = 4


def _reparsed(source: Source, start: int, before: Markup) -> Markup:
    """The structure, with the passages taken from the page before that lie outside of what an edit may have changed.

    Blocks end where a later line begins another, so a change reaches back into the block before it; and what follows
    is parsed as before from the first place on at which both have a passage begin.
    """
    old, new = before.source.text, source.text
    head = common_head(old, new)
    tail = common_tail(old, new, min(len(old), len(new)) - head)
    growth = len(new) - len(old)
    if before.start + growth == start and tail >= len(new) - start:
        return Markup(source, before.passages, start)
    if before.start != start or head < start or not before.passages:
        return Markup(source, list(_passages(source, start, len(new))), start)
    starts = before.starts
    first = max(bisect_right(starts, max(head - 1, 0)) - 1 - _BEFORE, 0)
    # A passage begins behind a line end, which must not have changed: nor "\r\n" have become of "\r".
    kept = bisect_right(starts, len(old) - tail + 1, hi=len(before.passages))
    within = _within_one(source, before, (head, len(old) - tail), kept, growth)
    if within is not None:
        passages = [*before.passages[: kept - 1], *within, *before.passages[kept:]]
        inner = accumulate([len(passage.text) for passage in within[:-1]], initial=starts[kept - 1])
        behind = [offset + growth for offset in starts[kept:]] if growth else starts[kept:]
        return Markup(source, passages, start, [*starts[: kept - 1], *inner, *behind])
    count = _BEHIND
    while True:
        until = kept + count
        end = starts[until] + growth if until < len(before.passages) else len(new)
        window = list(_passages(source, starts[first], end))
        offsets = {
            offset: index
            for index, offset in enumerate(accumulate((len(one.text) for one in window), initial=starts[first]))
        }
        for index in range(kept, min(until - 1, len(before.passages))):
            at = offsets.get(starts[index] + growth)
            if at is not None and at < len(window):
                between = _kept(window[:at], before.passages[first:index])
                passages = [*before.passages[:first], *between, *before.passages[index:]]
                inner = accumulate([len(passage.text) for passage in between[:-1]], initial=starts[first])
                behind = [offset + growth for offset in starts[index:]] if growth else starts[index:]
                return Markup(source, passages, start, [*starts[:first], *(inner if between else ()), *behind])
        if end == len(new):
            return Markup(source, [*before.passages[:first], *_kept(window, before.passages[first:])], start)
        count *= _WIDER


# The beginning of a line that decides, whatever follows, whether a block goes on there that began before.
_BEGINNING = re.compile(r"[^a-zA-Z\r\n]*[a-zA-Z]")


def _within_one(
    source: Source, before: Markup, changed: tuple[int, int], kept: int, growth: int
) -> list[Passage] | None:
    """What becomes of the passage before the one numbered `kept`, where an edit of it cannot have changed another.

    `changed` is what the edit replaced in the old text. Whether the block before ends where this passage begins, what
    its first line begins with decides; and whether its own last block ends, what is in it and the first line behind.
    """
    own = kept - 1
    if own < 0 or before.starts[own] >= changed[0]:
        return None
    start, old = before.starts[own], before.passages[own]
    beginning = _BEGINNING.match(old.text)
    if beginning is None or start + beginning.end() > changed[0]:
        return None
    behind = before.starts[kept] + growth if kept < len(before.passages) else len(source.text)
    line = source.line_of(behind) + 1
    window = list(_passages(source, start, source.line_start(line) if line < source.line_count else len(source.text)))
    if kept < len(before.passages):
        last = window.pop()
        if not window or start + sum(len(one.text) for one in window) != behind or not last.blocks:
            return None
    # A heading begins a passage even where no line parts it from what stands before.
    if old.blocks and old.blocks[0].name == "heading" and window[0].blocks[0].name != "heading":
        return None
    return _kept(window, before.passages[own:kept])


def _kept(fresh: list[Passage], old: Sequence[Passage]) -> list[Passage]:
    """The passages with those at both ends that are as they were before taken from there."""
    head = tail = 0
    most = min(len(fresh), len(old))
    while head < most and fresh[head] == old[head]:
        head += 1
    while tail < most - head and fresh[-1 - tail] == old[-1 - tail]:
        tail += 1
    changed, replaced = fresh[head : len(fresh) - tail], old[head : len(old) - tail]
    if len(changed) == len(replaced):
        for passage, former in zip(changed, replaced, strict=True):
            passage.former, former.former = former, None
    return [*old[:head], *changed, *old[len(old) - tail :]]


def _first_line(block: Block) -> int:
    return block.first_line


def _source(passage: Passage) -> Source:
    return Source(passage.text)


def _heads(passage: Passage) -> tuple[_Head, ...]:
    """The headings that begin a section: the start of the line, the level, the heading's place and its title."""
    text = passage.text
    return tuple(
        (max(text.rfind("\n", 0, span.start), text.rfind("\r", 0, span.start)) + 1, level, span, text[slice(*span)])
        for block in passage.blocks
        for span, kind, quoted, listed, level, _ in block.regions
        if kind is RegionKind.HEADING and not quoted and not listed
    )


def _moved(region: Region, by: int) -> Region:
    if not by:
        return region
    (start, end), kind, quoted, listed, level, info = region
    return Region(Span(start + by, end + by), kind, quoted, listed, level, info)


def _at(regions: Sequence[Region], starts: Sequence[int], offset: int) -> Region | None:
    index = bisect_right(starts, offset) - 1
    if index >= 0 and offset < regions[index].span.end:
        return regions[index]
    return None


def _block_tokens(text: str) -> list[Token]:
    # Only here, for most of a start's time goes into what is imported.
    from plainview.block_tokens import block_tokens

    return block_tokens(text.replace("\0", "\ufffd"), _parser(_needless(text)))


# What block rules find nothing without, before which stands a line's end and whatever markers of lists and quotations.
# Each rule that is left out need not be tried at every line.
_MARKERS = r"\n[ \t>*+\-0-9.)]*"
_SIGNS = {
    "lheading": re.compile(rf"{_MARKERS}(?:=|-[ \t]*(?:\n|\Z))"),
    "blockquote": re.compile(rf"{_MARKERS}>"),
    "hr": re.compile(rf"{_MARKERS}(?:(?:\*[ \t]*){{3}}|(?:-[ \t]*){{3}}|(?:_[ \t]*){{3}})"),
}
_LITERALS = {"table": "|", "html_block": "<", "reference": "]:", "heading": "#"}


def _needless(text: str) -> frozenset[str]:
    """The block rules that find nothing in the text."""
    led = f"\n{text}"
    found = [name for name, sign in _SIGNS.items() if sign.search(led) is None]
    found += [name for name, sign in _LITERALS.items() if sign not in text]
    if "```" not in text and "~~~" not in text:
        found.append("fence")
    return frozenset(found)


@cache
def _parser(without: frozenset[str] = frozenset()) -> MarkdownIt:
    """The parser `without` some of its block rules."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING, "inline_definitions": True})
    parser.enable("table")
    parser.block.ruler.disable(without)
    parser.inline.ruler.enableOnly(["text", "escape", "backticks", "autolink", "html_inline"])
    for name, kind in (("backticks", "code_inline"), ("html_inline", "html_inline")):
        rule = next(entry.fn for entry in parser.inline.ruler.__rules__ if entry.name == name)
        parser.inline.ruler.at(name, _recording(rule, kind))
    # Made now, for what makes them when they are asked for shows them to another thread half made.
    for ruler in (parser.block.ruler, parser.inline.ruler, parser.inline.ruler2):
        ruler.getRules("")
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
        # As the parser has them; no offset moves by that.
        self._lines = [line.replace("\0", "\ufffd") for line in lines] if "\0" in source.text else lines
        self._starts = source.line_starts(first, first + len(lines) + 1)
        if len(self._starts) <= len(lines):
            self._starts.append(len(source.text))
        self._origin = 0
        self._row = (-1, 0)

    def move(self, line: int) -> int:
        """Counts offsets from the start of a line of the parse from now on, and returns where that is."""
        self._origin = self._starts[line]
        return self._origin

    def start(self, line: int) -> int:
        return self._starts[line] - self._origin

    def line_start(self, line: int) -> int:
        """The source's offset at which a line of the parse begins, the end of the text behind the last."""
        return self._starts[line]

    def block(self, token: Token) -> Span:
        """A leaf block, from its first character to the end of its last line that is not blank."""
        first, end = token.map or (0, 1)
        last = min(max(first, end - 1), len(self._lines) - 1)
        while last > first and not self._lines[last].strip():
            last -= 1
        line = self._lines[first]
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
        line = token.map[0] if token.map else 0
        last = len(self._lines) - 1
        found = []
        for part in token.content.split("\n") if "\n" in token.content else (token.content,):
            line = min(line, last)
            text = self._lines[line]
            stripped = part.lstrip(" \t")
            column = len(text) - len(stripped) if text.endswith(stripped) else text.rfind(stripped)
            found.append(self._starts[line] - self._origin + max(column, 0) - (len(part) - len(stripped)))
            line += 1
        return found

    def cell(self, token: Token) -> Span | None:
        """Where a table cell's content stands; cells of a row must be asked for in order."""
        if not token.content or not token.map:
            return None
        line = token.map[0]
        cursor = self._row[1] if self._row[0] == line else 0
        text = self._lines[line]
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


def _blocks(tokens: Sequence[Token]) -> Iterator[tuple[str, int, int, Sequence[Token]]]:
    """The top-level blocks: name, first line, end line, and their tokens."""
    begin = 0
    while begin < len(tokens):
        opening = tokens[begin]
        end = begin + 1
        if opening.nesting == 1:
            while tokens[end].level != opening.level or tokens[end].nesting != -1:
                end += 1
            end += 1
        first, last = opening.map or (0, 0)
        yield _CONTAINERS.get(opening.type, opening.type), first, last, tokens[begin:end]
        begin = end


def _regions(tokens: Sequence[Token], places: _Places) -> list[Region]:
    found: list[Region] = []
    quotes = lists = level = 0
    in_table = False
    for token in tokens:
        kind = token.type
        if kind == "inline":
            _add_inline(found, token, places, (quotes > 0, lists > 0, level, in_table))
        elif kind in _LEAVES:
            span = places.block(token)
            found.append(Region(span, _LEAVES[kind], quotes > 0, lists > 0, info=token.info.strip()))
        elif kind == "list_item_open":
            lists += 1
        elif kind == "list_item_close":
            lists -= 1
        elif kind == "heading_open":
            level = int(token.tag[1])
        elif kind == "heading_close":
            level = 0
        elif kind == "blockquote_open":
            quotes += 1
        elif kind == "blockquote_close":
            quotes -= 1
        elif kind in ("table_open", "table_close"):
            in_table = kind == "table_open"
    return found


def _add_inline(found: list[Region], token: Token, places: _Places, context: tuple[bool, bool, int, bool]) -> None:
    quoted, listed, level, in_table = context
    content = token.content
    if in_table:
        span = places.cell(token)
        if span is None:
            return
        found.append(Region(span, RegionKind.CELL, quoted, listed))
        starts = [span.start]
    else:
        starts = places.content(token)
        kind = RegionKind.HEADING if level else RegionKind.PROSE
        width = len(content) - (content.rfind("\n") + 1)
        found.append(Region(Span(starts[0], starts[-1] + width), kind, quoted, listed, level))
    if "`" not in content and "<" not in content:
        return
    offsets = _ContentMap(content, starts, in_table)
    for name, begin, end in _inline_places(content):
        inline = RegionKind.INLINE_CODE if name == "code_inline" else RegionKind.HTML_INLINE
        found.append(Region(Span(offsets.source(begin), offsets.source(end)), inline, quoted, listed))


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
