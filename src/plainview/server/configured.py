"""Keeps configurations and a user's rules in force as they change, and says what is wrong with them where it stands."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from plainview import wording
from plainview.server import diagnosis
from plainview.server.diagnosis import Diagnostic
from plainview.server.folders import Trouble

if TYPE_CHECKING:
    from plainview.server.document import Document
    from plainview.server.main import Server

log = logging.getLogger(__name__)

# Seconds without a change after which a file is read: it may be written key by key, and all open documents are
# looked at again after it.
_REST = 0.2


class Configured:
    """The configurations of one server's folders, as its client sees them. Runs on the event loop."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._said: dict[str, list[Diagnostic]] = {}
        self._touched: set[str] = set()
        self._reading: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Reads all folders' configurations, and says so where one does not count."""
        ignored = self._server.session.folders.ignored()
        if ignored:
            said = f"its {ignored[0]} is not used: it may accept findings and lower rules"
            self._server.inform(f"This workspace is not trusted, so {said}.")
        self.say()

    def touch(self, path: str) -> None:
        """Sees to a file that has changed, on disk or in the editor, if it is part of a configuration."""
        if not path.endswith(".toml"):
            return
        self._touched.add(path)
        if self._reading is not None:
            self._reading.cancel()
        self._reading = asyncio.get_running_loop().call_later(_REST, self._read)

    def touch_all(self) -> None:
        """Sees to every folder's configuration, for a client that does not tell of changes on disk."""
        for folder in self._server.session.folders.all():
            self.touch(f"{folder.path}/plainview.toml")

    def about(self, path: str) -> list[Diagnostic]:
        """What there is to say of a file as a configuration or as a user's rule."""
        return self._said.get(path, [])

    def files(self) -> tuple[str, ...]:
        """The paths of the configurations and rules of which there is something to say."""
        return tuple(self._said)

    def forget(self, path: str) -> None:
        """Takes note that the client has no list for a file any more."""
        self._said.pop(path, None)

    def say(self) -> None:
        """Tells what there is to say of configurations and rules, where that has changed."""
        server = self._server
        folders = server.session.folders
        found: dict[str, list[Diagnostic]] = {}
        for folder in folders.all():
            for path, troubles in folders.troubles(folder).items():
                found.setdefault(path, []).extend(map(self._diagnostic, troubles))
        before, self._said = self._said, found
        for path in sorted({*found, *before}):
            if found.get(path) != before.get(path):
                server.publisher.tell(path)
                self._say_in_words(path, found.get(path, []))

    def _say_in_words(self, path: str, found: list[Diagnostic]) -> None:
        """Tells a client that only asks of what it has open, and is not to be reached otherwise, of another file."""
        client, folders = self._server.session.client, self._server.session.folders
        if client.pulls and not client.refreshes_diagnostics and not client.takes_related and not folders.open(path):
            for one in found:
                self._server.warn(f"{wording.shown_path(path.rpartition('/')[2])}: {one.message}")

    def _diagnostic(self, trouble: Trouble) -> Diagnostic:
        # What such a file holds is quoted in its errors, and an agent may be at work on a file that it does not trust.
        quoted = not self._server.session.client.is_agent
        return diagnosis.trouble(trouble, self._server.session.encoding, quoted=quoted)

    def _read(self) -> None:
        self._reading = None
        touched, self._touched = self._touched, set()
        session, publisher = self._server.session, self._server.publisher
        try:
            changed = session.folders.changed(touched)
            for document in session.documents.values():
                if document.is_file and session.folders.of(document.path) in changed:
                    document.report = None
                    publisher.publish(document)
            self.say()
            self._server.background.update()
        except Exception as error:  # a configuration never takes the server down
            self._server.report_server_error(error, self._read)
        if session.client.refreshes_lenses:
            self._server.workspace_code_lens_refresh(None)

    def closed(self, document: Document) -> None:
        """Takes back what only an open document tells."""
        if document.unmatched:
            self.say()

    def scanned(self, document: Document) -> None:
        """Says which acceptances a document that has just been looked at leaves without a finding."""
        report = document.report
        unmatched = dict(report.unmatched) if report is not None else {}
        if unmatched != document.unmatched:
            document.unmatched = unmatched
            self.say()
