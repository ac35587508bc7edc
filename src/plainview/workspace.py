"""Finds the agent files of a folder, and reads them; nothing outside what was named is followed.

A folder is searched, hidden folders included, for files of a known kind; `.gitignore` is respected and what it
keeps back is said, so that an ignored file is no hiding place. A file named outright is always read.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from plainview.kinds import Kinds
from plainview.text import NotUtf8, Source

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_REPOSITORY = frozenset({".git", ".hg", ".jj", ".svn"})
_MOST_STARS = 3
_IGNORED = ".gitignore leaves it out"


class Problem(msgspec.Struct, frozen=True):
    """Something about a path that a person must know. `fatal` makes the exit status 2; others are notes."""

    path: str
    message: str
    fatal: bool = True


class Target(msgspec.Struct, frozen=True):
    """A file to scan: where it is, how it is shown, and the root of its workspace (both absolute, posix)."""

    path: Path
    shown: str
    root: str


class Loaded(msgspec.Struct, frozen=True):
    """A file's text, the sha256 of its bytes, and what is wrong with it although it was read."""

    source: Source
    sha256: str
    problems: tuple[Problem, ...] = ()


class Search:
    """The targets below the named paths, in order; `problems` fills while they are drawn."""

    def __init__(self, named: Iterable[str], kinds: Kinds) -> None:
        self._named = list(named)
        self._kinds = kinds
        self._seen: set[Path] = set()
        self._folders = kinds.folder_names()
        self._passed_over = False
        self.problems: list[Problem] = []

    def targets(self) -> Iterator[Target]:
        """Every file to scan, each once."""
        here = Path.cwd()
        for name in self._named:
            if not name:
                # What an unset variable leaves, and not the folder that the command runs in.
                self._fail('""', "a path is empty")
                continue
            path = Path(os.path.normpath(here / name))
            root = here if path.is_relative_to(here) else path
            try:
                mode = path.stat().st_mode
            except (OSError, ValueError) as error:
                self._fail(name, _reason(path, error))
                continue
            if stat.S_ISDIR(mode):
                yield from self._searched(path, name, root)
            elif stat.S_ISREG(mode):
                root = here if path.is_relative_to(here) else path.parent
                yield from self._once(Target(path, _shown(path), root.as_posix()))
            else:
                self._fail(name, "neither a file nor a folder")

    def _searched(self, path: Path, name: str, root: Path) -> Iterator[Target]:
        found = False
        before = len(self.problems)
        self._passed_over = False
        for target in self._walk(path, root):
            found = True
            yield from self._once(target)
        said = self.problems[before:]
        if not found and not any(problem.fatal for problem in said):
            self._fail(name, self._nothing([problem.message for problem in said]))

    def _nothing(self, said: list[str]) -> str:
        """Why a folder gives nothing to scan, from what was said of the agent files in it."""
        outright = "Name a file outright to scan it as it is."
        if said:
            ignored = [message for message in said if message.endswith(_IGNORED)]
            whys = [".gitignore leaves them out"] if ignored else []
            whys += ["links lead out of the folder"] if len(ignored) < len(said) else []
            return f"the agent files here are not scanned: {' and '.join(whys)}. {outright}"
        more = " Folders that .gitignore leaves out are not searched." if self._passed_over else ""
        return (
            "no agent files here (CLAUDE.md, AGENTS.md, SKILL.md, .claude/agents/*.md, .cursor/rules/*.mdc "
            f"and their kin). {outright}{more}"
        )

    def _once(self, target: Target) -> Iterator[Target]:
        if target.path not in self._seen:
            self._seen.add(target.path)
            yield target

    def _walk(self, top: Path, root: Path) -> Iterator[Target]:
        pending = [(top, _Ignores.above(top))]
        while pending:
            folder, ignores = pending.pop()
            try:
                entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
            except OSError as error:
                self._fail(_shown(folder), f"cannot be searched: {error.strerror}")
                continue
            ignores = ignores.within(folder)
            folders = []
            for entry in entries:
                path = Path(entry.path)
                if entry.is_dir(follow_symlinks=False):
                    if entry.name in _REPOSITORY:
                        continue
                    if ignores.holds(path, is_folder=True):
                        self._passed_over = True
                        if entry.name in self._folders:
                            self._note(_shown(path), f"not searched: {_IGNORED}")
                        continue
                    folders.append((path, ignores))
                elif self._kinds.match(path.as_posix()) is not None:
                    yield from self._file(path, entry, ignores, top, root)
            pending.extend(reversed(folders))

    def _file(self, path: Path, entry: os.DirEntry[str], ignores: _Ignores, top: Path, root: Path) -> Iterator[Target]:
        shown = _shown(path)
        if ignores.holds(path, is_folder=False):
            self._note(shown, f"not scanned: {_IGNORED}")
            return
        try:
            mode = path.stat().st_mode
            if entry.is_symlink() and not path.resolve(strict=True).is_relative_to(top.resolve()):
                self._note(shown, f"not followed: a link that leads out of {_shown(top)}")
                return
        except (OSError, RuntimeError) as error:
            self._fail(shown, _reason(path, error))
            return
        if stat.S_ISREG(mode):
            yield Target(path, shown, root.as_posix())
        elif not stat.S_ISDIR(mode):
            self._fail(shown, "not a regular file")

    def _fail(self, path: str, message: str) -> None:
        self.problems.append(Problem(path, message))

    def _note(self, path: str, message: str) -> None:
        self.problems.append(Problem(path, message, fatal=False))


