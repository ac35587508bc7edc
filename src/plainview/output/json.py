"""The report as JSON. The shape is versioned; `schema.json` beside this file is made from these types."""

from __future__ import annotations

import re
from typing import Annotated, Any

import msgspec

from plainview import masking, wording
from plainview.finding import Finding, Span
from plainview.fingerprint import fingerprint
from plainview.output.report import FileReport, Run
from plainview.prices import Prices, money
from plainview.scan import Report
from plainview.tokens import Figures
from plainview.workspace import Problem

VERSION = 1

# Decoded text is given in full. C1 controls, bidi controls, what shows as nothing and what begins a build server's
# command ("##vso[task.setvariable]") stay escaped in it.
_UNSEEN = re.compile(
    r"#(?=#\w*\[)|"
    "[\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)

_Dollars = Annotated[
    msgspec.Raw, msgspec.Meta(extra_json_schema={"type": "number", "description": "US dollars, five decimals"})
]
_Count = Annotated[int, msgspec.Meta(ge=0)]
_FromOne = Annotated[int, msgspec.Meta(ge=1)]


class Position(msgspec.Struct, frozen=True):
    """A place in a file: line and column from 1, the column in code points."""

    line: _FromOne
    column: _FromOne


class Range(msgspec.Struct, frozen=True):
    """A range of code points; the end is behind its last one."""

    start: Position
    end: Position


class JsonFinding(msgspec.Struct, frozen=True, omit_defaults=True):
    """A finding. `reason` is there for an accepted one, which does not count; `channel`, `decoded`, `reach` and
    `hidden_range` for hidden text, and `respelled` for a phrase that is spelled so that it does not look like it."""

    rule: str
    category: str
    severity: str
    confidence: str
    message: str
    excerpt: str
    accepted: bool
    fingerprint: str
    range: Range
    reason: str | None = None
    softened: str | None = None
    respelled: str | None = None
    channel: str | None = None
    decoded: str | None = None
    reach: list[str] | None = None
    lines: int | None = None
    tokens: int | None = None
    hidden_range: Range | None = None


class JsonTokens(msgspec.Struct, frozen=True):
    """Tokens in o200k_base: per session, and once invoked."""

    session: _Count
    invoked: _Count


class JsonCost(msgspec.Struct, frozen=True):
    """What the tokens cost as input."""

    session: _Dollars
    invoked: _Dollars


class JsonFile(msgspec.Struct, frozen=True):
    """One file. `tokens`, `cost` and `host_tokens` are null when tokens were not counted."""

    path: str
    kind: str
    kind_id: str
    host: str | None
    sha256: str
    lines: _FromOne
    tokens: JsonTokens | None
    cost: dict[str, JsonCost] | None
    host_tokens: dict[str, JsonTokens] | None
    grade: str
    grade_points: float
    findings: list[JsonFinding]


class JsonProblem(msgspec.Struct, frozen=True):
    """What is wrong with a path, a rule file or a data file."""

    path: str
    message: str


class JsonSummary(msgspec.Struct, frozen=True):
    """The run in figures; findings are counted by severity, accepted ones left out and counted by themselves."""

    files: _Count
    findings: _Count
    accepted: _Count
    by_severity: dict[str, int]
    worst_grade: str | None
    session_tokens: int | None
    rules: _Count
    categories: _Count


class JsonReport(msgspec.Struct, frozen=True):
    """The whole report. `errors` made the exit status 2, `notes` did not; they say what the configuration accepts
    and lowers, always."""

    version: int
    files: list[JsonFile]
    errors: list[JsonProblem]
    notes: list[JsonProblem]
    summary: JsonSummary


def render(run: Run) -> bytes:
    """The run as JSON in UTF-8, a line end at its end."""
    return encode(_report(run))


def encode(value: msgspec.Struct) -> bytes:
    """A value as JSON in UTF-8 that neither a terminal nor a build server finds anything in, a line end at its end."""
    encoded = msgspec.json.format(msgspec.json.encode(value), indent=2)
    return _UNSEEN.sub(_escape, encoded.decode("utf-8")).encode("utf-8") + b"\n"


def _escape(match: re.Match[str]) -> str:
    """A character as JSON escapes: the same string to a parser, and harmless on a terminal."""
    units = match.group().encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def schema() -> dict[str, Any]:
    """The JSON Schema of the report."""
    return msgspec.json.schema(JsonReport)


def _report(run: Run) -> JsonReport:
    ruleset = run.engine.ruleset
    findings = run.findings()
    tally: dict[str, int] = {}
    for finding in sorted(findings, key=lambda one: -one.severity):
        tally[finding.severity.word] = tally.get(finding.severity.word, 0) + 1
    errors = [_problem(one) for one in run.problems if one.fatal]
    notes = [_problem(one) for one in run.problems if not one.fatal]
    notes += [_problem(one) for one in run.notices]
    summary = JsonSummary(
        files=len(run.files),
        findings=len(findings),
        accepted=len(run.accepted()),
        by_severity=tally,
        worst_grade=run.worst_grade(),
        session_tokens=run.session_tokens(),
        rules=len(ruleset.rules),
        categories=len(ruleset.categories),
    )
    return JsonReport(VERSION, [_file(file, run.engine.prices) for file in run.files], errors, notes, summary)


def _problem(problem: Problem) -> JsonProblem:
    return JsonProblem(masking.mask(problem.path), masking.mask(problem.message))


def _file(file: FileReport, prices: Prices) -> JsonFile:
    report = file.report
    yardstick = report.yardstick
    host = report.file.host
    return JsonFile(
        path=masking.mask(file.path),
        kind=report.file.kind.name,
        kind_id=report.file.kind.id,
        host=host.name if host else None,
        sha256=file.sha256,
        lines=report.source.line_count,
        tokens=_tokens(yardstick) if yardstick else None,
        cost=_cost(yardstick, prices) if yardstick else None,
        host_tokens={name: _tokens(figures) for name, figures in report.hosts.items()} if yardstick else None,
        grade=report.grade.letter,
        grade_points=report.grade.points,
        findings=[_finding(finding, report) for finding in report.findings],
    )


def _tokens(figures: Figures) -> JsonTokens:
    return JsonTokens(figures.session, figures.invoked)


def _cost(figures: Figures, prices: Prices) -> dict[str, JsonCost]:
    def dollars(usd: float) -> msgspec.Raw:
        return msgspec.Raw(money(usd).encode())

    return {
        model.name: JsonCost(dollars(model.cost(figures.session)), dollars(model.cost(figures.invoked)))
        for model in prices.models
    }


def _finding(finding: Finding, report: Report) -> JsonFinding:
    hidden = finding.hidden
    return JsonFinding(
        rule=finding.rule,
        category=finding.category,
        severity=finding.severity.word,
        confidence=finding.confidence.word,
        message=wording.sentences(finding, report),
        excerpt=wording.quoted(report, finding.span),
        accepted=finding.accepted is not None,
        fingerprint=fingerprint(finding, report.source),
        range=_range(finding.span, report),
        reason=finding.accepted,
        softened=finding.softened,
        respelled=masking.mask(finding.respelled) if finding.respelled is not None else None,
        channel=hidden.channel if hidden else None,
        decoded=wording.decoded(hidden, report) if hidden else None,
        reach=list(hidden.reach) if hidden else None,
        lines=hidden.lines if hidden else None,
        tokens=hidden.tokens if hidden else None,
        hidden_range=_range(hidden.span, report) if hidden and hidden.span != finding.span else None,
    )


def _range(span: Span, report: Report) -> Range:
    start, end = (report.source.position(offset) for offset in span)
    return Range(Position(start.line + 1, start.column + 1), Position(end.line + 1, end.column + 1))
