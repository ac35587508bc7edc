"""Comments in the header, and keys that the file's host does not know: a page shows a header's values at most.

What hosts make of a header they say rarely; where they give it to the model as it is, its comments go along.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from plainview.finding import Span
from plainview.frontmatter import Entry, Frontmatter
from plainview.hidden.span import HiddenSpan, Page

CHANNEL = "header"
RULE = "header-comment"

_BLOCK_SCALAR = re.compile(r"[ \t]*(?:-[ \t]+)*(?:[^#\r\n]*?:[ \t]+)?[|>][0-9+-]{0,2}[ \t]*(?:#.*)?")
_COMMENT = re.compile(r"(?:(?<=[ \t])|^)#[^\r\n]*", re.MULTILINE)
# A key with its value that somebody took out of use.
_SETTING = re.compile(r"[\w.-]+[ \t]*[:=][ \t]*\S*")
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)?")


def find(page: Page) -> Iterator[HiddenSpan]:
    """Runs of comments in a header, and the values of unknown keys."""
    header = page.header
    if header is None or not header.closed:
        return
    yield from _comments(page, header)
    yield from _unknown(page, header)


def _comments(page: Page, header: Frontmatter) -> Iterator[HiddenSpan]:
    text = page.source.text
    if "#" not in text[header.content_span.start : header.content_span.end]:
        return
    scalars = sorted(span for entry in header.entries for span in _scalars(entry))
    starts = [span.start for span in scalars]
    run: list[Span] = []
    for span in _comment_spans(text, header.content_span):
        index = bisect_right(starts, span.start) - 1
        if index >= 0 and span.start < scalars[index].end:
            continue
        if run and text[run[-1].end : span.start].strip():
            yield _comment(page, header, run)
            run = []
        run.append(span)
    if run:
        yield _comment(page, header, run)


def _comment(page: Page, header: Frontmatter, run: list[Span]) -> HiddenSpan:
    span = Span(run[0].start, run[-1].end)
    text = page.source.text
    said = "\n".join(text[one.start : one.end].lstrip("#").lstrip() for one in run)
    form = "YAML comment" if header.form == "yaml" else "TOML comment"
    # A host that takes the header apart gives none of it on.
    unread = page.file.kind.frontmatter_reaches_model is not True or all(map(_SETTING.fullmatch, said.split("\n")))
    content = Span(span.end - len(said), span.end) if len(run) == 1 else span
    return HiddenSpan(span, CHANNEL, form, content, said, rule=RULE, plain=len(run) == 1, marker=unread)


def _comment_spans(text: str, part: Span) -> Iterator[Span]:
    """Where comments may stand: not in block scalars, nor in quotes that close on their line."""
    margin: int | None = None
    position = part.start
    while position < part.end:
        found = _LINE.match(text, position, part.end)
        line = found.group() if found else ""
        if not line:
            break
        indent = len(line) - len(line.lstrip(" "))
        if margin is not None and (not line.strip() or indent > margin):
            position += len(line)
            continue
        margin = indent if _BLOCK_SCALAR.fullmatch(line.rstrip("\r\n")) else None
        quotes = re.sub(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'", lambda one: "x" * len(one.group()), line)
        comment = _COMMENT.search(quotes)
        if comment is not None:
            end = len(line.rstrip())
            yield Span(position + comment.start(), position + end)
        position += len(line)


def _scalars(entry: Entry) -> Iterator[Span]:
    """Where an entry's text stands: `#` is a character in it."""
    if entry.entries:
        for inner in entry.entries:
            yield from _scalars(inner)
    elif isinstance(entry.value, str):
        yield entry.value_span


def _unknown(page: Page, header: Frontmatter) -> Iterator[HiddenSpan]:
    known = page.file.kind.fields
    if page.file.host is None or not known:
        return
    for entry in header.entries:
        if entry.key in known or not isinstance(entry.value, str) or len(entry.value.split()) < 3:
            continue
        span = entry.value_span
        # Authors add keys of their own all the time: only a phrase that a rule knows makes one worth a word.
        yield HiddenSpan(span, CHANNEL, "unknown key", span, entry.text, rule="", marker=True, conceals=False)
