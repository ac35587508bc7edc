"""What a configuration does to a run, said in every report: what it accepts, lowers, turns off, and names in vain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from plainview import wording
from plainview.output.report import FileReport
from plainview.policy import Policy
from plainview.workspace import Problem


def weakened(policy: Policy, files: Sequence[FileReport]) -> Iterator[Problem]:
    """What is accepted in `files`, and the rules that count for less than they would by themselves."""
    if policy.config.file is None:
        return
    where = shown(policy.config.file)
    accepted = [one for file in files for one in file.report.findings if one.accepted is not None]
    if accepted:
        yield Problem(where, wording.accepted(accepted), fatal=False)
    for one in policy.weakened:
        yield Problem(where, wording.weakened(one), fatal=False)


def in_vain(policy: Policy, files: Sequence[FileReport]) -> Iterator[Problem]:
    """Acceptances that match nothing in a file that was scanned, or whose file is gone, and an unread table."""
    config = policy.config
    if config.file is None:
        return
    where = shown(config.file)
    unmatched = {key: wording.unmatched(one) for file in files for key, one in file.report.unmatched.items()}
    for key, one in config.accept.items():
        if not Path(config.folder or ".", one.path).exists():
            unmatched.setdefault(key, f"there is no file {wording.shown_path(one.path)} any more")
    for key in config.accept:
        if key in unmatched:
            yield Problem(where, f"{key}: {unmatched[key]}", fatal=False)
    if config.unused is not None:
        said = f"[tool.plainview] does not count, for there is a {config.file.name}"
        yield Problem(shown(config.unused), said, fatal=False)


def shown(file: Path) -> str:
    """A file's path as reports show it: from the current folder, where it lies below it."""
    here = Path.cwd()
    return (file.relative_to(here) if file.is_relative_to(here) else file).as_posix()
