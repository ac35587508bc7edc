"""What a hidden span says decides what it is: a tool's marker, a note, or orders to a model.

The vocabulary is data: the atoms of `hidden-instructions` (orders, in every language of the phrase rules) and
of `hidden-comment` (markers that tools write, and hints to whoever fills in a template).
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator

import msgspec

from plainview.detect.document import Document
from plainview.finding import Confidence, Finding, Related, Severity, Span
from plainview.fold import fold
from plainview.hidden import HiddenSpan
from plainview.match import Place
from plainview.rules import Rule, Ruleset

INSTRUCTIONS = "hidden-instructions"
COMMENT = "hidden-comment"

# A single order in a note is often a hint to whoever fills in a template; a list of them is a manual.
_MANUAL = 2


class Says(enum.Enum):
    """The three steps for a hidden span, the third in two: directives to whoever reads, or to a model."""

    MARKER = "marker"
    PROSE = "prose"
    NOTE = "note"
    ORDERS = "orders"

    @property
    def directs(self) -> bool:
        """Whether it holds directives: a note among people to whoever reads, orders to a model."""
        return self in (Says.NOTE, Says.ORDERS)


def detect(document: Document, ruleset: Ruleset, phrases: Iterable[Finding]) -> Iterator[Finding]:
    """One finding for each hidden span, but none where a pattern rule already names what is hidden there."""
    instructions, comment = ruleset.rule(INSTRUCTIONS), ruleset.rule(COMMENT)
    named = {finding.hidden.span for finding in phrases if finding.hidden and not finding.softened}
    for hidden in document.hidden:
        if hidden.span in named:
            continue
        says, order = judge(document, hidden)
        rule = instructions if says.directs else comment
        if rule is not None:
            quiet = says is Says.MARKER or document.is_stripped(hidden)
            yield _finding(document, hidden, rule, says, Severity.INFO if quiet else rule.level, order)


def judge(document: Document, hidden: HiddenSpan) -> tuple[Says, Span | None]:
    """What the hidden span says, by the vocabulary of the two rules, and where its first order stands."""
    if hidden.form not in ("HTML comment", "conditional comment"):
        return Says.MARKER, None
    folded = fold(document.source.text, hidden.content)
    scan = document.matcher.scan(folded)
    markers = scan.own(COMMENT, "marker")
    addresses = _outside(scan.own(INSTRUCTIONS, "address"), markers)
    orders = addresses + _outside(scan.own(INSTRUCTIONS, "order"), markers)
    imperatives = _outside(scan.own(INSTRUCTIONS, "imperative"), markers)
    placeholder = bool(scan.own(COMMENT, "placeholder")) and "\n" not in scan.text.strip()
    if orders or len(imperatives) >= _MANUAL or (imperatives and not placeholder):
        first = scan.piece(scan.clauses(), min(orders + imperatives)[1] - 1)
        return Says.ORDERS if addresses else Says.NOTE, folded.span(first.start, first.end)
    if markers or placeholder or len(scan.text.split()) <= 1:
        return Says.MARKER, None
    return Says.PROSE, None


def _outside(places: list[Place], markers: list[Place]) -> list[Place]:
    """The places that no marker covers ("do not edit" is a marker's own order, to people)."""
    return [place for place in places if not any(start < place[1] and place[0] < end for start, end in markers)]


def _finding(
    document: Document, hidden: HiddenSpan, rule: Rule, says: Says, severity: Severity, order: Span | None
) -> Finding:
    confidence = rule.certainty if severity is rule.level else Confidence.LOW
    return Finding(
        rule.id,
        rule.category,
        severity,
        confidence,
        rule.message,
        hidden.span,
        hidden.span,
        hidden=msgspec.structs.replace(document.describe(hidden), orders=says is Says.ORDERS),
        related=(Related(order, "an order to the model"),) if order else (),
    )
