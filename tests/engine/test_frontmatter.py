"""Headers as people write them: what is read, where it stands, and what hostile ones cost nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from plainview.finding import Span
from plainview.frontmatter import Entry, Frontmatter, misplaced, parse

BODY = "# Body\n"


def header(content: str) -> Frontmatter:
    found = parse(f"---\n{content}\n---\n{BODY}")
    assert found is not None
    return found


def cut(text: str, span: Span) -> str:
    return text[span.start : span.end]


class Read(NamedTuple):
    """One expected entry: its value, its text, and its value as it stands in the source."""

    value: object
    text: str
    written: str


CLEAN: dict[str, tuple[str, dict[str, Read]]] = {
    "plain values": (
        "name: fixer\nversion: 1.0\nlevel: 3\nalwaysApply: true\nmodel: sonnet # cheap",
        {
            "name": Read("fixer", "fixer", "fixer"),
            "version": Read(1.0, "1.0", "1.0"),
            "level": Read(3, "3", "3"),
            "alwaysApply": Read(True, "true", "true"),
            "model": Read("sonnet", "sonnet", "sonnet"),
        },
    ),
    "the core schema, not YAML 1.1": (
        "a: yes\nb: on\nc: 2024-01-01\nd: 1:30\ne: 0o17\nf: 0x1F\ng: 1_000\nh: .inf\ni: 1e3\nj: '1'",
        {
            "a": Read("yes", "yes", "yes"),
            "b": Read("on", "on", "on"),
            "c": Read("2024-01-01", "2024-01-01", "2024-01-01"),
            "d": Read("1:30", "1:30", "1:30"),
            "e": Read(15, "0o17", "0o17"),
            "f": Read(31, "0x1F", "0x1F"),
            "g": Read("1_000", "1_000", "1_000"),
            "h": Read(float("inf"), ".inf", ".inf"),
            "i": Read(1000.0, "1e3", "1e3"),
            "j": Read("1", "1", "'1'"),
        },
    ),
    "nothing": (
        "a:\nb: ~\nc: null\nd: ''\ne: # later",
        {
            "a": Read(None, "", ""),
            "b": Read(None, "", "~"),
            "c": Read(None, "", "null"),
            "d": Read("", "", "''"),
            "e": Read(None, "", ""),
        },
    ),
    "quotes and escapes": (
        "a: 'it''s: x'\nb: \"tab\\t\\u00e9\"",
        {"a": Read("it's: x", "it's: x", "'it''s: x'"), "b": Read("tab\té", "tab\té", '"tab\\t\\u00e9"')},
    ),
    "lists": (
        "tools: [Read, 'Grep']\npaths:\n  - src\n  - 2\nempty: []\nsame:\n- a",
        {
            "tools": Read(["Read", "Grep"], "Read, Grep", "[Read, 'Grep']"),
            "paths": Read(["src", 2], "src, 2", "- src\n  - 2"),
            "empty": Read([], "", "[]"),
            "same": Read(["a"], "a", "- a"),
        },
    ),
    "block scalars": (
        "a: |\n  one\n    two\n\nb: >-\n  one\n  two\n\n  three\nc: x",
        {
            "a": Read("one\n  two\n", "one\n  two\n", "|\n  one\n    two"),
            "b": Read("one two\nthree", "one two\nthree", ">-\n  one\n  two\n\n  three"),
            "c": Read("x", "x", "x"),
        },
    ),
    "a value over several lines": (
        "a: one\n  two\nb: x",
        {"a": Read("one two", "one two", "one\n  two"), "b": Read("x", "x", "x")},
    ),
    "maps": (
        "metadata:\n  author: me\n  tags: [a, b]\nflow: {x: 1}",
        {
            "metadata": Read(
                {"author": "me", "tags": ["a", "b"]},
                "author: me, tags: a, b",
                "author: me\n  tags: [a, b]",
            ),
            "flow": Read({"x": 1}, "x: 1", "{x: 1}"),
        },
    ),
    "anchors, aliases and tags": (
        "a: &x [1]\nb: *x\nc: !!str 3\nd: !odd v\n<<: *x",
        {
            "a": Read([1], "1", "&x [1]"),
            "b": Read([1], "1", "*x"),
            "c": Read("3", "3", "!!str 3"),
            "d": Read("v", "v", "!odd v"),
            "<<": Read([1], "1", "*x"),
        },
    ),
    "characters beyond the first plane, and line separators of YAML 1.1": (
        "😀: 😀x\nb: a\u2028c\ne: f\x85g\nh: \U000e0041",
        {
            "😀": Read("😀x", "😀x", "😀x"),
            "b": Read("a\u2028c", "a\u2028c", "a\u2028c"),
            "e": Read("f\x85g", "f\x85g", "f\x85g"),
            "h": Read("\U000e0041", "\U000e0041", "\U000e0041"),
        },
    ),
    "carriage returns": (
        "a: b\r\nc:\r\n  - d\r\n  - e\rf: g",
        {"a": Read("b", "b", "b"), "c": Read(["d", "e"], "d, e", "- d\r\n  - e"), "f": Read("g", "g", "g")},
    ),
    "fences inside values": (
        "a: |\n  ---\n  x\nb: '--- y'\nc: z---",
        {
            "a": Read("---\nx\n", "---\nx\n", "|\n  ---\n  x"),
            "b": Read("--- y", "--- y", "'--- y'"),
            "c": Read("z---", "z---", "z---"),
        },
    ),
}
# What the problem's span covers, then the entries.
MALFORMED: dict[str, tuple[str, str, dict[str, Read]]] = {
    "a colon in a description": (
        "name: x\ndescription: Use when: always\n  Context: y\nmodel: sonnet # cheap",
        ": always",
        {
            "name": Read("x", "x", "x"),
            "description": Read(
                "Use when: always Context: y", "Use when: always Context: y", "Use when: always\n  Context: y"
            ),
            "model": Read("sonnet", "sonnet", "sonnet"),
        },
    ),
    "globs that look like an alias": (
        "description: x\nglobs: **/*.ts,*.tsx\nalwaysApply: false",
        "**/*.ts",
        {
            "description": Read("x", "x", "x"),
            "globs": Read("**/*.ts,*.tsx", "**/*.ts,*.tsx", "**/*.ts,*.tsx"),
            "alwaysApply": Read(False, "false", "false"),
        },
    ),
    "globs in a list": (
        "globs:\n- src\n# why\n- *.ts\nx: 1",
        "*.ts",
        {"globs": Read(["src", "*.ts"], "src, *.ts", "- src\n# why\n- *.ts"), "x": Read(1, "1", "1")},
    ),
    "an argument hint in brackets": (
        "argument-hint: [a] [b]\nallowed-tools: Bash(git:*), Read",
        "[b]",
        {
            "argument-hint": Read("[a] [b]", "[a] [b]", "[a] [b]"),
            "allowed-tools": Read("Bash(git:*), Read", "Bash(git:*), Read", "Bash(git:*), Read"),
        },
    ),
    "a placeholder as value": (
        "name: {{name}}\ndescription: d",
        "{name}",
        {"name": Read("{{name}}", "{{name}}", "{{name}}"), "description": Read("d", "d", "d")},
    ),
    "a placeholder as key": (
        "{{name}}: x\nb: 2",
        "{name}",
        {"{{name}}": Read("x", "x", "x"), "b": Read(2, "2", "2")},
    ),
    "tabs": (
        "\tname: x\n\ttools:\n\t\t- a\n\t\t- b",
        "\tname",
        {"name": Read("x", "x", "x"), "tools": Read(["a", "b"], "a, b", "- a\n\t\t- b")},
    ),
    "a description wrapped to the margin": (
        "description: one\ntwo three\n  deeper\nname: x",
        "two",
        {"description": Read("one", "one", "one"), "name": Read("x", "x", "x")},
    ),
    "a quote that is never closed": (
        'a: \'x\nb: "y"',
        "'x",
        {"a": Read("'x", "'x", "'x"), "b": Read("y", "y", '"y"')},
    ),
    "text behind a quote": (
        'a: "x" y\nb: z',
        "y\nb",
        {"a": Read('"x" y', '"x" y', '"x" y'), "b": Read("z", "z", "z")},
    ),
    "a control character": (
        "a: 'x\x07'\nb: >\n  one\n  two",
        "\x07",
        {
            "a": Read("x\x07", "x\x07", "'x\x07'"),
            "b": Read("one two", "one two", ">\n  one\n  two"),
        },
    ),
    "a control character in a block scalar": (
        "a: |\n  x\x07\n  y",
        "\x07",
        {"a": Read("x\x07\ny", "x\x07\ny", "|\n  x\x07\n  y")},
    ),
    "a lone surrogate": ("a: \ud800\nb: 1", "\ud800", {"b": Read(1, "1", "1")}),
    "a map of which one value is bad": (
        "meta:\n  a: x: y\n  v: 1\nname: n",
        ": y",
        {
            "meta": Read({"a": "x: y", "v": 1}, "a: x: y, v: 1", "a: x: y\n  v: 1"),
            "name": Read("n", "n", "n"),
        },
    ),
    "an unknown alias": ("a: *b\nc: 1", "*b", {"a": Read("*b", "*b", "*b"), "c": Read(1, "1", "1")}),
    "an alias inside its own anchor": (
        "a: &a [*a]\nc: 1",
        "*a",
        {"a": Read("&a [*a]", "&a [*a]", "&a [*a]"), "c": Read(1, "1", "1")},
    ),
    "a second document": (
        "a: 1\n--- x\nb: 2",
        "--- x",
        {"a": Read(1, "1", "1"), "b": Read(2, "2", "2")},
    ),
    "indented as a whole": (
        "  a: 1\n  b: c: d\n  e:\n  - f",
        ": d",
        {"a": Read(1, "1", "1"), "b": Read("c: d", "c: d", "c: d"), "e": Read(["f"], "f", "- f")},
    ),
}


def check(text: str, found: Frontmatter, expected: dict[str, Read]) -> None:
    read = {entry.key: Read(entry.value, entry.text, cut(text, entry.value_span)) for entry in found.entries}
    assert {key: read.get(key) for key in expected} == expected
    for entry in found.entries:
        assert cut(text, entry.key_span).strip("\"'") == entry.key


@pytest.mark.parametrize("name", CLEAN)
def test_clean_headers(name: str) -> None:
    content, expected = CLEAN[name]
    text = f"---\n{content}\n---\n{BODY}"
    found = header(content)
    check(text, found, expected)
    assert [entry.key for entry in found.entries] == list(expected)
    assert (found.problem, found.lenient, found.closed, found.form) == (None, False, True, "yaml")
    assert cut(text, found.content_span) == content + "\n"
    assert text[found.body_start :] == BODY


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_headers(name: str) -> None:
    content, place, expected = MALFORMED[name]
    text = f"---\n{content}\n---\n{BODY}"
    found = header(content)
    check(text, found, expected)
    assert found.lenient
    assert found.problem is not None
    assert text.startswith(place, found.problem.span.start)
    assert "\n" not in found.problem.message
    assert text[found.body_start :] == BODY


def test_a_separator_of_yaml_1_1_starts_no_key() -> None:
    found = header("a: b\u2028c: d")
    assert [entry.key for entry in found.entries] == ["a"]


@pytest.mark.parametrize("name", CLEAN)
def test_the_pure_python_parser_reads_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = header(CLEAN[name][0])
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    assert header(CLEAN[name][0]) == expected


def test_nested_entries_have_their_places() -> None:
    content = "a:\n  b: 1\n  'c': [d]\ne:\n  f:\n    g: h"
    text = f"---\n{content}\n---\n"
    found = header(content)
    b, c = found.entries[0].entries
    assert (cut(text, b.key_span), b.value) == ("b", 1)
    assert (cut(text, c.key_span), c.key, cut(text, c.value_span)) == ("'c'", "c", "[d]")
    assert cut(text, found.entries[1].entries[0].entries[0].value_span) == "h"


def test_the_last_of_repeated_keys_wins() -> None:
    found = header("a: 1\nb: x\na: [2, 3]")
    assert [entry.key for entry in found.entries] == ["a", "b", "a"]
    assert found.value_of("a") == [2, 3]
    assert found.text_of("a") == "2, 3"
    assert (found.get("c"), found.text_of("c"), found.value_of("c")) == (None, None, None)


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("---\na: 1\n---\nb", "b"),
        ("---\na: 1\n---", ""),
        ("---\na: 1\n--- \t\nb\n---\n", "b\n---\n"),
        ("---\na: 1\n...\nb: 2\n---\n", "b: 2\n---\n"),
        ("---\ra: 1\r---\rb", "b"),
        ("---\r\na: 1\r\n---\r\nb", "b"),
        ("---\na: 1\n ---\n----\n---x\n---\nb", "b"),
        ("---\na: 1\u2028---\n---\nb", "b"),
        ("---\n---\nb", "b"),
        ("---\n\n---\nb", "b"),
        ("---\n{a: 1}\n---\nb", "b"),
    ],
)
def test_where_the_body_starts(text: str, body: str) -> None:
    found = parse(text)
    assert found is not None
    assert text[found.body_start :] == body
    assert found.span == (0, found.body_start)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "---",
        "---\n",
        "a: 1\n---\n",
        "\n---\na: 1\n---\n",
        " ---\na: 1\n---\n",
        "----\na: 1\n---\n",
        "---a\na: 1\n---\n",
        "---\n\n# Title\n\nText.\n\n---\n\nMore.\n",
        "---\n\n# Title\n\nText.\n\nNote: more.\n\n---\n",
        "---\n\n**Note**: text\n\n- item: x\n\n---\n",
        "---\n\nhttps://example.com\n\n---\n",
        "---\n- a\n- b\n---\n",
        "---\n\n# Title\n\nText without another break\n",
        "+++\nplain text\n+++\n",
    ],
)
def test_no_header(text: str) -> None:
    assert parse(text) is None


@pytest.mark.parametrize("opening", ["---\n", "--- \n", "--- \t\r\n"])
def test_loose_opening(opening: str) -> None:
    found = parse(f"{opening}a: 1\n---\n")
    assert found is not None
    assert found.loose_opening is (opening != "---\n")
    assert found.value_of("a") == 1


@pytest.mark.parametrize("text", ["---\nname: x\n\nbody", "---\n\n# note\nname: x\n--- y\n", "+++\na = 1\n"])
def test_an_unclosed_header_loses_no_body(text: str) -> None:
    found = parse(text)
    assert found is not None
    assert not found.closed
    assert (found.body_start, found.span, found.entries) == (0, (0, 0), ())
    assert found.problem is not None
    assert cut(text, found.problem.span) == text[:3]


@pytest.mark.parametrize("lead", ["\n", " \n\r\n", "<!-- a -->\n", "\n<!-- a\n--- \n-->\n\n<!--> <!-- b -->\n", "\r"])
def test_misplaced_headers(lead: str) -> None:
    text = f"{lead}---\nname: x\nd: a: b\n---\n{BODY}"
    found = misplaced(text)
    assert parse(text) is None
    assert found is not None
    assert [cut(text, entry.key_span) for entry in found.entries] == ["name", "d"]
    assert [cut(text, entry.value_span) for entry in found.entries] == ["x", "a: b"]
    assert cut(text, found.span).startswith("---\n")
    assert text[found.body_start :] == BODY


@pytest.mark.parametrize(
    "text",
    [
        "---\nname: x\n---\n",
        "\n---\n\nText\n\n---\n",
        "\n---\n\nNote: text\n\n---\n",
        "\n---\nname: x\n",
        "<!-- a\n---\nname: x\n---\n",
        "<!-- a --> ---\nname: x\n---\n",
        " ---\nname: x\n---\n",
        "text\n---\nname: x\n---\n",
        "",
        "\n",
    ],
)
def test_not_misplaced(text: str) -> None:
    assert misplaced(text) is None


def test_toml() -> None:
    text = '+++\ntitle = "T"\ndate = 2024-01-01\n"quoted" = [1, "b"]\non = true\n[params]\nx = 1\n+++\nbody'
    found = parse(text)
    assert found is not None
    assert (found.form, found.problem, text[found.body_start :]) == ("toml", None, "body")
    read = [
        (entry.key, cut(text, entry.key_span), entry.value, entry.text, cut(text, entry.value_span))
        for entry in found.entries
    ]
    assert read == [
        ("title", "title", "T", "T", '"T"'),
        ("date", "date", "2024-01-01", "2024-01-01", "2024-01-01"),
        ("quoted", "quoted", [1, "b"], "1, b", '[1, "b"]'),
        ("on", "on", True, "true", "true"),
        ("params", "params", {"x": 1}, "x: 1", ""),
    ]
    assert [entry.key for entry in found.entries[-1].entries] == ["x"]


def test_malformed_toml_is_read_by_line() -> None:
    text = '+++\ntitle = no quotes\r\nb = "y"\n+++\n'
    found = parse(text)
    assert found is not None
    assert found.lenient
    assert found.problem is not None
    assert text.startswith("no quotes", found.problem.span.start)
    assert {entry.key: entry.value for entry in found.entries} == {"title": "no quotes", "b": "y"}


@pytest.mark.parametrize("again", ["ignore_all_rules = 2", "[a]\nignore_all_rules = 1\nignore_all_rules = 2"])
def test_a_problem_does_not_quote_the_file(again: str) -> None:
    found = parse(f"+++\nignore_all_rules = 1\n{again}\n[ignore_all_rules]\n+++\n")
    assert found is not None
    assert found.problem is not None
    assert "ignore" not in found.problem.message


BOMB = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30)
)
CHAIN = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 2000))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("k: " + "[" * 5000, "nest"),
        ("k: " + "{" * 5000, "nest"),
        ("k:\n " + "- " * 5000, "nested more than"),
        ("k:\n " + "? " * 5000, "nested more than"),
        ("".join(" " * depth + "k:\n" for depth in range(100)), "nested more than"),
        (BOMB, "aliases multiply"),
        (CHAIN, "aliases multiply"),
        ("k: " + "x" * 70_000, "longer than 65,536"),
        ("k: [" + "&a *a " * 10_000, ""),
        ("k: 1\n" + "[" * 1_000_000, "longer than 65,536"),
        ("k: 1\n" + "k: '\n" * 200_000, "longer than 65,536"),
        ("k: 1\n" + "---x\n" * 200_000, "longer than 65,536"),
    ],
    ids=lambda value: value[:12],
)
def test_hostile_headers_are_read_line_by_line(content: str, says: str) -> None:
    found = header(content)
    assert found.lenient
    assert found.problem is not None
    assert says in found.problem.message
    assert found.entries


@pytest.mark.parametrize(
    "content", ["a = " + "[" * 5000, "a." * 5000 + "a = 1", "a = " + "{a=" * 5000, "a = 1\n" + " " * 60_000]
)
def test_hostile_toml(content: str) -> None:
    found = parse(f"+++\n{content}\n+++\n")
    assert found is not None
    assert found.get("a") is not None


def test_ordinary_aliases_are_allowed() -> None:
    assert header("a: &x {k: v}\nb: [*x, *x, *x]").value_of("b") == [{"k": "v"}] * 3


FRAGMENTS = [
    *"ab1 \t-:#'\"[]{},&*!|>%@`?~=.\\",
    "\n",
    "\r\n",
    "\r",
    "---",
    "+++",
    "...",
    "\n---\n",
    "\n+++\n",
    "key: ",
    "key = ",
    "\n- ",
    "\n  ",
    "&a ",
    "*a ",
    "<<: ",
    "!!int ",
    "0x",
    "\u2028",
    "\x85",
    "\ufeff",
    "\0",
    "\x07",
    "😀",
    "\ud800",
    "\\x",
    "\\U0010ffff",
    "<!--",
    "-->",
    "[t]\n",
    '"""',
]
fragments = st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join)


