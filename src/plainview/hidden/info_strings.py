"""What follows the language in a fence's opening line: a page shows none of it.

Attributes, titles, file names and line ranges belong there; sentences do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from plainview.finding import Span
from plainview.hidden.prose import has_words
from plainview.hidden.span import HiddenSpan, Page
from plainview.markup import RegionKind

CHANNEL = "info string"
RULE = "fence-words"

_ATTRIBUTES = re.compile(r"\{[^{}]*\}|[\w.:-]+=(?:\"[^\"]*\"|'[^']*'|\S*)|\S*[/\\.]\S*|\([^()]*\)$")


def may_hold(text: str) -> bool:
    """Whether a text may hold a fence."""
    return "```" in text or "~~~" in text


def find(page: Page) -> Iterator[HiddenSpan]:
    """The rest of each info string that says something in words."""
    text = page.source.text
    for region in page.markup.leaves():
        if region.kind is not RegionKind.FENCE or " " not in region.info.strip():
            continue
        start = text.find(region.info, region.span.start, region.span.end)
        language = len(region.info) - len(region.info.lstrip())
        gap = re.search(r"\s+", region.info[language:])
        if start < 0 or gap is None:
            continue
        span = Span(start + language + gap.end(), start + len(region.info.rstrip()))
        said = text[span.start : span.end]
        if has_words(_ATTRIBUTES.sub(" ", said[:2000])):
            yield HiddenSpan(span, CHANNEL, "fence's info string", span, said, rule=RULE)
