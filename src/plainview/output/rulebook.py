"""The rules as pages for people: the list, and one rule explained."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from plainview import pages, wording
from plainview.output import page
from plainview.output.page import Line, line
from plainview.rules import Example, Rule, Ruleset

_WIDTH = 100


def listing(ruleset: Ruleset) -> Iterator[Line]:
    """Every rule on a line of its own, by category."""
    width = max((len(rule.id) for rule in ruleset.rules), default=0)
    for category in ruleset.categories:
        yield line(("grade", category))
        for rule in ruleset.rules:
            if rule.category == category:
                severity = f"{rule.severity:<8}"
                yield line("  ", f"{rule.id:<{width}}  ", (rule.severity, severity), f"  {rule.title}")
    yield line(f"{wording.plural(len(ruleset.rules), 'rule')} in {len(ruleset.categories)} categories.")


def explain(rule: Rule) -> Iterator[Line]:
    """The page of one rule."""
    yield line(("grade", rule.id), "  ", rule.title)
    yield line(
        f"{rule.category}, ",
        (rule.severity, rule.severity),
        f", confidence {rule.confidence}; {', '.join(rule.taxonomy)}",
    )
    texts = (
        ("", rule.message),
        ("Why it matters", rule.why),
        ("What to do", rule.fix),
        ("Where context softens it", pages.contexts(rule)),
    )
    for heading, text in texts:
        yield line("")
        if heading:
            yield line(("dim", heading))
        for part in textwrap.wrap(" ".join(text.split()), page.width(_WIDTH)):
            yield line(part)
    yield from _examples("Flagged", rule.examples.flag)
    yield from _examples("Passed", rule.examples.passed)


def _examples(heading: str, examples: Iterable[str | Example]) -> Iterator[Line]:
    """The examples as they are written, each behind a margin, for their first blanks may be the point."""
    yield line("")
    yield line(("dim", heading))
    for number, given in enumerate(examples):
        text, path = pages.example(given)
        if number:
            yield line("")
        if path:
            yield line(("dim", f"  as {path}:"))
        for part in text.split("\n"):
            yield line(("gutter", "  │ "), part)
