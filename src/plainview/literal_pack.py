"""What `literals` says of the built-in patterns, worked out when the package is built: most of a start is spared.

A pattern that is not in the pack is taken apart when it is met, and so are all if the pack was made by another
`literals.py`, is damaged or is not there: it makes a start faster, and decides nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from plainview.literals import Clause, Literal

PACKED = Path(__file__).with_name("vocabulary") / "literals.json"
"""Written when the package is built (`vocabulary/hatch_hook.py`)."""


class Packed(NamedTuple):
    """What a pattern needs (`literals.Needs`), its ways as lists of clauses, and these as lists of numbers."""

    chance: float
    in_line: bool
    ways: list[list[list[int]]]


class Pack(NamedTuple):
    """What patterns need, and the literals that the numbers in that stand for."""

    literals: list[Literal]
    patterns: dict[str, Packed]


def pack(patterns: Iterable[str], needs: Callable[[str], Any], source: bytes) -> bytes:
    """The pack of what `needs` of the module with that `source` says of the patterns.

    Patterns that it refuses are left out.
    """
    table: dict[Any, int] = {}
    known: dict[str, Packed] = {}
    for pattern in sorted(set(patterns)):
        try:
            found = needs(pattern)
        except ValueError:
            continue
        ways = [
            [sorted(table.setdefault(one, len(table)) for one in _ordered(clause)) for clause in way]
            for way in found.ways
        ]
        known[pattern] = Packed(found.chance, found.in_line, ways)
    literals = [[one.key.value, one.text] for one in table]
    return json.dumps([_digest(source), literals, known], ensure_ascii=False, separators=(",", ":")).encode()


def _ordered(clause: Clause) -> list[Literal]:
    # A set has another order in each process, and two builds of one source are to be the same.
    return sorted(clause.literals, key=lambda one: (one.key.value, one.text))


def unpack(data: bytes, source: bytes) -> Pack:
    """What was packed, if that was said by the module with that `source`.

    Raises ValueError when the data are no pack of its.
    """
    import msgspec

    from plainview.literals import Literal

    digest, literals, patterns = msgspec.json.decode(data, type=tuple[str, list[Literal], dict[str, Packed]])
    if digest != _digest(source):
        raise ValueError("made by another literals.py")
    numbers = {number for each in patterns.values() for way in each.ways for some in way for number in some}
    if numbers and not (min(numbers) >= 0 and max(numbers) < len(literals)):
        raise ValueError("damaged: a number that stands for no literal")
    return Pack(literals, patterns)


@cache
def known() -> Pack:
    """What the patterns need that were packed; nothing where there is no pack that can be used."""
    from plainview import literals

    try:
        return unpack(PACKED.read_bytes(), Path(literals.__file__).read_bytes())
    except (OSError, ValueError):
        return Pack([], {})


def _digest(source: bytes) -> str:
    return hashlib.sha256(source).hexdigest()
