"""Compositions over a section or a whole document: what is taken in one place, sent in another, kept quiet in a third.

The rules say which atoms belong together (`within = "section"` or `"document"`); each part is judged by its own
surroundings, so that a denial of one part ("never send it") or a sample among things to detect breaks the chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from typing import NamedTuple

import msgspec

from plainview.detect.context import softening
from plainview.detect.document import Document, Unit
from plainview.detect.phrases import raised
from plainview.detect.units import Digest, Trait
from plainview.finding import Confidence, Finding, Related, Severity, Span
from plainview.match import Hit, Place, Wide

_TOGETHER = "belongs together with what is marked"


class _Part(NamedTuple):
    """One place of an atom: where in the source, and why it does not count (None when it does)."""

    span: Span
    unit: Unit
    place: Place
    softened: str | None
    lessened: bool


def detect(document: Document) -> Iterator[Finding]:
    """At most one finding for each composition and section: the first chain of parts, those that count preferred."""
    matcher = document.matcher
    # A composition holds only where the rarest of its atoms does, which is hardly anywhere.
    seeds = _Group(_members(document.marked(Trait.RARE), matcher.rare_bits), _all_read(document, matcher.rare_bits))
    sought = [wide for wide in matcher.wide if wide.rarest & seeds.bits]
    if not sought:
        return
    everywhere: _Group | None = None
    sections = _Sections(document, sought, seeds)
    for wide in sought:
        if wide.match.within == "document":
            if everywhere is None:
                everywhere = _holding(document, _union(one.needed for one in sought if one.match.within == "document"))
            groups: Iterable[_Group] = (everywhere,)
        else:
            groups = sections.of(wide.rarest)
        for group in groups:
            if wide.needed & group.bits != wide.needed:
                continue
            pools = {atom: _Pool(_parts(document, wide, group, atom)) for atom in dict.fromkeys(wide.atoms)}
            chain = _chain(wide, pools)
            if chain:
                yield _finding(document, wide, chain)


def _union(several: Iterable[int]) -> int:
    union = 0
    for bits in several:
        union |= bits
    return union


class _Member(NamedTuple):
    """A passage that holds atoms of a composition: where it begins, what it comes to, and which atoms, as bits."""

    start: int
    digest: Digest
    bits: int


class _Read(NamedTuple):
    """One place of an atom, which has that bit, in another reading of the text."""

    unit: Unit
    place: Place
    bit: int


class _Group:
    """The passages, and the places in other readings, of a section or a whole document that hold atoms."""

    __slots__ = ("bits", "members", "read")

    def __init__(self, members: list[_Member], read: list[_Read]) -> None:
        self.members = members
        self.read = read
        self.bits = _union(one.bits for one in members) | _union(one.bit for one in read)


def _holding(document: Document, atoms: int) -> _Group:
    """The passages of a document, and the places in its readings, that hold some of `atoms`, given as bits."""
    return _Group(_members(document.digests(), atoms), _all_read(document, atoms))


def _all_read(document: Document, atoms: int) -> list[_Read]:
    found = document.readings(lambda one: one.scan.passing & atoms)
    return [one for unit in found for one in _places(document, unit, atoms)]


def _members(digests: Iterable[tuple[int, Digest]], atoms: int) -> list[_Member]:
    """Those of the passages, which come with the offsets at which they begin, that hold some of `atoms`."""
    return [
        _Member(start, digest, bits)
        for start, digest in digests
        if digest.may_widen & atoms and (bits := digest.holding(atoms))
    ]


def _places(document: Document, unit: Unit, atoms: int) -> Iterator[_Read]:
    """The places of some atoms, given as bits, in a reading."""
    left = atoms & unit.scan.passing
    while left:
        bit = left & -left
        left ^= bit
        for place in unit.scan.places(document.matcher.wide_atoms[bit]):
            yield _Read(unit, place, bit)


class _Sections:
    """What the sections of a document hold of the compositions that are sought in sections."""

    def __init__(self, document: Document, sought: Iterable[Wide], seeds: _Group) -> None:
        self._document = document
        self._seeds = seeds
        self._atoms = _union(wide.needed for wide in sought if wide.match.within == "section")
        self._known: dict[int, _Group] | None = None

    def of(self, bit: int) -> Iterator[_Group]:
        """The sections in which the atom of that bit, one of the rarest, occurs, in order."""
        if self._known is None:
            self._known = self._grouped()
        found = {self._section(one) for one in self._seeds.members if one.bits & bit}
        found |= {self._reading(one) for one in self._seeds.read if one.bit == bit}
        return (self._known[number] for number in sorted(found))

    def _section(self, member: _Member) -> int:
        """The number of the heading that a passage stands under; a heading begins a passage."""
        heads = member.digest.passage.heads
        return self._document.outline.number(member.start + (heads[0][0] if heads else 0))

    def _reading(self, one: _Read) -> int:
        number = self._whole(one.unit)
        return self._document.outline.number(one.unit.folded.span(*one.place).start) if number is None else number

    def _whole(self, unit: Unit) -> int | None:
        """The number of the heading that all of a reading stands under, if it is one."""
        first, last = (self._document.outline.number(offset) for offset in (unit.span.start, unit.span.end - 1))
        return first if first == last else None

    def _grouped(self) -> dict[int, _Group]:
        """What there is in each section that holds a seed, by the number of its heading."""
        document, atoms = self._document, self._atoms
        numbers = {self._section(one) for one in self._seeds.members}
        numbers |= {self._reading(one) for one in self._seeds.read}
        found: dict[int, tuple[list[_Member], list[_Read]]] = {number: ([], []) for number in numbers}
        for number, (members, _) in found.items():
            members += _members(document.under(number), atoms)
        for unit in document.readings(lambda one: one.scan.passing & atoms):
            whole = self._whole(unit)
            if whole is None or whole in found:
                for one in _places(document, unit, atoms):
                    number = self._reading(one) if whole is None else whole
                    if number in found:
                        found[number][1].append(one)
        return {number: _Group(*several) for number, several in found.items()}


def _parts(document: Document, wide: Wide, group: _Group, atom: int) -> Iterator[_Part]:
    """The places of an atom in a group that are not excused, in order.

    Those of a reading come behind those of the base view, whose words they may repeat.
    """
    written = _written(document, wide, group.members, atom)
    if not group.read:
        return written
    bit = document.matcher.bit(atom)
    read = (_part(document, wide, one.unit, one.place) for one in group.read if one.bit == bit)
    behind = sorted((part for part in read if part is not None), key=_start)
    return merge(written, behind, key=_start)


def _written(document: Document, wide: Wide, members: Sequence[_Member], atom: int) -> Iterator[_Part]:
    bit = document.matcher.bit(atom)
    for start, digest, bits in members:
        if bits & bit:
            for unit in digest.units:
                places = unit.scan.places(atom)
                moved = unit.moved(start) if places else unit
                for place in places:
                    part = _part(document, wide, moved, place)
                    if part is not None:
                        yield part


def _start(part: _Part) -> int:
    return part.span.start


class _Pool:
    """Parts that are worked out as far as they are asked for."""

    def __init__(self, parts: Iterator[_Part]) -> None:
        self._parts = parts
        self._known: list[_Part] = []

    def get(self, index: int) -> _Part | None:
        """The part of that number, None behind the last."""
        while index >= len(self._known):
            part = next(self._parts, None)
            if part is None:
                return None
            self._known.append(part)
        return self._known[index]


def _part(document: Document, wide: Wide, unit: Unit, place: Place) -> _Part | None:
    scan = unit.scan
    piece = scan.piece(scan.sentences(), place[0])
    span = Span(*place)
    around = scan.around(piece, span)
    if any(scan.excuses(other, piece, around, span) for other in wide.unless):
        return None
    lessened = any(scan.excuses(other, piece, around, span) for other in wide.lessen)
    hit = Hit(wide.rule, span, (place,), lessened)
    return _Part(unit.folded.span(*place), unit, place, softening(document, unit, hit), lessened)


def _chain(wide: Wide, pools: dict[int, _Pool]) -> list[_Part]:
    """One part of each atom, none of them used twice, in order if the rule wants a sequence; empty if there is none."""
    for alive in (True, False):
        chain: list[_Part] = []
        used: set[Span] = set()
        at = dict.fromkeys(pools, 0)
        for atom in wide.atoms:
            part = _next(pools[atom], at, atom, used, chain if wide.match.sequence else (), alive=alive)
            if part is None:
                break
            used.add(part.span)
            chain.append(part)
        else:
            return chain
    return []


def _next(
    parts: _Pool,
    at: dict[int, int],
    atom: int,
    used: set[Span],
    before: Sequence[_Part],
    *,
    alive: bool,
) -> _Part | None:
    while (part := parts.get(at[atom])) is not None:
        at[atom] += 1
        if part.span in used or (alive and part.softened is not None):
            continue
        if before and part.span.start < before[-1].span.end:
            continue
        return part
    return None


def _finding(document: Document, wide: Wide, chain: list[_Part]) -> Finding:
    rule = wide.rule
    first = chain[0]
    severity, confidence = rule.level, rule.certainty
    softened = next((part.softened for part in chain if part.softened is not None), None)
    if softened is not None:
        severity, confidence = Severity.INFO, Confidence.LOW
    elif any(part.lessened for part in chain):
        severity, confidence = min(severity, Severity.LOW), min(confidence, Confidence.LOW)
    scan = first.unit.scan
    clause = first.unit.folded.span(*scan.piece(scan.clauses(), first.place[0]))
    related = tuple(Related(part.span, _TOGETHER) for part in chain[1:])
    finding = Finding(
        rule.id,
        rule.category,
        severity,
        confidence,
        rule.message,
        first.span,
        clause,
        softened=softened,
        related=related,
    )
    hidden = document.hidden_at(first.span)
    if hidden is None:
        return finding
    hoisted = raised(document, finding, hidden)
    return msgspec.structs.replace(hoisted, related=(*hoisted.related, *related))
