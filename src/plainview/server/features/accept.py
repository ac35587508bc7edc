"""What accepting a finding takes beside the quick fix: the edit for a reason already given, and the way to the reason.

A client that asks its user for the reason says `capabilities.experimental.plainview.accept: true` in `initialize`.
It is given the command `plainview.accept`, which is its own, and sends what that holds back with the reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from plainview.server import acceptance
from plainview.server.client import within

if TYPE_CHECKING:
    from plainview.server.main import Server

METHOD = "plainview/accept"
ASK = "plainview.accept"
SHOW = "plainview.showReason"


def register(server: Server) -> None:
    """Registers the request, and the command that opens the configuration at an empty reason."""
    session = server.session

    @server.feature(METHOD)
    async def accept(params: Any) -> types.WorkspaceEdit | None:
        uri, reason = within(params, "uri"), within(params, "reason")
        document = session.documents.get(uri) if isinstance(uri, str) else None
        report = await session.report(document) if document is not None else None
        if document is None or report is None or not isinstance(reason, str) or not reason.strip():
            return None
        wanted = {name: within(params, name) for name in ("rule", "fingerprint")}
        found = (one for one in report.findings if acceptance.can_be_accepted(one))
        finding = next((one for one in found if acceptance.key(one, report) == wanted), None)
        entry = acceptance.entry(finding, report, document, session, reason.strip()) if finding is not None else None
        return entry.edit if entry is not None else None

    @server.command(SHOW)
    async def show(uri: str, line: int, character: int) -> None:
        if session.client.shows_documents:
            place = types.Position(line, character)
            selection = types.Range(place, place)
            params = types.ShowDocumentParams(uri, take_focus=True, selection=selection)
            await server.window_show_document_async(params)
