"""What a client sent, before anything is made of it: whether it is a message, and how one that is not is answered."""

from __future__ import annotations

from typing import Any, NamedTuple


class Invalid(NamedTuple):
    """What is no message: why, whether JSON-RPC wants an answer, and the number to answer to where one can be read."""

    reason: str
    answered: bool
    number: int | str | None = None


def invalid(message: Any) -> Invalid | None:
    """What is wrong with a message as such; None for one that can be a request, a notification or a response."""
    if isinstance(message, list):
        return Invalid("batches are not supported", answered=True)
    if not isinstance(message, dict):
        return Invalid("a message is an object", answered=True)
    version, number = message.get("jsonrpc"), message.get("id")
    is_numbered = isinstance(number, (int, str)) and not isinstance(number, bool)
    known = number if is_numbered else None
    if "method" not in message:
        if "result" not in message and "error" not in message:
            return Invalid("a message has a method, a result or an error", answered=True, number=known)
        if version != "2.0" or not is_numbered:
            return Invalid("a response has a version and the number of a request", answered=False)
        return None
    if not isinstance(message["method"], str):
        return Invalid("a method is a string", answered=True, number=known)
    if "id" in message and not is_numbered:
        return Invalid("an id is a number or a string", answered=True)
    if version != "2.0":
        return Invalid('"jsonrpc" has to be "2.0"', answered="id" in message, number=known)
    return None
