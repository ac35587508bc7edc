"""The names of elements that a browser knows, by the HTML standard, SVG 2 and MathML Core."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text between blanks."""
    return frozenset(text.split())


# Elements that are a block by themselves, and whose start tag closes an open paragraph.
BLOCKS = words(
    "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form "
    "h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol p plaintext pre search section summary "
    "table ul xmp"
)
VOID = words("area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr")
FORMATTING = words("b big code em font i nobr s small strike strong tt u")
SPECIAL = (
    BLOCKS
    | VOID
    | words(
        "applet button caption colgroup iframe marquee noembed noframes noscript object script select style tbody td "
        "template textarea tfoot th thead title tr"
    )
)
_INLINE = words(
    "a abbr acronym audio bdi bdo canvas cite data datalist del dfn ins kbd label map mark math meter option optgroup "
    "output picture progress q rp rt ruby samp slot span strong sub sup svg time u var video html head body"
)
_SVG = words(
    "animate circle clippath defs desc ellipse filter foreignobject g line lineargradient marker mask metadata path "
    "pattern polygon polyline radialgradient rect stop symbol text textpath tspan use view"
)


def is_html(name: str) -> bool:
    """Whether a browser knows elements of that name (in lower case)."""
    return name in SPECIAL or name in FORMATTING or name in _INLINE or name in _SVG
