"""English sentences turned into their negations: orders denied, claims denied, and denials that are not to be heeded.

No parser: the first words of a clause tell an order from a statement and from what denies already, which is enough
for the short sentences of the rules' examples.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# Each piece is denied by itself: what follows a colon is not denied by what stands before it.
_PIECE = re.compile(r"(?<=[.!?;:])\s+(?![^()]*\)(?!\())")
_LABEL = re.compile(r"(?![A-Z]{2,} [A-Z]{2,})(?:\w+ ){0,2}\w+:")
_LEAD = re.compile(
    r"(?:when|if|once|after|before|while|even if|whether or not|regardless of|as soon as|on|at|from|for|without|should"
    r"|whatever|whenever)\b[^,:]*, (?!an? |which )(?:unprompted, )?|(?:before|after) (?:each \S+|that) ",
    re.IGNORECASE,
)
_CONJUNCTION = re.compile(r"(?:once|on|from|after|in) (?!that\b)", re.IGNORECASE)
_SEQUEL = re.compile(r"(?:(?:first|then|always|please|now|after that)\b,? )+", re.IGNORECASE)
_DENIAL = re.compile(r"(?:do not|don't|(?P<never>never)) ", re.IGNORECASE)
_STATEMENT = re.compile(
    r"(?:an?|the|this|these|those|that|your|you|they|we|it|all|every|each|only|there|new|any|no|nobody|nothing) "
    r"|(?!say|claim|insist|pretend|forget|assume|report|respond)"
    r"\S+ (?:[a-z]+ ){0,2}(?:is|are|was|were|has|have|had|must|should|may|can|cannot|will)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(r"(?P<manner>(?:(?!apply)[A-Za-z]+ly )?)(?P<verb>[A-Za-z]?[a-z]+)(?P<rest>[ ,].*)")
# The second of two orders.
_SECOND = re.compile(
    r"((?:\band|,) (?:then )?)(copy|delete|deploy|describe|downplay|follow|forward|give|go|launch|leave|mail|make|merge"
    r"|obey|pass|paste|post|print|put|push|run|say|send|start|submit|tell|transfer|upload)\b"
)
_NAME = re.compile(r"[A-Z][A-Z0-9_]|Orla")
_DOUBLED = re.compile(r"(?:[^aeiou]*[aeiou][bdgklmnprt]|embed|forget|output|submit|transfer|transmit)")


class Denial(NamedTuple):
    """Words that forbid: before an order, before a claim, and before words that somebody else says."""

    order: str
    gerund: bool = False

    def of(self, text: str) -> str:
        """The text with each of its clauses denied in these words."""
        denied = ""
        for piece in _PIECE.split(text):
            clause = self._clause(piece)
            denied += f" {small(clause)}" if denied.endswith((":", ";")) else f" {clause}"
        return denied.strip()

    def _clause(self, clause: str) -> str:
        if _LABEL.fullmatch(clause):
            return clause
        found = _LEAD.match(clause)
        if found is not None and found.end() < len(clause):
            return found.group() + small(self._main(clause[found.end() :]))
        return self._main(clause[sequel.end() :] if (sequel := _SEQUEL.match(clause)) else clause)

    def _main(self, main: str) -> str:
        denial = _DENIAL.match(main)
        if denial is not None:
            told = "never to " if denial["never"] else "not to "
            return f"{self._with('follow')} a note that tells you {told}{main[denial.end() :]}"
        if _STATEMENT.match(main) or _CONJUNCTION.match(main):
            return f"{self._with('claim')} that {small(main)}"
        order = _ORDER.fullmatch(main)
        if order is None:
            return f"{self._with('write')} {main}"
        rest = order["rest"]
        if self.gerund:
            rest = _SECOND.sub(lambda second: second[1] + gerund(second[2]), rest)
        return self.order + " " + small(order["manner"]) + self._verb(order["verb"].lower()) + rest

    def _with(self, verb: str) -> str:
        return f"{self.order} {self._verb(verb)}"

    def _verb(self, verb: str) -> str:
        return gerund(verb) if self.gerund else verb


DENIALS = (
    Denial("Never"),
    Denial("Do not"),
    Denial("Don't ever"),
    Denial("You must not"),
    Denial("Avoid", gerund=True),
    Denial("Refuse to"),
    Denial("It is not allowed to"),
    Denial("Under no circumstances"),
)


def small(text: str) -> str:
    """The sentence as it goes on behind other words: its first letter small, but for what is no common word."""
    return text if _NAME.match(text) else text[:1].lower() + text[1:]


def gerund(verb: str) -> str:
    """The verb with -ing: "hide" is hiding, "put" putting, "lie" lying."""
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return verb[:-1] + "ing"
    return verb + verb[-1] * bool(_DOUBLED.fullmatch(verb)) + "ing"
