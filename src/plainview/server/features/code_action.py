"""`textDocument/codeAction`: the fixes for the findings in a range, and a way to accept each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from plainview import fixes, masking
from plainview.finding import Edit, Finding, Span
from plainview.server import acceptance, convert, notes
from plainview.server.document import Document
from plainview.server.features import accept

if TYPE_CHECKING:
    from plainview.scan import Report
    from plainview.server.main import Server
    from plainview.server.session import Session


def register(server: Server) -> None:
    """Registers the request, with the one kind of action there is."""
    session = server.session
    options = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    async def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        document = session.documents.get(params.text_document.uri)
        if document is None or not session.client.takes_code_actions or not _wanted(params.context.only):
            return []
        report = await session.report(document)
        if report is None or report.source is not document.source:
            return []
        span = convert.span(report.source, params.range, session.encoding)
        return list(_actions(document, report, span, params.context.diagnostics, session))


def _wanted(kinds: Sequence[types.CodeActionKind | str] | None) -> bool:
    """Whether a client asks for quick fixes, by name or by a kind above them."""
    if kinds is None:
        return True
    names = (str(getattr(kind, "value", kind)) for kind in kinds)
    return any(name == "" or name == types.CodeActionKind.QuickFix.value for name in names)


def _actions(
    document: Document, report: Report, span: Span, shown: Sequence[types.Diagnostic], session: Session
) -> Iterator[types.CodeAction]:
    offered: set[tuple[str, Span]] = set()
    for finding in report.findings:
        if not _touches(finding, span):
            continue
        for fix in fixes.fixes(finding, report.source):
            if not _may_send(fix.edits, session):
                continue
            # Two findings in one hidden span have the same fixes.
            key = (fix.title, fix.edits[0].span)
            if key in offered:
                continue
            offered.add(key)
            edits = [convert.text_edit(report.source, edit, session.encoding) for edit in fix.edits]
            yield types.CodeAction(
                fix.title,
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[one for one in shown if one.code == finding.rule] or None,
                edit=_workspace_edit(document, edits, versioned=session.client.takes_versioned_edits),
            )
        moved = notes.move(finding, report, document, session.engine.kinds, session.encoding)
        if (
            moved is not None
            and session.quotes
            and session.client.takes_versioned_edits
            and session.client.creates_files
        ):
            yield types.CodeAction(
                moved[0],
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[one for one in shown if one.code == finding.rule] or None,
                edit=moved[1],
            )
        accepting = _accepting(finding, report, document, session, offered)
        if accepting is not None:
            accepting.diagnostics = [one for one in shown if one.code == finding.rule] or None
            yield accepting


def _accepting(
    finding: Finding, report: Report, document: Document, session: Session, offered: set[tuple[str, Span]]
) -> types.CodeAction | None:
    """The action that accepts a finding; none for an agent, which does not judge what it is given to read."""
    if session.client.is_agent or not acceptance.can_be_accepted(finding) or (finding.rule, finding.span) in offered:
        return None
    entry = acceptance.entry(finding, report, document, session)
    if entry is None:
        return None
    offered.add((finding.rule, finding.span))
    title = f"Accept {finding.rule} with a reason in {entry.name} …"
    action = types.CodeAction(title, kind=types.CodeActionKind.QuickFix)
    if session.client.asks_reasons:
        wanted = {"uri": document.uri, **acceptance.key(finding, report)}
        action.command = types.Command(title, accept.ASK, arguments=[wanted])
        return action
    action.edit = entry.edit
    if session.client.shows_documents:
        where = [entry.uri, entry.reason.line, entry.reason.character]
        action.command = types.Command("Fill in the reason", accept.SHOW, arguments=where)
    return action


def _may_send(edits: Sequence[Edit], session: Session) -> bool:
    """Whether the edits give no secret on, and no scanned text to a client that must not read any."""
    written = "\n".join(edit.text for edit in edits)
    return masking.mask(written) == written and (session.quotes or not written.strip())


def _touches(finding: Finding, span: Span) -> bool:
    """Whether a cursor or selection is at the finding, or in the hidden text around it."""
    around = [finding.span] + ([finding.hidden.span] if finding.hidden is not None else [])
    return any(one.start <= span.end and span.start <= one.end for one in around)


def _workspace_edit(document: Document, edits: list[types.TextEdit], *, versioned: bool) -> types.WorkspaceEdit:
    if not versioned:
        return types.WorkspaceEdit(changes={document.uri: edits})
    identifier = types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, edits)])
