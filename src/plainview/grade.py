"""How findings become a letter, with the arithmetic behind it: `rules/grades.toml`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec

from plainview.finding import Finding, Severity
from plainview.rules import DataError, load_toml, rules_dir


class Costs(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Points that a rule's worst finding costs, by its severity."""

    critical: float
    high: float
    medium: float
    low: float
    info: float

    def of(self, severity: Severity) -> float:
        """The points for `severity`."""
        points: float = getattr(self, severity.word)
        return points


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A letter, and the points from which on it is given."""

    letter: str
    points: float


class Scale(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of grading.

    A file begins with `start` points. The worst finding of each rule costs what `costs` says; each further
    one of that rule costs the share `further` of what its own severity costs, so that one softened to info
    stays free.
    `letters` run from the best to the one from 0 points.
    """

    start: float
    further: float
    costs: Costs
    letters: tuple[Step, ...]


class Deduction(msgspec.Struct, frozen=True, gc=False):
    """Points lost to `count` findings of one rule and severity.

    `further` says that the rule was charged in full already, so that these cost a share only.
    """

    rule: str
    severity: Severity
    count: int
    points: float
    further: bool = False


class Grade(msgspec.Struct, frozen=True):
    """A letter, the points behind it (0 at least), and what took points away, worst first."""

    letter: str
    points: float
    start: float
    deductions: tuple[Deduction, ...]

    def arithmetic(self) -> str:
        """The sum in one line, with U+2212 as its minus: `100 − 50 (2 high) − 5 (1 more high)`.

        "More" are further findings of rules that were charged in full already. The sum may be below 0 where
        `points` stops at 0.
        """
        groups: dict[tuple[Severity, bool], tuple[float, int]] = {}
        for each in self.deductions:
            points, count = groups.get((each.severity, each.further), (0.0, 0))
            groups[each.severity, each.further] = points + each.points, count + each.count
        parts = [_plain(self.start)]
        for severity, further in sorted(groups, key=lambda key: (-key[0], key[1])):
            points, count = groups[severity, further]
            more = "more " if further else ""
            parts.append(f"{_plain(points)} ({count} {more}{severity.word})")
        return " − ".join(parts)


def grade(findings: Iterable[Finding], scale: Scale) -> Grade:
    """The grade of a file with `findings`; only those that count (`Finding.counts`) weigh."""
    counts = Counter((each.rule, each.severity) for each in findings if each.counts)
    deductions: list[Deduction] = []
    charged: set[str] = set()
    for (rule, severity), count in sorted(counts.items(), key=lambda item: (-item[0][1], item[0][0])):
        cost = scale.costs.of(severity)
        if rule not in charged:
            charged.add(rule)
            deductions.append(Deduction(rule, severity, 1, cost))
            count -= 1
        if count:
            deductions.append(Deduction(rule, severity, count, _rounded(count * cost * scale.further), further=True))
    deductions = [each for each in deductions if each.points]
    points = max(0.0, _rounded(scale.start - sum(each.points for each in deductions)))
    letter = next(step.letter for step in scale.letters if points >= step.points)
    return Grade(letter, points, scale.start, tuple(deductions))


def load_scale(file: Path | None = None) -> Scale:
    """The scale of `file`, or the built-in one.

    Raises DataError when the file cannot be read, or a value is missing, unknown, or out of order or range.
    """
    file = file or rules_dir() / "grades.toml"
    scale = load_toml(file, Scale)
    if not (math.isfinite(scale.start) and scale.start > 0):
        raise DataError(file, "start", f"{scale.start} is not a number above 0")
    if not 0 <= scale.further <= 1:
        raise DataError(file, "further", f"{scale.further} is not between 0 and 1")
    least = 0.0
    for severity in Severity:
        cost = scale.costs.of(severity)
        if not (math.isfinite(cost) and cost >= least):
            raise DataError(file, f"costs.{severity.word}", f"{cost} is below {_plain(least)}, or not a number at all")
        least = cost
    _check_letters(file, scale)
    return scale


def _check_letters(file: Path, scale: Scale) -> None:
    if not scale.letters:
        raise DataError(file, "letters", "is empty")
    above = math.inf
    seen: set[str] = set()
    for at, step in enumerate(scale.letters):
        if not step.letter.strip():
            raise DataError(file, f"letters[{at}].letter", "is empty")
        if step.letter in seen:
            raise DataError(file, f"letters[{at}].letter", f"{step.letter!r} is given twice")
        seen.add(step.letter)
        if not 0 <= step.points < above:
            raise DataError(file, f"letters[{at}].points", f"{step.points} is not between 0 and the letter before's")
        above = step.points
    if scale.letters[0].points > scale.start:
        raise DataError(file, "letters[0].points", "cannot be reached: it is above `start`")
    if above != 0:
        raise DataError(file, f"letters[{len(scale.letters) - 1}].points", "must be 0: every file gets a letter")


def _rounded(points: float) -> float:
    # A fifth of 4 is no binary fraction: sums of such must still meet a letter's bound exactly.
    return round(points, 6)


def _plain(points: float) -> str:
    return f"{points:.2f}".rstrip("0").rstrip(".")
