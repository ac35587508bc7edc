"""What every channel of hidden text is given, and the one way of saying that a span is hidden."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from plainview import frontmatter, markup
from plainview.finding import Span
from plainview.frontmatter import Frontmatter
from plainview.kinds import PLAIN, FileKind
from plainview.markup import Markup, Passage
from plainview.text import Source


class Page(NamedTuple):
    """A text with its structure. `body` is where its header ends; `rendered` whether readers see a page made of it.

    `head` is what stands before the body, as a passage without blocks. `pieces` are the head, if there is one, and
    the passages behind it, `starts` the offsets at which they begin.

    A data file (TOML, JSON, plain text) is not rendered: it is shown as it is written, so only what no editor
    shows either is hidden in it.
    """

    source: Source
    markup: Markup
    header: Frontmatter | None
    body: int
    file: FileKind
    rendered: bool
    head: Passage
    starts: list[int]
    pieces: list[Passage]

    @classmethod
    def of(cls, source: Source, file: FileKind = PLAIN, *, rendered: bool = True, before: Page | None = None) -> Page:
        """The page of a text: its header read, and what follows parsed.

        `before` is the page of an earlier text, from which what has not changed is taken.
        """
        header = _same_header(source.text, before) or frontmatter.parse(source.text)
        body = header.body_start if header is not None else 0
        if 0 < body >= len(source.text):
            structure = Markup(source, (), body)
        else:
            structure = markup.parse(source, body, before.markup if before is not None else None)
        written = source.text[:body]
        head = before.head if before is not None and before.head.text == written else Passage(written, 0, ())
        pieces = [head, *structure.passages] if body else list(structure.passages)
        starts = [0, *structure.starts] if body else structure.starts
        return cls(source, structure, header, body, file, rendered, head, starts[: len(pieces)], pieces)


Placed = Sequence[tuple[int, Passage]]
"""Passages with the offsets at which they begin, in order."""


class HiddenSpan(msgspec.Struct, frozen=True, gc=False):
    """A range that some rendered page does not show.

    `channel` is how it is hidden ("comment", "element", "characters"), `form` by what writing ("HTML comment",
    "element with display:none", "37 tag characters"), in words that follow "this". `decoded` is what it says and
    `content` where that stands; where `decoded` is not the text at `content` but made of it, `plain` is false, and
    the phrase rules look at it too. `rule` is the rule that speaks of the span when it holds no orders. `covert`
    tells a channel that no honest writer has a use for. `marker` is true for what tools write, whatever it says.
    `strict` tells a place where honest writers keep orders among people, so that only words to a model count.
    `block` tells a span that is a block of its own from one within a line of text,
    and `top` one that begins a block outside of lists and quotations and is closed: some hosts strip only that.
    `closed` is false when nothing ends it, so that it takes the rest of the page with it. `parts` are the ranges that
    do not show, where the span holds words that everybody sees as well. `showable` is false where what takes its
    place would not be seen either, whatever it is, and `conceals` where what stands within the span may be seen: it is
    strewn among words, or only out of the way.
    """

    span: Span
    channel: str
    form: str
    content: Span
    decoded: str
    rule: str = "hidden-comment"
    plain: bool = True
    covert: bool = False
    marker: bool = False
    strict: bool = False
    block: bool = False
    top: bool = False
    closed: bool = True
    parts: tuple[Span, ...] = ()
    showable: bool = True
    conceals: bool = True

    def moved(self, by: int) -> HiddenSpan:
        """The span where its text stands `by` code points further on."""
        if not by:
            return self
        return msgspec.structs.replace(
            self,
            span=_moved(self.span, by),
            content=_moved(self.content, by),
            parts=tuple(_moved(part, by) for part in self.parts),
        )


def _same_header(text: str, before: Page | None) -> Frontmatter | None:
    """The header of an earlier text where this one begins with the very same; None otherwise."""
    if before is None or before.header is None or not before.body or not text.startswith(before.head.text):
        return None
    # What ends with its text may go on where the text does, and "\r" be one line end with what follows.
    return before.header if before.head.text.endswith("\n") else None


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans, which come in order and apart, neighbours as one."""
    joined: list[Span] = []
    for span in spans:
        if joined and joined[-1].end == span.start:
            joined[-1] = Span(joined[-1].start, span.end)
        else:
            joined.append(span)
    return tuple(joined)


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)
