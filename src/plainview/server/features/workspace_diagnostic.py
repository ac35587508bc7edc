"""`workspace/diagnostic`: what there is to say of all files of the workspace, for clients that ask.

The request stays open while there is nothing to tell: a client that has its answer asks again at once. One that takes
partial results gets them as they are found, and an empty report at the end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types

from plainview.server.answer import NOTHING, Answer, encoded, members
from plainview.server.protocol import Encoded

if TYPE_CHECKING:
    from plainview.server.main import Server

# Seconds for which news are gathered before they are told.
_GATHER = 0.2


def register(server: Server) -> None:
    """Registers the request."""
    was_answered = False

    @server.feature(types.WORKSPACE_DIAGNOSTIC)
    async def workspace_diagnostic(params: types.WorkspaceDiagnosticParams) -> Encoded:
        nonlocal was_answered
        server.background.ask()
        before = {one.uri: one.value for one in params.previous_result_ids}
        token = params.partial_result_token
        told = dict(before)
        with server.news.reader():
            while True:
                number = server.news.number
                # What is looked at for the first time, or again, is for a later answer.
                is_settled = server.background.is_settled
                changes = _changes(server, told, is_settled=is_settled)
                if token is not None and changes:
                    _stream(server, token, map(_full, changes))
                    told.update((change.uri, change.answer.id) for change in changes)
                    changes = []
                if is_settled and (changes or told != before or not was_answered):
                    break
                await server.news.after(number)
                await asyncio.sleep(_GATHER)
        was_answered = True
        changed = {change.uri for change in changes}
        same = [_unchanged(uri, value) for uri, value in before.items() if told[uri] == value and uri not in changed]
        if token is None:
            return Encoded(_report([*map(_full, changes), *same]))
        if same:
            _stream(server, token, same)
        return Encoded(_report(()))


class _Change(NamedTuple):
    """A document of which there is another thing to say than the client was told; its version if it is open."""

    uri: str
    version: int | None
    answer: Answer


def _changes(server: Server, told: Mapping[str, str], *, is_settled: bool) -> list[_Change]:
    """What a client does not know that knows the answers with these ids, by URI.

    An empty answer is told only to one that has another. A file that is there no more has one, but so has one that was
    not looked at yet, unless all `is_settled`.
    """
    standing = server.publisher.standing()
    changes = [
        _Change(uri, version, answer)
        for uri, (version, answer) in standing.items()
        if answer is not None and told.get(uri, NOTHING.id) != answer.id
    ]
    if is_settled:
        changes += [
            _Change(uri, None, NOTHING) for uri, value in told.items() if uri not in standing and value != NOTHING.id
        ]
    return changes


def _full(change: _Change) -> bytes:
    return change.answer.full(("uri", encoded(change.uri)), ("version", encoded(change.version)))


def _unchanged(uri: str, value: str) -> bytes:
    return members(
        *(("kind", b'"unchanged"'), ("resultId", encoded(value)), ("uri", encoded(uri)), ("version", b"null"))
    )


def _report(reports: Iterable[bytes]) -> bytes:
    return members(("items", b"[" + b",".join(reports) + b"]"))


def _stream(server: Server, token: int | str, reports: Iterable[bytes]) -> None:
    server.protocol.notify(types.PROGRESS, Encoded(members(("token", encoded(token)), ("value", _report(reports)))))
