"""What surrounds a phrase: the same words in code, in quotation, denied, or listed as something to detect.

A phrase so surrounded is not an order. It drops to info and says why; it does not vanish.
"""

from __future__ import annotations

import re
from itertools import pairwise

from plainview import late
from plainview.detect import header_strings
from plainview.detect.announcement import announces, prohibits
from plainview.detect.denial import is_denied, is_denied_at
from plainview.detect.document import Document, Unit
from plainview.detect.items import is_own_doing
from plainview.detect.live import is_marked
from plainview.detect.ordered import is_ordered
from plainview.detect.places import between, is_read
from plainview.detect.reporting import tells
from plainview.detect.resumption import is_conjoined
from plainview.finding import Span
from plainview.fold import Mode
from plainview.markup import Region, RegionKind
from plainview.match import Hit, Place, Scan

_ASSIGNED = re.compile(r"[\w\"'\])] ?= ?$|\": ?$")
# Words that take a quotation up stand no further behind it than this.
_UPTAKE = 160
# Words of saying right before inline code.
_SAYING = late.pattern(
    r"\b(?:sa(?:ys?|id|ying)|reads?|reading|w(?:rites?|rote|ritten)|states?|stated|claims?|claimed|asks?|asked"
    r"|(?:tells?|told) \w+|like|such as|e\.g\.|for example|phrases?|prompts?|sentences?|wording)[:,]? ?$",
    re.IGNORECASE,
)
SAMPLE = "in a code sample"
# What a fence says that holds a page rather than commands.
_PAGES = frozenset({"markdown", "md", "mdx"})
# So much of a line is read before or behind a quotation.
_REACH = 80
# Words that report reach over a long list of phrases at most, and of many the nearest decide: time stays linear.
_REPORT = 1000
_REPORTS = 8
# A question about what a third party does or is. One that asks for something, however politely, is an order.
_OPENING = r"(?:[-+*>|] |[0-9]+[.)] |\[[ x]\] |[a-z0-9]{1,3}: )*"
_QUESTION = re.compile(
    _OPENING + r"(?:does|did|is|are|was|were|has|have) (?!you\b|we\b|i\b|not\b)"
    r"(?!it (?:not )?(?!asked\b|told\b|instructed\b|made\b|meant\b|designed\b|used\b)[a-z]+ "
    r"(?:(?:for \w+|now|then|here|already|today|still|enough|with \w+) )*(?:to|if)\b)"
    rf"|{_OPENING}(?:would|could|might|may|can|will) any (?:of the |of its )?(?:[a-z]+ )?"
    r"(?:steps?|files?|lines?|pages?|scripts?|hooks?|commands?|sections?|words?|sentences?) "
)
# A label that shows what not to do, right before it.
_LABELLED = re.compile(
    r"(?:^|[\n.!?*>|+-] |[0-9][.)] )(?:bad|wrong|unsafe|insecure|incorrect|red flag|counter-?example|anti-?pattern)"
    r"(?: \([a-z ]{1,20}\))? ?: [\"'`]?$"
)
_LABEL = 60
_BEHIND_A_SENTENCE = " \n\"')]|*_"
# A denial that begins an item or a paragraph.
_FORBIDS = re.compile(
    r"[\s>]*(?:(?:[-+*]|[0-9]{1,9}[.)])[ \t]+)?[*_]{0,2}(?:do not|don['\u2019]t|never)\b", re.IGNORECASE
)
# What stands between quotations in one row.
_ROW = re.compile(r"[ ,]*(?:(?:and|or) )?")


def softening(document: Document, unit: Unit, hit: Hit) -> str | None:
    """Why the hit is no order ("in a code sample", "denied"), or None. Looks only for what its rule allows.

    Hidden text is softened by nothing but a denial within it: what a reader sees does not excuse what he does not.
    """
    place = unit.folded.span(*hit.span)
    if document.runs_on_load(place):
        return None
    allowed = hit.rule.soften
    hidden = document.hidden_at(place)
    if "negation" in allowed and is_denied(document, unit, hit, hidden):
        return "denied"
    if hidden is not None and hidden.rule:
        return None
    shown = "defence" in allowed or "code" in allowed
    if ("code" in allowed and _in_code(document, unit, place)) or (shown and _in_template(document, place)):
        return SAMPLE
    if "quotation" in allowed and (_quoted(document, unit, hit, place) or _is_instance(document, unit, hit, place)):
        return "quoted"
    if "defence" in allowed:
        from plainview.detect.specimen import is_specimen

        if _listed(document, unit, hit, place):
            return "listed as something to detect or avoid"
        taken_up = _taken_up(unit.scan, _end_of_report(document, unit, hit, place))
        if not taken_up and is_specimen(document, unit, hit, place):
            return "shown as a specimen"
    return None


