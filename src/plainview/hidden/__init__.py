"""Text that some rendered page does not show: which spans, hidden how, and what they say.

Each channel is a module of its own with a `find(page)` that yields `HiddenSpan`s; `find` here puts them together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, partial
from operator import attrgetter
from typing import NamedTuple

import msgspec

from plainview.hidden import (
    cells,
    characters,
    comments,
    controls,
    definitions,
    encodings,
    footnotes,
    header,
    html,
    info_strings,
    notations,
    out_of_sight,
)
from plainview.hidden.span import HiddenSpan, Page, Placed
from plainview.kinds import PLAIN
from plainview.markup import UNKNOWN, Markup, Passage

__all__ = ["HiddenSpan", "Page", "find"]

_Find = Callable[[Page], Iterator[HiddenSpan]]
_FindFrom = Callable[[Page, Placed], Iterator[HiddenSpan]]
_May = Callable[[str], bool]


# Only HTML needs it, and it takes longer to load than most others together.
def _elements(page: Page) -> Iterator[HiddenSpan]:
    from plainview.hidden import elements

    return elements.find(page)


def _whole(find: _Find) -> _FindFrom:
    """A channel that looks at all of a page, whatever passages may hold something."""
    return lambda page, _: find(page)


# Channels of the rendered page, and those that no editor shows either, whatever the file, each with what tells of a
# text whether there may be something. The first two lists rest on one passage alone; the others are looked at as a
# whole, or from some passages on, if the text of these says so. Notations are looked at both ways, for few go on
# behind their passage.
_PASSAGE_RENDERED: tuple[tuple[_Find, _May], ...] = (
    (cells.find, cells.may_hold),
    (definitions.in_links, definitions.may_link),
    (info_strings.find, info_strings.may_hold),
    (notations.find, notations.may_hold),
    (out_of_sight.in_lines, out_of_sight.may_hold),
)
_PASSAGE_EVERYWHERE: tuple[tuple[_Find, _May], ...] = ((controls.in_lines, controls.may_hold),)
_PAGE_RENDERED: tuple[tuple[_FindFrom, _May], ...] = (
    (_whole(comments.find), html.may_hold),
    (_whole(_elements), html.may_hold),
    (_whole(definitions.defined), definitions.may_define),
    (_whole(footnotes.find), footnotes.may_hold),
    (notations.written, notations.may_go_on),
    (notations.in_formulas, notations.formula_may_go_on),
    (_whole(out_of_sight.below), out_of_sight.may_push),
)
_PAGE_EVERYWHERE: tuple[tuple[_FindFrom, _May], ...] = (
    (characters.find, characters.may_hold),
    (_whole(controls.overwritten), controls.may_overwrite),
)


def find(page: Page) -> list[HiddenSpan]:
    """Every hidden span of the page, in order of place, an outer one before what lies within it."""
    found = {*header.find(page)}
    rendered = page.rendered
    pieces = page.pieces
    marks = "".join(map(_mark, pieces))
    stale = [one.start() for one in _looked_at_otherwise(rendered).finditer(marks)]
    if stale:
        # A passage may stand in several places.
        fresh = {id(pieces[number]): number for number in stale}
        texts = [pieces[number].text for number in fresh.values()]
        channels = _Channels.of(rendered, texts)
        for number, families in zip(fresh.values(), encodings.families(texts), strict=True):
            body = len(pieces[number].text) if page.starts[number] < page.body else 0
            _look_at(pieces[number], channels, body, families)
        marks = "".join(map(_mark, pieces))

    def having(bit: int) -> Placed:
        numbers = [one.start() for one in _any_with(bit).finditer(marks)]
        return [(page.starts[number], pieces[number]) for number in numbers]

    for start, passage in having(_SPANS):
        found.update(span.moved(start) for span in passage.hidden)
    kinds = set(marks)
    for bit, channel, _ in _page_channels(rendered):
        if not _with(bit).isdisjoint(kinds):
            found.update(channel(page, having(bit)))
    found |= {deeper for span in found for deeper in _encoded_within(span)}
    return sorted(found, key=lambda one: (one.span.start, -one.span.end, one.channel, one.form))


_NO_HEAD = Passage("", 0, ())


# A passage's mark is the character whose number has these bits, if it was looked at as part of a rendered page and if
# there is something hidden in it, and those of the channels that may find more in its page.
_RENDERED, _SPANS, _FIRST_CHANNEL = 1, 2, 4
_mark = attrgetter("mark")


@cache
def _page_channels(rendered: bool) -> tuple[tuple[int, _FindFrom, _May], ...]:
    channels = _PAGE_EVERYWHERE + (_PAGE_RENDERED if rendered else ())
    return tuple((_FIRST_CHANNEL << number, find, may) for number, (find, may) in enumerate(channels))


@cache
def _with(bit: int) -> frozenset[str]:
    """The marks with a bit."""
    end = _FIRST_CHANNEL << len(_page_channels(True))
    return frozenset(map(chr, (number for number in range(end) if number & bit)))


@cache
def _any_with(bit: int) -> re.Pattern[str]:
    return re.compile(f"[{re.escape(''.join(sorted(_with(bit))))}]")


@cache
def _looked_at_otherwise(rendered: bool) -> re.Pattern[str]:
    """The marks of passages that are yet to be looked at as part of a page that is rendered or not."""
    marks = re.escape("".join(sorted(_with(_RENDERED))))
    return re.compile(f"[^{marks}]" if rendered else f"[{marks}{UNKNOWN}]")


# What says nothing of a part of a text where it says no of the whole; what ends a part with a carriage return is one.
_OF_WHOLES_ONLY = (
    notations.may_go_on,
    notations.formula_may_go_on,
    out_of_sight.may_push,
    controls.may_overwrite,
)
# Stands between texts that are looked at as one.
_APART = "\n\0\n"


class _Channels(NamedTuple):
    """The channels that may find something in some of the passages of a page, rendered or not: in them, and behind."""

    rendered: bool
    within: tuple[tuple[_Find, _May], ...]
    behind: tuple[tuple[int, _May], ...]

    @classmethod
    def of(cls, rendered: bool, texts: Sequence[str]) -> _Channels:
        """The channels for passages of these texts."""
        whole = _APART.join(texts)

        def may(may_find: _May) -> bool:
            return len(texts) == 1 or may_find in _OF_WHOLES_ONLY or may_find(whole)

        within = _PASSAGE_EVERYWHERE + (_PASSAGE_RENDERED if rendered else ())
        return cls(
            rendered,
            tuple(one for one in within if may(one[1])),
            tuple((bit, may_find) for bit, _, may_find in _page_channels(rendered) if may(may_find)),
        )


def _look_at(passage: Passage, channels: _Channels, body: int, families: tuple[encodings.Family, ...]) -> None:
    """Fills in what is hidden in a passage, wherever that stands, and its mark."""
    text, rendered = passage.text, channels.rendered
    found = [channel for channel, may_find in channels.within if may_find(text)]
    if families:
        found.append(partial(encodings.find, shown=families))
    spans: tuple[HiddenSpan, ...] = ()
    if found:
        source = passage.source()
        page = Page(source, Markup(source, (passage,), 0), None, body, PLAIN, rendered, _NO_HEAD, [0], [passage])
        spans = tuple(span for channel in found for span in channel(page))
    bits = _RENDERED * rendered | _SPANS * bool(spans)
    for bit, may_find in channels.behind:
        if may_find(text):
            bits |= bit
    passage.hidden = spans
    passage.mark = chr(bits)


def _encoded_within(span: HiddenSpan) -> Iterator[HiddenSpan]:
    """What is encoded in what a span spells: a payload is often wrapped twice."""
    if span.plain or span.channel == encodings.CHANNEL:
        return
    for form, said in _decoded(span.decoded):
        yield msgspec.structs.replace(span, decoded=said, form=f"{form} in {span.form}")


@lru_cache(maxsize=256)
def _decoded(text: str) -> tuple[tuple[str, str], ...]:
    return tuple(encodings.decode(text))
