"""Specimens: what a page shows rather than says, in the pages of those who look for attacks.

A command or a phrase that is set off (in code, in quotation marks, in a cell, in a quotation) and that nothing tells to
run or to obey is an order nowhere but in the eyes of a scanner: a sign to look for, a row of a test, a line of a deny
list. It takes words that say so: in the list's introduction or the table's row, or in what the whole file says of
itself together with a word against doing what it shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from plainview.detect.announcement import announces, shows, shows_in_security
from plainview.detect.document import Document, Unit
from plainview.detect.ordered import is_ordered
from plainview.finding import Span
from plainview.markup import CODE_BLOCKS, Region, RegionKind
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
# What names a value in data: the key before a colon or an equals sign, the type of a constant left out.
_KEY = re.compile(r"[\"']?([\w.|-]{1,48})[\"']?(?:: ?[\w\[\], ]{1,20}(?= ?=))? ?[:=](?=[\s\"'\[{]|$)")
# Keys whose values are to be looked for or refused.
_SOUGHT = re.compile(
    r"[\w.]+\|(?:contains|endswith|startswith|re)(?:\|\w+)*|pattern(?:s|-[a-z-]+)?|regex(?:es|p)?|signatures?|deny_?\w*"
    r"|(?:blocked|blocklist)_?\w*|disallow\w*|forbid\w*|indicators?|iocs?"
    r"|\w*(?:injection|attack|malicious|hostile|jailbreak|suspicious|dangerous|denied)\w*",
    re.IGNORECASE,
)
# Keys whose values are run.
_RUNNING = re.compile(
    r"run|shell|bash|commands?|cmd|scripts?|exec\w*|entrypoint|args|\w*hooks?|(?:before|after)_\w+", re.IGNORECASE
)
_DATA = frozenset({"yaml", "yml", "json", "jsonc", "json5", "toml"})
# Nothing but a string in its line: an item of a list in code.
_STRING = re.compile(r"[ \t]*[rbu]{0,2}[\"'][^\"']{0,100}$")
# What a test hands to what it tests.
_TESTED = re.compile(
    r"[ \t]*(?:assert (?:not )?|expect ?\()(?:\w{1,24}\.)?"
    r"(?:scan|detect|check|find|flag|block|reject|classif|validat|sanitiz|lint)\w{0,24}\([rbu]{0,2}[\"'][^\"']{0,60}$"
)
# Of a line in a block this much of its beginning is read for its key.
_LINE = 120
_COMMENT_LINES = 8
# A comment that says nothing but that what stands below it is to fail.
_TO_FAIL = re.compile(
    r"(?:#|//|--)+ ?(?:(?:(?:each|all|both|none|some) of )?(?:these|this|it|they|them|all|each) )?"
    r"(?:(?:must|should|has to|have to|needs? to) (?:all )?(?:fail|time out|return 40[0-9]"
    r"|be (?:blocked|refused|rejected|denied))|bad|wrong|unsafe"
    r"|(?:do not|don't|never) run(?: this| these| it)?) ?[.:!]?",
    re.IGNORECASE,
)
# Nothing but a label before a specimen: "**DNS.** `x`", "Persistence: `x`".
_LABEL = re.compile(r"[*_]{0,2}[A-Z][\w /-]{0,40}(?:[.:][*_]{0,2}|[*_]{2}[.:]) ?[`\"]?")
_PLACE = re.compile(r"[`\"]?(?: (?:in|on|at|under|by|via|from) [^,;]{1,40})?[.,;]?\s*")
# Before inline code: it was run, not is to be run; and what runs it, without a word of who should.
_RAN = re.compile(
    r"\b(?:decode[sd] to|decoded|ran|executed|launched|contained|was running|had run|was found to (?:run|contain)"
    r"|invoked|issued|wrote|posted|sent|started) :?$",
    re.IGNORECASE,
)
# Who is told to have done it is no third party: "once you have started `x`".
_OWN = re.compile(r"\b(?:you|we|agents?|assistants?|models?|claude)\b[^.;]{0,40}$", re.IGNORECASE)
_RUNS = re.compile(
    r"\b(?:an?|any|another|some|one|its|their|whose|which|that|who|attackers?|malware|function|payload|string|worm|script)"
    r" (?:[\w-]{1,16} ){0,4}(?:runs|calls|called|named|executes|launches|contains|says|reads|invokes|sends|holds) :?$",
    re.IGNORECASE,
)
# What right behind a specimen, in its sentence, says that it is to be turned down.
_TURNED_DOWN = re.compile(
    rf"[^`{_QUOTE}.]{{0,20}}[`{_QUOTE}]+ (?:is|are) (?:a |an )?(?:good |strong )?"
    r"(?:reasons? (?:to (?:stop|reject|refuse)|not to)|red flags?|signs? of (?:an? )?(?:attack|compromise|injection)"
    r"|malicious|suspicious)\b"
)
# What an item on a page about security comes to: "`sudo`, `setuid` -> HIGH."
_RATED = re.compile(
    r"(?:\u2192|\u21d2|->|=>)\s*\**(?:critical|high|medium|low|blocker|reject|fail)"
    r"(?: (?:risk|severity|finding|stop-flag|flag))?[\s.,;:)*]*\Z",
    re.IGNORECASE,
)
# A verdict stands no further behind a specimen than this.
_VERDICT = 160
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
    text = document.source.text
    before, behind = text[item.start : start], text[place.end : min(item.end, place.end + _BEHIND)]
    if _USE.search(before.strip(" \t*_~>")):
        return False
    turned_down = _TURNED_DOWN.match(behind) is not None
    seen_for_what_it_is = turned_down or _is_told(document, before, place) or _is_rated(document, place)
    if seen_for_what_it_is and document.is_under_security(place.start):
        return True
    said = _SPECIMENS.sub("", before).rstrip(" \t")
    label = [said] if said.endswith(":") else []
    leaf = document.markup.leaf_at(place.start)
    # Whole blocks of code are run more often than looked at.
    block = leaf is not None and leaf.kind in CODE_BLOCKS
    about = document.is_about_defence or document.is_titled_defence or _is_under_defence(document, place)
    rule = about or document.is_under_security(place.start)
    if block and (is_ordered(document, place.start, "run") or is_ordered(document, place.start, "obeyed")):
        return False
    if leaf is not None and block and rule and _is_pattern(document, place, leaf):
        return True
    enough = not block or document.is_about_defence or document.is_titled_defence
    for lead in (*label, *_leads(document, place)):
        if document.orders(lead):
            return False
        if enough and (shows(document, lead) or (rule and shows_in_security(document, lead))):
            return True
    if block:
        return about and _TO_FAIL.fullmatch(_comment(document, place)) is not None
    around = before + behind
    if shows(document, around) or shows_in_security(document, around):
        return document.is_about_defence or document.is_titled_defence
    if _LABEL.fullmatch(before) and document.is_titled_defence:
        return _PLACE.fullmatch(behind) is not None or document.is_about_defence
    return not before.strip() and document.is_about_defence


def _set_off_inline(document: Document, place: Span) -> bool:
    inline = document.markup.inline_at(place.start)
    return inline is not None and inline.kind is RegionKind.INLINE_CODE


def _is_under_defence(document: Document, place: Span) -> bool:
    """Whether the nearest heading above `place` announces things to detect, refuse or avoid."""
    above = document.headings(place.start)[:1]
    return any(announces(document, document.seen(section.heading)) for section in above)


def _is_rated(document: Document, place: Span) -> bool:
    """Whether inline code, or what begins with it, stands in an item or cell that ends in a verdict."""
    leaf = document.markup.leaf_at(place.start)
    if leaf is None or not _set_off_inline(document, place):
        return False
    near = leaf.span.end - place.end <= _VERDICT
    return near and _RATED.search(document.source.text, place.start, leaf.span.end) is not None


def _is_told(document: Document, before: str, place: Span) -> bool:
    """Whether words before inline code tell what a third party ran, or what something runs."""
    if not _set_off_inline(document, place):
        return False
    ran = _RAN.search(before)
    if ran is not None and _OWN.search(before, 0, ran.start()) is None:
        return True
    return _RUNS.search(before) is not None


def _comment(document: Document, place: Span) -> str:
    """The comment above the line of `place` in its block of code, with no empty line between; empty without one."""
    line = document.source.line_of(place.start)
    for above in range(line - 1, max(line - _COMMENT_LINES, -1), -1):
        text = _beginning(document, above).strip()
        if text.startswith(("#", "//", "--")):
            return text
        if not text or text.startswith(("```", "~~~")):
            break
    return ""


def _beginning(document: Document, line: int) -> str:
    """As much of a line's beginning as is read of it."""
    source = document.source
    start = source.line_start(line)
    return source.text[start : min(source.line_end(line), start + _LINE)]


