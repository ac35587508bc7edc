"""The pattern rules: hits of their compositions, judged by what surrounds them and by whether they are hidden."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from plainview.detect.context import SAMPLE, softening
from plainview.detect.document import Document, Unit
from plainview.detect.items import describes_option
from plainview.detect.units import Digest, Trait, ordered
from plainview.finding import Confidence, Finding, Related, Severity, Span
from plainview.fold import fold
from plainview.hidden import HiddenSpan
from plainview.markup import CODE_BLOCKS
from plainview.match import Hit
from plainview.respell import respelled
from plainview.rules import Rule


def detect(document: Document) -> Iterator[Finding]:
    """A finding for each hit; of several by one rule in one hidden span only the worst, for they are one cause."""
    hidden: dict[tuple[str, Span], Finding] = {}
    for finding in _found(document):
        if finding.hidden is None:
            yield finding
            continue
        key = (finding.rule, finding.hidden.span)
        if key not in hidden or hidden[key].severity < finding.severity:
            hidden[key] = finding
    yield from hidden.values()


def _found(document: Document) -> Iterator[Finding]:
    """Hits of what is written, then of what other readings say that this does not, then of what is decoded."""
    found: list[Finding] = []
    known: dict[str, list[int]] = {}
    replaced: dict[int, Finding | None] = {}
    for start, digest in document.marked(Trait.HITTING):
        for finding in _judged(document, start, digest):
            known.setdefault(finding.rule, []).append(len(found))
            found.append(finding)
    for reading in document.readings(lambda one: one.scan.hits()):
        for hit in ordered(reading.scan):
            span = reading.folded.span(*hit.span)
            if _reads_alike(document, reading, hit, span):
                continue
            finding = _finding(document, reading, hit, respelled("", _read(reading, hit), other=True))
            same = _overlapping(found, known.get(hit.rule.id, ()), span)
            if _says_more(finding, [found[index] for index in same]):
                replaced.update(dict.fromkeys(same))
                replaced[same[0] if same else len(found) + len(replaced)] = finding
    yield from (one for index, finding in enumerate(found) if (one := replaced.pop(index, finding)) is not None)
    yield from (finding for finding in replaced.values() if finding is not None)
    for concealed, scan in document.decoded:
        for hit in scan.hits():
            yield _decoded(document, concealed, hit)


def _judged(document: Document, start: int, digest: Digest) -> list[Finding]:
    """The findings in the units of one passage, those from before if nothing has changed that decides about them."""
    around = document.surroundings(start, digest.passage)
    if around is None:
        return _judged_anew(document, start, digest)
    findings = document.memory.at(
        (digest, around, _behind(document, start, digest)),
        lambda: [_moved(one, -start) for one in _judged_anew(document, start, digest)],
    )
    return [_moved(finding, start) for finding in findings]


def _behind(document: Document, start: int, digest: Digest) -> str | None:
    """What is said behind the last block of code in a passage, maybe in the next: it may order what stands in it."""
    last = next((one for one in reversed(digest.passage.leaves()) if one.kind in CODE_BLOCKS), None)
    return None if last is None else document.follow(start + last.span.start)


def _judged_anew(document: Document, start: int, digest: Digest) -> list[Finding]:
    findings: list[Finding] = []
    for number in digest.hitting:
        unit = digest.units[number].moved(start)
        findings += _recited(
            _finding(document, unit, hit, respelled(_slice(document, unit.folded.span(*hit.span)), _read(unit, hit)))
            for hit in ordered(unit.scan)
        )
    return findings


def _moved(finding: Finding, by: int) -> Finding:
    """A finding that is about nothing but its own words, `by` code points further on."""
    (start, end), (first, last) = finding.span, finding.clause
    return msgspec.structs.replace(finding, span=Span(start + by, end + by), clause=Span(first + by, last + by))


def _says_more(finding: Finding, others: Sequence[Finding]) -> bool:
    """Whether a reading's finding tells what `others`, in its place, do not.

    They hold a part of the phrase only (of two that overlap the first counts, as everywhere), or are softened by
    words that are there as long as nobody sees through the spelling.
    """
    if all(one.softened for one in others) and not finding.softened:
        return True
    harsher = any(not one.softened for one in others) and finding.softened
    return not harsher and all(
        finding.span.start < one.span.start or (finding.span.contains(one.span) and finding.span != one.span)
        for one in others
    )


def _recited(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings of one unit; a sample of code that both takes data and covers it up is a script, not a sample.

    One phrase in a code sample is an example of a phrase. A comment in it that sends something off, and another that
    keeps quiet about it or skips consent, is read by the model as what it says.
    """
    found = list(findings)
    samples = {one.category for one in found if one.softened == SAMPLE}
    script = "data-exfiltration" in samples and len(samples) > 1
    for one in found:
        if script and one.softened == SAMPLE and one.category == "data-exfiltration":
            yield msgspec.structs.replace(one, softened=None, severity=Severity.HIGH, confidence=Confidence.LOW)
        else:
            yield one


