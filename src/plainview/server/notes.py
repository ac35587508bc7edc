"""Notes among people, moved out of what a model reads: into a file beside it that no host loads."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import quote

from lsprotocol import types

from plainview import fixes, wording
from plainview.finding import Finding
from plainview.kinds import Kinds
from plainview.server import convert
from plainview.server.document import Document
from plainview.text import Encoding

if TYPE_CHECKING:
    from plainview.scan import Report

# A Markdown file beside an agent's or a skill's is often loaded as one more of them.
_ENDINGS = (".notes.md", ".notes.txt", ".notes")


def move(
    finding: Finding, report: Report, document: Document, kinds: Kinds, encoding: Encoding
) -> tuple[str, types.WorkspaceEdit] | None:
    """The title and the edit that move a note; None where it is no note or has nowhere to go."""
    hidden = finding.hidden
    if hidden is None or not finding.itself or hidden.orders or hidden.channel != "comment" or not hidden.closed:
        return None
    path = PurePosixPath(document.path)
    names = [path.name.removesuffix(path.suffix) + ending for ending in _ENDINGS]
    name = next((name for name in names if kinds.match(str(path.with_name(name))) is None), None)
    if name is None or not document.uri.startswith("file:") or not hidden.decoded.strip():
        return None
    if wording.decoded(hidden, report) != hidden.decoded:
        # A secret is to be revoked, not copied.
        return None
    target = document.uri.rpartition("/")[0] + "/" + quote(name)
    begin = types.Position(0, 0)
    said = hidden.decoded.strip() + "\n\n"
    changes: list[types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile] = [
        types.CreateFile(target, options=types.CreateFileOptions(ignore_if_exists=True)),
        types.TextDocumentEdit(
            types.OptionalVersionedTextDocumentIdentifier(target), [types.TextEdit(types.Range(begin, begin), said)]
        ),
        types.TextDocumentEdit(
            types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version),
            [convert.text_edit(report.source, edit, encoding) for edit in fixes.deletion(finding, report.source)],
        ),
    ]
    return f"Move the notes to {name}", types.WorkspaceEdit(document_changes=changes)
