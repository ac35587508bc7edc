"""Footnotes that nothing refers to: GitHub and other renderers show a footnote only where its mark stands in the text.

The syntax is that of GitHub and Pandoc: `[^label]:` at a line's beginning, and what follows up to the next blank line
or footnote. Where a renderer knows no footnotes it is shown as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from plainview.finding import Span
from plainview.hidden.prose import has_words
from plainview.hidden.span import HiddenSpan, Page
from plainview.markup import RegionKind

CHANNEL = "footnote"
RULE = "dropped-text"

_BEGINNING = re.compile(r"^(?P<margin>[ \t>]*)\[\^(?P<label>[^\[\]\s]{1,200})\]:[ \t]*", re.MULTILINE)
_MARK = re.compile(r"\[\^([^\[\]\s]{1,200})\](?!:)")


def may_hold(text: str) -> bool:
    """Whether there may be a footnote in a page that has a passage of this text."""
    return "[^" in text


def find(page: Page) -> Iterator[HiddenSpan]:
    """Every such footnote of the page, from its label to its end."""
    text = page.source.text
    if not may_hold(text):
        return
    used = {found[1].casefold() for found in _MARK.finditer(text, page.body) if not page.markup.in_code(found.start())}
    found = [one for one in _BEGINNING.finditer(text, page.body) if not page.markup.in_code(one.end() - 1)]
    for number, one in enumerate(found):
        if one["label"].casefold() in used:
            continue
        start = one.end("margin")
        leaf = page.markup.leaf_at(start)
        if leaf is None or leaf.kind not in (RegionKind.PROSE, RegionKind.DEFINITION):
            continue
        end = min(leaf.span.end, found[number + 1].start() if number + 1 < len(found) else len(text))
        content = Span(one.end(), max(one.end(), start + len(text[start:end].rstrip())))
        said = text[content.start : content.end]
        if has_words(said):
            yield HiddenSpan(
                Span(start, content.end),
                CHANNEL,
                "footnote that nothing refers to",
                content,
                said,
                rule=RULE,
                block=True,
            )
