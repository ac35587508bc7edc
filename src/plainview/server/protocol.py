"""pygls's protocol, with documents left to the session and messages read leniently.

pygls's own documents split lines where the protocol does not (`str.splitlines`), and a column beyond the end of
a line corrupts them.
"""

from __future__ import annotations

import enum
import inspect
from collections.abc import Generator
from typing import Any

from cattrs import Converter
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method


class Protocol(LanguageServerProtocol):
    """The protocol of a server that owns its documents."""

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
        """The typed message; a request that cannot be read is answered, where pygls would leave it waiting."""
        try:
            return super().structure_message(data)
        except JsonRpcException:
            if "id" in data and "method" in data:
                error = JsonRpcInvalidParams(f"the parameters of {data['method']} cannot be read").to_response_error()
                self._send_response(data["id"], error=error)
            raise


def converter() -> Converter:
    """pygls's converter, which keeps an enum's value that it does not know instead of refusing the message.

    A newer client than lsprotocol may send such values, in `initialize` above all.
    """
    lenient: Converter = default_converter()  # type: ignore[no-untyped-call]
    lenient.register_structure_hook_func(
        lambda kind: inspect.isclass(kind) and issubclass(kind, enum.Enum),
        lambda value, kind: kind(value) if value in _values(kind) else value,
    )
    return lenient


def _values(kind: type[enum.Enum]) -> set[Any]:
    return {member.value for member in kind}
