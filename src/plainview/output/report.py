"""What a run found, for every format to write from."""

from __future__ import annotations

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
    """Everything that a run has to say. `notices` say how the configuration weakens it: no format leaves them out."""

    engine: Engine
    files: tuple[FileReport, ...]
    problems: tuple[Problem, ...]
    notices: tuple[Problem, ...] = ()

    def findings(self) -> list[Finding]:
        """The findings of all files that nobody has accepted."""
        return [finding for file in self.files for finding in file.report.findings if finding.accepted is None]

    def accepted(self) -> list[Finding]:
        """The findings of all files that the configuration accepts."""
        return [finding for file in self.files for finding in file.report.findings if finding.accepted is not None]

    def worst_grade(self) -> str | None:
        """The letter of the file with the fewest points; None without files."""
        grades = [file.report.grade for file in self.files]
        return min(grades, key=lambda grade: grade.points).letter if grades else None

    def session_tokens(self) -> int | None:
        """What all files together cost in every session, in tokens; None when not counted."""
        figures = [file.report.cost for file in self.files]
        return sum(figure.session for figure in figures if figure) if all(figures) else None

    def fails(self, level: Severity) -> bool:
        """Whether a finding that nobody has accepted is at or above `level`."""
        return any(finding.severity >= level for finding in self.findings())
