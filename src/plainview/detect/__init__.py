"""Detectors: each looks at a Document and yields findings; `run` puts together what they say of one cause.

A detector is one file with a function `detect(document, ruleset)`. Patterns that the rules state are one of
them (`phrases`); a procedural detector serves the rules that name it under `detector`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from plainview.detect import composition, hidden_text, loaded, mended, misleading_link, phrases, typosquat
from plainview.detect.document import Document
from plainview.finding import Confidence, Finding
from plainview.rules import Ruleset

__all__ = ["Document", "run"]

Adjust = Callable[[Iterable[Finding]], list[Finding]]


def run(document: Document, ruleset: Ruleset, adjust: Adjust = list) -> list[Finding]:
    """Every finding of the document, in order of place; one finding for one cause.

    `adjust` gives findings their final severity, or drops them, before any is left out for the sake of another.
    """
    found = [*phrases.detect(document), *composition.detect(document), *mended.detect(document)]
    for detector in (typosquat, misleading_link, loaded):
        found += detector.detect(document, ruleset)
    levels = {(one.rule, one.span): one.severity for one in found}
    found = adjust(found)
    # What somebody has decided on stays so.
    decided = {one.rule for one in found if levels.get((one.rule, one.span)) is not one.severity}
    hidden = adjust(hidden_text.detect(document, ruleset))
    found = hidden_text.weighed(_distinct([*found, *hidden_text.unnamed(hidden, found)]), hidden, decided)
    return sorted(found, key=lambda finding: (finding.span, -finding.severity, finding.rule))


def _distinct(findings: list[Finding]) -> list[Finding]:
    """The findings without those that another of the same category covers, no less severe and no less sure.

    Of two that overlap, one of low confidence goes when the other is surer and no less severe: it says the same in
    general terms.
    """
    kept: list[Finding] = []
    for finding in sorted(findings, key=lambda one: (one.category, one.span.start, -one.span.end, -one.severity)):
        last = kept[-1] if kept else None
        if last is None or last.category != finding.category or last.rule == finding.rule:
            kept.append(finding)
        elif _says_it_all(last, finding):
            continue
        elif _is_vaguer(last, finding):
            kept[-1] = finding
        else:
            kept.append(finding)
    return kept


def _says_it_all(one: Finding, other: Finding) -> bool:
    """Whether `other`, which begins no earlier, adds nothing to `one`."""
    if other.softened is not None or one.severity < other.severity:
        return False
    covers = one.span.contains(other.span) and one.confidence >= other.confidence
    return covers or _is_vaguer(other, one)


def _is_vaguer(one: Finding, other: Finding) -> bool:
    """Whether `one` is of low confidence and overlaps `other`, which is surer and no less severe.

    Both are phrases: what is hidden as a whole is another matter than what stands in it.
    """
    if one.itself or other.itself:
        return False
    apart = one.span.end <= other.span.start or other.span.end <= one.span.start
    softened = one.softened is not None or other.softened is not None
    unsure = one.confidence is Confidence.LOW and other.confidence > one.confidence
    return unsure and one.severity <= other.severity and not (apart or softened)
