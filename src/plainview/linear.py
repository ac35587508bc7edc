"""Patterns that RE2 matches, in time linear in the text: how it is asked to compile them."""

from __future__ import annotations

from typing import Any


def pattern(text: str, *, groups: bool = False, memory: int = 8 << 20) -> Any:
    """What RE2 makes of a pattern in its syntax.

    It tells where `groups` matched only if asked to, and keeps at most so many bytes of states. Raises `re2.error`, and
    logs nothing.
    """
    # Only here, for what only serves a client has loaded by then, and a count of tokens never needs it.
    import re2

    options = re2.Options()
    options.max_mem = memory
    options.never_capture = not groups
    options.log_errors = False
    return re2.compile(text, options)