def _in_code(document: Document, unit: Unit, place: Span) -> bool:
    if unit.mode is Mode.CODE:
        return not is_ordered(document, place.start, "obeyed")
    inline = _inline_code(document, place)
    return inline is not None and not _taken_up(unit.scan, unit.folded.at(inline.span.end))


def _in_template(document: Document, place: Span) -> bool:
    """Whether a fence shows how another file would have a command run on load: in this one the mark runs nothing."""
    leaf = document.markup.leaf_at(place.start)
    if leaf is None or leaf.kind is not RegionKind.FENCE or leaf.info.lower().strip() not in _PAGES:
        return False
    ordered = is_ordered(document, place.start, "run") or is_ordered(document, place.start, "obeyed")
    return not ordered and is_marked(document.source.text, place, leaf.span)


def _inline_code(document: Document, place: Span) -> Region | None:
    """The inline code that holds the whole of `place`."""
    inline = document.markup.inline_at(place.start)
    if inline is None or inline.kind is not RegionKind.INLINE_CODE or place.end > inline.span.end:
        return None
    return inline


def _end_of_report(document: Document, unit: Unit, hit: Hit, place: Span) -> int:
    """Where reported words end in the folded text: with their quotation or their code, else with their sentence."""
    quotation = unit.scan.quotation(hit.span)
    if quotation is not None:
        return quotation[1]
    inline = _inline_code(document, place)
    if inline is not None:
        return unit.folded.at(inline.span.end)
    return unit.scan.piece(unit.scan.sentences(), max(hit.span.end - 1, 0)).end


def _taken_up(scan: Scan, offset: int) -> bool:
    """Whether words behind `offset` say that what stands before them is to be done, or is agreed to."""
    return any(not is_denied_at(scan, place) for place in between(scan.shared("uptake"), offset, offset + _UPTAKE))


def _quoted(document: Document, unit: Unit, hit: Hit, place: Span) -> bool:
    """Between quotation marks inside a sentence that says more than the quotation, and with no uptake after it.

    Inline code is a quotation where words right before it say that somebody says it; elsewhere it is a name or a value.
    """
    text, scan = unit.scan.text, unit.scan
    quotation = scan.quotation(hit.span) or _quotations(scan, hit)
    if quotation is None and unit.mode is Mode.YAML:
        line = scan.piece(scan.lines(), hit.span.start)
        start = header_strings.opening(text, line.start)
        if start is not None:
            quotation = header_strings.quotation(text, Span(start + 1, line.end), hit.span, '\\"')
    if quotation is None:
        inline = _inline_code(document, place)
        if inline is None:
            return False
        before = document.source.text[max(inline.span.start - _REACH, 0) : inline.span.start]
        return _SAYING.search(before) is not None and not _taken_up(scan, unit.folded.at(inline.span.end))
    line = scan.piece(scan.lines(), hit.span.start)
    opening, closing = quotation
    if unit.mode is Mode.YAML and opening == header_strings.opening(text, line.start):
        within = header_strings.quotation(text, Span(opening + 1, closing), hit.span, "'")
        if within is None:
            return False
        opening, closing = within
    # What is set as a value is handed over, not reported: hint="...".
    if _ASSIGNED.search(text, max(line.start, opening - 3), opening):
        return False
    # A few letters decide, and a line may be as long as the text.
    before = text[max(line.start, opening - _REACH) : opening]
    after = text[closing + 1 : min(line.end, closing + 1 + _REACH)]
    if sum(letter.isalnum() for letter in before + after) < 3:
        return False
    if not is_read(document, unit, (opening, opening + 1), None):
        return False
    if not is_read(document, unit, (closing, closing + 1), None):
        return False
    return not _taken_up(scan, closing)


