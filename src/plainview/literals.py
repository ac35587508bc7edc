"""Which words a text must hold for a pattern to match it, so that most patterns need not be tried at all.

A pattern in RE2's syntax is taken apart into the ways in which it can match; each way asks for some clauses, and a
clause for one of some literals. A literal is looked for by one key: a word, whole where the pattern says what stands
around it, or the signs that it consists of. What is asked for is always necessary and never enough; to ask for less
costs nothing but time.
"""

from __future__ import annotations

import enum
import math
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
_IN_CLASS = re.compile(r"\\x\{([0-9a-fA-F]+)\}|\\x([0-9a-fA-F]{2})|\\(.)|(.)", re.DOTALL)
_CONTROL = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "a": "\a"}
_RUN = re.compile(rf"{_BOUNDARY}?(?:[a-z0-9_]+|[^\x00-\x7f]+){_BOUNDARY}?")
_SIGNS = re.compile(r"[!-/:-@\[-^`{-~]+")
# Which of a thousand passages of agent files hold a word, as counted in some nine hundred of them; digits aside.
_SHARES = {
    word: share / 1000
    for share, words in (
        (140, "the and to for a in with"),
        (65, "or is use if not from user on of when this code name"),
        (40, "that it data json s are only as you md agent by all no file run test step before patterns return"),
        (
            24,
            "api error check type be do an create context output description model what your id at bash t mcp security"
            " each analysis read one state server design files python service performance specific const after example"
            " skill can new tools configuration any function tool source list review path integration must add set",
        ),
        (
            16,
            "validation project first workflow default documentation build required status time using testing pattern"
            " import version e write ai input per task get text migration def resource key value true https phase app"
            " always string deployment self system async verify management claude changes full requirements agents"
            " implementation tests setup content without reference up com then query best environment architecture"
            " based command never every request high target structure should report custom update issues prompt into"
            " development local examples complete include same await fix cli class config access response format",
        ),
    )
    for word in words.split()
}
# Of a word that is not listed, of one sign, and of several together.
_RARE, _ONE_SIGN, _SIGNS_TOGETHER = 1 / 2000, 1 / 2, 1 / 20
# Words of more passages than this part nothing from anything.
_COMMON = 1 / 20
# Of so many parts of a bit a weight counts.
_BIT = 16
_WORD_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_")


class Key(enum.Enum):
    """How a literal is looked for: as a whole word, as part of one, by letters beyond ASCII, or by its signs."""

    WORD = "word"
    PART = "part"
    BEYOND = "beyond ASCII"
    SIGN = "sign"

    # To take the patterns apart asks for it some hundred thousand times, and that of Enum is written in Python.
    __hash__ = object.__hash__


class Literal(NamedTuple):
    """What to look for in a text in lower case."""

    key: Key
    text: str


class Clause(NamedTuple):
    """Literals one of which must be there, and how telling that is, in sixteenths of a bit."""

    weight: int
    literals: frozenset[Literal]


Way = tuple[Clause, ...]


class _Unknown(Exception):  # noqa: N818 - not an error: the pattern says too little
    """The pattern holds what is not taken apart here."""


class _Node(NamedTuple):
    """A part of a pattern as it is written.

    Either it stands for `strings`, or for one of `items` (an alternative), or for all of them in order; `repeat` is
    what follows it. A node of none of these stands for something of which nothing is known, but that it begins and
    ends with no letter of a word where it is `bare`.
    """

    strings: frozenset[str] | None = None
    items: tuple[_Node, ...] = ()
    is_alternative: bool = False
    repeat: str = ""
    bare: bool = False

    @property
    def may_be_empty(self) -> bool:
        """Whether it may be left out."""
        return self.repeat[:1] in ("?", "*") or self.repeat.startswith(("{0}", "{0,"))


class _Part(NamedTuple):
    """What a part of a pattern matches: all the strings that it may stand for, or else the ways to match it."""

    exact: frozenset[str] | None
    ways: tuple[Way, ...] = ((),)

    def asked(self) -> tuple[Way, ...]:
        """The ways, however they are known."""
        return self.ways if self.exact is None else _asked(self.exact)


_ANY = _Node()
_NOTHING = _Node(frozenset({""}))


def alternation(patterns: Iterable[str]) -> str:
    """One pattern that matches what any of `patterns` does."""
    return "|".join(f"(?:{one})" for one in patterns)


