"""Elements and attributes that a page does not show.

What hides an element is its kind (`template`, `script`), an attribute (`hidden`) or its style; `tree` says how far
it reaches. GitHub takes `style` and `hidden` out and so shows what they hide elsewhere. A collapsed `details` is one
click away and ordinary in documentation, and what only a screen reader is not told (`aria-hidden`) is on the page:
neither is hidden.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence

from plainview.finding import Span
from plainview.hidden import attributes, css, markup_words, prose, sight
from plainview.hidden.css import Value
from plainview.hidden.html import Kind, Token, decode, tokenize
from plainview.hidden.names import BLOCKS, words
from plainview.hidden.sheets import Sheet
from plainview.hidden.sight import Surroundings
from plainview.hidden.span import HiddenSpan, Page
from plainview.hidden.tree import Extent, extents

CHANNEL = "element"
RULE = "hidden-element"
_BY_ATTRIBUTE = "element with "

# Elements that browsers do not display (HTML standard, 15.3.1; noscript where scripts run).
_NEVER = words("template script style noscript title datalist noembed noframes annotation annotation-xml")
_FOREIGN_NEVER = words(
    "title desc metadata defs symbol script style clippath mask pattern marker annotation annotation-xml"
)
# What mathematics is written in beside its own markup.
_ANNOTATIONS = words("annotation annotation-xml")
# Elements that show something in place of their content.
_FALLBACK = words("iframe video audio canvas object progress meter")
_BY_NAME = _NEVER | _FOREIGN_NEVER | _FALLBACK | {"dialog"}
_PARTS = words("progress meter dialog")
# What says what a picture shows is like an image's replacement text.
_DESCRIPTION = "description of a picture"
_PROGRAMS = frozenset({"script", "style"})
# Types of a script that browsers run, beside those that are named after the language.
_RUN = frozenset({"", "module", "text/css"})
# Raw text that is the markup of another page.
_MARKUP = frozenset({"iframe", "noscript", "noembed", "noframes"})

# SVG sets by attributes what a style sets too.
_PRESENTATION = words("display visibility opacity font-size color clip-path transform overflow filter")
_HIDING = _PRESENTATION | {"hidden", "style", "popover", "bgcolor", "text"}
# What is laid out as a box where no style says how.
_BOXES = BLOCKS | words("td th tr tbody body iframe img object video audio canvas svg button textarea")
_QUOTE_MARKS = re.compile(r"(?m)^[ \t]*(?:>[ \t]?)+")
_TAG = re.compile(r"<!--|-->|</?[A-Za-z][^<>]*>")
_NUMBER = re.compile(r"\s*[-+]?[0-9.]+\s*")


def is_shown_on_github(form: str) -> bool:
    """Whether GitHub shows an element of that form, for it takes the attributes out that hide it in other previews.

    Source: the allowlist of attributes in github.com/gjtorikian/html-pipeline (sanitization_filter.rb, 2026-11).
    """
    return form.startswith(_BY_ATTRIBUTE)


def find(page: Page) -> Iterator[HiddenSpan]:
    """Every such span of the page."""
    tokens = list(tokenize(page.markup, page.body))
    text = page.source.text
    yield from attributes.find(text, tokens)
    yield from markup_words.find(text, tokens)
    if not any(_may_hide(token) for token in tokens):
        return
    tokens = _without_mentions(tokens)
    starts = [token.span.start for token in tokens]
    sheet = Sheet(_sheets(text, tokens))
    reader = _Reader(text, sheet)
    for extent in extents(page.markup, tokens, reader.look, Surroundings(), styled=bool(sheet)):
        inner = tokens[bisect_left(starts, extent.token.span.end) : bisect_left(starts, extent.content_end)]
        yield from _hidden(page, extent, inner)


def _sheets(text: str, tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        if token.name == "style" and token.raw:
            yield text[token.content.start : token.content.end]


def _may_hide(token: Token) -> bool:
    if token.kind is not Kind.START:
        return False
    return token.name in _BY_NAME or any(one.name in _HIDING for one in token.attributes)


def _without_mentions(tokens: Sequence[Token]) -> list[Token]:
    """The tokens without tags that a sentence only names: no attributes, and no end in the same text block."""
    ends: defaultdict[str, list[int]] = defaultdict(list)
    for token in tokens:
        if token.kind is Kind.END:
            ends[token.name].append(token.span.start)
    return [token for token in tokens if not _is_mention(token, ends[token.name])]


def _is_mention(token: Token, ends: Sequence[int]) -> bool:
    if token.kind is not Kind.START or token.block or token.attributes or token.name not in _BY_NAME:
        return False
    index = bisect_left(ends, token.span.end)
    return index == len(ends) or ends[index] >= token.limit


class _Reader:
    """Says of start tags in what words they hide what they hold."""

    def __init__(self, text: str, sheet: Sheet) -> None:
        self._text = text
        self._sheet = sheet

    def look(self, token: Token, around: Surroundings, foreign: bool) -> tuple[Surroundings, str | None]:
        """What the element's contents inherit, and how they are hidden, if they are."""
        kind = _kind(token, foreign)
        if kind is not None or not (token.attributes or self._sheet):
            return around, kind
        style = self._style(token, foreign)
        inside = sight.within(style, around) if style else around
        hidden = token.attribute("hidden")
        if hidden is not None and ("display" not in style or self._value(token, "hidden").lower() == "until-found"):
            return inside, _BY_ATTRIBUTE + "the hidden attribute"
        if token.attribute("popover") is not None and "display" not in style:
            return inside, _BY_ATTRIBUTE + "the popover attribute"
        if not style:
            return inside, None
        reason = sight.reason(style, inside, boxed=foreign or token.name in _BOXES)
        return inside, reason and _BY_ATTRIBUTE + reason

    def _style(self, token: Token, foreign: bool) -> dict[str, Value]:
        """What attributes and style sheets set, the `style` attribute last for it prevails."""
        found: dict[str, Value] = {}
        for name in _PRESENTATION if foreign else ():
            if token.attribute(name) is not None:
                value = self._value(token, name)
                unit = "px" if name == "font-size" and _NUMBER.fullmatch(value) else ""
                found |= css.read(f"{name}:{value.replace(';', ' ; ')}{unit}")
        for name, longhand in (("color", "color"), ("text", "color"), ("bgcolor", "background-color")):
            holder = {"color": "font", "text": "body"}.get(name, token.name)
            if token.name == holder and token.attribute(name) is not None:
                colour = css.colour(self._value(token, name))
                if colour is not None:
                    found[longhand] = colour
        sheet = ""
        if self._sheet:
            values = {one.name: self._value(token, one.name) for one in token.attributes if one.name != "style"}
            sheet = self._sheet.declarations(token.name, values)
        style = self._value(token, "style")
        return found | css.read(f"{sheet};{style}" if sheet else style)

    def _value(self, token: Token, name: str) -> str:
        attribute = token.attribute(name)
        return decode(self._text[attribute.value.start : attribute.value.end]).strip() if attribute else ""


