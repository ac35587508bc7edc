"""What a detector sees: one text with its structure, its hidden spans and its folded pieces."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from plainview.detect.live import live_commands
from plainview.detect.shown import Unseen, shown
from plainview.finding import Hidden, Place, Span
from plainview.fold import Folded, Mode, fold
from plainview.frontmatter import Frontmatter
from plainview.hidden import HiddenSpan, characters, definitions
from plainview.kinds import CommentReach, FileKind, comment_reach, text_reach
from plainview.markup import CODE_BLOCKS, Markup, Region, RegionKind, Section
from plainview.match import Matcher, Scan
from plainview.respell import readings
from plainview.text import Source

# An attribute or a link's target that is open where a span begins; one that is longer is none that anybody wrote.
_TAG_LIMIT = 4_000
_IN_TAG_OR_TARGET = re.compile(r"(?:<[A-Za-z][^<>]*|\]\([^()\s]*)$")
_INLINE = (RegionKind.INLINE_CODE, RegionKind.HTML_INLINE)
# Of a paragraph before a code block, this much of its end is read: its last sentence decides.
_LEAD = 400


class Unit(NamedTuple):
    """A piece of the text that patterns are matched in: the header, a run of prose blocks' text, or a code block.

    Units tile the text, blank lines aside: nothing lies outside of them, whatever the parser made of it.
    """

    span: Span
    mode: Mode
    folded: Folded
    scan: Scan


class Document:
    """One text, parsed once for all detectors."""

    def __init__(
        self,
        source: Source,
        file: FileKind,
        header: Frontmatter | None,
        markup: Markup,
        hidden: list[HiddenSpan],
        matcher: Matcher,
        nested: bool = False,
        rendered: bool = True,
    ) -> None:
        self.rendered = rendered
        self.source = source
        self.file = file
        self.header = header
        self.markup = markup
        self.hidden = hidden
        self.matcher = matcher
        self.nested = nested
        self._hidden_starts = [span.span.start for span in hidden]
        self._around = _enclosing([span.span for span in hidden])
        self.decoded = [(span, self.matcher.scan(view)) for span in hidden if not span.plain for view in _views(span)]
        tiles = list(_tiles(source.text, header, markup))
        text = source.text
        self.units = [self._unit(span, mode) for span, mode in tiles if not text[span.start : span.end].isspace()]
        self.readings = [
            Unit(span, mode, view, self.matcher.scan(view))
            for span, mode in _stretches(tiles)
            for view in readings(source.text, span, mode)
        ]
        self._sections = markup.sections()
        self._block_lines = [block.first_line for block in markup.blocks]
        self._scans: dict[str, Scan] = {}
        self._about: bool | None = None
        self._ordered: dict[tuple[str, str], bool] = {}
        self._commands: list[Span] | None = None
        self.unseen = Unseen(markup, header.body_start if header is not None else 0)
        self._section_starts = [section.span.start for section in self._sections]
        self._above = _enclosing([section.span for section in self._sections])

    def hidden_at(self, span: Span) -> HiddenSpan | None:
        """The innermost hidden span that holds the start of `span`, if any."""
        index = bisect_right(self._hidden_starts, span.start) - 1
        # A payload of characters may be strewn among words that everybody sees.
        while index >= 0 and (
            span.start >= self.hidden[index].span.end or self.hidden[index].channel == characters.CHANNEL
        ):
            index = self._around[index]
        return self.hidden[index] if index >= 0 else None

    def reach(self, hidden: HiddenSpan) -> CommentReach:
        """Which hosts give that hidden span to their model."""
        if hidden.channel == "comment":
            return comment_reach(self.file, block=hidden.top, nested=self.nested)
        return text_reach(self.file, nested=self.nested)

    def is_stripped(self, hidden: HiddenSpan) -> bool:
        """Whether the host that the file is written for leaves the span out of what its model reads."""
        host = self.file.host
        return host is not None and host.name in self.reach(hidden).strips

    def describe(self, hidden: HiddenSpan) -> Hidden:
        """The hidden span as findings carry it."""
        lines = self.source.lines_touched(hidden.span)
        return Hidden(
            hidden.channel,
            hidden.form,
            hidden.span,
            hidden.content,
            hidden.decoded,
            self.reach(hidden).gives,
            lines,
            hidden.block,
            hidden.closed,
            covert=hidden.covert,
            plain=hidden.plain,
            parts=hidden.parts,
            place=self._place(hidden),
        )

    def _place(self, hidden: HiddenSpan) -> Place:
        """What the hidden span stands in."""
        span, text = hidden.span, self.source.text
        if not hidden.showable or self._is_concealed(hidden):
            return Place.UNSEEN
        if not self.rendered or (self.header is not None and span.start < self.header.body_start):
            return Place.DATA
        inline, leaf = self.markup.inline_at(span.start), self.markup.leaf_at(span.start)
        if inline is not None and inline.span.contains(span) and inline.span != span:
            return Place.INLINE_CODE if inline.kind is RegionKind.INLINE_CODE else Place.UNSEEN
        if leaf is None:
            return Place.TEXT
        if leaf.kind is RegionKind.DEFINITION and hidden.channel != definitions.CHANNEL:
            return Place.UNSEEN
        if leaf.kind in CODE_BLOCKS:
            return Place.CODE
        if _IN_TAG_OR_TARGET.search(text, max(leaf.span.start, span.start - _TAG_LIMIT), span.start):
            return Place.UNSEEN
        return Place.CELL if leaf.kind is RegionKind.CELL else Place.TEXT

    def _is_concealed(self, hidden: HiddenSpan) -> bool:
        """Whether another hidden span conceals this one."""
        index = bisect_left(self._hidden_starts, hidden.span.start)
        while self.hidden[index] is not hidden:
            index += 1
        while (index := self._around[index]) >= 0:
            if self.hidden[index].conceals:
                return True
        return False

    def headings(self, offset: int) -> list[Section]:
        """The sections that `offset` stands in, the innermost first."""
        found: list[Section] = []
        index = bisect_right(self._section_starts, offset) - 1
        while index >= 0:
            found.append(self._sections[index])
            index = self._above[index]
        return found

    def seen(self, span: Span) -> str:
        """The text of a span without what is hidden in it; nothing of a span within hidden text."""
        if self.hidden_at(span) is not None:
            return ""
        text, position, parts = self.source.text, span.start, []
        first = bisect_left(self._hidden_starts, span.start)
        for hidden in self.hidden[first : bisect_left(self._hidden_starts, span.end)]:
            parts.append(text[position : hidden.span.start])
            position = max(position, min(hidden.span.end, span.end))
        return "".join([*parts, text[position : span.end]])

    def is_sample(self, offset: int) -> bool:
        """Whether `offset` stands in a list, a table, a quotation or code: where a page keeps its examples."""
        leaf = self.markup.leaf_at(offset)
        return leaf is not None and (
            leaf.listed or leaf.quoted or leaf.kind is RegionKind.CELL or self.markup.in_code(offset)
        )

    def introductions(self, offset: int) -> list[str]:
        """What leads up to the block at `offset`: a table's header row, and the paragraph before if it introduces.

        It does if a colon ends it, before a list if not even an empty line stands between, and before a quotation.
        """
        blocks = self.markup.blocks
        index = bisect_right(self._block_lines, self.source.line_of(offset)) - 1
        if index < 0:
            return []
        block = blocks[index]
        found = [self.source.line_text(block.first_line)] if block.name == "table" else []
        above = blocks[index - 1].regions if index else ()
        before = next((one for one in reversed(above) if one.kind not in _INLINE), None)
        if before is not None and before.kind in (RegionKind.PROSE, RegionKind.HEADING, RegionKind.CELL):
            said = self.source.text[before.span.start : before.span.end]
            touches = block.name == "list" and blocks[index - 1].end_line == block.first_line
            adjoining = before.kind is RegionKind.PROSE and (touches or block.name == "quotation")
            if said.rstrip().endswith(":") or adjoining:
                found.append(said[-_LEAD:])
        return found

    def is_ordered(self, offset: int, how: str) -> bool:
        """Whether the paragraph right before the code block at `offset` tells to run or to obey what stands in it."""
        leaf = self.markup.leaf_at(offset)
        if leaf is None or leaf.kind not in CODE_BLOCKS:
            return False
        lead = self._lead(leaf)
        if lead is None:
            return False
        known = self._ordered.get((lead, how))
        if known is None:
            scan = self.matcher.scan(fold_all(shown(lead)))
            orders = scan.shared(f"to-be-{how}")
            last = scan.piece(scan.sentences(), len(scan.text.rstrip()) - 1)
            said = any(last.start <= start and not _is_denied(scan, start) for start, _ in orders)
            known = self._ordered[lead, how] = said and not scan.shared("defence")
        return known

    def _lead(self, leaf: Region) -> str | None:
        """The prose that stands right before a code block, blank lines apart."""
        leaves = self.markup.leaves()
        index = bisect_left(leaves, leaf.span.start, key=lambda region: region.span.start) - 1
        while index >= 0 and leaves[index].span.end > leaf.span.start:
            index -= 1
        before = leaves[index] if index >= 0 else None
        if before is None or before.kind is not RegionKind.PROSE:
            return None
        return self.source.text[before.span.start : before.span.end][-_LEAD:]

    def runs_on_load(self, span: Span) -> bool:
        """Whether the span lies in a command that the host runs when it loads the file, whatever surrounds it."""
        if self._commands is None:
            self._commands = live_commands(self.source.text, self.file)
        index = bisect_right(self._commands, span.start, key=lambda command: command.start) - 1
        return index >= 0 and span.start < self._commands[index].end

    def names_defence(self, text: str) -> bool:
        """Whether a heading or introduction announces things to detect, refuse or avoid."""
        return bool(self._said(text).shared("defence"))

    def names_specimens(self, text: str) -> bool:
        """Whether words around what is set off tell that it is shown: a sign, a sample, a row of refused inputs."""
        scan = self._said(text)
        return bool(scan.shared("specimens") or scan.shared("defence"))

    def orders(self, text: str) -> bool:
        """Whether a heading or introduction tells to run or to obey what follows."""
        scan = self._said(text)
        places = [*scan.shared("to-be-run"), *scan.shared("to-be-obeyed")]
        return any(not _is_denied(scan, start) for start, _ in places)

    @property
    def is_titled_defence(self) -> bool:
        """Whether the first heading announces things to detect, refuse or avoid."""
        return any(self.names_defence(self.seen(one.heading)) for one in self._sections[:1])

    @property
    def is_about_defence(self) -> bool:
        """Whether the file says that it is about security, and somewhere not to do what it shows."""
        if self._about is None:
            header = self.header
            named = [str(header.get(key) or "") for key in ("name", "description")] if header is not None else []
            scan = self._said(" . ".join([*named, *(self.seen(one.heading) for one in self._sections[:1])]))
            about = bool(scan.shared("security-topic") or scan.shared("defence"))
            self._about = about and any(
                self.hidden_at(Span(start, start)) is None and not self.unseen.at(start)
                for unit in self.units
                for start in (unit.folded.span(*place).start for place in unit.scan.shared("disclaimer"))
            )
        return self._about

    def _said(self, text: str) -> Scan:
        """What occurs in a heading or an introduction as a reader sees it."""
        known = self._scans.get(text)
        if known is None:
            known = self._scans[text] = self.matcher.scan(fold_all(shown(text)))
        return known

    def _unit(self, span: Span, mode: Mode) -> Unit:
        folded = fold(self.source.text, span, mode)
        return Unit(span, mode, folded, self.matcher.scan(folded))


def _is_denied(scan: Scan, offset: int) -> bool:
    """Whether a denial stands before `offset` in its clause."""
    clause = scan.piece(scan.clauses(), offset)
    return any(clause.start <= start < offset for start, _ in scan.shared("denial"))


def fold_all(text: str) -> Folded:
    """The folded view of a whole text that is none of the file's own."""
    return fold(text, Span(0, len(text)))


