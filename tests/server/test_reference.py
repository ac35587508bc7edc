"""The two reference files in an editor: the figures that they were published with, to the digit."""

import os
import tarfile
from pathlib import Path
from typing import Any

import pytest

CORPUS = os.environ.get("PLAINVIEW_CORPUS")


def agents() -> dict[str, str]:
    """The reference files by name; none without the archive."""
    if not CORPUS:
        return {}
    with tarfile.open(Path(CORPUS) / "reference.tar.gz") as archive:
        return {
            Path(member.name).stem: archive.extractfile(member).read().decode()
            for member in archive.getmembers()
            if member.isfile()
        }


AGENTS = agents()

FILE_FIGURES = {
    "megatron-engine-expert": (
        "| every session | 35 | $0.00035 | $0.00014 | $0.00007 | $0.00003 |",
        "| once invoked | 2,640 | $0.02640 | $0.01056 | $0.00528 | $0.00264 |",
        "279 of them (10.6 %) are hidden",
        "o200k_base",
        "Claude Code subagent",
        "grade C",
    ),
    "fsdp-engine-expert": (
        "| every session | 37 | $0.00037 | $0.00015 | $0.00007 | $0.00004 |",
        "| once invoked | 2,816 | $0.02816 | $0.01126 | $0.00563 | $0.00282 |",
        "300 of them (10.7 %) are hidden",
        "o200k_base",
        "Claude Code subagent",
        "grade C",
    ),
}

COMMENT_FIGURES = {"megatron-engine-expert": ("34 lines", "279 tokens"), "fsdp-engine-expert": ("300 tokens",)}


@pytest.fixture
def opened(shared: Any, tmp_path: Path, name: str) -> tuple[str, str]:
    """The URI of an open reference file with its tokens counted, and its text."""
    uri = (tmp_path / ".claude" / "agents" / f"{name}.md").as_uri()
    shared.open(uri, AGENTS[name])
    shared.counted(uri)
    return uri, AGENTS[name]


def line_of(text: str, beginning: str) -> int:
    return next(number for number, line in enumerate(text.split("\n")) if line.startswith(beginning))


@pytest.mark.parametrize("name", AGENTS)
def test_the_hover_on_a_reference_file_has_its_figures(name: str, shared: Any, opened: tuple[str, str]) -> None:
    uri, _ = opened
    said = shared.hover(uri)["contents"]["value"]
    assert [figure for figure in FILE_FIGURES[name] if figure not in said] == []


@pytest.mark.parametrize("name", [name for name in AGENTS if name.startswith("megatron")])
@pytest.mark.usefixtures("name")
def test_the_hover_on_a_section_of_a_reference_file_has_its_figures(shared: Any, opened: tuple[str, str]) -> None:
    uri, text = opened
    hover = shared.hover(uri, line_of(text, "## Core Concepts"), 5)
    for figure in ("Core Concepts", "277 tokens", "10.5 %", "$0.00111 on Opus 5.5"):
        assert figure in hover["contents"]["value"]
    assert hover["range"]["end"]["character"] == len("## Core Concepts")


@pytest.mark.parametrize("name", AGENTS)
def test_the_hover_in_the_comment_of_a_reference_file_says_what_it_says(
    name: str, shared: Any, opened: tuple[str, str]
) -> None:
    uri, text = opened
    start = text.index("<!--")
    said = shared.hover(uri, text.count("\n", 0, start) + 3, 0)["contents"]["value"]
    lines = [line.strip() for line in text[start + 4 : text.index("-->", start)].split("\n") if line.strip()]
    assert [line for line in lines if line not in said] == []
    assert [figure for figure in COMMENT_FIGURES[name] if figure not in said] == []


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.usefixtures("name")
def test_a_reference_file_has_one_finding_on_the_opening_line_of_its_comment(
    shared: Any, opened: tuple[str, str]
) -> None:
    uri, text = opened
    first, last = line_of(text, "<!--"), line_of(text, "-->")
    (diagnostic,) = shared.diagnostics(uri, 1)
    assert (diagnostic["code"], diagnostic["data"]["severity"]) == ("hidden-instructions", "high")
    assert diagnostic["range"]["start"]["line"] == diagnostic["range"]["end"]["line"] == first
    whole = diagnostic["data"]["range"]
    assert (whole["start"]["line"], whole["end"]["line"]) == (first, last)
