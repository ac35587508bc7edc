"""What a detector sees: one text with its structure, its hidden spans and its folded pieces."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from operator import attrgetter

from plainview import masking
from plainview.detect.live import live_commands
from plainview.detect.outline import Heading, Outline
from plainview.detect.shown import Unseen, shown
from plainview.detect.units import Digest, Reading, Surroundings, Trait, Unit, digest, runs
from plainview.finding import Hidden, Place, Span
from plainview.fold import Folded, Mode, fold
from plainview.hidden import HiddenSpan, Page, characters, definitions
from plainview.kinds import CommentReach, comment_reach, text_reach
from plainview.markup import CODE_BLOCKS, Passage, Region, RegionKind
from plainview.match import Matcher, Scan
from plainview.memory import Memory
from plainview.respell import readings, views
from plainview.rules import Rule

__all__ = ["Document", "Unit", "fold_all"]

# An attribute or a link's target that is open where a span begins; one that is longer is none that anybody wrote.
_TAG_LIMIT = 4_000
_IN_TAG_OR_TARGET = re.compile(r"(?:<[A-Za-z][^<>]*|\]\([^()\s]*)$")
# What the readings that rest on several passages are kept under.
_JOINT = "joint readings"
_INLINE = (RegionKind.INLINE_CODE, RegionKind.HTML_INLINE)
# What introduces a block beneath it.
_SAYING = (RegionKind.PROSE, RegionKind.HEADING, RegionKind.CELL)
# Of a paragraph before a code block, this much of its end is read: its last sentence decides.
_LEAD = 400
# So many passages on, the prose behind a code block is looked for.
_BEHIND = 4
# Of the text before a passage, this much may be looked at.
_BEFORE = 200


class Document:
    """One text, parsed once for all detectors.

    Everything that rests on a passage alone is taken from its digest; `memory` holds what else rests on little.
    """

    def __init__(
        self,
        page: Page,
        hidden: list[HiddenSpan],
        matcher: Matcher,
        nested: bool = False,
        memory: Memory | None = None,
    ) -> None:
        self.rendered = page.rendered
        self.source = page.source
        self.file = page.file
        self.header = page.header
        self.markup = page.markup
        self.hidden = hidden
        self.matcher = matcher
        self.nested = nested
        self.memory = memory if memory is not None else Memory()
        self.judged: dict[Span, dict[int, bool | None]] = {}
        self._hidden_starts = [span.span.start for span in hidden]
        self._around = _enclosing([span.span for span in hidden])
        self.decoded = [
            (span, scan)
            for span in hidden
            if not span.plain
            for scan in self.memory.recall(_scans, matcher, span.decoded)
        ]
        self._starts = page.starts
        self._digests = _digested(page, matcher)
        self._traits = bytes(map(attrgetter("traits"), self._digests))
        self._read = list(self._readings())
        self.outline = Outline(page.markup, self.memory)
        self._commands: list[Span] | None = None
        self._about: bool | None = None
        self._titled: bool | None = None
        self._outlines: dict[int, tuple[tuple[int, str], ...]] = {}
        self.unseen = Unseen(page.markup)

    def digests(self) -> Iterator[tuple[int, Digest]]:
        """What each passage comes to, with the offset at which it begins, the header first."""
        return zip(self._starts, self._digests, strict=True)

    def under(self, number: int) -> Iterator[tuple[int, Digest]]:
        """What the passages under the heading of a number come to, up to the next heading; -1 for those before any."""
        first = bisect_left(self._starts, self.outline.passage(number)) if number >= 0 else 0
        last = len(self._starts)
        if number + 1 < len(self.outline):
            last = bisect_left(self._starts, self.outline.passage(number + 1))
        return zip(self._starts[first:last], self._digests[first:last], strict=True)

    def units(self, asked: Callable[[Digest], bool | int] = lambda _: True) -> Iterator[Unit]:
        """The units of the passages of which it is `asked`, in order."""
        for start, one in zip(self._starts, self._digests, strict=True):
            if asked(one):
                for unit in one.units:
                    yield unit.moved(start)

    def marked(self, trait: int) -> Iterator[tuple[int, Digest]]:
        """What the passages with a trait come to, in order, with the offsets at which they begin."""
        return ((self._starts[number], self._digests[number]) for number in self._having(trait))

    def opened(self, rule: Rule) -> list[tuple[int, Digest]]:
        """What the passages come to that may hold what a rule's detector asks for, with where they begin."""
        bit = self.matcher.bit(self.matcher.own(rule.id, rule.opening))
        return [(start, one) for start, one in self.marked(Trait.DETECTED) if one.passing & bit]

    def _having(self, trait: int) -> list[int]:
        return [found.start() for found in _bytes_with(trait).finditer(self._traits)]

    def secrets(self) -> Iterator[Span]:
        """What is a secret by its form in the text as it is written, in order, then in other readings of it."""
        for start, one in self.marked(Trait.SECRET):
            for span in one.secrets:
                yield Span(span.start + start, span.end + start)
        for start, reading in self._read:
            if reading.secrets:
                view = reading.folded.moved(start)
                yield from (view.span(*place) for place in reading.secrets)

    def surroundings(self, start: int, passage: Passage) -> Surroundings | None:
        """What decides about phrases in the passage that begins at `start`; None where text in it is hidden."""
        end = start + len(passage.text)
        first = bisect_left(self._hidden_starts, start)
        if first < len(self.hidden) and self._hidden_starts[first] < end:
            return None
        if self.hidden_at(Span(start, start)) is not None:
            return None
        above = self._outline(start + (passage.heads[0][0] if passage.heads else 0))
        leaves = passage.leaves()
        leaf = self.markup.leaf_at(start + leaves[0].span.start) if leaves else None
        return Surroundings(
            above,
            tuple(self.introductions(start + passage.bounds()[0].start)) if passage.blocks else (),
            self.is_titled_defence,
            self.is_about_defence,
            self._lead(leaf) if leaf is not None else None,
            tuple(
                Span(command.start - start, command.end - start)
                for command in self.live()
                if command.start < end and start < command.end
            ),
            self.source.text[max(start - _BEFORE, 0) : start],
        )

    def _outline(self, offset: int) -> tuple[tuple[int, str], ...]:
        """The levels and the visible texts of the headings that `offset` stands under, the innermost first."""
        number = self.outline.number(offset)
        if number not in self._outlines:
            above = self.outline.over(number)
            self._outlines[number] = tuple((one.level, self.seen(one.heading)) for one in above)
        return self._outlines[number]

    def readings(self, asked: Callable[[Reading], object]) -> Iterator[Unit]:
        """The other readings of which it is `asked`, in order."""
        return (one.unit(start) for start, one in self._read if asked(one))

    def _readings(self) -> Iterator[tuple[int, Reading]]:
        """Other readings of the paragraphs that show signs of a respelling, neighbours taken together.

        Each comes with the offset that its places count from.
        """
        telling = self._having(Trait.TELLING)
        found: list[tuple[int, tuple[Reading, ...]]] = []
        joint: list[Reading] = []
        for own, start, places in runs(self.source.text, telling, self._starts, self._digests):
            made = own.readings if own is not None else None
            if made is None:
                made = self._made(start, places)
                if own is not None:
                    own.take(made)
            if own is None:
                joint += made
            found.append((start, made))
        # Those that rest on several passages are paired by their order with those from before.
        former = self.memory.before((_JOINT, self.matcher)) or ()
        if len(former) == len(joint):
            for one, old in zip(joint, former, strict=True):
                one.scan.follow(old.scan)
        self.memory.keep((_JOINT, self.matcher), joint)
        self.matcher.look(one.scan for _, made in found for one in made if not one.scan.is_looked_at)
        return ((start, one) for start, made in found for one in made)

    def _made(self, start: int, places: Iterable[tuple[Span, Mode]]) -> tuple[Reading, ...]:
        """The readings of runs, whose places count from `start`; so do those of the readings."""
        return tuple(
            Reading(span, mode, view.moved(span.start), scan, secrets)
            for span, mode in places
            for view, scan, secrets in self.memory.recall(
                _views, self.matcher, mode, self.source.text[span.start + start : span.end + start]
            )
        )

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

    def headings(self, offset: int) -> list[Heading]:
        """The headings that `offset` stands under, the innermost first."""
        return self.outline.over(self.outline.number(offset))

    def title(self) -> str:
        """The first heading as a reader sees it; nothing where there is none."""
        return self.seen(self.outline.heading(0).heading) if len(self.outline) else ""

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
        blocks = self.markup.blocks_before(offset)
        _, line, block = next(blocks, (0, 0, None))
        if block is None:
            return []
        found = [self.source.line_text(line + block.first_line)] if block.name == "table" else []
        start, above_line, above = next(blocks, (0, 0, None))
        regions = above.regions if above is not None else ()
        before = next((one for one in reversed(regions) if one.kind not in _INLINE), None)
        if above is not None and before is not None and before.kind in _SAYING:
            said = self.source.text[start + before.span.start : start + before.span.end]
            touches = block.name == "list" and above_line + above.end_line == line + block.first_line
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
        return self.memory.recall(_orders, self.matcher, lead, how)

    def _lead(self, leaf: Region) -> str | None:
        """The prose that stands right before a code block, blank lines apart."""
        before = self.markup.leaf_before(leaf.span.start)
        if before is None or before.kind is not RegionKind.PROSE:
            return None
        return self.source.text[before.span.start : before.span.end][-_LEAD:]

    def follow(self, offset: int) -> str | None:
        """The beginning of the prose right behind the code block at `offset`, blank lines apart, if there is any."""
        leaf, index = self.markup.leaf_at(offset), self.markup.passage_at(offset)
        if leaf is None or leaf.kind not in CODE_BLOCKS:
            return None
        starts, passages = self.markup.starts, self.markup.passages
        # What no page shows may stand between.
        for start, passage in zip(starts[index : index + _BEHIND], passages[index : index + _BEHIND], strict=False):
            leaves = passage.leaves()
            for region in leaves[bisect_left(leaves, leaf.span.end - start, key=lambda one: one.span.start) :]:
                if region.kind is RegionKind.PROSE:
                    begin = start + region.span.start
                    return self.source.text[begin : min(start + region.span.end, begin + _LEAD)]
                if region.kind is not RegionKind.HTML_BLOCK:
                    return None
        return None

    def runs_on_load(self, span: Span) -> bool:
        """Whether the span lies in a command that the host runs when it loads the file, whatever surrounds it."""
        commands = self.live()
        index = bisect_right(commands, span.start, key=lambda command: command.start) - 1
        return index >= 0 and span.start < commands[index].end

    def live(self) -> list[Span]:
        """The commands that the host runs when it loads the file, in order."""
        if self._commands is None:
            start = self.header.body_start if self.header is not None else 0
            self._commands = live_commands(self.source.text, self.file, start)
        return self._commands

    def names_defence(self, text: str) -> bool:
        """Whether a heading or introduction announces things to detect, refuse or avoid."""
        return bool(self._said(text).shared("defence"))

    def names_specimens(self, text: str) -> bool:
        """Whether words around what is set off tell that it is shown: a sign, a sample, a row of refused inputs."""
        scan = self._said(text)
        return bool(scan.shared("specimens") or scan.shared("defence"))

    def is_under_security(self, offset: int) -> bool:
        """Whether a heading above `offset`, the title included, says that the text is about security."""
        said = (self._said(self.seen(section.heading)) for section in self.headings(offset))
        return any(scan.shared("security-topic") or scan.shared("defence") for scan in said)

    def names_inward(self, text: str) -> bool:
        """Whether a heading says that requests which go inward are what the text is about."""
        return bool(self._said(text).shared("inward-topic"))

    def lead(self, offset: int) -> str | None:
        """The end of the prose right before the code block at `offset`, if there is any."""
        leaf = self.markup.leaf_at(offset)
        return self._lead(leaf) if leaf is not None and leaf.kind in CODE_BLOCKS else None

    def orders(self, text: str) -> bool:
        """Whether a heading or introduction tells to run or to obey what follows."""
        scan = self._said(text)
        places = [*scan.shared("to-be-run"), *scan.shared("to-be-obeyed")]
        return any(not _is_denied(scan, start) for start, _ in places)

    @property
    def is_titled_defence(self) -> bool:
        """Whether the first heading announces things to detect, refuse or avoid."""
        if self._titled is None:
            self._titled = bool(len(self.outline)) and self.names_defence(self.title())
        return self._titled

    @property
    def is_about_defence(self) -> bool:
        """Whether the file says that it is about security, and somewhere not to do what it shows."""
        if self._about is None:
            header = self.header
            named = [str(header.get(key) or "") for key in ("name", "description")] if header is not None else []
            scan = self._said(" . ".join([*named, self.title()] if len(self.outline) else named))
            about = bool(scan.shared("security-topic") or scan.shared("defence"))
            self._about = about and self._disclaims()
        return self._about

    def _disclaims(self) -> bool:
        """Whether the file says somewhere, where a reader sees it, not to do what it shows."""
        bit = self.matcher.bit(self.matcher.shared("disclaimer"))
        return any(
            self.hidden_at(Span(start, start)) is None and not self.unseen.at(start)
            for unit in self.units(lambda one: one.passing & bit)
            for start in (unit.folded.span(*place).start for place in unit.scan.shared("disclaimer"))
        )

    def _said(self, text: str) -> Scan:
        """What occurs in a heading or an introduction as a reader sees it."""
        return self.memory.recall(_shown, self.matcher, text)


