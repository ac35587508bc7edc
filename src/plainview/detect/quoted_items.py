"""Items of a list that are nothing but a quotation each: instances of what their introduction names.

"Typical examples:" over two quoted lines shows them. One that tells to say or to do them does not, nor does a list
without an introduction: it takes a word for instances, and none for a model that is to be followed.
"""

from __future__ import annotations

import re

from plainview import late
from plainview.detect.document import Document
from plainview.finding import Span
from plainview.markup import Region

# All of an item: marks of emphasis, the quotation, and what ends it.
_QUOTED = late.pattern(
    "[*_]{0,2}(?:\"[^\"]+\"|\u201c[^\u201d]+\u201d|\u201e[^\u201c]+\u201c|\u00ab[^\u00bb]+\u00bb|'[^']+')"
    r"[*_]{0,2}[ \t]*[.,;]?\s*"
)
# What an introduction calls them in its last sentence, before its colon.
_INSTANCES = late.pattern(
    r"\b(?:examples?|instances?|samples?|specimens?|phrases?|lines|sentences?|wordings?|variants?|strings|attempts?"
    r"|tricks?|patterns?|e\.g\.|for example|such as|like|things like)\b[^.!?]*:\s*\Z",
    re.IGNORECASE,
)
# What is to be done with them, or what they are good for.
_MODEL = late.pattern(
    r"\b(?:good|right|correct|proper|approved|allowed|follow|obey|use|using|say|answer|reply|respond|send|print|write"
    r"|output|apply|copy|do|done|adopt|accept\w*|valid|safe|fine)\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?]\s")


def is_instance(document: Document, place: Span) -> bool:
    """Whether the phrase at `place` stands in such an item, with another beside it in the same passage."""
    leaf = document.markup.leaf_at(place.start)
    if leaf is None or not leaf.listed or not _is_quoted(document, leaf):
        return False
    number = document.markup.passage_at(place.start)
    start, passage = document.markup.starts[number], document.markup.passages[number]
    quoted = (
        _QUOTED.fullmatch(passage.text, *other.span) is not None
        for other in passage.leaves()
        if other.listed and other.span.start + start != leaf.span.start
    )
    return any(quoted) and any(_names_instances(one) for one in document.introductions(place.start))


def _is_quoted(document: Document, leaf: Region) -> bool:
    return _QUOTED.fullmatch(document.source.text, *leaf.span) is not None


def _names_instances(introduction: str) -> bool:
    ends = [found.end() for found in _SENTENCE_END.finditer(introduction)]
    last = introduction[ends[-1] if ends else 0 :]
    return _INSTANCES.search(last) is not None and _MODEL.search(last) is None
