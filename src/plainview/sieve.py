"""Which of many patterns may match a text, told from its words alone: one look at each different word.

A set of patterns in one automaton answers exactly, but its states are as many as the ways in which words can follow
one another: megabytes to build, and a hostile text makes new ones without end. Words are few, and what they may
begin is remembered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from itertools import accumulate

from plainview import literal_pack
from plainview.literal_pack import Packed
from plainview.literals import CLAUSES, SHORTEST_PART, Key, Literal, needs

# What is neither a word nor a sign, of which too is looked for what stands together.
_BEYOND = re.compile(r"[^\x00-\x7f]+")
_WORD_LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_")
_OTHERS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
# Blanks for all that no word, and for all that no sign consists of.
_WORDS_ALONE = bytes(byte if byte in _WORD_LETTERS else 32 for byte in range(256))
_SIGNS_ALONE = bytes(byte if 32 < byte < 127 and byte not in _WORD_LETTERS | _OTHERS else 32 for byte in range(256))
# Runs whose patterns are remembered, and the longest such run: what is longer is hardly a word.
_MOST_REMEMBERED = 1 << 16
_LONGEST = 40
# So many bits are set in a number one by one faster than in bytes.
_FEW_PLACES = 8


# Literals by their beginnings, each with its bits.
_Literals = dict[str, list[tuple[str, list[int]]]]


class Sieve:
    """The patterns by the literals that their matches hold. Patterns are counted from 0. Safe to share between threads.

    Only those whose numbers are in `told` are told apart; of the others it is said that they always may match.
    `in_line` are those whose matches hold no line end, as bits. Raises ValueError for what is not a pattern.
    """

    def __init__(self, patterns: Sequence[str], told: Set[int]) -> None:
        table = _Table()
        needed = [table.needs(pattern) for pattern in patterns]
        self._chances = [one.chance if number in told else 1.0 for number, one in enumerate(needed)]
        each = [one.ways if number in told and [] not in one.ways else [] for number, one in enumerate(needed)]
        # Those with the most ways come first, so that the n-th ways of all that have so many stand side by side,
        # and a pattern's place among them is the same in every such row.
        order = sorted(range(len(patterns)), key=lambda number: -len(each[number]))
        self._bits = [0] * len(patterns)
        for place, number in enumerate(order):
            self._bits[number] = 1 << place
        self.in_line = sum(self._bits[number] for number, one in enumerate(needed) if one.in_line)
        self._open = sum(self._bits[number] for number in order if not each[number])
        counts = [len(each[number]) for number in order]
        widths = [sum(count > row for count in counts) for row in range(max(counts, default=0))]
        self._rows = [((1 << width) - 1, width) for width in widths]
        self._width = sum(widths)
        # A way of fewer clauses has those that it lacks fulfilled; the clauses of a level stand together too.
        fulfilled: list[int] = []
        found: list[list[int]] = [[] for _ in table.literals]
        starts = list(accumulate(widths, initial=0))
        for place, number in enumerate(order):
            for start, way in zip(starts, each[number], strict=False):
                bit = start + place
                for clause in way:
                    for literal in clause:
                        found[literal].append(bit)
                    bit += self._width
                fulfilled += range(bit, start + place + CLAUSES * self._width, self._width or 1)
        self._fulfilled = _of_bits(fulfilled)
        self._words: dict[str, list[int]] = {}
        self._parts: _Literals = {}
        self._beyond: _Literals = {}
        self._signs: _Literals = {}
        self._known: dict[bytes | str, int] = {}
        for (key, text), places in zip(table.literals, found, strict=True):
            if not places:
                continue
            if key is Key.WORD:
                self._words[text] = places
            elif key is Key.PART:
                self._parts.setdefault(text[:SHORTEST_PART], []).append((text, places))
            elif key is Key.BEYOND:
                self._beyond.setdefault(text[0], []).append((text, places))
            else:
                self._signs.setdefault(text[0], []).append((text, places))

    def chance(self, number: int) -> float:
        """About how many of all texts hold what must be there for a pattern."""
        return self._chances[number]

    def bit(self, number: int) -> int:
        """The bit of a pattern in what `passing` returns."""
        return self._bits[number]

    def passing(self, data: bytes) -> int:
        """The patterns that may match a text in lower case (UTF-8), as bits; no other can match."""
        fulfilled = self._fulfilled
        known = self._known
        runs: set[bytes | str] = {*data.translate(_WORDS_ALONE).split(), *data.translate(_SIGNS_ALONE).split()}
        if not data.isascii():
            runs.update(_BEYOND.findall(data.decode("utf-8", "replace")))
        for run in runs:
            own = known.get(run)
            if own is None:
                own = self._look(run)
            if own:
                fulfilled |= own
        held = fulfilled
        for _ in range(1, CLAUSES):
            fulfilled >>= self._width
            held &= fulfilled
        passing = self._open
        for mask, width in self._rows:
            passing |= held & mask
            held >>= width
        return passing

    def _look(self, run: bytes | str) -> int:
        # The bits of most literals are never asked for, so numbers are made of them only here.
        if isinstance(run, str):
            places = _within(run, self._beyond, 1)
        elif run[0] in _WORD_LETTERS:
            word = run.decode("ascii")
            places = [*self._words.get(word, ()), *_within(word, self._parts, SHORTEST_PART)]
        else:
            places = _within(run.decode("ascii"), self._signs, 1)
        bits = _of_bits(places)
        if len(run) <= _LONGEST:
            if len(self._known) >= _MOST_REMEMBERED:
                self._known = {}
            self._known[run] = bits
        return bits


class _Table:
    """What patterns need, and the literals that the numbers in that stand for: those of the pack, and new ones."""

    def __init__(self) -> None:
        pack = literal_pack.known()
        self._packed = pack.patterns
        self.literals: Sequence[Literal] = pack.literals
        self._numbers: dict[Literal, int] | None = None

    def needs(self, pattern: str) -> Packed:
        """What `pattern` needs. Raises ValueError for what is not a pattern."""
        packed = self._packed.get(pattern)
        return self._taken_apart(pattern) if packed is None else packed

    def _taken_apart(self, pattern: str) -> Packed:
        ways, chance, in_line = needs(pattern)
        if self._numbers is None:
            self._numbers = {literal: number for number, literal in enumerate(self.literals)}
        numbers = self._numbers
        numbered = [
            [[numbers.setdefault(one, len(numbers)) for one in clause.literals] for clause in way] for way in ways
        ]
        self.literals = list(numbers)
        return Packed(chance, in_line, numbered)


def _of_bits(places: Sequence[int]) -> int:
    """The number that has these bits."""
    if len(places) <= _FEW_PLACES:
        few = 0
        for place in places:
            few |= 1 << place
        return few
    bits = bytearray(max(places, default=0) // 8 + 1)
    for place in places:
        bits[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(bits, "little")


def _within(run: str, literals: _Literals, width: int) -> list[int]:
    """The bits of the literals that stand in `run`; literals are listed by so many of their first characters."""
    return [
        place
        for start in range(len(run) - width + 1)
        for literal, places in literals.get(run[start : start + width], ())
        if run.startswith(literal, start)
        for place in places
    ]