def _views(hidden: HiddenSpan) -> Iterator[Folded]:
    yield fold_all(hidden.decoded)
    yield from readings(hidden.decoded, Span(0, len(hidden.decoded)))


def _stretches(tiles: Iterable[tuple[Span, Mode]]) -> Iterator[tuple[Span, Mode]]:
    """The tiles that are no code, neighbours as one: what is spelled with blank lines runs through several."""
    start = end = 0
    before = Mode.CODE
    for span, mode in tiles:
        if mode is not before:
            if before is not Mode.CODE:
                yield Span(start, end), before
            start, before = span.start, mode
        end = span.end
    if before is not Mode.CODE:
        yield Span(start, end), before


def _enclosing(spans: Sequence[Span]) -> list[int]:
    """For each span the index of the one around it, -1 where there is none; they come in order, outer ones first."""
    around: list[int] = []
    above: list[int] = []
    for index, one in enumerate(spans):
        while above and spans[above[-1]].end <= one.start:
            above.pop()
        around.append(above[-1] if above else -1)
        above.append(index)
    return around


def _tiles(text: str, header: Frontmatter | None, markup: Markup) -> Iterator[tuple[Span, Mode]]:
    position = 0
    if header is not None and header.span.end:
        yield Span(0, header.body_start), Mode.YAML
        position = header.body_start
    source = markup.source
    for block in markup.blocks:
        block_start = source.line_start(block.first_line)
        block_end = source.line_start(block.end_line) if block.end_line < source.line_count else len(text)
        if block_start > position:
            yield Span(position, block_start), Mode.PROSE
            position = block_start
        for region in block.regions:
            if region.kind not in CODE_BLOCKS:
                continue
            if region.span.start > position:
                yield Span(position, region.span.start), Mode.PROSE
            yield region.span, Mode.CODE
            position = region.span.end
        if block_end > position:
            yield Span(position, block_end), Mode.PROSE
            position = block_end
    if position < len(text):
        yield Span(position, len(text)), Mode.PROSE