def _digested(page: Page, matcher: Matcher) -> list[Digest]:
    """What each passage of a page comes to, the header first."""
    pieces = page.pieces
    known: list[Digest] = list(map(attrgetter("detected"), pieces))
    stale = [number for number, one in enumerate(known) if one is None or one.matcher is not matcher]
    # A passage may stand in several places.
    fresh = {
        id(pieces[number]): (pieces[number], Mode.PROSE if number or not page.body else Mode.YAML) for number in stale
    }
    digest(list(fresh.values()), matcher)
    for number in stale:
        known[number] = pieces[number].detected
    return known


@cache
def _bytes_with(trait: int) -> re.Pattern[bytes]:
    """Bytes that have a bit."""
    return re.compile(b"[" + b"".join(b"\\x%02x" % byte for byte in range(256) if byte & trait) + b"]")


def _orders(matcher: Matcher, lead: str, how: str) -> bool:
    """Whether the last sentence before a code block tells to run or to obey what stands in it."""
    scan = matcher.scan(fold_all(shown(lead)))
    orders = scan.shared(f"to-be-{how}")
    last = scan.piece(scan.sentences(), len(scan.text.rstrip()) - 1)
    said = any(last.start <= start and not _is_denied(scan, start) for start, _ in orders)
    return said and not scan.shared("defence")


def _shown(matcher: Matcher, text: str) -> Scan:
    return matcher.scan(fold_all(shown(text)))


def _is_denied(scan: Scan, offset: int) -> bool:
    """Whether a denial stands before `offset` in its clause."""
    clause = scan.piece(scan.clauses(), offset)
    return any(clause.start <= start < offset for start, _ in scan.shared("denial"))


def fold_all(text: str) -> Folded:
    """The folded view of a whole text that is none of the file's own."""
    return fold(text, Span(0, len(text)))


def _scans(matcher: Matcher, decoded: str) -> tuple[Scan, ...]:
    """What occurs in each view of a decoded text."""
    found = (fold_all(decoded), *readings(decoded, Span(0, len(decoded))))
    return tuple(matcher.scan(view) for view in found)


def _views(matcher: Matcher, mode: Mode, text: str) -> tuple[tuple[Folded, Scan, tuple[Span, ...]], ...]:
    """The other readings of a text that shows signs of a respelling."""
    return tuple(
        (view, matcher.scan(view), masking.places(view.text)) for view in views(text, Span(0, len(text)), mode)
    )


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
