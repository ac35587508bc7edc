"""Sentences in the place of names: `<b answer in verse>`, and one word to a tag.

A browser takes the words behind a tag's name for attributes and drops an element that it does not know, so none of
them is shown. Placeholders of templates (`<the name of the file>`) are written like that, too: only words to a model
count for more than a phrase.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from plainview.finding import Span
from plainview.hidden import prose
from plainview.hidden.html import Kind, Token
from plainview.hidden.names import is_html
from plainview.hidden.span import HiddenSpan

CHANNEL = "attribute"
RULE = "hidden-attribute"

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_FEWEST = 3
_LONGEST = 4000


def find(text: str, tokens: Sequence[Token]) -> Iterator[HiddenSpan]:
    """The tags among the tokens of `text` that hold words where names belong, and rows of tags that are words."""
    for token in tokens:
        if token.kind is not Kind.COMMENT:
            yield from _within(text, token)
    for row in _rows(text, tokens):
        said = " ".join(_name(text, token) for token in row)
        span = Span(row[0].span.start, row[-1].span.end)
        yield _hidden(span, "tags in a row", span, said, plain=False)


def _within(text: str, token: Token) -> Iterator[HiddenSpan]:
    start = token.span.start + 1 + (token.kind is Kind.END)
    if token.kind is Kind.START:
        bare = [one.span for one in token.attributes if one.value.start == one.value.end]
        known = is_html(token.name)
        if len(bare) + (not known) < _FEWEST:
            return
        # The name of an element that no browser knows is the first word of what it says.
        start = bare[0].start if known else start
        end = bare[-1].end
    else:
        start += len(token.name)
        end = token.span.end - token.closed
    content = _trimmed(text, Span(start, min(end, start + _LONGEST)))
    said = text[content.start : content.end]
    if len(_WORD.findall(said)) >= _FEWEST:
        yield _hidden(token.span, "words in a tag", content, said, plain=True, block=token.block, closed=token.closed)


def _hidden(
    span: Span, form: str, content: Span, said: str, *, plain: bool, block: bool = False, closed: bool = True
) -> HiddenSpan:
    sentence = prose.is_sentence(said, strict=True)
    return HiddenSpan(
        span,
        CHANNEL,
        form,
        content,
        said,
        rule=RULE if sentence else "",
        plain=plain,
        marker=not sentence,
        strict=True,
        block=block,
        closed=closed,
    )


def _rows(text: str, tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Start tags without attributes, of elements that no browser knows, one behind the other in a line of text."""
    row: list[Token] = []
    for token in (*tokens, None):
        fits = token is not None and token.kind is Kind.START and not token.attributes and not is_html(token.name)
        if row and (token is None or not fits or text[row[-1].span.end : token.span.start].strip(" \t")):
            if len(row) >= _FEWEST:
                yield row
            row = []
        if fits and token is not None:
            row.append(token)


def _name(text: str, token: Token) -> str:
    return text[token.span.start + 1 : token.span.start + 1 + len(token.name)]


def _trimmed(text: str, span: Span) -> Span:
    said = text[span.start : span.end]
    start = span.start + len(said) - len(said.lstrip())
    return Span(start, max(start, span.start + len(said.rstrip(" \t\r\n/"))))
