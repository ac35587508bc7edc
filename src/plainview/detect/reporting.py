"""Whether words before a phrase tell of it: of what somebody else says or does.

Words that only name the moment of an order, or the effort that it asks for, tell nothing.
"""

from __future__ import annotations

import re

from plainview.detect.resumption import ADVERBS, GOES_ON, RESUMED, VERB, is_conjoined
from plainview.match import Place

_OCCASION = re.compile(r"\b(?:when|whenever|once|after|as soon as|every time|each time) (?:\w+ ){0,2}$")
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|once|after|until|unless|as soon as|every time|each time) (?:[^\W_]+ ){0,4}$"
)
# So far before the words stands the beginning of a clause that names an occasion.
_CLAUSE = 48
# What is watched for may be an occasion too, and is named in full before a colon or a dash.
_WATCHING = re.compile(r"\b(?:detect|flag|catch|look|check|search|test|scan|report|watch|verify|determin|see|find)")
_MARK = re.compile(rf"[\w\"'`)] ?(?::|;| -+) {ADVERBS}$")
# What is told is said in full before a dash or a semicolon: "told the agent to wait - ...".
_PARTED = re.compile(rf"(?P<mark>;| -+) {ADVERBS}$")
_COMPLEMENT = re.compile(r"\b(?:to|that) [a-z]")
# Efforts that whoever reads the words is told to make.
_EFFORT = re.compile(r"(?:attempt|try)")
_GERUND = re.compile(r"(?:attempting|trying)")
_BEFORE_AN_ORDER = (
    rf"(?:^|[\n.;:!?,*>+-] |[0-9][.)] |\b(?:you|please|then|and|must|should|to|now|always|also|will|can|do) ){ADVERBS}"
)
_TOLD = re.compile(rf"{_BEFORE_AN_ORDER}$")
_KEPT_UP = re.compile(
    rf"{_BEFORE_AN_ORDER}(?:(?:keep|go on|carry on|continue|start|begin|resume|persist|spend)(?: on| in| by| with)?"
    r"|are|never stop|do not stop)(?: [a-z]+){0,3} $"
)
# A page that speaks of itself to its reader orders it: "this document asks you to", "our guide says you must".
_SELF = re.compile(r"(?:^|[^a-z ] ?|\b(?:and|as|because|since|but|so|that) )(?:(?:this|our|these) (?:[a-z-]+ )?|the )$")
_TO_YOU = re.compile(r" ?:? ?(?:that |to )?you\b")
# What is watched for, guarded against or checked is said in full before a colon: "beware of delays: X". Only where text
# is named, or what is said, may it stand behind it: "beware of lines such as: X", "check that it says none of: X".
_WATCHED = re.compile(
    r"beware|be wary|watch|protect|guard|defen[dcs]|warn|alert|report|scan|detect|check|verif|determin|assess|confirm"
    r"|see |find"
)
_COLON = re.compile(rf":[\"'`]? ?{ADVERBS}$")
_TEXT = re.compile(
    r"\b(?:text|texts|phrases?|lines?|words?|wording|sentences?|messages?|prompts?|patterns?|instructions?|commands?|payloads?"
    r"|injections?|attacks?|attempts?|jailbreaks?|overrides?|requests?|strings?|steps?|pages?|comments?|skills?|code|signs?"
    r"|following|follows|these|those|this|such|like|e\.g\.|example|none|any of|one of|says?|said|reads?|asks?|tells?"
    r"|contains?|exfil[a-z]*|theft|leaks?|tricks?)\b"
)
# "To protect against loss X": what an order is for.
_AIM = re.compile(r"(?:^|[^a-z ] ?|\b(?:and|order|as) )to (?:[a-z]+ly )?$")
# Samples that the reader is to follow: "examples of what to do", "patterns to follow".
_MODEL = re.compile(
    r" ?(?:what (?:to do|you (?:must|should|will|can) do)|how (?:to|you)\b|good\b|right\b|correct\b|proper\b"
    r"|orders to\b|(?:to )?(?:follow|obey|apply|adopt|copy|imitate|use|do|carry out|repeat|remember)\b"
    r"(?: [a-z]+)? ?[:.-])"
)
_MADE_FOR = re.compile(r"(?:designed|crafted|meant) to ")
_MADE_TEXT = re.compile(
    r"\b(?:text|phrases?|lines?|words?|sentences?|messages?|prompts?|instructions?|pages?|comments?|payloads?|injections?|skills?"
    r"|attacks?|files?|descriptions?|e-?mails?|tricks?) (?:[a-z]+ ){0,3}$"
)
_READERS = re.compile(r"\b(?:you|we|agents|the agent) (?:are|is) (?:[a-z]+ )?$")
_MADE = re.compile(r"\b(?:make|start|do|begin|with|take|give it|after) (?:[a-z0-9]+ ){0,3}$")


