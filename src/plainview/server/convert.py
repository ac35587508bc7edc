"""Where the client's positions become offsets, and the engine's spans and edits what lsprotocol sends."""

from __future__ import annotations

from lsprotocol import types

from plainview.finding import Edit, Span
from plainview.text import Change, Encoding, Position, Source


def change(event: types.TextDocumentContentChangeEvent) -> Change:
    """An edit of the client, its columns in the units that were agreed on."""
    if isinstance(event, types.TextDocumentContentChangeWholeDocument):
        return Change(None, None, event.text)
    return Change(_place(event.range.start), _place(event.range.end), event.text)


def offset(source: Source, position: types.Position, encoding: Encoding) -> int | None:
    """The offset of a position, clamped to its line; None where there is no such line."""
    if position.line >= source.line_count:
        return None
    return source.offset(_place(position), encoding)


def span(source: Source, given: types.Range, encoding: Encoding) -> Span:
    """The offsets of a range, clamped to the text."""
    return Span(source.offset(_place(given.start), encoding), source.offset(_place(given.end), encoding))


def range_of(source: Source, span: Span, encoding: Encoding) -> types.Range:
    """The range of a span of the text."""
    start, end = (source.position(offset, encoding) for offset in span)
    return types.Range(types.Position(start.line, start.column), types.Position(end.line, end.column))


def text_edit(source: Source, edit: Edit, encoding: Encoding) -> types.TextEdit:
    """An edit of the engine."""
    return types.TextEdit(range_of(source, edit.span, encoding), edit.text)


def _place(position: types.Position) -> Position:
    return Position(position.line, position.character)
