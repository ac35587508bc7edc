"""Invisible characters: what is ordinary writing, what is stray, and which directional controls change a line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainview.hidden import HiddenSpan, Page, bidi, characters
from plainview.hidden.ordinary import without_use
from plainview.text import Source

FLAG = "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"

ORDINARY = {
    "emoji sequences": "\U0001f469\u200d\U0001f52c \u2764\ufe0f\u200d\U0001f525 1\ufe0f\u20e3 \u2714\ufe0e",
    "a family": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "skin tones": "\U0001f469\U0001f3fd\u200d\U0001f680 \U0001f575\U0001f3fe\u200d\u2642\ufe0f",
    "flags": f"{FLAG} \U0001f1eb\U0001f1f7 \U0001f3f3\ufe0f\u200d\U0001f308",
    "a selector twice": "\u26a0\ufe0f\ufe0f careful",
    "arrows and checks": "a \u2192\ufe0e b \u2713\ufe0f \u00a9\ufe0f",
    "ideographic variation": "\u8fbb\U000e0100 \u845b\U000e0101",
    "mathematical variation": "\u2229\ufe00 \U0001d49c\ufe00 0\ufe00",
    "Mongolian": "\u182e\u180b\u1820\u180e\u1820",
    "Persian": "\u0645\u06cc\u200c\u0631\u0648\u0645 \u0646\u0645\u06cc\u200c\u200c\u0634\u0648\u062f \u0647\u200d",
    "Hindi": "\u0915\u094d\u200d\u0937 \u0930\u094d\u200c\u0915",
    "Sinhala": "\u0d9a\u0dca\u200d\u0dbb",
    "Syriac": "\u0712\u200c\u0713",
    "Thai and Khmer": "\u0e2a\u0e27\u200b\u0e0a\u0e32 \u1780\u17b6\u200b\u1781",
    "Chinese emphasis": "\u4e2d\u6587\u200b**\u7c97**\u200b\u4e2d\u6587\u2060",
    "old Korean": "\u115f\u1161 \u1100\u1160",
    "Hebrew": "\u05e9\u05dc\u05d5\u05dd\u200f! \u2066a.md\u2069 \u202bx\u202c",
    "no-break spaces": "10\u00a0km 20\u202f% \u3000",
    "Braille": "\u280d\u2800\u2801 \u2800\u2807",
    "music": "\U0001d173\U0001d157\U0001d174",
    "byte order mark": "\ufeff# Title",
    "accents": "a\u0301\u034f\u0302",
}


def spans(text: str) -> list[HiddenSpan]:
    return list(characters.find(Page.of(Source(text))))


@pytest.mark.parametrize("text", ORDINARY.values(), ids=ORDINARY.keys())
def test_ordinary_writing_yields_nothing(text: str) -> None:
    assert spans(text) == []


# A text, and what is said of it: rule, form and the text at the span.
FOUND = {
    "single": ("the \u200bnotes", ("stray-character", "1 zero-width space", "\u200b")),
    "mention": ("@\u200bann, @\u200bbob", ("stray-character", "2 zero-width spaces", "\u200bann, @\u200b")),
    "split words": ("no\u200bte\u200bs", ("invisible-characters", "2 zero-width spaces", "\u200bte\u200b")),
    "mixed": ("a.\u200b\u2060\u200c b", ("invisible-characters", "3 invisible characters", "\u200b\u2060\u200c")),
    "selector after a letter": ("a\ufe0f b", ("stray-character", "1 invisible character", "\ufe0f")),
    "joiner after an emoji": ("\U0001f469\u200d b", ("stray-character", "1 zero-width joiner", "\u200d")),
    "unfinished flag": (
        FLAG[:-1] + " b",
        ("invisible-payload", "5 tag characters", FLAG[1:-1]),
    ),
    "fillers": ("a \u3164\u3164 b", ("invisible-characters", "2 Hangul fillers", "\u3164\u3164")),
    "separator": ("a\u2028b", ("stray-character", "1 line or paragraph separator", "\u2028")),
    "control": ("a\x9b\x7fb", ("stray-character", "2 control characters", "\x9b\x7f")),
    "hyphens in a word": ("infor\u00adma\u00adtion", ("stray-character", "2 soft hyphens", "\u00adma\u00ad")),
    "hyphens in a short word": ("i\u00adg\u00adn", ("invisible-characters", "2 soft hyphens", "\u00adg\u00ad")),
    "icons": ("\ue0a0 main \uf8ff", ("stray-character", "2 private-use characters", "\ue0a0 main \uf8ff")),
    "override": ("a \u202eb c\u202c d", ("bidirectional-text", "right-to-left override", "\u202eb c\u202c")),
    "open override": ("a \u202eb c \n\nd", ("bidirectional-text", "right-to-left override", "\u202eb c")),
    "override over a wrap": ("a \u202e\nb c", ("bidirectional-text", "right-to-left override", "\u202e\nb c")),
    "override in Hebrew": (
        "\u05d0\u05d1 \u202eb c\u202c",
        ("bidirectional-text", "right-to-left override", "\u202eb c\u202c"),
    ),
    "isolate that moves a sign": (
        "a \u2067b!\u2069 c",
        ("directional-isolate", "directional isolate", "\u2067b!\u2069"),
    ),
    "isolate that moves nothing": ("a \u2068b\u2069 c", ("stray-character", "2 directional controls", "\u2068b\u2069")),
    "mark without a use": ("a\u200e b", ("stray-character", "1 directional control", "\u200e")),
}


@pytest.mark.parametrize(("text", "expected"), FOUND.values(), ids=FOUND.keys())
def test_what_has_no_use_is_named(text: str, expected: tuple[str, str, str]) -> None:
    assert [(one.rule, one.form, text[one.span.start : one.span.end]) for one in spans(text)] == [expected]


def test_hyphenation_and_icons_are_markers() -> None:
    assert [one.marker for text in ("infor\u00admation", "\uf8ff") for one in spans(text)] == [True, True]
    assert [one.marker for one in spans("i\u00adg\u00adn")] == [False]


def test_characters_are_listed_by_name() -> None:
    (one,) = spans("a\u200b\u200b\u2060b")
    assert one.decoded == "U+200B ZERO WIDTH SPACE \u00d72, U+2060 WORD JOINER"
    assert not one.covert


def test_tags_that_spell_nothing_are_covert() -> None:
    (one,) = spans("a \U000e0041\U000e0042 b")
    assert (one.rule, one.covert) == ("invisible-characters", True)


def test_reordered_text_is_given_as_read_and_as_shown() -> None:
    (one,) = spans("Run \u202etset ekam\u202c first")
    assert one.decoded == "[RLO]tset ekam[PDF]\nshown as: make test"


def test_an_emoji_beside_a_payload_is_left_alone() -> None:
    tags = "".join(chr(0xE0000 + ord(one)) for one in "a note for later")
    text = f"\U0001f469\u200d\U0001f52c Lab.{tags} Then \U0001f642.\r\n"
    (one,) = spans(text)
    assert text[one.span.start : one.span.end] == tags
    assert (one.form, one.covert, one.plain) == ("16 tag characters", True, False)


def selected(bases: str, selectors: str) -> str:
    return "".join(bases[number % len(bases)] + selector for number, selector in enumerate(selectors))


SPELLED = {
    "a byte to an ideograph": selected("\u6f22\u5b57", "".join(chr(0xE00F0 + byte) for byte in b"a note for later")),
    "half a byte to an ideograph": selected(
        "\u6f22", "".join(chr(0xFE00 + part) for byte in b"a note for later" for part in (byte >> 4, byte & 15))
    ),
    "half a byte to a sign": selected(
        "\u2229\u222a", "".join(chr(0xFE00 + part) for byte in b"a note for later" for part in (byte >> 4, byte & 15))
    ),
    "a bit to an emoji": selected(
        "\u2600", "".join("\ufe0e\ufe0f"[int(bit)] for byte in b"a note for later" for bit in f"{byte:08b}")
    ),
    "unassigned, plane 14": "".join(chr(0xE1000 + byte) for byte in b"a note for later"),
    "unassigned, plane 4": "".join(chr(0x40000 + byte) for byte in b"a note for later"),
}


@pytest.mark.parametrize("text", SPELLED.values(), ids=SPELLED.keys())
def test_variants_and_unassigned_code_points_spell_text(text: str) -> None:
    said = [one for one in spans(f"a {text} b") if one.rule == "invisible-payload"]
    assert [(one.decoded, one.covert) for one in said] == [("a note for later", True)]


def test_variants_that_writers_choose_spell_nothing() -> None:
    assert spans("\u2600\ufe0f \u2601\ufe0e " * 40) == []
    assert spans("\u845b\U000e0100 \u8fbb\U000e0101 \u908a\U000e0112 " * 20) == []


def test_code_is_no_shelter() -> None:
    assert [one.rule for one in spans("```\na\u200b\u200b\u200bb\n```\n")] == ["invisible-characters"]


# From the examples of Unicode Standard Annex 9 and its rules; capitals stand for Hebrew letters.
DISPLAYED = [
    ("car MEANS CAR.", "car RAC SNAEM."),
    ("MEANS car!", "!car SNAEM"),
    ("ABC 12-34 d", "d 12-34 CBA"),
    ("a \u2067b, C\u2069 d", "a C ,b d"),
    ("\u202eab\u202c cd", "ba cd"),
    ("\u202dABC\u202c", "ABC"),
    ("a\u202b b!\u202c c", "a!b  c"),
    ("\u2067(AB)\u2069 c", "(BA) c"),
]
_HEBREW = {ord("A") + index: chr(0x5D0 + index) for index in range(26)}
_LATIN = {one: point for point, one in ((key, ord(value)) for key, value in _HEBREW.items())}


@pytest.mark.parametrize(("text", "shown"), DISPLAYED)
def test_a_line_is_displayed_by_the_bidirectional_algorithm(text: str, shown: str) -> None:
    assert bidi.displayed(text.translate(_HEBREW)).translate(_LATIN) == shown


@given(st.text(alphabet=list("ab1,.( \u05d0\u0661\u0627") + list(bidi.NAMES), max_size=40))
def test_displaying_loses_nothing(line: str) -> None:
    shown = bidi.displayed(line)
    mirrored = str.maketrans(")", "(")
    assert sorted(shown.translate(mirrored)) == sorted(bidi.without_controls(line).translate(mirrored))


ODD = list('aB 1.\n\r\t@#*-"\\(\u05d0\u0645\u0915\u094d\u4e2d\u0e2a\x7f\x85\x9b')
ODD += list("\U0001f469\U0001f52c\u2764\U0001f3f4\U0001f3fd\u20e3")
ODD += list(
    "\u00ad\u034f\u115f\u180b\u200b\u200c\u200d\u200e\u200f\u2028\u202a\u202b\u202c\u202d\u202e\u2060\u2062\u2064"
)
ODD += list(
    "\u2066\u2067\u2068\u2069\u2800\u2861\u3164\ue000\uf8ff\ufe00\ufe0e\ufe0f\ufeff\uffff\U000e0001\U000e0061\U000e007f"
)
ODD += list("\U000e0100\U000e01ef\U000e0fff\U0001d173\U000f0041\U0010ffff\ud800")


@given(st.text(alphabet=ODD, max_size=120) | st.text(max_size=60))
def test_spans_lie_within_any_text_and_begin_and_end_with_what_is_hidden(text: str) -> None:
    for one in spans(text):
        assert 0 <= one.span.start < one.span.end <= len(text)
        assert one.content == one.span
        assert one.decoded
    end = 0
    for run in without_use(text):
        assert end <= run.start < run.end <= len(text)
        end = run.end


def test_line_ends_of_two_characters_do_not_move_what_is_read() -> None:
    (one,) = spans("a \u202e\r\nb c\r\nd")
    assert one.decoded == "[RLO]  b c  d\nshown as: d  c b"


def test_neighbouring_lines_make_one_finding() -> None:
    (one,) = spans("a\u200e\nb\u200e\nc\u200f\n")
    assert (one.form, one.decoded) == ("3 directional controls", "directional controls: LRM \u00d72, RLM \u00d71")


def test_reordered_lines_are_given_as_read_and_then_as_shown() -> None:
    (one,) = spans("\u202eab\u202c\n\u202ecd\u202c\n")
    assert one.decoded == "[RLO]ab[PDF]\n[RLO]cd[PDF]\nshown as: ba\ndc"
