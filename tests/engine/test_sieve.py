"""What the words of a text tell of patterns: never too little, and enough to be worth asking."""

import random
import re

import msgspec
import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from plainview.literals import Key, Literal, ways
from plainview.match import Matcher, PatternError
from plainview.rules import Ruleset, load_rules
from plainview.sieve import Sieve

RULES = load_rules(())
MATCHER = Matcher(RULES)
ATOMS = ["|".join(f"(?:{one})" for one in patterns) for rule in RULES.rules for patterns in rule.atoms.values()]


def literals(pattern: str) -> set[Literal]:
    return {literal for way in ways(pattern) for clause in way for literal in clause.literals}


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"\bsend\b", {Literal(Key.WORD, "send")}),
        (r"\bsend", {Literal(Key.PART, "send")}),
        (r"\bto send the", {Literal(Key.WORD, "send")}),
        (r"colou?r", {Literal(Key.PART, "color"), Literal(Key.PART, "colour")}),
        (r"\b(?:wipe|erase)\b", {Literal(Key.WORD, "wipe"), Literal(Key.WORD, "erase")}),
        (r"\bauthori[sz]e\b", {Literal(Key.WORD, "authorise"), Literal(Key.WORD, "authorize")}),
        (r"\x60\x{2d}", {Literal(Key.SIGN, "`-")}),
        (r"忽略", {Literal(Key.BEYOND, "忽略")}),
        (r"\w+", set()),
        (r"(?i:send)", set()),
        (r"a?", set()),
    ],
)
def test_a_pattern_is_taken_apart_into_what_it_must_hold(pattern: str, expected: set[Literal]) -> None:
    assert literals(pattern) == expected


def test_what_follows_one_another_is_asked_for_together() -> None:
    (way,) = ways(r"\b(?:wipe|erase) (?:[a-z]+ )?(?:disk|drive)s?\b")
    assert [sorted(literal.text for literal in clause.literals) for clause in way] == [
        ["erase", "wipe"],
        ["disk", "disks", "drive", "drives"],
    ]


@pytest.mark.parametrize("pattern", ["(a", "a)", "(?:a|(b)"])
def test_brackets_that_do_not_match_are_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="bracket"):
        ways(pattern)


def test_a_matcher_refuses_what_can_be_no_pattern() -> None:
    rule = next(rule for rule in RULES.rules if rule.match)
    broken = msgspec.structs.replace(rule, atoms=dict.fromkeys(rule.atoms, ("(a",)))
    ruleset = Ruleset((broken,), RULES.lexicon)
    with pytest.raises(PatternError):
        Matcher(ruleset)


def passed(sieve: Sieve, number: int, text: str) -> bool:
    return sieve.passing(text.encode()) & sieve.bit(number) != 0


def test_the_sieve_lets_every_pattern_pass_that_matches() -> None:
    sieve = Sieve(ATOMS, set(range(len(ATOMS))))
    compiled = [re2.compile(atom) for atom in ATOMS]
    for example in [rule.examples.flag[-1] for rule in RULES.rules]:
        text = (example if isinstance(example, str) else example.text).lower()
        missed = [
            ATOMS[number]
            for number, pattern in enumerate(compiled)
            if not passed(sieve, number, text) and pattern.search(text) is not None
        ]
        assert not missed, text


def test_the_sieve_keeps_most_patterns_from_ordinary_text() -> None:
    sieve = Sieve(ATOMS, set(range(len(ATOMS))))
    text = "install the tools, run the tests and open a pull request. the maintainers look at it within a week.\n"
    assert sum(passed(sieve, number, text) for number in range(len(ATOMS))) < len(ATOMS) / 5


PIECES = [
    "send",
    "sends",
    "the",
    "key",
    "keys",
    "to",
    "\u5ffd\u7565",
    "a",
    "-",
    "|",
    "://",
    "_",
    " ",
    " ",
    " ",
    "\n",
    "x1",
]
PATTERNS = [
    r"\bsends? (?:the |a )?keys?\b",
    r"\bsend\b|\bkeys\b",
    r"(?:^|\n)the",
    r"to (?:a|the){0,2} ?key",
    r"[a-z]+://",
    r"(?:a|x1)[|-]",
    "\u5ffd\u7565",
    r"\b(?:the|to) (?:key|send)s?\b.key",
    r"s+e?nd",
    r"(?:send|key){2}",
    r"_?keys?\|?",
    r"[st][eh]e?",
]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_no_text_matches_a_pattern_that_the_sieve_holds_back(text: str) -> None:
    sieve = Sieve(PATTERNS, set(range(len(PATTERNS))))
    for number, pattern in enumerate(PATTERNS):
        if re.search(pattern, text) is not None:
            assert passed(sieve, number, text), pattern


def test_words_without_end_are_not_remembered_without_end() -> None:
    sieve = Sieve([r"\bsend\b"], {0})
    chance = random.Random(1)  # noqa: S311 - nothing secret
    words = [f"w{chance.randrange(10**9)}" for _ in range(70_000)]
    sieve.passing(" ".join(words).encode())
    assert len(sieve._known) <= 1 << 16
    assert passed(sieve, 0, "now send")
