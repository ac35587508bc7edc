"""Where the keys of a TOML file stand: tomllib says what is wrong with a file, and only sometimes where."""

from __future__ import annotations

import re

from plainview.finding import Span

Key = tuple[str | int, ...]
"""A path to a value: names of keys, and places in arrays from 0."""

_HEADER = re.compile(r"[ \t]*(\[\[|\[)")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_BLANK = re.compile(r"[ \t]*")
_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_STRING = re.compile(
    r'"""(?:[^\\]|\\[\s\S])*?"{3,5}'
    r"|'''[\s\S]*?'{3,5}"
    r'|"(?:[^"\\\n]|\\[^\n])*"'
    r"|'[^'\n]*'"
)
_PLAIN = re.compile(r"[^,\]}#\r\n]*")
_STEP = re.compile(r"""\.?([A-Za-z0-9_-]+)|\.?("(?:[^"\\]|\\.)*"|'[^']*')|\[([0-9]+)\]""")
_SYNTAX = re.compile(r"\(at (?:line (\d+), column (\d+)|end of document)\)")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
# Arrays in arrays deeper than this are not looked into.
_DEEPEST = 40


def spoken(key: Key) -> str:
    """The key as messages name it: `accept[2].reason`; what is no bare word stands in quotation marks."""
    said = ""
    for step in key:
        if isinstance(step, int):
            said += f"[{step}]"
        else:
            word = step if _BARE.fullmatch(step) else quoted(step)
            said += f".{word}" if said else word
    return said


def quoted(text: str) -> str:
    """The text as a basic string of TOML."""
    inner = "".join(
        f"\\{one}" if one in '"\\' else one if one.isprintable() else _escaped(one)
        for one in text.encode("utf-8", "replace").decode("utf-8")
    )
    return f'"{inner}"'


def place(text: str, key: str) -> Span:
    """The span of code points of a key as `spoken` says it, or of the nearest key around it that is there.

    An element of an array is its value, a table its header. The text may be broken behind the key. Without any key
    that fits it is the first line.
    """
    wanted = _parsed(key)
    places = _Places(text).places
    for length in range(len(wanted), 0, -1):
        found = places.get(wanted[:length])
        if found is not None:
            return found
    return _line(text, 0)


def syntax_error(text: str, message: str) -> Span:
    """The rest of the line that a message of tomllib names; the last line where it names the end."""
    found = _SYNTAX.search(message)
    if found is None:
        return _line(text, 0)
    if found[1] is None:
        return _line(text, len(text.rstrip()))
    start = 0
    for _ in range(int(found[1]) - 1):
        start = text.find("\n", start) + 1
    whole = _line(text, start)
    begin = min(start + int(found[2]) - 1, whole.end)
    return Span(begin, whole.end) if begin < whole.end else whole


def _escaped(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _line(text: str, offset: int) -> Span:
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", start)
    line = text[start : end if end >= 0 else len(text)].rstrip()
    return Span(start, start + len(line))


def _parsed(key: str) -> Key:
    """The steps of a spoken key, as far as they can be read."""
    steps: list[str | int] = []
    at = 0
    while at < len(key):
        step = _STEP.match(key, at)
        if step is None:
            break
        if step[3] is not None:
            steps.append(int(step[3]))
        else:
            steps.append(step[1] if step[1] is not None else _unquoted(step[2]))
        at = step.end()
    return tuple(steps)


def _unquoted(string: str) -> str:
    if string.startswith("'"):
        return string[1:-1]
    return re.sub(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", _unescaped, string[1:-1])


def _unescaped(escape: re.Match[str]) -> str:
    code = int(escape[1] or escape[2], 16) if escape[1] or escape[2] else 0
    if escape[3]:
        return next((one for one, said in _SHORT.items() if said == escape.group()), escape[3])
    return chr(code) if code < 0x110000 else ""


class _Places:
    """One pass over a TOML text that notes where each key stands, and stops at what it cannot read."""

    def __init__(self, text: str) -> None:
        self.places: dict[Key, Span] = {}
        self._text = text
        self._at = 0
        self._counts: dict[Key, int] = {}
        table: Key = ()
        while self._more():
            header = _HEADER.match(text, self._at)
            if header is not None:
                found = self._header(header)
                if found is None:
                    return
                table = found
            elif not self._pair(table, 0):
                return

    def _more(self) -> bool:
        """Goes to the next thing that is neither blank nor a comment; whether there is one."""
        self._skip(_SPACE)
        return self._at < len(self._text)

    def _header(self, opening: re.Match[str]) -> Key | None:
        start = opening.start(1)
        self._at = opening.end()
        names = self._names()
        closing = "]" * len(opening[1])
        if not names or not self._text.startswith(closing, self._at):
            return None
        self._at += len(closing)
        key: Key = ()
        for index, (name, _) in enumerate(names):
            key = (*key, name)
            if index == len(names) - 1 and len(closing) == 2:
                self._counts[key] = self._counts.get(key, -1) + 1
            if key in self._counts:
                # A name on the way to a table stands for the last table of its array.
                key = (*key, self._counts[key])
        self._note(key, Span(start, self._at))
        return key

    def _pair(self, table: Key, depth: int) -> bool:
        """Reads `name = value`; whether it could be read."""
        names = self._names()
        if not names:
            return False
        key = table
        for name, span in names:
            key = (*key, name)
            self._note(key, span)
        if not self._text.startswith("=", self._at):
            return False
        self._at += 1
        self._skip(_BLANK)
        return self._value(key, depth)

    def _names(self) -> list[tuple[str, Span]]:
        names: list[tuple[str, Span]] = []
        while True:
            self._skip(_BLANK)
            start = self._at
            bare = _BARE.match(self._text, start)
            string = None if bare else _STRING.match(self._text, start)
            found = bare or string
            if found is None:
                return names
            self._at = found.end()
            names.append((found.group() if bare else _unquoted(found.group()), Span(start, self._at)))
            self._skip(_BLANK)
            if not self._text.startswith(".", self._at):
                return names
            self._at += 1

    def _value(self, key: Key, depth: int) -> bool:
        opening = self._text[self._at : self._at + 1]
        if opening in ("[", "{") and opening:
            return depth < _DEEPEST and self._several(key, depth, inline=opening == "{")
        string = _STRING.match(self._text, self._at)
        if string is None and opening in ('"', "'"):
            return False
        self._at = string.end() if string is not None else self._end(_PLAIN)
        return True

    def _several(self, key: Key, depth: int, *, inline: bool) -> bool:
        """Reads an array or an inline table from its bracket on."""
        self._at += 1
        closing = "}" if inline else "]"
        index = 0
        while True:
            self._skip(_SPACE)
            if self._text.startswith(closing, self._at):
                self._at += 1
                return True
            start = self._at
            if not (self._pair(key, depth + 1) if inline else self._value((*key, index), depth + 1)):
                return False
            if not inline:
                self._note((*key, index), Span(start, start + len(self._text[start : self._at].rstrip())))
            index += 1
            self._skip(_SPACE)
            if self._text.startswith(",", self._at):
                self._at += 1
            elif not self._text.startswith(closing, self._at):
                return False

    def _note(self, key: Key, span: Span) -> None:
        self.places.setdefault(key, span)

    def _skip(self, pattern: re.Pattern[str]) -> None:
        self._at = self._end(pattern)

    def _end(self, pattern: re.Pattern[str]) -> int:
        found = pattern.match(self._text, self._at)
        return found.end() if found is not None else self._at
