"""What the rules find in corpora of attacks and of ordinary files: `detection.py [--list] [CORPUS...]`.

A corpus is a `.tar.gz` of files, with what is known of each in its `labels.jsonl` (`path`, and any of `kind`,
`source`, `category`, `difficulty`, `md_evident`), or a `.jsonl` of such rows that hold the `text` too. A kind is
`attack`, `benign` or `hardneg` (honest text on security). Where a row names none, one that says `md_evident` is an
attack, and whatever lies in a folder `hardneg-security-topic` is honest text on security. Without a corpus the variable
PLAINVIEW_CORPUS names the folder that holds `attacks`, `benign` and `benign-labelled`.

Alarms on ordinary files that people have read stand in `judgements.jsonl`, right or wrong, with the reason.
Prints counts and asserts nothing. `--list` also names the files: missed attacks and every false alarm, by rule.
"""

from __future__ import annotations

import argparse
import collections
import hashlib
import json
import os
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

SOURCE = Path(__file__).parents[2] / "src"
sys.path.insert(0, str(SOURCE))

from plainview.finding import Confidence, Finding, Severity  # noqa: E402
from plainview.scan import Engine, scan  # noqa: E402
from plainview.settings import Settings  # noqa: E402
from plainview.text import Source  # noqa: E402

ATTACK, BENIGN, HARD = "attack", "benign", "hardneg"
# The part of `benign-labelled` that is about security; it has an aim of its own.
HARD_FOLDER = "hardneg-security-topic/"
LABELS = "labels.jsonl"
USUAL = ("attacks.tar.gz", "benign.tar.gz", "benign-labelled.tar.gz")
# What the attacks are counted by, where their labels say it.
GROUPS = ("source", "category", "difficulty")


class Scanned(NamedTuple):
    """One file of a corpus, what its labels say and what the rules found in it."""

    path: str
    findings: list[Finding]
    text: str
    label: dict[str, Any]

    def worst(self) -> Severity:
        """The worst finding, INFO when there is none."""
        return max((finding.severity for finding in self.findings), default=Severity.INFO)

    def kind(self) -> str:
        """Attack, benign or hardneg."""
        if "kind" in self.label:
            return str(self.label["kind"])
        if "md_evident" in self.label:
            return ATTACK
        return HARD if self.path.startswith(HARD_FOLDER) else BENIGN


def members(corpus: Path) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The path, text and labels of every file in the corpus; of attacks only those that the text itself shows."""
    if corpus.suffix == ".jsonl":
        rows = [json.loads(line) for line in corpus.read_text("utf-8").split("\n") if line]
        yield from ((row["path"], row["text"], row) for row in rows)
        return
    with tarfile.open(corpus) as tar:
        known = labels(tar)
        for member in tar:
            stream = tar.extractfile(member) if member.isfile() else None
            label = known.get(member.name, {})
            if stream is not None and member.name != LABELS and label.get("md_evident", True):
                yield member.name, stream.read().decode("utf-8", "replace"), label


def labels(tar: tarfile.TarFile) -> dict[str, dict[str, Any]]:
    """What the archive's labels say of each path; nothing when it has none."""
    stream = tar.extractfile(LABELS) if LABELS in tar.getnames() else None
    rows = [json.loads(line) for line in stream] if stream is not None else []
    return {str(row["path"]): row for row in rows}


def scan_all(corpus: Path, engine: Engine) -> list[Scanned]:
    """Every file of the corpus, scanned under its own path."""
    return [
        Scanned(path, [one for one in scan(Source(text), engine, path=path).findings if one.security], text, label)
        for path, text, label in members(corpus)
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


def show_attacks(title: str, attacks: list[Scanned], listed: bool) -> None:
    """How many attacks are found at medium or above and at high or above: in all, by label, and by which rules."""
    print(f"\n{title}: {len(attacks)} files")
    for least in (Severity.MEDIUM, Severity.HIGH):
        count = sum(file.worst() >= least for file in attacks)
        print(f"  {least.word} or worse: {count} of {len(attacks)}, {100 * count / len(attacks):.1f} %")
    for group in GROUPS:
        every = collections.Counter(str(file.label[group]) for file in attacks if group in file.label)
        found = {
            least: collections.Counter(str(file.label.get(group)) for file in attacks if file.worst() >= least)
            for least in (Severity.MEDIUM, Severity.HIGH)
        }
        if every:
            print(f"  by {group}:")
        for name, count in every.most_common():
            print(f"    {name:40} {found[Severity.MEDIUM][name]} of {count}, {found[Severity.HIGH][name]} high")
    by_rule = collections.Counter(
        rule for file in attacks for rule in {one.rule for one in file.findings if one.severity >= Severity.MEDIUM}
    )
    print("  by rule:")
    for rule, count in by_rule.most_common():
        print(f"    {rule:40} {count}")
    if listed:
        for file in attacks:
            if file.worst() < Severity.MEDIUM:
                softened = sorted({f"{one.rule} ({one.softened})" for one in file.findings})
                print(f"  missed: {file.path} {softened}")


def main() -> None:
    """Prints the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="*", type=Path, metavar="CORPUS", help="a .tar.gz of files, or a .jsonl")
    parser.add_argument("--list", action="store_true", dest="listed", help="name the misses and the false alarms")
    options = parser.parse_args()
    listed, folder = options.listed, os.environ.get("PLAINVIEW_CORPUS")
    if not options.corpora and folder is None:
        parser.error("name a corpus, or in PLAINVIEW_CORPUS the folder that holds attacks.tar.gz and the others")
    corpora = options.corpora or [Path(folder or "") / name for name in USUAL]
    missing = [str(corpus) for corpus in corpora if not corpus.is_file()]
    if missing:
        parser.error(f"no such file: {', '.join(missing)}")
    engine = Engine.load(Settings())
    for error in engine.errors:
        print("error:", error)
    print(f"{len(engine.ruleset.rules)} rules in {len(engine.ruleset.categories)} categories")
    for corpus in corpora:
        files = scan_all(corpus, engine)
        of_kind = {kind: [file for file in files if file.kind() == kind] for kind in (ATTACK, BENIGN, HARD)}
        if of_kind[ATTACK]:
            show_attacks(f"{corpus.name}, attacks", of_kind[ATTACK], listed)
        if of_kind[BENIGN]:
            show_alarms(f"{corpus.name}, ordinary", of_kind[BENIGN], listed)
        if of_kind[HARD]:
            show_alarms(f"{corpus.name}, security topics", of_kind[HARD], listed)


if __name__ == "__main__":
    main()
