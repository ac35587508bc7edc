"""The protocol over a WebSocket, for editors in a browser. The only module that imports websockets."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import websockets.asyncio.server as library
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from plainview.server.framing import LONGEST

if TYPE_CHECKING:
    from plainview.server.protocol import Protocol
    from plainview.server.transport import Address

log = logging.getLogger(__name__)


class Frames:
    """One client's frames, each a message; also what the protocol writes to.

    `left` is set once the client has hung up. `closed` is done once all that was said is sent, or cannot be.
    """

    def __init__(self, protocol: Protocol, left: asyncio.Event) -> None:
        self._protocol = protocol
        self._left = left
        self._waiting: asyncio.Queue[str | None] = asyncio.Queue()
        self.taken = False
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def write(self, data: bytes) -> None:
        """Sends a message when its turn comes."""
        self._waiting.put_nowait(data.decode())

    def close(self) -> None:
        """Ends the connection behind all that was said."""
        self._waiting.put_nowait(None)

    async def serve(self, connection: library.ServerConnection) -> None:
        """Serves a connection until it ends, if it is the first."""
        if self.taken:
            log.warning("a connection is refused: one client at a time")
            return
        self.taken = True
        self._protocol.set_writer(self, include_headers=False)
        sending = asyncio.ensure_future(self._send(connection))
        with contextlib.suppress(ConnectionClosed):
            while not self._left.is_set():
                self._protocol.handle_body(await connection.recv(decode=False))
        self._left.set()
        await sending

    async def _send(self, connection: library.ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            while (message := await self._waiting.get()) is not None:
                await connection.send(message)
            await connection.close()
        self.closed.set_result(None)


async def serve(frames: Frames, address: Address) -> library.Server:
    """Listens. Raises OSError where that is not possible."""
    return await library.serve(frames.serve, *address, max_size=LONGEST, process_request=_refused, server_header=None)


def _refused(connection: library.ServerConnection, request: Request) -> Response | None:
    """What a page gets that was not served by this machine; None for all that may connect."""
    origin = request.headers.get("Origin")
    if origin is None or _is_here(origin):
        return None
    log.warning("a connection is refused: it comes from a page of %.200r", origin)
    return connection.respond(HTTPStatus.FORBIDDEN, "Pages from elsewhere cannot use this server.\n")


def _is_here(origin: str) -> bool:
    try:
        host = urlsplit(origin).hostname or ""
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
