"""What the rules find in the corpora of attacks and of ordinary files: `python tests/bench/detection.py`.

Alarms on ordinary files that people have read stand in `judgements.jsonl`, right or wrong, with the reason.

The variable PLAINVIEW_CORPUS names the folder with `attacks`, `benign` and `benign-labelled` as `.tar.gz`.
Prints counts and asserts nothing. `--list` also names the files: missed attacks and every false alarm, by rule.
"""

from __future__ import annotations

import collections
import hashlib
import json
import os
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).parents[2] / "src"
sys.path.insert(0, str(SOURCE))

from plainview.finding import Confidence, Finding, Severity  # noqa: E402
from plainview.scan import Engine, scan  # noqa: E402
from plainview.settings import Settings  # noqa: E402
from plainview.text import Source  # noqa: E402

# The part of `benign-labelled` that is about security; it has an aim of its own.
HARD = "hardneg-security-topic/"
LABELS = "labels.jsonl"


class Scanned(NamedTuple):
    """One file of a corpus and what the rules found in it."""

    path: str
    findings: list[Finding]
    text: str

    def worst(self) -> Severity:
        """The worst finding, INFO when there is none."""
        return max((finding.severity for finding in self.findings), default=Severity.INFO)


def members(archive: Path) -> Iterator[tuple[str, str]]:
    """The path and text of every file in the archive but its labels."""
    with tarfile.open(archive) as tar:
        for member in tar:
            stream = tar.extractfile(member) if member.isfile() else None
            if stream is not None and member.name != LABELS:
                yield member.name, stream.read().decode("utf-8", "replace")


def labels(archive: Path) -> dict[str, dict[str, object]]:
    """What the archive's labels say of each path."""
    with tarfile.open(archive) as tar:
        stream = tar.extractfile(LABELS)
        rows = [json.loads(line) for line in stream] if stream is not None else []
    return {str(row["path"]): row for row in rows}


def scan_all(archive: Path, engine: Engine) -> list[Scanned]:
    """Every file of the archive, scanned under its own path."""
    return [
        Scanned(path, [one for one in scan(Source(text), engine, path=path).findings if one.security], text)
        for path, text in members(archive)
    ]


def digest(file: Scanned) -> str:
    """The sha256 of the file's text in UTF-8."""
    return hashlib.sha256(file.text.encode("utf-8", "surrogatepass")).hexdigest()


def judgements() -> dict[tuple[str, str], bool]:
    """Whether what a rule says of a file is right, by the file's sha256 and the rule's id: people have read them."""
    lines = Path(__file__).with_name("judgements.jsonl").read_text("utf-8").split("\n")
    rows = [json.loads(line) for line in lines if line]
    return {(row["sha256"], row["rule"]): row["right"] for row in rows}


JUDGEMENTS = judgements()


def show_alarms(title: str, files: list[Scanned], listed: bool) -> None:
    """How many files have a finding at medium or above and at high or above, and by which rules."""
    print(f"\n{title}: {len(files)} files")
    for least in (Severity.MEDIUM, Severity.HIGH):
        hit = [file for file in files if file.worst() >= least]
        print(f"  {least.word} or worse: {len(hit)} files, {100 * len(hit) / max(len(files), 1):.2f} %")
    alarms = {(digest(file), one.rule) for file in files for one in file.findings if one.severity >= Severity.MEDIUM}
    verdicts = collections.Counter(JUDGEMENTS.get(alarm) for alarm in alarms)
    print(f"    judged right {verdicts[True]}, wrong {verdicts[False]}, not judged {verdicts[None]} (file and rule)")
    graded = [
        file
        for file in files
        if any(one.severity >= Severity.HIGH and one.confidence is Confidence.HIGH for one in file.findings)
    ]
    print(f"  high or worse, and confident: {len(graded)} files, {100 * len(graded) / max(len(files), 1):.2f} %")
    by_rule: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for file in files:
        for rule, word in {(one.rule, one.severity.word) for one in file.findings}:
            by_rule[rule][word] += 1
    for rule, counts in sorted(by_rule.items()):
        print(f"    {rule:32} " + ", ".join(f"{counts[word]} {word}" for word in WORDS if counts[word]))
    if listed:
        for file in files:
            for one in file.findings:
                if one.severity >= Severity.MEDIUM:
                    print(f"  {one.severity.word:8} {one.rule:28} {file.path}: {quoted(file, one)}")


WORDS = [severity.word for severity in sorted(Severity, reverse=True)]


def quoted(file: Scanned, finding: Finding) -> str:
    """What the finding stands on, on one line."""
    return repr(file.text[finding.span.start : finding.span.end][:160])


def main() -> None:
    """Prints the counts."""
    listed = "--list" in sys.argv
    folder = Path(os.environ["PLAINVIEW_CORPUS"])
    engine = Engine.load(Settings())
    for error in engine.errors:
        print("error:", error)
    print(f"{len(engine.ruleset.rules)} rules in {len(engine.ruleset.categories)} categories")

    archive = folder / "attacks.tar.gz"
    known = labels(archive)
    attacks = [file for file in scan_all(archive, engine) if known[file.path]["md_evident"]]
    every = collections.Counter(str(known[file.path]["source"]) for file in attacks)
    found = {
        least: collections.Counter(str(known[file.path]["source"]) for file in attacks if file.worst() >= least)
        for least in (Severity.MEDIUM, Severity.HIGH)
    }
    print()
    for least, counts in found.items():
        share = 100 * counts.total() / every.total()
        print(f"attacks, {least.word} or worse: {counts.total()} of {every.total()}, {share:.1f} %")
    for source, count in every.most_common():
        print(f"    {source:32} {found[Severity.MEDIUM][source]} of {count}, {found[Severity.HIGH][source]} high")
    by_rule = collections.Counter(
        rule for file in attacks for rule in {one.rule for one in file.findings if one.severity >= Severity.MEDIUM}
    )
    for rule, count in by_rule.most_common():
        print(f"    {rule:32} {count}")
    if listed:
        for file in attacks:
            if file.worst() < Severity.MEDIUM:
                softened = sorted({f"{one.rule} ({one.softened})" for one in file.findings})
                print(f"  missed: {file.path} {softened}")

    show_alarms("benign", scan_all(folder / "benign.tar.gz", engine), listed)
    labelled = scan_all(folder / "benign-labelled.tar.gz", engine)
    show_alarms("benign-labelled, ordinary", [file for file in labelled if not file.path.startswith(HARD)], listed)
    show_alarms("benign-labelled, security topics", [file for file in labelled if file.path.startswith(HARD)], listed)


if __name__ == "__main__":
    main()
