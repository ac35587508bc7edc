"""Declarations of style as a browser reads them: which declarations win, and what their values are.

Escapes, comments, letter case and `!important` are read by tinycss2; here invalid declarations are dropped,
shorthands are spread over their longhands, `var()` is replaced and the last valid declaration of a property wins.
Only properties that can hide text are known. Sources: CSS Cascade 5, CSS Values 4, CSS Color 4.
Simplified: custom properties count on the element itself only; a value whose size nothing here can tell
(`attr()`, `anchor()`, deep nesting) is valid and hides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from plainview.hidden.names import words
from plainview.hidden.quantity import UNKNOWN, Angle, Quantity, Unknown, meaningful, quantity, read_angle

# A node of tinycss2, which ships no types.
Node = Any
Nodes = Sequence[Node]


class Colour(NamedTuple):
    """A colour in sRGB, each part from 0 to 1."""

    red: float
    green: float
    blue: float
    alpha: float


class Functions(NamedTuple):
    """A list of functions with their arguments: quantities, angles, keywords, commas, or what cannot be told."""

    calls: tuple[tuple[str, tuple[object, ...]], ...]


# What a property is set to; None where it is back at its initial value.
Value = str | float | Quantity | Colour | Functions | Unknown | None

_WIDE = frozenset({"initial", "inherit", "unset", "revert", "revert-layer"})
_DISPLAYS = words(
    "block inline run-in flow flow-root table flex grid ruby math list-item contents none inline-block inline-table "
    "inline-flex inline-grid table-row-group table-header-group table-footer-group table-row table-cell "
    "table-column-group table-column table-caption ruby-base ruby-text ruby-base-container ruby-text-container "
    "-webkit-box -webkit-inline-box -webkit-flex -webkit-inline-flex"
)
# Pixels, by CSS Fonts 4 and the default of 16.
_FONT_SIZES = {
    "xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0, "xx-large": 32.0,
    "xxx-large": 48.0, "math": 16.0,
}  # fmt: skip
_SYSTEM_FONTS = frozenset({"caption", "icon", "menu", "message-box", "small-caption", "status-bar"})
_SYSTEM_COLOURS = words(
    "accentcolor accentcolortext activetext buttonborder buttonface buttontext canvas canvastext field fieldtext "
    "graytext highlight highlighttext linktext mark marktext selecteditem selecteditemtext visitedtext"
)
_COLOUR_FUNCTIONS = words("color-mix light-dark lab lch oklab oklch color device-cmyk contrast-color")
_BACKGROUND_WORDS = words(
    "none repeat repeat-x repeat-y no-repeat space round scroll fixed local center left right top bottom cover contain "
    "auto border-box padding-box content-box text"
)
_CONTAINMENTS = words("none strict content size inline-size layout style paint")
# Opacity below which nothing is made out.
_CLEAR = 0.05
_MAX_VAR_DEPTH = 8
_MAX_VAR_NODES = 40


def read(style: str) -> dict[str, Value]:
    """The winning value of each property that the declarations in `style` set.

    Raises nothing, and takes time linear in the style's length.
    """
    import tinycss2  # type: ignore[import-untyped]

    declarations = [
        node
        for node in tinycss2.parse_blocks_contents(style, skip_comments=True, skip_whitespace=True)
        if node.type == "declaration"
    ]
    custom: dict[str, Nodes] = {}
    for node in sorted(declarations, key=lambda one: bool(one.important)):
        if node.name.startswith("--"):
            custom[node.name] = meaningful(node.value)
    found: dict[str, Value] = {}
    important: set[str] = set()
    for node in declarations:
        name = _ALIASES.get(node.lower_name, node.lower_name)
        if not _is_known(name):
            continue
        for longhand, value in _longhands(name, meaningful(node.value), custom).items():
            if node.important or longhand not in important:
                found[longhand] = value
            if node.important:
                important.add(longhand)
    return found


def relevant(nodes: Nodes) -> str:
    """The declarations among the nodes of a rule's body that `read` would look at, as CSS."""
    import tinycss2

    kept = [
        node
        for node in tinycss2.parse_blocks_contents(nodes, skip_comments=True, skip_whitespace=True)
        if node.type == "declaration" and (node.name.startswith("--") or _is_known(node.lower_name))
    ]
    return ";".join(node.serialize() for node in kept)


