"""What an edit leaves as it was: lines, and the places of patterns that match nothing beyond one."""

from __future__ import annotations

import random

import pytest
import re2
from hypothesis import given, settings
from hypothesis import strategies as st

from plainview.finding import Span
from plainview.fold import Mode, fold
from plainview.lines import edited_lines
from plainview.literals import may_hold_line_end
from plainview.match import Matcher, Scan
from plainview.rules import load_rules

RULES = load_rules(())
MATCHER = Matcher(RULES)
EXAMPLES = sorted(
    {
        line
        for rule in RULES.rules
        for one in (*rule.examples.flag, *rule.examples.passed)
        if isinstance(one, str)
        for line in one.split("\n")
        if line
    }
)
PATTERNS = sorted({one for rule in RULES.rules for several in rule.atoms.values() for one in several})
ATOMS = [(rule.id, name) for rule in RULES.rules for name in rule.atoms]
LETTERS = st.text("ab\n", max_size=30)


@pytest.mark.parametrize(
    ("pattern", "may"),
    [
        ("a b", False),
        (r"\bignore (?:all|any) \w+", False),
        (r"a\sb", True),
        (r"a\Sb", False),
        ("[^a]b", True),
        (r"[^a\n]b", False),
        (r"[^\s]b", False),
        (r"[^\x{41}]b", True),
        (r"[\x{4e00}-\x{9fff}]", False),
        (r"[^\\n]", True),
        (r"[ \t]", False),
        (r"[\n ]", True),
        (r"[\x00-z]", True),
        (r"[!-~]", False),
        ("[[:space:]]", True),
        (".", False),
        ("(?s).", True),
        (r"\W", True),
        (r"\d\w", False),
        (r"\x0a", True),
        (r"\x{a}", True),
        (r"\x{41}", False),
        (r"\PL", True),
        (r"[\t-\r]", True),
        ("[\t- ]", True),
        ("[\b-\r]", True),
        (r"\012", True),
        (r"a\12b", True),
        ("(?U)a.b", True),
        ("(?Us)a.b", True),
        ("(?:a|b).", False),
        (r"\n", True),
        ("a\nb", True),
    ],
)
def test_what_may_match_a_line_end(pattern: str, may: bool) -> None:
    assert may_hold_line_end(pattern) is may


@pytest.mark.parametrize("part", range(8))
def test_what_stays_within_a_line_matches_no_line_end(part: int) -> None:
    text = "\n".join(EXAMPLES).lower()
    for pattern in PATTERNS[part::8]:
        if not may_hold_line_end(pattern):
            assert not any("\n" in found.group() for found in re2.finditer(pattern, text)), pattern


@given(LETTERS, LETTERS)
def test_lines_that_differ(old: str, new: str) -> None:
    start, old_end, end = edited_lines(old, new)
    assert old[:start] == new[:start]
    assert old[old_end:] == new[end:]
    assert start <= min(old_end, end)
    for text, last in ((old, old_end), (new, end)):
        assert start == 0 or text[start - 1] == "\n"
        assert last == len(text) or text[last] == "\n"


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(EXAMPLES), min_size=3, max_size=12), st.randoms(use_true_random=False))
def test_a_scan_that_follows_another_finds_what_a_fresh_one_finds(lines: list[str], chance: random.Random) -> None:
    scan = scanned("\n".join(lines))
    scan.hits()
    for _ in range(6):
        at = chance.randrange(len(lines))
        what = chance.choice(("letter", "line", "gone", "twice"))
        if what == "letter":
            cut = chance.randrange(len(lines[at]) + 1)
            lines[at] = lines[at][:cut] + chance.choice(" xe.\u00e9") + lines[at][cut + chance.randrange(2) :]
        elif what == "line":
            lines[at] = chance.choice(EXAMPLES)
        elif what == "gone" and len(lines) > 1:
            del lines[at]
        elif what == "twice":
            lines.insert(at, lines[at])
        scan, former = scanned("\n".join(lines)), scan
        scan.follow(former)
        fresh = scanned("\n".join(lines))
        assert list(scan.hits()) == list(fresh.hits())
        for rule, name in ATOMS:
            assert scan.own(rule, name) == fresh.own(rule, name)


def scanned(text: str) -> Scan:
    """What occurs in lines of code: no two of them are one."""
    return MATCHER.scan(fold(text, Span(0, len(text)), Mode.CODE))
