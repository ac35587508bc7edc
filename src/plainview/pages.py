"""The rules' pages, as Markdown: what each looks for, why, what to do, and examples of both verdicts.

Examples are text that a model must not take for orders: each stands in a code block that it cannot end, with what
cannot be seen written out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from plainview import cards, masking, wording
from plainview.rules import Context, Example, Rule, Ruleset

_LINE_END = re.compile(r"\r\n?|\n")
_CONTEXTS: dict[Context, str] = {
    "code": "in a code sample",
    "quotation": "in quotation",
    "negation": "where it is denied",
    "defence": "where it is listed as something to detect or avoid",
}
_CWE = re.compile(r"CWE-([0-9]+)")
_ATLAS = re.compile(r"MITRE ATLAS (AML\.[A-Z0-9.]+)")


def book(ruleset: Ruleset) -> str:
    """The pages of all rules in one Markdown document, with a list of contents; the anchor of a rule is its id."""
    return "\n".join(_index(ruleset, "#{}")) + "\n" + "\n".join(page(rule, level=2) for rule in ruleset.rules)


def index(ruleset: Ruleset) -> str:
    """A list of all rules by category that links to the pages as files beside it, `<id>.md`."""
    return "\n".join(_index(ruleset, "{}.md"))


def page(rule: Rule, *, level: int = 1) -> str:
    """The page of one rule, its heading of that level."""
    return "\n".join(_page(rule, level))


def contexts(rule: Rule) -> str:
    """Which contexts soften a finding of the rule, as a sentence."""
    names = [name for context, name in _CONTEXTS.items() if context in rule.soften]
    return f"It is info {wording.listed(names, len(names))}." if names else "No context softens it."


def example(given: str | Example) -> tuple[str, str]:
    """The lines of an example, made safe to show, and the path that it is tried as, which may be empty."""
    text, path = (given.text, given.path) if isinstance(given, Example) else (given, "")
    lines = _LINE_END.split(masking.mask(text).removesuffix("\n"))
    return "\n".join(wording.visible(line) for line in lines), path


def _index(ruleset: Ruleset, address: str) -> Iterator[str]:
    yield "# Rules"
    for category in ruleset.categories:
        yield f"\n## {category}\n" if address.endswith(".md") else f"\n**{category}**\n"
        for rule in ruleset.rules:
            if rule.category == category:
                yield f"- [{rule.id}]({address.format(rule.id)}) · {rule.severity} · {cards.prose(rule.title)}"
    yield ""


def _page(rule: Rule, level: int) -> Iterator[str]:
    below = "#" * (level + 1)
    yield f"{'#' * level} {rule.id}\n"
    yield f"**{cards.prose(rule.title)}** · {rule.category} · {rule.severity}, confidence {rule.confidence}\n"
    yield f"{cards.prose(rule.message)}\n"
    yield f"{below} Why it matters\n\n{cards.prose(rule.why)}\n"
    yield f"{below} What to do\n\n{cards.prose(rule.fix)}\n"
    yield f"{below} Where context softens it\n\n{contexts(rule)}\n"
    yield f"{below} Taxonomy\n"
    yield from (f"- {_taxon(taxon)}" for taxon in rule.taxonomy)
    yield ""
    yield from _examples(f"{below} Flagged", rule.examples.flag)
    yield from _examples(f"{below} Passed", rule.examples.passed)


def _examples(heading: str, examples: Iterable[str | Example]) -> Iterator[str]:
    yield f"{heading}\n"
    for given in examples:
        text, path = example(given)
        if path:
            yield f"As {cards.prose(path)}:\n"
        yield cards.fenced(text) + "\n"


def _taxon(taxon: str) -> str:
    name = cards.prose(taxon)
    if found := _CWE.fullmatch(taxon):
        return f"[{name}](https://cwe.mitre.org/data/definitions/{found[1]}.html)"
    if found := _ATLAS.fullmatch(taxon):
        return f"[{name}](https://atlas.mitre.org/techniques/{found[1]})"
    return name
