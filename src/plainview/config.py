"""Reads `plainview.toml`, or `[tool.plainview]` of `pyproject.toml`: acceptances, severities, a user's rules.

Which file counts is the caller's decision, and never that of what is scanned: it is the one at the root of the
invocation or of the workspace folder. Each entry is read by itself, so that a wrong one loses no other.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from plainview.finding import Severity
from plainview.rules import DataError, Read, convert, nearest, parse_toml, read_bytes

NAME = "plainview.toml"
PYPROJECT = "pyproject.toml"

OFF = "off"
Level = Severity | None
"""The severity that a rule is given; None for off."""

_TABLE = ("tool", "plainview")
_FINGERPRINT = re.compile(r"[0-9a-f]{32}")
_LEVELS = (OFF, *(severity.word for severity in Severity))
_DRIVE = re.compile(r"[A-Za-z]:")
_UNSUPPORTED = re.compile(r"[\\\[\]{}!]")

T = TypeVar("T")


class Acceptance(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A decision that a finding is fine: `path` is posix and from the configuration's folder."""

    path: str
    rule: str
    fingerprint: str
    reason: str


class Override(msgspec.Struct, frozen=True):
    """Severities, by rule or category, for files that a glob of `paths` fits."""

    paths: tuple[str, ...]
    severity: Mapping[str, Level]


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """What one configuration file says, by the keys under which it stands there.

    `folder` (absolute, posix; "" for relative paths) is what all paths in it start from. `errors` are the parts that
    cannot be used, which are left out; `unused` names a second file that would count if `file` were not there.
    """

    file: Path | None = None
    folder: str = ""
    accept: Mapping[str, Acceptance] = {}
    extend: tuple[Path, ...] = ()
    severity: Mapping[str, Level] = {}
    overrides: Mapping[str, Override] = {}
    errors: tuple[DataError, ...] = ()
    unused: Path | None = None
    prefix: str = ""

    def key(self, *steps: str | int) -> str:
        """A key as it stands in the file: `severity`, or `tool.plainview.severity`."""
        return _key(_TABLE if self.prefix else (), *steps)


NOTHING = Config()


def find(folder: Path, read: Read = read_bytes) -> Config:
    """The configuration at the root `folder`: its plainview.toml, else its pyproject.toml, else nothing."""
    own, project = folder / NAME, folder / PYPROJECT
    if not _is_there(own, read):
        return load(project, read) if _is_there(project, read) else _empty(folder)
    config = load(own, read)
    spare = load(project, read) if _is_there(project, read) else NOTHING
    return msgspec.structs.replace(config, unused=spare.file)


def load(file: Path, read: Read = read_bytes) -> Config:
    """The configuration in `file`; a pyproject.toml without `[tool.plainview]` is none."""
    in_table = file.name == PYPROJECT
    empty = _empty(file.parent)
    try:
        data = read(file)
        raw = parse_toml(file, data)
    except DataError as error:
        # A project's file that is broken elsewhere is for its other tools to complain about.
        if in_table and "plainview" not in _text(file, read):
            return empty
        return msgspec.structs.replace(empty, file=file, errors=(error,))
    if in_table:
        for name in _TABLE:
            raw = raw.get(name, {}) if isinstance(raw, dict) else {}
        if not raw:
            return empty
    return _Reader(file, _TABLE if in_table else ()).config(raw)


def _is_there(file: Path, read: Read) -> bool:
    # What an editor has open counts before it is on disk.
    try:
        read(file)
    except DataError:
        return file.exists()
    return True


def _text(file: Path, read: Read) -> str:
    try:
        return read(file).decode("utf-8", "replace")
    except DataError:
        return ""


def _empty(folder: Path) -> Config:
    return Config(folder=folder.as_posix().rstrip("/"))


def _key(table: tuple[str, ...], *steps: str | int) -> str:
    from plainview import toml_places

    return toml_places.spoken((*table, *steps))