def ways(pattern: str) -> tuple[Way, ...]:
    """The ways to match `pattern`: a text that it matches fulfils all clauses of one of them (a way may have none).

    No way has more than CLAUSES of them. Raises ValueError when the brackets of the pattern do not match.
    """
    reader = _Reader(pattern)
    try:
        node = reader.alternatives()
    except _Unknown:
        return ((),)
    if not reader.at_end:
        raise ValueError(f"a bracket closes that was not opened: {pattern}")
    return _part(node, after=False, before=False).asked()


def may_hold_line_end(pattern: str) -> bool:
    """Whether what `pattern` (RE2's syntax) matches may hold a `\\n`: true where that is not known."""
    return _FLAGS.search(pattern) is not None or any(
        _may_be_line_end(token.lastgroup or "", token[token.lastgroup or 0], token[0])
        for token in _TOKEN.finditer(pattern)
    )


# What may let a dot or an edge mean something else.
_FLAGS = re.compile(r"\(\?[a-zA-Z-]")
# An octal number, which is more than the one character of its token.
_OCTAL = re.compile(r"\\[0-9]")


def _may_be_line_end(kind: str, held: str, written: str) -> bool:
    if kind in ("code", "hex"):
        return int(held, 16) == ord("\n")
    if kind in ("escape", "class"):
        return _OCTAL.search(written) is not None or _is_line_end(written)
    return kind in ("property", "flags") or "\n" in written


@lru_cache(maxsize=512)
def _is_line_end(written: str) -> bool:
    """Whether an escape or a class may stand for a line end; edges do not. What Python writes otherwise may."""
    if "[:" in written or r"\p" in written or r"\P" in written:
        return True
    try:
        one = re.compile(re.sub(r"\\x\{([0-9a-fA-F]+)\}", lambda code: re.escape(chr(int(code[1], 16))), written))
    except re.error:
        return True
    return one.fullmatch("\n") is not None


class Needs(NamedTuple):
    """What a text must hold for a pattern to match.

    The ways to do so, about how many of all texts hold that, and whether no match holds a line end.
    """

    ways: tuple[Way, ...]
    chance: float
    in_line: bool


def needs(pattern: str) -> Needs:
    """What `pattern` needs. Raises ValueError when its brackets do not match."""
    found = ways(pattern)
    return Needs(found, chance(found), not may_hold_line_end(pattern))


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

    def alternatives(self) -> _Node:
        """The parts that bars separate, up to the bracket that closes them or the end."""
        branches = [self._sequence()]
        while self._tokens[self._at] == ("end", "|"):
            self._at += 1
            branches.append(self._sequence())
        return branches[0] if len(branches) == 1 else _Node(items=tuple(branches), is_alternative=True)

    def _sequence(self) -> _Node:
        """Parts that follow one another."""
        parts = tuple(self._parts())
        return parts[0] if len(parts) == 1 else _Node(items=parts) if parts else _NOTHING

    def _parts(self) -> Iterator[_Node]:
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
                    yield _Node(frozenset({held[:-1]}))
                    part = _Node(frozenset({held[-1]}))
                part = part._replace(repeat=repeat) if not part.repeat else _Node(items=(part,), repeat=repeat)
            yield part

    def _one(self, kind: str | None, held: str) -> _Node:
        if kind == "text":
            return _Node(frozenset({held}))
        if kind == "words":
            return _Node(frozenset(held.split("|")))
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
            return _Node(frozenset({chr(int(held, 16)).lower()}))
        if kind == "edge":
            return _Node(frozenset({_BOUNDARY}))
        if kind in ("flags", "repeat", "other") and held != ".":
            raise _Unknown
        return _ANY


@cache
def _escaped(letter: str) -> _Node:
    if letter in "bAz":
        return _Node(frozenset({_BOUNDARY}))
    if letter == "B":
        return _NOTHING
    if letter in _CONTROL:
        return _Node(frozenset({_CONTROL[letter]}))
    if letter in "wWdDsS":
        return _Node(bare=letter in "Ws")
    if letter.isalnum():
        raise _Unknown
    return _Node(frozenset({letter}))


