"""Cells beyond the columns of a table: GitHub Flavored Markdown drops what a row holds more than its header.

Columns are counted as the standard does, by bars without a backslash; bars in code part cells, too. A row whose bars
stand in code is most likely one that its author meant otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from plainview.finding import Span
from plainview.hidden.prose import has_words
from plainview.hidden.span import HiddenSpan, Page
from plainview.markup import RegionKind

CHANNEL = "table"
RULE = "dropped-text"

_DELIMITER = re.compile(r"[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_MARGIN = re.compile(r"[ \t>]*(?:(?:[-+*]|[0-9]{1,9}[.)])[ \t]+[ \t>]*)*")
_CELL = re.compile(r"(?:[^|\\]|\\.?)*")
_CODE = re.compile(r"`[^`|]*\|[^`]*`")


def may_hold(text: str) -> bool:
    """Whether there may be a table with more cells than columns in a text: one whose rows are not all alike."""
    if "|" not in text or "-" not in text:
        return False
    if "\\" in text:
        return True
    rows = [_MARGIN.sub("", line, 1).rstrip() for line in text.replace("\r", "\n").split("\n") if "|" in line]
    return len({(row.count("|"), row[0] == "|", row[-1] == "|") for row in rows}) > 1


def find(page: Page) -> Iterator[HiddenSpan]:
    """What each row holds beyond its table's columns, where it says something."""
    source = page.source
    columns = line = 0
    while line < source.line_count:
        text = source.line_text(line)
        if columns:
            if _is_row(page, line, text):
                yield from _beyond(page, line, columns)
            else:
                columns = 0
        elif line and "-" in text and _DELIMITER.fullmatch(text) and _is_header(page, line - 1):
            columns = len(_cells(source.line_text(line - 1)))
        line += 1


def _is_header(page: Page, line: int) -> bool:
    start, _ = page.source.line_span(line)
    text = page.source.line_text(line)
    cells = _cells(text)
    first = next((cell for cell in cells if text[cell.start : cell.end].strip()), None)
    if first is None or len(cells) != len(_cells(page.source.line_text(line + 1))):
        return False
    place = start + first.start + len(text[first.start : first.end]) - len(text[first.start : first.end].lstrip())
    leaf = page.markup.leaf_at(place)
    return leaf is not None and leaf.kind is RegionKind.CELL


def _is_row(page: Page, line: int, text: str) -> bool:
    """Whether a line behind a row goes on with its table: it is not blank, and no other block begins in it."""
    said = text.strip(" \t>")
    if not said:
        return False
    start, _ = page.source.line_span(line)
    leaf = page.markup.leaf_at(start + text.find(said[0]))
    return leaf is None or leaf.kind is RegionKind.CELL


def _cells(text: str) -> list[Span]:
    """The cells of a row, as places in its line, the bars at its ends left out."""
    margin = _MARGIN.match(text)
    position = margin.end() if margin else 0
    end = len(text.rstrip())
    if text.startswith("|", position):
        position += 1
    cells: list[Span] = []
    while position <= end:
        found = _CELL.match(text, position, end)
        stop = found.end() if found else end
        if stop == end and not text[position:end].strip() and cells:
            break
        cells.append(Span(position, stop))
        position = stop + 1
    return cells


def _beyond(page: Page, line: int, columns: int) -> Iterator[HiddenSpan]:
    source = page.source
    text = source.line_text(line)
    if text.count("|") < columns:
        return
    cells = _cells(text)[columns:]
    if not cells:
        return
    parts = [text[one.start : one.end].strip() for one in cells]
    said = " ".join(part for part in parts if part)
    if not has_words(said):
        return
    start, _ = source.line_span(line)
    first = (
        cells[0].start + len(text[cells[0].start : cells[-1].end]) - len(text[cells[0].start : cells[-1].end].lstrip())
    )
    span = Span(start + first, start + len(text[: cells[-1].end].rstrip()))
    yield HiddenSpan(
        span,
        CHANNEL,
        "text beyond a table's columns",
        span,
        said,
        rule=RULE,
        plain=said == source.text[span.start : span.end],
        strict=_CODE.search(text) is not None,
    )
