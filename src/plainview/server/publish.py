"""Sends what was found to the client: after every edit the diagnostics, and once the keyboard rests the rest.

A list goes out only for the text that the client has now: before sending, the report is compared with the
document as it is, so no older version follows a newer one. Edits that arrive while a scan is due share it.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from plainview import wording
from plainview.scan import Report
from plainview.server import convert, status
from plainview.server.document import Document

if TYPE_CHECKING:
    from plainview.server.main import Server

log = logging.getLogger(__name__)

REST = 0.5
"""Seconds without a key after which the keyboard is taken to rest."""


class Publisher:
    """Publishes for one server. Runs on the event loop."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._failed: set[str] = set()

    def changed(self, document: Document) -> None:
        """Publishes for the document as it is now, and sees to it when the keyboard rests."""
        self.publish(document)
        if document.rest is not None:
            document.rest.cancel()
        document.rest = asyncio.get_running_loop().call_later(REST, self._rested, document)

    def publish(self, document: Document) -> None:
        """Scans and publishes soon; a document that is not looked at gets an empty list.

        What is under way already compares with the document before it sends, so it serves this call too.
        """
        if document.publishing is None or document.publishing.done():
            document.publishing = asyncio.get_running_loop().create_task(self._publish(document))

    def clear(self, document: Document) -> None:
        """Takes back what was published for a closed document."""
        self._failed.discard(document.uri)
        if document.publishes:
            self.send(document.uri, None, [])
            self._server.configured.forget(document.path)

    def send(self, uri: str, version: int | None, diagnostics: list[types.Diagnostic]) -> None:
        """Sends a list for a file, open (with its version) or not."""
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, version))

    async def _publish(self, document: Document) -> None:
        session = self._server.session
        while not document.closed:
            if document.lost or document.file is None:
                self._empty(document)
                return
            try:
                report = await session.report(document)
            except Exception as error:  # one document never takes the server down
                self._report_failure(document, error)
                return
            if report is None or not session.is_current(document):
                continue
            if document.publishes:
                self._send(document, self._diagnostics(document, report))
            self._notify_status(document)
            self._server.configured.scanned(document)
            return

    def _diagnostics(self, document: Document, report: Report) -> list[types.Diagnostic]:
        session = self._server.session
        rules = session.engine_for(document).ruleset
        return [
            convert.diagnostic(
                one, report, document, session.encoding, page=session.page(one, rules), quoted=session.quotes
            )
            for one in report.findings
        ]

    def _send(self, document: Document, found: list[types.Diagnostic]) -> None:
        self.send(document.uri, document.version, [*found, *self._server.configured.about(document.path)])

    def _rested(self, document: Document) -> None:
        document.rest = None
        if document.closed:
            return
        if document.settle():
            self.publish(document)
        if self._server.session.client.refreshes_lenses:
            self._server.workspace_code_lens_refresh(None)

    def _empty(self, document: Document) -> None:
        if document.publishes:
            self._send(document, [])
        self._notify_status(document)

    def _notify_status(self, document: Document) -> None:
        if self._server.session.client.takes_status:
            self._server.protocol.notify(status.METHOD, status.of(document))

    def _report_failure(self, document: Document, error: Exception) -> None:
        log.exception("%s could not be scanned", document.uri)
        if document.uri not in self._failed:
            self._failed.add(document.uri)
            name = wording.shown_path(document.path.rpartition("/")[2])
            self._server.warn(
                f"Plainview could not scan {name} ({type(error).__name__}: {wording.quote(str(error))}). "
                "Other files are not affected."
            )
