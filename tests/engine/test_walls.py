"""The import walls of the architecture page, and what the command line must not load."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "plainview"
LAYERS = [
    {
        "text",
        "finding",
        "unicode_sets",
        "lookalikes",
        "words",
        "passwords",
        "toml_places",
        "toml_pack",
        "late",
        "linear",
        "block_tokens",
    },
    {"rules", "config", "settings", "kinds", "frontmatter", "markup"},
    {
        "hidden",
        "fold",
        "plain_fold",
        "together",
        "masking",
        "match",
        "tokens",
        "vocabulary",
        "prices",
        "grade",
        "cost",
        "detect",
        "fingerprint",
        "fixes",
        "policy",
        "literals",
        "lines",
        "literal_pack",
        "memory",
        "sieve",
        "respell",
        "unspell",
    },
    {"scan", "trial"},
    {"wording", "workspace"},
    {"output", "cards", "pages"},
    {"cli", "server", "__main__"},
]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
MODULES = [path for path in sorted(SOURCE.rglob("*.py")) if path.name != "hatch_hook.py"]


def part(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: imports are absolute"
            if node.module == "plainview":
                names |= {f"plainview.{alias.name}" for alias in node.names}
            else:
                names.add(node.module or "")
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_run_one_way(path: Path) -> None:
    own = part(path)
    if own == "__init__":
        return
    for name in imported(path):
        if not name.startswith("plainview.") or name == "plainview.__version__":
            continue
        other = name.split(".")[1]
        assert RANK[other] <= RANK[own], f"{own} imports {other}"
        assert {own, other} != {"output", "server"}


def loaded(*arguments: str) -> set[str]:
    code = "import sys; from plainview.cli import main; main(sys.argv[1:]); sys.stderr.write('\\n'.join(sys.modules))"
    run = subprocess.run(  # the exit status of the check does not matter here
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )
    return {name.split(".")[0] for name in run.stderr.split("\n")}


def test_check_loads_neither_the_protocol_nor_an_unused_counter(tmp_path: Path) -> None:
    file = tmp_path / "AGENTS.md"
    file.write_text("# Hello\n\nText.\n")
    with_tokens = loaded("check", str(file))
    assert "tiktoken" in with_tokens
    assert not with_tokens & {"pygls", "lsprotocol"}
    without = loaded("check", "--no-tokens", str(file))
    assert not without & {"pygls", "lsprotocol", "tiktoken", "rich", "pathspec"}