def read(target: Target, max_bytes: int) -> Loaded | Problem:
    """The text of a target, or why there is none. Bytes that are not UTF-8 are replaced, and that is said."""
    try:
        with target.path.open("rb") as stream:
            data = stream.read(max_bytes + 1)
            size = os.fstat(stream.fileno()).st_size
    except OSError as error:
        return Problem(target.shown, _reason(target.path, error))
    return load(data, target.shown, max_bytes, max(size, len(data)))


def load(data: bytes, shown: str, max_bytes: int, size: int | None = None) -> Loaded | Problem:
    """The text of bytes that come from what is shown as `shown`, or why there is none; `size` if there are more."""
    if len(data) > max_bytes:
        return Problem(
            shown,
            f"not scanned: {(size or len(data)) / (1 << 20):.1f} MiB, and the limit is "
            f"{max_bytes / (1 << 20):g} MiB (--max-size raises it)",
        )
    problems = []
    try:
        source = Source.from_bytes(data)
    except NotUtf8 as error:
        source = error.replaced
        problems.append(Problem(shown, f"not UTF-8 ({error.reason}); scanned with U+FFFD for what cannot be read"))
    zeros = source.text.count("\0")
    if zeros:
        line, column = source.position(source.text.index("\0"))
        problems.append(
            Problem(
                shown,
                f"holds {zeros} NUL {'byte' if zeros == 1 else 'bytes'} (the first at {line + 1}:{column + 1}); "
                "hosts and reviewers may take it for a binary file. Scanned as text",
            )
        )
    return Loaded(source, hashlib.sha256(data).hexdigest(), tuple(problems))


class _Ignores:
    """The `.gitignore` files that apply in a folder, the outermost first."""

    def __init__(self, specs: tuple[tuple[Path, GitIgnoreSpec], ...] = ()) -> None:
        self._specs = specs

    @classmethod
    def above(cls, folder: Path) -> _Ignores:
        """Those of the folders above, up to the root of the repository; none outside of a repository."""
        above = []
        for parent in (folder, *folder.parents):
            if parent is not folder:
                above.append(parent)
            if _exists(parent / ".git"):
                break
        else:
            return cls()
        ignores = cls()
        for parent in reversed(above):
            ignores = ignores.within(parent)
        return ignores

    def within(self, folder: Path) -> _Ignores:
        """Those that apply in `folder` too, its own included."""
        file = folder / ".gitignore"
        try:
            if not file.is_file():
                return self
            lines = file.read_text("utf-8", "replace").split("\n")
        except OSError:
            return self
        return _Ignores((*self._specs, (folder, _spec(lines))))

    def holds(self, path: Path, *, is_folder: bool) -> bool:
        """Whether git leaves the path out; the innermost file that speaks of it decides."""
        for folder, spec in reversed(self._specs):
            relative = path.relative_to(folder).as_posix() + ("/" if is_folder else "")
            verdict = spec.check_file(relative).include
            if verdict is not None:
                return verdict
        return False


def _exists(path: Path) -> bool:
    """Whether there is such a path, as far as one may look."""
    try:
        return path.exists()
    except OSError:
        return False


def _spec(lines: Iterable[str]) -> GitIgnoreSpec:
    """The lines of a `.gitignore` that can be honoured.

    pathspec matches with `re`, whose time grows with each further `*` of a segment; the file is not trusted, so
    a line with more of them than anyone writes is passed over, and what it names is scanned.
    """
    from pathspec import GitIgnoreSpec

    kept = []
    for line in lines:
        if any(part.count("*") > _MOST_STARS for part in line.split("/")):
            continue
        try:
            GitIgnoreSpec.from_lines([line])
        except ValueError:
            continue
        kept.append(line)
    return GitIgnoreSpec.from_lines(kept)


def _shown(path: Path) -> str:
    """The path as reports show it: from the current folder, where it lies below it, bytes that are no text escaped."""
    here = Path.cwd()
    relative = path.relative_to(here) if path.is_relative_to(here) else path
    return os.fsencode(relative.as_posix()).decode("utf-8", "backslashreplace")


def _reason(path: Path, error: Exception) -> str:
    """Why a path cannot be read, in words."""
    if isinstance(error, RuntimeError) or getattr(error, "errno", None) == errno.ELOOP:
        return "a symbolic link that leads back to itself"
    if isinstance(error, FileNotFoundError):
        if path.is_symlink():
            return f"a broken symbolic link (to {os.fsencode(path.readlink()).decode('utf-8', 'backslashreplace')})"
        return "no such file or folder"
    if isinstance(error, PermissionError):
        return "cannot be read: permission denied"
    return f"cannot be read: {getattr(error, 'strerror', None) or error}"
