"""Messages out of bytes: `Content-Length: N`, a blank line, N bytes. No input and no output of its own.

Header names in any case, either line end, headers of no account: all read. Where a length cannot be read, the rest is
searched for the next one: no message of JSON holds a header, for a line end in a string is written as an escape.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

LONGEST = 1 << 28
"""Bytes: what announces itself longer than this is skipped, never kept in memory."""

_MOST_HEADERS = 1 << 14
_BLANK = re.compile(rb"\r?\n\r?\n")
_HEADER = re.compile(rb"([!#-'*+.^_`|~0-9A-Za-z-]+)[ \t]*:(.*)", re.S)
_LENGTH = re.compile(rb"[0-9]{1,19}")
_CHARSET = re.compile(rb"charset[ \t]*=[ \t]*\"?([^\s;\"]+)", re.I)
_NEXT = re.compile(rb"content-length[ \t]*:[ \t]*[0-9]+[ \t]*\r?\n", re.I)
# The longest start of `_NEXT` that may stand at the end of what has arrived.
_KEPT = 64


class Broken(NamedTuple):
    """What arrived in place of a message, in words for the log."""

    problem: str


class Framer:
    """Takes bytes as they arrive and gives messages' bodies, in order."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._length: int | None = None
        self._skipping = 0
        self._lost = False

    def feed(self, data: bytes) -> Iterator[bytes | Broken]:
        """Every body that is complete with these bytes; Broken once for each stretch that is no message."""
        self._buffer += data
        while True:
            if self._skipping:
                skipped = min(self._skipping, len(self._buffer))
                del self._buffer[:skipped]
                self._skipping -= skipped
                if self._skipping:
                    return
            if self._length is not None:
                if len(self._buffer) < self._length:
                    return
                body = bytes(self._buffer[: self._length])
                del self._buffer[: self._length]
                self._length = None
                yield body
                continue
            if self._lost and not self._found():
                return
            blank = _BLANK.search(self._buffer, 0, _MOST_HEADERS)
            if blank is None and len(self._buffer) < _MOST_HEADERS:
                return
            read = _read(bytes(self._buffer[: blank.start()])) if blank is not None else "headers without an end"
            if blank is None or isinstance(read, str):
                # All but its first byte stays: a body whose length was not known stands in front of the next header.
                del self._buffer[:1]
                self._lost = True
                yield Broken(str(read))
                continue
            del self._buffer[: blank.end()]
            length, charset = read
            if length > LONGEST:
                self._skipping = length
                yield Broken(f"a message of {length:,} bytes, which is more than {LONGEST:,}")
            elif charset not in (b"utf-8", b"utf8"):
                self._skipping = length
                yield Broken("a message in another encoding than UTF-8")
            else:
                self._length = length

    def _found(self) -> bool:
        """Drops what stands before the next header that announces a length; whether there is one."""
        found = _NEXT.search(self._buffer)
        if found is None:
            del self._buffer[:-_KEPT]
            return False
        del self._buffer[: found.start()]
        self._lost = False
        return True


def _read(block: bytes) -> tuple[int, bytes] | str:
    """The length in bytes and the encoding that header lines announce, or what is wrong with them."""
    lengths: set[bytes] = set()
    charset = b"utf-8"
    for line in block.split(b"\n"):
        header = _HEADER.fullmatch(line.rstrip(b"\r"))
        if header is None:
            return "a header that is none"
        name, value = header[1].lower(), header[2].strip()
        if name == b"content-length":
            if not _LENGTH.fullmatch(value):
                return "a length that is no number"
            lengths.add(value)
        elif name == b"content-type" and (named := _CHARSET.search(value)):
            charset = named[1].lower()
    if len(lengths) != 1:
        return "two lengths" if lengths else "headers without a length"
    return int(lengths.pop()), charset
