"""`textDocument/hover`: what hidden text says, what a section or the file costs, why a phrase is flagged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from plainview import cards
from plainview.finding import Finding, Span
from plainview.server import convert
from plainview.server.diagnosis import opening_line

if TYPE_CHECKING:
    from plainview.scan import Report, SectionTokens
    from plainview.server.document import Document
    from plainview.server.main import Server
    from plainview.server.session import Session


def register(server: Server) -> None:
    """Registers the request."""
    session = server.session

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        document = session.documents.get(params.text_document.uri)
        report = await session.report(document) if document is not None else None
        if document is None or report is None:
            return None
        offset = convert.offset(report.source, params.position, session.encoding)
        if offset is None:
            return None
        card, span = _card(document, report, offset, session)
        markdown = session.client.shows_markdown
        kind = types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText
        text = cards.markdown(card) if markdown else cards.plain(card)
        place = convert.range_of(report.source, span, session.encoding) if span is not None else None
        return types.Hover(types.MarkupContent(kind, text), place)


def _card(document: Document, report: Report, offset: int, session: Session) -> tuple[cards.Card, Span | None]:
    """What there is to say at an offset, the innermost first, and the text that it is about."""
    engine, trouble = session.engine_for(document), session.count_trouble
    finding = _finding_at(report, offset)
    rule = engine.ruleset.rule(finding.rule) if finding is not None else None
    page = session.page(finding, engine.ruleset) if finding is not None else None
    if finding is not None and finding.hidden is not None:
        card = cards.hidden_card(finding, report, rule, page, quoted=session.quotes)
        return card, opening_line(report.source, finding.hidden.span)
    file_card = cards.file_card(report, engine.prices, trouble)
    if finding is not None:
        return [*cards.phrase_card(finding, rule, page, quoted=session.quotes), *file_card], finding.span
    section = _section_at(report, offset)
    if section is None:
        return file_card, None
    card = cards.section_card(section, report, engine.prices, trouble, quoted=session.quotes)
    if section is report.sections[0]:
        card = [*card, *file_card]
    return card, section.section.heading


def _finding_at(report: Report, offset: int) -> Finding | None:
    """The finding at an offset; of several one about hidden text, then the worst."""
    at = [
        finding
        for finding in report.findings
        if finding.span.start <= offset < max(finding.span.end, finding.span.start + 1)
        or (finding.hidden is not None and finding.hidden.span.start <= offset < finding.hidden.span.end)
    ]
    return max(at, key=lambda finding: (finding.hidden is not None, finding.severity), default=None)


def _section_at(report: Report, offset: int) -> SectionTokens | None:
    """The section whose heading's line holds the offset."""
    for section in report.sections:
        heading = section.section.heading
        if heading.start <= offset <= heading.end:
            return section
    return None
