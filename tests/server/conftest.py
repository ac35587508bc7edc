"""A client of our own that says exactly what a test tells it to, and keeps all that comes back in order.

pytest-lsp's client, which the tests of recorded profiles use, is typed: it cannot send what makes no sense.
"""

import contextlib
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

PATIENCE = 60.0
"""Seconds after which a test that waits for a message gives up: a safety net, never a measure."""

Message = dict[str, Any]
STATUS = "plainview/status"
PUBLISH = "textDocument/publishDiagnostics"


def program() -> str:
    """The command that editors start."""
    found = shutil.which("plainview", path=str(Path(sys.executable).parent))
    assert found is not None, "plainview is not installed next to this Python"
    return found


def cache_of(folder: Path) -> Path:
    """Where a server in `folder` keeps what can be made again: beside it, for nothing else may be left behind in it."""
    return folder.with_name(f"{folder.name}-cache")


class Refused(Exception):  # noqa: N818 - an answer, not a failure of ours
    """A request was answered with an error."""

    def __init__(self, error: Message) -> None:
        super().__init__(f"{error['code']}: {error['message']}")
        self.code = error["code"]


class Wire:
    """A server's process, and a client at the other end of its pipes.

    `answers` says how requests of the server are answered, by method: with the result, or with None to leave
    them waiting until `answer` is called.
    """

    def __init__(self, folder: Path, *arguments: str, command: list[str] | None = None) -> None:
        self.process = subprocess.Popen(
            [*(command or [program(), "server"]), *arguments],
            cwd=folder,
            env={**os.environ, "XDG_CACHE_HOME": str(cache_of(folder))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.received: list[Message] = []
        self.answers: dict[str, Callable[[Any], Any] | None] = {
            "workspace/configuration": lambda params: [None for _ in params["items"]],
            "client/registerCapability": lambda _: None,
            "workspace/codeLens/refresh": lambda _: None,
        }
        self.capabilities: Message = {}
        self.log = b""
        self.ended = False
        self._news = threading.Condition()
        # Neither the test nor the reader ever waits for the server to read: it may wait for its reader meanwhile.
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._last_id = 0
        self._threads = [
            threading.Thread(target=work, daemon=True) for work in (self._read, self._read_log, self._write)
        ]
        for thread in self._threads:
            thread.start()

    # Messages

    def post(self, *messages: Message) -> None:
        """Sends messages in one go."""
        data = b""
        for message in messages:
            body = json.dumps({"jsonrpc": "2.0", **message}).encode()
            data += b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
        self.post_bytes(data)

    def post_bytes(self, data: bytes) -> None:
        """Sends bytes, whatever they are."""
        self._outgoing.put(data)

    def notify(self, method: str, params: Any) -> None:
        """Sends a notification."""
        self.post({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> int:
        """Sends a request and does not wait for the answer."""
        self._last_id += 1
        self.post({"id": self._last_id, "method": method, "params": params})
        return self._last_id

    def answer_to(self, request: int) -> Any:
        """The result of a request that was sent. Raises Refused where it is an error."""
        message = self.wait(lambda one: one.get("id") == request and "method" not in one)
        if "error" in message:
            raise Refused(message["error"])
        return message["result"]

    def request(self, method: str, params: Any) -> Any:
        """Sends a request and waits for its result."""
        return self.answer_to(self.ask(method, params))

    def answer(self, request: Message, result: Any) -> None:
        """Answers a request of the server."""
        self.post({"id": request["id"], "result": result})

    def wait(self, wanted: Callable[[Message], bool], since: int = 0) -> Message:
        """The first message that is wanted, of those received from number `since` on."""
        give_up = time.monotonic() + PATIENCE
        with self._news:
            while True:
                for message in self.received[since:]:
                    if wanted(message):
                        return message
                since = len(self.received)
                left = give_up - time.monotonic()
                if self.ended or left <= 0:
                    tail = json.dumps(self.received[-4:])[:2000]
                    how = "the server has ended" if self.ended else "it did not come"
                    raise AssertionError(f"{how}; last received: {tail}; log: {self.log[-2000:]!r}")
                self._news.wait(left)

    def messages(self, method: str, since: int = 0) -> list[Any]:
        """The parameters of what was received of a method."""
        return [one["params"] for one in self.received[since:] if one.get("method") == method]

    @property
    def told(self) -> list[str]:
        """What was shown to the user."""
        return [params["message"] for params in self.messages("window/showMessage")]

    # Documents

    def initialize(self, capabilities: Message | None = None, **params: Any) -> Message:
        """Begins a session; by default that of a client that can do everything and wants to be told the status."""
        result = self.request("initialize", {"processId": None, "rootUri": None, **_said(capabilities), **params})
        self.notify("initialized", {})
        self.capabilities = result["capabilities"]
        return result

    def open(self, uri: str, text: str, language: str = "markdown", version: int = 1) -> None:
        """Opens a document."""
        document = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def change(self, uri: str, version: int, *changes: Message) -> None:
        """Changes a document."""
        self.post(self.edit(uri, version, *changes))

    def edit(self, uri: str, version: int, *changes: Message) -> Message:
        """The notification that changes a document."""
        params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)}
        return {"method": "textDocument/didChange", "params": params}

    def close(self, uri: str) -> None:
        """Closes a document."""
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def hover(self, uri: str, line: int = 0, character: int = 0) -> Any:
        """The hover at a place."""
        return self.request("textDocument/hover", self.at(uri, line, character))

    def at(self, uri: str, line: int = 0, character: int = 0) -> Message:
        """The parameters of a request about a place."""
        return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}

    def lists(self, uri: str, since: int = 0) -> list[Message]:
        """All that was published for a document."""
        return [params for params in self.messages(PUBLISH, since) if params["uri"] == uri]

    def diagnostics(self, uri: str, version: int | None, since: int = 0) -> list[Message]:
        """The first list that is published for a version of a document."""
        message = self.wait(
            lambda one: (
                one.get("method") == PUBLISH and one["params"]["uri"] == uri and one["params"].get("version") == version
            ),
            since,
        )
        return message["params"]["diagnostics"]

    def counted(self, uri: str) -> Message:
        """The first status of a document that has tokens in it: nothing will be looked at again for their sake."""
        return self.wait(
            lambda one: (
                one.get("method") == STATUS and one["params"]["uri"] == uri and bool(one["params"].get("tokens"))
            )
        )["params"]

    # The end

    def leave(self) -> int:
        """Ends the session as the protocol wants it; the exit status."""
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.gone()

    def hang_up(self) -> None:
        """Closes the server's standard input behind all that was sent."""
        self._outgoing.put(None)

    def gone(self) -> int:
        """Waits until the process has ended and nothing holds its pipes; the exit status."""
        status = self.process.wait(PATIENCE)
        self.hang_up()
        for thread in self._threads:
            thread.join(PATIENCE)
            assert not thread.is_alive(), "something outlives the server and holds its pipes"
        return status

    def stop(self) -> None:
        """Ends the process, however it is."""
        self.hang_up()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for thread in self._threads:
            thread.join(5)
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while header := stream.readline():
            length = 0
            while header.strip():
                name, _, value = header.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
                header = stream.readline()
            message = json.loads(stream.read(length))
            with self._news:
                self.received.append(message)
                self._news.notify_all()
            answer = self.answers.get(message.get("method", ""))
            if "id" in message and answer is not None:
                self.answer(message, answer(message.get("params")))
        with self._news:
            self.ended = True
            self._news.notify_all()

    def _write(self) -> None:
        stream = self.process.stdin
        assert stream is not None
        # A server that has ended is noticed by whoever waits for what it says.
        with contextlib.suppress(OSError):
            while (data := self._outgoing.get()) is not None:
                stream.write(data)
                stream.flush()
        with contextlib.suppress(OSError):
            stream.close()

    def _read_log(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log += line


ABLE = {
    "workspace": {"configuration": True, "workspaceEdit": {"documentChanges": True}},
    "textDocument": {
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
    },
    "experimental": {"plainview": {"status": True}},
}


def _said(capabilities: Message | None) -> Message:
    return {"capabilities": {**ABLE, **(capabilities or {})}}


@pytest.fixture
def spawn(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Starts a server to which nothing has been said, with arguments, or another command in its place."""
    wires: list[Wire] = []

    def start(*arguments: str, command: list[str] | None = None) -> Wire:
        wires.append(Wire(tmp_path, *arguments, command=command))
        return wires[-1]

    yield start
    for wire in wires:
        wire.stop()


@pytest.fixture
def connect(spawn: Callable[[], Any]) -> Callable[..., Any]:
    """Starts a server and begins a session."""

    def start(capabilities: Message | None = None, **params: Any) -> Wire:
        wire: Wire = spawn()
        wire.initialize(capabilities, **params)
        return wire

    return start


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A session that tests share: each has documents of its own in it, and looks at new messages only."""
    wire = Wire(tmp_path_factory.mktemp("shared"))
    wire.initialize()
    yield wire
    wire.stop()


@pytest.fixture
def refused() -> type[Exception]:
    """What a request that is answered with an error raises; it has the error's `code`."""
    return Refused


@pytest.fixture(scope="session")
def wire_type() -> type[Wire]:
    """For tests that begin a session of their own and share it."""
    return Wire
