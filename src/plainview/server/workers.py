"""The worker processes: started when there is work, ended when there has been none for a while.

Each has one piece of work at a time, so that the one that a process died of is known.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import subprocess
import sys
from collections.abc import Callable
from typing import NamedTuple

from plainview.server import jobs

log = logging.getLogger(__name__)

MOST = 4
"""Processes at most, however many processors there are."""

_IDLE = 30.0  # seconds without work after which a process gives its memory back
_DEATHS = 2  # of processes in one place; after that nothing is started there any more

PATIENCE = 60.0
"""Seconds that a scan may take. A search may take longer: a folder can be as large as a disk, and as slow."""

# Scans in a row that took longer, after which it is not the files' fault. Fewer would let a few files that somebody
# has put there keep all others from being looked at.
_OVERDUE = 5

# The folder that the server was started in is the user's: no module is taken from it.
_CODE = "import sys; sys.path[:] = filter(None, sys.path); from plainview.server.worker import main; main()"
if sys.platform == "win32":
    _LOW = subprocess.BELOW_NORMAL_PRIORITY_CLASS
else:
    _LOW = 0  # the worker sees to it itself


class Job(NamedTuple):
    """A piece of work. `done` is called with the reply, or with None where the process died of it or took too long."""

    asked: jobs.Search | jobs.Scan
    ground: jobs.Ground | None
    done: Callable[[jobs.Reply | None], None]

    @property
    def name(self) -> str:
        """What the work is about, for the log."""
        place = self.asked.folder if isinstance(self.asked, jobs.Search) else self.asked.path
        return ascii(os.fsdecode(place))[1:-1]


def size() -> int:
    """How many processes there are at most: one processor is the server's."""
    count = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return max(1, min(MOST, count - 1))


class Workers:
    """Some processes. `take` gives the next piece of work, None where there is none; `spent` is called when all
    processes have died too often and nothing will be done any more. Runs on the event loop."""

    def __init__(self, take: Callable[[], Job | None], spent: Callable[[], None]) -> None:
        self._take = take
        self._spent = spent
        self._stopped = False
        self._places = [_Place() for _ in range(size())]

    @property
    def is_spent(self) -> bool:
        """Whether nothing will be done any more."""
        return self._stopped or all(place.is_left for place in self._places)

    def wake(self) -> None:
        """Sees to it that work is taken, for there is some."""
        for place in self._places:
            if not self._stopped and not place.is_left and (place.task is None or place.task.done()):
                place.task = asyncio.get_running_loop().create_task(self._work(place))

    def stop(self) -> None:
        """Ends all processes, whatever they are doing."""
        self._stopped = True
        for place in self._places:
            place.end()

    async def _work(self, place: _Place) -> None:
        while not self._stopped and not place.is_left and (job := self._take()) is not None:
            self._hand_back(job, await self._reply(place, job))
        if not place.is_left:
            place.rest()
        elif self.is_spent:
            self._spent()

    async def _reply(self, place: _Place, job: Job) -> jobs.Reply | None:
        try:
            reply = await asyncio.wait_for(place.ask(job), PATIENCE if isinstance(job.asked, jobs.Scan) else None)
        except Exception as error:  # whatever it is, the process cannot be talked to any more
            if self._stopped:
                return None
            if isinstance(error, asyncio.TimeoutError):
                place.overdue += 1
                what, why = "was ended", f"it took longer than {PATIENCE:g} s"
            else:
                place.deaths += 1
                what, why = "died", "it ended" if isinstance(error, EOFError) else str(error)
            log.error(
                "a worker (%s) %s while it looked at %s: %s%s",
                await place.status(),
                what,
                job.name,
                why,
                "; it is not replaced again" if place.is_left else "",
            )
            return None
        place.overdue = 0
        return reply

    def _hand_back(self, job: Job, reply: jobs.Reply | None) -> None:
        try:
            job.done(reply)
        except Exception:  # one file never keeps the others from being looked at
            log.exception("what was found in %s is lost", job.name)


class _Place:
    """One process after another."""

    def __init__(self) -> None:
        self.task: asyncio.Task[None] | None = None
        self.deaths = 0
        self.overdue = 0
        self._process: asyncio.subprocess.Process | None = None
        self._grounds: dict[bytes, int] = {}
        self._resting: asyncio.TimerHandle | None = None

    @property
    def is_left(self) -> bool:
        """Whether nothing is started here any more."""
        return self.deaths >= _DEATHS or self.overdue >= _OVERDUE

    async def ask(self, job: Job) -> jobs.Reply:
        """The reply to a piece of work. Raises OSError or EOFError where the process dies of it."""
        if self._resting is not None:
            self._resting.cancel()
        if self._process is None:
            self._process, self._grounds = await _started(), {}
        requests, replies = self._process.stdin, self._process.stdout
        if requests is None or replies is None:
            raise OSError("it has no pipes")
        ground = job.ground
        if ground is not None and self._grounds.get(ground.folder) != ground.number:
            self._grounds[ground.folder] = ground.number
            requests.write(jobs.framed(ground))
        requests.write(jobs.framed(job.asked))
        await requests.drain()
        (length,) = jobs.LENGTH.unpack(await replies.readexactly(jobs.LENGTH.size))
        return jobs.reply(await replies.readexactly(length))

    async def status(self) -> str:
        """How the process ended; the next piece of work gets another."""
        process, self._process = self._process, None
        if process is None:
            return "not started"
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        return f"process {process.pid}, status {await process.wait()}"

    def rest(self) -> None:
        """Ends the process unless there is work again soon."""
        if self._process is not None:
            self._resting = asyncio.get_running_loop().call_later(_IDLE, self.end)

    def end(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()


async def _started() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _CODE),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        creationflags=_LOW,
    )
