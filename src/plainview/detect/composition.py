"""Compositions over a section or a whole document: what is taken in one place, sent in another, kept quiet in a third.

The rules say which atoms belong together (`within = "section"` or `"document"`); each part is judged by its own
surroundings, so that a denial of one part ("never send it") or a sample among things to detect breaks the chain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from plainview.detect.context import softening
from plainview.detect.document import Document, Unit
from plainview.detect.phrases import raised
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
    units = [*document.units, *document.readings]
    passing = 0
    for unit in units:
        passing |= unit.scan.passing
    for wide in document.matcher.wide:
        if wide.needed & passing != wide.needed or not _is_complete(units, wide):
            continue
        pools = {atom: _grouped(document, units, wide, atom) for atom in dict.fromkeys(wide.atoms)}
        groups = set.intersection(*(set(pool) for pool in pools.values()))
        for group in sorted(groups):
            chain = _chain(wide, {atom: pool[group] for atom, pool in pools.items()})
            if chain:
                yield _finding(document, wide, chain)


def _is_complete(units: Sequence[Unit], wide: Wide) -> bool:
    """Whether every atom occurs somewhere."""
    return all(any(unit.scan.places(atom) for unit in units) for atom in wide.rarest_first)


def _grouped(document: Document, units: Sequence[Unit], wide: Wide, atom: int) -> dict[int, list[_Part]]:
    """The places of an atom by the section that they stand in (by 0 for the whole document)."""
    grouped: dict[int, list[_Part]] = {}
    for unit in units:
        for place in unit.scan.places(atom):
            part = _part(document, wide, unit, place)
            if part is not None:
                group = 0 if wide.match.within == "document" else _section(document, part.span.start)
                grouped.setdefault(group, []).append(part)
    for parts in grouped.values():
        # Those of a reading come behind those of the base view, whose words they may repeat.
        parts.sort(key=lambda part: part.span.start)
    return grouped


def _section(document: Document, offset: int) -> int:
    sections = document.headings(offset)
    return sections[0].span.start if sections else 0


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


def _chain(wide: Wide, pools: dict[int, list[_Part]]) -> list[_Part]:
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
    parts: list[_Part],
    at: dict[int, int],
    atom: int,
    used: set[Span],
    before: Sequence[_Part],
    *,
    alive: bool,
) -> _Part | None:
    while at[atom] < len(parts):
        part = parts[at[atom]]
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
