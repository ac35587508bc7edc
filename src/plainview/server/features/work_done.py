"""`window/workDoneProgress/cancel`: the user has had enough; `shutdown`: so has the client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from plainview.server.main import Server


def register(server: Server) -> None:
    """Registers both."""

    @server.feature(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def cancel(params: types.WorkDoneProgressCancelParams) -> None:
        server.background.cancel(params.token)

    @server.feature(types.SHUTDOWN)
    def shutdown(_: None) -> None:
        server.background.stop()
