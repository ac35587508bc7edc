"""`$/progress` on the files that are looked at in the background, for clients that show it."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING
from uuid import uuid4

from lsprotocol import types

from plainview import wording

if TYPE_CHECKING:
    from plainview.server.main import Server

log = logging.getLogger(__name__)

# Seconds between two reports: nobody reads faster.
_PAUSE = 0.2


class Progress:
    """One progress at a time. Runs on the event loop."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._token: str | None = None
        self._is_shown = False
        self._said = 0.0
        self._percentage = 0

    def is_of(self, token: int | str) -> bool:
        """Whether this is what the token stands for."""
        return token == self._token

    def begin(self) -> None:
        """Asks the client to show that something has begun, unless it shows that already."""
        if self._token is None and self._server.session.client.shows_progress:
            self._token = token = str(uuid4())
            future = self._server.protocol.send_request(
                types.WINDOW_WORK_DONE_PROGRESS_CREATE, types.WorkDoneProgressCreateParams(token)
            )
            future.add_done_callback(lambda answer: self._created(token, answer.exception()))

    def report(self, done: int, total: int) -> None:
        """Tells how far it has come, in files."""
        now = time.monotonic()
        if self._is_shown and now - self._said >= _PAUSE:
            self._said = now
            # More files may come to it on the way, and a bar that goes back confuses people.
            self._percentage = max(self._percentage, done * 100 // max(total, 1))
            self._notify(
                types.WorkDoneProgressReport(
                    cancellable=True,
                    message=f"{done:,} of {wording.plural(total, 'file')}",
                    percentage=self._percentage,
                )
            )

    def end(self) -> None:
        """All is done, or nothing more will be."""
        if self._is_shown:
            self._notify(types.WorkDoneProgressEnd())
        self._token, self._is_shown, self._percentage = None, False, 0

    def _created(self, token: str, error: BaseException | None) -> None:
        if error is not None:
            log.warning("the client shows no progress: %s", error)
        elif token == self._token:
            self._is_shown = True
            self._notify(types.WorkDoneProgressBegin("Checking agent files", cancellable=True, percentage=0))

    def _notify(
        self, value: types.WorkDoneProgressBegin | types.WorkDoneProgressReport | types.WorkDoneProgressEnd
    ) -> None:
        if self._token is not None:
            self._server.protocol.notify(types.PROGRESS, types.ProgressParams(self._token, value))
