"""What the server keeps of messages that it has done with: nothing. Here it runs in the tests' own process."""

import asyncio
import json
from typing import Any

from plainview.server.main import Server

URI = "file:///nowhere/.claude/agents/one.md"


class Unread:
    """Where what the server says goes."""

    def write(self, data: bytes) -> None:
        """Takes it and forgets it."""

    def close(self) -> None:
        """Does nothing."""


def test_nothing_is_kept_of_a_message_that_was_handled() -> None:
    async def serve() -> None:
        server = Server()
        server.protocol.set_writer(Unread())

        def send(method: str, params: Any, **more: Any) -> None:
            message = {"jsonrpc": "2.0", "method": method, "params": params, **more}
            server.protocol.handle_body(json.dumps(message))

        send("initialize", {"capabilities": {}, "processId": None}, id=1)
        send("initialized", {})
        text = {"uri": URI, "languageId": "markdown", "version": 0, "text": "# One\n"}
        send("textDocument/didOpen", {"textDocument": text})
        place = {"line": 1, "character": 0}
        for version in range(1, 20):
            change = {"range": {"start": place, "end": place}, "text": "x"}
            send(
                "textDocument/didChange",
                {"textDocument": {"uri": URI, "version": version}, "contentChanges": [change]},
            )
            send("textDocument/hover", {"textDocument": {"uri": URI}, "position": place}, id=version + 1)
        send("textDocument/didClose", {"textDocument": {"uri": URI}})
        while server.protocol._request_futures:
            await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(serve(), 60))
