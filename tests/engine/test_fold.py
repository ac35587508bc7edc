"""The folded view and its map."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from plainview import plain_fold
from plainview.finding import Span
from plainview.fold import Folded, Mode, fold, fold_text, walk

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
    ("my\\_key my_&#107;ey \\_bold\\_", "my_key my_key bold"),
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


ORDINARY = [
    *"aB1 \n\t*~`_->#|.+\r\u2019\u2014\u2192\u2502\u00d7",
    "word",
    "  ",
    "\n\n",
    "\n- ",
    "\n1. ",
    "\n> ",
    "**",
    "-\n",
    "```",
    "\\",
    "_a_",
    "\x0b",
    "\u00e9",
]


@pytest.mark.parametrize("mode", list(Mode))
@example(before="a", text="-\nb", behind="")
@example(before="\\", text="\nb", behind="")
@given(
    before=st.sampled_from(["", "a", "_", " ", "\n", "-", "\\", "a-"]),
    text=st.lists(st.sampled_from(ORDINARY), max_size=14).map("".join),
    behind=st.sampled_from(["", "a", "_", " ", "\n", ">", "-", "*"]),
)
@settings(max_examples=1500)
def test_what_is_folded_at_once_is_what_is_folded_spot_by_spot(mode: Mode, before: str, text: str, behind: str) -> None:
    whole, span = before + text + behind, Span(len(before), len(before) + len(text))
    folded = fold(whole, span, mode)
    expected, _ = walk(whole, span, mode)
    assert folded.text == expected
    assert [folded.span(at, at + 1) for at in range(len(expected))] == [
        Folded(expected, [0], [span.start], spots=walk(whole, span, mode)[1]).span(at, at + 1)
        for at in range(len(expected))
    ]


def test_most_writing_is_folded_at_once() -> None:
    prose = "Some **words** in `code` and a_name that\nwrap, a third-\nparty.\n\n- one\n- two\n"
    assert plain_fold.prose(prose, "") == walk(prose, Span(0, len(prose)), Mode.PROSE)[0]
    assert plain_fold.code("def f():\n    return 1\n") == "def f():\nreturn 1\n"
    header = "---\nname: a_name\ndescription: >\n  Some words that\n  wrap, a third-\n  party.\nglobs: **/*.py\n---\n"
    assert plain_fold.yaml(header) == walk(header, Span(0, len(header)), Mode.YAML)[0]
    assert plain_fold.prose("a &amp; b", "") is None
    assert plain_fold.code("caf\u00e9") is None


def test_the_signs_that_are_folded_at_once_are_neither_letters_nor_blanks() -> None:
    every = (chr(code) for code in range(0x80, 0x110000) if not 0xD800 <= code < 0xE000)
    signs = [sign for sign in every if plain_fold.code(sign) is not None]
    assert len(signs) > 50
    assert not [sign for sign in signs if sign.isalnum() or sign.isspace()]
    assert [plain_fold.code(sign) for sign in signs] == [walk(sign, Span(0, 1), Mode.PROSE)[0] for sign in signs]
