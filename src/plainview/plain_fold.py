"""The folded text of ordinary writing, made by a few substitutions over all of it.

`fold` looks at one spot after the other, which is what a map to the source needs; most texts are never asked for
theirs. What this says is what `fold` says, or nothing where a text is less than ordinary.
"""

from __future__ import annotations

import re

# What begins a new thought on a new line, so that the line before is not joined to it.
ITEM = r"[-+*][ \t]|[0-9]{1,9}[.)][ \t]|#{1,6}[ \t]|\||```|~~~"

# Signs beyond ASCII that neither letters nor blanks are, and what they fold to; the others are not looked at here.
_SIGNS = {
    **dict.fromkeys(map(ord, "\u2018\u2019"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d"), '"'),
    **dict.fromkeys(map(ord, "\u2013\u2014"), "-"),
}
# Arrows, operators, box drawing, geometric shapes, and marks of ticks, crosses and stars.
_SAME = (
    "\u2190-\u2193\u2500-\u257f\u25a0-\u25cf\u2022\u00d7\u00b7\u00b0\u2264\u2265\u2248"
    "\u2605\u2606\u2705\u2713\u2717\u274c"
)
_BEYOND = re.compile(f"[^\x00-\x7f{_SAME}{''.join(map(chr, _SIGNS))}]")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_LINE_ENDS = re.compile("[\r\n][ \t\r\n]*")
_BLANKS = re.compile("[ \t]{2,}|\t")
_LEADING = re.compile("(?:[ \t]{2,}|\t)")
_COMPOUND = re.compile("-\n(?<=[A-Za-z]-\n)[ \t]*(?=[A-Za-z])")
_WRAP = re.compile(rf"\n(?<!\n\n)[ \t]*(?![ \t\n]|{ITEM})")
_MARKS = re.compile("[*~`_]+ ?")
_MARKS_AND_BLANKS = re.compile("[*~`_](?:  |\t)")


def code(text: str) -> str | None:
    """The folded text of lines of code; None where it takes a closer look."""
    if text[:1] in "\r\n":
        # Whether that is the end of a line that goes on, the sign before it decides.
        return None
    plain = text.isascii()
    if (
        not (plain or _BEYOND.search(text) is None)
        or "\\\n" in text
        or "\\\r" in text
        or _CONTROLS.search(text.replace("\r", "")) is not None
    ):
        return None
    text = _LINE_ENDS.sub("\n", text)
    if "  " in text or "\t" in text:
        leading = _LEADING.match(text)
        text = _BLANKS.sub(" ", text[leading.end() :] if leading else text)
    return text.lower() if plain else text.lower().translate(_SIGNS)


def prose(text: str, following: str) -> str | None:
    """The folded text of prose, before the character `following` (or none); None where it takes a closer look."""
    if not (text.isascii() or _BEYOND.search(text) is None) or text[:1] in "_ \t\n>" or following.isalpha():
        return None
    if "\\" in text or "&" in text or "<" in text or " \n" in text or "\t\n" in text or _CONTROLS.search(text):
        return None
    if "\n" in text and ">" in text and _QUOTED.search(text) is not None:
        return None
    # Whether that is the hyphen of a compound, the letter before it decides.
    return None if text.startswith("-\n") else _joined(text, _COMPOUND, _WRAP, _MARKS)


_QUOTED = re.compile("\n[ \t\n]*>")


def yaml(text: str) -> str | None:
    """The folded text of a header in YAML; None where it takes a closer look."""
    if not (text.isascii() or _BEYOND.search(text) is None) or text[:1] in " \t\n" or text[-1:] in " \t":
        return None
    if " \n" in text or "\t\n" in text or text.startswith("-\n") or _CONTROLS.search(text):
        return None
    # A value goes on in lines that are indented.
    return _joined(text, _YAML_COMPOUND, _YAML_WRAP, _YAML_MARKS)


def _joined(text: str, compound: re.Pattern[str], wrap: re.Pattern[str], marks: re.Pattern[str]) -> str | None:
    """The text with lines that go on joined, blanks made one and marks taken off; None where it takes a closer look."""
    if "\n" in text:
        if "-\n" in text:
            text = compound.sub("-", text)
        text = _LINE_ENDS.sub("\n", wrap.sub(" ", text))
    if "  " in text or "\t" in text:
        if _MARKS_AND_BLANKS.search(text) is not None:
            return None
        text = _BLANKS.sub(" ", text)
    text = marks.sub(_unmarked, text).lower()
    return text if text.isascii() else text.translate(_SIGNS)


_YAML_COMPOUND = re.compile("-\n(?<=[A-Za-z]-\n)[ \t]+(?=[A-Za-z])")
_YAML_WRAP = re.compile(rf"\n(?<!\n\n)[ \t]+(?![ \t\n]|{ITEM})")
_YAML_MARKS = re.compile("[*~`]+ ?")


def _unmarked(found: re.Match[str]) -> str:
    """What is left of marks of emphasis and code, and of the blank behind them: underscores within words."""
    text, (start, end) = found.string, found.span()
    marks = found.group()
    if marks[0] == marks[-1] == "_" and not marks.strip("_") and start and end < len(text):
        before, behind = text[start - 1], text[end]
        if before.isalnum() and behind.isalnum():
            return marks
    return " " if marks[-1] == " " and start and text[start - 1] not in " \n" else ""
