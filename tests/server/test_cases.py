"""The language server's cases from public reports: steps of a session and what is expected after them.

The README of the archive explains the form. A pending step must fail, so that the list shrinks when it is built.
"""

import json
import os
import tarfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

CORPUS = os.environ.get("PLAINVIEW_CORPUS")
SEVERITIES = ("info", "low", "medium", "high", "critical")
UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
PUBLISH = "textDocument/publishDiagnostics"

# Steps that are not met yet, by case and run: numbers from 0, and what they wait for.
PENDING: dict[tuple[str, int], tuple[set[int], str]] = {}


def cases() -> dict[str, dict[str, bytes]]:
    """The files of each case that has steps, by path within it; empty without the archive."""
    found: dict[str, dict[str, bytes]] = {}
    if not CORPUS:
        return found
    with tarfile.open(Path(CORPUS) / "cases.tar.gz") as archive:
        for member in archive.getmembers():
            parts = Path(member.name).parts
            if member.isfile() and "cases" in parts and len(parts) > parts.index("cases") + 2:
                at = parts.index("cases")
                found.setdefault(parts[at + 1], {})["/".join(parts[at + 2 :])] = archive.extractfile(member).read()
    return {name: files for name, files in found.items() if "steps.json" in files}


CASES = cases()
RUNS = [
    (name, number) for name, files in CASES.items() for number, _ in enumerate(json.loads(files["steps.json"])["runs"])
]


class Unmet(Exception):  # noqa: N818 - an answer, not a failure of ours
    """A step does not hold."""


