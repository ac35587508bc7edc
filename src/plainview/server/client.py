"""What the client at the other end can do, read once from its `initialize` request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from lsprotocol import types
from pygls.capabilities import get_capability

# Programs whose model reads what the server says: what is quoted to them is in its context.
_AGENTS = ("claude", "opencode", "codex", "crush", "gemini", "copilot cli", "kilo")


class Client(msgspec.Struct, frozen=True, kw_only=True):
    """A client's abilities, by what the server does with them, and whether it is an agent.

    `trusted` is whether the user trusts the workspace. Editors without such a notion are opened on what their users
    trust, so only a client that says no, in its initialization options, is taken to have asked. One that `pulls` asks
    for diagnostics, and none are published to it; `takes_related` is whether an answer may speak of further files.
    """

    is_agent: bool = False
    trusted: bool = True
    shows_markdown: bool = False
    answers_configuration: bool = False
    registers_configuration: bool = False
    takes_code_actions: bool = False
    takes_versioned_edits: bool = False
    creates_files: bool = False
    nests_symbols: bool = False
    refreshes_lenses: bool = False
    takes_status: bool = False
    asks_reasons: bool = False
    shows_documents: bool = False
    watches_files: bool = False
    pulls: bool = False
    refreshes_diagnostics: bool = False
    takes_related: bool = False
    shows_progress: bool = False


def read(params: types.InitializeParams) -> Client:
    """The client that these parameters describe; what it does not say, it cannot do."""
    can = params.capabilities
    name = params.client_info.name.lower() if params.client_info is not None else ""
    formats = get_capability(can, "text_document.hover.content_format") or ()
    return Client(
        is_agent=any(agent in name for agent in _AGENTS),
        trusted=within(params.initialization_options, "trusted") is not False,
        shows_markdown=types.MarkupKind.Markdown in formats,
        answers_configuration=bool(get_capability(can, "workspace.configuration")),
        registers_configuration=bool(get_capability(can, "workspace.did_change_configuration.dynamic_registration")),
        takes_code_actions=get_capability(can, "text_document.code_action.code_action_literal_support") is not None,
        takes_versioned_edits=bool(get_capability(can, "workspace.workspace_edit.document_changes")),
        creates_files=types.ResourceOperationKind.Create
        in (get_capability(can, "workspace.workspace_edit.resource_operations") or ()),
        nests_symbols=bool(get_capability(can, "text_document.document_symbol.hierarchical_document_symbol_support")),
        refreshes_lenses=bool(get_capability(can, "workspace.code_lens.refresh_support")),
        takes_status=within(can.experimental, "plainview", "status") is True,
        asks_reasons=within(can.experimental, "plainview", "accept") is True,
        shows_documents=bool(get_capability(can, "window.show_document.support")),
        watches_files=bool(get_capability(can, "workspace.did_change_watched_files.dynamic_registration")),
        pulls=get_capability(can, "text_document.diagnostic") is not None,
        refreshes_diagnostics=bool(get_capability(can, "workspace.diagnostics.refresh_support")),
        takes_related=bool(get_capability(can, "text_document.diagnostic.related_document_support")),
        shows_progress=bool(get_capability(can, "window.work_done_progress")),
    )


def within(value: Any, *keys: str) -> Any:
    """A value deep in JSON, whether pygls left it as mappings or made objects of it; None where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else getattr(value, key, None)
    return value
