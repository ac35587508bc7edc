"""The server: one session with one client."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from typing import Any

from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder
from pygls.exceptions import JsonRpcInternalError, JsonRpcInvalidParams, JsonRpcMethodNotFound
from pygls.lsp.server import LanguageServer

from plainview import __version__, wording
from plainview.server import client, features, garbage, parent, transport
from plainview.server.background import Background
from plainview.server.configured import Configured
from plainview.server.document import Document
from plainview.server.kinds import place
from plainview.server.news import News
from plainview.server.protocol import Protocol, converter
from plainview.server.publish import Publisher
from plainview.server.session import Session
from plainview.server.trace import current
from plainview.server.transport import Address
from plainview.text import Encoding

log = logging.getLogger(__name__)


class Server(LanguageServer):
    """pygls's server with our session in it.

    `has_parent` tells whether the client started this process: one at the other end of a network is of another system.
    """

    session: Session
    publisher: Publisher
    configured: Configured
    background: Background
    protocol: Protocol
    has_parent = True
    _watch: asyncio.Future[None] | None = None

    def __init__(self) -> None:
        super().__init__("plainview", __version__, protocol_cls=Protocol, converter_factory=converter)
        self.session = Session(self._on_counter)
        self.publisher = Publisher(self)
        self.configured = Configured(self)
        self.news = News()
        self.background = Background(self)
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
        if session.client.pulls:
            features.register_pulled(self)
        self.protocol.tracing.level = params.trace or types.TraceValue.Off
        if self.has_parent and params.process_id is not None and params.process_id > 0:
            self._watch = asyncio.ensure_future(parent.watch(params.process_id, self.protocol.leave))

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
        self.publisher.edited(document)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Logs what went wrong, and in what; the user is told once of a failure of ours, never of a client's."""
        if isinstance(error, (JsonRpcInvalidParams, JsonRpcMethodNotFound)):
            log.warning("%s: %s", current() or "a message", error)
            return
        # pygls makes a new error of what was raised, and leaves the way to it in the error's data.
        frames = error.data.get("traceback", ()) if isinstance(error, JsonRpcInternalError) and error.data else ()
        where = current() or getattr(source, "__name__", source)
        log.error("%s failed: %s\n%s", where, error, "".join(frames), exc_info=error if not frames else None)
        self.warn("Plainview could not answer a request of the editor; its log has the details. It goes on working.")

    def report_loop_error(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Logs what was raised where nobody waits for it."""
        error = context.get("exception")
        if isinstance(error, Exception):
            self.report_server_error(error, context.get("message"))
        elif error is None:
            log.warning("%s", context.get("message"))

    def _on_counter(self) -> None:
        garbage.begin()
        trouble = self.session.count_trouble
        if trouble is not None:
            self.warn(trouble)
        for document in self.session.documents.values():
            self.publisher.changed(document)
        self.background.begin()


def serve(tcp: Address | None = None, ws: Address | None = None) -> int:
    """Serves one client until it leaves, on standard input and output unless an address is given.

    The exit status that the protocol asks for, or 2 where nothing can be listened to. Never returns after a session:
    what is still being scanned is for nobody any more, and nothing waits for it.
    """
    # pygls logs each failure before it hands it to `report_server_error`, which says it once.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    server = Server()
    try:
        if tcp is not None:
            asyncio.run(transport.tcp(server, tcp))
        elif ws is not None:
            asyncio.run(transport.websocket(server, ws))
        else:
            # What a library prints must not end up between the messages.
            messages = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
            os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
            asyncio.run(transport.stdio(server, sys.stdin.buffer, messages))
    except OSError as error:
        sys.stderr.write(f"the server cannot start: {error.strerror or error}\n")
        return 2
    except KeyboardInterrupt:
        log.info("interrupted")
    logging.shutdown()
    sys.stderr.flush()
    os._exit(0 if server.protocol._shutdown else 1)
