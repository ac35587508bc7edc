"""The pattern rules: hits of their compositions, judged by what surrounds them and by whether they are hidden."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from plainview.detect.context import softening
from plainview.detect.document import Document, Unit
from plainview.finding import Confidence, Finding, Related, Severity, Span
from plainview.hidden import HiddenSpan
from plainview.match import Hit


def detect(document: Document) -> Iterator[Finding]:
    """A finding for each hit; of several by one rule in one hidden span only the worst, for they are one cause."""
    hidden: dict[tuple[str, Span], Finding] = {}
    for unit in document.units:
        reached: dict[str, int] = {}
        for hit in sorted(unit.scan.hits(), key=lambda one: (one.rule.id, one.span)):
            if hit.span.start < reached.get(hit.rule.id, 0):
                continue
            reached[hit.rule.id] = hit.span.end
            finding = _finding(document, unit, hit)
            if finding.hidden is None:
                yield finding
                continue
            key = (finding.rule, finding.hidden.span)
            if key not in hidden or hidden[key].severity < finding.severity:
                hidden[key] = finding
    yield from hidden.values()


def _finding(document: Document, unit: Unit, hit: Hit) -> Finding:
    rule = hit.rule
    span = unit.folded.span(*hit.span)
    reason = softening(document, unit, hit)
    severity, confidence = rule.level, rule.certainty
    if reason is not None:
        severity, confidence = Severity.INFO, Confidence.LOW
    elif hit.lessened:
        severity, confidence = min(severity, Severity.LOW), min(confidence, Confidence.LOW)
    clauses = unit.scan.clauses()
    first, last = (unit.scan.piece(clauses, offset) for offset in (hit.span.start, max(hit.span.end - 1, 0)))
    clause = unit.folded.span(first.start, last.end)
    finding = Finding(rule.id, rule.category, severity, confidence, rule.message, span, clause, softened=reason)
    hidden = document.hidden_at(span)
    return finding if hidden is None else _raised(document, finding, hidden)


def _raised(document: Document, finding: Finding, hidden: HiddenSpan) -> Finding:
    """The finding of a phrase that stands in hidden text: one level up, and it says where."""
    severity = finding.severity if finding.softened else finding.severity.raised()
    return msgspec.structs.replace(
        finding,
        severity=severity,
        clause=hidden.span,
        hidden=document.describe(hidden),
        related=(Related(hidden.span, f"hidden in this {hidden.form}"),),
    )
