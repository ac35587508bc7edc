"""What a client may set, under `plainview` in its settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec


class CodeLens(msgspec.Struct, frozen=True):
    """Whether the first line, and the headings, carry their figures."""

    enable: bool = True
    headings: bool = False


class Preferences(msgspec.Struct, frozen=True, rename="camel"):
    """`scan` says which Markdown files are looked at: those that a host reads, or all; `diagnostic_mode` whether only
    while they are open; `quote_to_agents` whether clients that are agents get scanned text in quotation."""

    code_lens: CodeLens = CodeLens()
    scan: Literal["agentFiles", "allMarkdown"] = "agentFiles"
    diagnostic_mode: Literal["workspace", "openFilesOnly"] = "workspace"
    quote_to_agents: bool = False


def read(settings: object) -> tuple[Preferences, list[str]]:
    """The preferences in a client's settings, and a sentence for each key that cannot be used.

    Keys are taken nested or dotted. A bad value leaves its default in force, and all others as they are set.
    """
    given = _nested(settings) if isinstance(settings, Mapping) else {}
    problems: list[str] = []
    kept: dict[str, Any] = {}
    for key in ("codeLens", "scan", "diagnosticMode", "quoteToAgents"):
        value = given.get(key)
        if value is None:
            continue
        parts = (
            {key: value} if not isinstance(value, Mapping) else {f"{key}.{name}": one for name, one in value.items()}
        )
        for name, part in parts.items():
            candidate = _nested({name: part})
            try:
                msgspec.convert(candidate, Preferences)
            except msgspec.ValidationError as error:
                problems.append(f"plainview.{name}: {str(error).split(' - at')[0]}")
            else:
                kept[name] = part
    return msgspec.convert(_nested(kept), Preferences), problems


def _nested(flat: Mapping[Any, Any]) -> dict[str, Any]:
    """`{"a.b": 1}` as `{"a": {"b": 1}}`."""
    result: dict[str, Any] = {}
    for key, value in flat.items():
        head, dot, rest = str(key).partition(".")
        if dot and isinstance(result.get(head, {}), dict):
            result[head] = {**result.get(head, {}), rest: value}
        else:
            result[head] = value
    return result
