"""The HTML of a page as a browser's tokenizer reads it: tags, attributes, comments and raw text, with exact offsets.

Markdown decides which ranges reach the browser as HTML (blocks, inline HTML; never code); within them the rules are
those of the HTML standard, section 13.2.5. What a renderer makes of the Markdown between is escaped and can end
neither a comment nor a raw-text element nor an attribute value, so these run on to the next HTML that does.
Simplified: a tag that its HTML block does not complete ends with the block.
"""

from __future__ import annotations

import enum
import html
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from plainview import late
from plainview.finding import Span
from plainview.markup import HTML, Markup, Passage, Region, RegionKind

# Elements whose content is text, whatever it looks like (13.2.5.1 and 13.2.6.4.7; noscript where scripts run).
RAW_TEXT = frozenset({"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript"})

_BLANK = "\\t\\n\\f\\r "
# `<!-->` and `<!--->` are whole comments; `<!`, `<?` and `</` before a character that begins no tag are bogus.
_OPENING = re.compile(r"<!---?>|<!--|<!\[CDATA\[|<!|<\?|</?(?=[A-Za-z])|</(?=[^A-Za-z>])")
_CLOSING = re.compile(r"--!?>")
_NAME = re.compile(rf"[^{_BLANK}/>]*")
_ATTRIBUTE = late.pattern(
    rf"[{_BLANK}/]*(?:(?P<end>>)|(?P<name>=?[^{_BLANK}/>=]*)"
    rf"(?:[{_BLANK}]*=[{_BLANK}]*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<open>[\"'])|(?P<bare>[^{_BLANK}>]*)))?)"
)
_END_TAG = re.compile(rf"</([A-Za-z]+)(?=[{_BLANK}/>])")
_CONTAINERS = re.compile(r"(?:[ \t]*(?:>|[-+*](?=[ \t])|[0-9]{1,9}[.)](?=[ \t])))*")
_QUOTE_MARK = re.compile(r"[ \t]*>")


class Kind(enum.Enum):
    """What a token is."""

    START = "start tag"
    END = "end tag"
    COMMENT = "comment"


class Attribute(msgspec.Struct, frozen=True, gc=False):
    """An attribute of a start tag: its whole range, its value's without quotation marks, and whether these close."""

    name: str
    span: Span
    value: Span
    closed: bool


class Token(msgspec.Struct, frozen=True, gc=False):
    """A tag or comment. `name` is in lower case; of a comment it is the mark that opens it ("<!--", "<?", "</").

    `content` is what stands within a comment, or the text of a raw-text element that is closed; else it is empty.
    `block` tells what stands in an HTML block from what stands in a line of text. `limit` is where the text block
    that holds it ends. Of attributes with the same name the first counts, as in a browser.
    """

    kind: Kind
    span: Span
    name: str
    content: Span
    attributes: tuple[Attribute, ...] = ()
    closed: bool = True
    empty: bool = False
    block: bool = False
    limit: int = 0

    @property
    def raw(self) -> bool:
        """Whether the element's content is text, which its end tag closes."""
        return self.kind is Kind.START and self.content.end > self.content.start

    def attribute(self, name: str) -> Attribute | None:
        """The attribute of that name, if any."""
        return next((one for one in self.attributes if one.name == name), None)


class _Piece(NamedTuple):
    """A range that reaches the browser as HTML, whether it is a block, and where the text block around it ends."""

    span: Span
    block: bool
    limit: int


def tokenize(markup: Markup, body: int) -> Iterator[Token]:
    """The tokens of the HTML behind offset `body`, in order; they do not overlap. Time is linear in the text."""
    pieces = markup.recall(_pieces, body)
    if pieces:
        yield from _Tokenizer(_without_quote_marks(markup, pieces), pieces).tokens()


def decode(text: str) -> str:
    """Text with its character references replaced."""
    return html.unescape(text) if "&" in text else text


