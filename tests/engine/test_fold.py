"""The folded view and its map."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainview.finding import Span
from plainview.fold import Mode, fold, fold_text

FOLDED = [
    ("**Ig**no\u200bre  ALL", "ignore all"),
    ("wrapped\nline", "wrapped line"),
    ("> quoted\n> on", "> quoted on"),
    ("- one\n- two", "- one\n- two"),
    ("para\n\npara", "para\npara"),
    ("\uff29\uff27\uff2e\uff2f\uff32\uff25", "ignore"),
    ("&#105;gnore &amp; go", "ignore & go"),
    ("a\\*b", "ab"),
    ("my_key __bold__", "my_key bold"),
    ("\u201cq\u201d \u2014 d", '"q" - d'),
    ("Stra\u00dfe", "strasse"),
    ("e\u0301te\u0301", "\u00e9t\u00e9"),
]


@pytest.mark.parametrize(("text", "expected"), FOLDED)
def test_folded(text: str, expected: str) -> None:
    assert fold_text(text) == expected


def test_code_keeps_its_lines_and_signs() -> None:
    assert fold_text("rm -rf *\nls \\\n  x", Mode.CODE) == "rm -rf *\nls x"


def test_a_place_maps_to_the_original_spelling() -> None:
    text = "say **Ig**no\u200bre it"
    folded = fold(text, Span(0, len(text)))
    start = folded.text.index("ignore")
    span = folded.span(start, start + 6)
    assert text[span.start : span.end] == "Ig**no\u200bre"


@pytest.mark.parametrize("mode", list(Mode))
@given(text=st.text(alphabet=list("aB \t\r\n>-*_`~\\&;#1\u00df\u0301\u200b\u4e2d\U0001f600\0"), max_size=60))
def test_the_map_is_total_ordered_and_inside(mode: Mode, text: str) -> None:
    span = Span(min(1, len(text)), len(text))
    folded = fold(text, span, mode)
    previous = span.start
    for offset in range(len(folded.text)):
        place = folded.span(offset, offset + 1)
        assert span.start <= place.start <= place.end <= span.end
        assert previous <= place.start
        previous = place.start
