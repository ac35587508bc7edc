"""What the server and a worker say to each other, and how it travels: MessagePack behind its length.

Paths are bytes, for a file's name need not be text.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

import msgspec

LENGTH = struct.Struct(">I")
"""What stands before a message: how many bytes it has."""


class Ground(msgspec.Struct, frozen=True, tag=True):
    """What the scans of a workspace folder's files rest on: its configuration and rules, as the editor has them.

    `number` stands for it in `Scan`. Of the files of one folder only the newest ground is kept.
    """

    number: int
    folder: bytes
    files: dict[bytes, bytes]


class Search(msgspec.Struct, frozen=True, tag=True):
    """Asks for the agent files of a folder. Answered by `Listed`."""

    folder: bytes


class Scan(msgspec.Struct, frozen=True, tag=True):
    """Asks for a file's diagnostics. `ground` is that of its folder, 0 for none. Answered by `Scanned`, `Unscanned`."""

    path: bytes
    root: bytes
    uri: str
    ground: int
    encoding: str
    quoted: bool


class Listed(msgspec.Struct, frozen=True, tag=True):
    """The files that were found, and what is to be said of others in the log."""

    paths: list[bytes]
    problems: list[str]


class Scanned(msgspec.Struct, frozen=True, tag=True):
    """A file's diagnostics, as an array of JSON."""

    items: bytes


class Unscanned(msgspec.Struct, frozen=True, tag=True):
    """Why there are none: the file cannot be read, say. `is_failure` where that is a fault of the program."""

    reason: str
    is_failure: bool = False


Request = Ground | Search | Scan
Reply = Listed | Scanned | Unscanned

_encoder = msgspec.msgpack.Encoder()
request: Callable[[bytes], Request] = msgspec.msgpack.Decoder(Request).decode
"""A request, from its bytes."""
reply: Callable[[bytes], Reply] = msgspec.msgpack.Decoder(Reply).decode
"""A reply, from its bytes."""


def framed(message: Request | Reply) -> bytes:
    """A message with its length before it."""
    body = _encoder.encode(message)
    return LENGTH.pack(len(body)) + body
