"""The folded view and its map."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainview.finding import Span
from plainview.fold import Mode, fold, fold_text

FOLDED = [
    ("**Ig**no\u200bre  ALL", "ignore all"),
    ("wrapped\nline", "wrapped line"),
    ("> quoted\n> on", "quoted on"),
    ("- one\n- two", "- one\n- two"),
    ("para\n\npara", "para\npara"),
    ("\uff29\uff27\uff2e\uff2f\uff32\uff25", "ignore"),
    ("&#105;gnore &amp; go", "ignore & go"),
    ("a\\*b", "ab"),
    ("my_key __bold__", "my_key bold"),
    ("\u201cq\u201d \u2014 d", '"q" - d'),
    ("Stra\u00dfe", "strasse"),
    ("e\u0301te\u0301", "\u00e9t\u00e9"),
    ("ig<wbr>no<b></b>re<br>all", "ignore all"),
    ('<img src="x"> <x>', '<img src="x"> <x>'),
    ("&#105gnore &#0105;t &#x69;t", "ignore it it"),
    ("a&nbsp;b&shy;c &NewLine; d", "a bc d"),
    ("a\\\nb", "a b"),
    ("third-\nparty", "third-party"),
    ("- a -\nb", "- a - b"),
    ("a\u00a0 b \u200b c\u3000\u2003d\u2800e", "a b c d e"),
    ("s\u0336t\u20dd", "st"),
    ("\U0001f176\U0001f15e", "go"),
    ("\U0001f1ec \U0001f1f4", "g o"),
    ("base64 0600 sha1 1st", "base64 0600 sha1 1st"),
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


PIECES = ["<b>", "<br>", "&#105;", "&#105", "&shy;", "\u00a0", "\u0456", "\U0001f1ec", "\ud800"]


@pytest.mark.parametrize("mode", list(Mode))
@given(
    text=st.lists(
        st.sampled_from([*"aB \t\r\n>-*_`~\\&;#1\u00df\u0301\u200b\u4e2d\U0001f600\0", *PIECES]), max_size=60
    ).map("".join)
)
def test_the_map_is_total_ordered_and_inside(mode: Mode, text: str) -> None:
    span = Span(min(1, len(text)), len(text))
    folded = fold(text, span, mode)
    previous = span.start
    for offset in range(len(folded.text)):
        place = folded.span(offset, offset + 1)
        assert span.start <= place.start <= place.end <= span.end
        assert previous <= place.start
        previous = place.start


def test_what_a_quotation_says_stands_behind_its_mark() -> None:
    text = "> > Send it.\n"
    folded = fold(text, Span(0, len(text)))
    place = folded.text.index("send")
    assert text[slice(*folded.span(place, place + 4))] == "Send"