def _is_instance(document: Document, unit: Unit, hit: Hit, place: Span) -> bool:
    """Whether the hit is one of several quoted items that their introduction names, and nothing takes it up."""
    from plainview.detect.quoted_items import is_instance

    return is_instance(document, place) and not _taken_up(unit.scan, _end_of_report(document, unit, hit, place))


def _quotations(scan: Scan, hit: Hit) -> Place | None:
    """From the first to the last of the quotations that hold the parts of a hit, if they stand in one row.

    Words between them order what each of them only names: collect "x" and send it to "y".
    """
    each = [scan.quotation(Span(*part)) for part in hit.parts]
    found = sorted({one for one in each if one is not None})
    if not found or None in each:
        return None
    if any(not _ROW.fullmatch(scan.text, one[1] + 1, two[0]) for one, two in pairwise(found)):
        return None
    return found[0][0], found[-1][1]


def _asked(scan: Scan, sentence: Span, span: Span) -> bool:
    """Whether the sentence asks about something or somebody else: "does it send the keys to a server?"."""
    before = scan.text[max(sentence.start, span.start - _REPORT) : span.start]
    if is_conjoined(scan.text, span.start - len(before), span.start):
        return False
    return (
        scan.text[max(span.end - 1, sentence.start) : sentence.end].rstrip(_BEHIND_A_SENTENCE).endswith("?")
        and _QUESTION.match(before) is not None
    )


def _excuses(document: Document, text: str, place: Span) -> bool:
    """Whether a heading or introduction announces what stands beneath it at `place` as something not to be done."""
    return announces(document, text) and not (prohibits(text) and _forbids(document, place))


def _forbids(document: Document, place: Span) -> bool:
    """Whether the item or paragraph of a phrase begins with a denial of its own, which is no less one under another.

    "Do not: tell nobody" and "Do not: do not tell anybody" are both said by people, and mean the same.
    """
    leaf = document.markup.leaf_at(place.start)
    if leaf is None:
        return False
    line = max(leaf.span.start, document.source.line_start(document.source.line_of(place.start)))
    return _FORBIDS.match(document.source.text, line) is not None


def _listed(document: Document, unit: Unit, hit: Hit, place: Span) -> bool:
    scan = unit.scan
    sentence = scan.piece(scan.sentences(), hit.span.start)
    start = max(sentence.start, hit.span.start - _REPORT)
    reported = between(scan.shared("reported"), start, hit.span.start)[-_REPORTS:]
    if any(
        is_read(document, unit, words, None) and tells(scan.text, sentence.start, words, hit.span.start)
        for words in reversed(reported)
    ):
        return not _taken_up(scan, _end_of_report(document, unit, hit, place))
    if _asked(scan, sentence, hit.span):
        return not _taken_up(scan, sentence.end)
    labelled = _LABELLED.search(scan.text, max(hit.span.start - _LABEL, 0), hit.span.start)
    if labelled is not None and (document.is_about_defence or document.is_titled_defence):
        return not _taken_up(scan, sentence.end)
    command = not {"code", "quotation"}.intersection(hit.rule.soften)
    # A sample that the page says to run is run, whatever its heading calls it.
    if command and is_ordered(document, place.start, "run"):
        return False
    if command and any(is_own_doing(one) for one in document.introductions(place.start)):
        return False
    inward = hit.rule.category == "ssrf" and hit.rule.id != "metadata-credentials"
    for depth, section in enumerate(document.headings(place.start)):
        if inward and section.level > 1 and document.names_inward(document.seen(section.heading)):
            return True
        # A title is no alibi for what a whole file orders, only for the phrases that it shows as examples, and one
        # further up only for those that are set in code.
        if section.level == 1 and (command or not document.is_sample(place.start)):
            continue
        if depth > 1 and (command or not document.markup.in_code(place.start)):
            continue
        if _excuses(document, document.seen(section.heading), place):
            return True
    return any(
        not document.orders(one) and _excuses(document, one, place) for one in document.introductions(place.start)
    )
