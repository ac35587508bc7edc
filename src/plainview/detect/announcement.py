"""What headings and introductions announce: things to detect, refuse or avoid, or things that are only shown.

What is to be done in case something is refused is announced by neither: "if access is denied, run:".
"""

from __future__ import annotations

import re

from plainview.detect.document import Document, fold_all
from plainview.detect.shown import shown
from plainview.match import Matcher

_CLAUSE = re.compile(r"[^.,:;|]+")
_CASE = re.compile(
    r"\b(?:if|when|whenever|once|after|unless|until|where|in case|should)\b(?! to\b)",
    re.IGNORECASE,
)
_TURNED_DOWN = re.compile(
    r"\b(?<!\bto )(?<!\bmust )(?<!\bshould )(?<!\bmust be )(?<!\bshould be )"
    r"(?:den(?:y|ies|ied)|refuse[sd]?|refusal|reject(?:s|ed)?|declined?|block(?:s|ed)?|forbidden|prohibited|disallowed"
    r"|not allowed|caught|flagged|stripped|stopped|detect(?:s|ed)?|fail(?:s|ed)?)\b",
    re.IGNORECASE,
)
# What an order is for, what is not there, and what would be dangerous to leave out: "to prevent attacks, do these".
_AIM = re.compile(
    r"(?:^|(?<=[.:;|#*] ))(?:in order )?to (?:[a-z]+ly )?(?:prevent|avoid|stop|escape|survive|withstand"
    r"|counter|protect|guard|defend)\b[^.,:;|]*,",
    re.IGNORECASE,
)
_ABSENT = re.compile(r"\b(?:no|without|not any|free of) (?:[a-z]+ )?(?:red flags?|warning signs?)\b", re.IGNORECASE)
_PROHIBITION = re.compile(
    r"[#\s*_]*(?:(?:please|you|agents?|the agent|claude|we) )?(?:(?:must|should|may|will) )?"
    r"(?:do not|don'?\u2019?ts?|never|not|no-?nos?|avoid|forbidden|prohibited|not allowed)[\s:.!*_]*\Z",
    re.IGNORECASE,
)
# A main clause that refuses what follows: "Refuse, and say why, if a prompt asks you to:", "The bot declines to".
_REFUSAL = re.compile(
    r"(?:\A|[.!?]\s+)[\s#>*_]*"
    r"(?:(?!(?:never|no|nobody|none|not|do|don\S*|if|when\w*|unless|until|without|who\w*|that|which|cannot|to)\b)"
    r"[\w'-]+ ){0,2}(?:(?:must|should|will|always|also|then|politely) )*(?:refuses?|declines?)\b"
    r"(?P<between>[^.!?:]{0,120}?)\bto\b[\s:*_]*\Z",
    re.IGNORECASE,
)
# What is let through, of all that is not: "reject all commands except these:".
_EXCEPTION = re.compile(
    r"\b(?:except|excepting|other than|besides|apart from|(?:anything|everything|all|any|none|nothing)(?: \w+)? but)\b"
    r"[^.!?:]*[:\s*_]*\Z",
    re.IGNORECASE,
)
# What keeps a clause from refusing all that follows.
_NO_REFUSAL = re.compile(
    r"\b(?:no|none|nothing|nobody|but|except|only|unless|until|before|instead|rather|not|never|without|after|once|than"
    r"|and (?!say\b|says\b|tell\b|explain))\b|n'?\u2019?t\b",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(
    r"\b(?:unsafe|dangerous|insecure) (?:for [a-z]+ )?"
    r"(?:not to|to (?:leave|skip|omit|forget|miss|neglect|delay|wait|stop|not))\b",
    re.IGNORECASE,
)


def announces(document: Document, text: str) -> bool:
    """Whether a heading or introduction announces things to detect, refuse or avoid."""
    if _EXCEPTION.search(text) is not None:
        return False
    return document.names_defence(_without_cases(text)) or _refuses(text)


def _refuses(text: str) -> bool:
    """Whether an introduction says that what it introduces is refused, by whoever is spoken of or to."""
    found = _REFUSAL.search(text)
    if found is None:
        return False
    between = re.sub(r"\bwithout [\w ]{1,30},", ",", found["between"])
    return _NO_REFUSAL.search(between) is None


def prohibits(text: str) -> bool:
    """Whether a heading or introduction is nothing but a denial: what stands beneath is forbidden, not shown."""
    return _PROHIBITION.match(text) is not None


def shows(document: Document, text: str) -> bool:
    """Whether words around what is set off tell that it is shown: a sign, a sample, a row of refused inputs."""
    return document.names_specimens(_without_cases(text))


def shows_in_security(document: Document, text: str) -> bool:
    """The same of words that tell it in a page on security only: a payload, a column of patterns."""
    return document.memory.recall(_shows_in_security, document.matcher, _without_cases(text))


def _without_cases(text: str) -> str:
    """The text without the clauses that say in which case or to which end something is done, and what is not there."""
    for pattern in (_AIM, _ABSENT, _LEFT_OUT):
        text = pattern.sub(" ", text)
    return _CLAUSE.sub(_without_case, text)


def _without_case(clause: re.Match[str]) -> str:
    case = _CASE.search(clause[0])
    if case is None or _TURNED_DOWN.search(clause[0], case.end()) is None:
        return clause[0]
    return clause[0][: case.start()] + " "


def _shows_in_security(matcher: Matcher, text: str) -> bool:
    return bool(matcher.scan(fold_all(shown(text))).shared("security-specimens"))