def _is_known(name: str) -> bool:
    return name == "all" or name in _ALIASES or name in _LONGHANDS or name in _SHORTHANDS


def colour(text: str) -> Colour | None:
    """A colour as a legacy attribute gives it (`<font color>`), or None."""
    import tinycss2

    node = tinycss2.parse_one_component_value(text, skip_comments=True)
    value = None if node.type == "error" else _colour([node])
    if value is None and text.strip():
        node = tinycss2.parse_one_component_value("#" + text.strip(), skip_comments=True)
        value = None if node.type == "error" else _colour([node])
    return value if isinstance(value, Colour) else None


def _longhands(name: str, nodes: Nodes, custom: dict[str, Nodes]) -> dict[str, Value]:
    """What a declaration sets; nothing when it is invalid."""
    replaced = any(_is_var(node) for node in nodes)
    if replaced:
        nodes = _replace_vars(nodes, custom, 0) or ()
    if len(nodes) == 1 and nodes[0].type == "ident" and nodes[0].lower_value in _WIDE:
        return dict.fromkeys(_spread(name))
    if any(_is_var(part) for node in nodes if node.type == "function" for part in node.arguments):
        return dict.fromkeys(_spread(name), UNKNOWN)
    if name == "all":
        return {}
    if name in _SHORTHANDS:
        values = _SHORTHANDS[name].read(nodes) if nodes else None
    else:
        value = _LONGHANDS[name](nodes) if nodes else None
        values = None if value is None else {name: value}
    if values is None:
        # Invalid at computed-value time: the property is unset, not what came before.
        return dict.fromkeys(_spread(name)) if replaced else {}
    return values


def _spread(name: str) -> Iterable[str]:
    if name == "all":
        return _LONGHANDS
    return _SHORTHANDS[name].names if name in _SHORTHANDS else (name,)


def _is_var(node: Node) -> bool:
    return bool(node.type == "function" and node.lower_name == "var")


def _replace_vars(nodes: Nodes, custom: dict[str, Nodes], depth: int) -> list[Node] | None:
    """The nodes with each `var()` replaced; None where one has neither value nor fallback."""
    if depth > _MAX_VAR_DEPTH:
        return None
    found: list[Node] = []
    for node in nodes:
        if not _is_var(node):
            found.append(node)
            continue
        inner = meaningful(node.arguments)
        name = inner[0].value if inner and inner[0].type == "ident" else ""
        value = custom.get(name)
        if value is None and len(inner) > 1 and inner[1] == ",":
            value = inner[2:]
        replaced = None if value is None else _replace_vars(value, custom, depth + 1)
        if replaced is None or len(found) + len(replaced) > _MAX_VAR_NODES:
            return None
        found += replaced
    return found


def _keyword(*words: str) -> Callable[[Nodes], Value]:
    def reader(nodes: Nodes) -> Value:
        word = _word(nodes)
        return word if word in words else None

    return reader


def _word(nodes: Nodes) -> str | None:
    return nodes[0].lower_value if len(nodes) == 1 and nodes[0].type == "ident" else None


def _display(nodes: Nodes) -> Value:
    words = [node.lower_value if node.type == "ident" else "" for node in nodes]
    if not 1 <= len(words) <= 3 or not _DISPLAYS.issuperset(words) or ("none" in words and len(words) > 1):
        return None
    return " ".join(words)


