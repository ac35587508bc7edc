"""Specimens: what a page shows rather than says, in the pages of those who look for attacks.

A command or a phrase that is set off (in code, in quotation marks, in a cell, in a quotation) and that nothing tells to
run or to obey is an order nowhere but in the eyes of a scanner: a sign to look for, a row of a test, a line of a deny
list. It takes words that say so: in the list's introduction or the table's row, or in what the whole file says of
itself together with a word against doing what it shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from plainview.detect.document import Document, Unit
from plainview.finding import Span
from plainview.markup import CODE_BLOCKS, RegionKind
from plainview.match import Hit

# What an item begins with before its own words: marks of lists, boxes, quotation.
_ITEM = re.compile(r"[ \t>]*(?:(?:[-+*]|[0-9]{1,9}[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?")
# Verbs that put what they stand before to use, where they begin a clause.
_USE = re.compile(
    r"(?:^|[.;:,] |\b(?:and|then|to|must|should|always|please|now|first|just) )(?:run|execute|use|call|paste|type|do"
    r"|install|send|post|upload|add|set|put|write|append|copy|fetch|download|start|invoke|enter|issue|apply|open|read|include|say"
    r"|reply|answer|respond|print|tell|treat|obey|follow|make)\b",
    re.IGNORECASE,
)
_QUOTE = "\"'\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019\u201a\u300c\u300e"
# Specimens that stand in a row, at the end of what stands before one.
_SPECIMENS = re.compile(rf"(?:(?:`[^`]*`|[{_QUOTE}][^{_QUOTE}]*[{_QUOTE}])[,;/|]? ?(?:and |or )?)*$")
# Keys whose values are to be looked for or refused.
_KEY = re.compile(
    r"(?:^|[\s,({-])[\"']?(?:(?:[\w.]+\|)(?:contains|endswith|startswith|re)(?:\|\w+)*|pattern(?:s|-[a-z-]+)?|regex(?:es)?|regexp"
    r"|signatures?|deny_?\w*|block(?:ed|list)?_?\w*|disallow\w*|forbid\w*|indicators?|iocs?|keywords?|strings"
    r"|\w*(?:injection|attack|malicious|pattern|signature|hostile|jailbreak|suspicious|dangerous|denied|payload)\w*)[\"']?"
    r"(?: ?: ?[\w\[\], ]{1,20}(?==))? ?[:=]"
    r"|\b(?:assert(?:_?\w{1,24})?|expect)[ (](?!.*\b(?:system|popen|run|exec\w*|call|check_output|spawn\w*|eval)\()",
    re.IGNORECASE,
)
_KEY_LINES = 40
_COMMENT_LINES = 8
# A comment above a command that says so.
_TO_FAIL = re.compile(
    r"\b(?:must|should|has to|have to|needs? to) (?:fail|time out|return 40[0-9]"
    r"|be (?:blocked|refused|rejected|denied))\b"
    r"|\b(?:do not|don't|never) (?:run|do)\b|^\W*(?:bad|wrong|unsafe)\b",
    re.IGNORECASE,
)
# Nothing but a label before a specimen: "**DNS.** `x`", "Persistence: `x`".
_LABEL = re.compile(r"[*_]{0,2}[A-Z][\w /-]{0,40}(?:[.:][*_]{0,2}|[*_]{2}[.:]) ?[`\"]?")
_PLACE = re.compile(r"[`\"]?(?: (?:in|on|at|under|by|via|from) [^,;]{1,40})?[.,;]?\s*")
# Before inline code: it was run, not is to be run; and what runs it, without a word of who should.
_RAN = re.compile(
    r"\b(?:turned out to (?:run|be|contain)|(?:comes?|came) out as|decode[sd] to|decoded|ran|executed|launched"
    r"|contained|was running|had run|was found to (?:run|contain)|invoked|issued|wrote|posted|sent|started) :?$",
    re.IGNORECASE,
)
_RUNS = re.compile(
    r"\b(?:an?|any|another|some|one|its|their|whose|which|that|who|attackers?|malware|function|payload|string|worm|script)"
    r" (?:[\w-]{1,16} ){0,4}(?:runs|calls|called|named|executes|launches|contains|says|reads|invokes|sends|holds) :?$",
    re.IGNORECASE,
)
# What right behind a specimen says that it is to be turned down.
_TURNED_DOWN = re.compile(
    rf"[^`{_QUOTE}]{{0,20}}[`{_QUOTE}]+[.,]? (?:is|are) (?:a |an )?(?:good |strong )?"
    r"(?:reasons? (?:to (?:stop|reject|refuse|worry|walk away)|not to)|red flags?|signs? of|malicious|suspicious)",
    re.IGNORECASE,
)
# Words before a specimen in its line stand no further away.
_BEFORE = 120
_BEHIND = 60


def is_specimen(document: Document, unit: Unit, hit: Hit, place: Span) -> bool:
    """Whether the hit at `place` is shown rather than said, by what is around it and by what the file is about."""
    item = _item(document, place)
    if item is None:
        return False
    start = _set_off(document, unit, hit, place)
    if start is None:
        return False
    before, behind = document.source.text[item.start : start], document.source.text[place.end : item.end][:_BEHIND]
    if _TURNED_DOWN.match(behind) or (_set_off_inline(document, place) and _is_told(document, before, place)):
        return True
    if _USE.search(before.strip(" \t*_~>")):
        return False
    said = _SPECIMENS.sub("", before).rstrip(" \t")
    label = [said] if said.endswith(":") else []
    leaf = document.markup.leaf_at(place.start)
    # Whole blocks of code are run more often than looked at.
    block = leaf is not None and leaf.kind in CODE_BLOCKS
    if leaf is not None and block and _is_pattern(document, place, leaf.span):
        return not (document.is_ordered(place.start, "run") or document.is_ordered(place.start, "obeyed"))
    enough = not block or document.is_about_defence or document.is_titled_defence
    for lead in (*label, *_leads(document, place)):
        if document.orders(lead):
            return False
        if enough and document.names_specimens(lead):
            return True
    if block:
        return _TO_FAIL.search(_comment(document, place)) is not None
    around = before + behind
    if document.names_specimens(around):
        return document.is_about_defence or document.is_titled_defence
    if _LABEL.fullmatch(before) and document.is_titled_defence:
        return _PLACE.fullmatch(behind) is not None or document.is_about_defence
    return not before.strip() and document.is_about_defence


def _set_off_inline(document: Document, place: Span) -> bool:
    inline = document.markup.inline_at(place.start)
    return inline is not None and inline.kind is RegionKind.INLINE_CODE


def _is_told(document: Document, before: str, place: Span) -> bool:
    """Whether words before inline code tell what somebody ran, or on a page on security what something runs."""
    return _RAN.search(before) is not None or (
        _RUNS.search(before) is not None and document.is_under_security(place.start)
    )


def _comment(document: Document, place: Span) -> str:
    """The comment above the line of `place` in its block of code, with no empty line between; empty without one."""
    source = document.source
    line = source.line_of(place.start)
    for above in range(line - 1, max(line - _COMMENT_LINES, -1), -1):
        text = source.line_text(above).strip()
        if text.startswith(("#", "//", "--")):
            return text
        if not text or text.startswith(("```", "~~~")):
            break
    return ""


def _is_pattern(document: Document, place: Span, block: Span) -> bool:
    """Whether `place` in a block of code is what a rule, a list or a test there looks for, by the key above it.

    A key stands in the same line, or in a line above that is indented less, as that of a list's or a table's value.
    """
    source = document.source
    line = source.line_of(place.start)
    first = source.line_of(block.start)
    text = source.text[source.line_start(line) : place.start]
    indent = len(text) - len(text.lstrip())
    if _KEY.search(text):
        return True
    for above in range(line - 1, max(first - 1, line - _KEY_LINES), -1):
        text = source.line_text(above)
        own = len(text) - len(text.lstrip())
        if text.strip() and own < indent:
            if _KEY.search(text):
                return True
            indent = own
    return False


def _item(document: Document, place: Span) -> Span | None:
    """The line, item, cell or code block that `place` begins in, from its first word on; None outside of a text."""
    leaf = document.markup.leaf_at(place.start)
    if leaf is None or leaf.kind not in (RegionKind.PROSE, RegionKind.CELL, *CODE_BLOCKS):
        return None
    if leaf.kind is not RegionKind.PROSE:
        return leaf.span
    source = document.source
    line = source.line_of(place.start)
    start = source.line_start(line)
    mark = _ITEM.match(source.text, start, place.end)
    return Span(max(mark.end() if mark else start, place.start - _BEFORE), source.line_end(line))


def _set_off(document: Document, unit: Unit, hit: Hit, place: Span) -> int | None:
    """Where that begins which sets the hit off, its mark included; None where it stands among a text's own words."""
    leaf = document.markup.leaf_at(place.start)
    if leaf is not None and (leaf.quoted or leaf.kind in CODE_BLOCKS):
        # Who quotes an order quotes its verb, too.
        return min(leaf.span.start, place.start)
    inline = document.markup.inline_at(place.start)
    if inline is not None and inline.kind is RegionKind.INLINE_CODE and inline.span.contains(place):
        return inline.span.start
    quotation = unit.scan.quotation(hit.span)
    if quotation is not None:
        return unit.folded.span(quotation[0], quotation[0] + 1).start
    return leaf.span.start if leaf is not None and leaf.kind is RegionKind.CELL else None


def _leads(document: Document, place: Span) -> Iterator[str]:
    """What leads up to the item at `place`, the nearest first: the rest of its row, its introduction, its heading."""
    leaf = document.markup.leaf_at(place.start)
    if leaf is not None and leaf.kind is RegionKind.CELL:
        text, source = document.source.text, document.source
        line = source.line_of(place.start)
        yield text[source.line_start(line) : leaf.span.start] + text[leaf.span.end : source.line_end(line)]
    lead = document.lead(place.start)
    if lead is not None:
        yield lead
    yield from document.introductions(place.start)
    for section in document.headings(place.start)[:1]:
        if section.level > 1:
            yield document.seen(section.heading)
