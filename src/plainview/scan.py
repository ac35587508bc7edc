"""One text in, one report out: pure, without input or output. The command line and the server both call it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path

import msgspec

from plainview import frontmatter, hidden, masking
from plainview.config import NOTHING, Acceptance, Config
from plainview.cost import Parts, host_figures
from plainview.detect import Document, run
from plainview.finding import Finding, Hidden, Span
from plainview.grade import Grade, Scale, grade, load_scale
from plainview.kinds import PLAIN, FileKind, Kinds, load_kinds
from plainview.markup import Passage, Section
from plainview.match import Matcher, PatternError
from plainview.memory import Memory
from plainview.policy import Policy
from plainview.prices import Prices, load_prices
from plainview.rules import DataError, Read, Ruleset, extended, load_rules, read_bytes
from plainview.settings import Settings
from plainview.text import Source
from plainview.tokens import Figures, Piece, Tally, by_paragraphs

NO_PRICES = Prices(source="", date="", models=())


class Engine:
    """The rules, kinds, prices, scale and configuration in force, compiled once and shared by every scan.

    `errors` are the data files that could not be used; everything else still works.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        matcher: Matcher,
        kinds: Kinds,
        prices: Prices,
        scale: Scale,
        errors: list[DataError],
        config: Config = NOTHING,
    ) -> None:
        self.ruleset = ruleset
        self.policy = Policy(config, ruleset)
        self.kinds = kinds
        self.prices = prices
        self.scale = scale
        self.errors = [*errors, *config.errors, *self.policy.errors]
        self.matcher = matcher

    @classmethod
    def load(cls, settings: Settings) -> Engine:
        """The engine with the built-in data and what the settings add.

        Raises DataError when the grades cannot be read; all other failures become `errors`.
        """
        folders = (*settings.config.extend, *settings.rule_folders)
        ruleset = load_rules(folders, check_built_in=False)
        try:
            matcher = Matcher(ruleset)
        except PatternError:
            # A built-in pattern was edited into one that does not compile: find out which, and go on without.
            ruleset = load_rules(folders)
            matcher = Matcher(ruleset)
        kinds = load_kinds()
        errors = [*ruleset.errors, *kinds.errors]
        try:
            prices = load_prices(settings.prices_file)
        except DataError as error:
            errors.append(error)
            prices = NO_PRICES
        return cls(ruleset, matcher, kinds, prices, load_scale(), errors, settings.config)

    def extended(self, folders: Iterable[Path], read: Read = read_bytes) -> Engine:
        """This engine with a user's rules in `folders` added; `read` gives their bytes. Its `errors` are theirs."""
        ruleset = extended(msgspec.structs.replace(self.ruleset, errors=()), folders, read)
        matcher = Matcher(ruleset)
        return Engine(ruleset, matcher, self.kinds, self.prices, self.scale, list(ruleset.errors))

    def configured(self, config: Config) -> Engine:
        """This engine with a configuration in force, but for the rules that it adds. Its `errors` are about it."""
        return Engine(self.ruleset, self.matcher, self.kinds, self.prices, self.scale, [], config)


class SectionTokens(msgspec.Struct, frozen=True, gc=False):
    """A section and what it costs (None when not counted)."""

    section: Section
    tokens: int | None