def _length(*words: str, negative: bool = True) -> Callable[[Nodes], Value]:
    def reader(nodes: Nodes) -> Value:
        word = _word(nodes)
        if word is not None:
            return word if word in words else None
        size = quantity(nodes[0]) if len(nodes) == 1 else None
        if not isinstance(size, Quantity):
            return size
        is_function = nodes[0].type == "function"
        below = min(size.pixels, size.percent) < 0
        if size.number or (below and not negative and not is_function):
            return None
        return size if negative or not below else Quantity()

    return reader


def _font_size(nodes: Nodes) -> Value:
    word = _word(nodes)
    if word in _FONT_SIZES:
        return Quantity(px=_FONT_SIZES[word])
    if word in ("larger", "smaller"):
        return Quantity(em=1.2 if word == "larger" else 1 / 1.2)
    return _length(negative=False)(nodes)


def _share(nodes: Nodes) -> Value:
    """A number or percentage, as a number from 0 to 1."""
    size = quantity(nodes[0]) if len(nodes) == 1 and nodes[0].type != "dimension" else None
    if not isinstance(size, Quantity):
        return size
    return None if size.px or size.em else min(max(size.number + size.percent / 100, 0.0), 1.0)


def _zoom(nodes: Nodes) -> Value:
    word = _word(nodes)
    if word is not None:
        return 1.0 if word in ("normal", "reset") else None
    size = quantity(nodes[0]) if len(nodes) == 1 else None
    return size.number + size.percent / 100 if isinstance(size, Quantity) and not size.pixels else None


def _text_indent(nodes: Nodes) -> Value:
    sizes = [node for node in nodes if not (node.type == "ident" and node.lower_value in ("hanging", "each-line"))]
    return _length()(sizes)


def _colour(nodes: Nodes) -> Value:
    from tinycss2.color5 import parse_color  # type: ignore[import-untyped]

    if len(nodes) != 1:
        return None
    node = nodes[0]
    if node.type == "ident" and node.lower_value in _SYSTEM_COLOURS:
        return UNKNOWN
    if node.type not in ("ident", "hash", "function"):
        return None
    try:
        parsed = parse_color(node)
        if parsed is None or isinstance(parsed, str):
            known = node.type == "function" and node.lower_name in _COLOUR_FUNCTIONS
            return parsed or (UNKNOWN if known or _computes(node) else None)
        red, green, blue = parsed.to("srgb").coordinates
        return Colour(float(red), float(green), float(blue), float(parsed.alpha))
    except Exception:  # noqa: BLE001, RUF100 - a parser that is not ours, on hostile text
        return UNKNOWN


def _computes(node: Node) -> bool:
    return node.type == "function" and any(part.type == "function" for part in node.arguments)


def _functions(*names: str) -> Callable[[Nodes], Value]:
    """A list of functions by name, or `none`; each with its arguments as quantities, words or angles."""

    def reader(nodes: Nodes) -> Value:
        if _word(nodes) == "none":
            return "none"
        found: list[tuple[str, tuple[object, ...]]] = []
        for node in nodes:
            if node.type != "function" or node.lower_name not in names:
                return None
            found.append((node.lower_name, tuple(_argument(part) for part in meaningful(node.arguments))))
        return Functions(tuple(found))

    return reader


def _argument(node: Node) -> object:
    if node.type == "ident":
        return node.lower_value
    if node.type in ("literal", "string"):
        return node.value
    angle = read_angle(node)
    if angle is not None:
        return angle
    size = quantity(node)
    return UNKNOWN if size is None else size


def _clip(nodes: Nodes) -> Value:
    if _word(nodes) == "auto":
        return "auto"
    return _functions("rect")(nodes) if len(nodes) == 1 else None


def _clip_path(nodes: Nodes) -> Value:
    shapes = [node for node in nodes if node.type == "function"]
    if _word(nodes) == "none":
        return "none"
    if len(shapes) != 1 or any(node.type not in ("function", "ident") for node in nodes):
        return UNKNOWN if len(nodes) == 1 and nodes[0].type == "url" else None
    return _functions("inset", "circle", "ellipse", "polygon", "rect", "xywh", "path", "shape", "url")(shapes)


