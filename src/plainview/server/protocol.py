"""pygls's protocol, with documents left to the session and messages read leniently.

pygls's own documents split lines where the protocol does not (`str.splitlines`), and a column beyond the end of
a line corrupts them.
"""

from __future__ import annotations

import asyncio
import contextvars
import enum
import inspect
import json
import logging
from collections.abc import Callable, Generator
from concurrent.futures import Future
from typing import Any, Union, get_args
from uuid import uuid4

import msgspec
from cattrs import Converter
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method

from plainview.server.messages import Invalid, invalid
from plainview.server.trace import Trace, current

log = logging.getLogger(__name__)

# pygls keeps notebooks of its own accord; what is said of one that it does not know would be a failure of ours.
_NOT_SERVED = (
    types.NOTEBOOK_DOCUMENT_DID_OPEN,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE,
)


class Encoded(msgspec.Struct, frozen=True):
    """A result or parameters that are JSON already: large lists take longer to write out than to find."""

    body: bytes


class Protocol(LanguageServerProtocol):
    """The protocol of a server that owns its documents.

    `on_lost_change` is called with the parameters of a change that could not be read, as they came: from then on
    the document is not the editor's any more.
    `leave` is called at `exit`, and by whatever else ends the session.
    """

    on_lost_change: Callable[[Any], None] | None = None
    leave: Callable[[], None] = staticmethod(lambda: None)

    def __init__(self, server: Any, converter: Converter) -> None:
        super().__init__(server, converter)
        self.tracing = Trace(self.notify)
        # pygls keeps both sides' requests in one place, under numbers that either side may choose.
        self._asked: dict[int | str, Future[Any]] = {}
        for method in _NOT_SERVED:
            self.fm.builtin_features.pop(method, None)

    @lsp_method(types.SET_TRACE)
    def lsp_set_trace(self, params: types.SetTraceParams) -> Generator[Any, Any, None]:
        """Changes what is told of messages; a word that is none turns it off."""
        self.tracing.level = params.value
        yield from super().lsp_set_trace(params)

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

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: Any) -> Generator[Any, Any, None]:
        """Ends the session, where pygls ends the process in the middle of what it does."""
        self.leave()
        yield from ()

    def structure_message(self, data: dict[str, Any]) -> Any:
        """The object as it is: a response's result may hold what looks like a message."""
        return data

    def handle_body(self, body: bytes | str) -> None:
        """Handles the text of one message, whatever it is: a failure is logged, and the session goes on."""
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            self.refuse(None, types.ErrorCodes.ParseError, "what was sent is no JSON")
            return
        contextvars.copy_context().run(self._handle, message)

    def _handle(self, message: Any) -> None:
        try:
            self.handle_message(message)
        except Exception as error:  # no message takes the server down
            self._server.report_server_error(error, JsonRpcException)

    def handle_message(self, message: Any) -> None:
        """Handles one message, read here; a request that cannot be read is answered, where pygls leaves it waiting."""
        wrong = invalid(message)
        if wrong is not None:
            self._invalid(wrong)
            return
        method, number = message.get("method"), message.get("id")
        if method is not None:
            self.tracing.received(method, number)
            if self._is_out_of_turn(method, number) or self._is_unserved(method, number):
                return
        try:
            typed = super().structure_message(_mended(message))
        except JsonRpcException as error:
            self._unreadable(message, str(error))
            return
        super().handle_message(typed)

    def refuse(self, number: int | str | None, code: types.ErrorCodes | types.LSPErrorCodes, reason: str) -> None:
        """Answers a request with an error; without its number, what was sent as a message but is none."""
        log.warning("%s is refused: %s", current() or "a message", reason)
        if number is None:
            # lsprotocol leaves out what is null, and JSON-RPC wants to see this one.
            self._send_data({"jsonrpc": self.VERSION, "id": None, "error": {"code": code.value, "message": reason}})
        else:
            self._send_response(number, error=types.ResponseError(code, reason))

    def refuse_broken(self, problem: str) -> None:
        """Answers what arrived in place of a message."""
        self.refuse(None, types.ErrorCodes.InvalidRequest, problem)

    def send_request(
        self,
        method: str,
        params: Any = None,
        callback: Callable[[Any], None] | None = None,
        msg_id: int | str | None = None,
    ) -> Future[Any]:
        """Asks the client; the future's result is its answer."""
        number = msg_id if msg_id is not None else str(uuid4())
        self._asked[number] = future = super().send_request(method, params, callback, number)
        future.add_done_callback(lambda _: self._asked.pop(number, None))
        return future

    def _execute_handler(self, msg_id: int | str, handler: Any, *args: Any, **kwargs: Any) -> None:
        """Calls what handles a message, and keeps nothing of it once it is done: pygls keeps each notification's."""
        super()._execute_handler(msg_id, handler, *args, **kwargs)
        future = self._request_futures.get(msg_id)
        if future is not None and future is not self._asked.get(msg_id):
            loop = asyncio.get_running_loop()
            # Not at once: at `shutdown` pygls goes through what it keeps, and ends it.
            future.add_done_callback(lambda _: loop.call_soon(self._drop, msg_id, future))

    def _drop(self, number: int | str, future: Any) -> None:
        if self._request_futures.get(number) is future:
            del self._request_futures[number]

    def _invalid(self, wrong: Invalid) -> None:
        if wrong.number is not None and self._fail(wrong.number, wrong.reason):
            return
        if wrong.answered:
            self.refuse(wrong.number, types.ErrorCodes.InvalidRequest, wrong.reason)
        else:
            log.warning("a message is ignored: %s", wrong.reason)

    def _is_out_of_turn(self, method: str, number: int | str | None) -> bool:
        """Whether a message comes before `initialize` or after `shutdown`; a request is told so."""
        begun = self._workspace is not None
        if method == types.EXIT or (method == types.INITIALIZE and not begun):
            return False
        if self._shutdown:
            code, reason = types.ErrorCodes.InvalidRequest, "the server is shutting down"
        elif not begun:
            code, reason = types.ErrorCodes.ServerNotInitialized, "initialize has to come first"
        elif method == types.INITIALIZE:
            code, reason = types.ErrorCodes.InvalidRequest, "the session has begun already"
        else:
            return False
        if number is not None:
            self.refuse(number, code, reason)
        return True

    def _is_unserved(self, method: str, number: int | str | None) -> bool:
        """Whether there is no such request, or no such notification, here; a request is told so."""
        kinds = types.METHOD_TO_TYPES.get(method)
        fits = kinds is None or (kinds[1] is None) is (number is None)
        if fits and (
            method in self.fm.builtin_features or method in self.fm.features or method == types.CANCEL_REQUEST
        ):
            return False
        if number is not None:
            self.refuse(number, types.ErrorCodes.MethodNotFound, "there is no such request")
        return True

    def _unreadable(self, message: dict[str, Any], why: str) -> None:
        method, number = message.get("method"), message.get("id")
        if method is not None and number is not None:
            self.refuse(number, types.ErrorCodes.InvalidParams, "its parameters cannot be read")
            return
        log.warning("%s cannot be read: %s", current() or "a response", why)
        if method is None:
            self._fail(number, "its answer cannot be read")
        elif method == types.TEXT_DOCUMENT_DID_CHANGE and self.on_lost_change is not None:
            self.on_lost_change(message.get("params"))

    def _fail(self, number: Any, reason: str) -> bool:
        """Ends the wait for a client's answer; whether there was one to that number."""
        future = self._asked.get(number)
        if future is None or future.done():
            return False
        self._request_futures.pop(number, None)
        future.set_exception(JsonRpcInternalError(reason))
        return True

    def _handle_cancel_notification(self, msg_id: Any) -> None:
        """Cancels a request of the client's, not one of the server's."""
        if msg_id not in self._asked:
            super()._handle_cancel_notification(msg_id)

    def _handle_response(self, msg_id: Any, result: Any = None, error: types.ResponseError | None = None) -> None:
        """Hands on a client's answer to what it was asked, unless nobody waits for it any more."""
        future = self._asked.get(msg_id)
        if future is not None and not future.done():
            super()._handle_response(msg_id, result, error)

    def notify(self, method: str, params: Any = None) -> None:
        """Sends a notification, whose parameters may be `Encoded`."""
        if isinstance(params, Encoded):
            self._send_encoded(b'{"jsonrpc":"2.0","method":%b,"params":%b}' % (_json(method), params.body))
        else:
            super().notify(method, params)

    def _send_encoded(self, body: bytes) -> None:
        if self.writer is None:
            return
        header = b"Content-Length: %d\r\n\r\n" % len(body) if self._include_headers else b""
        self.writer.write(header + body)

    def _send_response(self, msg_id: Any, result: Any = None, error: types.ResponseError | None = None) -> None:
        if isinstance(result, Encoded):
            self._result_types.pop(msg_id, None)
            self._send_encoded(b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (_json(msg_id), result.body))
        else:
            super()._send_response(msg_id, result, error)
        self.tracing.answered(error)


