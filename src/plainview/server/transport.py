"""How messages come and go: standard input and output, a TCP connection, a WebSocket.

Whatever carries them, the event loop neither waits for the client to write nor for it to read: what cannot be sent
yet is kept, and once much is kept, nothing more is read until the client has caught up.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import queue
import stat
import sys
import threading
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from plainview.server.framing import Broken, Framer

if TYPE_CHECKING:
    from plainview.server.main import Server
    from plainview.server.protocol import Protocol

log = logging.getLogger(__name__)

LAST_WORDS = 1.0
"""Seconds for which an end of the session waits until the client has read what was said."""

_BACKLOG = 1 << 26  # bytes that may wait for the client to read before the server stops to listen
_PIECE = 1 << 16  # bytes that the thread reads at once
_PIECES = 16  # pieces that may wait for the event loop


class Address(NamedTuple):
    """Where to listen; port 0 stands for any that is free."""

    host: str
    port: int


class Link(asyncio.Protocol):
    """One client's bytes: they become messages here, on the event loop.

    `left` is set once the client has hung up or sent `exit`. `closed` is done once all that was said is sent, or
    cannot be.
    """

    def __init__(self, protocol: Protocol, left: asyncio.Event) -> None:
        self._protocol = protocol
        self._left = left
        self._framer = Framer()
        self._reading: asyncio.ReadTransport | None = None
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called with whatever reads, writes, or does both."""
        if isinstance(transport, asyncio.WriteTransport):
            transport.set_write_buffer_limits(high=_BACKLOG)
            self._protocol.set_writer(transport)
        if isinstance(transport, asyncio.ReadTransport):
            self._reading = transport

    def data_received(self, data: bytes) -> None:
        """Hands on the messages that are complete with these bytes."""
        for body in self._framer.feed(data):
            if self._left.is_set():
                return
            if isinstance(body, Broken):
                self._protocol.refuse_broken(body.problem)
            else:
                self._protocol.handle_body(body)

    def eof_received(self) -> None:
        """The client says nothing more; it may still read."""
        self._left.set()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone, or all is sent."""
        if exc is not None:
            log.info("the connection is lost: %s", exc)
        self._left.set()
        if not self.closed.done():
            self.closed.set_result(None)

    def pause_writing(self) -> None:
        """The client does not read: what it asks meanwhile is not read either."""
        if self._reading is not None:
            self._reading.pause_reading()

    def resume_writing(self) -> None:
        """The client has caught up."""
        if self._reading is not None:
            self._reading.resume_reading()


class _Said(asyncio.BaseProtocol):
    """The writing end, where it is another than the reading one."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._link.connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._link.connection_lost(exc)

    def pause_writing(self) -> None:
        self._link.pause_writing()

    def resume_writing(self) -> None:
        self._link.resume_writing()


class _Heard(asyncio.Protocol):
    """The reading end, where it is another than the writing one: its end is not the end of what is said."""

    def __init__(self, link: Link, left: asyncio.Event) -> None:
        self._link = link
        self._left = left

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._link.connection_made(transport)

    def data_received(self, data: bytes) -> None:
        self._link.data_received(data)

    def connection_lost(self, _: Exception | None) -> None:
        self._left.set()