class Report(msgspec.Struct, frozen=True, dict=True):
    """What there is to say about one text.

    `count_sections` gives its `sections`, which are worked out when they are first asked for. `yardstick` is the same
    measure for files of every kind, `hosts` what each host loads, `hidden_tokens` what the hidden spans cost; all None
    or empty when not counted. `hidden` are the spans that a page does not show, whether or not a finding speaks of
    them, in order of place and an outer one first. `secrets` are what no output shows, in order of place and apart.
    `unmatched` are the acceptances (by key) that name this file and match nothing in it.
    """

    source: Source
    file: FileKind
    findings: tuple[Finding, ...]
    grade: Grade
    yardstick: Figures | None
    hosts: dict[str, Figures]
    hidden_tokens: int | None
    count_sections: Callable[[], tuple[SectionTokens, ...]]
    hidden: tuple[Hidden, ...] = ()
    secrets: tuple[Span, ...] = ()
    unmatched: Mapping[str, Acceptance] = {}

    @cached_property
    def sections(self) -> tuple[SectionTokens, ...]:
        """The sections with what they cost. Not for two reports of one document in two threads at once.

        Raises what the scan's `count` raises.
        """
        return self.count_sections()

    @property
    def cost(self) -> Figures | None:
        """What people are told that the file costs; None when not counted.

        The yardstick, which compares files of every kind, but for a file without name and description of which the
        host loads something in every session: there the yardstick knows no session, and the host's figures count. A
        file that belongs to no host alone (AGENTS.md) counts as the one that loads most of it does.
        """
        host = self.file.host
        own = self.hosts.get(host.name) if host is not None else None
        if own is None:
            own = max(self.hosts.values(), key=lambda figures: (figures.session, figures.invoked), default=None)
        if own is None or self.yardstick is None or self.yardstick.session or not own.session:
            return self.yardstick
        return Figures(own.session, max(own.invoked, self.yardstick.invoked))


class Past:
    """What scans of one document leave to the next one, which then costs what has changed since.

    It holds nothing that the next text does not have, and changes no result. Not for use by two threads at once.
    """

    __slots__ = ("memory", "page", "parts")

    def __init__(self) -> None:
        self.page: hidden.Page | None = None
        self.memory = Memory()
        # Apart, for reports are read while the next scan runs.
        self.parts = Memory()


def scan(
    source: Source,
    engine: Engine,
    *,
    path: str = "",
    root: str = "",
    count: Callable[[str], int] | None = None,
    file: FileKind | None = None,
    past: Past | None = None,
) -> Report:
    """The report on a text.

    `path` (posix, absolute or relative) decides its kind unless `file` gives it, `root` (a prefix of it) whether
    it is nested in the workspace. `count` counts tokens; without it no figure rests on them. `past` is what earlier
    scans of the same document left, with whatever text, engine or kind; this one leaves its own in it. Raises only
    what `count` raises.
    """
    past = past if past is not None else Past()
    memory = past.memory
    file = file or engine.kinds.match(path) or PLAIN
    nested = bool(file.root.strip("/")) and file.root.rstrip("/") != root.rstrip("/")
    page = past.page = hidden.Page.of(source, file, rendered=is_rendered(path), before=past.page)
    header = page.header
    spans = hidden.find(page)
    document = Document(page, spans, engine.matcher, nested, memory)
    found = run(document, engine.ruleset, engine.policy.adjust(path))
    judged = engine.policy.judge(found, source, path)
    findings = list(judged.findings)
    yardstick, hosts, hidden_tokens = None, {}, None
    sections = partial(_sections, page)
    if count is not None:
        remembered = partial(memory.recall, count)
        tally = Tally(source.text, page.starts, _pieces(page, count), remembered)
        sections = partial(_sections, page, tally.counting(partial(past.parts.recall, count)), past.parts)
        findings, hidden_tokens = _counted(findings, source, remembered)
        parts = Parts(source.text, path, header, spans)
        yardstick = _yardstick(header, parts, tally.count(0, len(source.text)), remembered)
        body = tally.count(page.body, len(source.text))
        known = ((source.text, yardstick.invoked), (source.text[page.body :], body))
        hosts = host_figures(file, parts, nested, header, _knowing(known, remembered))
    report = Report(
        source,
        file,
        tuple(findings),
        grade(findings, engine.scale),
        yardstick,
        hosts,
        hidden_tokens,
        sections,
        # One that no rule speaks of is out of the way rather than hidden: the end of a long line, an own key.
        tuple(document.describe(one) for one in spans if one.rule),
        _secrets(document, findings, engine.ruleset),
        judged.unmatched,
    )
    memory.turn()
    return report