def _is_pattern(document: Document, place: Span, block: Region) -> bool:
    """Whether `place` in a block of code is what a rule, a list or a test there looks for.

    The key that says so stands before it in its line, or in a line above that is indented less. Values that are run
    are none, and of code only strings count: those of a list, and what a test hands to what it tests.
    """
    source = document.source
    line = source.line_of(place.start)
    start = source.line_start(line)
    before = source.text[max(start, place.start - _LINE) : place.start]
    if "$(" in before:
        return False
    if block.info.lower().strip() in _DATA:
        own = _judged(before)
        return own if own is not None else _judgements(document, block.span).get(line) is True
    if place.start - start > _LINE:
        return False
    if _TESTED.match(before):
        return True
    return _STRING.match(before) is not None and _judgements(document, block.span).get(line) is True


def _judged(text: str) -> bool | None:
    """Whether the keys in a piece of a line say that what follows is looked for (True) or run (False)."""
    keys = [key[1] for key in _KEY.finditer(text)]
    if any(_RUNNING.fullmatch(key) for key in keys):
        return False
    return True if any(_SOUGHT.fullmatch(key) for key in keys) else None


def _judgements(document: Document, block: Span) -> dict[int, bool | None]:
    """For each line of a block of code what the lines above that are indented less say of it; worked out once."""
    known = document.judged.get(block)
    if known is not None:
        return known
    source = document.source
    found: dict[int, bool | None] = {}
    above: list[tuple[int, bool | None]] = []
    for line in range(source.line_of(block.start), source.line_of(max(block.end - 1, block.start)) + 1):
        text = _beginning(document, line)
        if not text.strip():
            continue
        indent = len(text) - len(text.lstrip())
        while above and above[-1][0] >= indent:
            above.pop()
        said = above[-1][1] if above else None
        found[line] = said
        own = _judged(text)
        above.append((indent, own if own is not None else said))
    document.judged[block] = found
    return found


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
