"""What runs of invisible characters spell: tags, bytes in variation selectors, digits in zero-width characters.

Which characters stand for which digits is tried, not known: a guess counts if the text that it gives is too regular to
come about by chance, measured in bits. Each guess is made on the beginning alone; only the best is decoded in full.
"""

from __future__ import annotations

import codecs
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import combinations, pairwise, permutations
from typing import NamedTuple

from plainview import unicode_sets

# Bits of evidence beyond the number of guesses that are asked of a text, and letters of one that needs no guess.
_SURE = 8.0
_LETTERS = 3
_DISTINCT = 2
# Symbols that a guess is made on, first and then; the fewest that spell a word; how many guesses are decoded in full.
_GLANCE = 48
_SAMPLE = 192
_FEWEST = 6
_RUNNERS_UP = 3
_MOST_SYMBOLS = 16
_MOST_PAIRED = 4
# Code points of plane 14 that variation selectors 17 to 256 take, and those that writers shift text to.
_SELECTORS_17 = 0xE0100
_TAGS = 0xE0000
_PRIVATE_SHIFTS = (0xE000, 0xF000, 0xF0000, 0x100000)
_BRAILLE = 0x2800

# Digits from 0 up, as published encoders assign them; the ways that need no order are found without.
_ALPHABETS = (
    "\u200c\u200d\u202c\ufeff",
    "\u200b\u200c\u200d\ufeff",
    "\u200b\u200c\u200d\u2060",
    "\u2061\u2062\u2063\u2064",
    "\u200e\u200f\u200c\u200d\ufeff",
    "\u200b\u200c\u200d\u200e\u200f",
    "\u200c\u200d\u2061\u2062\u2063\u2064",
    "\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064",
)
_COMMON = frozenset("abcdefghijklmnopqrstuvwxyz ")
_LESS_COMMON = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;/-_'\"()\n")
# Bits that a letter takes to say, by the first word of its name, and scripts that are written together.
_SCRIPTS = dict.fromkeys(("CYRILLIC", "GREEK", "ARABIC", "HEBREW", "DEVANAGARI", "BENGALI", "TAMIL", "THAI"), 7.5)
_SCRIPTS |= {"CJK": 13.5, "LATIN": 11.0}
_EAST_ASIAN = dict.fromkeys(("HIRAGANA", "KATAKANA", "HANGUL", "IDEOGRAPHIC"), "CJK")
_DIGITS = "0123456789abcdef"
_BREAKS = dict.fromkeys(map(ord, "\t\r\n\0"))
# One character in so many follows the one before it in the alphabet: no text.
_LISTED = 3
# A guess that uses fewer than one symbol in so many explains too little.
_KEPT = 2


class _Guess(NamedTuple):
    """A way to read symbols, numbered by their place in the alphabet of all that occur.

    `table` and `dropped` translate those numbers to digits, or to a blank for what separates; `base` is how many
    digits there are, and `read` makes text of them.
    """

    table: bytes
    dropped: bytes
    base: int
    read: Callable[[bytes, int], str]

    def text(self, numbered: bytes, most: int) -> tuple[str, float]:
        """What the first symbols say, `most` at most, and how many bits of them that took."""
        found = numbered[:most].translate(self.table, self.dropped)
        if most < len(numbered) and b" " in found:
            # The last piece may be cut short.
            found = found[: found.rindex(b" ")]
        if len(found) * _KEPT < min(most, len(numbered)):
            return "", 0.0
        return self.read(found, self.base), len(found) * math.log2(self.base)


def tags(run: str) -> str | None:
    """What tag characters spell: each is the character it tags, shifted into plane 14."""
    said = _readable("".join(chr(ord(one) - _TAGS) for one in run if one not in "\U000e0001\U000e007f"))
    if said is None or said.isascii():
        return said
    return said if _evidence(said, 12.0 * len(said)) >= _SURE else None


def private(run: str) -> str | None:
    """What private-use characters spell, if they are text shifted into a private-use area."""
    return _unshifted(run, _PRIVATE_SHIFTS)


def shifted(run: str) -> str | None:
    """What code points without a character spell, if they are text moved to where a plane, a page or a row begins."""
    first = ord(min(run))
    return _unshifted(run, (first & ~0xFFFF, first & ~0xFFF, first & ~0xFF))


def _unshifted(run: str, shifts: Iterable[int]) -> str | None:
    for shift in shifts:
        if all(0 <= ord(one) - shift < 0x3000 for one in run):
            said = _readable("".join(chr(ord(one) - shift) for one in run))
            if said is not None and not _is_list(said) and _evidence(said, 8.0 * len(said)) >= _SURE:
                return said
    return None


