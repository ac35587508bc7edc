"""Comments of what is written into Markdown: MDX, Obsidian, Liquid, templates, kramdown, diagrams and formulas.

GitHub shows all but the last two as they are written; the tool whose notation it is does not show them. In code
they are samples, but for a diagram and a formula: these are drawn from their source, which no page shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from plainview.finding import Span
from plainview.hidden.span import HiddenSpan, Page, Placed
from plainview.markup import Passage, Region, RegionKind

CHANNEL = "notation"
RULE = "hidden-comment"
DRAWN = "comment in a "
"""How the forms begin of comments in what is drawn from its source: no page shows that."""


class _Notation(NamedTuple):
    """A form of comment, what opens it and what closes it.

    What opens it holds `needle`, and what closes it `end`; a pattern that begins with a sign is found fast, so what
    stands before is looked at behind that. `solid` tells marks that no letter may stand beside.
    """

    form: str
    opening: str
    closing: str
    needle: str
    end: str
    solid: bool = False


_NOTATIONS = (
    _Notation("MDX comment", r"\{(?<!\{\{)[ \t]*/\*", r"\*/[ \t\r\n]*\}", "/*", "*/"),
    _Notation("Obsidian comment", "%%", "%%", "%%", "%%", solid=True),
    _Notation(
        "Liquid comment", r"\{%-?[ \t]*comment[ \t]*-?%\}", r"\{%-?[ \t]*endcomment[ \t]*-?%\}", "{%", "endcomment"
    ),
    _Notation("Liquid comment", r"\{%-?[ \t]*#", r"-?%\}", "{%", "%}"),
    _Notation("template comment", r"\{#-?(?=\s)", r"-?#\}", "{#", "#}"),
    _Notation("template comment", r"\{\{[~-]?!--", r"--[~-]?\}\}", "!--", "}}"),
    _Notation("template comment", r"\{\{[~-]?!(?!--)", r"\}\}", "{{", "}}"),
    _Notation("template comment", r"\{\{-?[ \t]*/\*", r"\*/[ \t]*-?\}\}", "/*", "}}"),
    _Notation("kramdown comment", r"\{::comment\}", r"\{:/(?:comment)?\}", "{::", "{:/"),
)
_FEWEST_WORDS = 5
_NEEDLES = ("{/*", "{ /*", "%%", "{%", "{#", "{{", "{::")
# Languages of what is drawn from its source.
_DRAWN = re.compile("mermaid|math", re.IGNORECASE)
_DIAGRAM = re.compile(r"^[ \t>]*%%(?!\{)[ \t]*([^\r\n]*)", re.MULTILINE)
# A comment of TeX, and what takes room without being drawn.
_FORMULA = re.compile(r"(?<!\\)%[ \t]*(?P<comment>[^\r\n]*)|\\[hv]?phantom[ \t]*\{(?P<phantom>(?:[^{}]|\{[^{}]*\})*)")
_DISPLAY = re.compile(r"\$(?:\$[^$]*(?:\$(?!\$)[^$]*)*\$\$|(?<![\\$\w]\$)(?=\S)[^$\r\n]+(?<=\S)\$(?!\w))")
_TEXT = re.compile(r"\\(?:text|mbox|mathrm|textrm)\w*[ \t]*\{([^{}]*)\}?")


def may_hold(text: str) -> bool:
    """Whether a text may hold such a comment."""
    marked = "{" in text or "%%" in text
    if marked and any(needle in text for needle in _NEEDLES):
        return True
    if "$" in text and ("%" in text or "phantom" in text):
        return True
    return ("```" in text or "~~~" in text) and _DRAWN.search(text) is not None


def find(page: Page) -> Iterator[HiddenSpan]:
    """Every such comment of the page."""
    whole = list(zip(page.starts, page.pieces, strict=True))
    yield from written(page, whole)
    yield from in_fences(page)
    yield from in_formulas(page, whole)


def may_go_on(text: str) -> bool:
    """Whether a comment may begin in a passage of this text and end behind it."""
    marked = "{" in text or "%%" in text
    return marked and any(needle in text for needle in _NEEDLES) and any(_is_open(text, one) for one in _NOTATIONS)


def written(page: Page, begin: Placed) -> Iterator[HiddenSpan]:
    """Comments in what is written into Markdown that begin in some passages of the page."""
    for notation in _NOTATIONS:
        if any(notation.needle in passage.text for _, passage in begin):
            yield from _closed(page, notation, begin)


def in_fences(page: Page) -> Iterator[HiddenSpan]:
    """Comments in diagrams and formulas that are fences."""
    for region in page.markup.leaves():
        if region.kind is not RegionKind.FENCE:
            continue
        language = region.info.split(" ", 1)[0].lower()
        if language == "mermaid":
            yield from _within(page, _DIAGRAM, f"{DRAWN}diagram", region)
        elif language == "math":
            yield from _within(page, _FORMULA, f"{DRAWN}formula", region)


def formula_may_go_on(text: str) -> bool:
    """Whether a formula may begin in a passage of this text and end behind it."""
    return text.count("$$") % 2 == 1 or "$$$" in text


def in_formulas(page: Page, begin: Placed) -> Iterator[HiddenSpan]:
    """Comments in formulas between signs of the dollar that begin in some passages of the page."""
    text = page.source.text
    if "$" not in text or ("%" not in text and "phantom" not in text):
        return
    reach = _Reach(page)
    for start in reach.starts(begin):
        position = start
        while (sign := text.find("$", position, reach.end)) >= 0:
            # What is never closed is told so faster than by the pattern, which reads on to the end.
            is_open = text.startswith("$$", sign) and text.find("$$", sign + 2) < 0
            shown = None if is_open else _DISPLAY.match(text, sign)
            position = shown.end() if shown else sign + 1
            reach.to(position)
            if shown and not page.markup.in_code(shown.start()):
                yield from _within(page, _FORMULA, f"{DRAWN}formula", Region(Span(*shown.span()), RegionKind.PROSE))


class _Reach:
    """How far a page has to be read from the passages on in which something begins that may go on behind them."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.end = page.body

    def starts(self, passages: Iterable[tuple[int, Passage]]) -> Iterator[int]:
        """Where to begin: at those passages, unless they have been read, and where what has been read ends in them."""
        for start, passage in passages:
            end = start + len(passage.text)
            if end > self.end:
                begin = max(start, self.end)
                self.end = end
                yield begin

    def to(self, offset: int) -> None:
        """Goes on to the end of the passage in which `offset` stands."""
        markup = self._page.markup
        number = markup.passage_at(max(offset - 1, 0))
        end = markup.starts[number + 1] if number >= 0 else offset
        self.end = max(self.end, end)


