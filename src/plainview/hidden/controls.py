"""Control characters with which a terminal shows something else than what a model reads.

Escape sequences that conceal or move, backspaces that rub out, carriage returns that overwrite, and other
characters of the C0 set. `cat`, `less -R` and a pager's diff obey them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from plainview.finding import Span
from plainview.hidden.span import HiddenSpan, Page, merged

CHANNEL = "control characters"
RULE = "terminal-controls"
STRAY = "stray-control"

# ECMA-48: CSI and OSC sequences, other escapes, and controls but for tab, line ends and form feed.
CONTROL = re.compile(
    "\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b\r\n]{0,2000}(?:\x07|\x1b\\\\)|\x1b[ -/]*[0-~]?"
    "|[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]"
)
_ANY = re.compile("[\x00-\x08\x0b\x0e-\x1f]")
_LONE_CR = re.compile(r"(?:(?<=\n)|^)([^\r\n]*\S[^\r\n]*)\r(?!\n)(?=[^\r\n])")


def may_hold(text: str) -> bool:
    """Whether a text may hold such characters."""
    return _ANY.search(text) is not None


def find(page: Page) -> Iterator[HiddenSpan]:
    """One span for each line that holds such characters, and what a carriage return overwrites."""
    yield from in_lines(page)
    yield from overwritten(page)


def in_lines(page: Page) -> Iterator[HiddenSpan]:
    """One span for each line that holds such characters."""
    source = page.source
    if not may_hold(source.text):
        return
    seen = -1
    for found in CONTROL.finditer(source.text):
        line = source.line_of(found.start())
        if line == seen:
            continue
        seen = line
        yield _line(page, found.start(), source.line_end(line))


def may_overwrite(text: str) -> bool:
    """Whether a carriage return may overwrite something in a page that has a passage of this text."""
    return "\r" in text.replace("\r\n", "")


def overwritten(page: Page) -> Iterator[HiddenSpan]:
    """What stands before a lone carriage return in a text whose lines end otherwise."""
    text = page.source.text
    lone = text.count("\r") - text.count("\r\n")
    if not lone or text.count("\n") < lone:
        return
    for found in _LONE_CR.finditer(text):
        span = Span(found.start(1), found.end())
        sample = page.markup.in_code(span.start)
        yield HiddenSpan(
            span,
            CHANNEL,
            "text before a carriage return",
            Span(*found.span(1)),
            found[1],
            rule=RULE,
            covert=not sample,
            strict=sample,
        )


def _line(page: Page, start: int, end: int) -> HiddenSpan:
    """From the first to the last control of a line, with what stands between them."""
    text = page.source.text
    controls = list(CONTROL.finditer(text, start, end))
    span = Span(start, controls[-1].end())
    escapes = sum(control.group().startswith("\x1b") for control in controls)
    noun = "terminal escape" if escapes else "control character"
    count = escapes or len(controls)
    form = f"{count:,} {noun}" + ("s" if count != 1 else "")
    backspaces = any(control.group() == "\b" for control in controls)
    # One that moves nothing and conceals nothing was lost from somewhere: a box drawn in another character set.
    acts = backspaces or any(_acts(control.group()) for control in controls)
    begin = page.source.line_start(page.source.line_of(start)) if backspaces else start
    said = CONTROL.sub("", text[begin : span.end])
    rule = RULE if acts else STRAY
    # What a program writes to a terminal is quoted as it came, but nobody's program conceals what it says.
    sample = page.markup.in_code(begin) and not any(_conceals(control.group()) for control in controls)
    whole = Span(begin, span.end)
    parts = merged(Span(*control.span()) for control in controls)
    covert = acts and not sample
    return HiddenSpan(whole, CHANNEL, form, whole, said, rule, plain=False, covert=covert, strict=sample, parts=parts)


def _acts(control: str) -> bool:
    """Whether a sequence conceals, moves or erases; one that only sets colours shows what it stands before."""
    if control.startswith("\x1b[") and control.endswith("m"):
        return _conceals(control)
    return control.startswith(("\x1b[", "\x1b]"))


def _conceals(control: str) -> bool:
    return control.startswith("\x1b[") and control.endswith("m") and "8" in control[2:-1].split(";")
