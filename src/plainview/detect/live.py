"""Commands that a host runs when it loads a file, before any model reads it: Claude Code's `` !`command` ``.

It runs them in skills and commands, anywhere in the body: in fences, comments and tables too. The mark counts at the
start of a line or behind a blank, as the documentation of its skills says (https://code.claude.com/docs/en/skills). In
other files it runs nothing.
"""

from __future__ import annotations

import re

from plainview.finding import Span
from plainview.kinds import FileKind
from plainview.masking import merged

_KINDS = frozenset({"claude-skill", "agent-skill", "claude-command"})
_LINE = re.compile(r"(?<!\S)!`[^`\r\n]+`")
_BLOCK = re.compile(r"^[ \t]*```+![^\r\n]*(?:\r\n|\n|\r)(?s:.*?)^[ \t]*```", re.MULTILINE)


def live_commands(text: str, file: FileKind, start: int = 0) -> list[Span]:
    """The commands in `text` from `start` on, where its body begins, that a host of its kind runs on load.

    They come in order and do not overlap: a block of commands is one.
    """
    kinds = {file.kind.id} | {reader.kind.id for reader in file.readers}
    if not kinds & _KINDS or ("!`" not in text and "```!" not in text):
        return []
    return list(merged(Span(*one.span()) for kind in (_LINE, _BLOCK) for one in kind.finditer(text, start)))


def is_marked(text: str, place: Span, within: Span) -> bool:
    """Whether `place` stands in a command that is marked as one to be run on load, in the range `within`."""
    return any(place.start < one.end() and one.start() <= place.start for one in _LINE.finditer(text, *within))
