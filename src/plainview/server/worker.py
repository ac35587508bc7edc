"""A worker: a process of low priority that searches folders and scans files for the server.

It ends as soon as its standard input does, whatever it is doing: that is the end of the server, however it came.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import sys
import threading
import traceback
from pathlib import Path
from typing import BinaryIO

from plainview import tokens, workspace
from plainview.finding import Finding
from plainview.rules import DataError
from plainview.scan import Engine, scan
from plainview.server import diagnosis, jobs
from plainview.server.folders import Folder
from plainview.server.pages import Pages
from plainview.settings import MAX_BYTES, Settings
from plainview.text import Encoding

_NICENESS = 15


class Worker:
    """Answers requests, one after the other."""

    def __init__(self) -> None:
        self._engine = Engine.load(Settings())
        self._grounds: dict[bytes, tuple[int, Folder]] = {}
        self._pages: Pages | None = None
        try:
            tokens.load()
        except Exception:  # without the vocabulary there are findings all the same
            self._count = None
        else:
            self._count = tokens.count

    def ground(self, ground: jobs.Ground) -> None:
        """Takes note of a folder's configuration and rules."""

        def read(file: Path) -> bytes:
            data = ground.files.get(os.fsencode(file))
            if data is None:
                raise DataError(file, "", "cannot be read")
            return data

        folder = Folder(os.fsdecode(ground.folder), self._engine)
        folder.load(read)
        self._grounds[ground.folder] = ground.number, folder

    def search(self, search: jobs.Search) -> jobs.Reply:
        """The agent files of a folder."""
        found = workspace.Search([os.fsdecode(search.folder)], self._engine.kinds)
        paths = [os.fsencode(target.path.as_posix()) for target in found.targets()]
        return jobs.Listed(paths, [f"{ascii(one.path)[1:-1]}: {one.message}" for one in found.problems])

    def scan(self, wanted: jobs.Scan) -> jobs.Reply:
        """A file's diagnostics."""
        path, root = os.fsdecode(wanted.path), os.fsdecode(wanted.root)
        engine = next((one.engine for number, one in self._grounds.values() if number == wanted.ground), self._engine)
        file = engine.kinds.match(path)
        if file is None:
            return jobs.Unscanned("no host reads it")
        loaded = workspace.read(workspace.Target(Path(path), path, root), MAX_BYTES)
        if isinstance(loaded, workspace.Problem):
            return jobs.Unscanned(loaded.message)
        report = scan(loaded.source, engine, path=path, root=root, count=self._count, file=file)
        if self._pages is None or self._pages.ruleset is not engine.ruleset:
            self._pages = Pages(engine.ruleset)
        addresses = self._pages

        def page(finding: Finding) -> str | None:
            return addresses.address(finding.rule)

        encoding = Encoding(wanted.encoding)
        return jobs.Scanned(diagnosis.answer(report, wanted.uri, encoding, page=page, quoted=wanted.quoted).items)


def main() -> None:
    """Serves until standard input ends."""
    # What a library prints must not end up between the replies, and the terminal's Ctrl-C is for the server.
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            os.nice(_NICENESS)
    waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, waiting), daemon=True).start()
    worker = Worker()
    while True:
        asked = jobs.request(waiting.get())
        if isinstance(asked, jobs.Ground):
            worker.ground(asked)
            continue
        try:
            answer = worker.search(asked) if isinstance(asked, jobs.Search) else worker.scan(asked)
        except Exception:  # one file never takes the others' worker down
            answer = jobs.Unscanned(traceback.format_exc(), is_failure=True)
        replies.write(jobs.framed(answer))
        replies.flush()


def _listen(stream: BinaryIO, waiting: queue.SimpleQueue[bytes]) -> None:
    while len(head := stream.read(jobs.LENGTH.size)) == jobs.LENGTH.size:
        waiting.put(stream.read(*jobs.LENGTH.unpack(head)))
    os._exit(0)