def _json(value: int | str) -> bytes:
    # A lone surrogate, which a client may number its requests with, goes back as the escape that it came as.
    return json.dumps(value).encode()


def _mended(message: dict[str, Any]) -> dict[str, Any]:
    """The message with what clients leave out or set to null where the protocol wants it, and nothing made up.

    Raises JsonRpcInvalidParams for a document or an edit whose text is none, which the converter would take for one.
    """
    params = message.get("params")
    method = message.get("method")
    if method == types.INITIALIZE:
        given = params if isinstance(params, dict) else {}
        return {**message, "params": {"capabilities": {}, "processId": None, **given}}
    if method not in (types.TEXT_DOCUMENT_DID_OPEN, types.TEXT_DOCUMENT_DID_CHANGE) or not isinstance(params, dict):
        return message
    document = params.get("textDocument")
    if method == types.TEXT_DOCUMENT_DID_OPEN and isinstance(document, dict) and document.get("text") is None:
        raise JsonRpcInvalidParams("a document has no text")
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
    """pygls's converter, lenient where clients differ and strict where a wrong guess would do harm.

    It keeps an enum's value that it does not know instead of refusing the message: a newer client than lsprotocol may
    send such values, in `initialize` above all. It makes no string or number of what is none, as `str` and `int` would.
    """
    made: Converter = default_converter()  # type: ignore[no-untyped-call]
    for kind in vars(types).values():
        # lsprotocol registers a hook for each class, and such hooks come before any that tests a class.
        if inspect.isclass(kind) and issubclass(kind, enum.Enum):
            made.register_structure_hook(kind, _known_or_as_it_is)
    made.register_structure_hook(str, _text)
    made.register_structure_hook(int, _integer)
    made.register_structure_hook(bool, lambda value, _: bool(value))  # a kind of int to Python
    for kind in (Union[int, str], Union[int, str, None]):  # noqa: UP007 - what lsprotocol's annotations come to
        made.register_structure_hook(kind, _number_or_text)
    return made


def _known_or_as_it_is(value: Any, kind: type[enum.Enum]) -> Any:
    try:
        return kind(value)
    except (ValueError, TypeError):
        return value


def _text(value: Any, _: Any) -> str:
    if value is None:
        return ""  # what a client leaves empty this way: a folder's name, a language
    if not isinstance(value, str):
        raise TypeError("no string")
    return value


def _integer(value: Any, _: Any) -> int:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("no integer")
    return value


def _number_or_text(value: Any, kind: Any) -> int | str | None:
    if value is None and type(None) in get_args(kind):
        return None
    return value if isinstance(value, str) else _integer(value, int)
