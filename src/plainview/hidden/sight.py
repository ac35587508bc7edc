"""Why a reader does not see an element, by its style and by what surrounds it.

The thresholds are those of what an eye can make out: a pixel of size, a twentieth of opacity, a place 500 pixels
before the page or 2,000 beyond it. White text on a page whose ground nothing sets is not taken for hidden: pages
are dark as well.
Simplified: a descendant that is set visible again counts as hidden with the rest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from plainview.hidden.css import Colour, Functions, Value
from plainview.hidden.quantity import Angle, Quantity, Unknown

_PIXEL = 1.0
_FAINT = 0.05
_SOLID = 0.9
_BEFORE = -500.0
_BEYOND = 2000.0
# Contrast ratio (WCAG 2.2) below which, with no channel far apart, letters merge with their ground.
_CONTRAST = 1.25
_APART = 0.25


_NUMBERS = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")


class Surroundings(NamedTuple):
    """What an element inherits: colours where something sets them, the font size in pixels, opacity so far."""

    colour: Colour | None = None
    background: Colour | None = None
    font: float = 16.0
    opacity: float = 1.0


Style = Mapping[str, Value]


def within(style: Style, around: Surroundings) -> Surroundings:
    """What the contents of an element of that style inherit."""
    background = around.background
    own = style.get("background-color")
    if isinstance(own, Unknown):
        background = None
    elif isinstance(own, Colour) and own.alpha > _SOLID:
        background = own
    font = around.font
    size = style.get("font-size")
    if isinstance(size, Quantity):
        font = size.px + (size.em + size.percent / 100) * around.font
    elif "font-size" in style:
        font = 16.0
    opacity = style.get("opacity")
    return Surroundings(
        _text_colour(style, around.colour),
        background,
        font,
        around.opacity * opacity if isinstance(opacity, float) else around.opacity,
    )


def reason(style: Style, inside: Surroundings, *, boxed: bool) -> str | None:
    """Why the contents are not seen, in words that follow "with"; None where they are.

    `inside` is what `within` says of the same style; `boxed` whether the element is laid out as a box by itself,
    so that its size, place and shape count.
    """
    if style.get("display") == "none":
        return "display:none"
    if style.get("content-visibility") == "hidden":
        return "content-visibility:hidden"
    if style.get("visibility") in ("hidden", "collapse"):
        return f"visibility:{style['visibility']}"
    if inside.opacity <= _FAINT or _is_filtered(style.get("filter")):
        return "opacity:0"
    if isinstance(style.get("font-size"), Quantity) and inside.font <= _PIXEL:
        return "a font too small to read"
    if _is_colourless(style, inside):
        transparent = inside.colour is not None and inside.colour.alpha <= _FAINT
        return "transparent text" if transparent else "text in the colour of its background"
    if style.get("-webkit-text-security") in ("disc", "circle", "square"):
        return "its letters masked"
    if "clear" in (style.get("mask"), style.get("mask-image")):
        return "its contents masked away"
    if _is_cut(style):
        return "its contents clipped away"
    if _is_shrunk(style.get("zoom")):
        return "a zoom to nothing"
    positioned = style.get("position") in ("absolute", "fixed", "relative", "sticky", "-webkit-sticky")
    if positioned and _is_away(style, inside.font):
        return "an off-screen position"
    shown = style.get("display")
    inline = shown is None if not boxed else False
    inline = inline or shown in ("inline", "contents", "inline flow")
    if inline and style.get("position") not in ("absolute", "fixed") and style.get("float") in (None, "none"):
        return None
    if _is_shut(style, inside.font):
        return "zero size"
    if _is_moved(style, inside.font):
        return "an off-screen position"
    return "a transform to nothing" if _is_flattened(style) else None


def _text_colour(style: Style, inherited: Colour | None) -> Colour | None:
    for name in ("-webkit-text-fill-color", "color"):
        value = style.get(name)
        if value is not None and value != "currentcolor":
            return value if isinstance(value, Colour) else None
    return inherited


def _is_colourless(style: Style, inside: Surroundings) -> bool:
    if not {"color", "-webkit-text-fill-color", "background-color"} & style.keys() or inside.colour is None:
        return False
    if inside.colour.alpha <= _FAINT:
        return True
    return inside.background is not None and _are_alike(inside.colour, inside.background)


def _are_alike(one: Colour, two: Colour) -> bool:
    if max(abs(a - b) for a, b in zip(one[:3], two[:3], strict=True)) > _APART:
        return False
    light, dark = sorted((_luminance(one), _luminance(two)), reverse=True)
    return (light + 0.05) / (dark + 0.05) < _CONTRAST


def _luminance(colour: Colour) -> float:
    """Relative luminance by WCAG 2.2."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (min(max(channel, 0.0), 1.0) for channel in colour[:3])
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _pixels(size: object, font: float) -> float | None:
    """A length in pixels; None where it has a share in percent, or is none."""
    return size.px + size.em * font if isinstance(size, Quantity) and not size.percent else None