def _kind(token: Token, foreign: bool) -> str | None:
    """How an element is hidden by what it is, if it is."""
    if foreign and token.name in ("title", "desc"):
        return _DESCRIPTION
    if token.name in (_FOREIGN_NEVER if foreign else _NEVER):
        return f"{token.name} element"
    if token.name == "dialog" and token.attribute("open") is None:
        return "dialog element that is not open"
    if token.name in _FALLBACK and not foreign and (token.name != "object" or token.attribute("data") is not None):
        return f"{token.name} element's fallback text"
    return None


def _hidden(page: Page, extent: Extent, inner: Sequence[Token]) -> Iterator[HiddenSpan]:
    text, token = page.source.text, extent.token
    content = _trimmed(text, Span(token.span.end, extent.content_end))
    end = extent.end if extent.end > extent.content_end or not extent.closed else content.end
    said = _said(page, token, content, inner)
    if not any(character.isalnum() for character in said):
        return
    program = token.name in _PROGRAMS and prose.is_code(said)
    told = "\n".join(prose.sayings(said, _is_data(text, token))) if program else ""
    # Mathematics in another notation is no sentence.
    formula = token.name in _ANNOTATIONS and not prose.is_sentence(said, strict=True)
    # A page's name stands on its tab.
    name = extent.form == "title element" and prose.is_label(said, strict=False)
    notice = (token.name in _FALLBACK or token.name == "noscript") and prose.is_notice(said)
    yield HiddenSpan(
        Span(token.span.start, end),
        CHANNEL,
        extent.form,
        content,
        told or said,
        rule=attributes.RULE if extent.form == _DESCRIPTION else RULE,
        plain=not told and said == text[content.start : content.end],
        marker=(program and not told) or notice or name or formula,
        # Parts of prompts are named like these, too.
        strict=token.name in _PARTS and not token.attributes,
        block=token.block,
        closed=extent.closed,
        # What a style sheet hides of the Markdown it would hide again.
        showable=not extent.foreign and token.span.end > token.span.start,
    )


def _is_data(text: str, token: Token) -> bool:
    """Whether a script is of a type that no browser runs."""
    kind = token.attribute("type")
    value = text[kind.value.start : kind.value.end].strip().lower() if kind is not None else ""
    return value not in _RUN and not value.endswith(("javascript", "ecmascript"))


def _trimmed(text: str, span: Span) -> Span:
    said = text[span.start : span.end]
    start = span.start + len(said) - len(said.lstrip())
    return Span(start, max(start, span.start + len(said.rstrip())))


def _said(page: Page, token: Token, content: Span, inner: Sequence[Token]) -> str:
    """What stands in `content`, with the tags in it taken out and character references replaced."""
    text = page.source.text
    if token.raw:
        said = text[content.start : content.end]
        if token.name in _MARKUP:
            said = _TAG.sub("", said)
        said = said if token.name in _PROGRAMS else decode(said)
    else:
        parts = []
        position = content.start
        for one in inner:
            if one.span.start >= content.end:
                break
            if one.span.start > position:
                parts.append(decode(text[position : one.span.start]))
            if one.name in BLOCKS or one.name == "br":
                parts.append("\n")
            position = max(position, one.span.end)
        said = "".join([*parts, decode(text[position : content.end])])
    leaf = page.markup.leaf_at(token.span.start)
    if leaf is not None and leaf.quoted:
        said = _QUOTE_MARKS.sub("", said)
    return said.strip()
