"""What a recorded decision about a finding rests on: a fingerprint of the rule and the raw text around it."""

from __future__ import annotations

import hashlib
import re

from plainview.finding import Finding, Span
from plainview.text import Source

# Two texts of one fingerprint must be out of reach even for who may choose both.
_DIGITS = 32
# Code points on either side of a part: what many findings rest on is not hashed whole for each of them.
_NEAR = 2_000
_BLANK_LINE = re.compile(r"(?:\r\n|\n|\r)[ \t]*(?=\r\n|\n|\r)")


def fingerprint(finding: Finding, source: Source) -> str:
    """32 hexadecimal digits of a hash over the finding's rule, its channel and the raw text that it rests on.

    The text is the clause around a phrase, or the whole of a hidden span; where parts in other places belong to the
    finding, the paragraphs around these too. So the fingerprint survives a move, and any change of the
    text ends it, look-alikes included. Line ends alone do not count: git may write them differently on each machine.
    """
    channel = finding.hidden.channel if finding.hidden is not None else ""
    apart = (one.span for one in finding.related if not finding.clause.contains(one.span))
    spans = [finding.clause, *(_paragraph(source.text, span) for span in apart)]
    texts = [source.text[start:end].strip(" \t\r\n") for start, end in spans]
    said = "\0".join((finding.rule, channel, *texts)).replace("\r\n", "\n")
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def _paragraph(text: str, span: Span) -> Span:
    """The lines around a span up to the blank ones, or as many code points of them as are looked at."""
    first, last = max(span.start - _NEAR, 0), min(span.end + _NEAR, len(text))
    start = max((found.end() for found in _BLANK_LINE.finditer(text, first, span.start)), default=first)
    after = _BLANK_LINE.search(text, span.end, last)
    return Span(start, after.start() if after is not None else last)