def _closed(page: Page, notation: _Notation, begin: Placed) -> Iterator[HiddenSpan]:
    text = page.source.text
    opening, closing = re.compile(notation.opening), re.compile(notation.closing)
    reach = _Reach(page)
    for start in reach.starts(begin):
        position = start
        while (begun := opening.search(text, position, reach.end)) is not None:
            position = begun.end()
            if page.markup.in_code(begun.start()):
                continue
            # In a long text most that end nowhere are told so by the last sign.
            ended = closing.search(text, position) if text.rfind(notation.end, position) >= 0 else None
            if ended is None:
                return
            if notation.solid and not _are_marks(text, begun, ended):
                continue
            position = ended.end()
            reach.to(position)
            said = text[begun.end() : ended.start()].strip()
            first = text.find(said, begun.end())
            line = page.source.line_start(page.source.line_of(begun.start()))
            yield HiddenSpan(
                Span(begun.start(), ended.end()),
                CHANNEL,
                notation.form,
                Span(first, first + len(said)),
                said,
                rule=RULE,
                block=not text[line : begun.start()].strip(),
            )


def _is_open(text: str, notation: _Notation) -> bool:
    """Whether nothing behind the last opening closes it; else each of them is closed within the text."""
    last = None
    for last in re.finditer(notation.opening, text):  # noqa: B007 - only the last is asked for
        pass
    return last is not None and re.compile(notation.closing).search(text, last.end()) is None


def _are_marks(text: str, begun: re.Match[str], ended: re.Match[str]) -> bool:
    """Whether two signs are a comment's, rather than a figure's, a format's or a variable's."""
    before = text[max(begun.start() - 1, 0) : begun.start()]
    if before.strip() or text[ended.end() : ended.end() + 1].isalnum():
        return False
    block = not text[text.rfind("\n", 0, begun.start()) + 1 : begun.start()].strip()
    return block or "\n\n" not in text[begun.end() : ended.start()]


def _within(page: Page, pattern: re.Pattern[str], form: str, region: Region) -> Iterator[HiddenSpan]:
    text = page.source.text
    for found in pattern.finditer(text, *region.span):
        content = Span(*found.span(found.lastindex or 0))
        said = text[content.start : content.end].strip()
        if found.lastgroup == "phantom":
            said = _TEXT.sub(r" \1 ", said).strip()
        # Whoever draws a diagram or sets a formula says what its parts are for.
        if len(said.split()) >= _FEWEST_WORDS:
            plain = said == text[content.start : content.end]
            yield HiddenSpan(Span(*found.span()), CHANNEL, form, content, said, rule=RULE, plain=plain, strict=True)
