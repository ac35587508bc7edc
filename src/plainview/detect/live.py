"""Commands that a host runs when it loads a file, before any model reads it: Claude Code's `` !`command` ``.

It runs them in skills and commands, anywhere in the body: in fences, comments and tables too.
"""

from __future__ import annotations

import re

from plainview.finding import Span
from plainview.kinds import FileKind

_KINDS = frozenset({"claude-skill", "agent-skill", "claude-command"})
_LINE = re.compile(r"!`[^`\r\n]+`")
_BLOCK = re.compile(r"^[ \t]*```+![^\r\n]*(?:\r\n|\n|\r)(?s:.*?)^[ \t]*```", re.MULTILINE)


def live_commands(text: str, file: FileKind) -> list[Span]:
    """The commands in `text` that a host of its kind runs on load, in order."""
    kinds = {file.kind.id} | {reader.kind.id for reader in file.readers}
    if not kinds & _KINDS or ("!`" not in text and "```!" not in text):
        return []
    found = [*_LINE.finditer(text), *_BLOCK.finditer(text)]
    return sorted(Span(*one.span()) for one in found)