def _is_away(style: Style, font: float) -> bool:
    for name in ("left", "right", "top", "bottom"):
        size = style.get(name)
        if not isinstance(size, Quantity):
            continue
        pixels = size.px + size.em * font
        if pixels <= _BEFORE or size.percent <= -100:
            return True
        # Down is where a page goes on, whatever its length.
        if name != "top" and (pixels >= _BEYOND or size.percent >= 200):
            return True
    return False


def _is_moved(style: Style, font: float) -> bool:
    for name in ("text-indent", "margin-left", "margin-top"):
        size = style.get(name)
        if isinstance(size, Quantity) and (size.px + size.em * font <= _BEFORE or size.percent <= -100):
            return True
    size = style.get("margin-left")
    if isinstance(size, Quantity) and size.px + size.em * font >= _BEYOND:
        return True
    return any(
        _is_shifted(function, arguments, font)
        for name in ("transform", "translate")
        for function, arguments in _calls(style.get(name))
    )


def _calls(value: Value) -> tuple[tuple[str, tuple[object, ...]], ...]:
    return value.calls if isinstance(value, Functions) else ()


def _sizes(arguments: tuple[object, ...]) -> list[Quantity]:
    """The quantities among arguments, one that is none counting as no shift."""
    return [one if isinstance(one, Quantity) else Quantity(number=1) for one in arguments if one != ","]


def _is_shifted(function: str, arguments: tuple[object, ...], font: float) -> bool:
    if function not in ("", "translate", "translatex", "translatey", "translate3d", "matrix"):
        return False
    sizes = _sizes(arguments)
    if function == "matrix":
        return len(sizes) == 6 and any(size.number <= _BEFORE for size in sizes[4:])
    for index, size in enumerate(sizes[:2]):
        across = index == 0 and function != "translatey"
        pixels = size.px + size.em * font
        if pixels <= _BEFORE or (across and pixels >= _BEYOND):
            return True
        if size.percent <= (-100 if across else -500) or (across and size.percent >= 500):
            return True
    return False


def _is_flattened(style: Style) -> bool:
    for function, arguments in (*_calls(style.get("transform")), *_calls(style.get("rotate"))):
        sizes = _sizes(arguments)
        angles = [abs(one.degrees) % 180 for one in arguments if isinstance(one, Angle)]
        if function in ("scale", "scalex", "scaley", "scale3d") and any(_is_nothing(size) for size in sizes[:2]):
            return True
        if function == "matrix" and len(sizes) == 6:
            a, b, c, d = (size.number for size in sizes[:4])
            if abs(a * d - b * c) < 1e-4:
                return True
        if function in ("rotatex", "rotatey") and any(abs(angle - 90) < 1 for angle in angles):
            return True
    return any(_is_nothing(size) for _, arguments in _calls(style.get("scale")) for size in _sizes(arguments)[:2])


