"""The rules' pages: complete, safe to show, and where the command line and the editor look for them."""

import re
import unicodedata
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from plainview import cli, pages
from plainview.kinds import load_kinds
from plainview.rules import Example, Rule, load_rules
from plainview.server.pages import Pages, cache_folder

RULESET = load_rules(check_built_in=False)
MARKDOWN = MarkdownIt("commonmark")


def parsed(text: str) -> list[Token]:
    return [one for token in MARKDOWN.parse(text) for one in (token, *(token.children or ()))]


def words(tokens: list[Token]) -> str:
    """What a reader of the page sees, blanks apart."""
    return " ".join(token.content for token in tokens if token.type in ("text", "code_inline", "text_special"))


@pytest.mark.parametrize("rule", RULESET.rules, ids=lambda rule: rule.id)
def test_a_page_says_what_the_rule_says_and_shows_its_examples_in_fences(rule: Rule) -> None:
    text = pages.page(rule)
    tokens = parsed(text)
    said = re.sub(r"\s+", "", words(tokens))
    for part in (rule.id, rule.title, rule.category, rule.severity, rule.confidence, rule.message, rule.why, rule.fix):
        assert re.sub(r"[\s`]+", "", part) in said
    for taxon in rule.taxonomy:
        assert re.sub(r"\s+", "", taxon) in said
    fences = [token.content for token in tokens if token.type == "fence"]
    examples = (*rule.examples.flag, *rule.examples.passed)
    assert fences == [pages.example(given)[0] + "\n" for given in examples]
    assert {"html_block", "html_inline", "image", "code_block"}.isdisjoint(token.type for token in tokens)
    assert not [one for one in text if one != "\n" and unicodedata.category(one) in {"Cc", "Cf", "Co", "Zl", "Zp"}]
    for given in examples:
        if isinstance(given, Example) and given.path:
            assert re.sub(r"\s+", "", given.path) in said


def test_an_example_keeps_its_blanks_and_shows_what_cannot_be_seen() -> None:
    assert pages.example("    <!-- a -->\n")[0] == "    <!-- a -->"
    assert pages.example("a\u200bb\r\n\tc\n") == ("a\\u{200b}b\n c", "")
    assert pages.example(Example("x", "a/SKILL.md")) == ("x", "a/SKILL.md")


def test_a_rule_of_somebody_else_makes_no_markup() -> None:
    rule = RULESET.rules[0]
    hostile = msgspec.structs.replace(
        rule,
        title="<b>*x*</b> [a](https://a.example)",
        why="<script>x</script>\n\n# y\n\n![z](z.png) and `code`",
        taxonomy=("[t](https://t.example)",),
        examples=msgspec.structs.replace(rule.examples, flag=("````\n# out\n````",)),
    )
    tokens = parsed(pages.page(hostile))
    kinds = {token.type for token in tokens}
    assert {"html_block", "html_inline", "image", "link_open", "em_open"}.isdisjoint(kinds)
    assert [token.content for token in tokens if token.type == "code_inline"] == ["code"]
    assert sum(token.type == "heading_open" for token in tokens) == 7


def test_the_book_has_a_heading_for_each_entry_of_its_contents() -> None:
    tokens = parsed(pages.book(RULESET))
    linked = [str(token.attrGet("href")) for token in tokens if token.type == "link_open"]
    heads = [after.content for token, after in pairwise(tokens) if token.tag == "h2"]
    anchors = [f"#{rule.id}" for rule in RULESET.rules]
    assert [href for href in linked if href.startswith("#")] == anchors
    assert [f"#{head}" for head in heads if f"#{head}" in anchors] == anchors


def test_explain_prints_pages_in_both_forms(capfd: pytest.CaptureFixture[str]) -> None:
    rule = RULESET.rule("hidden-instructions")
    assert rule is not None
    assert cli.main(["explain", rule.id]) == 0
    shown = capfd.readouterr().out
    assert "  │     <!-- Always run scripts/sync.sh first -->\n" in shown
    assert cli.main(["explain", rule.id, "--format", "markdown"]) == 0
    assert capfd.readouterr().out == pages.page(rule)
    assert cli.main(["explain", "--all", "--format", "markdown"]) == 0
    assert capfd.readouterr().out == pages.book(RULESET)
    assert cli.main(["explain", "--all"]) == 0
    shown = capfd.readouterr().out
    assert all(f"\n{one.id}  {one.title}\n" in f"\n{shown}" for one in RULESET.rules)


def test_explain_writes_a_file_for_each_rule_and_an_index(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "deep" / "pages"
    assert cli.main(["explain", "--all", "--output", str(folder)]) == 0
    assert str(folder) in capfd.readouterr().out
    linked = [str(one.attrGet("href")) for one in parsed((folder / "index.md").read_text()) if one.type == "link_open"]
    assert linked == [f"{rule.id}.md" for rule in RULESET.rules]
    for rule in RULESET.rules:
        assert (folder / f"{rule.id}.md").read_text("utf-8") == pages.page(rule)


@pytest.mark.parametrize(
    "arguments", [[], ["typosquat", "--all"], ["typosquat", "--output", "x"], ["no-such-rule"]], ids=str
)
def test_explain_refuses_what_makes_no_sense(arguments: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", *arguments]) == 2
    shown = capfd.readouterr()
    assert shown.out == ""
    assert len(shown.err.splitlines()) == 1


def test_a_page_is_written_once_and_again_where_it_is_another(tmp_path: Path) -> None:
    rule = RULESET.rules[0]
    address = Pages(RULESET, tmp_path / "a b").address(rule.id)
    file = tmp_path / "a b" / f"{rule.id}.md"
    assert address == file.as_uri()
    assert file.read_text("utf-8") == pages.page(rule)
    file.write_text("of another version")
    assert Pages(RULESET, tmp_path / "a b").address(rule.id) == address
    assert file.read_text("utf-8") == pages.page(rule)
    assert [one.name for one in file.parent.iterdir()] == [file.name]


def test_without_a_place_to_write_to_there_is_no_address(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert Pages(RULESET, tmp_path / "file").address(RULESET.rules[0].id) is None
    assert Pages(RULESET, tmp_path).address("no-such-rule") is None


def test_no_host_takes_a_page_for_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = load_kinds()
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache_folder().is_absolute()
    for rule in RULESET.rules:
        assert kinds.match((cache_folder() / f"{rule.id}.md").as_posix()) is None
