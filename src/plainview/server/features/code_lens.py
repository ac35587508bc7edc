"""`textDocument/codeLens`: the file's figures above its first line and, if wanted, each section's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from plainview import wording
from plainview.finding import Span
from plainview.server import convert

if TYPE_CHECKING:
    from plainview.scan import Report
    from plainview.server.main import Server
    from plainview.server.session import Session


def register(server: Server) -> None:
    """Registers the request."""
    session = server.session

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def code_lens(params: types.CodeLensParams) -> list[types.CodeLens]:
        document = session.documents.get(params.text_document.uri)
        if document is None or not session.preferences.code_lens.enable:
            return []
        report = await session.report(document)
        return list(_lenses(report, session)) if report is not None else []


def _lenses(report: Report, session: Session) -> Iterator[types.CodeLens]:
    yield _lens(report, Span(0, 0), wording.summary(report), session)
    if not session.preferences.code_lens.headings:
        return
    for section in report.sections:
        if section.tokens is not None:
            yield _lens(report, section.section.heading, f"{wording.number(section.tokens)} tok", session)


def _lens(report: Report, span: Span, title: str, session: Session) -> types.CodeLens:
    # Without a command's name it is shown, and cannot be clicked.
    place = convert.range_of(report.source, span, session.encoding)
    return types.CodeLens(place, command=types.Command(title, ""))