def _mask(nodes: Nodes) -> Value:
    """`none`, or the word `clear` for a mask that lets nothing of the element through."""
    if _word(nodes) == "none":
        return "none"
    layers = [node for node in nodes if node.type in ("function", "url")]
    gradients = [node for node in layers if node.type == "function" and node.lower_name.endswith("gradient")]
    if not layers or len(gradients) < len(layers):
        return UNKNOWN if layers else None
    colours = [_colour([part]) for node in gradients for part in node.arguments]
    solid = [one for one in colours if isinstance(one, Colour)]
    return "clear" if solid and all(one.alpha <= _CLEAR for one in solid) else UNKNOWN


def _contain(nodes: Nodes) -> Value:
    words = [node.lower_value if node.type == "ident" else "" for node in nodes]
    return " ".join(words) if words and _CONTAINMENTS.issuperset(words) else None


def _rotate(nodes: Nodes) -> Value:
    """`rotate` as a property, as the function that does the same; turning in the plane hides nothing."""
    if _word(nodes) == "none":
        return "none"
    arguments = [_argument(node) for node in nodes]
    angles = [one for one in arguments if isinstance(one, Angle)]
    axes = [one.number if isinstance(one, Quantity) else one for one in arguments if not isinstance(one, Angle)]
    if len(angles) != 1:
        return None
    for name, axis, vector in (("rotatex", "x", [1.0, 0.0, 0.0]), ("rotatey", "y", [0.0, 1.0, 0.0])):
        if axes in ([axis], vector):
            return Functions(((name, (angles[0],)),))
    return UNKNOWN


def _line_height(nodes: Nodes) -> Value:
    size = quantity(nodes[0]) if len(nodes) == 1 else None
    if isinstance(size, Quantity) and size.number:
        return Quantity(em=size.number)
    return "normal" if _word(nodes) == "normal" else size


def _filter(nodes: Nodes) -> Value:
    names = "opacity blur brightness contrast drop-shadow grayscale hue-rotate invert saturate sepia url"
    return _functions(*names.split())(nodes)


def _individual(nodes: Nodes) -> Value:
    """`translate` and `scale` as properties: one to three quantities."""
    if _word(nodes) == "none":
        return "none"
    sizes = tuple(_argument(node) for node in nodes)
    if not 1 <= len(sizes) <= 3 or not all(isinstance(size, (Quantity, Unknown)) for size in sizes):
        return None
    return Functions((("", sizes),))


_SIZE_WORDS = ("auto", "min-content", "max-content", "fit-content", "stretch", "none", "-webkit-fill-available")
_OVERFLOW = _keyword("visible", "hidden", "clip", "scroll", "auto", "overlay")
_PLACE = _length("auto")
_SIZE = _length(*_SIZE_WORDS, negative=False)
_TRANSFORMS = (
    "matrix matrix3d translate translatex translatey translatez translate3d scale scalex scaley scalez scale3d "
    "rotate rotatex rotatey rotatez rotate3d skew skewx skewy perspective"
)