def braille(run: str) -> str | None:
    """What eight-dot Braille cells spell as the bytes of ASCII text; Braille itself gives none."""
    if any(not one.isspace() and not 0 <= ord(one) - _BRAILLE < 0x80 for one in run):
        return None
    said = _readable("".join(one if one.isspace() else chr(ord(one) - _BRAILLE) for one in run))
    return None if said is None or _is_list(said) else said


def _is_list(said: str) -> bool:
    """Whether the text runs through a code, as a table of icons or the frames of an animation do."""
    steps = sum(ord(one) + 1 == ord(other) for one, other in pairwise(said))
    return steps * _LISTED > len(said)


def selectors(run: str) -> str | None:
    """What variation selectors spell: bytes (one each, or two nibbles each), else digits."""
    numbers = [ord(one) - 0xFE00 if one < "\U000e0100" else ord(one) - _SELECTORS_17 + 16 for one in run]
    for shift in (0, -16, 16):
        said = _from_bytes([number + shift for number in numbers])
        if said is not None:
            return said
    nibbles = [number & 15 for number in numbers]
    if len(set(run)) > 1 and max(nibbles) == max(number % 240 for number in numbers) < 16:
        for high, low in ((nibbles[::2], nibbles[1::2]), (nibbles[1::2], nibbles[::2])):
            said = _from_bytes([one << 4 | other for one, other in zip(high, low, strict=False)])
            if said is not None:
                return said
    return digits(run)


def digits(run: str) -> str | None:
    """What symbols spell as digits of characters, with or without separators between them."""
    counts = Counter(run)
    if not 2 <= len(counts) <= _MOST_SYMBOLS or len(run) < _FEWEST:
        return None
    symbols = "".join(symbol for symbol, _ in counts.most_common())
    guesses = _guesses("".join(sorted(symbols)), symbols[:_MOST_PAIRED])
    numbered = run.translate({ord(symbol): number for number, symbol in enumerate(sorted(symbols))}).encode()
    least = _SURE + math.log2(len(guesses))
    likely = [guess for guess in guesses if _evidence(*guess.text(numbered, _GLANCE)) > 0]
    rated = [(_evidence(*guess.text(numbered, _SAMPLE)), -index) for index, guess in enumerate(likely)]
    for evidence, index in sorted(rated, reverse=True)[:_RUNNERS_UP]:
        said, bits = likely[-index].text(numbered, len(numbered)) if evidence >= least else ("", 0.0)
        if _evidence(said, bits) >= least:
            return _readable(said)
    return None


def _guesses(symbols: str, frequent: str) -> tuple[_Guess, ...]:
    # Of four symbols at most every pair is tried anyway, so that their order by frequency does not matter.
    return _cached(symbols) if len(symbols) <= _MOST_PAIRED else tuple(_every_guess(symbols, frequent))


@cache
def _cached(symbols: str) -> tuple[_Guess, ...]:
    return tuple(_every_guess(symbols, symbols))


def _every_guess(symbols: str, frequent: str) -> Iterator[_Guess]:
    for pair in combinations(frequent, 2):
        for alphabet in ("".join(pair), "".join(reversed(pair))):
            yield from _ways(alphabet, symbols)
    if 3 <= len(symbols) <= _MOST_PAIRED:
        # One of four digits may not occur; a space stands for it.
        for order in permutations((symbols + " ")[:_MOST_PAIRED]):
            yield from _ways("".join(order), symbols)
    known = [alphabet for alphabet in _ALPHABETS if len(alphabet) > _MOST_PAIRED and set(symbols) <= set(alphabet)]
    if len(symbols) > _MOST_PAIRED:
        known += [symbols, symbols[::-1]]
    for alphabet in known:
        yield from _ways(alphabet, symbols)
    for separator in symbols if len(symbols) > 3 else "":
        rest = set(symbols) - {separator}
        for alphabet in (*_ALPHABETS, "".join(sorted(rest))):
            if rest <= set(alphabet) and separator not in alphabet:
                yield _guess(alphabet, symbols, _segments, separated=True)


def _ways(alphabet: str, symbols: str) -> Iterator[_Guess]:
    base = len(alphabet)
    for read in () if set(symbols) <= set(alphabet) else (_segments, _segments_reversed):
        yield _guess(alphabet, symbols, read, separated=True)
    for read in _OCTETS + _UNITS + (_SEPTETS if _width(base, 7) < _width(base, 8) else ()):
        yield _guess(alphabet, symbols, read, separated=False)


def _guess(alphabet: str, symbols: str, read: Callable[[bytes, int], str], *, separated: bool) -> _Guess:
    table = bytearray(range(256))
    dropped = bytearray()
    for number, symbol in enumerate(symbols):
        if symbol in alphabet:
            table[number] = ord(_DIGITS[alphabet.index(symbol)])
        elif separated:
            table[number] = ord(" ")
        else:
            dropped.append(number)
    return _Guess(bytes(table), bytes(dropped), len(alphabet), read)


