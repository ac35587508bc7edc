"""Elements and attributes that a page does not show: how they are hidden, and how far they reach."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plainview.hidden import Page, elements
from plainview.hidden.html import Kind, Token, tokenize
from plainview.hidden.span import HiddenSpan
from plainview.text import Source


def found(text: str) -> list[HiddenSpan]:
    return sorted(elements.find(Page.of(Source(text))), key=lambda one: one.span)


NONE = "element with display:none"

# What stands hidden in each text, and by what form.
HIDDEN = [
    ("style", '<div style="display:none">a b</div>\n', "a b", "element with display:none"),
    ("attribute", "<div hidden>a b</div>\n", "a b", "element with the hidden attribute"),
    ("until found", "<p hidden=until-found style=display:block>a b</p>\n", "a b", "element with the hidden attribute"),
    ("popover", "<div popover>a b</div>\n", "a b", "element with the popover attribute"),
    ("template", "<template><p>a b</p></template>\n", "a b", "template element"),
    ("script", "x <script>a b</script> y\n", "a b", "script element"),
    ("style sheet", "<style>\na b\n</style>\n", "a b", "style element"),
    ("title", "<title>a b</title>\n", "a b", "title element"),
    ("noscript", "<noscript><p>a b</p></noscript>\n", "a b", "noscript element"),
    ("dialog", "<dialog>a b</dialog>\n", "a b", "dialog element that is not open"),
    ("fallback", "<canvas>a b</canvas>\n", "a b", "canvas element's fallback text"),
    ("frame", "<iframe><b>a</b> b</iframe>\n", "a b", "iframe element's fallback text"),
    ("object", "<object data=x.swf>a b</object>\n", "a b", "object element's fallback text"),
    ("picture", "<svg><title>a b</title></svg>\n", "a b", "description of a picture"),
    ("metadata", "<svg><metadata>a b</metadata></svg>\n", "a b", "metadata element"),
    ("presentation", "<svg><text opacity=0>a b</text></svg>\n", "a b", "element with opacity:0"),
    ("unitless", "<svg><text font-size=1>a b</text></svg>\n", "a b", "element with a font too small to read"),
    ("self-closing", "<svg><path hidden/><text display='none'>a b</text></svg>\n", "a b", "element with display:none"),
    (
        "old colours",
        "<table bgcolor=white><tr><td><font color=#fefefe>a b</font></td></tr></table>\n",
        "a b",
        "element with text in the colour of its background",
    ),
    (
        "inherited ground",
        '<div style="background:#000"><p><b style="color:black">a b</b></p></div>\n',
        "a b",
        "element with text in the colour of its background",
    ),
    (
        "opacity adds up",
        '<p style="opacity:.2"><i><b style="opacity:.2">a b</b></i></p>\n',
        "a b",
        "element with opacity:0",
    ),
    ("upper case", '<DIV STYLE="DISPLAY:NONE">a b</DIV>\n', "a b", "element with display:none"),
    ("references", '<div style="display&colon;none">a &amp; b</div>\n', "a & b", "element with display:none"),
    ("inner tags", "<div hidden>a <b title=c>b</b><!-- c --></div>\n", "a b", "element with the hidden attribute"),
    ("inner blocks", "<div hidden><p>a</p><p>b</p></div>\n", "a b", "element with the hidden attribute"),
    (
        "markdown between",
        "<div hidden>\n\n# a\n\n- b\n\n</div>\n\nc\n",
        "# a - b",
        "element with the hidden attribute",
    ),
    ("inline", "c <span hidden>a *b*</span> c\n", "a *b*", "element with the hidden attribute"),
    ("over lines", "c <span\nhidden>a\nb</span> c\n", "a b", "element with the hidden attribute"),
    ("outermost", "<div hidden>a <p hidden>b</p></div>\n", "a b", "element with the hidden attribute"),
    ("same name within", "<div hidden>a<div></div> b</div>\n\nc\n", "a b", "element with the hidden attribute"),
    ("unclosed", "<div hidden>a\n\nb\n", "a b", "element with the hidden attribute"),
    ("closed by another", "<div><i></i><span hidden>a b</div>\n\nc\n", "a b", "element with the hidden attribute"),
    ("open tag", "<div hidden\n\na b\n\n</div>\n", "a b", "element with the hidden attribute"),
    ("quoted", "> <div\n> hidden>a\n> b</div>\n", "a b", "element with the hidden attribute"),
    ("quotation ends", "> <div hidden>a\n>\n> b\n\nc\n", "a b", "element with the hidden attribute"),
    ("item ends", "- <div hidden>a\n\n  b\n- c\n", "a b", "element with the hidden attribute"),
    ("inner item ends", "- c\n  - <div hidden>a\n\n    b\n\n  c\n", "a b", "element with the hidden attribute"),
    ("paragraph ends", "c <span hidden>a b\n\nc\n", "a b", "element with the hidden attribute"),
    ("cell ends", "| c | d |\n|---|---|\n| <b hidden>a b | c |\n", "a b", "element with the hidden attribute"),
    ("paragraph by paragraph", "<p hidden>a b\n\nc\n", "a b", "element with the hidden attribute"),
    ("paragraph by block", "<p hidden>a b<div>c</div>\n", "a b", "element with the hidden attribute"),
    ("item by item", "<ul><li hidden>a b<li>c</ul>\n", "a b", "element with the hidden attribute"),
    ("cell by cell", "<table><tr><td hidden>a b<td>c</table>\n", "a b", "element with the hidden attribute"),
    ("formatting goes on", "c <b hidden>a\n\nb</b> c\n", "a b", "element with the hidden attribute"),
    ("formatting ends", "<i hidden><div>a b</i>c</div>\n", "a b", "element with the hidden attribute"),
    (
        "a block keeps it open",
        "<section><span hidden><div>a</span> b</div></span>c\n",
        "a b",
        "element with the hidden attribute",
    ),
    ("an end in code", "<div hidden>\n\na `</div>` b\n\n</div>\n", "a `</div>` b", "element with the hidden attribute"),
    ("an end in a comment", "<div hidden>a<!-- </div> --> b</div>\n", "a b", "element with the hidden attribute"),
    ("an end in a value", "<div hidden>a<i id='</div>'></i> b</div>\n", "a b", "element with the hidden attribute"),
    ("raw text over Markdown", "<title>\n\na `</title>` b\n\n</title>\n", "a `</title>` b", "title element"),
    (
        "first attribute counts",
        "<p style=display:none style=display:block>a b</p>\n",
        "a b",
        "element with display:none",
    ),
    ("variable", '<p style="--x:none;display:var(--x)">a b</p>\n', "a b", "element with display:none"),
    ("beyond the parser's levels", "> " * 90 + "<div hidden>a b</div>\n", "a b", "element with the hidden attribute"),
    ("class", "<style>.c{display:none}</style>\n\n<p class='d c'>a b</p>\n", "a b", "element with display:none"),
    ("id", "<style>#c{opacity:0}</style>\n\n<p id=c>a b</p>\n", "a b", "element with opacity:0"),
    ("name", "<style>aside{zoom:0}</style>\n\n<aside>a b</aside>\n", "a b", "element with a zoom to nothing"),
    ("attribute of a rule", "<style>[data-c^=d]{display:none}</style>\n\n<p data-c=de>a b</p>\n", "a b", NONE),
    ("last part of a selector", "<style>x, y > .c.d{display:none}</style>\n\n<p class='d c'>a b</p>\n", "a b", NONE),
    ("either", "<style>:is(.c, .d){display:none}</style>\n\n<p class=d>a b</p>\n", "a b", NONE),
    ("specificity", "<style>#c{display:none}.c{display:block}</style>\n\n<p id=c class=c>a b</p>\n", "a b", NONE),
    ("screen", "<style>@media screen{.c{display:none}}</style>\n\n<p class=c>a b</p>\n", "a b", NONE),
    ("important", "<style>.c{display:none!important}</style>\n\n<p class=c style=display:block>a b</p>\n", "a b", NONE),
    ("heading", "<style>h6{display:none}</style>\n\n###### a b\n\nc\n", "###### a b", NONE),
    ("quotation", "<style>blockquote{display:none}</style>\n\n> a b\n\nc\n", "> a b", NONE),
    ("annotation", "c <math><mi>x</mi><annotation>a b</annotation></math>\n", "a b", "annotation element"),
    ("carriage returns", "c\r\r<div hidden>\r\ra b\r\r</div>\r", "a b", "element with the hidden attribute"),
]

SHEET = "<style>.c{display:none}</style>\n\n"
SHOWN = [
    ("fence", '```html\n<div style="display:none">a b</div>\n```\n'),
    ("inline code", "`<div hidden>` a `</div>`\n"),
    ("indented code", "    <div hidden>a b</div>\n"),
    ("escaped", "\\<div hidden>a b\n"),
    ("hidden from screen readers only", "<p aria-hidden=true>a b</p>\n"),
    ("details", "<details>\n<summary>c</summary>\n\na b\n\n</details>\n"),
    ("dialog", "<dialog open>a b</dialog>\n"),
    ("object without data", "<object>a b</object>\n"),
    ("overridden", "<p hidden style=display:block>a b</p>\n"),
    ("last one wins", "<p style='display:none;display:block'>a b</p>\n"),
    ("nothing within", "<div hidden></div>\n\na b\n"),
    ("no words within", "<svg><defs><path d='M1 2'/></defs></svg>\n"),
    ("void", "<input type=hidden name=x>\n\na b\n"),
    ("names in a sentence", "Use <script> and <title>, then\n<template> too.\n\na b\n"),
    ("text box", "<textarea>a b</textarea>\n"),
    ("visible text of a picture", "<svg><text>a b</text></svg>\n"),
    ("white on a ground that is not known", '<b style="color:white">a b</b>\n'),
    ("white on green", '<b style="color:white;background:green">a b</b>\n'),
    ("white on a picture", '<p style="background:#fff"><b style="background:url(a.png);color:#fff">a b</b></p>\n'),
    ("no size for what stands in a line", '<span style="height:0;overflow:hidden">a b</span>\n'),
    ("data file's markup", "<hidden>a b</hidden>\n"),
    ("after the end", "<div hidden></div><p>a b</p>\n"),
    ("an end tag in the next item", "- <i hidden>\n- </i>a b\n"),
    ("a class of others", f"{SHEET}<p class=d>a b</p>\n"),
    ("a rule for the printer", "<style>@media print{.c{display:none}}</style>\n\n<p class=c>a b</p>\n"),
    ("a rule for the pointer", "<style>.c:hover{display:none}</style>\n\n<p class=c>a b</p>\n"),
    ("a rule for what stands before", "<style>.c::before{display:none}</style>\n\n<p class=c>a b</p>\n"),
    ("a rule that another takes back", f"{SHEET}<p class=c style=display:block>a b</p>\n"),
    ("a rule that does not hide", "<style>h6{color:red}</style>\n\n###### a b\n"),
]


@pytest.mark.parametrize(("text", "said", "form"), [case[1:] for case in HIDDEN], ids=[case[0] for case in HIDDEN])
def test_a_hidden_element_says_what_it_holds(text: str, said: str, form: str) -> None:
    told = [(" ".join(one.decoded.split()), one.form) for one in found(text)]
    # A style sheet is hidden itself.
    assert [one for one in told if one[1] != "style element" or one[1] == form] == [(said, form)]


@pytest.mark.parametrize("text", [case[1] for case in SHOWN], ids=[case[0] for case in SHOWN])
def test_what_is_shown_is_no_finding(text: str) -> None:
    assert [one for one in found(text) if one.form != "style element"] == []


def test_a_span_covers_its_tags_and_says_whether_something_ends_it() -> None:
    closed, unclosed = "a <b hidden>c d</b> e\n", "<div hidden>c d\n\ne f\n"
    one, other = found(closed)[0], found(unclosed)[0]
    assert closed[slice(*one.span)] == "<b hidden>c d</b>"
    assert (one.closed, one.block, one.plain, closed[slice(*one.content)]) == (True, False, True, "c d")
    assert (unclosed[slice(*other.span)], other.closed, other.block) == (unclosed, False, True)


@pytest.mark.parametrize(
    ("text", "marker", "rule"),
    [
        ("<script>\nlet a = f(b);\n</script>\n", True, "hidden-element"),
        ("<script type=text/plain>the figures of the spring</script>\n", False, "hidden-element"),
        ("<video>Your browser does not support this video.</video>\n", True, "hidden-element"),
        ("<title>The survey of last spring</title>\n", True, "hidden-element"),
        ("<title>The agent must read this</title>\n", False, "hidden-element"),
        ("<noscript>This page needs JavaScript.</noscript>\n", True, "hidden-element"),
        ("<svg><desc>the figures of the spring</desc></svg>\n", False, "hidden-attribute"),
        ("<img alt='the figures of the last spring'>\n", False, "hidden-attribute"),
        ("<a title='Open the settings of this page'>a</a>\n", True, "hidden-attribute"),
        ("<a title='Open the settings, then ask the agent to go on'>a</a>\n", False, "hidden-attribute"),
        ("<a title='Open the settings of this page. Go on from there.'>a</a>\n", False, "hidden-attribute"),
        ("<step goal='the figures of the last spring'>\n", True, "hidden-attribute"),
        ("<step role='The agent must read what the others wrote'>\n", True, "hidden-attribute"),
        ("<step note='The agent must read what the others wrote'>\n", False, "hidden-attribute"),
        ("<p><math><mi>x</mi><annotation>x = 1</annotation></math></p>\n", True, "hidden-element"),
    ],
)
def test_what_tools_and_controls_say_is_no_note(text: str, marker: bool, rule: str) -> None:
    assert [(one.marker, one.rule) for one in found(text)] == [(marker, rule)]


SAYINGS = [
    ("data", '<script type=application/ld+json>{"a": "b", "c": "one two three four five"}</script>\n'),
    ("comment in data", "<script type=x>[{'a': 1}, /* one two three four five */ {'b': 2}, {'c': 3}]</script>\n"),
    ("comment in a program", "<script>a(1); b(2); // must do three four five\nc(3); d(4);</script>\n"),
    ("comment in a style sheet", "<style>a{b:c} /* must do three four five */ d{e:f} g{h:i}</style>\n"),
]


@pytest.mark.parametrize("text", [case[1] for case in SAYINGS], ids=[case[0] for case in SAYINGS])
def test_a_program_says_its_sentences(text: str) -> None:
    (one,) = found(text)
    assert (one.marker, one.plain) == (False, False)
    assert one.decoded in ("one two three four five", "must do three four five")


def test_comments_for_those_who_maintain_a_program_are_none_of_its_sentences() -> None:
    (one,) = found("<script>a(1); b(2); // adds up one two three four\nc(3); d(4);</script>\n")
    assert one.marker


WORDS = [
    ("attributes", "a <b one two three>b</b>\n", "one two three"),
    ("unknown element", "a <one two three>b\n", "one two three"),
    ("block", "<p one two three>\n", "one two three"),
    ("end tag", "<div>\na\n</div one two three>\n", "one two three"),
    ("tags in a row", "a <one><two> <three>b\n", "one two three"),
]


@pytest.mark.parametrize(("text", "said"), [case[1:] for case in WORDS], ids=[case[0] for case in WORDS])
def test_words_where_names_belong(text: str, said: str) -> None:
    assert [(one.decoded, one.channel, one.strict, one.rule) for one in found(text)] == [(said, "attribute", True, "")]


@pytest.mark.parametrize(
    "text", ["<video src=a controls loop>\n", "<b a=c d>e</b>\n", "<ul><li><p>a\n", "a <b><i><u>c\n"]
)
def test_names_are_no_words(text: str) -> None:
    assert found(text) == []


ATTRIBUTES = [
    ("alt", '<img alt="one two three four five">\n', "alt attribute", "one two three four five"),
    ("single", "<img alt='one two three four five'>\n", "alt attribute", "one two three four five"),
    ("upper case", "<img ALT='one two three four five'>\n", "alt attribute", "one two three four five"),
    ("data", "<p data-note='one two three four five'>a</p>\n", "data-note attribute", "one two three four five"),
    ("references", "<img alt='one&#x27;s two three four five'>\n", "alt attribute", "one's two three four five"),
    (
        "no blanks between words",
        "<img alt='\u4eca\u65e5\u306f\u3068\u3066\u3082\u5929\u6c17\u304c\u3044\u3044'>\n",
        "alt attribute",
        "\u4eca\u65e5\u306f\u3068\u3066\u3082\u5929\u6c17\u304c\u3044\u3044",
    ),
    (
        "hidden input",
        "<input type=hidden value='one two three four five'>\n",
        "hidden input's value",
        "one two three four five",
    ),
    ("meta", "<meta name=x content='one two three four five'>\n", "content attribute", "one two three four five"),
    (
        "frame",
        "<iframe srcdoc='<p>one two three four five</p>'></iframe>\n",
        "srcdoc attribute",
        "one two three four five",
    ),
    ("class", "<p class='you must do all of this'>a</p>\n", "class attribute", "you must do all of this"),
    ("quoted", "> <img\n> alt='one two three four five'>\n", "alt attribute", "one two three four five"),
    ("inline", "a <i title='one two three four five'>b</i>\n", "title attribute", "one two three four five"),
    (
        "open quotation mark",
        '<div title="\n\none two three four five\n',
        "title attribute with an open quotation mark",
        "one two three four five",
    ),
    (
        "closed by later HTML",
        '<div id="\n\none two three four five\n\n<p>"\n',
        "id attribute with an open quotation mark",
        "one two three four five\n\n<p>",
    ),
    ("odd name", "<p é='one two three four five'>a</p>\n", "attribute", "one two three four five"),
]


@pytest.mark.parametrize(
    ("text", "form", "said"), [case[1:] for case in ATTRIBUTES], ids=[case[0] for case in ATTRIBUTES]
)
def test_a_sentence_in_an_attribute(text: str, form: str, said: str) -> None:
    assert [(one.form, one.decoded.strip()) for one in found(text)] == [(form, said)]


@pytest.mark.parametrize(
    "text",
    [
        "<img alt='one two three four'>\n",
        "<p class='flex grid items center between'>a</p>\n",
        "<path d='M 1 2 L 3 4 z a b c'>\n",
        "<p style='font-family: Arial, Helvetica, Verdana, Tahoma, sans'>a</p>\n",
        "`<img alt='one two three four five'>`\n",
        "<img alt=one two three four five>\n",
        "<img data-x='1 2 3 4 5 6 7 8 9'>\n",
    ],
)
def test_an_attribute_without_a_sentence_is_for_phrase_rules_alone(text: str) -> None:
    assert all(one.marker and not one.rule for one in found(text))


def tokens(text: str) -> list[Token]:
    page = Page.of(Source(text))
    return list(tokenize(page.markup, page.body))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("a", {"a": ""}),
        ("a=b", {"a": "b"}),
        ("a = b", {"a": "b"}),
        ('a="b c"d=e', {"a": "b c", "d": "e"}),
        ("a='b\"c'", {"a": 'b"c'}),
        ("a=b'c", {"a": "b'c"}),
        ("A=b a=c", {"a": "b"}),
        ("a/b", {"a": "", "b": ""}),
        ("=a=b", {"=a": "b"}),
        ("a=/b", {"a": "/b"}),
        ('a=""', {"a": ""}),
        ("a\n=\n'b\nc'", {"a": "b\nc"}),
        ("a<b", {"a<b": ""}),
        ("", {}),
    ],
)
def test_attributes_are_read_as_a_browser_reads_them(written: str, read: dict[str, str]) -> None:
    text = f"<div\n{written}>x</div>\n"
    token = tokens(text)[0]
    assert {one.name: text[slice(*one.value)] for one in token.attributes} == read
    assert text[token.span.end :] == "x</div>\n"


PIECES = (
    "<div |<p |<b |<svg |<template|<title|<li |<td |<br|</div|</b|</p|</title|hidden|style=|display:none|opacity:0|'|"
    '"|>|/>|=|a b c d e|&amp;|<!--|-->|\n|\n\n|> |- |`|```\n|# |[a]: b\n|-|<!|<?|\r|\t|\0|\U0001f600|    '
)
HTML = st.lists(st.sampled_from([*PIECES.split("|"), "|", "|-|-|\n"]), max_size=40).map("".join)


@given(HTML)
@example("<b hidden>a\n\n|a|\n|-|\n|</b>|")
@example("- <b hidden>a\n- <title>\n</b>")
def test_spans_are_inside_and_hold_their_content(text: str) -> None:
    for one in found(text):
        assert 0 <= one.span.start <= one.content.start <= one.content.end <= one.span.end <= len(text)
        assert one.decoded
        if one.plain:
            assert one.decoded == text[slice(*one.content)]


@given(HTML)
def test_tokens_do_not_overlap(text: str) -> None:
    end = 0
    for token in tokens(text):
        assert end <= token.span.start < token.span.end <= len(text)
        end = max(token.span.end, token.content.end if token.raw else 0)
        if token.kind is not Kind.START:
            assert token.attributes == ()
        for one in token.attributes:
            assert token.span.start < one.span.start <= one.value.start <= one.value.end <= one.span.end <= len(text)


@given(HTML)
def test_what_is_hidden_stays_hidden_behind_other_text(text: str) -> None:
    before = "# Title\n\nSome words.\n\n"
    if not text.startswith("---"):
        moved = [(one.span.start - len(before), one.decoded) for one in found(before + text)]
        assert [(one.span.start, one.decoded) for one in found(text) if text.strip()] == moved
