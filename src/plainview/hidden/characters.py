"""Characters that no editor shows: text spelled in them, and those that have no use where they stand.

What is spelled is looked for first, from far apart to close together, since a payload may be spread one character to a
word; what is left over is reported by name. Directional controls are judged by line (see `directions`).
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import nlargest

from plainview.finding import Span
from plainview.hidden import payloads
from plainview.hidden.ordinary import (
    Kind,
    Run,
    braille_stretches,
    looks_invisible,
    selectors,
    selectors_in_use,
    without_use,
)
from plainview.hidden.span import HiddenSpan, Page, Placed, merged
from plainview.markup import Passage

CHANNEL = "characters"

_PAYLOAD, _SEVERAL, _STRAY = "invisible-payload", "invisible-characters", "stray-character"

# What spells text, by the kinds of characters it is spelled in and what they are called.
_SPELLINGS: tuple[tuple[frozenset[Kind], Callable[[str], str | None], str], ...] = (
    (frozenset({Kind.TAG}), payloads.tags, "tag characters"),
    (frozenset({Kind.SELECTOR}), payloads.selectors, "variation selectors"),
    (frozenset({Kind.ZERO_WIDTH, Kind.BIDI}), payloads.digits, "zero-width characters that spell text"),
    (frozenset({Kind.PRIVATE}), payloads.private, "private-use characters that spell text"),
    (frozenset({Kind.UNASSIGNED}), payloads.shifted, "unassigned code points that spell text"),
)
# Code points that may stand between two parts of one payload: where a part is a letter or two, and at all.
_SPREAD = 400
_NEAR = 32
_LONG = 16
# Groups that are tried on their own, the largest, and parts of groups: so no text costs more than its length.
_TRIES = 128
# Code points between two characters that are reported as one finding: of those that mean nothing, and of others.
_CLOSE = 64
_FEW_CELLS = 8
# So many variants of signs in use may spell a few letters.
_FEWEST_IN_USE = 16
_MOST_NAMED = 8
_BOXES = 16

_NOUNS = {
    "\xad": "soft hyphen",
    "\u034f": "combining grapheme joiner",
    "\u200b": "zero-width space",
    "\u200c": "zero-width non-joiner",
    "\u200d": "zero-width joiner",
    "\u2060": "word joiner",
    "\u2062": "invisible times sign",
    "\u2063": "invisible separator",
    "\u2064": "invisible plus sign",
    "\u2800": "blank Braille cell",
    "\u3164": "Hangul filler",
    "\ufeff": "byte order mark",
    "\uffa0": "halfwidth Hangul filler",
}


def find(page: Page, beyond: Placed | None = None) -> Iterator[HiddenSpan]:
    """Every such span of the page. A payload's span ends at its first and last invisible character.

    `beyond` are the passages that may hold such characters, if that is known.
    """
    text = page.source.text
    if text.isascii() and "\x7f" not in text:
        return
    from plainview.hidden import directions

    if beyond is None:
        beyond = [one for one in zip(page.starts, page.pieces, strict=True) if may_hold(one[1].text)]
    if any(passage.recall(_has_braille) for _, passage in beyond):
        yield from _braille(text)
    runs = _runs(page, beyond)
    runs = directions.needless(page, runs)
    spelled: set[Run] = set()
    for group, said in _in_use(text, beyond, runs):
        spelled.update(group)
        yield _hidden(group, f"{_count(group)} variation selectors", said, _PAYLOAD, covert=True)
    for kinds, decode, form in _SPELLINGS:
        # Icons stand alone; side by side they are as unlike text as a row of boxes.
        least = _FEW_CELLS if Kind.PRIVATE in kinds else 1
        candidates = [run for run in runs if run.kind in kinds and run.end - run.start >= least and run not in spelled]
        for group, said in _payloads(text, candidates, decode):
            spelled.update(group)
            yield _hidden(group, f"{_count(group)} {form}", said, _PAYLOAD, covert=True)
    rest = [run for run in runs if run not in spelled]
    yield from directions.find(page, [run for run in rest if run.kind is Kind.BIDI])
    yield from _left_over(text, [run for run in rest if run.kind is not Kind.BIDI])


def _in_use(text: str, beyond: Placed, runs: Sequence[Run]) -> Iterator[tuple[Sequence[Run], str]]:
    """A text spelled by which variants of signs are chosen, with selectors among them that mean nothing."""
    found = [place + start for start, passage in beyond for place in passage.recall(_selectors)]
    used = selectors_in_use(found, runs)
    every = sorted([*used, *(run for run in runs if run.kind is Kind.SELECTOR)], key=lambda run: run.start)
    if not used or _count(every) < _FEWEST_IN_USE:
        return
    for group, said in _payloads(text, every, payloads.selectors):
        if _count(group) >= _FEWEST_IN_USE:
            yield group, said


def _runs(page: Page, beyond: Placed) -> list[Run]:
    """The runs of characters without use, passage by passage: none reaches over a line's end, but for Braille."""
    if "\u2800" in page.source.text:
        return without_use(page.source.text)
    return [
        Run(run.start + start, run.end + start, run.kind)
        for start, passage in beyond
        for run in passage.recall(_passage_runs, not start)
    ]


def _selectors(passage: Passage) -> list[int]:
    return selectors(passage.text)


def _has_braille(passage: Passage) -> bool:
    return next(braille_stretches(passage.text), None) is not None


def _passage_runs(passage: Passage, at_start: bool) -> list[Run]:
    if at_start:
        return without_use(passage.text)
    return [Run(run.start - 1, run.end - 1, run.kind) for run in without_use("\n" + passage.text)]


