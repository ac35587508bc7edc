"""`workspace/didChangeWatchedFiles` and saves: what changes outside of what is edited."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from plainview.kinds import Kinds
from plainview.server.kinds import place

if TYPE_CHECKING:
    from plainview.server.main import Server

log = logging.getLogger(__name__)

# Configurations, rules, and what decides which files are searched; agent files come to it.
_WATCHED = frozenset({"**/*.toml", "**/.gitignore"})


def register(server: Server) -> None:
    """Registers the notifications."""

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_watched_files(params: types.DidChangeWatchedFilesParams) -> None:
        for change in params.changes:
            path = place(change.uri).path
            server.configured.touch(path)
            server.background.touch(path, deleted=change.type == types.FileChangeType.Deleted)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(_: types.DidSaveTextDocumentParams) -> None:
        if not server.session.client.watches_files:
            server.configured.touch_all()


async def begin(server: Server) -> None:
    """Asks to be told when a configuration, a rule or an agent file changes on disk."""
    if not server.session.client.watches_files:
        return
    options = types.DidChangeWatchedFilesRegistrationOptions(
        [types.FileSystemWatcher(glob) for glob in sorted(_WATCHED | _globs(server.session.engine.kinds))]
    )
    registration = types.Registration("plainview-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    try:
        await server.client_register_capability_async(types.RegistrationParams([registration]))
    except JsonRpcException as error:
        log.warning("the client will not say when files change: %s", error)


def _globs(kinds: Kinds) -> set[str]:
    """Globs that all agent files match: by ending where that is enough, for every glob is a watcher."""
    globs = set()
    for glob in (glob for host in kinds.hosts for kind in host.kinds for glob in kind.globs):
        name = glob.rpartition("/")[2]
        stem, dot, ending = name.rpartition(".")
        globs.add(f"**/*.{ending}" if dot and stem and ending.isalpha() else glob)
    return globs
