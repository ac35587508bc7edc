"""The client's settings: asked for where it answers, else taken from what it sends."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from plainview.server import preferences

if TYPE_CHECKING:
    from plainview.server.main import Server

log = logging.getLogger(__name__)

SECTION = "plainview"


def register(server: Server) -> None:
    """Registers the notification that settings have changed."""

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def did_change_configuration(params: types.DidChangeConfigurationParams) -> None:
        if server.session.client.answers_configuration:
            await ask(server)
        elif isinstance(params.settings, Mapping) and SECTION in params.settings:
            take(server, params.settings[SECTION])


async def begin(server: Server) -> None:
    """Asks for the settings, and to be told when they change."""
    client = server.session.client
    if client.registers_configuration:
        registration = types.Registration(
            "plainview-configuration", types.WORKSPACE_DID_CHANGE_CONFIGURATION, {"section": SECTION}
        )
        try:
            await server.client_register_capability_async(types.RegistrationParams([registration]))
        except JsonRpcException as error:
            log.warning("the client will not say when its settings change: %s", error)
    if client.answers_configuration:
        await ask(server)


async def ask(server: Server) -> None:
    """Asks the client for its settings and takes them."""
    items = [types.ConfigurationItem(section=SECTION)]
    try:
        answer = await server.workspace_configuration_async(types.ConfigurationParams(items))
    except JsonRpcException as error:
        log.warning("the client does not give its settings: %s", error)
        return
    take(server, answer[0] if answer else None)


def take(server: Server, settings: Any) -> None:
    """Puts settings into force: documents are looked at anew where it matters."""
    session = server.session
    known, problems = preferences.read(settings)
    for problem in problems:
        server.warn(f"A setting cannot be used. {problem}")
    before, session.preferences = session.preferences, known
    if before == known:
        return
    for document in session.documents.values():
        if before.scan != known.scan:
            session.classify(document)
        server.publisher.changed(document)
    server.background.update()
