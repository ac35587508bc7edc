"""Where keys stand in a TOML text, whole or broken."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainview.toml_places import place, quoted, spoken, syntax_error

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TEXT = """\
# A comment, [no.table]
title = "x" # title = 2
[rules]
extend = ["a/", 'b',
  # between
  "c"]
[[accept]]
path = "one"
[[accept]]
"reason" = \"\"\"
path = "no key"
\"\"\"
levels = { a = "info", b.c = [1, { d = 2 }] }
[accept.more]
dotted . key = 1
"quoted \\u0061" = 2
"""

PLACES = {
    "title": "title",
    "rules": "[rules]",
    "rules.extend[2]": '"c"',
    "accept[0].path": "path",
    "accept[1]": "[[accept]]",
    "accept[1].reason": '"reason"',
    "accept[1].levels.a": "a",
    "accept[1].levels.b.c[1].d": "d",
    "accept[1].more.dotted.key": "key",
    'accept[1].more."quoted a"': '"quoted \\u0061"',
    # What is not there is where the nearest thing around it is.
    "accept[0].reason": "[[accept]]",
    "rules.extend[9]": "extend",
    "rules.unheard.of": "[rules]",
    "unheard": "# A comment, [no.table]",
    "": "# A comment, [no.table]",
}


@pytest.mark.parametrize(("key", "found"), PLACES.items(), ids=lambda one: str(one))
def test_a_key_is_found_where_it_stands(key: str, found: str) -> None:
    start, end = place(TEXT, key)
    assert TEXT[start:end] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a = 1\nb = \nc = 3\n", "b = "),
        ("a = 1\r\nb = nope\r\n", "nope"),
        ("a = [1,\n", "a = [1,"),
        ('a = 1\nb = "x', 'b = "x'),
        ("", ""),
    ],
)
def test_a_syntax_error_is_placed_on_its_line(text: str, found: str) -> None:
    if not text:
        assert syntax_error(text, "Unexpected end (at end of document)") == (0, 0)
        return
    with pytest.raises(tomllib.TOMLDecodeError) as caught:
        tomllib.loads(text)
    start, end = syntax_error(text, str(caught.value))
    # Readers differ in the column, never in the line.
    assert text[start:end]
    assert found.rstrip().endswith(text[start:end].rstrip())


@given(st.text())
def test_any_text_is_written_as_a_string_that_reads_the_same(text: str) -> None:
    text = text.encode("utf-8", "replace").decode("utf-8")
    assert tomllib.loads(f"x = {quoted(text)}") == {"x": text}


@given(st.text(alphabet="[]{}=.,\"'\\# \nab1"), st.text(alphabet="ab[]1.\"'\\"))
def test_no_text_and_no_key_is_too_odd_to_be_placed(text: str, key: str) -> None:
    start, end = place(text, key)
    assert 0 <= start <= end <= len(text)


@given(st.recursive(st.integers(), lambda inner: st.dictionaries(st.text("ab -\u00e9", min_size=1), inner, max_size=3)))
def test_a_key_is_found_however_it_is_spelled(value: object) -> None:
    if not isinstance(value, dict):
        return
    text = "\n".join(_lines((), value))
    for path in _paths((), tomllib.loads(text)):
        start, end = place(text, spoken(path))
        assert text[start:end] == spoken((path[-1],))


def _lines(above: tuple[str, ...], table: dict[str, object]) -> list[str]:
    lines = []
    for name, value in table.items():
        key = (*above, name)
        lines += _lines(key, value) if isinstance(value, dict) and value else [f"{spoken(key)} = 1"]
    return lines


def _paths(above: tuple[str, ...], table: dict[str, object]) -> list[tuple[str, ...]]:
    paths = []
    for name, value in table.items():
        paths.append((*above, name))
        if isinstance(value, dict):
            paths += _paths((*above, name), value)
    return paths
