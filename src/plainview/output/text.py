"""The report for people, as `plainview check` prints it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from itertools import zip_longest

from plainview import wording
from plainview.finding import Finding, Severity
from plainview.output import page
from plainview.output.page import Line, line
from plainview.output.report import FileReport, Run
from plainview.prices import Prices, money
from plainview.scan import Report
from plainview.workspace import Problem

_WIDTH = 108
# A line of the source, behind its number and with a mark at each end that is cut off.
_EXCERPT = 111
_GUTTER = 11
_LEFT = 49
_MARGIN = 11
_PARENTHESES = re.compile(r"\u2212 \S+ \([^)]*\)")
# A no-break space: lines are not wrapped at it.
_TIED = "\u00a0"


def render(run: Run, *, quiet: bool = False, everything: bool = False) -> Iterator[Line]:
    """The lines of a run: findings and a card for each file, then the sum.

    `quiet` leaves findings only, and what the configuration weakens; `everything` shows those of severity info and
    accepted ones too.
    """
    least = Severity.INFO if everything else Severity.LOW
    for file in run.files:
        shown = [one for one in file.report.findings if one.severity >= least and (everything or one.accepted is None)]
        for finding in shown:
            yield from _finding(file, finding, run)
            yield line("")
        if not quiet:
            yield from _card(file, run.engine.prices, bool(shown))
    if not quiet:
        yield from notes(run)
    yield from (_note(notice) for notice in run.notices)
    if not quiet:
        yield from _sum(run, least)


def _finding(file: FileReport, finding: Finding, run: Run) -> Iterator[Line]:
    report = file.report
    width = page.width(_WIDTH)
    excerpt = wording.excerpt(finding, report, page.width(_EXCERPT) - _GUTTER)
    start = report.source.position(finding.span.start)
    place = f"{wording.shown_path(file.path)}:{start.line + 1}:{start.column + 1}"
    weight = wording.weight(finding)
    aside = f"  ({weight})" if weight else ""
    head = line(("path", place), "  ", (finding.severity.word, finding.severity.word), "  ", finding.rule)
    if width < _WIDTH and sum(_cells(text) for _, text in (*head, ("", aside))) > width:
        yield from (head, line(("dim", aside)))
    else:
        yield [*head, ("dim", aside)]
    if finding.accepted is not None:
        yield line(("dim", f"  accepted: {wording.quote(finding.accepted, width)}"))
    for text in _wrapped(wording.sentences(finding, report)):
        yield line(text)
    gutter = f"{excerpt.line + 1:>6} │ "
    yield line(("gutter", gutter), excerpt.text)
    note = f" {excerpt.note}" if excerpt.note else ""
    margin = ("gutter", " " * (len(gutter) - 2) + "│ ")
    before, under = excerpt.text[: excerpt.column], excerpt.text[excerpt.column :][: excerpt.width]
    carets = "^" * max(_cells(under), excerpt.width - len(under), 1)
    below: list[str] = []
    if width < _WIDTH and _cells(before) + len(carets) + _cells(note) > width - len(gutter):
        note, below = "", textwrap.wrap(excerpt.note, width - len(gutter))
    yield line(margin, " " * _cells(before), ("mark", carets + note))
    for part in below:
        yield line(margin, ("mark", part))
    rule = run.engine.ruleset.rule(finding.rule)
    if rule is not None and finding.softened is None and finding.accepted is None and finding.severity > Severity.INFO:
        for text in _wrapped(rule.fix):
            yield line(text)
    yield line(("dim", f"  plainview explain {finding.rule}"))


def _cells(text: str) -> int:
    """How many columns of a terminal the text takes: East Asian letters and emoji take two."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, page.width(_WIDTH), initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)


