"""HTML comments, and the declarations and processing instructions that a browser treats as comments.

Where one begins is Markdown's business (in an HTML block or as inline HTML, never in code); where it ends is
the browser's, by the comment states of the HTML standard's tokenizer: at `-->` or `--!>`, at once for `<!-->`
and `<!--->`, at the first `>` for bogus comments. One that is not closed within its HTML swallows the page up
to the next place where raw HTML closes it: text in between is escaped by the renderer and cannot.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from plainview.finding import Span
from plainview.hidden.span import HiddenSpan
from plainview.markup import Markup, Region, RegionKind

CHANNEL = "comment"

# `<!-->` and `<!--->` are whole comments; `<!`, `<?` and `</` before a character that begins no tag are bogus.
_OPENING = re.compile(r"<!---?>|<!--|<!\[CDATA\[|<!|<\?|</(?=[^A-Za-z>])")
_CLOSING = re.compile(r"--!?>")
_QUOTE_MARKS = re.compile(r"(?m)^[ \t]*(?:>[ \t]?)+")

_FORMS = {
    "<!--": "HTML comment",
    "<![CDATA[": "CDATA section",
    "<?": "processing instruction",
    "</": "bogus comment",
}
# A browser ends these at the first ">", so what was meant as their end is left in what they say.
_TAILS = {"CDATA section": "]]", "processing instruction": "?"}


def find(markup: Markup, body: int) -> Iterator[HiddenSpan]:
    """Every comment of the text from `body` on, outside code."""
    text = markup.source.text
    pieces = _raw_html(markup, body)
    reached = body
    for index, (region, block) in enumerate(pieces):
        position = max(region.start, reached)
        while (opening := _OPENING.search(text, position, region.end)) is not None:
            later = (piece for piece, _ in islice(pieces, index + 1, None))
            found = _comment(markup, opening, region, later, block=block)
            yield found
            position = reached = found.span.end


def _comment(markup: Markup, opening: re.Match[str], region: Span, later: Iterable[Span], *, block: bool) -> HiddenSpan:
    text = markup.source.text
    start, inner = opening.span()
    mark = opening.group()
    form = _FORMS.get(mark, "declaration")
    if mark in ("<!-->", "<!--->"):
        return _hidden(markup, Span(start, inner), Span(inner, inner), "HTML comment", block=block, closed=True)
    if mark == "<!--":
        closing = _CLOSING.search(text, inner, region.end) or _closing_later(text, later)
        content_end, end = closing.span() if closing else (len(text), len(text))
        closed = closing is not None
    else:
        content_end = text.find(">", inner, region.end)
        closed = content_end >= 0
        end = content_end + 1 if closed else region.end
        content_end = content_end if closed else region.end
    return _hidden(markup, Span(start, end), Span(inner, content_end), form, block=block, closed=closed)


def _closing_later(text: str, later: Iterable[Span]) -> re.Match[str] | None:
    for span in later:
        closing = _CLOSING.search(text, span.start, span.end)
        if closing is not None:
            return closing
    return None


def _hidden(markup: Markup, span: Span, content: Span, form: str, *, block: bool, closed: bool) -> HiddenSpan:
    text = markup.source.text
    said = text[content.start : content.end].strip()
    start = text.find(said, content.start)
    content = Span(start, start + len(said))
    region = markup.leaf_at(span.start)
    if region is not None and region.quoted:
        said = _QUOTE_MARKS.sub("", said)
    if form == "HTML comment" and said.startswith("[if "):
        form = "conditional comment"
    return HiddenSpan(span, CHANNEL, form, content, said.removesuffix(_TAILS.get(form, "")), block, closed)


def _raw_html(markup: Markup, body: int) -> list[tuple[Span, bool]]:
    """The ranges that reach the browser as HTML, and whether each is a block, in order.

    Text that no region covers (nesting beyond the parser's limit) counts too: nothing is taken for visible
    only because the parser did not label it.
    """
    pieces = [(region.span, region.kind is RegionKind.HTML_BLOCK) for region in markup.html()]
    pieces += [(span, True) for span in _uncovered(markup.leaves(), body, len(markup.source.text))]
    return sorted(pieces)


def _uncovered(leaves: Sequence[Region], body: int, end: int) -> Iterator[Span]:
    position = body
    for region in leaves:
        if region.span.start > position:
            yield Span(position, region.span.start)
        position = max(position, region.span.end)
    if position < end:
        yield Span(position, end)
