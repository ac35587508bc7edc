"""Text pushed to where nobody looks: far to the right, far down, or behind the end of a long line of code.

A page collapses blanks in prose, but an editor, a diff and a code block show them as they are; blanks that do not
break it shows itself, written as characters or as references. Tables are set with blanks by formatters, so the
blanks in their cells are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from plainview import late
from plainview.finding import Span
from plainview.hidden.prose import has_words
from plainview.hidden.span import HiddenSpan, Page
from plainview.markup import CODE_BLOCKS, RegionKind

CHANNEL = "blanks"
REFERENCES = "references"
"""The channel of text behind blanks that are written as character references: they belong to the span."""
RULE = "text-out-of-sight"

RIGHT = 120
"""Blanks in a row, in code points, that push what follows out of a window."""
DOWN = 40
"""Empty lines in a row that push what follows off a screen."""
LONG = 400
"""Columns of a code block's line beyond which it has to be scrolled to."""

TAB = 8
"""Columns that a tab may take, as terminals and pages show it."""

_BLANK = "[ \\t\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u2800\\u3000\\u3164]"
# A blank that is written as a character reference, one to three columns wide.
_REFERENCE = (
    "&(?:nbsp|ensp|emsp|emsp13|emsp14|numsp|puncsp|thinsp|hairsp|Tab"
    "|#(?:160|819[2-9]|820[0-2]|9)|#[xX](?:[aA]0|200[0-9aA]|9));?"
)
_RIGHT = late.pattern(
    f"(?<=\\S){_BLANK}{{{RIGHT // TAB},}}(?=(\\S[^\\r\\n]*))|^{_BLANK}{{{RIGHT // TAB},}}(?=(\\S[^\\r\\n]*))",
    re.MULTILINE,
)
_REFERENCES = late.pattern(f"(?:{_REFERENCE}{_BLANK}*){{{RIGHT // 2},}}([^\\r\\n]*)")
_DOWN = re.compile(f"^(?:{_BLANK}*(?:\\r\\n?|\\n)){{{DOWN},}}", re.MULTILINE)
_COMMENT = re.compile(r"#|//|--|/\*|;|%|<!--|\(\*|\"|'")
_FAR = re.compile(f"{_BLANK}{{{RIGHT // TAB}}}")
_LONG_LINE = re.compile(f"(?<![^\\r\\n])[^\\r\\n]{{{LONG + 1},}}")
_BLANKS = "\t\r\n " + "\u00a0\u1680\u202f\u205f\u2800\u3000\u3164" + "".join(map(chr, range(0x2000, 0x200B)))
# The beginning of so many empty lines, found faster than all of them.
_EMPTY = re.compile(f"\n(?:{_BLANK}*\r?\n){{4}}")


def find(page: Page) -> Iterator[HiddenSpan]:
    """What stands behind a long run of blanks or empty lines, and the ends of long lines of code."""
    yield from in_lines(page)
    yield from below(page)


def may_hold(text: str) -> bool:
    """Whether a text may hold a long run of blanks, or a long line."""
    return len(text) > RIGHT // TAB and (_may_reach(text) or "&" in text or _is_long(text))


def _is_long(text: str) -> bool:
    return len(text) > LONG and max(map(len, text.replace("\r", "\n").split("\n"))) > LONG


def in_lines(page: Page) -> Iterator[HiddenSpan]:
    """What stands behind a long run of blanks, and the ends of long lines of code."""
    yield from _to_the_right(page)
    if "&" in page.source.text:
        yield from _behind_references(page)
    yield from _behind_long_lines(page)


def may_push(text: str) -> bool:
    """Whether there may be many empty lines in a page that has a passage of this text."""
    return _EMPTY.search(text) is not None or "\r" in text.replace("\r\n", "") or not text.strip(_BLANKS)


def below(page: Page) -> Iterator[HiddenSpan]:
    """What stands below a long run of empty lines."""
    yield from _down(page)