@lru_cache(maxsize=512)
def _class(inside: str) -> _Node:
    """A class of few characters, or of all but those of words."""
    if inside.startswith("^"):
        return _Node(bare="a-z" in inside and "0-9" in inside and "_" in inside)
    found: list[str] = []
    for code, digits, escaped, plain in _IN_CLASS.findall(inside):
        if plain == "-" and 0 < len(found) < len(inside) - 1:
            return _ANY
        if escaped.isalnum() and escaped not in _CONTROL:
            return _ANY
        found.append(chr(int(code or digits, 16)).lower() if code or digits else _CONTROL.get(escaped, escaped + plain))
    return _Node(frozenset(found)) if len(found) <= _MOST_IN_CLASS and "[:" not in inside else _ANY


def _edge(node: _Node, side: int) -> tuple[bool, bool]:
    """Whether what the node matches begins (`side` 0) or ends (-1) where no word goes on, and whether it may be empty.

    The first is said of what is not empty.
    """
    if node.strings is not None:
        is_edge = all(one[side] not in _WORD_LETTERS for one in node.strings if one)
        empty = "" in node.strings
    elif not node.items:
        is_edge, empty = node.bare, not node.bare
    elif node.is_alternative:
        each = [_edge(one, side) for one in node.items]
        is_edge, empty = all(edge for edge, _ in each), any(empty for _, empty in each)
    else:
        is_edge = empty = True
        for one in node.items if side == 0 else reversed(node.items):
            edge, may = _edge(one, side)
            is_edge = is_edge and edge
            if not may:
                empty = False
                break
    return is_edge, empty or node.may_be_empty


def _part(node: _Node, *, after: bool, before: bool) -> _Part:
    """What a node matches; no word goes on from what stands before it if it is `after` an edge, and behind it
    if it is `before` one."""
    if node.repeat:
        # One of several may stand behind another of them.
        after = after and (node.repeat == "?" or _edge(node, -1)[0])
        before = before and (node.repeat == "?" or _edge(node, 0)[0])
        return _repeated(_part(node._replace(repeat=""), after=after, before=before), node)
    if node.strings is not None:
        return _Part(frozenset(_edged(one, after=after, before=before) for one in node.strings))
    if not node.items:
        return _Part(None)
    if node.is_alternative:
        return _either([_part(one, after=after, before=before) for one in node.items])
    return _sequence(node.items, after=after, before=before)


def _edged(string: str, *, after: bool, before: bool) -> str:
    begins = _BOUNDARY * (after and string[:1] in _WORD_LETTERS)
    return f"{begins}{string}{_BOUNDARY * (before and string[-1:] in _WORD_LETTERS)}" if string else string


def _either(branches: Sequence[_Part]) -> _Part:
    exact = [branch.exact for branch in branches if branch.exact is not None]
    plain = frozenset[str]().union(*exact)
    if len(exact) == len(branches) and len(plain) <= _MOST_UNION:
        return _Part(plain)
    # What is exact is asked for together, so that words that are listed do not each count as a way.
    found = [way for branch in branches if branch.exact is None for way in branch.ways]
    if plain:
        found += _asked(plain)
    return _Part(None, _fewer(found, _MOST_WAYS))