def tells(text: str, start: int, words: Place, phrase: int) -> bool:
    """Whether words in the sentence from `start` on tell of the phrase at `phrase`, all offsets of the folded text."""
    if _is_own_effort(text, start, words) or _is_occasion(text, start, words, phrase):
        return False
    if _speaks_of_itself(text, start, words) or _is_said(text, start, words, phrase):
        return False
    return _leads_to(text, words[1], phrase)


def _leads_to(text: str, start: int, phrase: int) -> bool:
    """Whether words that report are still at it at `phrase`: a comma ends a subordinate clause, and an order follows.

    "For examples of this, do X" orders X; 'text such as "a", "b"' and "asks, say, to do X" go on reporting.
    """
    between = text[start:phrase]
    if '"' in between:
        return True
    if RESUMED.search(between) is not None or _is_complete(between):
        return False
    return not is_conjoined(text, start, phrase)


def _is_complete(between: str) -> bool:
    """Whether what is told ends at a mark right before the phrase; a colon opens a list, in which it may not."""
    parted = _PARTED.search(between)
    if parted is None or ":" in between:
        return False
    return parted["mark"] == ";" or _COMPLEMENT.search(between, 0, parted.start()) is not None


def _is_occasion(text: str, start: int, words: Place, phrase: int) -> bool:
    """Whether the words that report only name the moment of an order: "whenever someone asks for it, do X".

    "Once it detects a key: do X" is one too, but "if a page says: do X" tells what the page says.
    """
    between = text[words[1] : phrase]
    if '"' in between:
        return False
    begin = max(start, words[0] - _CLAUSE)
    if "," in between and _OCCASION.search(text, begin, words[0]) is not None:
        return True
    if _MARK.search(between) is None or _WATCHING.search(text, *words) is None:
        return False
    return _CONDITION.search(text, begin, words[0]) is not None


def _is_said(text: str, start: int, words: Place, phrase: int) -> bool:
    """Whether what the words speak of is said in full, or is what the reader is to do, before the phrase."""
    begin, end = max(start - 1, words[0] - _CLAUSE, 0), words[1]
    # Some of the words end in the noun that they need.
    between = text[end:phrase]
    if '"' in between:
        return False
    closed = _COLON.search(between) is not None
    if _MADE_FOR.match(text, words[0]):
        return _READERS.search(text, begin, words[0]) is not None or (
            closed and _MADE_TEXT.search(text, begin, words[0]) is None
        )
    if text.startswith(("example", "pattern", "phrase"), words[0]):
        return _MODEL.match(text, end, phrase) is not None or _MODEL.match(text, end - 3, phrase) is not None
    if _WATCHED.match(text, words[0]) is None:
        return False
    if closed and between.strip(" :") and _TEXT.search(text, words[0], phrase) is None:
        return True
    aimed = _AIM.search(text, begin, words[0]) is not None and " against" in text[words[0] : end]
    return aimed and VERB.match(text, phrase) is not None and GOES_ON.search(text, end, phrase) is None


def _speaks_of_itself(text: str, start: int, words: Place) -> bool:
    """Whether the words say what this page asks of its reader: "if the page asks you to" says it of any page."""
    begin = max(start - 1, words[0] - _CLAUSE, 0)
    if _TO_YOU.match(text, words[1]) is None or _CONDITION.search(text, begin, words[0]) is not None:
        return False
    return _SELF.search(text, begin, words[0]) is not None


def _is_own_effort(text: str, start: int, words: Place) -> bool:
    """Whether the words tell the reader to make an effort: "keep trying to", and not "an attempt to"."""
    begin = max(start - 1, words[0] - _CLAUSE, 0)
    if _GERUND.match(text, words[0]):
        return _KEPT_UP.search(text, begin, words[0]) is not None
    if text.startswith("attempts ", words[0]) or _MADE.search(text, begin, words[0]):
        return text.startswith("attempt", words[0]) and _MADE.search(text, begin, words[0]) is not None
    return _EFFORT.match(text, words[0]) is not None and _TOLD.search(text, begin, words[0]) is not None
