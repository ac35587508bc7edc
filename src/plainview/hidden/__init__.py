"""Text that some rendered page does not show: which spans, hidden how, and what they say.

Each channel is a module of its own that yields `HiddenSpan`s; `find` puts them together in order.
"""

from __future__ import annotations

from plainview.hidden import comments
from plainview.hidden.span import HiddenSpan
from plainview.markup import Markup

__all__ = ["HiddenSpan", "find"]

_CHANNELS = (comments.find,)


def find(markup: Markup, body: int) -> list[HiddenSpan]:
    """Every hidden span of the text from offset `body` (the end of its header) on, in order of place."""
    found = [span for channel in _CHANNELS for span in channel(markup, body)]
    return sorted(found, key=lambda hidden: hidden.span)
