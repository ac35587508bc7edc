"""How patterns are compiled: those of Python when they are first used, for most texts need few; and those of RE2."""

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


def linear(text: str, *, groups: bool = False, memory: int = 8 << 20) -> Any:
    """What RE2 makes of a pattern in its syntax, which it matches in linear time.

    It tells where `groups` matched only if asked to, and keeps so many bytes of states. Raises `re2.error`, and logs
    nothing.
    """
    # Only here, for what only serves a client has loaded by then, and a count of tokens never needs it.
    import re2

    options = re2.Options()
    options.max_mem = memory
    options.never_capture = not groups
    options.log_errors = False
    return re2.compile(text, options)
