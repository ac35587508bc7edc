"""Which documents are looked at, and as what: by path first, and by language where the path says nothing."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from pygls.uris import to_fs_path

from plainview.kinds import PLAIN, FileKind, Kinds

# VS Code's names for agent files, with the kind of one that has not been saved yet.
_LANGUAGES = {
    "prompt": "copilot-prompt",
    "instructions": "copilot-scoped-instructions",
    "chatagent": "copilot-agent",
    "skill": "agent-skill",
}
_EDITED = frozenset({"file", "untitled"})


class Place(NamedTuple):
    """Where a document is: its path (posix, "" for none), whether it is a file or a buffer of the user's."""

    path: str
    is_edited: bool
    is_saved: bool


def place(uri: str) -> Place:
    """The place of a URI; of other schemes than `file` (`git:`, `vscode-vfs:`) the path alone counts."""
    scheme = uri.partition(":")[0].lower()
    try:
        if scheme == "file":
            return Place((to_fs_path(uri) or "").replace("\\", "/"), True, True)
        path = unquote(urlsplit(uri).path)
    except ValueError:
        path = ""
    return Place(path if scheme != "untitled" else "", scheme in _EDITED, False)


def kind_of(where: Place, language: str, kinds: Kinds, *, all_markdown: bool) -> FileKind | None:
    """What a document is taken for; None for one that no host reads and that is left alone."""
    found = kinds.match(where.path) if where.path else None
    if found is not None:
        return found
    if language in _LANGUAGES:
        return kinds.named(_LANGUAGES[language]) or PLAIN
    if language == "markdown" and (all_markdown or (where.is_edited and not where.is_saved)):
        return PLAIN
    return None
