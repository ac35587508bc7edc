"""Where the log goes: standard error, which editors collect, or a file."""

from __future__ import annotations

import logging
import sys

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def begin(file: str | None, *, verbose: bool) -> None:
    """Sets logging up for the process. Raises OSError where the file cannot be written."""
    # What is logged may hold what a client sent, lone surrogates too.
    handler: logging.Handler = (
        logging.FileHandler(file, encoding="utf-8", errors="backslashreplace")
        if file is not None
        else logging.StreamHandler(sys.stderr)
    )
    logging.basicConfig(handlers=[handler], level=logging.WARNING, format=_FORMAT)
    logging.getLogger("plainview").setLevel(logging.DEBUG if verbose else logging.WARNING)