def is_rendered(path: str) -> bool:
    """Whether readers see a page made from the file; data files are shown as they are written."""
    return not path.lower().endswith((".toml", ".xml", ".json", ".yaml", ".yml", ".txt"))


def _secrets(document: Document, findings: Iterable[Finding], ruleset: Ruleset) -> tuple[Span, ...]:
    """What is a secret by its form, in any spelling; hidden spans that decode to one; what a rule says is one."""
    found = list(document.secrets())
    recall = document.memory.recall
    written = masking.merged(found)
    masks = {rule.id for rule in ruleset.rules if rule.masks}
    wider = [hidden.span for hidden, scan in document.decoded if recall(masking.places, scan.text)]
    wider += [finding.span for finding in findings if finding.rule in masks]
    # The words around a secret that is known to the letter are no secret.
    return masking.merged((*written, *(span for span in wider if not _meets_any(span, written))))


def _meets_any(span: Span, secrets: Sequence[Span]) -> bool:
    index = bisect_right(secrets, span.start, key=lambda secret: secret.end)
    return index < len(secrets) and secrets[index].start < span.end


def _sections(page: hidden.Page, tally: Tally | None = None, memory: Memory | None = None) -> tuple[SectionTokens, ...]:
    """The sections of a page with what they cost, if that is counted; `memory` keeps the counts of the tally."""
    found = tuple(
        SectionTokens(section, tally.count(*section.span) if tally is not None else None)
        for section in page.markup.sections()
    )
    if memory is not None:
        memory.turn()
    return found


def _pieces(page: hidden.Page, count: Callable[[str], int]) -> list[Piece]:
    """The passages of the page as pieces that are counted once."""
    return [
        kept[1] if (kept := passage.tokens) is not None and kept[0] is count else _piece(passage, count)
        for passage in page.pieces
    ]


def _piece(passage: Passage, count: Callable[[str], int]) -> Piece:
    former, passage.former = passage.former, None
    known = former.tokens if former is not None else None
    if former is not None and known is not None and known[0] is count:
        piece: Piece = known[1].edited(former.text, passage.text, count)
    else:
        piece = Piece.of(passage.text, count)
    passage.tokens = (count, piece)
    return piece


def _knowing(known: Sequence[tuple[str, int]], count: Callable[[str], int]) -> Callable[[str], int]:
    """`count`, for which some texts have been counted already."""

    def counted(text: str) -> int:
        # Compared one by one, for a key of a dictionary would be read from end to end.
        return next((tokens for one, tokens in known if one == text), None) or by_paragraphs(text, count)

    return counted


def _yardstick(
    header: frontmatter.Frontmatter | None, parts: Parts, invoked: int, count: Callable[[str], int]
) -> Figures:
    if header is None or not (header.get("name") or header.get("description")):
        return Figures(0, invoked)
    return Figures(count(f"{parts.name()}: {parts.value('description')}"), invoked)


def _counted(findings: list[Finding], source: Source, count: Callable[[str], int]) -> tuple[list[Finding], int]:
    """The findings with the cost of what is hidden, and that of all hidden spans together."""
    costs: dict[Span, int] = {}
    counted = []
    for finding in findings:
        if finding.hidden is None:
            counted.append(finding)
            continue
        span = finding.hidden.span
        if span not in costs:
            # What is strewn among words that everybody sees costs what it adds to them.
            costs[span] = count("".join(_slice(source, part) for part in finding.hidden.parts or (span,)))
        concealed = msgspec.structs.replace(finding.hidden, tokens=costs[span])
        counted.append(msgspec.structs.replace(finding, hidden=concealed))
    return counted, sum(costs.values())


def _slice(source: Source, span: Span) -> str:
    return source.text[span.start : span.end]