async def stdio(server: Server, stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Serves one client and returns when it has left."""
    loop = asyncio.get_running_loop()
    left = _begin(server)
    link = Link(server.protocol, left)
    if _is_pollable(stdout):
        await loop.connect_write_pipe(lambda: _Said(link), stdout)
    else:
        server.protocol.set_writer(_ThreadWriter(stdout, loop, link))
    if _is_pollable(stdin):
        await loop.connect_read_pipe(lambda: _Heard(link, left), stdin)
    else:
        threading.Thread(target=_read, args=(stdin, loop, link, left), daemon=True, name="stdin").start()
    await left.wait()
    await _close(server.protocol, link.closed)


def _is_pollable(stream: BinaryIO) -> bool:
    """Whether the event loop can wait for a stream: not for a file or the null device, nor for Windows' pipes.

    A terminal it could, but it would leave it without waiting to the shell, which shares it.
    """
    mode = os.fstat(stream.fileno()).st_mode
    return sys.platform != "win32" and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode))


class _ThreadWriter:
    """Writes in a thread, where the event loop cannot."""

    def __init__(self, stream: BinaryIO, loop: asyncio.AbstractEventLoop, link: Link) -> None:
        self._stream = stream
        self._loop = loop
        self._link = link
        self._waiting: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=self._work, daemon=True, name="stdout").start()

    def write(self, data: bytes) -> None:
        self._waiting.put(data)

    def close(self) -> None:
        self._waiting.put(None)

    def _work(self) -> None:
        lost: Exception | None = None
        try:
            while (data := self._waiting.get()) is not None:
                self._stream.write(data)
                self._stream.flush()
        except (OSError, ValueError) as error:
            lost = error
        with contextlib.suppress(RuntimeError):  # the loop may be gone by now
            self._loop.call_soon_threadsafe(self._link.connection_lost, lost)


def _read(stream: BinaryIO, loop: asyncio.AbstractEventLoop, link: Link, left: asyncio.Event) -> None:
    room = threading.Semaphore(_PIECES)

    def hand_on(data: bytes) -> None:
        room.release()
        link.data_received(data)

    with contextlib.suppress(RuntimeError, OSError, ValueError):
        while data := os.read(stream.fileno(), _PIECE):
            room.acquire()
            loop.call_soon_threadsafe(hand_on, data)
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(left.set)


async def tcp(server: Server, address: Address) -> None:
    """Listens, serves the first client that speaks the protocol, and returns when it has left."""
    left = _begin(server)
    server.has_parent = False
    served: list[Link] = []

    class Guarded(Link):
        """Takes a client for one only when it begins with a header: a web page's request never does."""

        _first = b""

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            self._transport: Any = transport

        def data_received(self, data: bytes) -> None:
            if self not in served:
                self._first += data
                begin = self._first[:8].lower()
                if served or not b"content-".startswith(begin):
                    log.warning("a connection is refused: %s", "one client at a time" if served else "no header")
                    self._transport.close()
                    return
                if len(begin) < 8:
                    return
                served.append(self)
                super().connection_made(self._transport)
                data = self._first
            super().data_received(data)

        def eof_received(self) -> None:
            if self in served:
                super().eof_received()

        def connection_lost(self, exc: Exception | None) -> None:
            if self in served:
                super().connection_lost(exc)

    listening = await asyncio.get_running_loop().create_server(lambda: Guarded(server.protocol, left), *address)
    _tell(listening.sockets, "tcp")
    await left.wait()
    listening.close()
    await _close(server.protocol, served[0].closed if served else None)


async def websocket(server: Server, address: Address) -> None:
    """Listens, serves the first client, and returns when it has left. Messages are text frames without headers.

    A page of the web can open a WebSocket to this machine: one from elsewhere is refused.
    """
    from plainview.server.websocket import Frames, serve

    left = _begin(server)
    server.has_parent = False
    frames = Frames(server.protocol, left)
    listening = await serve(frames, address)
    _tell(listening.sockets, "ws")
    await left.wait()
    listening.close(close_connections=False)
    await _close(server.protocol, frames.closed if frames.taken else None)


def _begin(server: Server) -> asyncio.Event:
    left = asyncio.Event()
    server.protocol.leave = left.set
    asyncio.get_running_loop().set_exception_handler(server.report_loop_error)
    return left


async def _close(protocol: Protocol, closed: Awaitable[None] | None) -> None:
    """Sends what is left to send, for as long as that is worth waiting for."""
    writer, protocol.writer = protocol.writer, None  # what is found out from here on is for nobody
    if closed is not None and writer is not None:
        writer.close()
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(closed, LAST_WORDS)


def _tell(sockets: Any, scheme: str) -> None:
    """Says where the server listens: with port 0 nobody else knows."""
    for socket in sockets:
        host, port = socket.getsockname()[:2]
        sys.stderr.write(f"listening on {scheme}://{f'[{host}]' if ':' in host else host}:{port}\n")
    sys.stderr.flush()
