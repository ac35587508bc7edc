"""The letter follows from the findings by arithmetic that a reader can redo."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainview.finding import Confidence, Finding, Severity, Span
from plainview.grade import Deduction, Scale, grade, load_scale
from plainview.rules import DataError, rules_dir

INFO, LOW, MEDIUM, HIGH, CRITICAL = Severity


def finding(
    severity: Severity,
    rule: str = "a-rule",
    *,
    confidence: Confidence = Confidence.HIGH,
    security: bool = True,
) -> Finding:
    return Finding(
        rule=rule,
        category="prompt-injection",
        severity=severity,
        confidence=confidence,
        message="",
        span=Span(0, 1),
        clause=Span(0, 1),
        security=security,
    )


@pytest.fixture(scope="module")
def scale() -> Scale:
    return load_scale()


@pytest.mark.parametrize(
    ("found", "letter", "points", "arithmetic"),
    [
        ([], "A", 100, "100"),
        ([("a", INFO)] * 9, "A", 100, "100"),
        ([("a", LOW)], "A", 96, "100 − 4 (1 low)"),
        ([("a", LOW), ("b", LOW)], "A", 92, "100 − 8 (2 low)"),
        ([("a", MEDIUM)], "B", 88, "100 − 12 (1 medium)"),
        ([("a", MEDIUM)] * 2, "B", 85.6, "100 − 12 (1 medium) − 2.4 (1 more medium)"),
        ([("a", HIGH)], "C", 75, "100 − 25 (1 high)"),
        ([("a", HIGH)] * 2, "C", 70, "100 − 25 (1 high) − 5 (1 more high)"),
        ([("a", HIGH)] * 3, "D", 65, "100 − 25 (1 high) − 10 (2 more high)"),
        ([("a", HIGH), ("b", HIGH)], "F", 50, "100 − 50 (2 high)"),
        ([("a", CRITICAL)], "F", 40, "100 − 60 (1 critical)"),
        ([("a", HIGH), ("b", CRITICAL)], "F", 15, "100 − 60 (1 critical) − 25 (1 high)"),
        ([("a", HIGH), ("a", CRITICAL)], "F", 35, "100 − 60 (1 critical) − 5 (1 more high)"),
        ([("a", HIGH), ("a", INFO), ("a", INFO)], "C", 75, "100 − 25 (1 high)"),
        ([("a", CRITICAL), ("b", CRITICAL)], "F", 0, "100 − 120 (2 critical)"),
        # 20 points in fifths of 4: the bound of B exactly, which binary fractions would miss.
        ([("a", MEDIUM)] + [("b", LOW)] * 6, "B", 80, "100 − 12 (1 medium) − 4 (1 low) − 4 (5 more low)"),
    ],
)
def test_grades(scale: Scale, found: list[tuple[str, Severity]], letter: str, points: float, arithmetic: str) -> None:
    result = grade([finding(severity, rule) for rule, severity in found], scale)
    assert (result.letter, result.points, result.arithmetic()) == (letter, points, arithmetic)


def test_deductions_name_rules_worst_first(scale: Scale) -> None:
    found = [finding(HIGH, "b"), finding(LOW, "b"), finding(HIGH, "a"), finding(HIGH, "a"), finding(CRITICAL, "c")]
    assert grade(found, scale).deductions == (
        Deduction("c", CRITICAL, 1, 60),
        Deduction("a", HIGH, 1, 25),
        Deduction("a", HIGH, 1, 5, further=True),
        Deduction("b", HIGH, 1, 25),
        Deduction("b", LOW, 1, 0.8, further=True),
    )


def test_only_sure_security_findings_count(scale: Scale) -> None:
    found = [
        finding(CRITICAL, security=False),
        finding(CRITICAL, confidence=Confidence.MEDIUM),
        finding(CRITICAL, confidence=Confidence.LOW),
    ]
    assert grade(found, scale).letter == "A"


findings = st.lists(st.builds(finding, st.sampled_from(Severity), st.sampled_from("abc")), max_size=30)


@given(findings, st.randoms())
def test_order_does_not_matter_and_the_arithmetic_is_right(found: list[Finding], random: object) -> None:
    scale = load_scale()
    result = grade(found, scale)
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert grade(shuffled, scale) == result
    start, *taken = (float(each) for each in re.findall(r"(?:^|− )([\d.]+)", result.arithmetic()))
    assert max(0, start - sum(taken)) == pytest.approx(result.points)


@given(findings, st.builds(finding, st.sampled_from(Severity), st.sampled_from("abcd")))
def test_a_further_finding_never_helps(found: list[Finding], another: Finding) -> None:
    scale = load_scale()
    assert grade([*found, another], scale).points <= grade(found, scale).points


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("start = 100", "start = 0", "start"),
        ("start = 100", "start = nan", "start"),
        ("start = 100", "start = inf", "start"),
        ("start = 100", "start = 50", "letters[0].points"),
        ("start = 100", 'start = "100"', "start"),
        ("further = 0.2", "further = 1.1", "further"),
        ("further = 0.2", "further = -0.1", "further"),
        ("further = 0.2", "further = nan", "further"),
        ("further = 0.2", "furthr = 0.2", ""),
        ("high = 25", "high = 61", "costs.critical"),
        ("high = 25", "high = nan", "costs.high"),
        ("info = 0", "info = -1", "costs.info"),
        ("info = 0", "", "costs"),
        ("points = 80", "points = 90", "letters[1].points"),
        ("points = 80", "points = nan", "letters[1].points"),
        ("points = 0\n", "points = 1\n", "letters[4].points"),
        ('letter = "B"', 'letter = "A"', "letters[1].letter"),
        ('letter = "B"', 'letter = ""', "letters[1].letter"),
        ('letter = "B"', "letter = 2", "letters[1].letter"),
    ],
)
def test_wrong_files(tmp_path: Path, old: str, new: str, key: str) -> None:
    text = (rules_dir() / "grades.toml").read_text()
    assert old in text
    file = tmp_path / "grades.toml"
    file.write_text(text.replace(old, new))
    with pytest.raises(DataError) as caught:
        load_scale(file)
    assert caught.value.file == file
    assert caught.value.key == key


def test_no_letters(tmp_path: Path) -> None:
    text = (rules_dir() / "grades.toml").read_text()
    file = tmp_path / "grades.toml"
    file.write_text(text[: text.index("[[letters]]")].replace("start = 100", "letters = []\nstart = 100"))
    with pytest.raises(DataError, match="letters: is empty"):
        load_scale(file)
