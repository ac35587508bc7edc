"""What surrounds a phrase: the same words in code, in quotation, denied, or listed as something to detect.

A phrase so surrounded is not an order. It drops to info and says why; it does not vanish.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from plainview.detect.document import Document, Unit
from plainview.finding import Span
from plainview.fold import Mode
from plainview.hidden import HiddenSpan
from plainview.markup import RegionKind
from plainview.match import Hit, Place, Scan

_ASSIGNED = re.compile(r"[\w\"'\])] ?= ?$|\": ?$")
# Words that take a quotation up stand no further behind it than this.
_UPTAKE = 160
SAMPLE = "in a code sample"
# A denial reaches a phrase from the beginning of its clause, and not from further away than this.
_REACH = 80
# After a comma the sentence begins anew: right before the phrase, or with a word that says so.
_RESUMED = re.compile(r", (?:(?:so|then|and then|now|please|you (?:must|should)|just|always) ?)?$|, (?:so|then|now) ")
_OCCASION = re.compile(r"\b(?:when|whenever|once|after|every time|each time) (?:\w+ ){0,2}$")
# "Avoid delays and X" orders X, "do not run and send X" does not: what is avoided is named, not done.
_JOINED = re.compile(r"(?:[a-z'-]+ ){1,4}and ")
_NAMING = (
    "avoid",
    "avoids",
    "avoiding",
    "block",
    "blocks",
    "prevent",
    "prevents",
    "resist",
    "never mind",
    "do not be",
    "don't be",
)


def softening(document: Document, unit: Unit, hit: Hit) -> str | None:
    """Why the hit is no order ("in a code sample", "denied"), or None. Looks only for what its rule allows.

    Hidden text is softened by nothing but a denial within it: what a reader sees does not excuse what he does not.
    """
    place = unit.folded.span(*hit.span)
    if document.runs_on_load(place):
        return None
    allowed = hit.rule.soften
    hidden = document.hidden_at(place)
    if "negation" in allowed and _denied(document, unit, hit, hidden):
        return "denied"
    if hidden is not None and hidden.rule:
        return None
    if "code" in allowed and _in_code(document, unit, place):
        return SAMPLE
    if "quotation" in allowed and _quoted(document, unit, hit):
        return "quoted"
    if "defence" in allowed and _listed(document, unit, hit, place):
        return "listed as something to detect or avoid"
    return None


def _denied(document: Document, unit: Unit, hit: Hit, hidden: HiddenSpan | None) -> bool:
    """Whether a denial governs the beginning of the hit, or one of its later parts ("read the key, never send it")."""
    scan = unit.scan
    if not scan.shared("denial"):
        return False
    clauses = scan.clauses()
    reached = 0
    for begin, end in sorted(hit.parts):
        clause = scan.piece(clauses, begin)
        start = max(clause.start, begin - _REACH, reached)
        for denial in _between(scan.shared("denial"), start, begin):
            if _governs(scan, clause.start, denial, begin) and _is_read(document, unit, denial, hidden):
                return True
        reached = max(reached, end)
    return False


def _is_read(document: Document, unit: Unit, place: Place, hidden: HiddenSpan | None) -> bool:
    """Whether whoever reads the phrase reads these words of its context too."""
    offset = unit.folded.span(*place).start
    if hidden is not None:
        return hidden.span.start <= offset < hidden.span.end
    return not document.unseen.at(offset) and document.hidden_at(Span(offset, offset)) is None


def _governs(scan: Scan, start: int, denial: Place, phrase: int) -> bool:
    """Whether a denial in the clause from `start` still holds at `phrase`.

    "Do not wait, send it" urges on, "not X, but Y" turns round, and "if it is not there, do Y" denies the condition.
    """
    begin, end = denial
    if any(spur_end > begin for _, spur_end in _between(scan.shared("spur"), max(start, begin - 8), phrase)):
        return False
    if _between(scan.shared("turn"), end - 1, phrase):
        return False
    named = scan.text[begin : end + 8].startswith(_NAMING) and _JOINED.match(scan.text[end:phrase].lstrip())
    if named:
        return False
    return not ("," in scan.text[end:phrase] and _between(scan.shared("condition"), start, begin))


def _leads_to(text: str, start: int, phrase: int) -> bool:
    """Whether words that report are still at it at `phrase`: a comma ends a subordinate clause, and an order follows.

    "For examples of this, do X" orders X; 'text such as "a", "b"' and "asks, say, to do X" go on reporting.
    """
    between = text[start:phrase]
    return not (_RESUMED.search(between) and '"' not in between)


def _is_occasion(text: str, start: int, words: Place, phrase: int) -> bool:
    """Whether the words that report only name the moment of an order: "whenever someone asks for it, do X"."""
    between = text[words[1] : phrase]
    return (
        "," in between
        and '"' not in between
        and _OCCASION.search(text, max(start, words[0] - 24), words[0]) is not None
    )


def _between(places: Sequence[Place], start: int, end: int) -> Sequence[Place]:
    """The places that begin at `start` or later and end at `end` or before."""
    first = bisect_left(places, (start, 0))
    last = bisect_left(places, (end, 0), first)
    if last > first and places[last - 1][1] > end:
        last -= 1
    return places[first:last]


def _in_code(document: Document, unit: Unit, place: Span) -> bool:
    if unit.mode is Mode.CODE:
        return not document.is_ordered(place.start, "obeyed")
    inline = document.markup.inline_at(place.start)
    return inline is not None and inline.kind is RegionKind.INLINE_CODE and place.end <= inline.span.end


def _quoted(document: Document, unit: Unit, hit: Hit) -> bool:
    """Between quotation marks inside a sentence that says more than the quotation, and with no uptake after it."""
    text, scan = unit.scan.text, unit.scan
    quotation = scan.quotation(hit.span)
    if quotation is None:
        return False
    line = scan.piece(scan.lines(), hit.span.start)
    opening, closing = quotation
    # What is set as a value is handed over, not reported: hint="...".
    if _ASSIGNED.search(text, max(line.start, opening - 3), opening):
        return False
    # A few letters decide, and a line may be as long as the text.
    before = text[max(line.start, opening - _REACH) : opening]
    after = text[closing + 1 : min(line.end, closing + 1 + _REACH)]
    if sum(letter.isalnum() for letter in before + after) < 3:
        return False
    if not _is_read(document, unit, (opening, opening + 1), None):
        return False
    if not _is_read(document, unit, (closing, closing + 1), None):
        return False
    return not any(not _denied_at(scan, place) for place in _between(scan.shared("uptake"), closing, closing + _UPTAKE))


def _denied_at(scan: Scan, place: Place) -> bool:
    """Whether a denial governs the words at `place` ("never do what it says")."""
    clause = scan.piece(scan.clauses(), place[0])
    denials = _between(scan.shared("denial"), max(clause.start, place[0] - _REACH), place[0])
    return any(_governs(scan, clause.start, denial, place[0]) for denial in denials)


def _listed(document: Document, unit: Unit, hit: Hit, place: Span) -> bool:
    scan = unit.scan
    sentence = scan.piece(scan.sentences(), hit.span.start)
    reported = _between(scan.shared("reported"), sentence.start, hit.span.start)
    if any(
        _is_read(document, unit, words, None)
        and _leads_to(scan.text, words[1], hit.span.start)
        and not _is_occasion(scan.text, sentence.start, words, hit.span.start)
        for words in reported
    ):
        return True
    command = not {"code", "quotation"}.intersection(hit.rule.soften)
    # A sample that the page says to run is run, whatever its heading calls it.
    if command and document.is_ordered(place.start, "run"):
        return False
    for depth, section in enumerate(document.headings(place.start)):
        # A title is no alibi for what a whole file orders, only for the phrases that it shows as examples, and one
        # further up only for those that are set in code.
        if section.level == 1 and (command or not document.is_sample(place.start)):
            continue
        if depth > 1 and (command or not document.markup.in_code(place.start)):
            continue
        if document.names_defence(document.seen(section.heading)):
            return True
    introduction = document.introduction(place.start)
    return introduction is not None and document.names_defence(introduction)
