"""What patterns are matched in, worked out from one passage alone: its pieces, folded, and what occurs in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plainview import masking
from plainview.detect.mending import may_be_cut_up, mended
from plainview.finding import Span
from plainview.fold import Folded, Mode, fold
from plainview.markup import CODE_BLOCKS, Passage
from plainview.match import Hit, Matcher, Scan
from plainview.respell import BLANK_LINE, LETTER_LINE, columns, may_be_lettered, may_tell
from plainview.rules import Rule

# The line ends behind which an item of a list or a row of a table begins.
_ITEM_END = re.compile(r"(?:\r\n|\r|\n)(?=[ \t>]{0,20}(?:[-+*|]|[0-9]{1,9}[.)])[ \t])")


class Unit(NamedTuple):
    """A piece of the text that patterns are matched in: the header, a run of prose blocks' text, or a code block.

    Units tile the text, blank lines aside: nothing lies outside of them, whatever the parser made of it. In a passage
    they count from its beginning, in a document from the document's.
    """

    span: Span
    mode: Mode
    folded: Folded
    scan: Scan

    def moved(self, by: int) -> Unit:
        """The unit where its passage begins at `by`."""
        return Unit(Span(self.span.start + by, self.span.end + by), self.mode, self.folded.moved(by), self.scan)


class Paragraph(NamedTuple):
    """A paragraph of prose or of a header, or an item or row of one.

    Whether it or its neighbour shows signs of a respelling, and whether a line is one letter.
    """

    span: Span
    mode: Mode
    shows: bool
    lettered: bool


class Surroundings(NamedTuple):
    """What decides how phrases in a passage are judged beside its own text.

    The levels and texts of the headings above it, what introduces it, whether the file's title or the whole file tells
    of attacks, what leads up to code in it, commands in it that its host runs, and the words before it.
    """

    headings: tuple[tuple[int, str], ...]
    introductions: tuple[str, ...]
    titled_defence: bool
    about_defence: bool
    lead: str | None
    commands: tuple[Span, ...]
    before: str


class Shown(NamedTuple):
    """Of what a passage may show signs: of a respelling, of lines of one letter, of phrases that something cuts up."""

    respelled: bool
    lettered: bool
    cut_up: bool


class Reading(NamedTuple):
    """Another reading of a run of paragraphs: where that stands in the passage, what occurs in it, and its secrets.

    The secrets are places in the folded text.
    """

    span: Span
    mode: Mode
    folded: Folded
    scan: Scan
    secrets: tuple[Span, ...]

    def unit(self, by: int) -> Unit:
        """The reading as a unit, where what its span counts from begins at `by`."""
        return Unit(Span(self.span.start + by, self.span.end + by), self.mode, self.folded.moved(by), self.scan)


class Trait:
    """What may be of interest in a passage, by bits: what is not, nobody need ask it for.

    RARE are atoms one of which each composition over a section or document needs, DETECTED are those that detectors
    ask for passage by passage.
    """

    TELLING, HITTING, SECRET, MENDED, RARE, DETECTED = (1 << place for place in range(6))


class Digest:
    """What a passage comes to for the detectors, wherever it stands.

    `hitting` are the numbers of the units in which a composition holds, `passing` the atoms that may occur somewhere
    in it, `may_widen` those of them that compositions over a section or document ask for, `secrets` where there is
    what looks like one, and `mended` what holds in what is cut up. `traits` are what there is of all that (`Trait`).
    `readings` are the other readings of its paragraphs, once they have been made, where they rest on it alone.
    """

    __slots__ = (
        "_earlier",
        "_held",
        "_mended",
        "_sought",
        "hitting",
        "matcher",
        "may_widen",
        "mended",
        "paragraphs",
        "passage",
        "passing",
        "readings",
        "secrets",
        "traits",
        "units",
    )

    def __init__(self, passage: Passage, mode: Mode, matcher: Matcher, shown: Shown) -> None:
        text = passage.text
        tiles: list[tuple[Span, Mode]] = [(Span(0, len(text)), mode)]
        if mode is Mode.PROSE:
            tiles = list(_tiles(passage))
        self.matcher = matcher
        self.passage = passage
        self.units = tuple(
            _unit(text, span, kind, matcher) for span, kind in tiles if not text[span.start : span.end].isspace()
        )
        self.hitting: tuple[int, ...] = ()
        self.mended: tuple[tuple[Rule, Span], ...] = ()
        self.passing = 0
        for unit in self.units:
            self.passing |= unit.scan.passing
        self.secrets: tuple[Span, ...] = ()
        self.paragraphs = tuple(_paragraphs(text, tiles, shown))
        self.readings: tuple[Reading, ...] | None = None
        self.traits = 0
        self.may_widen = self.passing & matcher.wide_bits
        self._mended = mended(text, matcher) if shown.cut_up else None
        self._earlier: tuple[Reading, ...] = ()
        self._sought = self._held = 0

    def follow(self) -> None:
        """Takes what is known from what an edit made the passage of, if that was looked at by the same matcher."""
        passage = self.passage.former
        former = passage.detected if passage is not None else None
        if not isinstance(former, Digest) or former.matcher is not self.matcher:
            return
        if [unit.mode for unit in former.units] == [unit.mode for unit in self.units]:
            for unit, old in zip(self.units, former.units, strict=True):
                unit.scan.follow(old.scan)
        if self._mended is not None and former._mended is not None:
            self._mended.scan.follow(former._mended.scan)
        self._earlier = former.readings or ()

    def take(self, readings: tuple[Reading, ...]) -> None:
        """Takes in the other readings of the paragraphs, which rest on the passage alone."""
        self.readings = readings
        if len(readings) == len(self._earlier):
            for one, old in zip(readings, self._earlier, strict=True):
                one.scan.follow(old.scan)
        self._earlier = ()

    def scans(self) -> Iterator[Scan]:
        """What is yet to be looked at for hits."""
        for unit in self.units:
            if unit.scan.may_hit():
                yield unit.scan
        if self._mended is not None:
            yield self._mended.scan

    def close(self) -> None:
        """Takes in the hits of all `scans`."""
        self.hitting = tuple(
            number for number, unit in enumerate(self.units) if unit.scan.may_hit() and unit.scan.hits()
        )
        if self._mended is not None:
            self.mended = tuple(self._mended.found())
        self.traits = (
            Trait.TELLING * any(one.shows or one.lettered for one in self.paragraphs)
            | Trait.HITTING * bool(self.hitting)
            | Trait.SECRET * bool(self.secrets)
            | Trait.MENDED * bool(self.mended)
            | Trait.RARE * bool(self.holding(self.matcher.rare_bits))
            | Trait.DETECTED * bool(self.passing & self.matcher.detected_bits)
        )

    def holding(self, atoms: int) -> int:
        """Those of `atoms`, which are some of those that `may_widen`, that occur, as bits."""
        left = atoms & self.may_widen & ~self._sought
        self._sought |= left
        while left:
            bit = left & -left
            left ^= bit
            atom = self.matcher.wide_atoms[bit]
            if any(unit.scan.places(atom) for unit in self.units):
                self._held |= bit
        return self._held & atoms


def digest(passages: Sequence[tuple[Passage, Mode]], matcher: Matcher) -> None:
    """Works out the digests of passages for a matcher, all together; each passage keeps its own."""
    if not passages:
        return
    found = [
        Digest(passage, mode, matcher, shown)
        for (passage, mode), shown in zip(passages, _shown([passage.text for passage, _ in passages]), strict=True)
    ]
    for one in found:
        one.follow()
    units = [(one, unit) for one in found for unit in one.units]
    for (one, unit), may in zip(units, masking.may_hold([unit.scan.data for _, unit in units]), strict=True):
        if may:
            one.secrets += tuple(masking.find(unit.folded, one.passage.text))
    matcher.look(scan for one in found for scan in one.scans())
    for one in found:
        one.close()
        one.passage.detected = one


def _shown(texts: Sequence[str]) -> list[Shown]:
    """Of what each text may show signs: a few looks at all of them together."""
    data = [text.encode("utf-8", "replace") for text in texts]
    return list(map(Shown, may_tell(data), may_be_lettered(data), may_be_cut_up(data)))


def runs(
    text: str, telling: Sequence[int], starts: Sequence[int], digests: Sequence[Digest]
) -> Iterator[tuple[Digest | None, int, tuple[tuple[Span, Mode], ...]]]:
    """The runs of neighbouring paragraphs of `text` that show signs of a respelling.

    `digests` are those of its passages, which begin at `starts`; those numbered `telling` have such paragraphs. Runs
    come by the offset that they count from, with the digest that alone they rest on, if it is one; none of a digest
    whose readings are known.
    """
    index = 0
    while index < len(telling):
        first = last = telling[index]
        while index < len(telling) and telling[index] == last:
            index += 1
            last += 1
        if last - first == 1:
            own = digests[first]
            yield (
                own,
                starts[first],
                tuple(_joint_runs(own.passage.text, own.paragraphs)) if own.readings is None else (),
            )
            continue
        joint = [
            Paragraph(Span(one.span.start + start, one.span.end + start), one.mode, one.shows, one.lettered)
            for start, digest in zip(starts[first:last], digests[first:last], strict=True)
            for one in digest.paragraphs
        ]
        yield None, 0, tuple(_joint_runs(text, joint))


def _joint_runs(text: str, found: Sequence[Paragraph]) -> Iterator[tuple[Span, Mode]]:
    index = 0
    while index < len(found):
        # What stands side by side, and is of one sort.
        first = index
        index += 1
        while index < len(found) and _adjoin(found[index - 1], found[index]):
            index += 1
        yield from _runs(text, found[first:index])


def _adjoin(one: Paragraph, other: Paragraph) -> bool:
    return one.span.end == other.span.start and one.mode is other.mode


def _runs(text: str, stretch: Sequence[Paragraph]) -> Iterator[tuple[Span, Mode]]:
    spans: list[Span] = []
    if any(one.lettered for one in stretch):
        spans = list(columns(text, Span(stretch[0].span.start, stretch[-1].span.end)))
    run: Span | None = None
    column = 0
    for one in stretch:
        while column < len(spans) and spans[column].end <= one.span.start:
            column += 1
        if one.shows or (column < len(spans) and spans[column].start < one.span.end):
            run = Span(run.start if run else one.span.start, one.span.end)
        elif run:
            yield run, one.mode
            run = None
    if run:
        yield run, stretch[-1].mode


def ordered(scan: Scan) -> Iterator[Hit]:
    """The hits, by rule and in order; of one rule none that overlaps the one before."""
    reached: dict[str, int] = {}
    for hit in sorted(scan.hits(), key=lambda one: (one.rule.id, one.span)):
        if hit.span.start >= reached.get(hit.rule.id, 0):
            reached[hit.rule.id] = hit.span.end
            yield hit


def _unit(text: str, span: Span, mode: Mode, matcher: Matcher) -> Unit:
    folded = fold(text, span, mode)
    return Unit(span, mode, folded, matcher.scan(folded))


def _tiles(passage: Passage) -> Iterator[tuple[Span, Mode]]:
    length = len(passage.text)
    position = 0
    for block, (block_start, block_end) in zip(passage.blocks, passage.bounds(), strict=True):
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
    if position < length:
        yield Span(position, length), Mode.PROSE


def _paragraphs(text: str, tiles: list[tuple[Span, Mode]], shown: Shown) -> Iterator[Paragraph]:
    """The paragraphs of what is no code; neighbouring tiles are read as one."""
    # Most passages show nothing of the sort, however they are cut.
    if not (shown.respelled or shown.lettered):
        return
    index = 0
    while index < len(tiles):
        (start, end), mode = tiles[index]
        index += 1
        if mode is Mode.CODE:
            continue
        while index < len(tiles) and tiles[index][1] is mode:
            end = tiles[index][0].end
            index += 1
        for last in (*(blank.end() for blank in BLANK_LINE.finditer(text, start, end)), end):
            if last > start:
                yield from _items(text, Span(start, last), mode, shown)
            start = last


def _items(text: str, paragraph: Span, mode: Mode, shown: Shown) -> Iterator[Paragraph]:
    """The paragraph, or the items or rows of it: one that shows something shows it with its neighbours."""
    ends = [*(line.end() for line in _ITEM_END.finditer(text, *paragraph)), paragraph.end]
    spans = list(map(Span, [paragraph.start, *ends], ends))
    told = [False] * len(spans)
    if shown.respelled:
        told = may_tell([text[start:end].encode("utf-8", "replace") for start, end in spans])
    lettered = shown.lettered and LETTER_LINE.search(text, *paragraph) is not None
    for index, span in enumerate(spans):
        shows = any(told[max(index - 1, 0) : index + 2])
        # With the line end before it, which is where a line begins.
        yield Paragraph(
            span, mode, shows, lettered and LETTER_LINE.search(text, max(span.start - 1, 0), span.end) is not None
        )
