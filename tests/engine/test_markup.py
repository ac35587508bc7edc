"""Block rules that are not tried where they can find nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainview import markup

LINES = [
    "words",
    "# Title",
    "Title\n===",
    "Title\n-",
    "> quoted",
    "- > quoted",
    "1. - # Title",
    "- item",
    "  * * *",
    "---",
    "```sh\nls\n```",
    "~~~\nx",
    "| a | b |\n| - | - |\n| 1 | 2 |",
    "a | b\n-|-\n1 | 2",
    "<div>",
    "<!-- note",
    "-->",
    "[label]: https://example.com 'title'",
    "[label]:\n  /address",
    "    code",
    "\tcode",
    "",
    "=",
    "-",
    "_ _ _",
]


def tokens(text: str, parser: object) -> list[tuple[object, ...]]:
    found: list[object] = []
    parser.block.parse(text, parser, {}, found)  # type: ignore[attr-defined]
    return [(one.type, one.tag, one.map, one.level, one.content, one.markup, one.info) for one in found]  # type: ignore[attr-defined]


@given(st.lists(st.sampled_from(LINES), max_size=9).map("\n".join))
@settings(max_examples=800)
def test_rules_without_their_sign_find_nothing(text: str) -> None:
    assert tokens(text, markup._parser(markup._needless(text))) == tokens(text, markup._parser())


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("words", {"table", "lheading", "html_block", "reference", "blockquote", "fence", "hr", "heading"}),
        ("a-b > c -- d", {"table", "lheading", "html_block", "reference", "blockquote", "fence", "hr", "heading"}),
        ("1. > # `x` <b> a|b\n=\n- - -\n[a]:\n~~~", set()),
    ],
)
def test_rules_are_left_out_by_what_the_text_holds(text: str, left: set[str]) -> None:
    assert markup._needless(text) == left
