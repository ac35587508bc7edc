"""What a run may be told, as one value; the command line fills it, and the configuration that it finds."""

from __future__ import annotations

from pathlib import Path

import msgspec

from plainview.config import NOTHING, Config
from plainview.finding import Severity

# Far above any agent file (the largest public one seen has 1 MB, and Claude Code skips a CLAUDE.md above
# 4 MiB), and low enough that one file cannot keep a run busy for minutes.
MAX_BYTES = 10 << 20


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a run.

    `tokens` False skips counting and everything that rests on it. `fail_on` is the severity from which on
    findings make the exit status 1. `rule_folders` hold further rules beside those of `config`, `prices_file` replaces
    the built-in prices. Files above `max_bytes` are reported and not scanned.
    """

    tokens: bool = True
    fail_on: Severity = Severity.HIGH
    rule_folders: tuple[Path, ...] = ()
    prices_file: Path | None = None
    max_bytes: int = MAX_BYTES
    config: Config = NOTHING
