"""Worker processes that do not answer, without an editor: what is known of them is what the log and the replies say."""

import asyncio
import logging
from collections.abc import Iterable

import pytest

from plainview.server import jobs, workers
from plainview.server.workers import Job, Workers

# A worker that says of every file how often it was asked before, and of those that are called so nothing at all.
CODE = """
import sys, time
from plainview.server import jobs
asked = 0
while len(head := sys.stdin.buffer.read(jobs.LENGTH.size)) == jobs.LENGTH.size:
    request = jobs.request(sys.stdin.buffer.read(*jobs.LENGTH.unpack(head)))
    if b"silent" in request.path:
        time.sleep(3600)
    sys.stdout.buffer.write(jobs.framed(jobs.Unscanned(str(asked))))
    sys.stdout.buffer.flush()
    asked += 1
"""


def replies(names: Iterable[str], monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str | None]]:
    """What one worker after the other says of files, by name; None for one that gave no answer."""
    monkeypatch.setattr(workers, "_CODE", CODE)
    monkeypatch.setattr(workers, "size", lambda: 1)
    found: list[tuple[str, str | None]] = []
    left = iter(names)

    async def serve() -> None:
        over = asyncio.Event()

        def take() -> Job | None:
            name = next(left, None)
            if name is None:
                over.set()
                return None
            # Only what will never be answered is not waited for.
            monkeypatch.setattr(workers, "PATIENCE", 0.2 if "silent" in name else 600.0)
            scan = jobs.Scan(name.encode(), b"", "", 0, "utf-8", True)
            return Job(scan, None, lambda reply: found.append((name, getattr(reply, "reason", None))))

        pool = Workers(take, over.set)
        pool.wake()
        await over.wait()
        found.append(("spent", str(pool.is_spent)))
        process = pool._places[0]._process
        pool.stop()
        if process is not None:
            await process.communicate()

    asyncio.run(serve())
    return found


def test_a_scan_that_takes_too_long_is_ended_and_named(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        found = replies(["one", "two", "silent", "three", "four"], monkeypatch)
    # The next file is looked at by another process, which has not been asked before.
    assert found == [("one", "0"), ("two", "1"), ("silent", None), ("three", "0"), ("four", "1"), ("spent", "False")]
    (record,) = caplog.records
    assert "was ended while it looked at silent" in record.message
    assert "replaced" not in record.message


def test_files_that_take_too_long_keep_no_other_from_being_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [name for number in range(6) for name in (f"silent {number}", f"well {number}")]
    found = replies(names, monkeypatch)
    assert [answer for name, answer in found if name.startswith("well")] == ["0"] * 6


def test_where_no_scan_comes_to_an_end_none_is_begun_any_more(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        found = replies((f"silent {number}" for number in range(99)), monkeypatch)
    assert found == [*((f"silent {number}", None) for number in range(5)), ("spent", "True")]
    assert caplog.records[-1].message.endswith("it is not replaced again")
