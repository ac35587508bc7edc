"""What a detector sees: one text with its structure, its hidden spans and its folded pieces."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from plainview.finding import Hidden, Span
from plainview.fold import Folded, Mode, fold
from plainview.frontmatter import Frontmatter
from plainview.hidden import HiddenSpan
from plainview.kinds import CommentReach, FileKind, comment_reach
from plainview.markup import CODE_BLOCKS, Markup
from plainview.match import Matcher, Scan
from plainview.text import Source


class Unit(NamedTuple):
    """A piece of the text that patterns are matched in: the header, a run of prose blocks' text, or a code block.

    Units tile the text: nothing lies outside of them, whatever the parser made of it.
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
    ) -> None:
        self.source = source
        self.file = file
        self.header = header
        self.markup = markup
        self.hidden = hidden
        self.matcher = matcher
        self.nested = nested
        self._hidden_starts = [span.span.start for span in hidden]
        self.units = [self._unit(span, mode) for span, mode in _tiles(source.text, header, markup)]
        self._sections = markup.sections()
        self._block_lines = [block.first_line for block in markup.blocks]
        self._defence: dict[str, bool] = {}
        self._section_starts = [section.span.start for section in self._sections]

    def hidden_at(self, span: Span) -> HiddenSpan | None:
        """The hidden span that holds the start of `span`, if any."""
        index = bisect_right(self._hidden_starts, span.start) - 1
        if index >= 0 and span.start < self.hidden[index].span.end:
            return self.hidden[index]
        return None

    def reach(self, hidden: HiddenSpan) -> CommentReach:
        """Which hosts give that hidden span to their model."""
        return comment_reach(self.file, block=hidden.block, nested=self.nested)

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
        )

    def headings(self, offset: int) -> list[Span]:
        """The headings that `offset` stands under, the nearest first."""
        found: list[Span] = []
        level = 7
        for section in reversed(self._sections[: bisect_right(self._section_starts, offset)]):
            if section.level < level:
                found.append(section.heading)
                level = section.level
        return found

    def introduction(self, offset: int) -> str | None:
        """What leads up to the block at `offset`: a table's header row, or the paragraph before, if a colon ends it."""
        blocks = self.markup.blocks
        line = self.source.line_of(offset)
        index = bisect_right(self._block_lines, line) - 1
        if index < 0:
            return None
        text = self.source.text
        if blocks[index].name == "table":
            return self.source.line_text(blocks[index].first_line)
        if index == 0 or not blocks[index - 1].regions:
            return None
        before = blocks[index - 1].regions[-1].span
        said = text[before.start : before.end]
        return said if said.rstrip().endswith(":") else None

    def names_defence(self, text: str) -> bool:
        """Whether a heading or introduction announces things to detect, refuse or avoid."""
        known = self._defence.get(text)
        if known is None:
            scan = self.matcher.scan(fold(text, Span(0, len(text))))
            known = self._defence[text] = bool(scan.shared("defence"))
        return known

    def _unit(self, span: Span, mode: Mode) -> Unit:
        folded = fold(self.source.text, span, mode)
        return Unit(span, mode, folded, self.matcher.scan(folded))


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
