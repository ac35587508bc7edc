"""What `literals` says of the built-in patterns, worked out when the package is built: most of a start is spared.

A pattern that is not in the pack is taken apart when it is met, and so are all if the pack was made by another
`literals.py`, is damaged or is not there: it makes a start faster, and decides nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plainview.literals import Clause, Literal, Needs

PACKED = Path(__file__).with_name("vocabulary") / "literals.json"
"""Written when the package is built (`vocabulary/hatch_hook.py`)."""


def pack(patterns: Iterable[str], needs: Callable[[str], Any], source: bytes) -> bytes:
    """The pack of what `needs` of the module with that `source` says of the patterns.

    Patterns that it refuses are left out.
    """
    table: dict[Any, int] = {}
    known = []
    for pattern in sorted(set(patterns)):
        try:
            found, in_line = needs(pattern)
        except ValueError:
            continue
        clauses = [
            [[clause.weight, *sorted(table.setdefault(one, len(table)) for one in _ordered(clause))] for clause in way]
            for way in found
        ]
        known.append([pattern, in_line, clauses])
    literals = [[one.key.value, one.text] for one in table]
    return json.dumps([_digest(source), literals, known], ensure_ascii=False, separators=(",", ":")).encode()


def _ordered(clause: Clause) -> list[Literal]:
    # A set has another order in each process, and two builds of one source are to be the same.
    return sorted(clause.literals, key=lambda one: (one.key.value, one.text))


def unpack(data: bytes, source: bytes) -> dict[str, Needs]:
    """What each pattern needs of a pack that was made by the module with that `source`.

    Raises ValueError when the data are no pack of its.
    """
    import msgspec

    from plainview.literals import Clause, Literal, Needs

    form = tuple[str, list[Literal], list[tuple[str, bool, list[list[list[int]]]]]]
    digest, table, known = msgspec.json.decode(data, type=form)
    if digest != _digest(source):
        raise ValueError("made by another literals.py")
    try:
        return {
            pattern: Needs(
                tuple(
                    tuple(Clause(weight, frozenset([table[one] for one in some])) for weight, *some in way)
                    for way in ways
                ),
                in_line,
            )
            for pattern, in_line, ways in known
        }
    except LookupError as error:
        raise ValueError(f"damaged: {error}") from error


@cache
def known() -> Mapping[str, Needs]:
    """What the patterns need that were packed; nothing where there is no pack that can be used."""
    from plainview import literals

    try:
        return unpack(PACKED.read_bytes(), Path(literals.__file__).read_bytes())
    except (OSError, ValueError):
        return {}


def _digest(source: bytes) -> str:
    return hashlib.sha256(source).hexdigest()