def _sequence(nodes: Sequence[_Node], *, after: bool, before: bool) -> _Part:
    follows = [before] * len(nodes)
    for index in range(len(nodes) - 1, 0, -1):
        edge, empty = _edge(nodes[index], 0)
        follows[index - 1] = edge and (not empty or follows[index])
    strings = nothing = frozenset({""})
    several: list[tuple[Way, ...]] = []
    whole = True
    for node, follow in zip(nodes, follows, strict=True):
        part = _part(node, after=after, before=follow)
        edge, empty = _edge(node, -1)
        after = edge and (not empty or after)
        exact = part.exact
        if exact is not None and (1 in (len(strings), len(exact)) or len(strings) * len(exact) <= _MOST_PRODUCT):
            strings = frozenset(one + other for one in strings for other in exact)
            continue
        whole = False
        several.append(_asked(strings))
        strings = nothing if exact is None else exact
        if exact is None:
            several.append(part.ways)
    if whole:
        return _Part(strings)
    several.append(_asked(strings))
    found: list[Way] = [()]
    for some in sorted(several, key=len):
        if len(found) * len(some) > _MOST_WAYS:
            some = _fewer(some, max(_MOST_WAYS // len(found), 1))
        found = [(*way, *other) for way in found for other in some]
    return _Part(None, tuple(_most_telling(way) for way in found))


def _repeated(part: _Part, node: _Node) -> _Part:
    if node.repeat.startswith("?") and part.exact is not None and len(part.exact) < _MOST_PRODUCT:
        return _Part(part.exact | {""})
    return _Part(None) if node.may_be_empty else _Part(None, part.asked())


def _fewer(several: Sequence[Way], most: int) -> tuple[Way, ...]:
    """Not more than `most` ways that ask for no more than those: what is alike, and side by side, becomes one."""
    if not all(several):
        return ((),)
    found = list(dict.fromkeys(several))
    while len(found) > most:
        counts = [len(way) for way in found]
        count = max(set(counts), key=counts.count)
        alike = [way for way in found if len(way) == count]
        found = [way for way in found if len(way) != count]
        if len(alike) > 1:
            found += [_joined(alike[index : index + 2]) for index in range(0, len(alike), 2)]
        else:
            found = [_joined([*alike, *found])]
    return tuple(found)


def _joined(several: Sequence[Way]) -> Way:
    """One way that asks for no more than any of `several`: the most telling clauses of each together, and so on."""
    each = [sorted(way, key=_merit, reverse=True) for way in several]
    return tuple(
        _clause(frozenset[Literal]().union(*(one.literals for one in some))) for some in zip(*each, strict=False)
    )


def _most_telling(clauses: Sequence[Clause]) -> Way:
    return tuple(sorted(dict.fromkeys(clauses), key=_merit, reverse=True)[:CLAUSES])


def _merit(clause: Clause) -> tuple[int, int]:
    return clause.weight, -len(clause.literals)


def _asked(strings: Set[str]) -> tuple[Way, ...]:
    """What to look for where one of the strings must be: the most telling word of each, and, where there are
    several, the second. Nothing, if one of them cannot be looked for."""
    single: list[Literal] = []
    double: list[tuple[Literal, Literal]] = []
    for one in strings:
        found = _literals(one)
        if not found:
            return ((),)
        if len(found) == 1:
            single += found
        else:
            double.append((found[0], found[1]))
    ways = [(_clause(single),)] if single else []
    return (*ways, *([tuple(_clause(some) for some in zip(*double, strict=True))] if double else []))


def _clause(literals: Iterable[Literal]) -> Clause:
    several = frozenset(literals)
    # In one order, for sums of fractions depend on it.
    return Clause(_weight(sum(sorted(map(_share, several)))), several)


@lru_cache(maxsize=1 << 14)
def _literals(string: str) -> tuple[Literal, ...]:
    """What to look for where `string` must stand, the most telling first: a word or two, or else signs."""
    found: list[Literal] = []
    for run in _RUN.finditer(string):
        word = run.group().strip(_BOUNDARY)
        start, end = run.span()
        if word[0] > "\x7f":
            found.append(Literal(Key.BEYOND, word))
        elif (run.group()[0] == _BOUNDARY or start) and (run.group()[-1] == _BOUNDARY or end < len(string)):
            found.append(Literal(Key.WORD, word))
        elif len(word) >= SHORTEST_PART:
            found.append(Literal(Key.PART, word))
    signs = max(_SIGNS.findall(string), key=len, default="")
    if not found:
        return (Literal(Key.SIGN, signs),) if signs else ()
    first, *others = sorted(dict.fromkeys(found), key=_share)
    if others and _share(others[0]) < _COMMON:
        return first, others[0]
    # One sign stands in nearly every text.
    return (first, Literal(Key.SIGN, signs)) if len(signs) > 1 else (first,)


@lru_cache(maxsize=1 << 14)
def _share(literal: Literal) -> float:
    """About how many of all passages hold a literal."""
    if literal.key is Key.WORD:
        return _SHARES.get(literal.text, _RARE)
    if literal.key is Key.PART:
        return _RARE + sum(share for word, share in _SHARES.items() if literal.text in word)
    if literal.key is Key.SIGN:
        return _SIGNS_TOGETHER if len(literal.text) > 1 else _ONE_SIGN
    return _RARE


def _weight(share: float) -> int:
    return max(round(-_BIT * math.log2(share)), 0)


def chance(ways: Iterable[Way]) -> float:
    """About how many of all passages fulfil one of the ways."""
    return sum(math.pow(2, -sum(clause.weight for clause in way) / _BIT) for way in ways)
