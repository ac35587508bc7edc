"""A file's diagnostics as they are sent, whoever found them and however they travel."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

import msgspec


class Answer(msgspec.Struct, frozen=True, gc=False):
    """A file's diagnostics as they are sent: a JSON array, and an id that is another wherever the array is."""

    items: bytes
    id: str

    @classmethod
    def of(cls, items: bytes) -> Answer:
        """The answer with these items."""
        return cls(items, hashlib.blake2b(items, digest_size=12).hexdigest())

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to say."""
        return self.items == b"[]"

    def and_also(self, more: Sequence[object]) -> Answer:
        """This answer with further diagnostics at its end."""
        if not more:
            return self
        return Answer.of(b"[" + b",".join(part[1:-1] for part in (self.items, encoded(more)) if part != b"[]") + b"]")

    def full(self, *more: tuple[str, bytes]) -> bytes:
        """The answer as a report of the protocol, with further members, which are JSON already."""
        return members(("kind", b'"full"'), ("resultId", encoded(self.id)), ("items", self.items), *more)

    def unchanged(self, *more: tuple[str, bytes]) -> bytes:
        """A report that says that the client has this answer already."""
        return members(("kind", b'"unchanged"'), ("resultId", encoded(self.id)), *more)


NOTHING = Answer.of(b"[]")
"""The answer for a file of which there is nothing to say."""


def encoded(value: object) -> bytes:
    """A value as JSON."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        # A lone surrogate, which a file's name may hold, can be sent as an escape only.
        return json.dumps(msgspec.to_builtins(value), separators=(",", ":")).encode()


def members(*parts: tuple[str, bytes]) -> bytes:
    """An object of JSON, made of what is JSON already."""
    return b"{" + b",".join(encoded(name) + b":" + part for name, part in parts) + b"}"