def _to_the_right(page: Page) -> Iterator[HiddenSpan]:
    source = page.source
    if not _may_reach(source.text):
        return
    for found in _RIGHT.finditer(source.text):
        group = 1 if found[1] is not None else 2
        said = found[group]
        columns = found.end() - found.start() + (TAB - 1) * found.group().count("\t")
        if columns < RIGHT or not has_words(said) or _is_cell(page, found.start(group)):
            continue
        span = Span(found.start(group), found.start(group) + len(said.rstrip()))
        form = f"text behind {found.end() - found.start():,} blanks"
        # What stands beside code in a column is a comment on it.
        aligned = page.markup.in_code(span.start) and _COMMENT.match(said) is not None
        yield HiddenSpan(span, CHANNEL, form, span, said.rstrip(), rule=RULE, strict=aligned)


def _is_cell(page: Page, offset: int) -> bool:
    """Whether the text at `offset` stands in a cell of a table, or in a row whose parser left it out."""
    leaf = page.markup.leaf_at(offset)
    if leaf is not None:
        return leaf.kind is RegionKind.CELL
    line = page.source.line_text(page.source.line_of(offset))
    return line.lstrip(" \t>").startswith("|")


def _behind_references(page: Page) -> Iterator[HiddenSpan]:
    for found in _REFERENCES.finditer(page.source.text, page.body):
        said = found[1].rstrip()
        if has_words(said) and not page.markup.in_code(found.start()):
            content = Span(found.start(1), found.start(1) + len(said))
            span = Span(found.start(), content.end)
            form = f"text behind {len(re.findall(_REFERENCE, found.group())):,} references to blanks"
            yield HiddenSpan(span, REFERENCES, form, content, said, rule=RULE)


def _may_reach(text: str) -> bool:
    """Whether some run of blanks is long enough: a tab counts for several."""
    if text.isascii():
        return " " * (RIGHT // TAB) in text.replace("\t", " ") if "\t" in text else " " * RIGHT in text
    return _FAR.search(text) is not None


def _down(page: Page) -> Iterator[HiddenSpan]:
    text = page.source.text
    for found in _empty_lines(text):
        if not found.start() or found.end() == len(text):
            continue
        span = Span(found.end(), len(text.rstrip()))
        empty = page.source.lines_touched(Span(found.start(), found.end()))
        said = text[span.start : span.end]
        if has_words(said):
            yield HiddenSpan(span, CHANNEL, f"text below {empty:,} empty lines", span, said, rule=RULE, block=True)
        return


def _empty_lines(text: str) -> Iterator[re.Match[str]]:
    """The runs of many empty lines, found by the beginning of one where no lone carriage return ends a line."""
    if text.count("\r") != text.count("\r\n"):
        yield from _DOWN.finditer(text)
        return
    position = 0
    first = len(text) - len(text.lstrip(_BLANKS))
    while (begun := _EMPTY.search(text, position)) is not None:
        found = _DOWN.match(text, begun.start() + 1)
        position = found.end() - 1 if found is not None else begun.end() - 1
        if found is not None and begun.start() >= first:
            yield found


def _behind_long_lines(page: Page) -> Iterator[HiddenSpan]:
    source = page.source
    for region in page.markup.leaves():
        if region.kind not in CODE_BLOCKS or region.span.end - region.span.start <= LONG:
            continue
        first = source.line_start(source.line_of(region.span.start))
        last = source.line_end(source.line_of(region.span.end - 1))
        for found in _LONG_LINE.finditer(source.text, first, last):
            start, end = found.span()
            span = Span(start + LONG, end)
            # Long lines of code are ordinary: only a phrase that a rule knows makes one worth a word.
            yield HiddenSpan(
                span,
                CHANNEL,
                "end of a long line",
                span,
                source.text[span.start : end],
                rule="",
                marker=True,
                conceals=False,
            )
