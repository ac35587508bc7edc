"""The yardstick of tests/bench/latency.py: a pygls server that publishes eight fixed diagnostics for every text."""

from lsprotocol import types
from pygls.lsp.server import LanguageServer

server = LanguageServer("empty", "1")
DIAGNOSTICS = [
    types.Diagnostic(
        types.Range(types.Position(line, 0), types.Position(line, 4)),
        "A message about as long as those that people read in their editors, with what to do about it.",
        severity=types.DiagnosticSeverity.Warning,
        code="some-rule",
        source="empty",
    )
    for line in range(8)
]


def _publish(uri: str, version: int) -> None:
    server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, DIAGNOSTICS, version))


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def did_open(params: types.DidOpenTextDocumentParams) -> None:
    """Publishes."""
    _publish(params.text_document.uri, params.text_document.version)


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def did_change(params: types.DidChangeTextDocumentParams) -> None:
    """Publishes."""
    _publish(params.text_document.uri, params.text_document.version)


if __name__ == "__main__":
    server.start_io()
