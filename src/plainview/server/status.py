"""What a status bar shows of a document: a notification of our own, for clients that ask for it.

A client asks with `capabilities.experimental.plainview.status: true` in `initialize`.
"""

from __future__ import annotations

from typing import Any

from plainview import wording
from plainview.finding import Severity
from plainview.server.document import Document

METHOD = "plainview/status"


def of(document: Document) -> dict[str, Any]:
    """The parameters: kind, grade and its arithmetic, tokens (null while they are not counted), findings by severity,
    accepted ones left out.

    `kind` is null, and all else left out, for a document that is left alone.
    """
    report = document.report
    about: dict[str, Any] = {"uri": document.uri, "version": document.version}
    if report is None or document.file is None or document.lost:
        return {**about, "kind": None}
    figures = report.cost
    tally = {severity.word: 0 for severity in sorted(Severity, reverse=True)}
    for finding in report.findings:
        tally[finding.severity.word] += finding.accepted is None
    return {
        **about,
        "kind": wording.kind_name(report),
        "grade": report.grade.letter,
        "arithmetic": report.grade.arithmetic(),
        "tokens": {"session": figures.session, "invoked": figures.invoked} if figures is not None else None,
        "findings": tally,
        "hidden": len(wording.hidden_spans(report)),
    }
