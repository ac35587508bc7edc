"""Whether a text may hold anything encoded: a few looks at it in place of one for each encoding.

What is asked for here is always necessary and never enough: `encodings` finds nothing where this sees no sign.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from plainview import together

_L = r"[A-Za-z0-9+/_\-]"
_WRAP = r"={0,6}[ \t]*\\?[\r\n]+[ \t>#*|/+-]*"
_CLOSED = "={0,6}[ \\t]*(?:[\\\\\r\n\"'`)|<]|$)"
_JOINT = "={0,6}[\"'][ \\t]*[+.,&]?[ \\t]*\\\\?[\r\n]*[ \\t]*[+.]?[ \\t]*[\"']"
_BREAK = "[ \\t,:;|\r\n-]"
_HEX = "[0-9a-fA-F]"
_ESCAPE = rf"\\+(?:x{_HEX}|[uU][0-9a-fA-F{{]|[0-3][0-7])"
# In RE2's syntax, and as general as is still of use.
# Runs of one alphabet, and those that hold a capital, whose place in some sixteen letters is counted out.
_LONG_RUN = ("[A-Za-z0-9+]{16}", *(rf"{_L}{{{before}}}[A-Z]{_L}{{{15 - before}}}" for before in range(16)))
# Two pieces of a run come to sixteen characters, so one of them has eight.
_HALF = r"[A-Za-z0-9+/_\-=]{8}"
_STRING_END = "={0,6}[\"']"
_RUN = (
    rf"={_L}{{15}}",
    rf"{_HALF}{_WRAP}{_L}{{4,}}{_CLOSED}",
    rf"{_L}{{4}}{_WRAP}(?:{_HALF}{_L}*{_CLOSED}|{_L}{{4,}}{_WRAP}{_L}{{4,}}{_CLOSED}|{_L}{{4,}}{_JOINT}{_L}+{_STRING_END})",
    rf"{_HALF}{_JOINT}{_L}+{_STRING_END}",
    rf"{_L}{{4}}{_JOINT}(?:{_HALF}{_L}*{_STRING_END}|{_L}+{_JOINT}{_L}+{_STRING_END})",
)
_CODES = (
    "<~",
    rf"{_HEX}[0-9a-fA-FxX](?:{_HEX}{{2}})*(?:{_BREAK}+(?:0[xX])?(?:{_HEX}{{2}})+){{5}}",
    rf"[0-9]{{2}}(?:[0-9]*{_BREAK}+[0-9]{{2}}){{7}}",
    r"(?i:chrw?|char)\]?[ (]{0,2}(?:0[xX]|[0-9]{2})",
    rf"[01]{{8}}(?:{_BREAK}*[01]{{8}}){{7}}",
    rf"%{_HEX}{{2}}[^%\s]*%{_HEX}{{2}}",
    rf"{_ESCAPE}[^\\\r\n]*{_ESCAPE}",
    rf"(?:[uU]\+|%[uU]){_HEX}{{4}}",
    rf"\\{_HEX}{{1,6}}[ ,]{{0,2}}\\{_HEX}",
    "&(?:amp;)*#",
    rf"={_HEX}{{2}}={_HEX}{{2}}",
    r"[.-](?:[.-]*[ /|]{1,3}[.-]){9}",
)
_BASE85 = (r"(?:^|[^!-~]|[\"'`])[-0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~]{40}",)
_58 = "[1-9A-HJ-NP-Za-km-z]"
_BASE58 = (rf"(?:^|[^A-Za-z0-9_+/=]){_58}{{20}}{_58}*(?:$|[^A-Za-z0-9_+/=])",)
# What may stand between two pieces of a run that is cut up, but for line ends, blanks and marks of one character.
_BETWEEN = bytes.maketrans(b"\\|>#*\0", b"      ")
_CAPITALS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
# What ends a word: marks, and blanks that bytes do not know.
_MARKS = b"\"'`*_.,;:!?()[]{}<>\x1c\x1d\x1e\x1f"
_PIECE = re.compile(rf"{_L}{{2,}}=*".encode())
# Pieces, and what parts them for good.
_ELEMENT = re.compile(rf"{_L}{{2,}}=*|[^{_L[1:-1]}]+|{_L}".encode())
_ORDINARY = re.compile(rb"[A-Z]?[a-z]{1,14}|[A-Z]{1,15}")
_RULER = re.compile(rb"[-_/+]+")
_MARK = re.compile(rb"[-+]|//|[0-9][.)]")
# The mark of an item, or a piece and the end of a sentence.
_NUMBER = re.compile(rb"[0-9]{2,4}[.)]")
# Small letters for capitals, blanks for the marks that may stand around a word and for all beyond ASCII.
_APART = _MARKS + bytes(range(0x80, 0x100))
_WORDS_ALONE = bytes.maketrans(_CAPITALS + _APART, _CAPITALS.lower() + b" " * len(_APART))
# With these begin the letters beyond ASCII that words are made of; punctuation, arrows and pictures have others.
_LETTERS_BEYOND = re.compile(rb"[\xc3-\xe1\xe3-\xee]")
# The one character beyond ASCII whose small letter is one of ASCII.
_KELVIN = "\u212a".encode()
_SHORTEST_PIECE, _LONGEST_PIECE = 2, 76
# What stands for the pieces of a token: a letter for its length, a small one for an ordinary word and a capital for
# another piece; signs for a piece that is longer than words are, for what may be one, and for what ends a run.
_LENGTHS = "abcdefghijklmn"
_LONG, _EITHER, _END = "#", "%", "|"
_MOST_REMEMBERED = 1 << 14


def _fit(group: int) -> str:
    """A piece that may go on with the run before it: no word, or one as long as the piece before."""
    words, pieces = _LENGTHS, _LENGTHS + _LENGTHS.upper()
    same = rf"(?<=([{pieces}]))(?=[{words}])(?i:\{group})"
    return rf"(?:[{words.upper()}{_LONG}]|(?<={_EITHER})[{words}]|{same})"


_ROW = re.compile(rf"{_fit(1)}{_EITHER}*{_fit(2)}{_EITHER}*(?:{_fit(3)}|(?<={_EITHER}))")


class _Tokens(dict[bytes, str]):
    """The letters of tokens that have been met."""

    def __missing__(self, token: bytes) -> str:
        letter = _letter(token)
        if len(token) <= _LONGEST_PIECE:
            if len(self) >= _MOST_REMEMBERED:
                self.clear()
                self[_TEXT_END.strip()] = _NEW_TEXT
            self[token] = letter
        return letter


def _letter(token: bytes) -> str:
    if _MARK.fullmatch(token):
        return ""
    return _EITHER if _NUMBER.fullmatch(token) else "".join(map(_piece, _ELEMENT.findall(token)))


def _piece(piece: bytes) -> str:
    if not _PIECE.fullmatch(piece) or len(piece) > _LONGEST_PIECE or _RULER.fullmatch(piece):
        return _END
    if len(piece) - _SHORTEST_PIECE >= len(_LENGTHS):
        return _LONG
    letter = _LENGTHS[len(piece) - _SHORTEST_PIECE]
    return letter if _ORDINARY.fullmatch(piece) else letter.upper()


_TOKENS = _Tokens()
# Parts one text from the next, as a token and as its letter.
_TEXT_END, _NEW_TEXT = b" \0 ", "\n"
_TOKENS[_TEXT_END.strip()] = _NEW_TEXT


class Signs(NamedTuple):
    """Of what a text shows signs.

    `runs` are of base64, base32 or hexadecimal digits that go on behind a quotation mark or line end, or are written
    backwards, `long_runs` those in one piece, `pieces` those that are cut into four or more. `codes` are escapes,
    references and codes of characters, `words` those that are respelled.
    """

    runs: bool
    long_runs: bool
    pieces: bool
    base85: bool
    base58: bool
    codes: bool
    words: bool


def of_each(texts: Sequence[bytes], hints: tuple[frozenset[bytes], ...]) -> list[Signs]:
    """The signs of each text (UTF-8); `hints` are the words of each respelling, in small letters (UTF-8)."""
    runs, long_runs, base85, base58, codes = (
        together.touched(together.either(each), texts) for each in (_RUN, _LONG_RUN, _BASE85, _BASE58, _CODES)
    )
    pieces = _of_pieces(texts)
    hinted = together.touched(together.either(_any_of(hints)), texts)
    words = [_of_words(text, hints, hint) for text, hint in zip(texts, hinted, strict=True)]
    return list(map(Signs, runs, long_runs, pieces, base85, base58, codes, words))


def _of_pieces(texts: Sequence[bytes]) -> list[bool]:
    """For each text, whether four pieces or more follow each other in it.

    Each but the first is no word, or as long as the one before.
    """
    tokens = _TEXT_END.join([text.translate(_BETWEEN) for text in texts]).split()
    letters = "".join(map(_TOKENS.__getitem__, tokens))
    found = [False] * len(texts)
    number = reached = 0
    for row in _ROW.finditer(letters):
        number += letters.count(_NEW_TEXT, reached, row.start())
        reached = row.start()
        found[number] = True
    return found


@cache
def _any_of(hints: tuple[frozenset[bytes], ...]) -> tuple[str, ...]:
    words = sorted(word.decode() for one in hints for word in one if word.isascii())
    return (rf"(?i)(?:^|[^a-z])(?:{'|'.join(map(re.escape, words))})(?:$|[^a-z])",)


def _of_words(data: bytes, hints: Sequence[frozenset[bytes]], hinted: bool) -> bool:
    if not data.isascii() and (_LETTERS_BEYOND.search(data) is not None or _KELVIN in data):
        return True
    if not hinted:
        return False
    words = data.translate(_WORDS_ALONE).split()
    return any(len(one.intersection(words)) > 1 for one in hints)
