"""HTML comments, and the declarations and processing instructions that a browser treats as comments.

Where one begins is Markdown's business (in an HTML block or as inline HTML, never in code); where it ends is
the browser's (see `html`): `<!--` in an attribute or in a script begins none. One that is not closed within its
HTML swallows the page up to the next place where raw HTML closes it: text in between is escaped by the renderer
and cannot.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from plainview import markup
from plainview.finding import Span
from plainview.hidden.html import Kind, Token, tokenize
from plainview.hidden.span import HiddenSpan, Page
from plainview.markup import Markup
from plainview.text import Source

CHANNEL = "comment"

_QUOTE_MARKS = re.compile(r"(?m)^[ \t]*(?:>[ \t]?)+")

_FORMS = {
    "<!--": "HTML comment",
    "<![CDATA[": "CDATA section",
    "<?": "processing instruction",
    "</": "bogus comment",
}
# GitHub writes the tags of these out and leaves what they hold to be HTML; browsers show it as it is.
_SHOWN_RAW = frozenset({"textarea", "xmp"})
# What a page declares of itself, to its parser.
_DECLARATION = re.compile(
    r"doctype\s+[\w:]+(?:\s+(?:public|system)\s+[\"'][^\"'<>]{0,120}[\"'](?:\s+[\"'][^\"'<>\s]{0,200}[\"'])?)?\s*",
    re.IGNORECASE,
)
# A browser ends these at the first ">", so what was meant as their end is left in what they say.
_TAILS = {"CDATA section": "]]", "processing instruction": "?"}


def find(page: Page) -> Iterator[HiddenSpan]:
    """Every comment of the text, outside code.

    A header is data and shown as such, but for one that pages do not know (TOML) or cannot read: that is Markdown
    to them.
    """
    header = page.header
    if header is not None and header.closed and (header.form == "toml" or header.lenient or header.problem):
        yield from _within(markup.parse(Source(page.source.text[: page.body])), 0)
    yield from _within(page.markup, page.body)


def _within(page: Markup, start: int) -> Iterator[HiddenSpan]:
    text = page.source.text
    for token in tokenize(page, start):
        if token.kind is Kind.COMMENT:
            yield _hidden(page, token, token.span, token.content)
        elif token.raw and token.name in _SHOWN_RAW:
            for content in _closed_within(text, token.content):
                yield _hidden(page, token, Span(content.start - 4, content.end + 3), content)


def _closed_within(text: str, span: Span) -> Iterator[Span]:
    """What stands between `<!--` and `-->`, where both are there."""
    start = text.find("<!--", *span)
    while start >= 0 and (end := text.find("-->", start + 4, span.end)) >= 0:
        yield Span(start + 4, end)
        start = text.find("<!--", end, span.end)


def _hidden(page: Markup, token: Token, span: Span, content: Span) -> HiddenSpan:
    text = page.source.text
    form = "HTML comment" if token.kind is Kind.START else _FORMS.get(token.name, "declaration")
    said = text[content.start : content.end].strip()
    start = text.find(said, content.start)
    content = Span(start, start + len(said))
    region = page.leaf_at(span.start)
    if region is not None and region.quoted:
        said = _QUOTE_MARKS.sub("", said)
    if form == "HTML comment" and said.startswith("[if "):
        form = "conditional comment"
    said = said.removesuffix(_TAILS.get(form, ""))
    marker = form == "declaration" and _DECLARATION.fullmatch(said) is not None
    before = text[page.source.line_start(page.source.line_of(span.start)) : span.start]
    within = region is not None and (region.quoted or region.listed)
    top = token.block and token.closed and not within and not before.strip()
    return HiddenSpan(
        span, CHANNEL, form, content, said, marker=marker, block=token.block, top=top, closed=token.closed
    )
