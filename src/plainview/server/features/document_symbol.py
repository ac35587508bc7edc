"""`textDocument/documentSymbol`: the sections, each with its tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from plainview import wording
from plainview.server import convert
from plainview.server.document import Document

if TYPE_CHECKING:
    from plainview.scan import Report, SectionTokens
    from plainview.server.main import Server
    from plainview.server.session import Session

_KIND = types.SymbolKind.String


def register(server: Server) -> None:
    """Registers the request."""
    session = server.session

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def document_symbol(
        params: types.DocumentSymbolParams,
    ) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
        document = session.documents.get(params.text_document.uri)
        report = await session.report(document) if document is not None else None
        if document is None or report is None:
            return []
        if session.client.nests_symbols:
            return _nested(report, session)
        return _flat(document, report, session)


def _nested(report: Report, session: Session) -> list[types.DocumentSymbol]:
    top: list[types.DocumentSymbol] = []
    above: list[tuple[int, types.DocumentSymbol]] = []
    encoding = session.encoding
    for section in report.sections:
        part = section.section
        symbol = types.DocumentSymbol(
            name=_name(section, report, session),
            kind=_KIND,
            range=convert.range_of(report.source, part.span, encoding),
            selection_range=convert.range_of(report.source, part.heading, encoding),
            detail=wording.plural(section.tokens, "token") if section.tokens is not None else None,
            children=[],
        )
        while above and above[-1][0] >= part.level:
            above.pop()
        siblings = above[-1][1].children if above else top
        list.append(siblings if isinstance(siblings, list) else top, symbol)
        above.append((part.level, symbol))
    return top


def _flat(document: Document, report: Report, session: Session) -> list[types.SymbolInformation]:
    return [
        types.SymbolInformation(
            location=types.Location(
                document.uri, convert.range_of(report.source, section.section.span, session.encoding)
            ),
            name=_name(section, report, session),
            kind=_KIND,
        )
        for section in report.sections
    ]


def _name(section: SectionTokens, report: Report, session: Session) -> str:
    """The heading's words, or where it stands; the protocol allows no empty name."""
    if not session.quotes:
        return wording.section_place(section.section, report)
    return wording.quote(section.section.title) or "#" * section.section.level
