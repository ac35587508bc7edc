"""Whether a phrase is forbidden: a denial in its clause, and the phrase's own verb governed by it.

A softening word that governs something else softens nothing: the errors in "to avoid errors, send it", the waiting in
"do not wait, send it", the stopping in "do not stop before you send it".
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from plainview.detect.document import Document, Unit
from plainview.detect.places import between, is_read
from plainview.detect.resumption import GOES_ON, VERB, is_resumed
from plainview.finding import Span
from plainview.hidden import HiddenSpan
from plainview.match import Hit, Place, Scan

# A denial reaches a phrase from the beginning of its clause, and not from further away than this.
_REACH = 80
# A clause that opens with an occasion has no more before it than the marker of a list's item.
_MARKER = 4
# Between the occasion and the denial of what is to be done on it.
_SUBJECT = re.compile(r"(?: ?[a-z]+){0,3} ?, (?:you |it is |it's |agents? |the agent |please )?")
_NEGATIVE = re.compile(r"\b(?:not|never|no|cannot)\b|n't\b")
# A label right before a phrase that forbids it.
_LABEL = re.compile(
    r"(?:^|[\n.!?*>|+-] |[0-9][.)] )\[?((?:strictly |explicitly |always |also )?"
    r"(?:prohibited|forbidden|disallowed|banned|not allowed|not permitted|off limits)"
    r"(?: (?:here|always|acts?|actions?|requests?|uses?|commands?))?) ?: [\"'`(]?$"
)
_LABEL_REACH = 60
_NO = re.compile(r"(?<!\w)no `?(?:(?:me|te|se|nos|les?|l[ao]s?) ){0,2}$")
_NO_REACH = 16
_MISSING = re.compile(
    r"\b(?:there (?:is|are|was|were)|sees?|finds?|found|has|have|had|got) $|\b(?:si|cuando) (?:\w+ ){0,2}$"
)
_SPANISH = re.compile(
    r"\b(?:l[ao]s?|el|del|al|tus?|sus?|mis?|tod[ao]s?|cualquier|usuari[ao]s?|instrucciones|anterior(?:es)?)\b"
)
# Denials that name what they are against: "avoid delays", "refuse to send it". The name comes right behind them.
_NAMING = re.compile(
    r"(?:avoid(?:s|ing)?|block(?:s|ing)?|prevent(?:s|ing)?|resist|refus(?:e|es|ing)|rejects?|declines?|den(?:y|ies)"
    r"|prohibits?|forbids?|disallow|never mind|(?:do not|don't) be|instead of|rather than|neither|nor) ?$"
)
# "Instead of waiting X" orders X: only those who let or make somebody do it are told what not to do by it.
_REPLACED = re.compile(r"instead of|rather than")
_CAUSED = re.compile(r"(?:letting|making|having|helping|watching|seeing|hearing) ")
_COMPLETE = re.compile(r"(?!.*\b(?:letting|making|having|helping|watching|seeing|hearing) $)(?:[^,]* )?[a-z]+ing ")
# What stands between a denial that names and its name: "rather than blindly X", "nor should you ever X".
_AT_ONCE = re.compile(
    r"(?:(?:should|must|may|can|do|will|shall) (?:you|we|it|they|anyone|agents?|the agent) )?"
    r"(?:(?:[a-z]+ly|ever|even|also|just) )*$"
)
# "Avoid delays and X" orders X, "do not run and send X" does not: what is avoided is named, not done.
_JOINED = re.compile(r"(?:[a-z'-]+ ){1,4}and ")
_GERUND = re.compile(r"[a-z]+ing\b")
_PURPOSE = re.compile(r"(?:^|[^a-z ] |\b(?:and|order|as) )to (?:[a-z]+ly |help )?$")
# "If it does not pass X": behind the verb that a condition denies, the order stands bare. Where somebody is told not to
# let it happen, or not to do this and that, the denial is what is to be done on the occasion.
_AUXILIARY = re.compile(r"(?:not|cannot|n't|(?:nobody|no one) (?:can|may|will|should|must)) $")
_GOES_ON_TOO = re.compile(r"\band $")
_DONE = re.compile(r"(?!(?:let|allow|make|help|have|get)\b)[a-z'-]+ (?:[a-z'-]+ ){0,6}$")
_SAME_ACT = re.compile(r"(?:(?:[a-z]+ly|ever|even|also|just|again|(?:under|in|for|at|on) any [a-z]+|at all) )*$")
# "The report that they asked for X": the preposition's noun stands before it.
_STRANDED = re.compile(
    r"\b(?:asked|looked|hoped|waited|called|paid|planned|wished|begged|agreed|worked) (?:for|to|with|on) $"
)
# A denied act that is to wait for, or rests on, what "you" do is denied so that this is done first.
_WAITING = re.compile(
    r"\b(?:until|till|before|unless) (you (?:[a-z']+ ){0,3})?$|\b(?:if|when|once|as long as) (you )$"
    r"|\bwithout (?:first )?([a-z]+ing )?$"
    r"|\b(?:until|till|before|unless|without) "
    r"((?:[a-z']+ ){0,5}(?:having|needing|going|proceeding|starting|is|are|will be) to )$"
)
_ACT = re.compile(rf"{VERB.pattern}|[a-z]+ing ")


def is_denied(document: Document, unit: Unit, hit: Hit, hidden: HiddenSpan | None) -> bool:
    """Whether a denial governs the beginning of the hit, or one of its later parts ("read the key, never send it").

    `hidden` is what the hit stands in: who reads the phrase must read its denial.
    """
    scan = unit.scan
    no = _bare_no(scan, hit.span)
    if no is not None and is_read(document, unit, no, hidden):
        return True
    label = _LABEL.search(scan.text, max(hit.span.start - _LABEL_REACH, 0), hit.span.start)
    if label is not None and is_read(document, unit, label.span(1), hidden):
        return True
    denials = scan.shared("denial")
    if not denials:
        return False
    clauses = scan.clauses()
    reached = 0
    for begin, end in sorted(hit.parts):
        clause = scan.piece(clauses, begin)
        start = max(clause.start, begin - _REACH, reached)
        for denial in (*between(denials, start, begin), *_around(scan, denials, (begin, end))):
            if _governs(scan, clause, denial, begin) and is_read(document, unit, denial, hidden):
                return True
        reached = max(reached, end)
    behind = _behind(scan, denials, hit.span)
    return behind is not None and is_read(document, unit, behind, hidden)


def is_denied_at(scan: Scan, place: Place) -> bool:
    """Whether a denial governs the words at `place` ("never do what it says")."""
    clause = scan.piece(scan.clauses(), place[0])
    denials = between(scan.shared("denial"), max(clause.start, place[0] - _REACH), place[0])
    return any(_governs(scan, clause, denial, place[0]) for denial in denials)


def _bare_no(scan: Scan, span: Span) -> Place | None:
    """The "no" right before a Spanish phrase or an option's name, which it denies; elsewhere it may not.

    "If there is no X", "there is no X": what is missing is not forbidden.
    """
    found = _NO.search(scan.text, max(span.start - _NO_REACH, 0), span.start)
    named = scan.text[span.start : span.start + 1] in ("-", "/")
    if found is None or not (named or _SPANISH.search(scan.text, *span)):
        return None
    clause = scan.piece(scan.clauses(), span.start)
    start = max(clause.start, found.start() - _REACH)
    if between(scan.shared("condition"), start, found.start()) or _MISSING.search(scan.text, start, found.start()):
        return None
    return found.span()


def _around(scan: Scan, denials: Sequence[Place], part: Place) -> Iterator[Place]:
    """The denial that holds a part, which is no denial itself: "do not" around "do", "not allowed" around "allowed"."""
    begin, end = part
    index = bisect_right(denials, (begin, len(scan.text))) - 1
    if index >= 0 and denials[index][1] >= end and _NEGATIVE.search(scan.text, begin, end) is None:
        yield denials[index]


def _behind(scan: Scan, denials: Sequence[Place], span: Span) -> Place | None:
    """The denial of what the hit is only the occasion of: "while nobody looks, never do it"."""
    clause = scan.piece(scan.clauses(), span.start)
    condition = next(iter(between(scan.shared("condition"), span.start, span.end)), None)
    if condition is None or condition[0] > span.start or span.start - clause.start > _MARKER:
        return None
    index = bisect_left(denials, (span.end, 0))
    if index == len(denials) or denials[index][0] >= min(clause.end, span.end + _REACH):
        return None
    denial = denials[index]
    if not _SUBJECT.fullmatch(scan.text[span.end : denial[0]]):
        return None
    # What is denied stands behind the denial: only what takes the denial itself back is asked for.
    if _is_taken_back(scan, span.end, denial, clause.end):
        return None
    return denial


def _governs(scan: Scan, clause: Span, denial: Place, phrase: int) -> bool:
    """Whether a denial in `clause` still holds at `phrase`.

    "Do not wait, send it" urges on, "not X, but Y" turns round, "if it is not there, do Y" denies the condition,
    and "never do X, do Y" and "to avoid X do Y" deny X.
    """
    end = denial[1]
    text = scan.text
    if end > phrase:
        return not _is_taken_back(scan, clause.start, denial, phrase)
    if _is_taken_back(scan, clause.start, denial, phrase) or _waits(text, end, phrase):
        return False
    if _NAMING.search(text, denial[0], end) and not _names(text, clause.start, denial, phrase):
        return False
    return not is_resumed(text, end, phrase, clause.end)


def _is_taken_back(scan: Scan, start: int, denial: Place, phrase: int) -> bool:
    """Whether a denial urges on, is turned round before `phrase`, or is part of a condition that opens the clause."""
    begin, end = denial
    if any(spur_end > begin for _, spur_end in between(scan.shared("spur"), max(start, begin - 24), phrase)):
        return True
    if between(scan.shared("turn"), end - 1, phrase):
        return True
    conditions = between(scan.shared("condition"), start, begin)
    if not conditions:
        return False
    return "," in scan.text[end:phrase] or (conditions[0][0] - start <= _MARKER and _follows(scan.text, denial, phrase))


def _follows(text: str, denial: Place, phrase: int) -> bool:
    """Whether the phrase orders something behind what a condition, of which `denial` is part, denies in full."""
    end = denial[1]
    if _AUXILIARY.search(text, *denial) is None or _GOES_ON_TOO.search(text, end, phrase) is not None:
        return False
    if VERB.match(text, phrase) is None or _SAME_ACT.match(text, end, phrase) is not None:
        return False
    return _DONE.match(text, end, phrase) is not None and GOES_ON.search(text, end, phrase) is None


def _waits(text: str, end: int, phrase: int) -> bool:
    """Whether what a denial governs from `end` on is to wait for the phrase: "never stop before you send it"."""
    found = _WAITING.search(text, end, phrase)
    return found is not None and (any(found.groups()) or _ACT.match(text, phrase) is not None)


def _names(text: str, start: int, denial: Place, phrase: int) -> bool:
    """Whether what a denial names may still be the phrase, and not a noun before its bare verb.

    "Refuse to wait or send it" and "avoid letting it send it" deny acts, as "do not" does, but "to avoid having delays
    send it" says what the order is for.
    """
    end = denial[1]
    if text.startswith("to ", end) or _AT_ONCE.match(text, end, phrase):
        return True
    if _JOINED.match(text[end:phrase].lstrip()):
        return False
    replaced = _REPLACED.match(text, denial[0]) is not None
    if replaced and VERB.match(text, phrase) and _COMPLETE.fullmatch(text, end, phrase):
        return False
    if (
        (not replaced or _CAUSED.match(text, end))
        and _GERUND.match(text, end)
        and not _PURPOSE.search(text, max(start - 1, 0), denial[0])
    ):
        return True
    if VERB.match(text, phrase) is None:
        return True
    return GOES_ON.search(text, end, phrase) is not None and _STRANDED.search(text, end, phrase) is None
