"""Styles are read as a browser reads them, and say why an element is not seen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainview.hidden import css, sight
from plainview.hidden.quantity import UNKNOWN, Quantity
from plainview.hidden.sight import Surroundings

AWAY = "an off-screen position"
SHUT = "zero size"
CUT = "its contents clipped away"
FLAT = "a transform to nothing"
TINY = "a font too small to read"
ALIKE = "text in the colour of its background"
CLEAR = "transparent text"
NONE = "display:none"
MASKED = "its contents masked away"
ZOOM = "a zoom to nothing"
LETTERS = "its letters masked"
OPACITY = "opacity:0"


def why(style: str, *, boxed: bool = True) -> str | None:
    values = css.read(style)
    return sight.reason(values, sight.within(values, Surroundings()), boxed=boxed)


UNSEEN = [
    ("display:none", NONE),
    ("DISPLAY : None", NONE),
    ("d\\69splay:n\\6fne", NONE),
    ("display/**/:/* x */none", NONE),
    (";;color:red;display:none", NONE),
    ("a b; display:none", NONE),
    ("display:none;display:nope", NONE),
    ("display:none;display:", NONE),
    ("display:none!important;display:block", NONE),
    ("display:none ! important", NONE),
    ("display:block;all:unset;display:none", NONE),
    ("display:var(--x,none)", NONE),
    ("--x:var(--y);--y:none;display:var(--x)", NONE),
    ("display:none;color:red", NONE),
    ("display:none;}", NONE),
    ("visibility:hidden", "visibility:hidden"),
    ("visibility:collapse", "visibility:collapse"),
    ("content-visibility:hidden", "content-visibility:hidden"),
    ("opacity:0", OPACITY),
    ("opacity:.05", OPACITY),
    ("opacity:1%", OPACITY),
    ("opacity:-3", OPACITY),
    ("opacity:calc(1 - 1)", OPACITY),
    ("opacity:0e3", OPACITY),
    ("-webkit-opacity:0", OPACITY),
    ("filter:opacity(0)", OPACITY),
    ("filter:blur(2px) opacity(0%)", OPACITY),
    ("font-size:0", TINY),
    ("font-size:1px", TINY),
    ("font-size:.7pt", TINY),
    ("font-size:0.01em", TINY),
    ("font-size:2%", TINY),
    ("font-size:0.1vw", TINY),
    ("font-size:calc(2px / 2)", TINY),
    ("font-size:min(1px, 3em)", TINY),
    ("font-size:clamp(0px, 1px, 2px)", TINY),
    ("font:0/0 a", TINY),
    ("font:italic bold 1px/2 'Some Face', serif", TINY),
    ("font:700 0 serif", TINY),
    ("font-size:20px;font:0 a", TINY),
    ("width:0;overflow:hidden", SHUT),
    ("height:0;overflow:clip", SHUT),
    ("max-height:0px;overflow-y:hidden", SHUT),
    ("max-width:1px;overflow:hidden visible", SHUT),
    ("block-size:0;overflow:auto", SHUT),
    ("width:1px;height:1px;overflow:hidden", SHUT),
    ("position:absolute;left:-9999px", AWAY),
    ("position:fixed;top:-100vh", AWAY),
    ("position:absolute;right:-50em", AWAY),
    ("position:absolute;left:9999px", AWAY),
    ("position:absolute;left:-100%", AWAY),
    ("position:absolute;inset:0 auto auto -600px", AWAY),
    ("position:absolute;inset-inline-start:-999px", AWAY),
    ("position:relative;left:calc(-1 * 999px)", AWAY),
    ("text-indent:-9999px", AWAY),
    ("text-indent:-100%", AWAY),
    ("margin:0 0 0 -9999px", AWAY),
    ("margin-left:-800px", AWAY),
    ("transform:translate(-999px)", AWAY),
    ("transform:translateX(-100%)", AWAY),
    ("transform:rotate(1deg) translate3d(0,-999px,0)", AWAY),
    ("translate:-999px 0", AWAY),
    ("transform:scale(0)", FLAT),
    ("transform:scale(1,0)", FLAT),
    ("transform:scaleY(0%)", FLAT),
    ("-webkit-transform:scale(.001)", FLAT),
    ("transform:matrix(0,0,0,0,0,0)", FLAT),
    ("transform:rotateY(90deg)", FLAT),
    ("transform:rotateX(.25turn)", FLAT),
    ("scale:0", FLAT),
    ("position:absolute;clip:rect(0,0,0,0)", CUT),
    ("position:absolute;clip:rect(1px 1px 1px 1px)", CUT),
    ("clip-path:inset(50%)", CUT),
    ("clip-path:inset(100% 0 0)", CUT),
    ("clip-path:circle(0)", CUT),
    ("clip-path:circle(0px at 10% 10%)", CUT),
    ("clip-path:ellipse(0 10px)", CUT),
    ("clip-path:polygon(0 0, 0 0, 0 0)", CUT),
    ("-webkit-clip-path:inset(50% round 1px)", CUT),
    ("color:transparent", CLEAR),
    ("color:rgba(1,2,3,0)", CLEAR),
    ("color:#fff0", CLEAR),
    ("color:rgb(0 0 0 / 2%)", CLEAR),
    ("color:hsl(0 0% 0% / 0)", CLEAR),
    ("color:black;-webkit-text-fill-color:transparent", CLEAR),
    ("color:white;background:white", ALIKE),
    ("color:#fefefe;background-color:#fff", ALIKE),
    ("background:none #000 no-repeat;color:#010101", ALIKE),
    ("color:hsl(0,0%,100%);background:rgb(255,255,255)", ALIKE),
    ("color:WHITE;background:#FFFFFF", ALIKE),
    ("clip-path:rect(0 0 0 0)", CUT),
    ("clip-path:rect(10px 90px 10px 0)", CUT),
    ("clip-path:xywh(0 0 0 50%)", CUT),
    ("clip-path:path('M0 0')", CUT),
    ("clip-path:path(evenodd, 'M0 0 L5 5')", CUT),
    ("mask:linear-gradient(transparent, #0000)", MASKED),
    ("-webkit-mask-image:radial-gradient(rgb(0 0 0 / 0), transparent)", MASKED),
    ("zoom:0", ZOOM),
    ("zoom:2%", ZOOM),
    ("contain:strict", SHUT),
    ("contain:size;overflow:hidden", SHUT),
    ("contain:size layout paint", SHUT),
    ("line-height:0;overflow:hidden", SHUT),
    ("line-height:0px;overflow:clip", SHUT),
    ("rotate:x 90deg", FLAT),
    ("rotate:0 1 0 -90deg", FLAT),
    ("rotate:.25turn y", FLAT),
    ("-webkit-text-security:disc", LETTERS),
]

SEEN = [
    "",
    "color:red",
    "display:block",
    "display:none;display:inline flow-root",
    "display:none;all:initial",
    "display:none;display:revert",
    "display:none;display:var(--missing)",
    "display:'none'",
    "display:none none",
    "display:no ne",
    "display none",
    "--display:none",
    "/*display:none*/",
    "content:'display:none'",
    "x{display:none}",
    "visibility:none",
    "opacity:.3",
    "opacity:0px",
    "opacity:0;opacity:1",
    "filter:opacity(0) nope(1)",
    "font-size:10px",
    "font-size:-1px",
    "font-size:1",
    "font-size:0;font-size:larger",
    "font:0",
    "font:0/0",
    "font-size:attr(data-x)",
    "width:0",
    "width:0;overflow:visible",
    "width:0;min-width:9em;overflow:hidden",
    "height:2em;overflow:hidden",
    "left:-9999px",
    "position:absolute;left:-10px",
    "position:absolute;top:9999px",
    "position:absolute;left:-9999",
    "text-indent:-2em",
    "margin-left:-10px",
    "transform:translate(-50%,-50%)",
    "transform:translateX(-100%) none",
    "transform:scale(1)",
    "transform:rotate(90deg)",
    "clip:rect(0,0,0,0)",
    "position:absolute;clip:rect(0,10px,10px,0)",
    "position:absolute;clip:auto",
    "clip-path:inset(10%)",
    "clip-path:circle(50%)",
    "clip-path:polygon(0 0, 10px 0, 10px 10px)",
    "color:white",
    "color:white;background:black",
    "color:yellow;background:white",
    "color:white;background:rgba(255,255,255,.2)",
    "color:white;background:#fff url(a.png)",
    "color:white;background:white;color:black",
    "color:#ggg;background:white",
    "color:canvas;background:white",
    "background:white",
    "clip-path:rect(0 100px 100px 0)",
    "clip-path:rect(0 auto auto 0)",
    "clip-path:xywh(0 0 100% 100%)",
    "clip-path:path('M0 0 L9 0 L9 9 Z')",
    "mask:linear-gradient(black, transparent)",
    "mask:url(a.svg)",
    "mask:none",
    "zoom:1",
    "zoom:150%",
    "zoom:normal",
    "contain:size",
    "contain:strict;height:9em",
    "contain:layout paint",
    "line-height:0",
    "line-height:1.2;overflow:hidden",
    "rotate:90deg",
    "rotate:x 10deg",
    "rotate:none",
    "-webkit-text-security:none",
]


@pytest.mark.parametrize(("style", "reason"), UNSEEN)
def test_a_style_that_hides(style: str, reason: str) -> None:
    assert why(style) == reason


@pytest.mark.parametrize("style", SEEN)
def test_a_style_that_does_not_hide(style: str) -> None:
    assert why(style) is None


def test_size_and_transform_do_nothing_to_what_stands_in_a_line() -> None:
    assert why("height:0;overflow:hidden", boxed=False) is None
    assert why("transform:scale(0)", boxed=False) is None
    assert why("display:inline-block;height:0;overflow:hidden", boxed=False) == SHUT
    assert why("float:left;height:0;overflow:hidden", boxed=False) == SHUT
    assert why("display:inline;height:0;overflow:hidden") is None


def test_contents_inherit_colours_size_and_opacity() -> None:
    outer = css.read("color:#fff;background:#000;font-size:10px;opacity:.5")
    around = sight.within(outer, Surroundings())
    inner = sight.within(css.read("font-size:50%;opacity:.5;background:inherit"), around)
    assert inner == Surroundings(around.colour, around.background, 5.0, 0.25)
    assert sight.within(css.read("color:currentcolor"), around).colour == around.colour


def test_values_that_cannot_be_told_are_valid() -> None:
    assert css.read("font-size:1px;font-size:round(1px, 2px)") == {"font-size": UNKNOWN}
    assert css.read("font-size:calc(1em + 2px * 3)") == {"font-size": Quantity(px=6.0, em=1.0)}
    assert css.read("font-size:calc(1px -1px)") == {}
    assert css.read("font-size:" + "calc(" * 40 + "1px" + ")" * 40) == {"font-size": UNKNOWN}


@pytest.mark.parametrize(
    ("text", "expected"), [("white", (1, 1, 1, 1)), (" #FFF ", (1, 1, 1, 1)), ("ffffff", (1, 1, 1, 1)), ("", None)]
)
def test_colours_of_old_attributes(text: str, expected: tuple[float, ...] | None) -> None:
    assert css.colour(text) == expected


PIECES = (
    "display|:|;|none|var(--a|--a|(|)|{|}|[|calc(|1px|-|+|0|%|!important|/*|*/|\\|'|color|#fff|rgb(|,|background|font|"
    "transform|scale(|inset(|clip-path|polygon(|matrix(|all|unset|1e999|lab(|color(|hsl(|font-size|at|round|/| |\n|\0|é"
)


@given(st.lists(st.sampled_from(PIECES.split("|")), max_size=40).map("".join))
def test_no_style_raises(style: str) -> None:
    why(style)
    why(f"transform:{style}")
    why(f"color:{style};background:{style}")
    why(f"clip-path:{style};font:{style}")


def test_deep_nesting_and_repeated_variables_end() -> None:
    why("font-size:" + "calc(" * 20_000)
    why("display:" + "(" * 20_000)
    doubling = ";".join(f"--v{n}:var(--v{n + 1}) var(--v{n + 1})" for n in range(30))
    assert why(f"{doubling};--v30:none;display:var(--v0)") is None