class Session:
    """One run of a case."""

    def __init__(self, wire: Any, root: Path, run: dict[str, Any], refused: type[Exception]) -> None:
        self.wire = wire
        self.root = root
        self.pulls = bool(run.get("pull"))
        self.refused = refused
        offered = run["positionEncodings"]
        capabilities = {"general": {"positionEncodings": offered}} if offered else {}
        if self.pulls:
            capabilities["textDocument"] = {"diagnostic": {}}
        folders = [{"uri": root.as_uri(), "name": "input"}]
        result = wire.initialize(capabilities, rootUri=root.as_uri(), workspaceFolders=folders)
        self.encoding = result["capabilities"].get("positionEncoding", "utf-16")
        assert self.encoding == (offered or ["utf-16"])[0]
        self.answers: dict[str, Any] = {}
        self.texts: dict[str, str] = {}
        self.uri = ""
        self.since = 0
        self.shown: dict[str, Any] | None = None

    def unmet(self, step: dict[str, Any]) -> str | None:
        """Takes a step; what there is instead of what it expects."""
        try:
            self.step(step)
        except Unmet as error:
            return str(error)[:300]
        return None

    def step(self, step: dict[str, Any]) -> None:
        """Takes a step. Raises Unmet where it expects what does not hold."""
        if "notify" in step:
            self.notify(step["notify"], step["params"])
        elif "request" in step:
            self.request(step)
        elif "disk" in step:
            assert step["disk"] == "delete"
            (self.root / step["path"]).unlink()
        else:
            expected = step["expect"]
            getattr(self, "expect_" + expected.replace("-", "_"))(step)

    def notify(self, method: str, params: dict[str, Any]) -> None:
        document = params.get("textDocument", {})
        self.uri = document.get("uri", self.uri)
        self.since = len(self.wire.received)
        self.shown = None
        self.wire.notify(method, params)
        if "text" in document:
            self.texts[self.uri] = document["text"]
        for change in params.get("contentChanges", ()):
            self.texts[self.uri] = self.applied(self.texts[self.uri], change)

    def applied(self, text: str, change: dict[str, Any]) -> str:
        if "range" not in change:
            return str(change["text"])
        start, end = (self.offset(text, change["range"][side]) for side in ("start", "end"))
        return text[:start] + change["text"] + text[end:]

    def offset(self, text: str, place: dict[str, int]) -> int:
        """The offset of a place in a text whose lines end in a line feed."""
        lines = text.split("\n")
        if place["line"] >= len(lines):
            return len(text)
        codec, size = UNITS[self.encoding]
        data = lines[place["line"]].encode(codec)[: place["character"] * size]
        return sum(len(line) + 1 for line in lines[: place["line"]]) + len(data.decode(codec, "ignore"))

    def request(self, step: dict[str, Any]) -> None:
        params = dict(step["params"])
        if "position_by_encoding" in params:
            params["position"] = params.pop("position_by_encoding")[self.encoding]
        if step["request"] == "textDocument/codeAction":
            nowhere = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
            params["range"] = self.shown["range"] if self.shown else nowhere
            params["context"] = {"diagnostics": [self.shown] if self.shown else []}
        self.answers[step["as"]] = self.wire.request(step["request"], params)

    def expect_alive(self, _: dict[str, Any]) -> None:
        self.wire.hover(self.uri)

    def expect_response(self, step: dict[str, Any]) -> None:
        answer = self.answers[step["to"]]
        if "equals" in step and answer != step["equals"]:
            raise Unmet(answer)
        if "contains" in step and step["contains"] not in json.dumps(answer, ensure_ascii=False):
            raise Unmet(answer)

    def expect_edit(self, step: dict[str, Any]) -> None:
        results = []
        for action in self.answers[step["of"]] or []:
            (change,) = action["edit"]["documentChanges"]
            text = self.texts[change["textDocument"]["uri"]]
            for edit in sorted(change["edits"], key=lambda one: -one["range"]["start"]["line"]):
                text = self.applied(text, {"range": edit["range"], "text": edit["newText"]})
            results.append(text)
        if step["result_text"] not in results:
            raise Unmet(results)

    def expect_workspace_diagnostics(self, step: dict[str, Any]) -> None:
        if not self.pulls:
            self.judge(step, self.wire.diagnostics(step["uri"], None))
            return
        try:
            report = self.wire.request("workspace/diagnostic", {"previousResultIds": []})
        except self.refused as error:
            raise Unmet(error) from error
        found = [one for item in report["items"] if item["uri"] == step["uri"] for one in item.get("items", ())]
        self.judge(step, found)

    def expect_diagnostics(self, step: dict[str, Any]) -> None:
        self.judge(step, self.pulled(step) if self.pulls else self.pushed(step))
        if "quiet_ms" in step:
            # Nothing but waiting shows that nothing comes.
            time.sleep(step["quiet_ms"] / 1000)
            self.judge(step, self.pulled(step) if self.pulls else self.wire.lists(step["uri"])[-1]["diagnostics"])
            assert not self.pulls or self.wire.messages(PUBLISH) == []

    def pulled(self, step: dict[str, Any]) -> list[dict[str, Any]]:
        try:
            return self.wire.request("textDocument/diagnostic", {"textDocument": {"uri": step["uri"]}})["items"]
        except self.refused as error:
            raise Unmet(error) from error

    def pushed(self, step: dict[str, Any]) -> list[dict[str, Any]]:
        uri = step["uri"]
        if uri not in self.texts:
            # Of a file without findings nothing is said. The last word, once all that was sent has been read.
            self.wire.hover(self.uri)
            lists = self.wire.lists(uri)
            return lists[-1]["diagnostics"] if lists else []
        self.wire.wait(
            lambda one: (
                one.get("method") == PUBLISH
                and one["params"]["uri"] == uri
                and step.get("version") in (None, one["params"].get("version"))
            ),
            self.since,
        )
        # The last word, once all that was sent has been read.
        self.wire.hover(uri)
        return self.wire.lists(uri, self.since)[-1]["diagnostics"]

    def judge(self, step: dict[str, Any], found: list[dict[str, Any]]) -> None:
        known = {"expect", "uri", "why", "version", "any", "only", "last", "quiet_ms"}
        assert step.keys() <= known, "this runner does not know the form"
        if "only" in step and len(found) != len(step["only"]):
            raise Unmet(found)
        for wanted in step.get("any", step.get("only", ())):
            matching = [one for one in found if self.matches(wanted, one)]
            if not matching:
                raise Unmet(found)
            self.shown = matching[0]

    def matches(self, wanted: dict[str, Any], diagnostic: dict[str, Any]) -> bool:
        assert wanted.keys() <= {"range", "range_by_encoding", "min_severity"}, "this runner does not know the form"
        place = wanted.get("range") or wanted.get("range_by_encoding", {}).get(self.encoding)
        severity = SEVERITIES.index(diagnostic["data"]["severity"])
        return place in (None, diagnostic["range"]) and severity >= SEVERITIES.index(wanted["min_severity"])


def test_the_archive_holds_cases_of_the_language_server() -> None:
    assert not CORPUS or (len(CASES), len(RUNS)) == (4, 8)
    assert not CORPUS or set(PENDING) <= set(RUNS)


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "input"
    folder.mkdir()
    yield folder


@pytest.mark.parametrize(("name", "run"), RUNS)
def test_every_step_of_a_case_holds_but_those_that_are_pending(
    name: str, run: int, spawn: Callable[[], Any], root: Path, refused: type[Exception]
) -> None:
    for path, data in CASES[name].items():
        if path.startswith("input/"):
            file = root / path.removeprefix("input/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
    case = json.loads(CASES[name]["steps.json"].replace(b"${ROOT}", root.as_uri().encode()))
    session = Session(spawn(), root, case["runs"][run], refused)
    unmet = {number: what for number, step in enumerate(case["steps"]) if (what := session.unmet(step)) is not None}
    pending, reason = PENDING.get((name, run), (set(), "nothing is"))
    assert set(unmet) == pending, f"{reason}; unmet: {unmet}"
