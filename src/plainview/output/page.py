"""Lines for people: text with roles, painted only on a terminal. Colour carries nothing that words do not."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from typing import TextIO

ROLES = {
    "path": "bold",
    "critical": "bold red",
    "high": "red",
    "medium": "yellow",
    "low": "cyan",
    "info": "dim",
    "mark": "red",
    "gutter": "dim",
    "dim": "dim",
    "grade": "bold",
}

Piece = tuple[str, str]
"""A role of ROLES, or "", and text."""

Line = list[Piece]


_LEAST_WIDTH = 40


def width(most: int) -> int:
    """How many columns a line may take: `most`, or as many as COLUMNS or the terminal has if that is less."""
    return max(min(shutil.get_terminal_size((most, 0)).columns, most), _LEAST_WIDTH)


def line(*pieces: str | Piece) -> Line:
    """A line of plain strings and (role, text) pairs."""
    return [("", piece) if isinstance(piece, str) else piece for piece in pieces]


def write(lines: Iterable[Line], stream: TextIO) -> None:
    """Writes lines to `stream`: in colour on a terminal, plain anywhere else."""
    if stream.isatty():
        _paint(lines, stream)
        return
    for one in lines:
        stream.write("".join(text for _, text in one).rstrip() + "\n")


def _paint(lines: Iterable[Line], stream: TextIO) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=True)
    for one in lines:
        console.print(Text.assemble(*((text, ROLES.get(role, "")) for role, text in one)))
