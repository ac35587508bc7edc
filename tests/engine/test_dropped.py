"""What Markdown drops: cells without a column, footnotes and definitions that nothing refers to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainview.hidden import Page, cells, definitions, footnotes
from plainview.text import Source

HEAD = "| a | b |\n|---|---|\n"

BEYOND = [
    ("one cell", f"{HEAD}| 1 | 2 | one two three |\n", ["one two three"]),
    ("several cells", f"{HEAD}| 1 | 2 | one | two | three |\n", ["one two three"]),
    ("no outer bars", "a | b\n--- | ---\n1 | 2 | one two three\n", ["one two three"]),
    ("empty cells before", f"{HEAD}| | | one two three |\n", ["one two three"]),
    (
        "several rows",
        f"{HEAD}| 1 | 2 | one two three |\n| 1 | 2 |\n| 1 | 2 | four five six |\n",
        ["one two three", "four five six"],
    ),
    ("quotation", "> | a |\n> |---|\n> | 1 | one two three |\n", ["one two three"]),
    ("list", "- | a |\n  |---|\n  | 1 | one two three |\n", ["one two three"]),
    ("an escaped bar", f"{HEAD}| 1 \\| 2 | 3 | one two three |\n", ["one two three"]),
    ("carriage returns", "| a |\r|---|\r| 1 | one two three |\r", ["one two three"]),
    ("as many as columns", f"{HEAD}| 1 | one two three |\n", []),
    ("fewer than columns", f"{HEAD}| one two three |\n", []),
    ("escaped bars only", f"{HEAD}| 1 | 2 \\| one two three |\n", []),
    ("few words", f"{HEAD}| 1 | 2 | one two |\n", []),
    ("after the table", f"{HEAD}| 1 | 2 |\n\nc | d | one two three\n", []),
    ("code", f"```\n{HEAD}| 1 | 2 | one two three |\n```\n", []),
    ("no table", "a | b\n\n1 | 2 | one two three\n", []),
    ("columns that differ from the ruler's", "| a | b | c |\n|---|---|\n| 1 | 2 | one two three |\n", []),
]


@pytest.mark.parametrize(("text", "said"), [case[1:] for case in BEYOND], ids=[case[0] for case in BEYOND])
def test_cells_beyond_the_columns(text: str, said: list[str]) -> None:
    found = list(cells.find(Page.of(Source(text))))
    assert [one.decoded for one in found] == said
    for one in found:
        assert text[slice(*one.span)].split()[0] == one.decoded.split()[0]


def test_bars_in_code_are_most_likely_a_slip() -> None:
    texts = (f"{HEAD}| 1 | `x | y` one two three |\n", f"{HEAD}| 1 | 2 | one two three |\n")
    assert [[one.strict for one in cells.find(Page.of(Source(text)))] for text in texts] == [[True], [False]]


NOTES = [
    ("unused", "a\n\n[^x]: one two three\n", ["one two three"]),
    ("several lines", "a\n\n[^x]: one two\nthree\n\nb\n", ["one two\nthree"]),
    (
        "several notes",
        "a[^y]\n\n[^x]: one two three\n[^y]: four five six\n[^z]: seven eight nine\n",
        ["one two three", "seven eight nine"],
    ),
    ("quotation", "> a\n>\n> [^x]: one two three\n", ["one two three"]),
    ("used in code only", "`[^x]`\n\n[^x]: one two three\n", ["one two three"]),
    ("used", "a[^x]\n\n[^x]: one two three\n", []),
    ("used in another case", "a[^X]\n\n[^x]: one two three\n", []),
    ("few words", "a\n\n[^x]: one two\n", []),
    ("code", "```\n[^x]: one two three\n```\n", []),
]


@pytest.mark.parametrize(("text", "said"), [case[1:] for case in NOTES], ids=[case[0] for case in NOTES])
def test_footnotes_that_nothing_refers_to(text: str, said: list[str]) -> None:
    found = list(footnotes.find(Page.of(Source(text))))
    assert [one.decoded for one in found] == said
    assert all(text[slice(*one.span)].startswith("[^") for one in found)


ROWS = [
    ("labels", "[one]: #\n[two]: #\n[three]: #\n", ["one two three"]),
    ("titles", '[a]: # "one"\n[b]: # "two"\n[c]: # "three"\n', ["one two three"]),
    ("addresses", "[a]: https://x.example/one\n[b]: #two\n[c]: <three>\n", ["one two three"]),
    ("two rows", "[one]: #\n[two]: #\n[three]: #\n\nText.\n\n[four]: #\n[five]: #\n", ["one two three"]),
    ("used", "[one] [two] [three]\n\n[one]: /a\n[two]: /b\n[three]: /c\n", []),
    ("two", "[one]: #\n[two]: #\n", []),
]


@pytest.mark.parametrize(("text", "said"), [case[1:] for case in ROWS], ids=[case[0] for case in ROWS])
def test_a_row_of_definitions_is_read_as_one(text: str, said: list[str]) -> None:
    found = [one for one in definitions.find(Page.of(Source(text))) if " " in one.decoded]
    assert [(one.decoded, one.plain) for one in found] == [(one, False) for one in said]


ROW = st.builds(
    lambda lead, first, cells, last: f"{lead}{first}{' | '.join(cells)}{last}\n",
    st.sampled_from(["", "> ", "- ", "  ", "1. "]),
    st.sampled_from(["| ", ""]),
    st.lists(st.sampled_from(["one two three", "a", "", "`x | y z w`", "a\\|b"]), min_size=1, max_size=4),
    st.sampled_from([" |", ""]),
)


@given(ROW, st.integers(1, 4), st.lists(ROW, min_size=1, max_size=3))
def test_no_row_is_passed_over_because_it_looks_like_the_others(header: str, columns: int, rows: list[str]) -> None:
    text = header + "|" + "---|" * columns + "\n" + "".join(rows)
    page = Page.of(Source(text))
    if not cells.may_hold(text):
        assert not list(cells.find(page))
