"""Commands that a host runs when it loads the file: whatever else is said of one, a reader should know that it runs."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from plainview.detect.document import Document
from plainview.detect.phrases import raised
from plainview.finding import Finding
from plainview.rules import Ruleset

RULE = "runs-on-load"


def detect(document: Document, ruleset: Ruleset) -> Iterator[Finding]:
    """A finding for each command that runs on load."""
    rule = ruleset.rule(RULE)
    if rule is None:
        return
    for span in document.live():
        finding = Finding(rule.id, rule.category, rule.level, rule.certainty, rule.message, span, span)
        hidden = document.hidden_at(span)
        yield finding if hidden is None else msgspec.structs.replace(raised(document, finding, hidden), clause=span)
