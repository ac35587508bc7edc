"""Tries rules on their own examples: what must be flagged, and what must pass."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from plainview.finding import Severity
from plainview.rules import DataError, Example, Rule
from plainview.scan import Engine, scan
from plainview.text import Source


def failures(rule: Rule, file: Path, engine: Engine) -> Iterator[DataError]:
    """The examples of a rule in `file` that do not come out as they should, each as an error at its key.

    One to flag needs a finding at the rule's severity or above, one to pass may have none above info; what the context
    softens is no finding here.
    """
    for index, example in enumerate(rule.examples.flag):
        worst = _worst(rule, example, engine)
        if worst is None or worst < rule.level:
            how = "is not flagged" if worst is None else f"is flagged at {worst.word} only, not at {rule.severity}"
            yield DataError(file, f"examples.flag[{index}]", how)
    for index, example in enumerate(rule.examples.passed):
        worst = _worst(rule, example, engine)
        if worst is not None and worst > Severity.INFO:
            yield DataError(file, f"examples.pass[{index}]", f"is flagged at {worst.word}, and should pass")


def _worst(rule: Rule, example: str | Example, engine: Engine) -> Severity | None:
    text, path = (example, "") if isinstance(example, str) else (example.text, example.path)
    found = scan(Source(text), engine, path=path).findings
    return max((one.severity for one in found if one.rule == rule.id and one.softened is None), default=None)
