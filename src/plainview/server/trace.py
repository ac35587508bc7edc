"""`$/logTrace`: what was asked, what came of it and how long it took, for a client that wants to know.

The text of a document is in none of it: methods, numbers and times are.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import NamedTuple

from lsprotocol import types

log = logging.getLogger(__name__)


class Asked(NamedTuple):
    """A message that is being handled: its method, the request's number (None for a notification), when it came."""

    method: str
    number: int | str | None
    since: float

    def __str__(self) -> str:
        name = ascii(self.method[:100])[1:-1]
        return name if self.number is None else f"{name} (id {ascii(self.number)[:40]})"


_current: ContextVar[Asked | None] = ContextVar("current", default=None)


def current() -> Asked | None:
    """What this code, or the task that it runs in, was called for."""
    return _current.get()


class Trace:
    """Tells the log and the client of messages. `notify` sends a notification."""

    def __init__(self, notify: Callable[[str, types.LogTraceParams], None]) -> None:
        self._notify = notify
        self.level: types.TraceValue | str = types.TraceValue.Off

    def received(self, method: str, number: int | str | None) -> None:
        """A request or notification has come; what is done from here on in this context is done for it."""
        asked = Asked(method, number, time.perf_counter())
        _current.set(asked)
        self._say(f"received {asked}", None)

    def answered(self, error: types.ResponseError | None) -> None:
        """The request that this context is about is answered."""
        asked = _current.get()
        if asked is not None:
            taken = (time.perf_counter() - asked.since) * 1_000
            how = "a result" if error is None else f"error {int(error.code)}"
            self._say(f"answered {asked} after {taken:.1f} ms", how)

    def _say(self, message: str, more: str | None) -> None:
        log.debug("%s%s", message, f": {more}" if more else "")
        if self.level in (types.TraceValue.Messages, types.TraceValue.Verbose):
            shown = more if self.level is types.TraceValue.Verbose else None
            self._notify(types.LOG_TRACE, types.LogTraceParams(message, shown))
