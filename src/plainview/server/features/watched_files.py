"""`workspace/didChangeWatchedFiles` and saves: configurations and rules that change outside of what is edited."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from plainview.server.kinds import place

if TYPE_CHECKING:
    from plainview.server.main import Server

log = logging.getLogger(__name__)

_WATCHED = "**/*.toml"


def register(server: Server) -> None:
    """Registers the notifications."""

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_watched_files(params: types.DidChangeWatchedFilesParams) -> None:
        for change in params.changes:
            server.configured.touch(place(change.uri).path)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(_: types.DidSaveTextDocumentParams) -> None:
        if not server.session.client.watches_files:
            server.configured.touch_all()


async def begin(server: Server) -> None:
    """Asks to be told when a configuration or a rule changes on disk."""
    if not server.session.client.watches_files:
        return
    options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(_WATCHED)])
    registration = types.Registration("plainview-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    try:
        await server.client_register_capability_async(types.RegistrationParams([registration]))
    except JsonRpcException as error:
        log.warning("the client will not say when files change: %s", error)
