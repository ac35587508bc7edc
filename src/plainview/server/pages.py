"""Where a rule's page can be opened from an editor: a file in the user's cache, written when a finding first needs it.

The pages are made from the rules in force, a user's own too, so that they are there without a network.
"""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

from plainview import __version__, pages
from plainview.rules import Rule, Ruleset

log = logging.getLogger(__name__)


def cache_folder() -> Path:
    """The folder for pages of this version, where the platform keeps what can be made again."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "")
        default = Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base, default = "", Path.home() / "Library" / "Caches"
    else:
        base, default = os.environ.get("XDG_CACHE_HOME", ""), Path.home() / ".cache"
    folder = Path(base) if Path(base).is_absolute() else default
    return folder / "plainview" / __version__ / "rules"


class Pages:
    """The addresses of the pages of a set of rules. `folder` is where they are written; by default the user's cache."""

    def __init__(self, ruleset: Ruleset, folder: Path | None = None) -> None:
        self.ruleset = ruleset
        self._folder = folder
        self._addresses: dict[str, str | None] = {}

    def address(self, rule_id: str) -> str | None:
        """The URI of a rule's page, which exists; None where there is no such rule or nothing can be written."""
        if rule_id not in self._addresses:
            rule = self.ruleset.rule(rule_id)
            self._addresses[rule_id] = self._written(rule) if rule is not None else None
        return self._addresses[rule_id]

    def _written(self, rule: Rule) -> str | None:
        content = pages.page(rule).encode("utf-8", "replace")
        try:
            file = (self._folder or cache_folder()) / f"{rule.id}.md"
            if not file.is_file() or file.read_bytes() != content:
                file.parent.mkdir(parents=True, exist_ok=True)
                # Another server may be writing the same page.
                unfinished = file.with_name(f".{file.name}.{os.getpid()}")
                unfinished.write_bytes(content)
                unfinished.replace(file)
            return file.resolve().as_uri()
        except (OSError, RuntimeError) as error:
            log.warning("the page of %s cannot be written: %s", rule.id, error)
            return None