class _Reader:
    """Reads the parts of one file, each by itself, and notes what is wrong."""

    def __init__(self, file: Path, table: tuple[str, ...]) -> None:
        self._file = file
        self._table = table
        self._errors: list[DataError] = []
        self._parts: dict[str, Callable[[Any], object]] = {
            "accept": self._accept,
            "rules": self._rules,
            "severity": self._severity,
            "severity-for": self._overrides,
        }

    def config(self, raw: object) -> Config:
        """The configuration; `raw` is what the file, or its table, holds."""
        tables = self._tried((), raw, dict[str, Any]) or {}
        self._refuse_unknown((), tables, self._parts)
        found: dict[str, Any] = {name: part(tables[name]) for name, part in self._parts.items() if name in tables}
        return Config(
            file=self._file,
            folder=self._file.parent.as_posix().rstrip("/"),
            accept=found.get("accept", {}),
            extend=found.get("rules", ()),
            severity=found.get("severity", {}),
            overrides=found.get("severity-for", {}),
            errors=tuple(self._errors),
            prefix=_key(self._table),
        )

    def _accept(self, raw: object) -> dict[str, Acceptance]:
        accepted = {}
        for index, entry in enumerate(self._tried(("accept",), raw, list[Any]) or ()):
            one = self._tried(("accept", index), entry, Acceptance)
            if one is None:
                continue
            problem = _path_problem(one.path) or self._file_problem(one.path)
            if problem:
                self._fail(("accept", index, "path"), problem)
            if not _FINGERPRINT.fullmatch(one.fingerprint):
                self._fail(("accept", index, "fingerprint"), "not a fingerprint: 32 digits and letters from a to f")
            elif not one.reason.strip():
                self._fail(("accept", index, "reason"), "is empty: say in a sentence why the finding is fine")
            elif not problem:
                path = posixpath.normpath(one.path)
                accepted[_key(self._table, "accept", index)] = msgspec.structs.replace(one, path=path)
        return accepted

    def _file_problem(self, path: str) -> str:
        """Why `path` names no one file."""
        given = self._file.parent / path
        if given.is_dir():
            return "is a folder: an acceptance is for one file"
        if ("*" in path or "?" in path) and not given.exists():
            return "is a glob: an acceptance is for one file, so write its whole path"
        return ""

    def _rules(self, raw: object) -> tuple[Path, ...]:
        rules = self._tried(("rules",), raw, dict[str, Any]) or {}
        self._refuse_unknown(("rules",), rules, ("extend",))
        folders = []
        top = self._file.parent
        for index, given in enumerate(self._tried(("rules", "extend"), rules.get("extend", []), list[Any]) or ()):
            name = self._tried(("rules", "extend", index), given, str)
            if name is None:
                continue
            folder = Path(os.path.normpath(top / name))
            if not _is_within(folder, top):
                self._fail(("rules", "extend", index), "is not below this file's folder; name it with --rules")
            elif not folder.is_dir():
                self._fail(("rules", "extend", index), f"no such folder: {name!r}")
            else:
                folders.append(folder)
        return tuple(folders)

    def _severity(self, raw: object, *at: str | int) -> dict[str, Level]:
        at = at or ("severity",)
        levels: dict[str, Level] = {}
        for name, given in (self._tried(at, raw, dict[str, Any]) or {}).items():
            if not isinstance(given, str) or given not in _LEVELS:
                self._fail((*at, name), f"{given!r} is none of {', '.join(_LEVELS)}")
            else:
                levels[name] = None if given == OFF else Severity[given.upper()]
        return levels

    def _overrides(self, raw: object) -> dict[str, Override]:
        overrides = {}
        for index, entry in enumerate(self._tried(("severity-for",), raw, list[Any]) or ()):
            at = ("severity-for", index)
            table = self._tried(at, entry, dict[str, Any]) or {}
            self._refuse_unknown(at, table, ("paths", "severity"))
            for key in ("paths", "severity"):
                if isinstance(entry, dict) and key not in table:
                    self._fail(at, f"has no `{key}`")
            paths = tuple(self._globs(at, table.get("paths", [])))
            levels = self._severity(table.get("severity", {}), *at, "severity")
            if paths and levels:
                overrides[_key(self._table, *at)] = Override(paths, levels)
        return overrides

    def _globs(self, at: tuple[str | int, ...], raw: object) -> Iterator[str]:
        for index, given in enumerate(self._tried((*at, "paths"), raw, list[Any]) or ()):
            glob = self._tried((*at, "paths", index), given, str)
            problem = _glob_problem(glob) if glob is not None else ""
            if problem:
                self._fail((*at, "paths", index), problem)
            elif glob is not None:
                yield glob

    def _tried(self, at: tuple[str | int, ...], raw: object, as_type: type[T]) -> T | None:
        try:
            return convert(self._file, _key(self._table, *at), raw, as_type)
        except DataError as error:
            self._errors.append(error)
            return None

    def _refuse_unknown(self, at: tuple[str | int, ...], table: Mapping[str, Any], known: Collection[str]) -> None:
        for name in (one for one in table if one not in known):
            near = nearest(name, known)
            hint = f"did you mean `{near}`?" if near else f"known are {', '.join(known)}"
            self._fail((*at, name), f"unknown key; {hint}")

    def _fail(self, at: tuple[str | int, ...], problem: str) -> None:
        self._errors.append(DataError(self._file, _key(self._table, *at), problem))


def _path_problem(path: str) -> str:
    if not path.strip():
        return "is empty"
    if "\\" in path:
        return "has a backslash: write paths with /"
    if path.startswith("/") or _DRIVE.match(path):
        return "is absolute: write it from this file's folder"
    if posixpath.normpath(path).split("/")[0] in ("..", "."):
        return "leaves this file's folder" if ".." in path else "is no file"
    return ""


def _glob_problem(glob: str) -> str:
    problem = _path_problem(glob)
    if problem:
        return problem
    if ".." in glob.split("/"):
        return "has a .. in it"
    unknown = _UNSUPPORTED.search(glob)
    return f"has a {unknown.group()!r}: only *, ** and ? are wildcards" if unknown else ""


def _is_within(folder: Path, top: Path) -> bool:
    try:
        return folder.resolve().is_relative_to(top.resolve())
    except (OSError, RuntimeError, ValueError):
        return False
