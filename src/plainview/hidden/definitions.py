"""Link definitions, link titles and image texts: written in the source, and not on the page.

A definition renders as nothing, so one that nothing refers to is a comment by another name (`[//]: # (words)`).
A title is a tooltip, and an image's text stands in only where the image is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from plainview import late
from plainview.finding import Span
from plainview.hidden.prose import count_words, has_words
from plainview.hidden.span import HiddenSpan, Page
from plainview.markup import Passage, RegionKind

CHANNEL = "definition"
RULE = "link-comment"
ATTRIBUTE_RULE = "hidden-attribute"

# CommonMark 0.31, "Link reference definitions"; the parser has already said that one stands here.
_DEFINITION = late.pattern(
    r"""\[(?P<label>(?:[^\[\]\\]|\\.)+)\]:\s*(?P<target><[^<>\r\n]*>|[^\s<]\S*)"""
    r"""(?:[ \t\r\n>]+(?:"(?P<double>(?:[^"\\]|\\.)*)"|'(?P<single>(?:[^'\\]|\\.)*)'"""
    r"""|\((?P<round>(?:[^()\\]|\\.)*)\)))?""",
    re.DOTALL,
)
_TITLE = late.pattern(
    r"""\]\([ \t]*(?:<[^<>\r\n]{0,2000}>|[^\s<>()]{0,2000})[ \t\r\n]+"""
    r"""(?:"(?P<double>(?:[^"\\]|\\.){1,2000})"|'(?P<single>(?:[^'\\]|\\.){1,2000})'|\((?P<round>(?:[^()\\]|\\.){1,2000})\))\s*\)""",
    re.DOTALL,
)
_IMAGE = re.compile(r"!\[(?P<text>(?:[^\[\]\\]|\\.){1,2000})\](?=[(\[])", re.DOTALL)
_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.){1,999})\]")
_NOWHERE = frozenset({"#", "<>", "<#>", "/", "."})

_SENTENCE = 5
_FEWEST_WORDS = 3
"""A label or title of fewer words names something; one of more says something."""


def find(page: Page) -> Iterator[HiddenSpan]:
    """Definitions that nothing refers to or that go nowhere, titles, and the texts of images."""
    yield from defined(page)
    yield from in_links(page)


def defined(page: Page) -> Iterator[HiddenSpan]:
    """Definitions that nothing refers to or that go nowhere, and the titles of others."""
    text = page.source.text
    spans = [
        Span(region.span.start + start, region.span.end + start)
        for start, passage in zip(page.markup.starts, page.markup.passages, strict=False)
        if passage.defines
        for region in passage.leaves()
        if region.kind is RegionKind.DEFINITION
    ]
    if spans:
        used = frozenset[str]().union(*(passage.recall(_used) for passage in page.markup.passages))
        for span in spans:
            yield from _definition(text, span, used)
        yield from _sentences(text, spans, used)


def may_define(text: str) -> bool:
    """Whether there may be a definition in a page that has a passage of this text."""
    return "]:" in text


def may_link(text: str) -> bool:
    """Whether a text may hold a link with a title, or an image."""
    return "![" in text or ("](" in text and _TITLE.search(text) is not None)


def in_links(page: Page) -> Iterator[HiddenSpan]:
    """The titles of links, and the texts of images."""
    text = page.source.text
    if "](" in text:
        yield from _said(page, _TITLE, "link title", ("double", "single", "round"))
    if "![" in text:
        yield from _said(page, _IMAGE, "image text", ("text",))


def _used(passage: Passage) -> frozenset[str]:
    """The labels that stand in brackets outside of definitions, as the standard compares them."""
    if "[" not in passage.text:
        return frozenset()
    used: set[str] = set()
    position = 0
    defined = [region.span for region in passage.leaves() if region.kind is RegionKind.DEFINITION]
    for span in (*defined, Span(len(passage.text), len(passage.text))):
        used |= {_key(found[1]) for found in _LABEL.finditer(passage.text, position, max(span.start, position))}
        position = max(position, span.end)
    return frozenset(used)


