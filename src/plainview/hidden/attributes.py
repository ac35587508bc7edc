"""Sentences in attributes: tooltips, replacement texts and data that the model reads and a page does not show."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from plainview.hidden import prose
from plainview.hidden.html import Attribute, Token, decode
from plainview.hidden.names import is_html, words
from plainview.hidden.span import HiddenSpan

CHANNEL = "attribute"
RULE = "hidden-attribute"

# Values that are lists of names, code or addresses; they count where they read as a sentence all the same.
_LISTS = words("class classname style id rel srcset sizes d points headers for href src media accept pattern keywords")
# What prompts say of a part of theirs, in elements of their own.
_DESCRIPTIONS = words("role description desc purpose goal objective persona task when condition trigger usage summary")
_ORDINARY_NAME = re.compile(r"[a-z@:][a-z0-9_.:-]{0,40}")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_SHORTEST = 10
_FEWEST_WORDS = 3


def find(text: str, tokens: Sequence[Token]) -> Iterator[HiddenSpan]:
    """The attributes among the tokens of `text` that hold a sentence."""
    for token in tokens:
        kind = token.attribute("type") if token.name == "input" else None
        unseen = kind is not None and _value(text, kind).strip().lower() == "hidden"
        for attribute in token.attributes:
            if attribute.value.end - attribute.value.start >= _SHORTEST:
                yield from _hidden(text, token, attribute, _form(attribute, unseen))


def _hidden(text: str, token: Token, attribute: Attribute, form: str) -> Iterator[HiddenSpan]:
    said = _value(text, attribute)
    if attribute.name == "srcdoc":
        said = _TAG.sub("", said)
    sentence = prose.is_sentence(said, strict=attribute.closed and attribute.name in _LISTS)
    if not sentence and len(said.split()) < _FEWEST_WORDS:
        return
    yield HiddenSpan(
        attribute.span,
        CHANNEL,
        form,
        attribute.value,
        said,
        # What is no sentence is worth a word only where a rule knows the phrase.
        rule=RULE if sentence else "",
        # What stands around a value, its quotation marks above all, is no part of what it says.
        plain=False,
        # Elements of no page are the markup that prompts are written in.
        marker=not sentence or _is_label(token, attribute, said),
        block=token.block,
        closed=attribute.closed,
    )


def _is_label(token: Token, attribute: Attribute, said: str) -> bool:
    """Whether a value is what a control says it does, or one by which prompts describe a part of theirs."""
    known = is_html(token.name)
    described = not known and attribute.name in _DESCRIPTIONS
    return attribute.closed and (described or prose.is_label(said, strict=known))


def _form(attribute: Attribute, unseen: bool) -> str:
    if unseen and attribute.name == "value":
        return "hidden input's value"
    name = f"{attribute.name} attribute" if _ORDINARY_NAME.fullmatch(attribute.name) else "attribute"
    return name if attribute.closed else f"{name} with an open quotation mark"


def _value(text: str, attribute: Attribute) -> str:
    return decode(text[attribute.value.start : attribute.value.end])
