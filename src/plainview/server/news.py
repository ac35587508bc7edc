"""That something has changed, for those who wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class News:
    """Counts changes. Runs on the event loop."""

    def __init__(self) -> None:
        self.number = 0
        self._readers = 0
        self._waiting: set[asyncio.Future[None]] = set()

    def tell(self) -> None:
        """Something has changed."""
        self.number += 1
        for future in self._waiting:
            if not future.done():
                future.set_result(None)

    @property
    def is_read(self) -> bool:
        """Whether anybody will hear of the next change."""
        return self._readers > 0

    @contextmanager
    def reader(self) -> Iterator[None]:
        """For as long as somebody keeps an eye on what changes."""
        self._readers += 1
        try:
            yield
        finally:
            self._readers -= 1

    async def after(self, number: int) -> None:
        """Waits until there is more than `number` changes."""
        while self.number <= number:
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.add(future)
            try:
                await future
            finally:
                self._waiting.discard(future)
