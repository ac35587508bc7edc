"""What of a text its rendered page shows: context that nobody sees must not excuse what the model reads."""

from __future__ import annotations

import re
from bisect import bisect_right

from plainview.finding import Span
from plainview.markup import Markup, Passage, RegionKind

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

    def __init__(self, markup: Markup) -> None:
        self._markup = markup

    def at(self, offset: int) -> bool:
        """Whether the character at `offset` is in one of them."""
        number = self._markup.passage_at(offset)
        if number < 0:
            return False
        offset -= self._markup.starts[number]
        starts, spans = self._markup.passages[number].recall(_unseen)
        index = bisect_right(starts, offset) - 1
        return index >= 0 and offset < spans[index].end


def _unseen(passage: Passage) -> tuple[list[int], list[Span]]:
    text = passage.text
    spans = [region.span for region in passage.inline() if region.kind is RegionKind.HTML_INLINE]
    for region in passage.leaves():
        if region.kind is RegionKind.DEFINITION:
            spans.append(region.span)
        elif region.kind is RegionKind.HTML_BLOCK:
            start, end = region.span
            spans += [Span(found.start(), found.end()) for found in _UNSEEN.finditer(text, start, end)]
    if "](" in text:
        spans += [Span(found.start() + 1, found.end()) for found in _TARGET.finditer(text)]
    spans.sort()
    return [span.start for span in spans], spans
