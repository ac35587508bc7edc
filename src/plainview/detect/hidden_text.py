"""What a hidden span says decides what it is: a tool's marker, a note, or orders to a model.

The vocabulary is data: the atoms of `hidden-instructions` (orders, in every language of the phrase rules) and
of `hidden-comment` (markers that tools write, and hints to whoever fills in a template).
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator, Set

import msgspec

from plainview.detect.document import Document, fold_all
from plainview.finding import Confidence, Finding, Related, Severity, Span
from plainview.fold import fold
from plainview.hidden import HiddenSpan
from plainview.match import Matcher, Place, Scan
from plainview.rules import Rule, Ruleset

INSTRUCTIONS = "hidden-instructions"
COMMENT = "hidden-comment"
LABEL = "hidden-attribute"
_LINK = 4
# A moment opens an order where it opens the sentence: "The page that you see when you log in" tells of one.
_MOMENTS = ("when", "before", "after", "once", "each", "every")
_ENDS = tuple(".;:!?\n")

# What a picture or a control is said to show or to say is told, not ordered.
_REPORT = re.compile(
    r"\b(?:says?|saying|reads?|reading|tells?|telling|states?|stating|shows?|showing|sees?|message|error|notice|warning"
    r"|screen|page|dialog|where|which|how|what|(?:says|shows) that|if|whether)[ :,\"'(]*(?:that )?(?:the )?$"
)
_BEFORE = 40
# Words behind a tool's own that are more than a name and its value.
_FEWEST_WORDS = 3
# A single order in a note is often a hint to whoever fills in a template; a list of them is a manual.
_MANUAL = 2
# Letters above this one belong to scripts some of which have no blanks; a word of theirs has no more letters than that.
_LATIN = "\u024f"
_WORD = 6


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


def unnamed(hidden: Iterable[Finding], phrases: Iterable[Finding]) -> list[Finding]:
    """The findings of hidden spans but for those in which a phrase was found: one cause has one finding."""
    named = {finding.hidden.span for finding in phrases if finding.hidden and not finding.softened}
    return [one for one in hidden if one.span not in named]


def weighed(phrases: Iterable[Finding], hidden: Iterable[Finding], decided: Set[str]) -> list[Finding]:
    """The findings of phrases, the worst in each hidden span no less severe and no less sure than that span's own.

    So to add words to an order that is hidden makes nothing better. The severities of the rules `decided` on stay.
    """
    found = list(phrases)
    worst: dict[Span, int] = {}
    for index, finding in enumerate(found):
        if finding.hidden is None or finding.softened or finding.itself:
            continue
        other = worst.setdefault(finding.hidden.span, index)
        if (found[other].severity, found[other].confidence) < (finding.severity, finding.confidence):
            worst[finding.hidden.span] = index
    for one in hidden:
        at = worst.get(one.span)
        if at is not None and one.severity >= Severity.MEDIUM:
            severity = found[at].severity if found[at].rule in decided else max(found[at].severity, one.severity)
            confidence = max(found[at].confidence, one.confidence)
            found[at] = msgspec.structs.replace(found[at], severity=severity, confidence=confidence)
    return found


def detect(document: Document, ruleset: Ruleset) -> Iterator[Finding]:
    """One finding for each hidden span, whatever phrases stand in it."""
    instructions = ruleset.rule(INSTRUCTIONS)
    for hidden in document.hidden:
        says, order = judge(document, hidden)
        own = ruleset.rule(hidden.rule)
        rule = instructions if says.directs else own
        if says.directs and hidden.covert and own is not None and instructions is not None:
            # What nobody hides by honest means is told of by how it is hidden, if that is grave enough.
            rule = max(own, instructions, key=lambda one: one.level)
        if rule is not None:
            quiet = (says is Says.MARKER and not hidden.covert) or document.is_stripped(hidden)
            yield _finding(document, hidden, rule, says, Severity.INFO if quiet else rule.level, order)


def judge(document: Document, hidden: HiddenSpan) -> tuple[Says, Span | None]:
    """What the hidden span says, by the vocabulary of the two rules, and where its first order stands."""
    start = hidden.span.start
    text = document.source.text[start : hidden.span.end]
    says, order = document.memory.recall(_judge, document.matcher, hidden.moved(-start), text)
    return says, order and Span(order.start + start, order.end + start)


def _judge(matcher: Matcher, hidden: HiddenSpan, text: str) -> tuple[Says, Span | None]:
    """What is hidden in `text`, which begins where the span does, and where its first order stands there."""
    if hidden.marker:
        return Says.MARKER, None
    folded = fold(text, hidden.content) if hidden.plain else fold_all(hidden.decoded)
    scan = matcher.scan(folded)
    markers = scan.own(COMMENT, "marker")
    # A marker's own order, to people, is none to a model; whatever else stands beside a marker is.
    covered = scan.own(COMMENT, "covers")
    addresses = _outside(scan.own(INSTRUCTIONS, "address"), covered)
    orders = addresses + _outside(scan.own(INSTRUCTIONS, "order"), covered)
    imperatives = _outside(scan.own(INSTRUCTIONS, "imperative"), [*markers, *covered])
    beside = _beside(matcher, scan.text, scan.own(COMMENT, "tool"))
    imperatives += beside.own(INSTRUCTIONS, "imperative")[:1] if beside is not None else []
    placeholder = bool(scan.own(COMMENT, "placeholder")) and "\n" not in scan.text.strip()
    if hidden.rule == LABEL or hidden.strict:
        # A label is often an order to whoever clicks it ("Install with one click"): only words to a model count.
        addresses = [place for place in addresses if _is_demand(scan.text, place)]
        orders, imperatives = addresses, []
    elif hidden.channel == "element" and not addresses and len(scan.text.split()) <= _LINK:
        # "Skip to content" is a link for those who listen to the page.
        orders, imperatives = [], []
    if orders or len(imperatives) >= _MANUAL or (imperatives and not placeholder):
        first = scan.piece(scan.clauses(), min(addresses or orders + imperatives)[1] - 1)
        # What is decoded has no place of its own for an order to stand in.
        order = folded.span(first.start, first.end) if hidden.plain else None
        return Says.ORDERS if addresses else Says.NOTE, order
    if beside is not None and not hidden.strict:
        return Says.PROSE, None
    if hidden.strict or markers or placeholder or (hidden.plain and _is_word(scan.text.strip())):
        return Says.MARKER, None
    return Says.PROSE, None


def _beside(matcher: Matcher, text: str, tools: list[Place]) -> Scan | None:
    """What is said behind a tool's own words, where it is a sentence or its beginning."""
    said = text[tools[0][1] :].strip(" :;,.-") if tools else ""
    return matcher.scan(fold_all(said)) if len(said.split()) >= _FEWEST_WORDS else None


