"""What surrounds a phrase: the same words in code, in quotation, denied, or listed as something to detect.

A phrase so surrounded is not an order. It drops to info and says why; it does not vanish.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from plainview.detect.document import Document, Unit
from plainview.finding import Span
from plainview.fold import Mode
from plainview.markup import RegionKind
from plainview.match import Hit, Place, Scan

# A denial reaches a phrase from the beginning of its clause, and not from further away than this.
_REACH = 160


def softening(document: Document, unit: Unit, hit: Hit) -> str | None:
    """Why the hit is no order ("in a code sample", "denied"), or None. Looks only for what its rule allows."""
    place = unit.folded.span(*hit.span)
    allowed = hit.rule.soften
    if "negation" in allowed and _denied(unit, hit):
        return "denied"
    if "code" in allowed and _in_code(document, unit, place):
        return "in a code sample"
    if "quotation" in allowed and _quoted(unit, hit):
        return "quoted"
    if "defence" in allowed and _listed(document, unit, hit, place):
        return "listed as something to detect or avoid"
    return None


def _denied(unit: Unit, hit: Hit) -> bool:
    """Whether a denial governs the beginning of the hit, or one of its later parts ("read the key, never send it")."""
    scan = unit.scan
    if not scan.shared("denial"):
        return False
    clauses = scan.clauses()
    reached = 0
    for begin, end in sorted(hit.parts):
        clause = scan.piece(clauses, begin)
        start = max(clause.start, begin - _REACH, reached)
        if any(_governs(scan, clause.start, denial, begin) for denial in _between(scan.shared("denial"), start, begin)):
            return True
        reached = max(reached, end)
    return False


def _governs(scan: Scan, start: int, denial: Place, phrase: int) -> bool:
    """Whether a denial in the clause from `start` still holds at `phrase`.

    "Do not wait, send it" urges on, "not X, but Y" turns round, and "if it is not there, do Y" denies the condition.
    """
    begin, end = denial
    if any(spur_end > begin for _, spur_end in _between(scan.shared("spur"), max(start, begin - 8), phrase)):
        return False
    if _between(scan.shared("turn"), end - 1, phrase):
        return False
    return not ("," in scan.text[end:phrase] and _between(scan.shared("condition"), start, begin))


def _between(places: Sequence[Place], start: int, end: int) -> Sequence[Place]:
    """The places that begin at `start` or later and end at `end` or before."""
    first = bisect_left(places, (start, 0))
    last = bisect_left(places, (end, 0), first)
    if last > first and places[last - 1][1] > end:
        last -= 1
    return places[first:last]


def _in_code(document: Document, unit: Unit, place: Span) -> bool:
    if unit.mode is Mode.CODE:
        return True
    inline = document.markup.inline_at(place.start)
    return inline is not None and inline.kind is RegionKind.INLINE_CODE and place.end <= inline.span.end


def _quoted(unit: Unit, hit: Hit) -> bool:
    """Between quotation marks inside a sentence that says more than the quotation, and with no uptake after it."""
    text, scan = unit.scan.text, unit.scan
    start, end = hit.span
    lines, quotes = scan.shared("line-end"), scan.shared("quotation-mark")
    line = bisect_left(lines, (start, 0))
    piece_start = lines[line - 1][1] if line else 0
    later = bisect_left(lines, (end, 0))
    piece_end = lines[later][0] if later < len(lines) else len(text)
    first, opening = bisect_left(quotes, (piece_start, 0)), bisect_left(quotes, (start, 0)) - 1
    closing = bisect_left(quotes, (end, 0))
    if (opening - first) % 2 or opening < first or closing == len(quotes) or quotes[closing][0] >= piece_end:
        return False
    # A few letters decide, and a line may be as long as the text.
    before = text[max(piece_start, quotes[opening][0] - _REACH) : quotes[opening][0]]
    after = text[quotes[closing][1] : min(piece_end, quotes[closing][1] + _REACH)]
    if sum(letter.isalnum() for letter in before + after) < 3:
        return False
    uptake = scan.shared("uptake")
    return not uptake or uptake[-1][0] < quotes[closing][0]


def _listed(document: Document, unit: Unit, hit: Hit, place: Span) -> bool:
    scan = unit.scan
    sentence = scan.piece(scan.sentences(), hit.span.start)
    if _between(scan.shared("reported"), sentence.start, hit.span.start):
        return True
    text = document.source.text
    for heading in document.headings(place.start)[:2]:
        if document.names_defence(text[heading.start : heading.end]):
            return True
    introduction = document.introduction(place.start)
    return introduction is not None and document.names_defence(introduction)
