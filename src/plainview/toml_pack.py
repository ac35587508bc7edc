"""The tables of the built-in TOML files as JSON, written when the package is built: to parse TOML takes longer than all
else that is done with rules.

A table is found by the hash of its file's bytes. What was edited since is not found, and is parsed; so is everything
if the pack is damaged or is not there: it makes a start faster, and decides nothing.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import msgspec

PACKED = Path(__file__).with_name("vocabulary") / "tables.json"
"""Written when the package is built (`vocabulary/hatch_hook.py`)."""

# What every reader of JSON takes for the number that it is.
_MOST_INTEGER = 1 << 53


def pack(files: Iterable[tuple[bytes, Mapping[str, Any]]]) -> bytes:
    """The pack of files, each given by its bytes and its table.

    Tables that hold what JSON has no word for, such as a date, are left out.
    """
    tables = {_digest(data): table for data, table in files if _is_json(table)}
    return json.dumps(tables, ensure_ascii=False, separators=(",", ":")).encode()


@cache
def known() -> Mapping[str, msgspec.Raw]:
    """The tables that were packed, as JSON, by the hash of their file; nothing where there is no pack to be used."""
    import msgspec

    try:
        return msgspec.json.decode(PACKED.read_bytes(), type=dict[str, msgspec.Raw])
    except (OSError, msgspec.MsgspecError):
        return {}


def table(data: bytes) -> msgspec.Raw | None:
    """The table of a file that holds `data`, as JSON; None where it was not packed."""
    return known().get(_digest(data))


def _is_json(value: object) -> bool:
    if isinstance(value, dict):
        return all(map(_is_json, value.values()))
    if isinstance(value, list):
        return all(map(_is_json, value))
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, str | bool) or (isinstance(value, int) and abs(value) <= _MOST_INTEGER)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
