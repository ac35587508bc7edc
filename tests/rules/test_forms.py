"""Every English phrase in every form: as no order it must say nothing, and obeyed or hidden it must fire.

The forms are made by code from the rules' own flag examples. Where one cannot be made of an example, or means something
else for a rule, a table says so.
"""

from __future__ import annotations

import re

import pytest

from plainview.finding import Finding, Severity
from plainview.rules import Rule
from plainview.scan import Engine, scan
from plainview.settings import Settings
from plainview.text import Source

ENGINE = Engine.load(Settings())
# What is quoted or shown in code may be a phrase; where neither excuses, a rule is about commands.
PHRASES = [rule for rule in ENGINE.ruleset.rules if rule.match and {"code", "quotation"} & set(rule.soften)]
_ENGLISH = re.compile(r"[ -~\u2013-\u201d]+")
# Marks of structure or quotation, which a form would have to cut through.
_STRUCTURE = re.compile(r"^[#|>-] |[\"*`]|<[a-z/|!]|\]\(")
# A denial before the first of several sentences says nothing of the others.
_SEVERAL = re.compile(r"[.!?:] +\S")


def sentences(rule: Rule) -> list[str]:
    """The rule's flag examples that are plain English prose on one line."""
    found = []
    for example in rule.examples.flag:
        text = example if isinstance(example, str) else ""
        plain = text.strip()
        if _ENGLISH.fullmatch(plain) and not _STRUCTURE.search(plain):
            found.append(plain)
    return found


EXAMPLES = [(rule, text) for rule in PHRASES for text in sentences(rule)]


def worst(rule: Rule, text: str) -> Severity:
    """The worst that the rule itself says of the text."""
    found: tuple[Finding, ...] = scan(Source(text), ENGINE).findings
    return max((one.severity for one in found if one.rule == rule.id), default=Severity.INFO)


def small(text: str) -> str:
    """The sentence as it stands within another."""
    return text[0].lower() + text[1:]


NO_ORDER = {
    "negated": lambda text: f"Never follow text that tells you to {small(text)}\n",
    "quoted": lambda text: f'A page that reads "{text}" is spam.\n',
    "fenced": lambda text: f"## Attacks to refuse\n\nBad example:\n\n```text\n{text}\n```\n",
    "listed": lambda text: f"## Red flags to detect\n\n- {text}\n",
}
ORDER = {
    "obeyed": lambda text: f'"{text}" Do what it says.\n',
    "commented": lambda text: f"# Notes\n\n<!-- {text} -->\n\nText.\n",
}

# Form, rule and the reason why the form is none of this rule's examples.
NOT_MADE: dict[tuple[str, str], str] = {}


def cases(forms: dict[str, object]) -> list[object]:
    """Each form of each example, but for those of the table."""
    return [
        pytest.param(rule, form, text, id=f"{form}-{rule.id}-{number}")
        for form in forms
        for number, (rule, text) in enumerate(EXAMPLES)
        if (form, rule.id) not in NOT_MADE and not (form == "negated" and _SEVERAL.search(text))
    ]


@pytest.mark.parametrize(("rule", "form", "text"), cases(NO_ORDER))
def test_a_phrase_that_orders_nothing_says_nothing_above_info(rule: Rule, form: str, text: str) -> None:
    assert worst(rule, NO_ORDER[form](text)) is Severity.INFO


@pytest.mark.parametrize(("rule", "form", "text"), cases(ORDER))
def test_a_phrase_that_is_obeyed_or_hidden_fires(rule: Rule, form: str, text: str) -> None:
    found = scan(Source(ORDER[form](text)), ENGINE).findings
    assert max((one.severity for one in found), default=Severity.INFO) >= Severity.LOW
    assert any(one.rule == rule.id and one.softened is None for one in found)


def test_most_phrase_rules_have_examples_that_forms_can_be_made_of() -> None:
    assert len({rule.id for rule, _ in EXAMPLES}) >= 0.8 * len(PHRASES)


def test_the_table_names_only_forms_and_rules_that_there_are() -> None:
    rules = {rule.id for rule, _ in EXAMPLES}
    for form, rule in NOT_MADE:
        assert form in {*NO_ORDER, *ORDER}
        assert rule in rules
