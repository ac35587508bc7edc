"""`textDocument/diagnostic`: what there is to say of a document, for clients that ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from plainview.server.answer import NOTHING, Answer, members
from plainview.server.kinds import Place, place
from plainview.server.protocol import Encoded

if TYPE_CHECKING:
    from plainview.server.document import Document
    from plainview.server.main import Server


def register(server: Server) -> None:
    """Registers the request. A file's diagnostics rest on no other file's text."""
    session = server.session
    options = types.DiagnosticOptions(inter_file_dependencies=False, workspace_diagnostics=False)
    related: dict[str, str] = {}

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def diagnostic(params: types.DocumentDiagnosticParams) -> Encoded:
        document = session.documents.get(params.text_document.uri)
        if document is None:
            answer = await _answer_of(server, place(params.text_document.uri))
        else:
            answer = await _answer(server, document)
            document.told = answer.id
        more = _related(server, document, related)
        if params.previous_result_id == answer.id:
            return Encoded(answer.unchanged(*more))
        return Encoded(answer.full(*more))


async def _answer(server: Server, document: Document) -> Answer:
    """The answer for the document as it is now, once that is known."""
    if not document.publishes:
        return NOTHING
    if not server.session.client.refreshes_diagnostics:
        # Nobody could tell the client that what is being typed has become a comment.
        await document.settled.wait()
    if document.file is not None:
        try:
            await server.session.report(document)
        except Exception as error:  # one document never takes the server down
            server.publisher.failed(document, error)
    return NOTHING if document.closed else server.publisher.answer(document)


async def _answer_of(server: Server, where: Place) -> Answer:
    """The answer for a file that is not open, as it is on disk."""
    found = await server.background.fresh(where.path) if where.is_saved else NOTHING
    return found.and_also(server.configured.about(where.path))


def _related(server: Server, document: Document | None, told: dict[str, str]) -> list[tuple[str, bytes]]:
    """What has changed of configurations and rules that are not open, for a client that takes it this way.

    `told` are the ids of what it was told before, by URI.
    """
    folders = server.session.folders
    if document is None or not server.session.client.takes_related:
        return []
    uris = {folders.uri(path): path for path in server.configured.files() if not folders.open(path)}
    reports = []
    for uri in {*told, *uris}:
        answer = server.publisher.answer_of(uris[uri]) if uri in uris else NOTHING
        if told.get(uri, NOTHING.id) != answer.id:
            reports.append((uri, answer.full()))
        told[uri] = answer.id
    return [("relatedDocuments", members(*reports))] if reports else []
