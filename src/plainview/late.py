"""Patterns that are compiled when they are first used: most texts need few, and all are a tenth of a start."""

from __future__ import annotations

import re
from typing import Any, cast


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` gives, compiled with the first use of one of its methods or attributes.

    Raises nothing: a pattern that does not compile raises `re.error` where it is used.
    """
    return cast("re.Pattern[str]", _Pattern(text, flags))


class _Pattern:
    """Stands for a pattern. What was once asked for is an attribute of its own, so that asking again costs nothing."""

    def __init__(self, text: str, flags: int) -> None:
        self._given = text, flags

    def __getattr__(self, name: str) -> Any:
        # Python comes here only for what is not there yet. A pattern that was compiled before is remembered by `re`.
        found = getattr(re.compile(*self._given), name)
        setattr(self, name, found)
        return found
