"""Whether what stands in a block of code is to be run or to be obeyed, by the prose before it or behind it."""

from __future__ import annotations

from plainview.detect.denial import is_denied_at
from plainview.detect.document import Document, fold_all
from plainview.detect.shown import shown
from plainview.match import Matcher

# Of what is said behind a block, the first sentences speak of it.
_SENTENCES = 2


def is_ordered(document: Document, offset: int, how: str) -> bool:
    """Whether the paragraphs around the block of code at `offset` order what is in it: `how` is "run" or "obeyed"."""
    if document.is_ordered(offset, how):
        return True
    behind = document.follow(offset)
    return behind is not None and document.memory.recall(_orders_above, document.matcher, behind, how)


def _orders_above(matcher: Matcher, behind: str, how: str) -> bool:
    """Whether the first sentences behind a block of code speak of it, and order it."""
    scan = matcher.scan(fold_all(shown(behind)))
    sentences = scan.sentences()
    reach = sentences[_SENTENCES - 1] if len(sentences) >= _SENTENCES else len(scan.text)
    return any(
        start < reach
        and not scan.text[: scan.piece(sentences, start).end].rstrip().endswith(":")
        # The order may begin with what stands before its verb.
        and not is_denied_at(scan, (end, end))
        for start, end in scan.shared(f"{how}-above")
    )
