"""Directional controls: those that make a line look other than it reads, and those that do nothing.

A control counts by its effect: a line is displayed with and without it (see `bidi`). In a line that holds letters of a
right-to-left script marks, isolates and embeddings are ordinary writing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plainview.finding import Span
from plainview.hidden import bidi
from plainview.hidden.ordinary import Kind, Run
from plainview.hidden.span import HiddenSpan, Page, merged
from plainview.markup import RegionKind

CHANNEL = "characters"
_REORDERED, _ISOLATED, _STRAY = "bidirectional-text", "directional-isolate", "stray-character"

_SHOWN_AS = "\nshown as: "
_MOST_MARKS = 2
# Code points between lines that make one finding: a line end and an indent.
_CLOSE = 8
_AS_EMBEDDINGS = str.maketrans(bidi.OVERRIDES, "\u202a\u202b")
_UNWRAPPED = {ord("\r"): " ", ord("\n"): " "}
_CONTROLS = re.compile(f"[{''.join(bidi.NAMES)}]")


class _Unit(NamedTuple):
    """What is displayed as one line: a line, or all that follows in its paragraph where a control stays open."""

    span: Span
    text: str


def needless(page: Page, runs: Sequence[Run]) -> list[Run]:
    """The runs without the directional controls of lines in right-to-left scripts, but for runs too long for that."""
    source = page.source
    lines: dict[int, bool] = {}
    kept = []
    for run in runs:
        if run.kind is Kind.BIDI and run.end - run.start <= _MOST_MARKS and run_is_mark(source.text, run):
            line = source.line_of(run.start)
            if line not in lines:
                lines[line] = bidi.is_right_to_left(source.line_text(line))
            if lines[line]:
                continue
        kept.append(run)
    return kept


def run_is_mark(text: str, run: Run) -> bool:
    """Whether the run holds marks only."""
    return all(one in bidi.MARKS for one in text[run.start : run.end])


def find(page: Page, runs: Sequence[Run]) -> Iterator[HiddenSpan]:
    """A span for each line with directional controls that are not ordinary there; neighbouring lines make one."""
    together: list[HiddenSpan] = []
    for unit, inside in _units(page, runs):
        found = _judged(unit, inside)
        if found is None:
            continue
        if together and (together[-1].rule != found.rule or found.span.start - together[-1].span.end > _CLOSE):
            yield _joined(page.source.text, together)
            together = []
        together.append(found)
    if together:
        yield _joined(page.source.text, together)


def _units(page: Page, runs: Sequence[Run]) -> Iterator[tuple[_Unit, Span]]:
    """The displayed lines with controls, and where the first and last of these runs stand in them."""
    source = page.source
    index = 0
    while index < len(runs):
        span = source.line_span(source.line_of(runs[index].start))
        leaf = page.markup.leaf_at(span.start) if page.rendered else None
        wrapped = leaf is not None and leaf.kind is RegionKind.PROSE and leaf.span.end > span.end
        if leaf is not None and wrapped and not bidi.is_balanced(source.text[span.start : span.end]):
            span = Span(span.start, leaf.span.end)
        first = index
        while index < len(runs) and runs[index].start < span.end:
            index += 1
        if index == first:
            index += 1
        # Line ends become blanks one by one, so that offsets stay.
        text = source.text[span.start : span.end].translate(_UNWRAPPED)
        yield _Unit(span, text), Span(runs[first].start, runs[index - 1].end)


def _judged(unit: _Unit, inside: Span) -> HiddenSpan | None:
    text = unit.text
    controls = set(_CONTROLS.findall(text))
    right_to_left = bidi.is_right_to_left(text)
    # Marks are ordinary writing in such a line, whatever else stands in it.
    kept = bidi.MARKS if right_to_left else ""
    parts = merged(
        Span(unit.span.start + found.start(), unit.span.start + found.end())
        for found in _CONTROLS.finditer(text, inside.start - unit.span.start, inside.end - unit.span.start)
        if found.group() not in kept
    )
    if controls.issubset(bidi.MARKS):
        # What is said of it is put together by `_joined`, for a whole block of lines.
        return None if right_to_left else _stray(inside, "", parts)
    shown = bidi.displayed(text)
    balanced = bidi.is_balanced(text)
    overrides = not controls.isdisjoint(bidi.OVERRIDES)
    if right_to_left:
        changed = forced = overrides and shown != bidi.displayed(text.translate(_AS_EMBEDDINGS))
        if not forced and balanced:
            return None
    else:
        # Text of one direction is displayed as it stands.
        changed = shown != bidi.without_controls(text)
        forced = changed and overrides
    if not changed:
        return _stray(inside, "", parts)
    end = inside.end if balanced else max(unit.span.start + len(text.rstrip()), inside.end)
    span = Span(inside.start, end)
    said = text[span.start - unit.span.start : span.end - unit.span.start]
    shown = shown if said == text else bidi.displayed(said)
    said = f"{bidi.written_out(said).strip()}{_SHOWN_AS}{shown.strip()}"
    severe = forced or not balanced
    rule = _REORDERED if severe else _ISOLATED
    return HiddenSpan(span, CHANNEL, _form(controls), span, said, rule, plain=False, covert=severe, parts=parts)


def _stray(span: Span, text: str, parts: tuple[Span, ...]) -> HiddenSpan:
    """The finding of the controls in `text`, none of which changes what is displayed."""
    found = _CONTROLS.findall(text)
    form = "1 directional control" if len(found) == 1 else f"{len(found)} directional controls"
    said = ", ".join(f"{bidi.NAMES[one]} \u00d7{number}" for one, number in Counter(found).most_common())
    return HiddenSpan(
        span, CHANNEL, form, span, f"directional controls: {said}", _STRAY, plain=False, parts=parts, conceals=False
    )


def _form(controls: set[str]) -> str:
    if not controls.isdisjoint(bidi.OVERRIDES):
        return "right-to-left override" if "\u202e" in controls else "left-to-right override"
    return "directional isolate" if not controls.isdisjoint(bidi.ISOLATES) else "directional embedding"


def _joined(text: str, spans: Sequence[HiddenSpan]) -> HiddenSpan:
    first = spans[0]
    span = Span(first.span.start, spans[-1].span.end)
    parts = merged(part for one in spans for part in one.parts)
    if first.rule == _STRAY:
        return _stray(span, text[span.start : span.end], parts)
    lines = [one.decoded.partition(_SHOWN_AS) for one in spans]
    said = "\n".join(read for read, _, _ in lines) + _SHOWN_AS + "\n".join(shown for _, _, shown in lines)
    return HiddenSpan(span, CHANNEL, first.form, span, said, first.rule, plain=False, covert=first.covert, parts=parts)
