"""Which elements are open where: the extent of each hidden element over the HTML of a page and the Markdown between.

The rules are those of the HTML standard's tree construction (13.2.6) as far as they decide where an element ends:
void elements, implied end tags, paragraphs that a block closes, end tags that a block inside keeps from closing,
formatting elements that go on behind the block they were opened in. The Markdown between opens and closes
elements too: its paragraphs, headings, cells, list items and quotations.
Simplified: text within a table but outside its cells is not moved before it; HTML within SVG does not leave it;
`</h2>` does not close an `<h1>`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from plainview.finding import Span
from plainview.hidden.html import Kind, Token
from plainview.hidden.names import BLOCKS, FORMATTING, SPECIAL, VOID
from plainview.markup import Markup, Region, RegionKind

_IGNORED = frozenset({"html", "head", "body", "frameset"})
# An end tag does not reach out of these, nor do formatting elements opened within go on behind them.
_SCOPES = frozenset({"applet", "caption", "marquee", "object", "table", "td", "template", "th"})
# What a start tag closes, up to an element that holds both.
_IMPLIED = {
    "li": ({"li"}, {"ul", "ol", "menu"}),
    "dt": ({"dt", "dd"}, {"dl"}),
    "dd": ({"dt", "dd"}, {"dl"}),
    "option": ({"option"}, {"select", "datalist"}),
    "optgroup": ({"option", "optgroup"}, {"select"}),
    "td": ({"td", "th"}, {"table"}),
    "th": ({"td", "th"}, {"table"}),
    "tr": ({"td", "th", "tr"}, {"table"}),
    **dict.fromkeys(("tbody", "thead", "tfoot"), ({"td", "th", "tr", "tbody", "thead", "tfoot", "caption"}, {"table"})),
}
# Blocks that do not keep a list item within from being closed by the next.
_PASSED = frozenset({"li", "dt", "dd", "address", "div", "p"})

Around = TypeVar("Around")
# What an element's contents inherit, and in what words it is hidden, if it is.
Look = Callable[[Token, Around, bool], tuple[Around, str | None]]


class Extent(NamedTuple):
    """A hidden element: its start tag, in what words it is hidden, where its content and where all of it ends.

    It is `closed` where its end tag or something around it ends it before the page does, and `foreign` within SVG or
    MathML, which show no words of their own.
    """

    token: Token
    form: str
    content_end: int
    end: int
    closed: bool
    foreign: bool


class _Open(Generic[Around]):
    """An element on the stack. `special` and `scope` are the places of the last such element up to this one."""

    __slots__ = ("around", "done", "foreign", "form", "name", "scope", "special", "token")

    def __init__(self, name: str, token: Token | None, around: Around, form: str | None, foreign: bool) -> None:
        self.foreign = foreign
        self.name = name
        self.token = token
        self.around = around
        self.form = form
        self.done = False
        self.special = self.scope = -1


def extents(
    markup: Markup, tokens: Sequence[Token], look: Look[Around], around: Around, *, styled: bool = False
) -> Iterator[Extent]:
    """The outermost hidden elements, in order of their start.

    `look` is asked once for each start tag outside of what is hidden: with the token, what it inherits and whether
    it stands within SVG or MathML; with `styled` for each element that Markdown makes, too, with a token of no length.
    Time is linear in the text.
    """
    tree = _Tree(look, around, styled)
    events: list[tuple[int, int, Token | str]] = sorted(
        [*((token.span.start, 1, token) for token in tokens), *_markdown(markup)], key=lambda event: event[:2]
    )
    reached = 0
    for offset, _, event in events:
        if isinstance(event, Token):
            tree.token(event)
            reached = max(event.span.end, event.content.end if event.raw else 0)
        elif offset < reached:
            # What stands in raw text, a comment or an attribute opens and closes nothing.
            continue
        elif event.startswith("/"):
            tree.close(event[1:], offset, offset)
        else:
            tree.open(event, None, offset)
    tree.finish(len(markup.source.text))
    yield from sorted(tree.found, key=lambda one: one.token.span)


class _Tree(Generic[Around]):
    def __init__(self, look: Look[Around], around: Around, styled: bool) -> None:
        self.found: list[Extent] = []
        self._styled = styled
        self._look = look
        self._root = around
        self._stack: list[_Open[Around]] = []
        self._places: dict[str, list[int]] = {}
        # The one hidden element that is reported: all within it is hidden with it.
        self._hidden: _Open[Around] | None = None
        # Set where the hidden one is a formatting element whose block has ended: it goes on behind.
        self._carried = False

    def token(self, token: Token) -> None:
        if token.kind is Kind.END:
            self.close(token.name, token.span.start, token.span.end)
        elif token.kind is Kind.START and token.name not in _IGNORED:
            self.open(token.name, token, token.span.start)

    def open(self, name: str, token: Token | None, offset: int) -> None:
        """Opens an element; one of the Markdown between has no token."""
        if name in BLOCKS and self._top("p") > self._scope():
            self.close("p", offset, offset)
        if name in _IMPLIED:
            self._imply(name, offset)
        around = self._stack[-1].around if self._stack else self._root
        form, foreign = None, False
        if token is not None and self._hidden is None:
            foreign = self._top("svg") >= 0 or self._top("math") >= 0
            around, form = self._look(token, around, foreign)
        elif token is None and self._hidden is None and self._styled:
            # A style sheet reaches what a renderer makes of the Markdown, too.
            token = Token(Kind.START, Span(offset, offset), name, Span(offset, offset), block=True)
            around, form = self._look(token, around, False)
        if name in VOID or (token is not None and token.empty and self._is_foreign(name)):
            return
        element = _Open(name, token, around, form, foreign)
        index = len(self._stack)
        if self._stack:
            element.special, element.scope = self._stack[-1].special, self._stack[-1].scope
        if name in SPECIAL:
            element.special = index
        if name in _SCOPES:
            element.scope = index
        self._stack.append(element)
        self._places.setdefault(name, []).append(index)
        if form is not None:
            self._hidden = element

    def close(self, name: str, start: int, end: int) -> None:
        """An end tag from `start` to `end`; where none is written, both are the same."""
        if self._carried and self._hidden is not None and self._hidden.name == name and self._top(name) < 0:
            self._report(self._hidden, start, end, closed=True)
            return
        place = self._top(name)
        scope = self._scope()
        if place < 0 or (place < scope and name not in _SCOPES and name not in ("tr", "tbody", "thead", "tfoot")):
            return
        if name == "li" and max(self._top("ul"), self._top("ol")) > place:
            return
        special = self._stack[-1].special
        if name in FORMATTING and special > place:
            # A block within goes on without it.
            self._places[name].pop()
            self._end(self._stack[place], start, end)
            return
        if name not in SPECIAL and special > place:
            return
        while len(self._stack) > place:
            own = len(self._stack) - 1 == place
            self._pop(start, end if own else start, own=own and end > start, scope=name in _SCOPES)

    def finish(self, offset: int) -> None:
        """Closes what is left open at the end of the page."""
        if self._hidden is not None:
            self._report(self._hidden, offset, offset, closed=False)

    def _pop(self, start: int, end: int, *, own: bool, scope: bool) -> None:
        element = self._stack.pop()
        if element.done:
            return
        self._places[element.name].pop()
        if element is self._hidden and not own and not scope and element.name in FORMATTING:
            self._carried = True
        else:
            self._end(element, start, end)

    def _end(self, element: _Open[Around], start: int, end: int) -> None:
        element.done = True
        if element is self._hidden:
            self._report(element, start, end, closed=True)

    def _report(self, element: _Open[Around], start: int, end: int, *, closed: bool) -> None:
        self._hidden = None
        self._carried = False
        if element.token is not None and element.form is not None:
            content = max(start, element.token.span.end)
            end = max(end, content)
            self.found.append(Extent(element.token, element.form, content, end, closed, element.foreign))

    def _imply(self, name: str, offset: int) -> None:
        closes, holders = _IMPLIED[name]
        held = max(self._top(holder) for holder in holders)
        special = self._stack[-1].special if self._stack else -1
        if name in ("li", "dt", "dd") and special >= 0 and self._stack[special].name not in _PASSED:
            return
        places = [self._top(one) for one in closes]
        lowest = min((place for place in places if place > held), default=-1)
        if lowest >= 0:
            scope = bool({"td", "th", "caption"} & closes)
            while len(self._stack) > lowest:
                self._pop(offset, offset, own=False, scope=scope)

    def _top(self, name: str) -> int:
        places = self._places.get(name)
        return places[-1] if places else -1

    def _scope(self) -> int:
        return self._stack[-1].scope if self._stack else -1

    def _is_foreign(self, name: str) -> bool:
        return name in ("svg", "math") or self._top("svg") >= 0 or self._top("math") >= 0


_TAGS = {RegionKind.PROSE: "p", RegionKind.CELL: "td", RegionKind.FENCE: "pre", RegionKind.INDENTED_CODE: "pre"}
_MARKER = re.compile(r"([ \t]*)(>|[-+*](?=[ \t]|$)|[0-9]{1,9}[.)](?=[ \t]|$))")


def _markdown(markup: Markup) -> Iterator[tuple[int, int, str]]:
    """The tags that a renderer writes for the Markdown between the HTML: offset, rank among those there, name."""
    source = markup.source
    for block in markup.blocks:
        containers: list[tuple[str, int]] = []
        for region in block.regions:
            if region.kind in (RegionKind.INLINE_CODE, RegionKind.HTML_INLINE, RegionKind.DEFINITION):
                continue
            # A new block's line ends what is before it, container markers included; cells share theirs.
            start = region.span.start
            if region.kind is not RegionKind.CELL:
                start = source.line_start(source.line_of(start))
            if region.quoted or region.listed or containers:
                for rank, name in _contain(source.text, source.line_start(source.line_of(start)), region, containers):
                    yield start, rank, name
            if region.kind is RegionKind.HTML_BLOCK:
                continue
            if region.kind is RegionKind.RULE:
                yield start, 0, "hr"
                continue
            name = f"h{region.level}" if region.kind is RegionKind.HEADING else _TAGS[region.kind]
            yield start, 0, name
            yield region.span.end, -2, "/" + name
        end = source.line_start(block.end_line) if block.end_line < source.line_count else len(source.text)
        for name, _ in reversed(containers):
            yield end, -1, "/" + name


def _contain(text: str, line: int, region: Region, containers: list[tuple[str, int]]) -> Iterator[tuple[int, str]]:
    """Closes the list items and quotations that do not hold the region and opens those that its line begins.

    `containers` are those open, each with the column that its content starts in, and are changed accordingly.
    """
    position, column, kept = line, 0, 0
    opened: list[tuple[str, int]] = []
    while (marker := _MARKER.match(text, position, region.span.start)) is not None:
        at = _column(text, position, marker.start(2), column)
        while kept < len(containers) and containers[kept][0] == "ul" and containers[kept][1] <= at and not opened:
            kept += 1
        column = at + len(marker[2])
        position = marker.end()
        if marker[2] == ">":
            if not opened and kept < len(containers) and containers[kept][0] == "blockquote":
                kept += 1
            else:
                opened.append(("blockquote", column))
        else:
            opened.append(("ul", column + 1))
    at = _column(text, position, region.span.start, column)
    while not opened and kept < len(containers) and containers[kept][0] == "ul" and containers[kept][1] <= at:
        kept += 1
    for name, _ in reversed(containers[kept:]):
        yield -1, "/" + name
    del containers[kept:]
    for name, at in opened:
        containers.append((name, at))
        yield 0, name
        if name == "ul":
            yield 0, "li"


def _column(text: str, start: int, end: int, column: int) -> int:
    """The column of `end`, where `start` is in `column`; a tab reaches to the next fourth."""
    for character in text[start:end]:
        column += 4 - column % 4 if character == "\t" else 1
    return column
