"""All that a session knows: the client, its preferences, the engine, and the open documents.

Only the event loop's thread touches it. Scans work on immutable texts.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from plainview import scan
from plainview.finding import Finding
from plainview.rules import Ruleset
from plainview.server import kinds, lazy
from plainview.server.client import Client
from plainview.server.document import Document
from plainview.server.folders import Folders
from plainview.server.pages import Pages
from plainview.server.preferences import Preferences
from plainview.settings import Settings
from plainview.text import Encoding, Source

if TYPE_CHECKING:
    from plainview.scan import Engine, Report

log = logging.getLogger(__name__)

# Code points. Scanning this many takes about as long as an eye takes to see a change, and nothing else is
# answered meanwhile; longer texts are scanned beside the event loop.
_INLINE = 100_000

# Seconds for which a first document is waited for: loading the vocabulary would hold it up.
_PATIENCE = 1.0


class Session:
    """One client's session. `on_counter` is called on the loop once tokens can be counted, or never will be."""

    def __init__(self, on_counter: Callable[[], None]) -> None:
        self.client = Client()
        self.encoding = Encoding.UTF16
        self.preferences = Preferences()
        self.documents: dict[str, Document] = {}
        self.folders = Folders(lambda: self.engine, self.documents.values)
        self.count: Callable[[str], int] | None = None
        self.count_trouble: str | None = None
        self._on_counter = on_counter
        self._engine: Engine | None = None
        self._is_warm = False
        self._counter: threading.Thread | None = None
        # Of rules that were in force before others no finding will be sent again.
        self._pages: deque[Pages] = deque(maxlen=8)
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="scan")

    @property
    def engine(self) -> Engine:
        """The engine without any configuration, loaded when it is first needed."""
        if self._engine is None:
            self._engine = scan.Engine.load(Settings())
        return self._engine

    @property
    def quotes(self) -> bool:
        """Whether scanned text may be quoted to the client: an agent's model would read it as it reads orders."""
        return self.preferences.quote_to_agents or not self.client.is_agent

    def page(self, finding: Finding, ruleset: Ruleset) -> str | None:
        """The address of the page of the finding's rule, which is one of `ruleset`, if it can be opened."""
        pages = next((one for one in self._pages if one.ruleset is ruleset), None)
        if pages is None:
            pages = Pages(ruleset)
            self._pages.appendleft(pages)
        return pages.address(finding.rule)

    def warm(self) -> None:
        """Loads what scans need, and the vocabulary a little later. Calling it again does nothing."""
        if not self._is_warm:
            self._is_warm = True
            lazy.load()
            _ = self.engine
            asyncio.get_running_loop().call_later(_PATIENCE, self.begin_counting)

    def begin_counting(self) -> None:
        """Loads the vocabulary beside the loop: what the user waits for has been sent. Again it does nothing."""
        if self._counter is None:
            lazy.load_rest()
            loop = asyncio.get_running_loop()
            self._counter = threading.Thread(target=self._load_counter, args=(loop,), daemon=True, name="vocabulary")
            self._counter.start()

    def open(self, uri: str, language: str, version: int | None, text: str) -> Document:
        """A document that the client has opened; one of that URI that was open is closed."""
        self.close(uri)
        document = Document(uri, language, version, Source(text))
        self.classify(document)
        self.documents[uri] = document
        return document

    def close(self, uri: str) -> Document | None:
        """The document that was open, if there was one."""
        document = self.documents.pop(uri, None)
        if document is not None:
            document.closed = True
            document.settled.set()
            if document.rest is not None:
                document.rest.cancel()
        return document

    def is_open(self, path: str) -> bool:
        """Whether the client has the file at a path open, whatever is known of its text."""
        return any(document.path == path and document.is_file for document in self.documents.values())

    def classify(self, document: Document) -> None:
        """Sets what kind of file the document is and where it belongs."""
        where = kinds.place(document.uri)
        document.path = where.path or document.uri.partition(":")[2]
        document.publishes = where.is_edited
        all_markdown = self.preferences.scan == "allMarkdown"
        document.file = kinds.kind_of(where, document.language, self.engine.kinds, all_markdown=all_markdown)
        document.is_file = where.is_saved
        document.root = root_of(where.path, self.folders.paths)
        document.report = None

    def engine_for(self, document: Document) -> Engine:
        """The engine that scans the document, with its workspace folder's configuration."""
        return self.folders.engine_for(document.path) if document.is_file else self.engine

    async def report(self, document: Document) -> Report | None:
        """The report on the document as it is now; None for one that is left alone, lost or closed.

        Raises what the scan raises.
        """
        if self.is_current(document):
            return document.report
        async with document.scanning:
            while not document.closed and not document.lost and document.file is not None:
                if self.is_current(document):
                    return document.report
                await self._scan(document)
        return None

    def is_current(self, document: Document) -> bool:
        """Whether the document's report is on its text as it is, counted if that is possible by now."""
        report = document.report
        fresh = report is not None and report.source is document.view and document.counted is (self.count is not None)
        return fresh and not document.lost

    async def _scan(self, document: Document) -> None:
        view, count, engine = document.view, self.count, self.engine_for(document)
        # A scan that is called off goes on in its thread, and keeps to itself what no other may use meanwhile.
        past, document.past = document.past, scan.Past()
        work = partial(
            scan.scan, view, engine, path=document.path, root=document.root, count=count, file=document.file, past=past
        )
        if len(view.text) <= _INLINE:
            report = work()
        else:
            report = await asyncio.get_running_loop().run_in_executor(self._pool, work)
        document.past = past
        if view is document.view and engine is self.engine_for(document):
            document.report, document.counted = report, count is not None

    def _load_counter(self, loop: asyncio.AbstractEventLoop) -> None:
        from plainview import tokens

        try:
            tokens.load()
        except Exception as error:
            log.exception("the vocabulary cannot be loaded")
            trouble = f"Tokens cannot be counted: {error}"
            loop.call_soon_threadsafe(self._counter_loaded, None, trouble)
        else:
            loop.call_soon_threadsafe(self._counter_loaded, tokens.count, None)

    def _counter_loaded(self, count: Callable[[str], int] | None, trouble: str | None) -> None:
        self.count, self.count_trouble = count, trouble
        self._on_counter()


def root_of(path: str, folders: Iterable[str]) -> str:
    """The innermost workspace folder that holds the path, else the path's own folder."""
    holding = [folder for folder in folders if path.startswith(folder.rstrip("/") + "/")]
    return max(holding, key=len, default=path.rpartition("/")[0])
