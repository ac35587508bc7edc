"""`textDocument/semanticTokens/full`: hidden spans, so that a theme can show what a page does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from plainview.finding import Span
from plainview.text import Encoding

if TYPE_CHECKING:
    from plainview.scan import Report
    from plainview.server.main import Server

LEGEND = types.SemanticTokensLegend(token_types=["hiddenText"], token_modifiers=["covert"])
"""One type of our own; the modifier is for channels that no honest writer has a use for."""


def register(server: Server) -> None:
    """Registers the request."""
    session = server.session

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    async def semantic_tokens(params: types.SemanticTokensParams) -> types.SemanticTokens:
        document = session.documents.get(params.text_document.uri)
        report = await session.report(document) if document is not None else None
        return types.SemanticTokens(data=_data(report, session.encoding) if report is not None else [])


def _data(report: Report, encoding: Encoding) -> list[int]:
    """Five numbers for each token: lines and columns from the one before, length, type, modifiers."""
    data: list[int] = []
    line = column = 0
    for span, modifiers in _pieces(report):
        start, end = (report.source.position(offset, encoding) for offset in span)
        data += (start.line - line, start.column - (column if start.line == line else 0), end.column - start.column)
        data += (0, modifiers)
        line, column = start.line, start.column
    return data


def _pieces(report: Report) -> Iterator[tuple[Span, int]]:
    """The hidden spans cut at line ends, for most clients take no token of several lines; none overlaps another."""
    source = report.source
    reached = 0
    for hidden in report.hidden:
        start, end = max(hidden.span.start, reached), hidden.span.end
        if start >= end:
            continue
        for line in range(source.line_of(start), source.line_of(end - 1) + 1):
            part = Span(max(start, source.line_start(line)), min(end, source.line_end(line)))
            if part.start < part.end:
                yield part, int(hidden.covert)
        reached = end