def every(entries: tuple[Entry, ...]) -> Iterator[Entry]:
    for entry in entries:
        yield entry
        yield from every(entry.entries)


def is_within(span: Span, outer: Span) -> bool:
    return outer.start <= span.start <= span.end <= outer.end


def check_shape(text: str, found: Frontmatter) -> None:
    assert is_within(found.span, Span(0, len(text)))
    assert is_within(found.content_span, found.span)
    assert found.body_start == found.span.end
    assert found.lenient is (found.problem is not None and found.closed)
    if found.problem:
        assert is_within(found.problem.span, Span(0, len(text)))
        assert found.problem.message
        assert "\n" not in found.problem.message
    at = found.content_span.start
    for entry in found.entries:
        assert is_within(entry.key_span, found.content_span)
        assert is_within(entry.value_span, found.content_span)
        if found.form == "yaml":
            assert at <= entry.key_span.start
            assert entry.key_span.end <= entry.value_span.start
            at = entry.value_span.end
    for entry in every(found.entries):
        assert is_within(entry.value_span, found.content_span)


@given(st.sampled_from(["", "---\n", "---\nkey: ", "+++\n", "+++\nkey = "]), fragments, fragments)
@example("---\n", "a: \U0010ffff", "\n---")
@example("---\n", "? a\n", "\n---")
@example("---\n", ": b\n", "\n---")
@example("+++\n", "a = 1979-05-27T07:32:00Z\nb = nan", "\n+++")
def test_parse_never_raises_and_loses_nothing(opening: str, content: str, rest: str) -> None:
    text = opening + content + rest
    found = parse(text)
    if found is not None:
        check_shape(text, found)
        assert found.span.start == 0
    shifted = misplaced("\n<!-- x -->\n" + text)
    if shifted is not None:
        check_shape("\n<!-- x -->\n" + text, shifted)


keys = st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True)
values = st.from_regex(r"[A-Z][A-Za-z0-9 ,.()/é😀-]{0,20}[a-z]", fullmatch=True)


@given(
    st.lists(st.tuples(keys, values), min_size=1, max_size=6, unique_by=lambda pair: pair[0]),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["", "globs: **/*.ts", "d: a: b", "hint: [a] [b]", "x\x07: 1"]),
)
def test_plain_pairs_are_read_wherever_they_stand(pairs: list[tuple[str, str]], line_end: str, spoiler: str) -> None:
    lines = [f"{key}: {value}" for key, value in pairs]
    text = line_end.join(["---", *lines, *([spoiler] if spoiler else []), "---", "body"])
    found = parse(text)
    assert found is not None
    assert found.lenient is bool(spoiler)
    entries = found.entries[: len(pairs)]
    assert [(cut(text, entry.key_span), cut(text, entry.value_span)) for entry in entries] == pairs
    assert [(entry.key, entry.text) for entry in entries] == pairs
    assert text[found.body_start :] == "body"