def _is_demand(text: str, place: Place) -> bool:
    """Whether words to a model demand something, rather than tell what is to be seen ("you will see", "should be")."""
    said = text[place[0] : place[1]]
    if _REPORT.search(text, max(place[0] - _BEFORE, 0), place[0]):
        return False
    if said.startswith(_MOMENTS) and text[: place[0]].strip() and text[place[0] - 2 : place[0] - 1] not in _ENDS:
        return False
    return " will" not in f" {said}" and not text.startswith("be ", place[1]) and not text.startswith(" be ", place[1])


def _is_word(text: str) -> bool:
    """Whether a text is one word or less. Scripts without blanks write whole sentences in one piece."""
    return len(text.split()) <= 1 and sum(letter > _LATIN and letter.isalpha() for letter in text) <= _WORD


def _outside(places: list[Place], markers: list[Place]) -> list[Place]:
    """The places that no marker covers ("do not edit" is a marker's own order, to people)."""
    outside = []
    reached = 0
    ends = 0
    ordered = sorted(markers)
    for start, end in sorted(places):
        while reached < len(ordered) and ordered[reached][0] < end:
            ends = max(ends, ordered[reached][1])
            reached += 1
        if ends <= start:
            outside.append((start, end))
    return outside


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
        itself=True,
        related=(Related(order, "an order to the model"),) if order else (),
    )
