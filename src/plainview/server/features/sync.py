"""`initialize`, `initialized`, and the documents' opening, changing and closing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from plainview.server import convert
from plainview.server.features import configuration, watched_files
from plainview.server.protocol import Protocol
from plainview.text import InvalidRange

if TYPE_CHECKING:
    from plainview.server.main import Server


def register(server: Server) -> None:
    """Registers the notifications that every session lives on."""
    session, publisher = server.session, server.publisher

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.begin(params)
        # Once the answer is written: what the client takes to read it is time to load in.
        asyncio.get_running_loop().call_soon(session.warm)

    @server.feature(types.INITIALIZED)
    async def initialized(_: types.InitializedParams) -> None:
        session.warm()
        server.configured.begin()
        await watched_files.begin(server)
        await configuration.begin(server)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        session.warm()
        given = params.text_document
        document = session.open(given.uri, str(given.language_id), given.version, given.text)
        publisher.opened(document)
        server.configured.touch(document.path)
        if not session.client.watches_files:
            server.configured.touch_all()

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        document = session.documents.get(params.text_document.uri)
        if document is None:
            return
        try:
            changes = [convert.change(event) for event in params.content_changes]
            document.change(changes, params.text_document.version, session.encoding)
        except InvalidRange as error:
            server.lose(document, f"in which {error}")
        else:
            publisher.edited(document)
            server.configured.touch(document.path)

    def lost_change(params: Any) -> None:
        given = params.get("textDocument") if isinstance(params, dict) else None
        uri = given.get("uri") if isinstance(given, dict) else None
        document = session.documents.get(uri) if isinstance(uri, str) else None
        if document is not None:
            server.lose(document, "that cannot be read")

    if isinstance(server.protocol, Protocol):
        server.protocol.on_lost_change = lost_change

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        document = session.close(params.text_document.uri)
        if document is not None:
            publisher.closed(document)
            server.configured.closed(document)
            server.configured.touch(document.path)

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def did_change_folders(_: types.DidChangeWorkspaceFoldersParams) -> None:
        server.update_folders()
        for document in session.documents.values():
            session.classify(document)
            publisher.publish(document)
        server.configured.begin()
        server.background.update()
