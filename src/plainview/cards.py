"""Hover cards: what an author sees on a file, a section, hidden text or a phrase, as Markdown or as plain text.

Scanned text is data: it stands in a code block that it cannot end, or with Markdown's characters escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from plainview import wording
from plainview.finding import Finding, Severity
from plainview.prices import Model, Prices, money
from plainview.rules import Rule
from plainview.scan import Report, SectionTokens

_MOST_LINES = 60
_MOST_CHARACTERS = 4_000
_COUNTED_WITH = "Counted with o200k_base: exact for GPT models, a yardstick for others."
_COUNTING = "The tokens are still being counted; hover again in a moment."
_LINE_END = re.compile(r"\r\n?|\n")
_SPECIAL = re.compile(r"([\\`*_\[\]<>|~&])")
_ESCAPE = r"\\\1"
_BACKTICKS = re.compile(r"`+")
_CODE = re.compile(r"(`[^`\n]+`)")


class Paragraph(msgspec.Struct, frozen=True):
    """A sentence or more of our own words; `lead` is set in bold before `text`."""

    lead: str
    text: str = ""


class Title(msgspec.Struct, frozen=True):
    """A heading of the scanned text in bold, and our own words on it."""

    scanned: str
    text: str = ""


class Table(msgspec.Struct, frozen=True):
    """Figures: a header, and rows whose first cell is words."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Quote(msgspec.Struct, frozen=True):
    """Scanned text, shown as it is, with what cannot be seen written out."""

    text: str


class Words(msgspec.Struct, frozen=True):
    """Sentences of a rule file, which may be a user's: what is between backticks is code, all else is as it reads."""

    lead: str
    text: str = ""


class Link(msgspec.Struct, frozen=True):
    """The page of a rule, at an address or, where there is none, by the command that prints it."""

    rule: str
    address: str | None


Block = Paragraph | Title | Table | Quote | Words | Link
Card = Sequence[Block]


def file_card(report: Report, prices: Prices, trouble: str | None = None) -> Card:
    """Kind, grade and cost of the file; `trouble` says why tokens cannot be counted, where they cannot."""
    kind = wording.kind_name(report)
    arithmetic = report.grade.arithmetic()
    grade = f"grade {report.grade.letter}: {arithmetic}" if report.grade.deductions else f"grade {report.grade.letter}"
    head = Paragraph(kind[:1].upper() + kind[1:], f" · {grade}")
    figures = report.cost
    if figures is None:
        return [head, Paragraph("", trouble or _COUNTING)]
    rows = (("every session", figures.session), ("once invoked", figures.invoked))
    table = Table(
        ("", "tokens", *(model.name for model in prices.models)),
        tuple((label, wording.number(count), *_dollars(count, prices)) for label, count in rows),
    )
    return [head, table, Paragraph("", " ".join(_notes(report)))]


def section_card(
    section: SectionTokens, report: Report, prices: Prices, trouble: str | None = None, *, quoted: bool = True
) -> Card:
    """What a section costs, in one line; `quoted` False leaves out its title."""
    name = wording.quote(section.section.title, 60) if quoted else wording.section_place(section.section, report)
    title = f"{'#' * section.section.level} {name}".rstrip()
    if section.tokens is None or report.yardstick is None:
        return [Title(title), Paragraph("", trouble or _COUNTING)]
    share = wording.percent(section.tokens, report.yardstick.invoked)
    cost = f" · {wording.plural(section.tokens, 'token')} · {share} of the file"
    model = _middle(prices)
    if model is not None:
        cost += f" · ${money(model.cost(section.tokens))} on {model.name} once invoked"
    return [Title(title, cost)]


def hidden_card(
    finding: Finding, report: Report, rule: Rule | None = None, page: str | None = None, *, quoted: bool = True
) -> Card:
    """What hidden text says, how long it is, what it costs and who reads it, then its rule in short.

    `quoted` False leaves out the text; `page` is the address of the rule's page.
    """
    hidden = finding.hidden
    if hidden is None:
        return []
    name = "hidden comment" if hidden.form == "HTML comment" else hidden.form
    lead = f"{name[:1].upper()}{name[1:]}, {wording.plural(hidden.lines, 'line')}"
    if hidden.tokens is not None:
        lead += f", {wording.plural(hidden.tokens, 'token')}"
    reach = wording.reach(finding, report, "it")
    said = f" {reach[:1].upper()}{reach[1:]}; {wording.where_hidden(hidden)}."
    blocks: list[Block] = [Paragraph(lead + ".", said)]
    if quoted and hidden.decoded.strip():
        blocks.append(Quote(wording.decoded(hidden, report)))
    if rule is not None:
        # A finding about the text as a whole says no more than has been said.
        said = "" if finding.itself else f" {finding.message}"
        blocks.append(Words(rule.title, f" · {wording.level(finding)}.{said}"))
        blocks += _advice(finding, rule, page, quoted=quoted)
    return blocks


