"""The configurations of the workspace's folders: each folder has its own, and no other file's counts.

What an editor has open counts before it is saved, so that a configuration can be tried out while it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from plainview import config, trial, wording
from plainview.config import NOTHING
from plainview.finding import Span
from plainview.rules import DataError, Read, read_bytes, rule_files
from plainview.server.document import Document
from plainview.text import Source

if TYPE_CHECKING:
    from plainview.scan import Engine

_numbers = count(1)


class Trouble(NamedTuple):
    """Something in a configuration or a rule file that a person must know: where, in which text, and what.

    `is_error` tells what cannot be used from what is used in vain.
    """

    source: Source
    span: Span
    message: str
    is_error: bool = True


class Folder:
    """A workspace folder: `path` (absolute, posix), its configuration, and the engine that scans its files.

    `files` are the bytes that these were made of, `number` is another one for each state of them.
    """

    def __init__(self, path: str, engine: Engine) -> None:
        self.path = path
        self.config = NOTHING
        self.engine = engine
        self.errors: tuple[DataError, ...] = ()
        self.files: dict[Path, bytes] = {}
        self.number = next(_numbers)
        self._plain = engine
        self._extended = engine
        self._rules: dict[Path, bytes] = {}

    def load(self, read: Read) -> bool:
        """Reads the configuration and a user's rules; whether scans may differ now."""
        before, rules = self.config, self._rules
        files: dict[Path, bytes] = {}

        def kept(file: Path) -> bytes:
            files[file] = data = read(file)
            return data

        self.config = config.find(Path(self.path), kept)
        self._rules = {file: _bytes(file, kept) for file in rule_files(self.config.extend)}
        if rules != self._rules or before.extend != self.config.extend:
            self._extended = self._plain.extended(self.config.extend, read) if self.config.extend else self._plain
        elif self.config == before:
            return False
        self.files, self.number = files, next(_numbers)
        self.engine = self._extended.configured(self.config)
        own = self._extended.errors if self.config.extend else ()
        self.errors = (*self.config.errors, *self.engine.policy.errors, *own)
        return True


class Folders:
    """The folders of a session. `engine` gives the one without configuration, `documents` those that are open."""

    def __init__(self, engine: Callable[[], Engine], documents: Callable[[], Iterable[Document]]) -> None:
        self.trusted = True
        self._engine = engine
        self._documents = documents
        self._paths: dict[str, str] = {}
        self._loaded: dict[str, Folder] = {}

    @property
    def paths(self) -> tuple[str, ...]:
        """The folders, absolute and posix."""
        return tuple(self._paths)

    def set(self, uris: dict[str, str]) -> None:
        """Takes the workspace's folders as they are now: paths with their URIs."""
        self._paths = {path.rstrip("/") or "/": uri for path, uri in uris.items()}
        self._loaded = {path: folder for path, folder in self._loaded.items() if path in self._paths}

    def of(self, path: str) -> Folder | None:
        """The innermost folder that holds a path; None outside of all, and in a workspace that is not trusted."""
        holding = [folder for folder in self._paths if path.startswith(folder.rstrip("/") + "/")]
        if not holding or not self.trusted:
            return None
        return self._folder(max(holding, key=len))

    def all(self) -> list[Folder]:
        """Every folder with its configuration; none in a workspace that is not trusted."""
        return [self._folder(path) for path in self._paths] if self.trusted else []

    def ignored(self) -> list[str]:
        """The configurations that are there and do not count, for the workspace is not trusted."""
        files = [config.find(Path(path), self.read).file for path in self._paths] if not self.trusted else []
        return [file.name for file in files if file is not None]

    def engine_for(self, path: str) -> Engine:
        """The engine that scans a file."""
        folder = self.of(path)
        return folder.engine if folder is not None else self._engine()

    def changed(self, paths: Iterable[str]) -> list[Folder]:
        """Reads anew what changed files may be part of; the folders whose files have to be looked at again."""
        paths = tuple(paths)
        return [
            folder
            for folder in self.all()
            if any(path.startswith(f"{folder.path.rstrip('/')}/") for path in paths) and folder.load(self.read)
        ]

    def read(self, file: Path) -> bytes:
        """The bytes of a file as an editor has it open, else as it is on disk. Raises DataError."""
        document = self.open(file.as_posix())
        return document.source.text.encode("utf-8", "replace") if document is not None else read_bytes(file)

    def open(self, path: str) -> Document | None:
        """The document that is open at a path, if its text is the editor's."""
        return next((one for one in self._documents() if one.path == path and one.is_file and not one.lost), None)

    def uri(self, path: str) -> str:
        """The URI of a file: the editor's own where it has the file open, else one below its folder's."""
        document = self.open(path)
        if document is not None:
            return document.uri
        for folder, uri in sorted(self._paths.items(), reverse=True):
            if path.startswith(folder.rstrip("/") + "/"):
                below = Path("/", path[len(folder.rstrip("/")) + 1 :]).as_uri().removeprefix("file://")
                return uri.rstrip("/") + below
        return Path(path).as_uri()

    def troubles(self, folder: Folder) -> dict[str, list[Trouble]]:
        """What is to be said of a folder's configuration and rules, by the path of the file."""
        found: dict[str, list[Trouble]] = {}
        texts: dict[Path, Source] = {}
        for error, is_error in self._said(folder):
            file, key = error.file, error.key
            if file.is_dir() and folder.config.file is not None:
                file, key = folder.config.file, folder.config.key("rules", "extend")
            source = texts.get(file)
            if source is None:
                source = texts[file] = self._source(file)
            found.setdefault(file.as_posix(), []).append(
                Trouble(source, _place(source.text, key, error.problem), error.problem, is_error)
            )
        return found

    def _said(self, folder: Folder) -> Iterator[tuple[DataError, bool]]:
        for error in folder.errors:
            yield error, True
        for rule_id, file in folder.engine.ruleset.own.items():
            rule = folder.engine.ruleset.rule(rule_id)
            # Only what somebody is at work on is tried: examples are scans.
            if rule is not None and self.open(file.as_posix()) is not None:
                yield from ((error, False) for error in trial.failures(rule, file, folder.engine.configured(NOTHING)))
        if folder.config.file is None:
            return
        for document in self._documents():
            report = document.report if self.of(document.path) is folder else None
            for key, one in report.unmatched.items() if report is not None else ():
                yield DataError(folder.config.file, key, f"This acceptance {wording.unmatched(one)}."), False

    def _folder(self, path: str) -> Folder:
        folder = self._loaded.get(path)
        if folder is None:
            folder = self._loaded[path] = Folder(path, self._engine())
            folder.load(self.read)
        return folder

    def _source(self, file: Path) -> Source:
        try:
            return Source(self.read(file).decode("utf-8", "replace"))
        except DataError:
            return Source("")


def _bytes(file: Path, read: Read) -> bytes:
    try:
        return read(file)
    except DataError as error:
        return str(error).encode("utf-8", "replace")


def _place(text: str, key: str, problem: str) -> Span:
    # Only a fault needs it.
    from plainview import toml_places

    return toml_places.place(text, key) if key else toml_places.syntax_error(text, problem)
