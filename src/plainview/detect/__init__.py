"""Detectors: each looks at a Document and yields findings; `run` puts together what they say of one cause.

A detector is one file with a function `detect(document, ruleset)`. Patterns that the rules state are one of
them (`phrases`); a procedural detector serves the rules that name it under `detector`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from plainview.detect import composition, hidden_text, mended, phrases, typosquat
from plainview.detect.document import Document
from plainview.finding import Finding
from plainview.rules import Ruleset

__all__ = ["Document", "run"]

Adjust = Callable[[Iterable[Finding]], list[Finding]]


def run(document: Document, ruleset: Ruleset, adjust: Adjust = list) -> list[Finding]:
    """Every finding of the document, in order of place; one finding for one cause.

    `adjust` gives findings their final severity, or drops them, before any is left out for the sake of another.
    """
    found = [*phrases.detect(document), *composition.detect(document), *mended.detect(document)]
    found = adjust([*found, *typosquat.detect(document, ruleset)])
    found += adjust(hidden_text.detect(document, ruleset, found))
    return sorted(_distinct(found), key=lambda finding: (finding.span, -finding.severity, finding.rule))


def _distinct(findings: list[Finding]) -> list[Finding]:
    """The findings without those that another of the same category covers, no less severe and no less sure."""
    kept: list[Finding] = []
    for finding in sorted(findings, key=lambda one: (one.category, one.span.start, -one.span.end, -one.severity)):
        last = kept[-1] if kept else None
        covered = (
            last is not None
            and last.category == finding.category
            and last.rule != finding.rule
            and last.span.contains(finding.span)
            and last.severity >= finding.severity
            and last.confidence >= finding.confidence
            and finding.softened is None
        )
        if not covered:
            kept.append(finding)
    return kept
