"""Sizes in CSS: numbers, lengths, percentages, and the arithmetic of `calc()`, `min()`, `max()` and `clamp()`.

Units by CSS Values 4. What depends on the reader's window is taken for one of 1,000 pixels each way.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

Node = Any

_MAX_DEPTH = 12
_FONT = 16.0
_PX = {"px": 1.0, "in": 96.0, "cm": 96 / 2.54, "mm": 9.6 / 2.54, "q": 2.4 / 2.54, "pt": 4 / 3, "pc": 16.0}
_PX |= {"rem": _FONT, "rlh": 1.2 * _FONT, "rex": _FONT / 2, "rch": _FONT / 2, "ric": _FONT, "rcap": _FONT}
_PX |= {size + unit: 10.0 for unit in ("vw", "vh", "vi", "vb", "vmin", "vmax") for size in ("", "s", "l", "d")}
_PX |= dict.fromkeys(("cqw", "cqh", "cqi", "cqb", "cqmin", "cqmax"), 10.0)
_EM = {"em": 1.0, "lh": 1.2, "ex": 0.5, "ch": 0.5, "ic": 1.0, "cap": 0.7}
_ANGLES = {"deg": 1.0, "grad": 0.9, "rad": 180 / math.pi, "turn": 360.0}


class Unknown(enum.Enum):
    """A value that is valid and whose size cannot be told here."""

    UNKNOWN = "unknown"


UNKNOWN = Unknown.UNKNOWN


class Quantity(NamedTuple):
    """A sum of a number, CSS pixels, percent and multiples of the font size."""

    number: float = 0.0
    px: float = 0.0
    percent: float = 0.0
    em: float = 0.0

    @property
    def pixels(self) -> float:
        """The length in pixels at a font size of 16 pixels, percent left out."""
        return self.px + self.em * _FONT

    def times(self, factor: float) -> Quantity:
        """The quantity, scaled."""
        return Quantity(*(part * factor for part in self))

    def plus(self, other: Quantity) -> Quantity:
        """The sum of both."""
        return Quantity(*(one + two for one, two in zip(self, other, strict=True)))


class Angle(NamedTuple):
    """An angle in degrees."""

    degrees: float


def meaningful(nodes: Iterable[Node]) -> list[Node]:
    """The nodes without white space and comments."""
    return [node for node in nodes if node.type not in ("whitespace", "comment")]


def read_angle(node: Node) -> Angle | None:
    """The angle that a node of tinycss2 is, or None."""
    if node.type == "dimension" and node.lower_unit in _ANGLES:
        return Angle(_finite(node.value) * _ANGLES[node.lower_unit])
    return None


def quantity(node: Node, depth: int = 0) -> Quantity | Unknown | None:
    """The size that a node of tinycss2 is; None where it is none."""
    if node.type == "number":
        return Quantity(number=_finite(node.value))
    if node.type == "percentage":
        return Quantity(percent=_finite(node.value))
    if node.type == "dimension":
        value, unit = _finite(node.value), node.lower_unit
        if unit in _PX:
            return Quantity(px=value * _PX[unit])
        return Quantity(em=value * _EM[unit]) if unit in _EM else None
    if node.type not in ("function", "() block"):
        return None
    if depth > _MAX_DEPTH:
        return UNKNOWN
    if node.type == "() block":
        return _sum(meaningful(node.content), depth + 1) if depth else None
    return (
        UNKNOWN if node.lower_name not in _CHOICES else _choice(node.lower_name, meaningful(node.arguments), depth + 1)
    )


def _finite(value: float) -> float:
    """A browser clamps what it cannot represent."""
    return min(max(float(value), -1e9), 1e9)


def _middle(values: Sequence[Quantity]) -> Quantity:
    low, value, high = values
    return max((low, min((value, high), key=_rough)), key=_rough)


def _rough(value: Quantity) -> float:
    return value.number + value.pixels + value.percent * 10


_CHOICES: dict[str, Callable[[Sequence[Quantity]], Quantity]] = {
    "calc": lambda values: values[0],
    "-webkit-calc": lambda values: values[0],
    "min": lambda values: min(values, key=_rough),
    "max": lambda values: max(values, key=_rough),
    "clamp": _middle,
}
_COUNTS = {"calc": 1, "-webkit-calc": 1, "clamp": 3}


def _choice(name: str, nodes: Sequence[Node], depth: int) -> Quantity | Unknown | None:
    parts: list[list[Node]] = [[]]
    for node in nodes:
        if node == ",":
            parts.append([])
        else:
            parts[-1].append(node)
    values = [_sum(part, depth) for part in parts]
    if any(value is None for value in values) or len(values) != _COUNTS.get(name, len(values)):
        return None
    known = [value for value in values if isinstance(value, Quantity)]
    if len(known) < len(values):
        return UNKNOWN
    return _CHOICES[name](known)


def _sum(nodes: Sequence[Node], depth: int) -> Quantity | Unknown | None:
    """Operands with an operator between each two; products bind first."""
    if len(nodes) % 2 == 0:
        return None
    total = Quantity()
    product = quantity(nodes[0], depth)
    for operator, node in zip(nodes[1::2], nodes[2::2], strict=True):
        value = quantity(node, depth)
        if product is None or value is None:
            return None
        if isinstance(product, Unknown) or isinstance(value, Unknown):
            return UNKNOWN
        if operator == "*":
            product = _product(product, value)
        elif operator == "/":
            product = product.times(1 / value.number) if value.number else UNKNOWN
        elif operator in ("+", "-"):
            total = total.plus(product)
            product = value if operator == "+" else value.times(-1)
        else:
            return None
    return total.plus(product) if isinstance(product, Quantity) else product


def _product(one: Quantity, two: Quantity) -> Quantity | None:
    if one == Quantity(number=one.number):
        return two.times(one.number)
    return one.times(two.number) if two == Quantity(number=two.number) else None
