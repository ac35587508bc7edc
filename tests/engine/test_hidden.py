"""Comments of every form: where they begin and end, and never those that are shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainview import markup
from plainview.hidden import Page, comments
from plainview.markup import RegionKind
from plainview.text import Source

FOUND = [
    ("block", "<!-- a -->\n", ["<!-- a -->"]),
    ("inline", "x <!-- a --> y\n", ["<!-- a -->"]),
    ("many lines", "<!-- a\n\nb -->\nx\n", ["<!-- a\n\nb -->"]),
    ("wrapped in a paragraph", "x <!-- a\nb --> y\n", ["<!-- a\nb -->"]),
    ("several in a block", "<!-- a --><!-- b -->\n", ["<!-- a -->", "<!-- b -->"]),
    ("closed at once", "<!--> x <!---> y\n", ["<!-->", "<!--->"]),
    ("closed with a bang", "<!-- a --!> shown\n", ["<!-- a --!>"]),
    ("unclosed", "x\n\n<!-- a\n\ny\n", ["<!-- a\n\ny\n"]),
    ("unclosed in an item", "- <!-- a\n- b\n", ["<!-- a\n- b\n"]),
    ("closed by later HTML", "- <!-- a\n\np <!-- b --> q\n", ["<!-- a\n\np <!-- b -->"]),
    ("in a list", "- <!-- a -->\n", ["<!-- a -->"]),
    ("in a quotation", "> <!-- a -->\n", ["<!-- a -->"]),
    ("in a table", "| a |\n|---|\n| <!-- b --> |\n", ["<!-- b -->"]),
    ("under thirty levels", "> " * 30 + "<!-- a -->\n", ["<!-- a -->"]),
    ("beyond the parser's levels", "> " * 90 + "<!-- a -->\n", ["<!-- a -->"]),
    ("before a header", "<!-- a -->\n---\nname: x\n---\n", ["<!-- a -->"]),
    ("in a TOML header", "+++\na = 1\n\n<!-- a -->\n\n+++\n# T\n", ["<!-- a -->"]),
    ("in a header that is no YAML", "---\na: b\n: c: [\n\n<!-- a -->\n---\n# T\n", ["<!-- a -->"]),
    ("in a header", "---\na: <!-- b -->\n---\n# T\n", []),
    ("conditional", "<!--[if IE]> a <![endif]-->\n", ["<!--[if IE]> a <![endif]-->"]),
    ("declaration", "<!DOCTYPE html>\n", ["<!DOCTYPE html>"]),
    ("processing instruction", "<?php a ?>\n", ["<?php a ?>"]),
    ("carriage returns", "x\r\r<!-- a -->\r", ["<!-- a -->"]),
    ("after one in a value", "<img alt='<!--'> x <!-- a -->\n", ["<!-- a -->"]),
    ("in a value", "<div title='<!-- a -->'>\n", []),
    ("in a value over lines", "<div title='\n<!-- a'>\n</div>\n\nx <!-- b -->\n", ["<!-- b -->"]),
    ("in a script", "<script>\nif (a <!--b) c\n</script>\n\nx <!-- d -->\n", ["<!-- d -->"]),
    ("in a title", "<title><!-- a --></title>\n", []),
    ("in a text box, which GitHub writes out", "<textarea>b <!-- a --> <!-- c</textarea>\n", ["<!-- a -->"]),
    ("in a script that is not closed", "<script>\n<!-- a -->\n", ["<!-- a -->"]),
    ("behind an empty script", "<script></script><!-- a -->\n", ["<!-- a -->"]),
    ("in a fence", "```\n<!-- a -->\n```\n", []),
    ("in an unclosed fence", "```\n<!-- a -->\n", []),
    ("in indented code", "    <!-- a -->\n", []),
    ("in inline code", "x `<!-- a -->` y\n", []),
    ("in inline code of a cell", "| a |\n|---|\n| `<!-- b \\| c -->` |\n", []),
    ("escaped", "x \\<!-- a -->\n", []),
    ("never a comment", "x <!-- a\n\ny\n", []),
]


def spans(text: str) -> list[str]:
    page = Page.of(Source(text))
    return [text[found.span.start : found.span.end] for found in comments.find(page)]


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in FOUND], ids=[case[0] for case in FOUND])
def test_comments(text: str, expected: list[str]) -> None:
    assert spans(text) == expected


@given(st.text(alphabet=list("<!->?` \n\r#|[]\t>x-*1.\0\U0001f600"), max_size=80))
def test_spans_are_ordered_and_inside(text: str) -> None:
    page = Page.of(Source(text))
    structure = page.markup
    end = 0
    for found in comments.find(page):
        assert end <= found.span.start < found.span.end <= len(text)
        assert found.span.start <= found.content.start <= found.content.end <= found.span.end
        end = found.span.end
    for region in (*structure.leaves(), *structure.inline()):
        assert 0 <= region.span.start <= region.span.end <= len(text)


def test_regions_stand_where_their_text_does() -> None:
    text = "# T `c`\n\n> - p `d` <b>\n\n| h |\n|---|\n| x `e\\|f` |\n\n```py\ng\n```\n\n    i\n\n[r]: u\n"
    structure = markup.parse(Source(text))
    found = {(r.kind, text[r.span.start : r.span.end]) for r in (*structure.leaves(), *structure.inline())}
    assert found >= {
        (RegionKind.HEADING, "T `c`"),
        (RegionKind.INLINE_CODE, "`c`"),
        (RegionKind.PROSE, "p `d` <b>"),
        (RegionKind.INLINE_CODE, "`d`"),
        (RegionKind.HTML_INLINE, "<b>"),
        (RegionKind.CELL, "x `e\\|f`"),
        (RegionKind.INLINE_CODE, "`e\\|f`"),
        (RegionKind.FENCE, "```py\ng\n```"),
        (RegionKind.INDENTED_CODE, "i"),
        (RegionKind.DEFINITION, "[r]: u"),
    }


def test_a_heading_in_a_comment_is_no_section() -> None:
    text = "# One\n\n<!--\n## Hidden\n-->\n\n## Two\n"
    assert [one.title for one in markup.parse(Source(text)).sections()] == ["One", "Two"]
