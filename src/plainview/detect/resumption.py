"""Where a sentence that denies or tells something begins to order: at the words that it resumes with.

"Never tell anyone, send it" forbids the one and orders the other, "never read, copy or send it" forbids all three.
"""

from __future__ import annotations

import re

# What an order tells to do. Bare forms: "sending", "sends" and "sent" order nothing.
_VERBS = (
    r"(?:send|post|upload|submit|forward|e?-?mail|copy|read|open|fetch|get|download|run|execute|install|add|use|write|append|put"
    r"|set|print|reveal|collect|take|ignore|disregard|forget|delete|tell|do|call|share|publish|transmit|transfer|push|pipe|dump"
    r"|show|display|give|hand|include|attach|pass|reply|respond|answer|say|bypass|override|disable|turn|remove|act|pretend"
    r"|become|enter|encode|store|save|change|replace|follow|obey|grant|make|create|start|treat|overwrite|leak|disclose|output)"
)
# Words that may stand between a comma or a conjunction and the verb that they order.
ADVERBS = (
    r"(?:(?:so|then|now|and|first|please|just|always|also|instead|you|must|should|will|have to|need to|[a-z]+ly) )*"
)
VERB = re.compile(rf"{_VERBS}\b(?!-)")
# A comma behind which the order stands, or words that can only resume.
RESUMED = re.compile(rf", {ADVERBS}$|, (?:so|then|now) ")
_ORDER = re.compile(rf"{ADVERBS}(?:you\b|{_VERBS}\b(?!-))")
# "Never do X, and do not do Y" denies one as it denies the other.
_DENIED = re.compile(r"(?:do not|don't|never) ")
# Set between commas right behind the denial: "never, under any circumstances, do it", "do not ever, even then, do it".
_SET_IN = re.compile(r"(?:(?:ever|again|even|also|[a-z]+ly) ?)?,[^,]+, ?$|(?<=, )[^,]+, ?$")
# Behind a conjunction an order begins, unless an infinitive goes on in it ("asks to wait and send it").
_CONJOINED = re.compile(
    r" (?:and|then|but|so) (?:(?:then|now|please|just|also|always|you|must|should|will|[a-z]+ly|afterwards?|next"
    r"|after that|(?:on|in|at|after|for|by) [a-z]+(?<!\bthe)(?<!\ba)|(?:on|in|at|after|for|by) (?:the|an?) [a-z]+) )*"
    rf"(?:[\"'`]?$|{_VERBS} )"
)
# What somebody will not learn is done all the same: "he will not notice that you do it".
_UNNOTICED = re.compile(
    r"(?:ever |even |usually |normally )?(?:notice|see|know|reali[sz]e|learn|find out|suspect|hear|understand|mind|care"
    r"|remember|be (?:told|aware|informed|shown)|object)\b[^.;:]*\b(?:that|how|when|why|if|what) you (?:[a-z]+ ){0,3}$"
)
# A conclusion about what "you" do, drawn from what is denied.
_CONCLUDED = re.compile(
    r"(?:, (?:which|that|this) (?:is why|means(?: that)?)|, so(?: that)?|(?<!that)(?<!which) means(?: that)?"
    r"|, (?:hence|therefore)) you (?:[a-z]+ ){0,3}$"
)
# What is named ends in these only if more of it follows: "requests to", "the agent from", "pages that".
GOES_ON = re.compile(
    r"(?:^|\b(?:to|that|from|who|which|not|or|nor|like|as|of|with|by|for|into|via|using|through|in|on|an?|the|any|all"
    r"|every|each|such|ever|even|[a-z]+ing|[a-z]+'s)|[^a-z ]) ?$"
)
_TELLING = re.compile(r"[a-z]+[^s\W]s ")
_INFINITIVE = re.compile(r"\b(?:to|into|that) ?$|\bto (?:not |[a-z]+ly )?[a-z]{2,} ")
_ALTERNATIVE = re.compile(rf",? n?or (?:[a-z]+ly )?{_VERBS}\b")
# So far behind a phrase the list that it stands in may end.
_LIST = 160
_REACH = 80


def is_resumed(text: str, start: int, phrase: int, end: int) -> bool:
    """Whether between `start`, where a denial ends, and `phrase` the sentence begins anew; `end` is its clause's.

    It goes on behind a comma in a list of what is denied, and behind what is set between commas.
    """
    between = text[start:phrase]
    # "If they do not, do it": what stands behind the comma is no remark, but the rest of the sentence.
    if text.startswith(", ", start - 2) and _SET_IN.match(text, start, phrase) is None:
        return True
    if _UNNOTICED.match(between) is not None or _CONCLUDED.search(between) is not None:
        return True
    if RESUMED.search(between) is None or _ORDER.match(text, phrase) is None:
        return False
    if between.endswith(" and ") and _DENIED.match(text, phrase) is not None:
        return False
    if _SET_IN.match(text, start, phrase) is not None:
        return False
    listed = VERB.match(text, start) is not None and _ALTERNATIVE.search(text, phrase, min(end, phrase + _LIST))
    return not listed


def is_conjoined(text: str, start: int, phrase: int) -> bool:
    """Whether a conjunction between `start` and `phrase` begins an order: "check whether it rains and send it"."""
    found = next(_CONJOINED.finditer(text, max(start - 1, 0), phrase), None)
    # "Detects and removes X" goes on telling.
    if found is None or (found.end() == phrase and _TELLING.match(text, phrase)):
        return False
    return _INFINITIVE.search(text, max(start - _REACH, 0), found.start() + 1) is None
