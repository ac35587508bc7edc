"""Comments in the notations that are written into Markdown: where they are found, and where the same marks are none."""

from __future__ import annotations

import pytest

from plainview.hidden import Page, notations
from plainview.text import Source

FOUND = [
    ("MDX", "{/* a b */}\n", "MDX comment", "a b"),
    ("MDX within a line", "x {/* a b */} y\n", "MDX comment", "a b"),
    ("Obsidian", "x %% a b %% y\n", "Obsidian comment", "a b"),
    ("Obsidian, a block", "%%\na\n\nb\n%%\n", "Obsidian comment", "a\n\nb"),
    ("Liquid", "{% comment %}a b{% endcomment %}\n", "Liquid comment", "a b"),
    ("Liquid, trimmed", "{%- comment -%} a b {%- endcomment -%}\n", "Liquid comment", "a b"),
    ("Liquid within a tag", "{% # a b %}\n", "Liquid comment", "a b"),
    ("Jinja", "{# a b #}\n", "template comment", "a b"),
    ("Handlebars", "{{!-- a b --}}\n", "template comment", "a b"),
    ("Handlebars, short", "{{! a b }}\n", "template comment", "a b"),
    ("Go and Hugo", "{{/* a b */}}\n", "template comment", "a b"),
    ("kramdown", "{::comment}\na b\n{:/comment}\n", "kramdown comment", "a b"),
    ("diagram", "```mermaid\ngraph TD\n%% a b c d e\nA-->B\n```\n", "comment in a diagram", "a b c d e"),
    ("formula", "```math\nx % a b c d e\n```\n", "comment in a formula", "a b c d e"),
    ("display formula", "$$\nx % a b c d e\n$$\n", "comment in a formula", "a b c d e"),
    ("phantom", "$\\phantom{\\text{a b c d e}}$\n", "comment in a formula", "a b c d e"),
]

NONE = [
    ("code", "```jsx\n{/* a b */}\n```\n"),
    ("inline code", "`{# a b #}` and `%% a %%`\n"),
    ("unclosed", "{/* a b\n"),
    ("a heading's name", "# A {#a}\n\n# B {#b}\n"),
    ("variables of a shell", "for %%i in (a) do echo %%i\n"),
    ("shares", "50%% of a and 20%% of b\n"),
    ("a directive of a diagram", "```mermaid\n%%{init: {'theme': 'dark', 'a': 'b c d e'}}%%\ngraph TD\n```\n"),
    ("a share in a formula", "$$\nx = 5\\% a b c d e\n$$\n"),
    ("prices", "It costs $5 or 10% less than $6, for 3% of all who ask.\n"),
    ("a tag of a template", "{% if a %}b{% endif %} {{ c }}\n"),
]


@pytest.mark.parametrize(("text", "form", "said"), [case[1:] for case in FOUND], ids=[case[0] for case in FOUND])
def test_a_comment_says_what_it_holds(text: str, form: str, said: str) -> None:
    found = list(notations.find(Page.of(Source(text))))
    assert [(one.form, one.decoded) for one in found] == [(form, said)]
    assert all(said in text[slice(*one.span)] for one in found)


@pytest.mark.parametrize("text", [case[1] for case in NONE], ids=[case[0] for case in NONE])
def test_the_same_marks_elsewhere_are_none(text: str) -> None:
    assert list(notations.find(Page.of(Source(text)))) == []
