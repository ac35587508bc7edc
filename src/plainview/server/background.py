"""The workspace's files that are not open: found, scanned by workers, and told of like those that are.

What is open is looked at on the event loop, which hands out work here and takes results in and does no more.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import OrderedDict, deque
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from plainview.server import jobs
from plainview.server.answer import NOTHING, Answer
from plainview.server.progress import Progress
from plainview.server.session import root_of
from plainview.server.workers import Job, Workers

if TYPE_CHECKING:
    from plainview.server.folders import Folder
    from plainview.server.main import Server

log = logging.getLogger(__name__)

# Seconds without a change after which folders are searched again: a checkout changes many files.
_REST = 0.5

# Files that are looked at again before the user sees that something is going on.
_FEW = 10


class _Terms(NamedTuple):
    """What answers depend on beside a file and its folder."""

    encoding: str
    quoted: bool


class Background:
    """The files of one server's workspace folders. Runs on the event loop."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._workers = Workers(self._next, self._spent)
        self._progress = Progress(server)
        self._ready = False
        self._asked = False
        self._terms: _Terms | None = None
        self._folders: dict[str, int] = {}  # those that are looked after, with the number of what counts in them
        self._known: dict[str, str] = {}  # the agent files, and the folder each was found in
        self._found: dict[str, Answer] = {}  # of files of which there is something to say
        self._urgent: deque[Job] = deque()
        # Queues in which each name stands once.
        self._soon: OrderedDict[str, None] = OrderedDict()
        self._searches: OrderedDict[str, None] = OrderedDict()
        self._later: OrderedDict[str, None] = OrderedDict()
        self._due: set[str] = set()  # files whose answer is that of an older state
        self._grounds: dict[str, jobs.Ground] = {}
        self._under_way = 0
        self._is_round = False
        self._done = 0
        self._changed: set[str] = set()
        self._searching: asyncio.TimerHandle | None = None

    # What others ask

    @property
    def is_settled(self) -> bool:
        """Whether all that there is to know is known."""
        return self._ready and not self._is_busy and self._searching is None

    def files(self) -> tuple[str, ...]:
        """The paths of the files of which there is something to say."""
        return tuple(self._found)

    def is_due(self, path: str) -> bool:
        """Whether what is known of a file is out of date, and will not be for long."""
        return path in self._due

    def answer(self, path: str) -> Answer:
        """What is known of a file on disk."""
        return self._found.get(path, NOTHING)

    async def fresh(self, path: str) -> Answer:
        """What there is to say of a file as it is on disk now, if it is an agent file of the workspace."""
        server = self._server
        while not self._ready:
            await server.news.after(server.news.number)
        inside = any(path.startswith(folder.rstrip("/") + "/") for folder in server.session.folders.paths)
        if not inside or self._workers.is_spent or server.session.engine.kinds.match(path) is None:
            return self.answer(path)
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        def done(reply: jobs.Reply | None) -> None:
            answer = Answer.of(reply.items) if isinstance(reply, jobs.Scanned) else NOTHING
            self._keep(path, answer)
            if not future.done():
                future.set_result(answer)

        self._urgent.append(self._scan(path, done))
        self._workers.wake()
        return await future

    # What happens

    def begin(self) -> None:
        """Begins: what is open has been looked at, and tokens can be counted."""
        self._ready = True
        self.update()
        self._server.news.tell()

    def ask(self) -> None:
        """Takes note that the client wants to know of files that are not open."""
        if not self._asked:
            self._asked = True
            self.update()

    def update(self) -> None:
        """Sees to what has changed of folders, their configurations and the client's settings."""
        if not self._ready:
            return
        session = self._server.session
        terms = _Terms(session.encoding.value, session.quotes)
        wanted = self._wanted()
        for left in [folder for folder in self._folders if folder not in wanted]:
            self._leave(left)
        anew = terms != self._terms
        self._terms = terms
        for folder, number in wanted.items():
            if folder not in self._folders:
                self._searches[folder] = None
            elif anew or number != self._folders[folder]:
                self._later.update(dict.fromkeys(path for path, owner in self._known.items() if owner == folder))
            self._folders[folder] = number
        self._go_on()

    def reopened(self, path: str) -> None:
        """Forgets what was found in a file that is being edited: when it is closed it will be another one."""
        self._found.pop(path, None)

    def touch(self, path: str, *, deleted: bool = False) -> None:
        """Sees to a file that has changed on disk, or that counts again as it is there."""
        if deleted:
            for gone in [one for one in self._known if one == path or one.startswith(path + "/")]:
                self._forget(gone)
        elif path in self._known:
            self._due.add(path)
            self._soon[path] = None
            self._go_on()
        elif root_of(path, self._folders) in self._folders and (
            path.endswith("/.gitignore") or self._server.session.engine.kinds.match(path) is not None
        ):
            self._changed.add(path)
            if self._searching is not None:
                self._searching.cancel()
            self._searching = asyncio.get_running_loop().call_later(_REST, self._search_again)

    def cancel(self, token: int | str) -> None:
        """Stops, for the user has had enough of what the progress with this token shows."""
        if self._progress.is_of(token):
            self._stop_round()

    def stop(self) -> None:
        """Ends all that is under way."""
        self._ready = False
        self._workers.stop()

    # What is to be looked at

    def _wanted(self) -> dict[str, int]:
        session = self._server.session
        client = session.client
        # An agent is told of what it works on: all else would fill its context.
        told = self._asked if client.pulls else not client.is_agent
        if not told or session.preferences.diagnostic_mode != "workspace":
            return {}
        return {path: self._number(path) for path in session.folders.paths if not _is_too_wide(path)}

    def _number(self, path: str) -> int:
        folder = self._server.session.folders.of(path + "/")
        return folder.number if folder is not None else 0

    @property
    def _is_busy(self) -> bool:
        return bool(self._soon or self._searches or self._later or self._under_way)

    def _go_on(self) -> None:
        if not (self._soon or self._searches or self._later):
            return
        if self._workers.is_spent:
            self._stop_round()
            return
        self._is_round = True
        if self._searches or len(self._soon) + len(self._later) > _FEW:
            self._progress.begin()
        self._workers.wake()

    def _next(self) -> Job | None:
        """The next piece of work: what somebody waits for, what has changed, what has not been looked at yet."""
        if self._urgent:
            return self._urgent.popleft()
        while self._soon or self._searches or self._later:
            queue = self._soon or self._searches or self._later
            name, _ = queue.popitem(last=False)
            if queue is not self._searches and self._server.session.is_open(name):
                self._done += 1
                continue
            self._under_way += 1
            return self._search(name) if queue is self._searches else self._look_at(name)
        self._end_round()
        return None

    def _search(self, folder: str) -> Job:
        return Job(jobs.Search(os.fsencode(folder)), None, lambda reply: self._searched(folder, reply))

    def _look_at(self, path: str) -> Job:
        now = self._terms, self._number_of(path)
        return self._scan(
            path, lambda reply: self._scanned(path, reply, is_stale=now != (self._terms, self._number_of(path)))
        )

    def _scan(self, path: str, done: Callable[[jobs.Reply | None], None]) -> Job:
        session = self._server.session
        folder = session.folders.of(path)
        ground = self._ground(folder) if folder is not None and folder.config.file is not None else None
        asked = jobs.Scan(
            path=os.fsencode(path),
            root=os.fsencode(root_of(path, session.folders.paths)),
            uri=session.folders.uri(path).encode("utf-8", "replace").decode(),
            ground=ground.number if ground is not None else 0,
            encoding=session.encoding.value,
            quoted=session.quotes,
        )
        return Job(asked, ground, done)

    def _ground(self, folder: Folder) -> jobs.Ground:
        ground = self._grounds.get(folder.path)
        if ground is None or ground.number != folder.number:
            files = {os.fsencode(file): data for file, data in folder.files.items()}
            ground = self._grounds[folder.path] = jobs.Ground(folder.number, os.fsencode(folder.path), files)
        return ground

    def _number_of(self, path: str) -> int:
        return self._folders.get(self._known.get(path, ""), 0)

    # What comes back

    def _searched(self, folder: str, reply: jobs.Reply | None) -> None:
        self._under_way -= 1
        if isinstance(reply, jobs.Listed) and folder in self._folders:
            for problem in reply.problems:
                log.info("%s", problem)
            folders = tuple(self._folders)
            owners = {path: root_of(path, folders) for path in map(os.fsdecode, reply.paths)}
            for gone in [path for path, owner in self._known.items() if owner == folder and path not in owners]:
                self._forget(gone)
            self._later.update(dict.fromkeys(path for path in owners if path not in self._known))
            self._known.update(owners)
            self._workers.wake()
        elif isinstance(reply, jobs.Unscanned):
            log.error("%s could not be searched: %s", ascii(folder)[1:-1], reply.reason)
        elif reply is None and folder in self._folders:
            # All rests on it, so it is tried as often as there are workers.
            self._searches[folder] = None
            self._workers.wake()
        self._went_on()

    def _scanned(self, path: str, reply: jobs.Reply | None, *, is_stale: bool) -> None:
        self._under_way -= 1
        self._done += 1
        if is_stale:
            if path in self._known:
                self._later[path] = None
        else:
            if path not in self._soon:
                self._due.discard(path)
            self._take_in(path, reply)
        self._went_on()

    def _take_in(self, path: str, reply: jobs.Reply | None) -> None:
        if isinstance(reply, jobs.Scanned):
            self._keep(path, Answer.of(reply.items))
        elif isinstance(reply, jobs.Unscanned):
            level = logging.ERROR if reply.is_failure else logging.INFO
            log.log(level, "%s is not looked at: %s", ascii(path)[1:-1], reply.reason)
            self._keep(path, NOTHING)

    def _keep(self, path: str, answer: Answer) -> None:
        if path not in self._known or self.answer(path) == answer:
            return
        if answer.is_empty:
            del self._found[path]
        else:
            self._found[path] = answer
        if not self._server.session.is_open(path):
            self._server.publisher.tell(path)

    def _forget(self, path: str) -> None:
        self._keep(path, NOTHING)
        self._known.pop(path, None)
        self._due.discard(path)
        for queue in (self._soon, self._later):
            queue.pop(path, None)

    def _leave(self, folder: str) -> None:
        del self._folders[folder]
        self._searches.pop(folder, None)
        for path in [path for path, owner in self._known.items() if owner == folder]:
            self._forget(path)

    def _went_on(self) -> None:
        left = len(self._soon) + len(self._later) + self._under_way
        self._progress.report(self._done, self._done + left)
        if not self._is_busy:
            self._end_round()

    def _end_round(self) -> None:
        if self._is_round and not self._is_busy:
            self._is_round = False
            self._done = 0
            self._progress.end()
            self._server.news.tell()

    def _stop_round(self) -> None:
        self._due.clear()
        for queue in (self._soon, self._searches, self._later):
            queue.clear()
        self._progress.end()
        self._end_round()

    def _search_again(self) -> None:
        self._searching = None
        changed, self._changed = self._changed, set()
        for folder in self._folders:
            if any(path.startswith(folder.rstrip("/") + "/") for path in changed):
                self._searches[folder] = None
        self._go_on()
        self._server.news.tell()

    def _spent(self) -> None:
        """No worker is left: what waits is called off."""
        log.error("files that are not open are not looked at any more")
        while self._urgent:
            self._urgent.popleft().done(None)
        self._stop_round()


def _is_too_wide(folder: str) -> bool:
    """Whether a folder is nobody's project: all of the disk, or all that the user has."""
    path = Path(folder)
    try:
        return path == path.parent or Path.home().is_relative_to(path)
    except RuntimeError:  # a user without a home
        return False
