"""pygls's protocol, with documents left to the session and messages read leniently.

pygls's own documents split lines where the protocol does not (`str.splitlines`), and a column beyond the end of
a line corrupts them.
"""

from __future__ import annotations

import enum
import inspect
import logging
from collections.abc import Callable, Generator
from typing import Any

from cattrs import Converter
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method

log = logging.getLogger(__name__)


class Protocol(LanguageServerProtocol):
    """The protocol of a server that owns its documents.

    `on_lost_change` is called with the parameters of a change that could not be read, as they came: from then on
    the document is not the editor's any more.
    """

    on_lost_change: Callable[[Any], None] | None = None

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Generator[Any, Any, None]:
        """Hands the notification on to the feature."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        """Hands the notification on to the feature."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Generator[Any, Any, None]:
        """Hands the notification on to the feature."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None

    def structure_message(self, data: dict[str, Any]) -> Any:
        """The object as it is: this is called for every JSON object, and only the outermost is a message."""
        return data

    def handle_message(self, message: Any) -> None:
        """Handles one message, read here; a request that cannot be read is answered, where pygls leaves it waiting."""
        if not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION:
            log.warning("what the client sent is no message")
            return
        if self._is_out_of_turn(message):
            return
        try:
            typed = super().structure_message(_mended(message))
        except JsonRpcException as error:
            log.warning("%s cannot be read: %s", message.get("method", "a response"), error)
            self._unreadable(message)
            return
        super().handle_message(typed)

    def _is_out_of_turn(self, message: dict[str, Any]) -> bool:
        """Whether a message comes before `initialize` or after `shutdown`; a request is told so."""
        method, number = message.get("method"), message.get("id")
        if method is None or method in (types.EXIT, types.INITIALIZE):
            return False
        if self._shutdown:
            code, reason = types.ErrorCodes.InvalidRequest, "the server is shutting down"
        elif self._workspace is None:
            code, reason = types.ErrorCodes.ServerNotInitialized, "initialize has to come first"
        else:
            return False
        if number is not None:
            self._send_response(number, error=types.ResponseError(code, reason))
        return True

    def _unreadable(self, message: dict[str, Any]) -> None:
        method, number = message.get("method"), message.get("id")
        if method is not None and number is not None:
            error = JsonRpcInvalidParams(f"the parameters of {method} cannot be read").to_response_error()
            self._send_response(number, error=error)
        elif method == types.TEXT_DOCUMENT_DID_CHANGE and self.on_lost_change is not None:
            self.on_lost_change(message.get("params"))


def _mended(message: dict[str, Any]) -> dict[str, Any]:
    """The message with what clients leave out or set to null where the protocol wants it, and nothing made up.

    Raises JsonRpcInvalidParams for an edit whose text is none, which the converter would take for one.
    """
    params = message.get("params")
    method = message.get("method")
    if method == types.INITIALIZE:
        given = params if isinstance(params, dict) else {}
        return {**message, "params": {"capabilities": {}, "processId": None, **given}}
    if method not in (types.TEXT_DOCUMENT_DID_OPEN, types.TEXT_DOCUMENT_DID_CHANGE) or not isinstance(params, dict):
        return message
    document = params.get("textDocument")
    if isinstance(document, dict) and document.get("version") is None:
        params = {**params, "textDocument": {**document, "version": 0}}
    changes = params.get("contentChanges")
    if isinstance(changes, list):
        if not all(isinstance(one, dict) and isinstance(one.get("text"), str) for one in changes):
            raise JsonRpcInvalidParams("an edit has no text")
        whole = [{"text": one["text"]} if one.get("range") is None else one for one in changes]
        params = {**params, "contentChanges": whole}
    return {**message, "params": params}


def converter() -> Converter:
    """pygls's converter, which keeps an enum's value that it does not know instead of refusing the message.

    A newer client than lsprotocol may send such values, in `initialize` above all.
    """
    lenient: Converter = default_converter()  # type: ignore[no-untyped-call]
    for kind in vars(types).values():
        # lsprotocol registers a hook for each class, and such hooks come before any that tests a class.
        if inspect.isclass(kind) and issubclass(kind, enum.Enum):
            lenient.register_structure_hook(kind, _known_or_as_it_is)
    return lenient


def _known_or_as_it_is(value: Any, kind: type[enum.Enum]) -> Any:
    try:
        return kind(value)
    except ValueError:
        return value
