"""The server: one session over standard input and output."""

from __future__ import annotations

import logging
import os
import sys
from typing import Any

from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams, JsonRpcMethodNotFound
from pygls.lsp.server import LanguageServer

from plainview import __version__, wording
from plainview.server import client, features
from plainview.server.configured import Configured
from plainview.server.document import Document
from plainview.server.kinds import place
from plainview.server.protocol import Protocol, converter
from plainview.server.publish import Publisher
from plainview.server.session import Session
from plainview.text import Encoding

log = logging.getLogger(__name__)


class Server(LanguageServer):
    """pygls's server with our session in it."""

    session: Session
    publisher: Publisher
    configured: Configured

    def __init__(self) -> None:
        super().__init__("plainview", __version__, protocol_cls=Protocol, converter_factory=converter)
        self.session = Session(self._on_counter)
        self.publisher = Publisher(self)
        self.configured = Configured(self)
        self._told: set[str] = set()
        features.register(self)

    def begin(self, params: types.InitializeParams) -> None:
        """Reads from `initialize` what the session needs to know."""
        session = self.session
        session.client = client.read(params)
        chosen = ServerCapabilitiesBuilder.choose_position_encoding(params.capabilities)
        session.encoding = Encoding(getattr(chosen, "value", chosen))
        session.folders.trusted = session.client.trusted
        self.update_folders()

    def update_folders(self) -> None:
        """Takes the workspace's folders as they are now."""
        uris = list(self.workspace.folders)
        if not uris and self.workspace.root_uri:
            uris = [self.workspace.root_uri]
        self.session.folders.set({place(uri).path: uri for uri in uris if place(uri).is_saved})

    def warn(self, message: str) -> None:
        """Shows a warning to the user, each only once."""
        self._tell(message, types.MessageType.Warning)

    def inform(self, message: str) -> None:
        """Shows a message to the user, each only once."""
        self._tell(message, types.MessageType.Info)

    def _tell(self, message: str, kind: types.MessageType) -> None:
        if message not in self._told:
            self._told.add(message)
            self.window_show_message(types.ShowMessageParams(kind, message))

    def lose(self, document: Document, reason: str) -> None:
        """Says nothing more of a document whose text is not the editor's any more, and tells the user so."""
        name = wording.shown_path(document.path.rpartition("/")[2])
        document.lost = True
        self.warn(
            f"Plainview lost track of {name}: the editor sent an edit {reason}. "
            "Its findings come back when the file is closed and opened again."
        )
        self.publisher.changed(document)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Logs what went wrong; the user is told once of a failure of ours, never of a client's malformed message."""
        if source is JsonRpcException or isinstance(error, (JsonRpcInvalidParams, JsonRpcMethodNotFound)):
            log.warning("%s", error)
            return
        log.error("%s: %s", getattr(source, "__name__", source), error, exc_info=error)
        self.warn("Plainview could not answer a request of the editor; its log has the details. It goes on working.")

    def _on_counter(self) -> None:
        trouble = self.session.count_trouble
        if trouble is not None:
            self.warn(trouble)
        for document in self.session.documents.values():
            self.publisher.changed(document)


def serve() -> int:
    """Serves standard input and output until the client leaves; the exit status that the protocol asks for."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    # pygls logs each failure before it hands it to `report_server_error`, which says it once.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    # What a library prints must not end up between the messages.
    messages = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    server = Server()
    server.start_io(sys.stdin.buffer, messages)
    return 0 if server.protocol._shutdown else 1
