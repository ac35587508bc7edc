"""Text that some rendered page does not show: which spans, hidden how, and what they say.

Each channel is a module of its own with a `find(page)` that yields `HiddenSpan`s; `find` here puts them together.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from plainview.hidden import (
    cells,
    characters,
    comments,
    controls,
    definitions,
    elements,
    encodings,
    footnotes,
    header,
    info_strings,
    notations,
    out_of_sight,
)
from plainview.hidden.span import HiddenSpan, Page

__all__ = ["HiddenSpan", "Page", "find"]

# Channels of the rendered page, and those that no editor shows either, whatever the file.
_RENDERED = (
    comments.find,
    elements.find,
    definitions.find,
    footnotes.find,
    cells.find,
    info_strings.find,
    notations.find,
    out_of_sight.find,
)
_EVERYWHERE = (characters.find, controls.find, encodings.find, header.find)


def find(page: Page) -> list[HiddenSpan]:
    """Every hidden span of the page, in order of place, an outer one before what lies within it."""
    channels = _EVERYWHERE + (_RENDERED if page.rendered else ())
    found = {span for channel in channels for span in channel(page)}
    found |= {deeper for span in found for deeper in _encoded_within(span)}
    return sorted(found, key=lambda one: (one.span.start, -one.span.end, one.channel, one.form))


def _encoded_within(span: HiddenSpan) -> Iterator[HiddenSpan]:
    """What is encoded in what a span spells: a payload is often wrapped twice."""
    if span.plain or span.channel == encodings.CHANNEL:
        return
    for form, said in encodings.decode(span.decoded):
        yield msgspec.structs.replace(span, decoded=said, form=f"{form} in {span.form}")
