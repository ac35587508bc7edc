"""The process that started the server: when it is gone, the server has nobody to serve.

A pipe that another process inherited stays open when the client is killed, so the end of standard input is not enough.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Callable

log = logging.getLogger(__name__)

PAUSE = 2.0
"""Seconds between two looks."""


async def watch(process: int, gone: Callable[[], None]) -> None:
    """Calls `gone` once the process has ended."""
    if not is_alive(process) and _is_elsewhere():
        log.info("the client's process %d is not on this system, so it is not watched", process)
        return
    while is_alive(process):
        await asyncio.sleep(PAUSE)
    log.warning("the client's process %d is gone", process)
    gone()


def _is_elsewhere() -> bool:
    """Whether whoever started this process is out of sight: numbers from outside a container say nothing in it."""
    return sys.platform != "win32" and os.getppid() == 0


if sys.platform == "win32":
    import ctypes

    _SYNCHRONIZE, _TIMEOUT, _DENIED = 0x0010_0000, 0x102, 5

    def is_alive(process: int) -> bool:
        """Whether a process of that number runs, be it another user's."""
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.OpenProcess.restype = ctypes.c_void_p
        handle = kernel.OpenProcess(_SYNCHRONIZE, False, process)
        if not handle:
            return ctypes.get_last_error() == _DENIED
        try:
            return bool(kernel.WaitForSingleObject(ctypes.c_void_p(handle), 0) == _TIMEOUT)
        finally:
            kernel.CloseHandle(ctypes.c_void_p(handle))

else:

    def is_alive(process: int) -> bool:
        """Whether a process of that number runs, be it another user's."""
        if process <= 0:  # these name groups of processes
            return False
        try:
            os.kill(process, 0)
        except PermissionError:
            return True
        except (ProcessLookupError, OverflowError):
            return False
        return True
