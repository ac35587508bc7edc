"""Records that a finding is accepted: an entry at the end of the workspace folder's configuration."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types

from plainview.config import NAME, PYPROJECT
from plainview.finding import Finding, Severity, Span
from plainview.fingerprint import fingerprint
from plainview.rules import DataError, parse_toml
from plainview.server import convert
from plainview.server.document import Document
from plainview.server.session import Session
from plainview.text import Source

if TYPE_CHECKING:
    from plainview.scan import Report


class Entry(NamedTuple):
    """An edit that records an acceptance: the file's URI and name, and where its reason is to be filled in."""

    uri: str
    name: str
    edit: types.WorkspaceEdit
    reason: types.Position


def can_be_accepted(finding: Finding) -> bool:
    """Whether there is anything to decide: what counts for nothing needs no decision."""
    return finding.accepted is None and finding.softened is None and finding.severity > Severity.INFO


def entry(finding: Finding, report: Report, document: Document, session: Session, reason: str = "") -> Entry | None:
    """The edit that accepts a finding for a reason; None where it has nowhere to go.

    With an empty reason the entry is refused by whoever reads it, until the user has filled one in.
    """
    folder = session.folders.of(document.path) if document.is_file else None
    if folder is None:
        return None
    file = folder.config.file or Path(folder.path, NAME)
    text = _text(file, session)
    there = text is not None
    if not there and not session.client.creates_files:
        return None
    source = Source(text or "")
    table = "tool.plainview.accept" if file.name == PYPROJECT else "accept"
    added = _added(source.text, table, document.path[len(folder.path.rstrip("/")) + 1 :], finding, report, reason)
    try:
        parse_toml(file, (source.text + added).encode("utf-8", "replace"))
    except DataError:
        # It is broken already, or holds its acceptances in a way that cannot be gone on with.
        return None
    from plainview.toml_places import quoted

    whole = Source(source.text + added)
    at = whole.text.rindex(quoted(reason)) + 1
    position = convert.range_of(whole, Span(at, at), session.encoding).start
    end = Span(len(source.text), len(source.text))
    edit = types.TextEdit(convert.range_of(source, end, session.encoding), added)
    uri = session.folders.uri(file.as_posix())
    return Entry(uri, file.name, _workspace_edit(uri, edit, file, session, create=not there), position)


def key(finding: Finding, report: Report) -> dict[str, str]:
    """What names a finding between the client and the server."""
    return {"rule": finding.rule, "fingerprint": fingerprint(finding, report.source)}


def _added(text: str, table: str, path: str, finding: Finding, report: Report, reason: str) -> str:
    from plainview.toml_places import quoted

    values = {"path": path, **key(finding, report), "reason": reason}
    lines = [f"[[{table}]]", *(f"{name} = {quoted(value)}" for name, value in values.items()), ""]
    newline = "\r\n" if "\r\n" in text else "\n"
    before = 0 if not text.strip() else 1 if text.endswith("\n") else 2
    return newline.join([""] * before + lines)


def _text(file: Path, session: Session) -> str | None:
    """The text of a file as the editor has it, else as it is on disk; None where there is none."""
    try:
        return session.folders.read(file).decode("utf-8", "replace")
    except DataError:
        return None


def _workspace_edit(
    uri: str, edit: types.TextEdit, file: Path, session: Session, *, create: bool
) -> types.WorkspaceEdit:
    # Some clients that create files, which takes this form, do not say that they know it.
    if not create and not session.client.takes_versioned_edits:
        return types.WorkspaceEdit(changes={uri: [edit]})
    document = session.folders.open(file.as_posix())
    version = document.version if document is not None else None
    changes: list[types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile] = []
    if create:
        changes.append(types.CreateFile(uri, options=types.CreateFileOptions(ignore_if_exists=True)))
    changes.append(types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, version), [edit]))
    return types.WorkspaceEdit(document_changes=changes)
