"""The editor's end of tests/bench/latency.py: one thread that writes, waits and takes the time. POSIX only."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

Message = dict[str, Any]
PATIENCE = 120.0
"""Seconds after which a server that does not answer is given up."""

PUBLISH = "textDocument/publishDiagnostics"
_LENGTH = re.compile(rb"content-length: *(\d+)", re.I)
_PUSHING: Message = {"publishDiagnostics": {"versionSupport": True}}
_CAPABILITIES: Message = {
    "hover": {"contentFormat": ["markdown", "plaintext"]},
    "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source"]}}},
    "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
    "foldingRange": {"lineFoldingOnly": True},
    "documentLink": {"tooltipSupport": True},
    "inlayHint": {"dynamicRegistration": False},
    "codeLens": {"dynamicRegistration": False},
    "semanticTokens": {
        "requests": {"full": True},
        "tokenTypes": [],
        "tokenModifiers": [],
        "formats": ["relative"],
    },
}

BURST = {
    "codeLensProvider": "textDocument/codeLens",
    "inlayHintProvider": "textDocument/inlayHint",
    "documentSymbolProvider": "textDocument/documentSymbol",
    "foldingRangeProvider": "textDocument/foldingRange",
    "documentLinkProvider": "textDocument/documentLink",
    "semanticTokensProvider": "textDocument/semanticTokens/full",
    "codeActionProvider": "textDocument/codeAction",
}
"""What VS Code asks after a key, besides diagnostics, where a server advertises it."""


class GivenUpError(Exception):
    """A server has ended, or does not answer."""


class BenchClient:
    """A server's process and a session with it. Times are those of `time.perf_counter`, in seconds.

    `root` is the URI of the workspace, `progress` what has been said of its progress, by kind.
    """

    def __init__(
        self, name: str, command: Sequence[str], folder: str, *, pull: bool = False, root: str | None = None
    ) -> None:
        self.name = name
        self.root = root
        self.progress: list[str] = []
        self.pulls = pull
        self.capabilities: Message = {}
        self.findings = 0
        self.lists = 0
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the server
        self._buffer = bytearray()
        self._number = 0
        self.spawned = time.perf_counter()
        self.process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log
        )

    def initialize(self) -> float:
        """Begins the session; when the answer came."""
        documents = {**_CAPABILITIES, **({"diagnostic": {}} if self.pulls else _PUSHING)}
        params = {
            "processId": os.getpid(),
            "rootUri": self.root,
            "capabilities": {
                "textDocument": documents,
                "workspace": {"configuration": True},
                "window": {"workDoneProgress": True},
            },
        }
        number = self._ask("initialize", params)
        message, at = self._until(lambda one: one.get("id") == number and "method" not in one)
        self.capabilities = message["result"]["capabilities"]
        self.pulls = self.pulls and bool(self.capabilities.get("diagnosticProvider"))
        self._post({"method": "initialized", "params": {}})
        return at

    def open(self, uri: str, text: str) -> float:
        """Opens a document; seconds until its diagnostics are there."""
        since = time.perf_counter()
        document = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
        self._post({"method": "textDocument/didOpen", "params": {"textDocument": document}})
        return self._diagnosed(uri, 1) - since

    def close(self, uri: str) -> None:
        """Closes a document."""
        self._post({"method": "textDocument/didClose", "params": {"textDocument": {"uri": uri}}})

    def edit(self, uri: str, version: int, change: Message, *, burst: bool = False) -> float:
        """Makes an edit; seconds until its diagnostics, and with `burst` all other answers, are there."""
        since = time.perf_counter()
        self.send_edit(uri, version, change)
        if not burst:
            return self._diagnosed(uri, version) - since
        waiting = {self._ask(method, _asked(method, uri, change)) for method in self.burst()}
        wanted = {"diagnostics"} | waiting
        if self.pulls:
            wanted.remove("diagnostics")
            wanted.add(self._ask("textDocument/diagnostic", {"textDocument": {"uri": uri}}))
        at = since
        while wanted:
            message, at = self._until(lambda _: True)
            if _is_list(message, uri, version):
                wanted.discard("diagnostics")
            elif "method" not in message:
                wanted.discard(message.get("id"))
        return at - since

    def send_edit(self, uri: str, version: int, change: Message) -> None:
        """Makes an edit and waits for nothing."""
        params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]}
        self._post({"method": "textDocument/didChange", "params": params})

    def settled(self, uri: str, version: int) -> float:
        """When the diagnostics of a version have come."""
        return self._diagnosed(uri, version)

    def listen(self, seconds: float) -> None:
        """Takes what the server says for a while."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            if select.select([self._out], [], [], left)[0]:
                self._fill()
                while (message := self._next()) is not None:
                    self._note(message)

    def ask_for_all(self) -> None:
        """Asks for the workspace's diagnostics, and waits for nothing."""
        self._ask("workspace/diagnostic", {"previousResultIds": []})

    def burst(self) -> list[str]:
        """The requests that follow a key."""
        return [method for ability, method in BURST.items() if self.capabilities.get(ability)]

    def hover(self, uri: str, place: Message) -> float:
        """Seconds until a hover is answered."""
        since = time.perf_counter()
        number = self._ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": place})
        return self._until(lambda one: one.get("id") == number and "method" not in one)[1] - since

    def memory(self) -> float:
        """Resident memory of the server and of the processes it has started, in MB."""
        lines = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,rss="], capture_output=True, check=True).stdout
        table = [tuple(map(int, line.split())) for line in lines.splitlines()]
        family = {self.process.pid}
        for _ in table:
            more = {pid for pid, parent, _ in table if parent in family} | family
            if more == family:
                break
            family = more
        return sum(size for pid, _, size in table if pid in family) / 1024

    def leave(self) -> None:
        """Ends the session, and the process if it does not."""
        try:
            number = self._ask("shutdown", None)
            self._until(lambda one: one.get("id") == number and "method" not in one)
            self._post({"method": "exit"})
            self.process.wait(5)
        except (GivenUpError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self._log):
            if stream is not None:
                stream.close()

    def _diagnosed(self, uri: str, version: int) -> float:
        if self.pulls:
            number = self._ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})
            message, at = self._until(lambda one: one.get("id") == number and "method" not in one)
            self.findings = len((message.get("result") or {}).get("items", ()))
            return at
        return self._until(lambda one: _is_list(one, uri, version))[1]

    def _ask(self, method: str, params: Any) -> int:
        self._number += 1
        self._post({"id": self._number, "method": method, "params": params})
        return self._number

    def _post(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.process.stdin.flush()

    def _until(self, wanted: Callable[[Message], bool]) -> tuple[Message, float]:
        """The next message that is wanted, and when it came."""
        at = time.perf_counter()
        while True:
            message = self._next()
            if message is None:
                if not select.select([self._out], [], [], PATIENCE)[0]:
                    raise GivenUpError(f"{self.name} does not answer")
                self._fill()
                at = time.perf_counter()
                continue
            self._note(message)
            if wanted(message):
                return message, at

    @property
    def _out(self) -> int:
        assert self.process.stdout is not None
        return self.process.stdout.fileno()

    def _fill(self) -> None:
        piece = os.read(self._out, 1 << 20)
        if not piece:
            self._log.seek(0)
            raise GivenUpError(f"{self.name} has ended: {self._log.read()[-1000:]!r}")
        self._buffer += piece

    def _next(self) -> Message | None:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return None
        length = _LENGTH.search(self._buffer, 0, end)
        assert length is not None
        begin = end + 4
        stop = begin + int(length[1])
        if len(self._buffer) < stop:
            return None
        message: Message = json.loads(self._buffer[begin:stop])
        del self._buffer[:stop]
        return message

    def _note(self, message: Message) -> None:
        method = message.get("method")
        if method == PUBLISH:
            self.findings = len(message["params"]["diagnostics"])
            self.lists += message["params"].get("version") is not None
        elif method == "$/progress":
            self.progress.append(message["params"]["value"].get("kind", ""))
        elif method is not None and "id" in message:
            items = message["params"].get("items", ()) if method == "workspace/configuration" else None
            result = None if items is None else [None for _ in items]
            self._post({"id": message["id"], "result": result})


def _is_list(message: Message, uri: str, version: int) -> bool:
    """Whether these are the diagnostics of a version; some servers do not name one, and then the next list counts."""
    params = message.get("params") or {}
    return (
        message.get("method") == PUBLISH
        and params["uri"] == uri
        and (params.get("version") is None or params["version"] >= version)
    )


def _asked(method: str, uri: str, change: Message) -> Message:
    params: Message = {"textDocument": {"uri": uri}}
    if method == "textDocument/codeAction":
        params |= {"range": change["range"], "context": {"diagnostics": []}}
    elif method == "textDocument/inlayHint":
        line = change["range"]["start"]["line"]
        first = {"line": max(line - 40, 0), "character": 0}
        params["range"] = {"start": first, "end": {"line": line + 40, "character": 0}}
    return params
