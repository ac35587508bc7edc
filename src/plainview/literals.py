"""Which words a text must hold for a pattern to match it, so that most patterns need not be tried at all.

A pattern in RE2's syntax is taken apart into the ways in which it can match; each way asks for some clauses, and a
clause for one of some literals. A literal is looked for by one key: its longest word, or the signs that it consists
of. What is asked for is always necessary and never enough; to ask for less costs nothing but time.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cache, lru_cache
from typing import NamedTuple

# Strings that a part of a pattern may stand for before it counts as anything, alone and joined to others; ways in
# which a pattern may match, and clauses of each, before the less telling are left out. More make no better filter.
_MOST_UNION = 512
_MOST_PRODUCT = 6
_MOST_IN_CLASS = 6
_MOST_WAYS = 24
CLAUSES = 3
# Nearly every word has one of a few letters in it.
SHORTEST_PART = 3

# Stands in a literal where the pattern has a word boundary; folded text has no such character.
_BOUNDARY = "\0"

_TOKEN = re.compile(
    r"\\x\{(?P<code>[0-9a-fA-F]{1,6})\}|\\x(?P<hex>[0-9a-fA-F]{2})|(?P<property>\\[pP](?:\{[^}]*\}|.))"
    # Most groups are lists of words.
    r"|\(\?:(?P<words>[^\\\[(){}?*+.^$]*)\)"
    r"|\\(?P<escape>.)|\[(?P<class>\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*)\]"
    r"|(?P<open>\((?:\?:|\?P?<\w+>|(?!\?)))|(?P<flags>\(\?)"
    r"|(?P<repeat>(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??)|(?P<end>[|)])|(?P<edge>[$^])|(?P<text>[^\\\[(){}|?*+.^$]+|[{}])"
    r"|(?P<other>.)",
    re.DOTALL,
)
_CONTROL = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "a": "\a"}
_RUN = re.compile(rf"{_BOUNDARY}?(?:[a-z0-9_]+|[^\x00-\x7f]+){_BOUNDARY}?")
_SIGNS = re.compile(r"[!-/:-@\[-^`{-~]+")
# Words of nearly every text; they part nothing from anything.
_ORDINARY = "a all an and any as for from if in is it of on or that the this to use when with you your"
_COMMON = frozenset(_ORDINARY.split())


class Key(enum.Enum):
    """How a literal is looked for: as a whole word, as part of one, by letters beyond ASCII, or by its signs."""

    WORD = "word"
    PART = "part"
    BEYOND = "beyond ASCII"
    SIGN = "sign"


class Literal(NamedTuple):
    """What to look for in a text in lower case."""

    key: Key
    text: str


class Clause(NamedTuple):
    """Literals one of which must be there, and how telling that is: the more, the fewer texts hold one."""

    weight: int
    literals: frozenset[Literal]


Way = tuple[Clause, ...]


class _Unknown(Exception):  # noqa: N818 - not an error: the pattern says too little
    """The pattern holds what is not taken apart here."""


class _Part(NamedTuple):
    """What a part of a pattern matches: all the strings that it may stand for, or else the ways to match it."""

    exact: frozenset[str] | None
    ways: tuple[Way, ...] = ((),)

    def asked(self) -> tuple[Way, ...]:
        """The ways, however they are known."""
        if self.exact is None:
            return self.ways
        clause = _clause(self.exact)
        return ((clause,) if clause is not None else (),)


_ANY = _Part(None)
_NOTHING = _Part(frozenset({""}))
_SAY_NOTHING = (frozenset({""}), frozenset({_BOUNDARY}))


def alternation(patterns: Iterable[str]) -> str:
    """One pattern that matches what any of `patterns` does."""
    return "|".join(f"(?:{one})" for one in patterns)


def ways(pattern: str) -> tuple[Way, ...]:
    """The ways to match `pattern`: a text that it matches fulfils all clauses of one of them (a way may have none).

    No way has more than CLAUSES of them. Raises ValueError when the brackets of the pattern do not match.
    """
    reader = _Reader(pattern)
    try:
        part = reader.alternatives()
    except _Unknown:
        return ((),)
    if not reader.at_end:
        raise ValueError(f"a bracket closes that was not opened: {pattern}")
    return part.asked()


class _Reader:
    """Reads one pattern from left to right, by the kinds of its tokens and what they hold."""

    def __init__(self, pattern: str) -> None:
        self._tokens = [(token.lastgroup, token[token.lastgroup or 0]) for token in _TOKEN.finditer(pattern)]
        # So that there always is a token to look at.
        self._tokens.append(("", ""))
        self._at = 0

    @property
    def at_end(self) -> bool:
        """Whether all of the pattern has been read."""
        return self._at >= len(self._tokens) - 1

    def alternatives(self) -> _Part:
        """The parts that bars separate, up to the bracket that closes them or the end."""
        branches = [self._sequence()]
        while self._tokens[self._at] == ("end", "|"):
            self._at += 1
            branches.append(self._sequence())
        if len(branches) == 1:
            return branches[0]
        exact = [branch.exact for branch in branches if branch.exact is not None]
        if len(exact) == len(branches) and sum(map(len, exact)) <= _MOST_UNION:
            return _Part(frozenset().union(*exact))
        # What is exact is asked for by one clause, so that words that are listed do not each count as a way.
        plain = frozenset().union(*exact)
        clause = _clause(plain) if plain else None
        found = [way for branch in branches if branch.exact is None for way in branch.ways]
        if plain:
            found.append((clause,) if clause is not None else ())
        return _Part(None, tuple(found) if len(found) <= _MOST_WAYS else (_joined(found),))

    def _sequence(self) -> _Part:
        """Parts that follow one another."""
        strings: Set[str] = (nothing := _NOTHING.exact or frozenset())
        clauses: list[Clause | None] = []
        several: list[tuple[Way, ...]] = []
        whole = True
        for part in self._parts():
            exact = part.exact
            if exact is not None and (1 in (len(strings), len(exact)) or len(strings) * len(exact) <= _MOST_PRODUCT):
                strings = {one + other for one in strings for other in exact} if strings != nothing else exact
                continue
            whole = False
            if strings not in _SAY_NOTHING:
                clauses.append(_clause(strings))
            strings = nothing if exact is None else exact
            if len(part.ways) == 1:
                clauses += part.ways[0]
            else:
                several.append(part.ways)
        if whole:
            return _Part(frozenset(strings))
        always = [clause for clause in (*clauses, _clause(strings)) if clause is not None]
        found: list[Way] = [()]
        for some in sorted(several, key=len):
            if len(found) * len(some) <= _MOST_WAYS:
                found = [(*way, *other) for way in found for other in some]
            else:
                always += _joined(some)
        return _Part(None, tuple(_most_telling((*always, *way)) for way in found))

    def _parts(self) -> Iterator[_Part]:
        tokens = self._tokens
        while True:
            kind, held = tokens[self._at]
            if kind in ("end", ""):
                return
            self._at += 1
            part = self._one(kind, held)
            following, repeat = tokens[self._at]
            if following == "repeat":
                self._at += 1
                if kind == "text" and len(held) > 1:
                    # What repeats is the last character alone.
                    yield _Part(frozenset({held[:-1]}))
                    part = _Part(frozenset({held[-1]}))
                part = _repeated(part, repeat)
            yield part

    def _one(self, kind: str | None, held: str) -> _Part:
        if kind == "text":
            return _Part(frozenset({held}))
        if kind == "words":
            return _Part(frozenset(held.split("|")))
        if kind == "open":
            part = self.alternatives()
            if self._tokens[self._at] != ("end", ")"):
                raise ValueError("a bracket is not closed")
            self._at += 1
            return part
        if kind == "escape":
            return _escaped(held)
        if kind == "class":
            return _class(held)
        if kind in ("code", "hex"):
            return _Part(frozenset({chr(int(held, 16)).lower()}))
        if kind == "edge":
            return _NOTHING
        if kind in ("flags", "repeat", "other") and held != ".":
            raise _Unknown
        return _ANY


@cache
def _escaped(letter: str) -> _Part:
    if letter == "b":
        return _Part(frozenset({_BOUNDARY}))
    if letter in "BAz":
        return _NOTHING
    if letter in _CONTROL:
        return _Part(frozenset({_CONTROL[letter]}))
    if letter in "wWdDsS":
        return _ANY
    if letter.isalnum():
        raise _Unknown
    return _Part(frozenset({letter}))


@lru_cache(maxsize=512)
def _class(inside: str) -> _Part:
    """A class of few characters, each written as itself."""
    plain = not inside.startswith("^") and "\\" not in inside and "[:" not in inside
    if not plain or "-" in inside[1:-1] or not 0 < len(inside) <= _MOST_IN_CLASS:
        return _ANY
    return _Part(frozenset(inside))


def _repeated(part: _Part, repeat: str) -> _Part:
    if repeat[0] == "?" and part.exact is not None and len(part.exact) < _MOST_PRODUCT:
        return _Part(part.exact | {""})
    if repeat[0] in "?*" or repeat.startswith(("{0}", "{0,")):
        return _ANY
    return _Part(None, part.asked())


def _joined(several: Sequence[Way]) -> Way:
    """One way that asks for no more than any of `several`: a clause of the most telling of each."""
    if not all(several):
        return ()
    best = [max(way, key=_merit) for way in several]
    return (Clause(min(one.weight for one in best), frozenset().union(*(one.literals for one in best))),)


def _most_telling(clauses: Sequence[Clause]) -> Way:
    return tuple(sorted(clauses, key=_merit, reverse=True)[:CLAUSES])


def _merit(clause: Clause) -> tuple[int, int]:
    return clause.weight, -len(clause.literals)


def _clause(strings: Set[str]) -> Clause | None:
    """What to look for where one of the strings must be; None when one of them cannot be looked for."""
    weight = 1 << 10
    literals = []
    for one in strings:
        literal = _literal(one)
        if literal is None:
            return None
        literals.append(literal)
        weight = min(weight, _telling(literal))
    return Clause(weight, frozenset(literals))


@lru_cache(maxsize=1 << 14)
def _literal(string: str) -> Literal | None:
    """What to look for where `string` must stand; None when that is nothing, or blanks."""
    best: Literal | None = None
    for run in _RUN.finditer(string):
        word = run.group().strip(_BOUNDARY)
        start, end = run.span()
        if word[0] > "\x7f":
            literal = Literal(Key.BEYOND, word)
        elif (run.group()[0] == _BOUNDARY or start) and (run.group()[-1] == _BOUNDARY or end < len(string)):
            literal = Literal(Key.WORD, word)
        elif len(word) >= SHORTEST_PART:
            literal = Literal(Key.PART, word)
        else:
            continue
        if best is None or _telling(literal) > _telling(best):
            best = literal
    if best is None:
        signs = max(_SIGNS.findall(string), key=len, default="")
        return Literal(Key.SIGN, signs) if signs else None
    return best


def _telling(literal: Literal) -> int:
    """How much a literal tells: the more, the fewer texts hold it."""
    if literal.text in _COMMON:
        return 2
    if literal.key is Key.BEYOND:
        return 3 * len(literal.text)
    return 2 * len(literal.text) + (literal.key is Key.WORD)