def _is_shrunk(zoom: Value) -> bool:
    """Browsers take a zoom of 0 for none, some previews do not; no page is set so for its readers."""
    return isinstance(zoom, float) and zoom <= _FAINT


def _is_nothing(size: Quantity) -> bool:
    return abs(size.number + size.percent / 100) < 0.02


def _is_shut(style: Style, font: float) -> bool:
    """Whether it has no width or height, and what is beyond them is not drawn."""
    contained = str(style.get("contain", "")).split()
    drawn = {"strict", "content", "paint"}.isdisjoint(contained)
    if drawn and not {style.get("overflow-x"), style.get("overflow-y")} & {
        "hidden",
        "clip",
        "auto",
        "scroll",
        "overlay",
    }:
        return False
    # Lines of no height, and a box that its contents do not open, where nothing else says how high it is.
    line = _pixels(style.get("line-height"), font)
    flat = (line is not None and line <= _PIXEL) or not {"strict", "size"}.isdisjoint(contained)
    if flat and not any(isinstance(style.get(name), Quantity) for name in ("height", "min-height")):
        return True
    for side in ("width", "height"):
        least = _pixels(style.get(f"min-{side}"), font)
        if (least is not None and least > _PIXEL) or (isinstance(style.get(f"min-{side}"), Quantity) and least is None):
            continue
        for name in (side, f"max-{side}"):
            size = _pixels(style.get(name), font)
            if size is not None and size <= _PIXEL:
                return True
    return False


def _is_cut(style: Style) -> bool:
    if style.get("position") in ("absolute", "fixed"):
        for _, arguments in _calls(style.get("clip")):
            edges = _sizes(arguments)
            if "auto" not in arguments and len(edges) == 4:
                top, right, bottom, left = (edge.pixels for edge in edges)
                if bottom - top <= _PIXEL or right - left <= _PIXEL:
                    return True
    return any(_is_empty(function, arguments) for function, arguments in _calls(style.get("clip-path")))


def _is_empty(function: str, arguments: tuple[object, ...]) -> bool:
    """Whether a shape of `clip-path` has no area."""
    if function == "inset":
        sides = _sizes(arguments[: arguments.index("round")] if "round" in arguments else arguments)[:4]
        while 0 < len(sides) < 4:
            sides.append(sides[max(len(sides) - 2, 0)])
        shares = [side.percent + side.pixels / 20 for side in sides]
        return len(shares) == 4 and (shares[0] + shares[2] >= 100 or shares[1] + shares[3] >= 100)
    if function in ("circle", "ellipse"):
        radii = arguments[: arguments.index("at")] if "at" in arguments else arguments
        return any(_is_dot(radius) for radius in radii[:2] if radius != ",")
    if function in ("rect", "xywh"):
        edges = _sizes(arguments[: arguments.index("round")] if "round" in arguments else arguments)[:4]
        if len(edges) < 4 or "auto" in arguments:
            return False
        top, right, bottom, left = edges
        spans = edges[2:] if function == "xywh" else [bottom.plus(top.times(-1)), right.plus(left.times(-1))]
        return any(span.pixels <= _PIXEL and span.percent <= _PIXEL for span in spans)
    if function == "path":
        drawn = [one for one in arguments if isinstance(one, str)]
        # A way that is only moved along, or that has but a start and an end, holds nothing.
        return bool(drawn) and len(_NUMBERS.findall(drawn[-1])) <= 4
    if function == "polygon":
        points = [one for one in arguments if isinstance(one, Quantity)]
        return bool(points) and (len(set(points[::2])) == 1 or len(set(points[1::2])) == 1)
    return False


def _is_dot(radius: object) -> bool:
    return isinstance(radius, Quantity) and radius.pixels <= _PIXEL and radius.percent <= _PIXEL


def _is_filtered(value: Value) -> bool:
    for function, arguments in _calls(value):
        share = arguments[0] if function == "opacity" and arguments else None
        if isinstance(share, Quantity) and share.number + share.percent / 100 <= _FAINT:
            return True
    return False