def _key(label: str) -> str:
    return " ".join(label.casefold().split())


def _definition(text: str, span: Span, used: Set[str]) -> Iterator[HiddenSpan]:
    found = _DEFINITION.search(text, span.start, span.end)
    if found is None or found["label"].startswith("^"):
        return
    title = next((name for name in ("double", "single", "round") if found[name]), None)
    whole = Span(found.start(), found.end())
    if _key(found["label"]) in used and found["target"] not in _NOWHERE:
        if title is not None:
            yield from _words(text, whole, Span(*found.span(title)), "link title", ATTRIBUTE_RULE)
        return
    parts = [Span(*found.span("label"))] if has_words(found["label"]) else []
    if found["target"].startswith("<") and has_words(found["target"]):
        parts.append(Span(found.start("target") + 1, found.end("target") - 1))
    if title is not None:
        parts.append(Span(*found.span(title)))
    if not parts:
        return
    said = " ".join(text[part.start : part.end] for part in parts)
    if not said.strip():
        return
    content = parts[0] if len(parts) == 1 else whole
    yield HiddenSpan(whole, CHANNEL, "link definition", content, said, rule=RULE, plain=len(parts) == 1, block=True)


def _sentences(text: str, defined: list[Span], used: Set[str]) -> Iterator[HiddenSpan]:
    """What definitions say together that nothing refers to, one behind the other with a word or two in each."""
    run: list[re.Match[str]] = []
    for span in (*defined, None):
        found = _DEFINITION.search(text, span.start, span.end) if span is not None else None
        idle = found is not None and (_key(found["label"]) not in used or found["target"] in _NOWHERE)
        if run and (found is None or not idle or text[run[-1].end() : found.start()].strip(" \t\r\n>")):
            yield from _sentence(run)
            run = []
        if idle and found is not None and not found["label"].startswith("^"):
            run.append(found)


def _sentence(run: list[re.Match[str]]) -> Iterator[HiddenSpan]:
    from plainview.hidden import prose

    if len(run) < _FEWEST_WORDS:
        return
    titles = [next((one[name] for name in ("double", "single", "round") if one[name]), "") for one in run]
    for parts in ([one["label"] for one in run], titles, [_last(one["target"]) for one in run]):
        said = " ".join(part for part in parts if part)
        # What most of them say by themselves is told of one by one.
        if sum(map(has_words, parts)) * 2 > len(parts) or not has_words(said):
            continue
        sentence = prose.is_sentence(said, strict=True)
        span = Span(run[0].start(), run[-1].end())
        yield HiddenSpan(
            span,
            CHANNEL,
            "link definition",
            span,
            said,
            rule=RULE if sentence else "",
            plain=False,
            marker=not sentence,
            block=True,
        )


def _last(target: str) -> str:
    """The last part of an address."""
    return target.strip("<>#").rstrip("/").rsplit("/", 1)[-1].rsplit("#", 1)[-1]


def _said(page: Page, pattern: re.Pattern[str], form: str, groups: tuple[str, ...]) -> Iterator[HiddenSpan]:
    text = page.source.text
    for found in pattern.finditer(text, page.body):
        if page.markup.in_code(found.start()):
            continue
        name = next(name for name in groups if found[name] is not None)
        span = Span(*found.span(name))
        yield from _words(text, span, span, form, ATTRIBUTE_RULE)


def _words(text: str, span: Span, content: Span, form: str, rule: str) -> Iterator[HiddenSpan]:
    said = text[content.start : content.end]
    if has_words(said):
        # A few words name what is linked to: they are worth a word only where a rule knows the phrase.
        names = count_words(said) < _SENTENCE
        yield HiddenSpan(span, CHANNEL, form, content, said, rule="" if names else rule, marker=names)
