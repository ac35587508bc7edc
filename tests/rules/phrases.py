"""The English phrases of the rules' own flag examples: the prose that a rule's finding stands in.

What stands in a header or a block of code is no prose, and what holds other letters than English ones no English.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from plainview import markup
from plainview.finding import Finding, Severity, Span
from plainview.markup import RegionKind
from plainview.rules import Example, Rule
from plainview.scan import Engine, scan
from plainview.settings import Settings
from plainview.text import Source

ENGINE = Engine.load(Settings())
_LETTERS = re.compile(r"[ -~\u2013-\u201d]+")
# Small words that hold English sentences together, and some of the other languages that are written in these letters.
_SMALL = re.compile(
    r"\b(?:a|above|all|an|and|any|are|as|at|before|by|each|every|everything|first|for|from|has|if|in|into|is|it|its|no|not"
    r"|of|on|or|our|so|that|the|their|them|then|these|they|this|those|to|under|was|what|when|with|without|your?)\b",
    re.IGNORECASE,
)
_FOREIGN = re.compile(r"\b(?:dem|die|du|las|ne|nunca|para)\b", re.IGNORECASE)


class Phrase(NamedTuple):
    """A paragraph in which a rule fires: its text on one line, and how severe the rule's finding is."""

    rule: Rule
    text: str
    severity: Severity

    @property
    def is_command(self) -> bool:
        """Whether the rule is about what is done, wherever it is written, rather than about what is said."""
        return not {"code", "quotation"} & set(self.rule.soften)


def said(rule: Rule, text: str) -> list[Finding]:
    """What the rule itself says of the text as plain agent markdown, the worst first."""
    found = [one for one in scan(Source(text), ENGINE).findings if one.rule == rule.id]
    return sorted(found, key=lambda one: -one.severity)


def worst(rule: Rule, text: str) -> Severity:
    """The worst that the rule itself says of the text."""
    return max((one.severity for one in said(rule, text)), default=Severity.INFO)


def fires(rule: Rule, text: str) -> Severity:
    """The worst that the rule itself says of the text, what its context softens left out."""
    return max((one.severity for one in said(rule, text) if one.softened is None), default=Severity.INFO)


@lru_cache(maxsize=1)
def phrases() -> tuple[Phrase, ...]:
    """Every English phrase of every rule that looks for phrases in prose."""
    found = []
    for rule in ENGINE.ruleset.rules:
        if not rule.match or not rule.soften:
            continue
        for example in rule.examples.flag:
            text = example.text if isinstance(example, Example) else example
            paragraph = _paragraph(rule, text)
            if is_english(paragraph):
                found.append(Phrase(rule, paragraph, fires(rule, f"{paragraph}\n")))
    return tuple(found)


def is_english(text: str) -> bool:
    """Whether a text is an English sentence or several, rather than a command, a value or another language."""
    return bool(_LETTERS.fullmatch(text) and _SMALL.search(text)) and _FOREIGN.search(text) is None


def _paragraph(rule: Rule, text: str) -> str:
    """The paragraph of the text that the rule's worst finding stands in, on one line; empty where it is not prose."""
    finding = next((one for one in said(rule, text) if one.softened is None), None)
    if finding is None or finding.hidden is not None:
        return ""
    leaf = markup.parse(Source(text)).leaf_at(finding.span.start)
    if leaf is None or leaf.kind is not RegionKind.PROSE:
        return ""
    spans = [finding.span, *(one.span for one in finding.related)]
    if any(not leaf.span.contains(Span(span.start, span.end)) for span in spans):
        return ""
    return " ".join(text[leaf.span.start : leaf.span.end].split())
