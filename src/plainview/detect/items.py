"""What an item or row says that an option does, and what an introduction says that the file does itself."""

from __future__ import annotations

import re

from plainview.detect.document import Document
from plainview.finding import Span
from plainview.markup import CODE_BLOCKS
from plainview.match import Hit

# What explains an option of a command, in an item or a row: "- `--yes`, `-y`: goes on without a question".
_OPTION = re.compile(
    r"[ \t>|]*(?:(?:[-+*]|[0-9]{1,9}[.)])[ \t]+)?[*_]{0,2}`-{1,2}[A-Za-z][\w-]{0,40}(?:[ =][\w<>\[\].-]{1,40})?`"
    r"(?:(?:, ?| or | ?/ ?)`-{1,2}[A-Za-z][\w-]{0,40}`){0,3}[*_]{0,2}[ \t]*(?:[:|\u2014\u2013(]|-(?=[ \t]))"
)
# Explained is what stands in the first sentence behind it, no further than this, and what is said to nobody.
_EXPLAINED = 200
_SAID_TO = re.compile(r"[.!?;][*_`)]*(?:\s|\Z)|\b(?:you|your|must|never|always|whenever|now)\b", re.IGNORECASE)
# What a file says that it does itself.
_OWN_DOING = re.compile(
    r"\b(?:this|the) (?:skill|agent|plugin|tool|script|command|workflow|extension)"
    r"(?: (?:also|then|will|first|silently|always|just|only))* "
    r"(?:performs?|executes?|runs?|does|do|carries out|carry out|calls?|invokes?|installs?|starts?) "
    r"(?:this|these|those|the following|all of)\b",
    re.IGNORECASE,
)
_DOES_NOT = re.compile(
    r"\b(?:not|never|none|no|blocks?|blocked|refuses?|rejects?|checks?|detects?|flags?|prevents?|against)\b|n['\u2019]t\b",
    re.IGNORECASE,
)


def describes_option(document: Document, hit: Hit, place: Span) -> bool:
    """Whether a phrase about what an agent may do says what an option of a command does, if somebody gives it."""
    if hit.rule.category != "excessive-agency" or document.hidden_at(place) is not None:
        return False
    leaf = document.markup.leaf_at(place.start)
    if leaf is None or leaf.kind in CODE_BLOCKS:
        return False
    text = document.source.text
    line = document.source.line_start(document.source.line_of(place.start))
    option = _OPTION.match(text, line) if place.end - line <= _EXPLAINED else None
    return option is not None and _SAID_TO.search(text, option.end(), place.end) is None


def is_own_doing(introduction: str) -> bool:
    """Whether an introduction says that the file itself does what follows."""
    return _OWN_DOING.search(introduction) is not None and _DOES_NOT.search(introduction) is None
