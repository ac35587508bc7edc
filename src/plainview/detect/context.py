"""What surrounds a phrase: the same words in code, in quotation, denied, or listed as something to detect.

A phrase so surrounded is not an order. It drops to info and says why; it does not vanish.
"""

from __future__ import annotations

from plainview.detect.document import Document, Unit
from plainview.finding import Span
from plainview.fold import Mode
from plainview.markup import RegionKind
from plainview.match import Hit

_QUOTES = '"'
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
    scan = unit.scan
    denials = scan.shared("denial")
    if not denials:
        return False
    start = max(scan.piece(scan.clauses(), hit.span.start).start, hit.span.start - _REACH)
    return any(start <= begin and end <= hit.span.start for begin, end in denials)


def _in_code(document: Document, unit: Unit, place: Span) -> bool:
    if unit.mode is Mode.CODE:
        return True
    inline = document.markup.inline_at(place.start)
    return inline is not None and inline.kind is RegionKind.INLINE_CODE and place.end <= inline.span.end


def _quoted(unit: Unit, hit: Hit) -> bool:
    """Between quotation marks inside a sentence that says more than the quotation, and with no uptake after it."""
    text, scan = unit.scan.text, unit.scan
    start, end = hit.span
    piece_start = text.rfind("\n", 0, start) + 1
    piece_end = text.find("\n", end)
    piece_end = len(text) if piece_end < 0 else piece_end
    if text.count(_QUOTES, piece_start, start) % 2 == 0 or text.find(_QUOTES, end, piece_end) < 0:
        return False
    opening = text.rfind(_QUOTES, piece_start, start)
    closing = text.find(_QUOTES, end, piece_end)
    outside = text[piece_start:opening] + text[closing + 1 : piece_end]
    if sum(letter.isalnum() for letter in outside) < 3:
        return False
    return not any(begin >= closing for begin, _ in scan.shared("uptake"))


def _listed(document: Document, unit: Unit, hit: Hit, place: Span) -> bool:
    scan = unit.scan
    sentence = scan.piece(scan.sentences(), hit.span.start)
    if any(sentence.start <= begin and end <= hit.span.start for begin, end in scan.shared("reported")):
        return True
    text = document.source.text
    for heading in document.headings(place.start)[:2]:
        if document.names_defence(text[heading.start : heading.end]):
            return True
    introduction = document.introduction(place.start)
    return introduction is not None and document.names_defence(introduction)
