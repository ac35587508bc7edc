"""The one way of saying that a span is hidden, by whatever channel."""

from __future__ import annotations

import msgspec

from plainview.finding import Span


class HiddenSpan(msgspec.Struct, frozen=True, gc=False):
    """A range that a rendered page does not show.

    `channel` is how it is hidden ("comment"), `form` the writing that does it ("HTML comment",
    "declaration"), `decoded` what it says, `content` where that stands inside the span. `block` tells a span
    that is a block of its own from one within a line of text: some hosts strip only the former. `closed` is
    false when nothing ends it, so that it takes the rest of the page with it.
    """

    span: Span
    channel: str
    form: str
    content: Span
    decoded: str
    block: bool
    closed: bool = True
