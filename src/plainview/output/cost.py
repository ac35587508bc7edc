"""What files cost, as `plainview cost` prints it: per file, per host, per section, and in total."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import msgspec

from plainview import masking, wording
from plainview.output import json, page, text
from plainview.output.page import Line, line
from plainview.output.report import FileReport, Run
from plainview.prices import Prices, money
from plainview.tokens import Figures

_LABEL = 44
_WIDTH = 100


class JsonSection(msgspec.Struct, frozen=True):
    """A section: its heading, level, first line from 1, and tokens."""

    title: str
    level: int
    line: int
    tokens: int


class JsonCosts(msgspec.Struct, frozen=True):
    """The costs of one file."""

    path: str
    kind: str
    tokens: dict[str, int]
    host_tokens: dict[str, dict[str, int]]
    cost: dict[str, dict[str, msgspec.Raw]]
    sections: list[JsonSection]


class JsonTotals(msgspec.Struct, frozen=True):
    """The costs of all files and their sum per session."""

    version: int
    files: list[JsonCosts]
    session_tokens: int
    session_cost: dict[str, msgspec.Raw]


def render(run: Run, *, sections: bool = True) -> Iterator[Line]:
    """The costs as lines; where no file could be read none but the notes."""
    prices = run.engine.prices
    yield from _table(run, prices, sections) if run.files else ()
    yield from text.notes(run)


def _table(run: Run, prices: Prices, sections: bool) -> Iterator[Line]:
    yield _row("", "tokens", [model.name for model in prices.models])
    for file in run.files:
        yield from _file(file, prices, sections)
    total = run.session_tokens() or 0
    yield line("")
    yield _row("in every session, all files", wording.number(total), _prices(total, prices))
    yield line(("dim", f"{wording.YARDSTICK}; host figures are what each host loads, in the same tokens."))


def render_json(run: Run) -> bytes:
    """The costs as JSON in UTF-8."""
    prices = run.engine.prices
    total = run.session_tokens() or 0
    return json.encode(JsonTotals(1, [_json(file, prices) for file in run.files], total, _raw(total, prices)))


def _file(file: FileReport, prices: Prices, sections: bool) -> Iterator[Line]:
    report = file.report
    if report.cost is None or report.yardstick is None:
        return
    yield line("")
    yield line(("path", wording.shown_path(file.path)), f"  {report.file.kind.name}")
    yield from _figures("", report.cost, prices)
    yield from _hosts(report.hosts, prices)
    for section in report.sections if sections else ():
        tokens = section.tokens or 0
        title = wording.quote(section.section.title, _LABEL - 14)
        share = wording.percent(tokens, report.yardstick.invoked)
        label = f"{'#' * section.section.level} {title}"
        yield _row(f"  {label:<{_LABEL - 10}} {share:>7}", wording.number(tokens), _prices(tokens, prices))


def _hosts(hosts: dict[str, Figures], prices: Prices) -> Iterator[Line]:
    """What the hosts that load the file make of it, those that load the same as one."""
    alike: dict[Figures, list[str]] = {}
    for host, figures in hosts.items():
        alike.setdefault(figures, []).append(host)
    for figures, names in alike.items():
        if not figures.session and not figures.invoked:
            continue
        many = len(names) > 1
        yield from _figures(f"{len(names)} hosts, " if many else f"{names[0]}, ", figures, prices, zeros=False)
        if many:
            yield from (line(("dim", part)) for part in _listed(names))


def _listed(names: list[str]) -> list[str]:
    return textwrap.wrap(", ".join(names), page.width(_WIDTH), initial_indent="    ", subsequent_indent="    ")


def _figures(who: str, figures: Figures, prices: Prices, *, zeros: bool = True) -> Iterator[Line]:
    for label, tokens in (("every session", figures.session), ("once invoked", figures.invoked)):
        if not tokens and not zeros:
            continue
        yield _row(f"  {who}{label}", wording.number(tokens), _prices(tokens, prices))


def _row(label: str, tokens: str, prices: list[str]) -> Line:
    return line(f"{label:<{_LABEL}}{tokens:>9}" + "".join(f"{price:>13}" for price in prices))


def _prices(tokens: int, prices: Prices) -> list[str]:
    return [f"${money(model.cost(tokens))}" for model in prices.models]


def _raw(tokens: int, prices: Prices) -> dict[str, msgspec.Raw]:
    return {model.name: msgspec.Raw(money(model.cost(tokens)).encode()) for model in prices.models}


def _json(file: FileReport, prices: Prices) -> JsonCosts:
    report = file.report
    yardstick = report.yardstick or Figures(0, 0)
    source = report.source
    session, invoked = _raw(yardstick.session, prices), _raw(yardstick.invoked, prices)
    return JsonCosts(
        path=masking.mask(file.path),
        kind=report.file.kind.name,
        tokens={"session": yardstick.session, "invoked": yardstick.invoked},
        host_tokens={
            host: {"session": figures.session, "invoked": figures.invoked} for host, figures in report.hosts.items()
        },
        cost={name: {"session": session[name], "invoked": invoked[name]} for name in session},
        sections=[
            JsonSection(
                masking.mask(one.section.title),
                one.section.level,
                source.line_of(one.section.span.start) + 1,
                one.tokens or 0,
            )
            for one in report.sections
        ],
    )