_LONGHANDS: dict[str, Callable[[Nodes], Value]] = {
    "display": _display,
    "visibility": _keyword("visible", "hidden", "collapse"),
    "content-visibility": _keyword("visible", "auto", "hidden"),
    "opacity": _share,
    "filter": _filter,
    "position": _keyword("static", "relative", "absolute", "fixed", "sticky", "-webkit-sticky"),
    "float": _keyword("none", "left", "right", "inline-start", "inline-end"),
    "overflow-x": _OVERFLOW,
    "overflow-y": _OVERFLOW,
    **dict.fromkeys(("width", "height", "max-width", "max-height", "min-width", "min-height"), _SIZE),
    **dict.fromkeys(("top", "right", "bottom", "left"), _PLACE),
    **dict.fromkeys(("margin-top", "margin-right", "margin-bottom", "margin-left"), _PLACE),
    "text-indent": _text_indent,
    "font-size": _font_size,
    "color": _colour,
    "-webkit-text-fill-color": _colour,
    "background-color": _colour,
    "transform": _functions(*_TRANSFORMS.split()),
    "translate": _individual,
    "scale": _individual,
    "rotate": _rotate,
    "zoom": _zoom,
    "line-height": _line_height,
    "contain": _contain,
    "mask": _mask,
    "mask-image": _mask,
    "-webkit-text-security": _keyword("none", "disc", "circle", "square"),
    "clip": _clip,
    "clip-path": _clip_path,
}

# Other names of these properties, and the directions of writing from left to right and top to bottom.
_ALIASES = {
    "-webkit-opacity": "opacity", "-webkit-filter": "filter", "-webkit-transform": "transform",
    "-webkit-clip-path": "clip-path", "-webkit-mask": "mask", "-webkit-mask-image": "mask-image",
    "inline-size": "width", "block-size": "height",
    "max-inline-size": "max-width", "max-block-size": "max-height", "min-inline-size": "min-width",
    "min-block-size": "min-height", "overflow-inline": "overflow-x", "overflow-block": "overflow-y",
    "inset-inline-start": "left", "inset-inline-end": "right", "inset-block-start": "top",
    "inset-block-end": "bottom", "margin-inline-start": "margin-left", "margin-inline-end": "margin-right",
    "margin-block-start": "margin-top", "margin-block-end": "margin-bottom",
}  # fmt: skip


class _Shorthand(NamedTuple):
    """The longhands that a shorthand sets, and how its value is spread over them."""

    names: tuple[str, ...]
    read: Callable[[Nodes], dict[str, Value] | None]


def _sides(*names: str) -> _Shorthand:
    """One to four values in the order of the sides; missing ones repeat those opposite."""

    def reader(nodes: Nodes) -> dict[str, Value] | None:
        values = [_LONGHANDS[names[0]]([node]) for node in nodes]
        if not 1 <= len(values) <= len(names) or None in values:
            return None
        while len(values) < len(names):
            values.append(values[max(len(values) - 2, 0)])
        return dict(zip(names, values, strict=True))

    return _Shorthand(names, reader)


def _font(nodes: Nodes) -> dict[str, Value] | None:
    if _word(nodes) in _SYSTEM_FONTS:
        return {"font-size": UNKNOWN}
    for index, node in enumerate(nodes[:6]):
        size = _font_size([node])
        if size is not None:
            family = nodes[index + 1 :]
            if family and family[0] == "/":
                family = family[2:]
            return {"font-size": size} if family and family[0].type in ("ident", "string") else None
        if node.type not in ("ident", "number", "dimension"):
            return None
    return None


def _background(nodes: Nodes) -> dict[str, Value] | None:
    colours: list[Value] = []
    for node in nodes:
        found = _colour([node])
        if found is not None:
            colours.append(found)
        elif node.type == "ident" and node.lower_value not in _BACKGROUND_WORDS:
            return None
        elif node.type in ("function", "url"):
            return {"background-color": UNKNOWN}
    if len(colours) > 1:
        return None
    return {"background-color": colours[0] if colours else None}


_SHORTHANDS = {
    "overflow": _sides("overflow-x", "overflow-y"),
    "inset": _sides("top", "right", "bottom", "left"),
    "inset-inline": _sides("left", "right"),
    "inset-block": _sides("top", "bottom"),
    "margin": _sides("margin-top", "margin-right", "margin-bottom", "margin-left"),
    "margin-inline": _sides("margin-left", "margin-right"),
    "margin-block": _sides("margin-top", "margin-bottom"),
    "font": _Shorthand(("font-size",), _font),
    "background": _Shorthand(("background-color",), _background),
}