def _slice(document: Document, span: Span) -> str:
    return document.source.text[span.start : span.end]


def _read(unit: Unit, hit: Hit) -> str:
    return unit.folded.text[hit.span.start : hit.span.end]


def _overlapping(found: Sequence[Finding], indices: Sequence[int], span: Span) -> list[int]:
    """Which of the findings at `indices`, in order of place and apart, overlap `span`."""
    first = place = bisect_left(indices, span.end, key=lambda index: found[index].span.start)
    while first and found[indices[first - 1]].span.end > span.start:
        first -= 1
    return list(indices[first:place])


def _reads_alike(document: Document, reading: Unit, hit: Hit, span: Span) -> bool:
    """Whether the base view of the same place says the same, so that nothing is respelled there."""
    plain = fold(document.source.text, span, reading.mode).text
    return plain.split() == _read(reading, hit).split()


def _decoded(document: Document, hidden: HiddenSpan, hit: Hit) -> Finding:
    """The finding of a phrase in what hidden text decodes to; it stands where that is written."""
    rule = hit.rule
    plain = Finding(rule.id, rule.category, rule.level, rule.certainty, rule.message, hidden.span, hidden.span)
    return msgspec.structs.replace(raised(document, plain, hidden), related=())


def _finding(document: Document, unit: Unit, hit: Hit, reading: str | None) -> Finding:
    rule = hit.rule
    span = unit.folded.span(*hit.span)
    reason = softening(document, unit, hit)
    severity, confidence = rule.level, rule.certainty
    if reason is not None:
        severity, confidence = Severity.INFO, Confidence.LOW
    elif hit.lessened or describes_option(document, hit, span):
        severity, confidence = min(severity, Severity.LOW), min(confidence, Confidence.LOW)
    clauses = unit.scan.clauses()
    first, last = (unit.scan.piece(clauses, offset) for offset in (hit.span.start, max(hit.span.end - 1, 0)))
    clause = unit.folded.span(first.start, last.end)
    finding = Finding(rule.id, rule.category, severity, confidence, rule.message, span, clause, softened=reason)
    if reading is not None:
        # A blank between letters may belong to the last of them in the reading; it is no part of the phrase.
        trimmed = Span(span.start, span.start + len(_slice(document, span).rstrip()))
        finding = msgspec.structs.replace(finding, span=trimmed, respelled=reading)
    hidden = document.hidden_at(span)
    return finding if hidden is None else raised(document, finding, hidden)


def placed(document: Document, unit: Unit, rule: Rule, place: Span) -> Finding:
    """The finding of what a procedural detector has found at `place` in a unit, judged like a phrase."""
    return _finding(document, unit, Hit(rule, place, (place,), lessened=False), None)


def raised(document: Document, finding: Finding, hidden: HiddenSpan) -> Finding:
    """The finding of a phrase that stands in hidden text: one level up, and it says where."""
    severity = finding.severity if finding.softened else finding.severity.raised()
    return msgspec.structs.replace(
        finding,
        severity=severity,
        clause=hidden.span,
        hidden=document.describe(hidden),
        related=(Related(hidden.span, f"hidden in this {hidden.form}"),),
    )
