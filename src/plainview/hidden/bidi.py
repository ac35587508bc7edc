"""The order in which a line is displayed: the Unicode Bidirectional Algorithm (Unicode Standard Annex 9).

Directional controls matter only where they change what a reader sees, so the displayed order is computed with and
without them. Paired brackets (rule N0) are taken for other neutrals: they decide sides, never the order of words.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from plainview import unicode_sets
from plainview.hidden.ordinary import among

MARKS = "\u061c\u200e\u200f"
OVERRIDES = "\u202d\u202e"
EMBEDDINGS = "\u202a\u202b"
ISOLATES = "\u2066\u2067\u2068"
POP = "\u202c"
POP_ISOLATE = "\u2069"

# The names by which the standard abbreviates the controls.
NAMES = {
    "\u061c": "ALM",
    "\u200e": "LRM",
    "\u200f": "RLM",
    "\u202a": "LRE",
    "\u202b": "RLE",
    "\u202c": "PDF",
    "\u202d": "LRO",
    "\u202e": "RLO",
    "\u2066": "LRI",
    "\u2067": "RLI",
    "\u2068": "FSI",
    "\u2069": "PDI",
}
_WRITTEN = {ord(control): f"[{name}]" for control, name in NAMES.items()}
_REMOVED = dict.fromkeys(map(ord, NAMES))
_MIRRORED = str.maketrans("()[]{}<>\u00ab\u00bb", ")(][}{><\u00bb\u00ab")
_MAX_DEPTH = 125
_STRONG = {"L": 0, "R": 1, "AL": 1}
_EXPLICIT = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "BN"})
_INITIATORS = frozenset({"LRI", "RLI", "FSI"})
_SPACES = _INITIATORS | {"WS", "PDI", "S", "B"}
_NEUTRAL = frozenset({"B", "S", "WS", "ON", "LRI", "RLI", "FSI", "PDI"})


def written_out(text: str) -> str:
    """The text in the order in which it is stored, its directional controls as their names in brackets."""
    return text.translate(_WRITTEN)


def without_controls(text: str) -> str:
    """The text with its directional controls removed."""
    return text.translate(_REMOVED)


def is_right_to_left(text: str) -> bool:
    """Whether the text has a letter of a script that is written from right to left."""
    return among(unicode_sets.RIGHT_TO_LEFT).search(text) is not None


def is_balanced(text: str) -> bool:
    """Whether every embedding, override and isolate of the line is closed in it, and nothing else is."""
    open_isolates: list[int] = []
    embeddings = 0
    for character in text:
        if character in EMBEDDINGS + OVERRIDES:
            embeddings += 1
        elif character == POP:
            embeddings -= 1
            if embeddings < 0:
                return False
        elif character in ISOLATES:
            open_isolates.append(embeddings)
            embeddings = 0
        elif character == POP_ISOLATE:
            if embeddings or not open_isolates:
                return False
            embeddings = open_isolates.pop()
    return not embeddings and not open_isolates


def displayed(line: str) -> str:
    """The characters of a line in the order in which they are displayed, from the left, without the controls.

    The base direction is that of the first strong letter, left to right where there is none (rules P2 and P3).
    Time is linear in the line.
    """
    return _displayed(line, None)


def _displayed(line: str, base: int | None) -> str:
    classes = [unicodedata.bidirectional(character) or "L" for character in line]
    matching = _matching_isolates(classes)
    if base is None:
        base = _first_strong(classes, 0, len(classes), matching)
    levels, resolved, kept = _explicit(classes, base, matching)
    # All runs are found before the first is resolved, for resolving changes the levels.
    for sequence, before, beyond in list(_isolating_runs(classes, levels, kept, matching, base)):
        _resolve(sequence, resolved, levels, before, beyond)
    trailing = True
    for offset in reversed(kept):
        trailing = trailing or classes[offset] in ("B", "S")
        trailing = trailing and classes[offset] in _SPACES
        if trailing:
            levels[offset] = base
    order = (at for at in _reordered(kept, levels) if ord(line[at]) not in _REMOVED)
    return "".join(line[at].translate(_MIRRORED) if levels[at] & 1 else line[at] for at in order)


def _matching_isolates(classes: list[str]) -> dict[int, int]:
    """The PDI of each isolate initiator and the other way round (rule BD9)."""
    found: dict[int, int] = {}
    above: list[int] = []
    for offset, kind in enumerate(classes):
        if kind in _INITIATORS:
            above.append(offset)
        elif kind == "PDI" and above:
            initiator = above.pop()
            found[initiator] = offset
            found[offset] = initiator
    return found


def _first_strong(classes: list[str], start: int, end: int, matching: dict[int, int]) -> int:
    offset = start
    while offset < end:
        kind = classes[offset]
        if kind in _STRONG:
            return _STRONG[kind]
        offset = matching.get(offset, end) + 1 if kind in _INITIATORS else offset + 1
    return 0


def _explicit(classes: list[str], base: int, matching: dict[int, int]) -> tuple[list[int], list[str], list[int]]:
    """Rules X1 to X9: the level of each character, its class after overrides, and the offsets that stay."""
    levels = [base] * len(classes)
    resolved = list(classes)
    kept: list[int] = []
    stack: list[tuple[int, str, bool]] = [(base, "", False)]
    overflow_isolates = overflow_embeddings = valid_isolates = 0
    for offset, kind in enumerate(classes):
        level, override, _ = stack[-1]
        levels[offset] = level
        if kind in _INITIATORS:
            kept.append(offset)
            resolved[offset] = override or kind
            if kind == "FSI":
                # An isolate is looked into once at each depth; the cap keeps nested ones from costing their square.
                end = min(matching.get(offset, len(classes)), offset + _MAX_DEPTH)
                kind = "RLI" if _first_strong(classes, offset + 1, end, matching) else "LRI"
            deeper = _next_level(level, kind == "RLI")
            if deeper <= _MAX_DEPTH and not overflow_isolates and not overflow_embeddings:
                valid_isolates += 1
                stack.append((deeper, "", True))
            else:
                overflow_isolates += 1
        elif kind == "PDI":
            if overflow_isolates:
                overflow_isolates -= 1
            elif valid_isolates:
                overflow_embeddings = 0
                while not stack[-1][2]:
                    stack.pop()
                stack.pop()
                valid_isolates -= 1
            levels[offset], override, _ = stack[-1]
            kept.append(offset)
            resolved[offset] = override or kind
        elif kind == "PDF":
            if not overflow_isolates and overflow_embeddings:
                overflow_embeddings -= 1
            elif not overflow_isolates and not stack[-1][2] and len(stack) > 1:
                stack.pop()
        elif kind in _EXPLICIT and kind != "BN":
            deeper = _next_level(level, kind in ("RLE", "RLO"))
            if deeper <= _MAX_DEPTH and not overflow_isolates and not overflow_embeddings:
                stack.append((deeper, {"RLO": "R", "LRO": "L"}.get(kind, ""), False))
            elif not overflow_isolates:
                overflow_embeddings += 1
        elif kind == "BN":
            pass
        else:
            kept.append(offset)
            resolved[offset] = override or kind
    return levels, resolved, kept


def _next_level(level: int, right: bool) -> int:
    return (level + 1) | 1 if right else (level + 2) & ~1


def _isolating_runs(
    classes: list[str], levels: list[int], kept: list[int], matching: dict[int, int], base: int
) -> Iterator[tuple[list[int], int, int]]:
    """Rule X10: the offsets of each isolating run sequence, and the levels beside it."""
    runs: list[list[int]] = []
    for offset in kept:
        if runs and levels[runs[-1][-1]] == levels[offset]:
            runs[-1].append(offset)
        else:
            runs.append([offset])
    begins = {run[0]: index for index, run in enumerate(runs)}
    for index, run in enumerate(runs):
        if classes[run[0]] == "PDI" and run[0] in matching:
            continue
        sequence, last = list(run), index
        while (
            classes[sequence[-1]] in _INITIATORS and (after := begins.get(matching.get(sequence[-1], -1))) is not None
        ):
            sequence += runs[after]
            last = after
        before = levels[runs[index - 1][0]] if index else base
        unmatched = classes[sequence[-1]] in _INITIATORS
        beyond = base if unmatched or last + 1 == len(runs) else levels[runs[last + 1][0]]
        yield sequence, before, beyond


def _resolve(sequence: list[int], resolved: list[str], levels: list[int], before: int, beyond: int) -> None:
    """Rules W1 to W7, N1, N2, I1 and I2 on one isolating run sequence."""
    level = levels[sequence[0]]
    start, end = _direction(max(level, before)), _direction(max(level, beyond))
    kinds = _weak([resolved[offset] for offset in sequence], start)
    embedding = _direction(level)
    position = 0
    previous = start
    while position < len(kinds):
        if kinds[position] not in _NEUTRAL:
            previous = "L" if kinds[position] == "L" else "R"
            position += 1
            continue
        stop = position
        while stop < len(kinds) and kinds[stop] in _NEUTRAL:
            stop += 1
        following = end if stop == len(kinds) else "L" if kinds[stop] == "L" else "R"
        kinds[position:stop] = [previous if previous == following else embedding] * (stop - position)
        position = stop
    for offset, kind in zip(sequence, kinds, strict=True):
        if level & 1:
            levels[offset] = level + (kind != "R")
        else:
            levels[offset] = level + {"L": 0, "R": 1}.get(kind, 2)


def _direction(level: int) -> str:
    return "R" if level & 1 else "L"


def _weak(kinds: list[str], start: str) -> list[str]:
    """Rules W1 to W7."""
    strong = previous = start
    for index, kind in enumerate(kinds):
        if kind == "NSM":
            kind = "ON" if previous in ("LRI", "RLI", "FSI", "PDI") else previous
        if kind in ("L", "R", "AL"):
            strong = kind
        elif kind == "EN" and strong == "AL":
            kind = "AN"
        kinds[index] = previous = kind
    kinds = ["R" if kind == "AL" else kind for kind in kinds]
    for index in range(1, len(kinds) - 1):
        around = kinds[index - 1]
        if around == kinds[index + 1] and (
            (kinds[index] == "ES" and around == "EN") or (kinds[index] == "CS" and around in ("EN", "AN"))
        ):
            kinds[index] = around
    index = 0
    while index < len(kinds):
        stop = index
        while stop < len(kinds) and kinds[stop] == "ET":
            stop += 1
        if stop > index:
            numeric = (index and kinds[index - 1] == "EN") or (stop < len(kinds) and kinds[stop] == "EN")
            kinds[index:stop] = ["EN" if numeric else "ON"] * (stop - index)
        index = max(stop, index + 1)
    strong = start
    for index, kind in enumerate(kinds):
        if kind in ("ES", "CS"):
            kinds[index] = "ON"
        elif kind in ("L", "R"):
            strong = kind
        elif kind == "EN" and strong == "L":
            kinds[index] = "L"
    return kinds


class _Group:
    """Neighbours of a level or deeper, to be shown in reverse if `reverse`."""

    __slots__ = ("level", "parts", "reverse")

    def __init__(self, level: int) -> None:
        self.level = level
        self.parts: list[int | _Group] = []
        self.reverse = False


def _reordered(offsets: list[int], levels: list[int]) -> Iterator[int]:
    """Rule L2. Groups are nested and turned when they are read, so that deep nesting costs no more than its length."""
    root = _Group(0)
    above = [root]
    for offset in offsets:
        level = levels[offset]
        while above[-1].level > level:
            closed = above.pop()
            outer = above[-1].level
            if outer < level:
                # The text in between belongs to a level of its own.
                between = _Group(level)
                above[-1].parts.pop()
                above[-1].parts.append(between)
                between.parts.append(closed)
                between.reverse = bool((level - outer) & 1)
                closed.reverse = bool((closed.level - level) & 1)
                above.append(between)
        if above[-1].level < level:
            deeper = _Group(level)
            deeper.reverse = bool((level - above[-1].level) & 1)
            above[-1].parts.append(deeper)
            above.append(deeper)
        above[-1].parts.append(offset)
    pending: list[tuple[int | _Group, bool]] = [(root, False)]
    while pending:
        part, turned = pending.pop()
        if isinstance(part, int):
            yield part
            continue
        turned ^= part.reverse
        # What is pushed last is read first.
        pending.extend((one, turned) for one in (part.parts if turned else reversed(part.parts)))
