"""What the server answers: one module for each request or notification, each with a `register(server)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plainview.server.features import (
    accept,
    code_action,
    code_lens,
    configuration,
    diagnostic,
    document_symbol,
    hover,
    semantic_tokens,
    sync,
    watched_files,
    work_done,
    workspace_diagnostic,
)

if TYPE_CHECKING:
    from plainview.server.main import Server

_FEATURES = (
    sync,
    configuration,
    watched_files,
    hover,
    code_action,
    accept,
    code_lens,
    document_symbol,
    semantic_tokens,
    work_done,
)

_PULLED = (diagnostic, workspace_diagnostic)


def register(server: Server) -> None:
    """Registers every feature; what is registered here is what `initialize` advertises."""
    for feature in _FEATURES:
        feature.register(server)


def register_pulled(server: Server) -> None:
    """Registers what a client gets that asks for its diagnostics: to all others they are published."""
    for feature in _PULLED:
        feature.register(server)
