"""Tells the client what was found: after every edit the diagnostics, and once the keyboard rests the rest.

A client that pulls asks for its lists itself; it is told when asking again would give it another one. To all others a
list goes out only for the text that they have now: before sending, the report is compared with the document as it is,
so no older version follows a newer one. Edits that arrive while a scan is due share it.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from plainview import wording
from plainview.server import diagnosis, garbage, status
from plainview.server.answer import NOTHING, Answer, encoded, members
from plainview.server.document import Document
from plainview.server.protocol import Encoded

if TYPE_CHECKING:
    from plainview.scan import Report
    from plainview.server.main import Server

log = logging.getLogger(__name__)

REST = 0.5
"""Seconds without a key after which the keyboard is taken to rest."""

# Seconds for which reasons to ask again are gathered: after a rule has changed every open document has one.
_GATHER = 0.1


class Publisher:
    """Publishes for one server. Runs on the event loop."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._failed: set[str] = set()
        # What the client was sent last of files that it has not open: URI and the answer's id, by path.
        self._sent: dict[str, tuple[str, str]] = {}
        self._refreshing: asyncio.TimerHandle | None = None

    def changed(self, document: Document) -> None:
        """Publishes for the document as it is now, and sees to it when the keyboard rests."""
        self.publish(document)
        if document.rest is not None:
            document.rest.cancel()
        document.rest = asyncio.get_running_loop().call_later(REST, self._rested, document)

    def edited(self, document: Document) -> None:
        """Publishes for a document whose text has changed: a client that pulls asks anew of its own accord."""
        document.told = None
        self.changed(document)

    def opened(self, document: Document) -> None:
        """Publishes for a document that has just been opened, and takes back what was said of the file under another
        name."""
        self._server.background.reopened(document.path)
        sent = self._sent.pop(document.path, None)
        if sent is not None and sent[0] != document.uri:
            self._send(sent[0], None, NOTHING)
        self.edited(document)

    def publish(self, document: Document) -> None:
        """Scans and publishes soon; a document that is not looked at gets an empty list.

        What is under way already compares with the document before it sends, so it serves this call too.
        """
        if document.publishing is None or document.publishing.done():
            document.publishing = asyncio.get_running_loop().create_task(self._publish(document))

    def closed(self, document: Document) -> None:
        """Takes back what was published for a closed document; from here on the file on disk counts."""
        self._failed.discard(document.uri)
        if document.publishes:
            self._send(document.uri, None, NOTHING)
            self._server.configured.forget(document.path)
        if document.is_file:
            self._server.background.touch(document.path)
        self._server.news.tell()

    def tell(self, path: str) -> None:
        """Tells what there is to say of a file that has changed; an open document speaks for itself."""
        server = self._server
        opened = [one for one in server.session.documents.values() if one.path == path and one.is_file]
        if opened:
            for document in opened:
                self.publish(document)
            return
        if server.session.client.pulls:
            server.news.tell()
            if not server.news.is_read:
                self.refresh()
            return
        answer = self.answer_of(path)
        uri, sent = server.session.folders.uri(path), self._sent.get(path)
        if sent == (uri, answer.id) or (sent is None and answer.is_empty):
            return
        if sent is not None and sent[0] != uri:
            self._send(sent[0], None, NOTHING)
        if answer.is_empty:
            del self._sent[path]
        else:
            self._sent[path] = uri, answer.id
        self._send(uri, None, answer)

    def answer(self, document: Document) -> Answer:
        """What there is to say of an open document, by its newest report."""
        return self._found(document).and_also(self._server.configured.about(document.path))

    def answer_of(self, path: str) -> Answer:
        """What there is to say of a file that is not open, by what is known of it."""
        return self._server.background.answer(path).and_also(self._server.configured.about(path))

    def standing(self) -> dict[str, tuple[int | None, Answer | None]]:
        """What there is to say of all files, by URI, with the version of those that are open; None where that is not
        known now. Of files that are not in it there is nothing to say."""
        server = self._server
        folders, background = server.session.folders, server.background
        documents = [one for one in server.session.documents.values() if one.publishes]
        opened = {one.path for one in documents}
        standing: dict[str, tuple[int | None, Answer | None]] = {
            folders.uri(path): (None, self.answer_of(path) if not background.is_due(path) else None)
            for path in {*background.files(), *server.configured.files()} - opened
        }
        for document in documents:
            is_known = server.session.is_current(document) or document.lost or document.file is None
            standing[document.uri] = document.version, self.answer(document) if is_known else None
        return standing

    def refresh(self) -> None:
        """Has a client that pulls ask again soon, if it can be asked to."""
        if self._refreshing is None and self._server.session.client.refreshes_diagnostics:
            self._refreshing = asyncio.get_running_loop().call_later(_GATHER, self._refresh)

    def failed(self, document: Document, error: Exception) -> None:
        """Logs that a document could not be scanned, and tells the user so once."""
        log.error("%s could not be scanned", document.uri, exc_info=error)
        if document.uri not in self._failed:
            self._failed.add(document.uri)
            name = wording.shown_path(document.path.rpartition("/")[2])
            self._server.warn(
                f"Plainview could not scan {name} ({type(error).__name__}: {wording.quote(str(error))}). "
                "Other files are not affected."
            )

    async def _publish(self, document: Document) -> None:
        session = self._server.session
        while not document.closed:
            if document.lost or document.file is None:
                self._say(document)
                return
            try:
                report = await session.report(document)
            except Exception as error:  # one document never takes the server down
                self.failed(document, error)
                return
            if report is None or not session.is_current(document):
                continue
            self._say(document)
            self._server.configured.scanned(document)
            return

    def _say(self, document: Document) -> None:
        if document.publishes:
            answer = self.answer(document)
            self._send(document.uri, document.version, answer)
            if document.told not in (None, answer.id):
                self.refresh()
        if self._server.session.client.takes_status:
            self._server.protocol.notify(status.METHOD, status.of(document))
        self._server.session.begin_counting()

    def _found(self, document: Document) -> Answer:
        session, report = self._server.session, document.report
        if report is None or document.lost or document.file is None:
            return NOTHING
        made = document.answered
        if made is None or made[0] is not report or made[1] is not session.quotes:
            made = document.answered = report, session.quotes, self._made(document, report)
        return made[2]

    def _made(self, document: Document, report: Report) -> Answer:
        session = self._server.session
        rules = session.engine_for(document).ruleset
        return diagnosis.answer(
            report,
            document.uri,
            session.encoding,
            page=lambda finding: session.page(finding, rules),
            quoted=session.quotes,
        )

    def _send(self, uri: str, version: int | None, answer: Answer) -> None:
        if self._server.session.client.pulls:
            return
        parts = [("uri", encoded(uri)), ("diagnostics", answer.items)]
        if version is not None:
            parts.append(("version", encoded(version)))
        self._server.protocol.notify(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, Encoded(members(*parts)))

    def _refresh(self) -> None:
        self._refreshing = None
        self._server.workspace_diagnostic_refresh(None)

    def _rested(self, document: Document) -> None:
        document.rest = None
        if document.closed:
            return
        self._server.news.tell()
        if document.settle():
            self.publish(document)
        if self._server.session.client.refreshes_lenses:
            self._server.workspace_code_lens_refresh(None)
        garbage.search()
