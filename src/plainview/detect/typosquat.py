"""Packages to be installed whose names are one slip away from a well-known name.

The rule `typosquat` holds the commands that install, the well-known names, and the neighbours that are packages in
their own right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from plainview.detect.document import Document, Unit
from plainview.detect.phrases import placed
from plainview.finding import Finding, Span
from plainview.markup import Passage
from plainview.match import Matcher
from plainview.rules import Ruleset

RULE = "typosquat"
# Shorter names have too many honest neighbours.
_SHORTEST = 6
_NAME = re.compile(r"[\s\"'`]+((?:--?[a-z-]+(?:=\S*)?[\s\"'`]+)*)([a-z][a-z0-9._-]{2,40})(?=[@=<>~!\[\s\"'`,.;:)]|$)")


def detect(document: Document, ruleset: Ruleset) -> Iterator[Finding]:
    """One finding for each name that looks like a slip."""
    rule = ruleset.rule(RULE)
    if rule is None:
        return
    slips = _slips(rule.atoms.get("known", ()), rule.atoms.get("apart", ()))
    for start, digest in document.opened(rule):
        for unit, place in digest.passage.recall(_found, document.matcher, slips):
            yield placed(document, unit.moved(start), rule, place)


def _found(passage: Passage, _: Matcher, slips: _Slips) -> tuple[tuple[Unit, Span], ...]:
    """The names in a passage, which has been looked at for that matcher, that look like a slip."""
    return tuple(
        (unit, Span(start, stop))
        for unit in passage.detected.units
        for _, end in unit.scan.own(RULE, "install")
        for start, stop in _names(unit.scan.text, end)
        if slips.has(unit.scan.text[start:stop].rstrip("."))
    )


def _names(text: str, position: int) -> Iterator[tuple[int, int]]:
    """The names behind a command that installs, in its line."""
    for _ in range(20):
        found = _NAME.match(text, position)
        if found is None or "\n" in found.group():
            return
        yield found.span(2)
        position = found.end()
        while position < len(text) and text[position] not in " \n\"'`":
            position += 1


class _Slips:
    """The names that are a letter dropped, doubled, swapped or exchanged away from a well-known name."""

    def __init__(self, known: Sequence[str], apart: Sequence[str]) -> None:
        self._known = frozenset(known)
        self._apart = frozenset(apart)
        self._shapes = {shape: name for name in known if len(name) >= _SHORTEST for shape in _without_one(name)}

    def has(self, name: str) -> bool:
        if len(name) < _SHORTEST - 1 or name in self._known or name in self._apart:
            return False
        for shape in _without_one(name):
            other = self._shapes.get(shape)
            if other is not None and _is_slip(name, other):
                return True
        return False


@lru_cache(maxsize=4)
def _slips(known: tuple[str, ...], apart: tuple[str, ...]) -> _Slips:
    return _Slips(known, apart)


def _without_one(name: str) -> set[str]:
    return {name, *(name[:at] + name[at + 1 :] for at in range(len(name)))}


def _is_slip(name: str, other: str) -> bool:
    """Whether one edit, or one swap of neighbours, makes one name of the other. A plural or a digit is no slip."""
    if abs(len(name) - len(other)) > 1 or name[0] != other[0]:
        return False
    start = 0
    while start < min(len(name), len(other)) and name[start] == other[start]:
        start += 1
    left, right = name[start:], other[start:]
    if len(left) == len(right):
        return left[1:] == right[1:] or (left[:2] == right[1::-1] and left[2:] == right[2:])
    longer, shorter = (left, right) if len(left) > len(right) else (right, left)
    return longer[1:] == shorter and longer not in {"s", "2", "3", "x"} and not longer[0].isdigit()