def phrase_card(finding: Finding, rule: Rule | None, page: str | None = None, *, quoted: bool = True) -> Card:
    """What a finding in plain sight says, why it matters and what to do; `page` is the address of its rule's page.

    `quoted` False leaves out the reason for which one is accepted.
    """
    blocks: list[Block] = [
        Words(rule.title if rule else finding.rule, f" · {finding.severity.word}. {finding.message}")
    ]
    return [*blocks, *_advice(finding, rule, page, quoted=quoted)] if rule is not None else blocks


def _advice(finding: Finding, rule: Rule, page: str | None, *, quoted: bool) -> Iterator[Block]:
    """Why it matters and what to do, or why nothing has to be done, and where to read on."""
    if finding.accepted is not None:
        yield Paragraph("Accepted in the configuration.", " It does not count.")
        if quoted:
            yield Quote(wording.quote(finding.accepted))
    elif finding.softened is not None:
        yield Paragraph("", f"Here it is {finding.softened}, so it is no order.")
    elif finding.severity > Severity.INFO:
        yield Words("", " ".join(rule.why.split()))
        yield Words("", " ".join(rule.fix.split()))
    yield Link(rule.id, page)


def markdown(card: Card) -> str:
    """The card as Markdown in which no character of scanned text has a meaning."""
    return "\n\n".join(_as_markdown(block) for block in card)


def plain(card: Card) -> str:
    """The card as plain text, for clients that show nothing else."""
    return "\n".join(line for block in card for line in _as_lines(block))


def _notes(report: Report) -> Iterator[str]:
    figures = report.cost
    if figures is not None and report.hidden_tokens:
        share = wording.percent(report.hidden_tokens, figures.invoked)
        yield f"{wording.number(report.hidden_tokens)} of them ({share}) are hidden from a reader of the rendered page."
    host = report.file.host
    own = report.hosts.get(host.name) if host is not None else None
    if host is not None and own is not None and own != figures:
        yield (
            f"{host.name} itself loads {wording.number(own.session)} every session "
            f"and {wording.number(own.invoked)} once invoked."
        )
    yield _COUNTED_WITH


def _dollars(tokens: int, prices: Prices) -> list[str]:
    return [f"${money(model.cost(tokens))}" for model in prices.models]


def _middle(prices: Prices) -> Model | None:
    """The one model that a single figure is given for: the second dearest, where there are two."""
    dearest = sorted(prices.models, key=lambda model: -model.usd_per_million)
    return dearest[min(1, len(dearest) - 1)] if dearest else None


def _as_markdown(block: Block) -> str:
    if isinstance(block, Quote):
        return fenced(_capped(block.text))
    if isinstance(block, Table):
        ruler = ("---", *("--:" for _ in block.header[1:]))
        rows = (block.header, ruler, *block.rows)
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)
    if isinstance(block, Title):
        return f"**{_escaped(block.scanned)}**{block.text}"
    if isinstance(block, Words):
        return (f"**{prose(block.lead)}**" if block.lead else "") + prose(block.text)
    if isinstance(block, Link):
        return f"[{block.rule}](<{block.address}>)" if block.address else f"`plainview explain {block.rule}`"
    return (f"**{block.lead}**" if block.lead else "") + block.text


def fenced(text: str) -> str:
    """Text as a block of code that it cannot end."""
    fence = "`" * max(3, 1 + max((len(run) for run in _BACKTICKS.findall(text)), default=0))
    return f"{fence}text\n{text}\n{fence}"


def prose(text: str) -> str:
    """Sentences of a rule file in Markdown on one line: code where they have backticks, and no other markup."""
    parts = _CODE.split(_LINE_END.sub(" ", text.strip("\r\n")))
    return "".join(part if index % 2 else _escaped(part) for index, part in enumerate(parts))


def _escaped(text: str) -> str:
    """Scanned text in which Markdown finds nothing, addresses included: some clients make links of bare ones."""
    return _SPECIAL.sub(_ESCAPE, text).replace("://", "&#58;//").replace("www.", "www&#46;").replace("@", "&#64;")


def _as_lines(block: Block) -> Iterator[str]:
    if isinstance(block, Quote):
        yield from (f"  {line}" for line in _capped(block.text).split("\n"))
    elif isinstance(block, Table):
        rows = (block.header, *block.rows)
        widths = [max(len(row[column]) for row in rows) for column in range(len(block.header))]
        for row in rows:
            first, *rest = (cell for cell in row)
            cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))]
            yield "  ".join(cells).rstrip()
    elif isinstance(block, Link):
        yield f"plainview explain {block.rule}"
    else:
        yield (block.scanned if isinstance(block, Title) else block.lead) + block.text


def _capped(text: str) -> str:
    """Scanned text with its lines, what cannot be seen written out, cut where it grows too long for a card."""
    lines = _LINE_END.split(text[:_MOST_CHARACTERS])
    kept = [wording.visible(line) for line in lines[:_MOST_LINES]]
    if len(lines) > _MOST_LINES or len(text) > _MOST_CHARACTERS:
        rest = len(_LINE_END.findall(text)) + 1 - len(kept)
        kept.append(f"… {wording.plural(rest, 'more line')}" if rest > 0 else "…")
    return "\n".join(kept)
