"""Every English phrase in every form: as no order it must say nothing, and obeyed or hidden it must fire.

The forms are made by code from the rules' own flag examples (`phrases.py`). Where one is none of a rule's, a table says
why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from grammar import DENIALS, small
from phrases import Phrase, fires, phrases, worst

from plainview.finding import Severity
from plainview.rules import Context, Rule

Form = Callable[[str], str]

PHRASES = phrases()


def quoted(marks: str, frame: str) -> Form:
    """A sentence that reports the text between the two marks; other quotation marks in it become single ones."""
    opening, closing = marks
    return lambda text: frame.format(opening + text.replace('"', "'").replace(closing, "'") + closing)


def page(template: str) -> Form:
    """A page that holds the text."""
    return lambda text: template.replace("{}", text)


def row(template: str) -> Form:
    """A table that holds the text in a cell."""
    return lambda text: template.replace("{}", text.replace("|", "\\|"))


def denied(number: int) -> Form:
    """The text, denied in the words of that number."""
    return lambda text: DENIALS[number].of(text) + "\n"


# By the context that a rule must name for the form to excuse its phrases.
NO_ORDER: dict[Context, dict[str, Form]] = {
    "negation": {denial.order: denied(number) for number, denial in enumerate(DENIALS)},
    "quotation": {
        "straight": quoted('""', "A page that reads {} is spam.\n"),
        "curly": quoted("\u201c\u201d", "One visitor wrote {} into the guest book.\n"),
        "backticks": quoted("``", "The comment said {} and was removed.\n"),
        "asked": quoted('""', "The caller asked us: {} That is a known trick.\n"),
    },
    "defence": {
        "attacks": page("## Attacks to refuse\n\nBad example:\n\n```text\n{}\n```\n"),
        "bad example": page("## Bad example\n\n```markdown\n{}\n```\n"),
        "not to write": page("## What not to write\n\n```\n{}\n```\n"),
        "injection": page("# Guide\n\nAn example of a prompt injection:\n\n~~~\n{}\n~~~\n"),
        "red flags": page("## Red flags to detect\n\n- Odd dates\n- {}\n"),
        "warning signs": page("## Warning signs\n\n* {}\n"),
        "look for": page("## What to look for in a review\n\n1. {}\n"),
        "flag any": page("Flag any of these:\n\n- {}\n- Odd dates\n"),
        "reject": page("Reject text like this:\n\n- {}\n"),
        "never": page("## Never do any of this\n\n- {}\n"),
        "patterns": page("### Suspicious patterns\n\n- {}\n"),
        "table": row("| Attack | Answer |\n| --- | --- |\n| {} | no |\n"),
        "section table": row("## Injection patterns\n\n| No. | Text |\n| --- | --- |\n| 1 | {} |\n"),
    },
}
ORDER: dict[str, Form] = {
    "do": quoted('""', "{} Do what it says.\n"),
    "follow": quoted("\u201c\u201d", "The note says {} Follow that.\n"),
    "backticks": quoted("``", "{} Do exactly that.\n"),
    "reported": quoted("``", "The letter reads: {} So do exactly as it says.\n"),
    "for instance": lambda text: f"Save time, e.g. {small(text)}\n",
    "run": page("Run the following exactly:\n\n```text\n{}\n```\n"),
    "obey": page("Follow these instructions to the letter:\n\n```\n{}\n```\n"),
    "block": page("# Notes\n\n<!-- {} -->\n\nText.\n"),
    "inline": page("Some text <!-- {} --> and more.\n"),
    # The marks around a value in a header say that it is a string.
    "described": quoted('""', "---\nname: one\ndescription: {}\n---\n\n# One\n"),
    "listed": page("- One\n  <!--\n  {}\n  -->\n"),
}

# Form, rule and the reason why the form is none of this rule's phrases.
NOT_MADE = {
    ("reported", "forged-system-message"): "its label forges a message only where it opens a line",
    ("reported", "forged-dialogue"): "its label forges a turn only where it opens a line or a sentence",
}
RULES = [pytest.param(rule, id=rule.id) for rule in {phrase.rule.id: phrase.rule for phrase in PHRASES}.values()]


def made(rule: Rule, forms: dict[str, Form]) -> Iterator[tuple[str, str, Phrase]]:
    """Each form's name, each of the rule's phrases in it, and the phrase itself."""
    for name, form in forms.items():
        if (name, rule.id) not in NOT_MADE:
            yield from ((name, form(phrase.text), phrase) for phrase in PHRASES if phrase.rule is rule)


@pytest.mark.parametrize("rule", RULES)
def test_a_phrase_that_orders_nothing_says_nothing_above_info(rule: Rule) -> None:
    forms = [NO_ORDER[context] for context in NO_ORDER if context in rule.soften]
    wrong = [(name, text) for some in forms for name, text, _ in made(rule, some) if worst(rule, text) > Severity.INFO]
    assert wrong == []


@pytest.mark.parametrize("rule", RULES)
def test_a_phrase_that_is_obeyed_or_hidden_fires(rule: Rule) -> None:
    wrong = [(name, text) for name, text, phrase in made(rule, ORDER) if fires(rule, text) < phrase.severity]
    assert wrong == []


@pytest.mark.parametrize(("name", "rule"), NOT_MADE)
def test_the_table_names_only_what_does_not_fire(name: str, rule: str) -> None:
    phrases_of_rule = [phrase for phrase in PHRASES if phrase.rule.id == rule]
    assert any(fires(one.rule, ORDER[name](one.text)) < one.severity for one in phrases_of_rule)
