"""What a scan has worked out and the next one may use again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


class Memory:
    """Results of functions that rest on their arguments alone; those that a scan does not ask for are forgotten.

    What is kept by name (`keep`) may rest on all of a scan, and is there for the next one only.

    Not for use by two threads at once.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[object, ...], Any] = {}
        self._used: dict[tuple[object, ...], Any] = {}

    def __len__(self) -> int:
        return len(self._kept) + len(self._used)

    def recall(self, work: Callable[..., T], *arguments: Hashable) -> T:
        """What `work(*arguments)` returns, worked out unless this scan or the one before has done so."""
        return self.at((work, *arguments), lambda: work(*arguments))

    def at(self, key: tuple[object, ...], work: Callable[[], T]) -> T:
        """What `work()` returns, worked out unless that was done under the same key: it must rest on the key alone."""
        if key in self._used:
            return self._used[key]  # type: ignore[no-any-return]
        found = self._kept[key] if key in self._kept else work()
        self._used[key] = found
        return found

    def before(self, key: tuple[object, ...]) -> Any:
        """What the scan before kept under a key; None where there is nothing."""
        return self._kept.get(key)

    def keep(self, key: tuple[object, ...], value: object) -> None:
        """Keeps something for the next scan, that may rest on all of this one."""
        self._used[key] = value

    def turn(self) -> None:
        """Ends a scan."""
        self._kept, self._used = self._used, {}
