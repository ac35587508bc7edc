"""One open document: its text as the editor has it, and what was last found in it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from plainview import scan
from plainview.config import Acceptance
from plainview.kinds import FileKind
from plainview.server.answer import Answer
from plainview.text import Change, Encoding, InvalidRange, Source

if TYPE_CHECKING:
    from plainview.scan import Report

_OPENING = "<!--"
_CLOSING = "-->"


class Document:
    """A document that a client has open.

    `is_file` tells one at a place on disk from a buffer. `file` is its kind, None for one that no host reads and that
    is left alone. `report` is the newest there is, on `view` unless a scan is due; `unmatched` are its acceptances in
    vain that the user has been told of. `lost` is set once an edit made no sense: from then on the text is not the
    editor's, and nothing is said about it until the whole text arrives. `past` is what the scans before left to the
    next. `answered` is what was made of a report for the client, quoted or not; `told` the id of what a client that
    pulls was told of the text as it is. `settled` is set unless a comment is being opened.
    """

    def __init__(self, uri: str, language: str, version: int | None, source: Source) -> None:
        self.uri = uri
        self.language = language
        self.version = version
        self.source = source
        self.file: FileKind | None = None
        self.path = ""
        self.root = ""
        self.is_file = False
        self.publishes = True
        self.closed = False
        self.lost = False
        self.report: Report | None = None
        self.answered: tuple[Report, bool, Answer] | None = None
        self.told: str | None = None
        self.past = scan.Past()
        self.unmatched: dict[str, Acceptance] = {}
        self.counted = False
        self.scanning = asyncio.Lock()
        self.publishing: asyncio.Task[None] | None = None
        self.rest: asyncio.TimerHandle | None = None
        self.settled = asyncio.Event()
        self._opening: int | None = None
        self._view = source
        self.settled.set()

    @property
    def view(self) -> Source:
        """What is scanned: the text, without the `<!--` that is being typed and that nothing closes yet.

        Such an opening hides the rest of the page for as long as it takes to type what it is for.
        """
        return self._view

    @property
    def is_opening(self) -> bool:
        """Whether a comment is being opened."""
        return self._opening is not None

    def change(self, changes: Sequence[Change], version: int | None, encoding: Encoding) -> None:
        """Makes the edits. Raises InvalidRange at the first that makes no sense, with the document lost."""
        self.version = version
        for change in changes:
            if change.start is None:
                self.lost = False
            if self.lost:
                continue
            try:
                self._change(change, encoding)
            except InvalidRange:
                self.lost = True
                raise
        self._view = self._without_opening()
        if self.is_opening:
            self.settled.clear()
        else:
            self.settled.set()

    def settle(self) -> bool:
        """Takes an opened comment for what it is, for the keyboard rests; whether that changes anything."""
        changed = self._opening is not None
        self._opening = None
        self._view = self.source
        self.settled.set()
        return changed

    def _change(self, change: Change, encoding: Encoding) -> None:
        before = self.source
        self.source = before.apply([change], encoding)
        if change.start is None or change.start != (change.end or change.start) or not _is_key(change.text):
            self._opening = self._moved(change, before, encoding)
            return
        # One character was typed: does it complete an opening?
        at = before.offset(change.start, encoding)
        start = at + 1 - len(_OPENING)
        if change.text == _OPENING[-1] and start >= 0 and self.source.text.startswith(_OPENING, start):
            self._opening = start
        elif self._opening is not None:
            self._opening += len(change.text) if at <= self._opening else 0

    def _moved(self, change: Change, before: Source, encoding: Encoding) -> int | None:
        """Where the opening stands after a change; None where it was touched, or more than a key's worth came."""
        if self._opening is None or change.start is None or not _is_key(change.text):
            return None
        start = before.offset(change.start, encoding)
        end = before.offset(change.end or change.start, encoding)
        if start >= self._opening + len(_OPENING):
            return self._opening
        return self._opening - (end - start) + len(change.text) if end <= self._opening else None

    def _without_opening(self) -> Source:
        text, at = self.source.text, self._opening
        if at is None or not text.startswith(_OPENING, at) or text.find(_CLOSING, at + len(_OPENING)) >= 0:
            self._opening = None
            return self.source
        return Source(text[:at] + " " + text[at + 1 :], self.source.bom)


def _is_key(text: str) -> bool:
    """Whether a key could have put it there: a character, or a line end with its indentation."""
    return len(text) <= 1 or not text.strip()