def may_hold(text: str) -> bool:
    """Whether there may be such characters in a page that has a passage of this text."""
    return not (text.isascii() and "\x7f" not in text) and looks_invisible(text)


def _braille(text: str) -> Iterator[HiddenSpan]:
    for start, end in braille_stretches(text):
        cells = text[start:end].rstrip()
        said = payloads.braille(cells) if len(cells) >= _FEW_CELLS else None
        if said is not None:
            run = Run(start, start + len(cells), Kind.ZERO_WIDTH)
            yield _hidden([run], f"{len(cells)} Braille cells that spell text", said, _PAYLOAD, covert=True)


def _payloads(
    text: str, runs: Sequence[Run], decode: Callable[[str], str | None]
) -> Iterator[tuple[Sequence[Run], str]]:
    """The groups of runs that spell text: the widest that do, and if none does, all that are left taken together."""
    left: list[Run] = []
    groups = list(_groups(runs, _SPREAD, _NEAR))
    large = {group[0] for group in nlargest(_TRIES, groups, key=_count)} if len(groups) > _TRIES else None
    tries = iter(range(_TRIES))
    pending = [(group, False) for group in reversed(groups)]
    while pending:
        group, is_part = pending.pop()
        if is_part:
            tried = _count(group) >= _LONG and next(tries, None) is not None
        else:
            tried = large is None or group[0] in large
        said = decode(_symbols(text, group)) if tried else None
        if said is not None:
            yield group, said
        elif len(group) > 1 and tried:
            pending.extend((part, True) for part in reversed(_parts(group)))
        else:
            left.extend(group)
    if len(left) > 1:
        said = decode(_symbols(text, left))
        if said is not None:
            yield left, said


def _parts(group: Sequence[Run]) -> list[Sequence[Run]]:
    """The parts of a group that spells nothing as a whole: what is near together, or else its runs."""
    near = list(_groups(group, _NEAR, _NEAR))
    return near if len(near) > 1 else [(run,) for run in group]


def _groups(runs: Sequence[Run], spread: int, near: int) -> Iterator[Sequence[Run]]:
    """Runs that belong together: at most `near` apart, or at most `spread` where both are short."""
    group: list[Run] = []
    for run in runs:
        if group:
            last = group[-1]
            short = max(run.end - run.start, last.end - last.start) < _LONG
            if run.start - last.end > (spread if short else near):
                yield group
                group = []
        group.append(run)
    if group:
        yield group


def _left_over(text: str, runs: Iterable[Run]) -> Iterator[HiddenSpan]:
    """What spells nothing. Icons and hyphenation are markers; breaks and control characters are never more than low."""
    by_sort: dict[str, list[Run]] = {}
    for run in runs:
        quiet = run.kind in (Kind.HYPHEN, Kind.BREAK, Kind.CONTROL, Kind.PRIVATE)
        by_sort.setdefault(run.kind.value if quiet else "", []).append(run)
    for sort, same in by_sort.items():
        for group in _groups(same, _CLOSE, _CLOSE) if not sort else _groups(same, _SPREAD, _SPREAD):
            names = Counter("".join(text[run.start : run.end] for run in group))
            several = not sort and sum(_weight(text, run) for run in group) > 1
            icons = sort == Kind.PRIVATE.value and max(run.end - run.start for run in group) < _BOXES
            yield _hidden(
                group,
                _form(names, group[0].kind if sort else Kind.ZERO_WIDTH),
                named(names),
                _SEVERAL if several else _STRAY,
                covert=several and any(run.kind in (Kind.TAG, Kind.SELECTOR) for run in group),
                marker=icons or sort == Kind.HYPHEN.value,
            )


def _weight(text: str, run: Run) -> int:
    """How many characters of the run cannot be there to keep a name or address from being linked or wrapped."""
    length = run.end - run.start
    before, after = text[run.start - 1 : run.start], text[run.end : run.end + 1]
    within_word = before.isalnum() and after.isalnum() and not (before.islower() and after.isupper())
    return length if length > 1 or within_word or run.kind is Kind.TAG else 0


def named(names: Counter[str]) -> str:
    """Characters by code point and Unicode name, with how many there are of each."""
    listed = [
        f"U+{ord(one):04X} {_name(one)}" + (f" \u00d7{count}" if count > 1 else "")
        for one, count in names.most_common(_MOST_NAMED)
    ]
    more = len(names) - len(listed)
    return ", ".join(listed) + (f" and {more} others" if more > 0 else "")


def _name(character: str) -> str:
    fallback = {"Cc": "CONTROL CHARACTER", "Co": "PRIVATE-USE CHARACTER"}
    return unicodedata.name(character, fallback.get(unicodedata.category(character), "UNASSIGNED CODE POINT"))


def _form(names: Counter[str], kind: Kind) -> str:
    """The characters in words: by name if they are all the same."""
    count = names.total()
    noun = kind.value if kind is not Kind.ZERO_WIDTH else "invisible character"
    if len(names) == 1:
        noun = _NOUNS.get(next(iter(names)), noun)
    return f"{count} {noun}" + ("s" if count > 1 else "")


def _symbols(text: str, runs: Iterable[Run]) -> str:
    return "".join(text[run.start : run.end] for run in runs)


def _count(group: Iterable[Run]) -> int:
    return sum(run.end - run.start for run in group)


def _hidden(
    group: Sequence[Run], form: str, said: str, rule: str, *, covert: bool = False, marker: bool = False
) -> HiddenSpan:
    span = Span(group[0].start, group[-1].end)
    return HiddenSpan(
        span,
        CHANNEL,
        form,
        span,
        said,
        rule=rule,
        plain=False,
        covert=covert,
        marker=marker,
        parts=merged(Span(run.start, run.end) for run in group),
        conceals=False,
    )