class _Tokenizer:
    def __init__(self, text: str, pieces: Sequence[_Piece]) -> None:
        self._text = text
        self._pieces = pieces
        self._comment_ends: list[Span] | None = None
        self._end_tags: dict[str, list[int]] | None = None

    def tokens(self) -> Iterator[Token]:
        reached = 0
        for piece in self._pieces:
            position = max(piece.span.start, reached)
            while (opening := _OPENING.search(self._text, position, piece.span.end)) is not None:
                if opening.group() in ("<", "</") and self._text[opening.end()].isalpha():
                    token = self._tag(opening, piece)
                else:
                    token = self._comment(opening, piece)
                yield token
                position = reached = max(token.span.end, token.content.end if token.raw else 0)

    def _comment(self, opening: re.Match[str], piece: _Piece) -> Token:
        start, inner = opening.span()
        mark = opening.group()
        end = len(self._text)
        closed = True
        if mark in ("<!-->", "<!--->"):
            mark, content, end = "<!--", Span(inner, inner), inner
        elif mark == "<!--":
            closing = self._comment_end(inner)
            closed = closing is not None
            content = Span(inner, closing.start if closing else end)
            end = closing.end if closing else end
        else:
            found = self._text.find(">", inner, piece.span.end)
            closed = found >= 0
            content = Span(inner, found if closed else piece.span.end)
            end = content.end + closed
        return Token(Kind.COMMENT, Span(start, end), mark, content, closed=closed, block=piece.block, limit=piece.limit)

    def _comment_end(self, offset: int) -> Span | None:
        if self._comment_ends is None:
            found = (_CLOSING.finditer(self._text, *piece.span) for piece in self._pieces)
            self._comment_ends = [Span(*one.span()) for piece in found for one in piece]
        index = bisect_left(self._comment_ends, (offset, 0))
        return self._comment_ends[index] if index < len(self._comment_ends) else None

    def _tag(self, opening: re.Match[str], piece: _Piece) -> Token:
        text, limit = self._text, piece.span.end
        written = _NAME.match(text, opening.end(), limit)
        position = written.end() if written else opening.end()
        name = written.group().lower() if written else ""
        attributes: dict[str, Attribute] = {}
        closed = False
        while position < limit:
            found = _ATTRIBUTE.match(text, position, limit)
            if found is None or found.end() == position:
                break
            position = found.end()
            if found["end"]:
                closed = True
                break
            attribute = self._attribute(found)
            if attribute.name:
                attributes.setdefault(attribute.name, attribute)
            if not attribute.closed:
                position = attribute.span.end
                break
        kind = Kind.END if opening.group() == "</" else Kind.START
        span = Span(opening.start(), position)
        empty = closed and text[position - 2] == "/"
        content = Span(position, position)
        if kind is Kind.START and name in RAW_TEXT:
            content = self._raw_text(name, position, piece, bool(attributes))
        held = tuple(attributes.values()) if kind is Kind.START else ()
        return Token(kind, span, name, content, held, closed, empty, piece.block, piece.limit)

    def _attribute(self, found: re.Match[str]) -> Attribute:
        start, name = found.start("name"), found["name"].lower()
        for group in ("double", "single", "bare"):
            if found[group] is not None:
                return Attribute(name, Span(start, found.end()), Span(*found.span(group)), closed=True)
        if found["open"] is None:
            return Attribute(name, Span(start, found.end()), Span(found.end(), found.end()), closed=True)
        end = self._quotation_end(found["open"], found.end())
        return Attribute(name, Span(start, min(end + 1, len(self._text))), Span(found.end(), end), closed=False)

    def _quotation_end(self, mark: str, offset: int) -> int:
        """Where a value ends that its HTML block leaves open: renderers escape `"` in text, and `'` they do not."""
        if mark == "'":
            found = self._text.find(mark, offset)
            return found if found >= 0 else len(self._text)
        first = bisect_left(self._pieces, offset, key=lambda piece: piece.span.end)
        for index in range(first, len(self._pieces)):
            span = self._pieces[index].span
            found = self._text.find(mark, max(offset, span.start), span.end)
            if found >= 0:
                return found
        return len(self._text)

    def _raw_text(self, name: str, start: int, piece: _Piece, attributed: bool) -> Span:
        """The text of a raw-text element; empty when nothing closes it, or when it is but a name in a sentence."""
        if self._end_tags is None:
            self._end_tags = {name: [] for name in RAW_TEXT}
            for piece in self._pieces:
                for one in _END_TAG.finditer(self._text, *piece.span):
                    if one[1].lower() in RAW_TEXT:
                        self._end_tags[one[1].lower()].append(one.start())
        ends = self._end_tags[name]
        index = bisect_left(ends, start)
        if index == len(ends) or not (piece.block or attributed or ends[index] < piece.limit):
            return Span(start, start)
        return Span(start, ends[index])


def may_hold(text: str) -> bool:
    """Whether there may be HTML in a page that has a passage of this text."""
    return "<" in text or "-->" in text


def _pieces(markup: Markup, body: int) -> list[_Piece]:
    """The ranges that reach the browser as HTML, in order.

    Text that no region covers (nesting beyond the parser's limit) counts too: nothing is taken for visible
    only because the parser did not label it.
    """
    return [
        _Piece(Span(span.start + start, span.end + start), block, limit + start)
        for start, passage in zip(markup.starts, markup.passages, strict=False)
        if passage.html and start >= body
        for span, block, limit in passage.recall(_passage_pieces)
    ]


def _passage_pieces(passage: Passage) -> list[_Piece]:
    text = passage.text
    found = []
    for region in (*passage.leaves(), *passage.inline()):
        if region.kind not in HTML:
            continue
        block = region.kind is RegionKind.HTML_BLOCK
        leaf = None if block else passage.leaf_at(region.span.start)
        found.append(_Piece(region.span, block, leaf.span.end if leaf else region.span.end))
    bare = _uncovered(passage.leaves(), 0, len(text))
    found += [_Piece(span, True, span.end) for span in bare if may_hold(text[slice(*span)])]
    return sorted(found)


def _uncovered(leaves: Sequence[Region], body: int, end: int) -> Iterator[Span]:
    position = body
    for region in leaves:
        if region.span.start > position:
            yield Span(position, region.span.start)
        position = max(position, region.span.end)
    if position < end:
        yield Span(position, end)


def _without_quote_marks(markup: Markup, pieces: Sequence[_Piece]) -> str:
    """The text with the `>` of block quotations blanked within HTML, where each would end a tag."""
    source = markup.source
    text = source.text
    parts = []
    position = 0
    for piece in pieces:
        region = markup.leaf_at(piece.span.start)
        if region is None or not region.quoted:
            continue
        first, last = source.line_of(piece.span.start), source.line_of(piece.span.end)
        containers = _CONTAINERS.match(text, source.line_start(source.line_of(region.span.start)), region.span.start)
        depth = containers.group().count(">") if containers else 0
        for line in range(first + 1, last + 1):
            start = mark = source.line_start(line)
            for _ in range(depth):
                found = _QUOTE_MARK.match(text, mark, piece.span.end)
                mark = found.end() if found else mark
            if mark > start:
                parts += [text[position:start], " " * (mark - start)]
                position = mark
    return "".join([*parts, text[position:]]) if parts else text
