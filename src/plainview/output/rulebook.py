"""The rules as pages for people: the list, and one rule explained."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from plainview import wording
from plainview.output.page import Line, line
from plainview.rules import Example, Rule, Ruleset


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
    for heading, text in (("", rule.message), ("Why it matters", rule.why), ("What to do", rule.fix)):
        yield line("")
        if heading:
            yield line(("dim", heading))
        for part in textwrap.wrap(" ".join(text.split()), 100):
            yield line(part)
    for heading, examples in (("Flagged", rule.examples.flag), ("Passed", rule.examples.passed)):
        yield line("")
        yield line(("dim", heading))
        for example in examples:
            text = example.text if isinstance(example, Example) else example
            place = f"  (as {example.path})" if isinstance(example, Example) and example.path else ""
            yield line(f"  {wording.quote(text)}", ("dim", place))