def _card(file: FileReport, prices: Prices, has_findings: bool) -> Iterator[Line]:
    report = file.report
    grade = report.grade
    if not report.source.text.strip():
        yield line(("path", wording.shown_path(file.path)), "  empty: nothing for a model to read")
        return
    if not has_findings:
        yield line(
            ("path", wording.shown_path(file.path)),
            "  ",
            ("grade", grade.letter),
            f"  {report.file.kind.name}{_brief(report)}",
        )
        return
    left = [*_labelled("kind", report.file.kind.name), *_labelled("grade", f"{grade.letter}   {grade.arithmetic()}")]
    left += _labelled("", wording.unweighed(report.findings))
    right = _figures(report, prices)
    width = page.width(_WIDTH)
    if width < _WIDTH:
        parts = (textwrap.wrap(f, width, initial_indent="  ", subsequent_indent="    ") for _, f in right)
        left += [("", part) for several in parts for part in several]
        right = []
    for (label, value), (role, cost) in zip_longest(left, right, fillvalue=("", "")):
        padding = " " * max(_LEFT - len(label) - len(value), 2) if cost else ""
        yield line(("dim", label), value, padding, (role, cost))
    yield line("")


def _labelled(label: str, value: str) -> list[tuple[str, str]]:
    """A value behind its label, wrapped where it is too long for the column, but not within parentheses."""
    whole = _PARENTHESES.sub(lambda part: part.group().replace(" ", _TIED), value)
    indent = "    " if label == "grade" else ""
    parts = textwrap.wrap(whole, _LEFT - _MARGIN - 2, subsequent_indent=indent)
    return [
        (f"  {'' if number else label:<{_MARGIN - 2}}", part.replace(_TIED, " ")) for number, part in enumerate(parts)
    ]


def _brief(report: Report) -> str:
    if report.cost is None:
        return ""
    session, invoked = wording.number(report.cost.session), wording.number(report.cost.invoked)
    return f" · {session} tokens per session · {invoked} once invoked"


def _figures(report: Report, prices: Prices) -> list[tuple[str, str]]:
    """The right-hand column of the card, each line with its role."""
    if report.cost is None:
        return []
    rows = (("per session ", report.cost.session), ("once invoked", report.cost.invoked))
    figures = [
        ("", f"{label} {wording.number(tokens):>6} tokens{_price_range(tokens, prices)}") for label, tokens in rows
    ]
    return [*figures, ("dim", wording.YARDSTICK)]


def _price_range(tokens: int, prices: Prices) -> str:
    """The prices of the first and the last model, the dearest and the cheapest."""
    ends = [prices.models[0], prices.models[-1]] if len(prices.models) > 1 else list(prices.models)
    said = " … ".join(f"${money(model.cost(tokens))} {model.name}" for model in ends)
    return f"   {said}" if said else ""


def notes(run: Run) -> Iterator[Line]:
    """What a person must know of paths, without being an error."""
    for problem in run.problems:
        if not problem.fatal:
            yield _note(problem)


def _note(problem: Problem) -> Line:
    return line(("dim", f"{wording.shown_path(problem.path)}: {problem.message}"))


def _sum(run: Run, least: Severity) -> Iterator[Line]:
    findings = [finding for finding in run.findings() if finding.severity >= Severity.LOW]
    quiet = len(run.findings()) - len(findings)
    found = wording.plural(len(findings), "finding")
    tally = f" ({wording.counts(findings)})" if findings else ""
    ruleset = run.engine.ruleset
    against = f" against {wording.plural(len(ruleset.rules), 'rule')} in {len(ruleset.categories)} categories"
    accepted = f", {wording.number(len(run.accepted()))} accepted" if run.accepted() else ""
    said = f"{wording.plural(len(run.files), 'file')}, {found}{tally}{accepted}{against}."
    grade = run.worst_grade()
    if grade:
        unweighed = wording.unweighed(findings)
        said += f" Worst grade {grade}{f'; {unweighed}' if unweighed else ''}."
    tokens = run.session_tokens()
    if tokens is not None and run.files:
        said += f" {wording.plural(tokens, 'token')} in every session."
    if least is Severity.LOW and (quiet or accepted):
        more = [f"{quiet} more of severity info"] * bool(quiet) + [f"{len(run.accepted())} accepted"] * bool(accepted)
        said += f" {' and '.join(more)}: --all shows them."
    width = page.width(_WIDTH)
    yield from map(line, textwrap.wrap(said, width) if width < _WIDTH else [said])
