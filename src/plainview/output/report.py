"""What a run found, for every format to write from."""

from __future__ import annotations

import hashlib

import msgspec

from plainview.finding import Finding, Severity
from plainview.scan import Engine, Report
from plainview.workspace import Problem


class FileReport(msgspec.Struct, frozen=True):
    """The report on one file, where it is shown to be, and the sha256 of its bytes."""

    path: str
    sha256: str
    report: Report


class Run(msgspec.Struct, frozen=True):
    """Everything that a run has to say."""

    engine: Engine
    files: tuple[FileReport, ...]
    problems: tuple[Problem, ...]

    def findings(self) -> list[Finding]:
        """The findings of all files."""
        return [finding for file in self.files for finding in file.report.findings]

    def worst_grade(self) -> str | None:
        """The letter of the file with the fewest points; None without files."""
        grades = [file.report.grade for file in self.files]
        return min(grades, key=lambda grade: grade.points).letter if grades else None

    def session_tokens(self) -> int | None:
        """What all files together cost in every session, in tokens; None when not counted."""
        figures = [file.report.cost for file in self.files]
        return sum(figure.session for figure in figures if figure) if all(figures) else None

    def fails(self, level: Severity) -> bool:
        """Whether a finding is at or above `level`."""
        return any(finding.severity >= level for finding in self.findings())


def fingerprint(finding: Finding, report: Report) -> str:
    """What an acceptance of the finding names: 16 hex digits of a hash of its rule, channel and enclosing text.

    The text is the raw clause around a phrase, or the whole hidden span: the fingerprint survives a move of the
    text and expires with any change of it.
    """
    channel = finding.hidden.channel if finding.hidden else ""
    text = report.source.text[finding.clause.start : finding.clause.end].strip()
    said = "\0".join((finding.rule, channel, text))
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:16]
