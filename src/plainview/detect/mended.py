"""Phrases cut up so that no piece of them reads as one: over the items of a list, or by stray marks in a sentence.

Such passages are mended and looked at again (`mending`). A hit counts only where a cut runs through it, and only by
the rules on what is said to a model: a list of two words each is an ordinary thing.
"""

from __future__ import annotations

from collections.abc import Iterator

from plainview.detect.document import Document
from plainview.detect.phrases import raised
from plainview.detect.units import Trait
from plainview.finding import Finding, Span

_CATEGORIES = ("prompt-injection", "anti-refusal", "system-prompt-leakage")


def detect(document: Document) -> Iterator[Finding]:
    """Hits in the mended passages, each at the place that its pieces take up in the source."""
    for by, digest in document.marked(Trait.MENDED):
        for rule, place in digest.mended:
            span = Span(place.start + by, place.end + by)
            if rule.category not in _CATEGORIES or document.markup.in_code(span.start):
                continue
            finding = Finding(rule.id, rule.category, rule.level, rule.certainty, rule.message, span, span)
            hidden = document.hidden_at(span)
            yield finding if hidden is None else raised(document, finding, hidden)