@cache
def _width(base: int, bits: int) -> int:
    return math.ceil(round(bits / math.log2(base), 6))


def _numbers(found: bytes, base: int, width: int, *, backwards: bool) -> list[int]:
    if backwards:
        return [int(found[at : at + width][::-1], base) for at in range(0, len(found) - width + 1, width)]
    return [int(found[at : at + width], base) for at in range(0, len(found) - width + 1, width)]


def _octets(found: bytes, base: int, *, backwards: bool = False) -> str:
    numbers = _numbers(found, base, _width(base, 8), backwards=backwards)
    return _utf8(numbers)


def _septets(found: bytes, base: int, *, backwards: bool = False) -> str:
    return "".join(map(chr, _numbers(found, base, _width(base, 7), backwards=backwards)))


def _units(found: bytes, base: int, *, backwards: bool = False) -> str:
    numbers = _numbers(found, base, _width(base, 16), backwards=backwards)
    if not numbers or max(numbers) > 0xFFFF:
        return ""
    units = b"".join(number.to_bytes(2, "little") for number in numbers)
    return units.decode("utf-16-le", "replace")


def _octets_reversed(found: bytes, base: int) -> str:
    return _octets(found, base, backwards=True)


def _septets_reversed(found: bytes, base: int) -> str:
    return _septets(found, base, backwards=True)


def _units_reversed(found: bytes, base: int) -> str:
    return _units(found, base, backwards=True)


_OCTETS = (_octets, _octets_reversed)
_SEPTETS = (_septets, _septets_reversed)
_UNITS = (_units, _units_reversed)


def _segments(found: bytes, base: int) -> str:
    return _characters(found.split(), base)


def _segments_reversed(found: bytes, base: int) -> str:
    return _characters([segment[::-1] for segment in found.split()], base)


def _characters(segments: list[bytes], base: int) -> str:
    longest = _width(base, 21)
    if len(segments) < _LETTERS or max(map(len, segments)) > longest:
        return ""
    numbers = [int(segment, base) for segment in segments]
    return "".join(map(chr, numbers)) if max(numbers) <= 0x10FFFF else ""


def _utf8(numbers: list[int]) -> str:
    if not numbers or max(numbers) > 0xFF:
        return ""
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(bytes(numbers))
    except UnicodeDecodeError:
        return ""


def _from_bytes(numbers: list[int]) -> str | None:
    return _readable(_utf8(numbers)) if numbers and min(numbers) >= 0 else None


def _readable(said: str) -> str | None:
    """The text, trimmed, if it is text: printable, with letters, and not mostly punctuation."""
    said = said.strip("\0 \t\r\n")
    if not _is_printable(said):
        return None
    letters = Counter(one for one in said if one.isalpha())
    plain = sum(one.isalnum() or one.isspace() for one in said)
    return said if letters.total() >= _LETTERS and len(letters) >= _DISTINCT and plain * 2 >= len(said) else None


def _evidence(said: str, bits: float) -> float:
    """How much likelier, in bits, a writer gave the text than chance did that filled `bits`; 0 or less is none."""
    if not said or "\ufffd" in said or not _is_printable(said.strip("\0")):
        return 0.0
    counts = Counter(said)
    scripts: Counter[str] = Counter()
    for one, count in counts.items():
        if one in _COMMON:
            bits -= 4.9 * count
        elif one in _LESS_COMMON:
            bits -= 9.2 * count
        elif one > "\x7f" and one.isalpha():
            script = unicodedata.name(one, "?").split()[0]
            script = _EAST_ASIAN.get(script, script)
            scripts[script] += count
            bits -= _SCRIPTS.get(script, 16.0) * count
        else:
            bits -= 11.0 * count
    if bits <= 0 or not scripts:
        return bits
    # Chance mixes scripts and takes rare characters, writers do not.
    script, most = scripts.most_common(1)[0]
    coherent = most >= 0.8 * scripts.total() and (script != "CJK" or _is_east_asian(said))
    return bits if coherent else 0.0


def _is_east_asian(said: str) -> bool:
    """Whether the characters are the common ones of one East Asian language, by its national standard."""
    return any(_encodes(said, standard) for standard in ("gb2312", "shift_jis", "euc_kr", "big5"))


def _encodes(said: str, standard: str) -> bool:
    try:
        # Syllables outside of the Korean standard take eight bytes.
        return len(said.encode(standard)) <= 2 * len(said)
    except UnicodeEncodeError:
        return False


def _is_printable(said: str) -> bool:
    if said.isascii():
        return said.translate(_BREAKS).isprintable()
    return _unprinted().sub("", said).isprintable()


@cache
def _unprinted() -> re.Pattern[str]:
    return re.compile(f"[\\s{unicode_sets.IGNORABLE}]")
