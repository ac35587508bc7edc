"""What of a text its rendered page shows: context that nobody sees must not excuse what the model reads."""

from __future__ import annotations

import re
from bisect import bisect_right

from plainview.finding import Span
from plainview.markup import Markup, RegionKind

_UNSEEN = re.compile(
    r"!\[[^\[\]]*\]|<!--.*?(?:-->|\Z)|</?[A-Za-z][^<>]*>|\[[^\[\]]*\]:[^\r\n]*|(?<=\])\([^()\r\n]*\)|(?<=\])\[[^\[\]\r\n]*\]",
    re.DOTALL,
)
_TARGET = re.compile(r"\]\([^()\r\n]{0,2000}\)")


def shown(text: str) -> str:
    """A heading or a short passage as a reader sees it: without comments, tags, link targets and definitions."""
    return _UNSEEN.sub("", text) if "<" in text or "]" in text else text


class Unseen:
    """The parts of a page's prose that it does not show: tags, HTML comments, link targets and link definitions."""

    def __init__(self, markup: Markup, body: int) -> None:
        text = markup.source.text
        spans = [region.span for region in markup.inline() if region.kind is RegionKind.HTML_INLINE]
        for region in markup.leaves():
            if region.kind is RegionKind.DEFINITION:
                spans.append(region.span)
            elif region.kind is RegionKind.HTML_BLOCK:
                start, end = region.span
                spans += [Span(found.start(), found.end()) for found in _UNSEEN.finditer(text, start, end)]
        if "](" in text:
            spans += [Span(found.start() + 1, found.end()) for found in _TARGET.finditer(text, body)]
        self._spans = sorted(spans)
        self._starts = [span.start for span in self._spans]

    def at(self, offset: int) -> bool:
        """Whether the character at `offset` is in one of them."""
        index = bisect_right(self._starts, offset) - 1
        return index >= 0 and offset < self._spans[index].end
