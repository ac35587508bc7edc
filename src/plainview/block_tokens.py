"""The block tokens of a text, from markdown-it-py, but for those that nobody asks for, and made at less cost.

A token is a data class of thirteen fields; to make one the usual way takes as long as to find the block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

# What parts a table, whose cells come in order.
_UNASKED = frozenset(f"{part}_{end}" for part in ("thead", "tbody", "tr", "th", "td") for end in ("open", "close"))


def block_tokens(text: str, parser: MarkdownIt) -> list[Token]:
    """The tokens of the blocks of `text`, in order; what stands within their lines is not looked at."""
    if not text:
        return []
    state = _State(text, parser, {}, [])
    parser.block.tokenize(state, state.line, state.lineMax)
    return state.tokens


class _Token(Token):
    """A token of a block, with the usual values of what its rule does not set."""

    __slots__ = ()

    def __init__(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1], level: int) -> None:
        self.type = ttype
        self.tag = tag
        self.nesting = nesting
        self.attrs = {}
        self.map = None
        self.level = level
        self.children = None
        self.content = ""
        self.markup = ""
        self.info = ""
        self.meta = {}
        self.block = True
        self.hidden = False


class _State(StateBlock):
    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        if nesting < 0:
            self.level -= 1
        token = _Token(ttype, tag, nesting, self.level)
        if nesting > 0:
            self.level += 1
        if ttype not in _UNASKED:
            self.tokens.append(token)
        return token
