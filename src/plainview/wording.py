"""Every sentence that people read, for terminal, hover and diagnostics alike.

Scanned text is data: whatever is quoted from it goes through `scanned` or `decoded` (secrets masked), then `quote`
(capped, on one line) or `visible`, which write out what cannot be seen and what a build server obeys; the writer of
each format escapes the rest.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from plainview import masking
from plainview.config import Acceptance
from plainview.finding import Confidence, Finding, Hidden, Severity, Span
from plainview.hidden.notations import DRAWN
from plainview.markup import Section
from plainview.policy import ALL, Weakened
from plainview.scan import Report
from plainview.unicode_sets import IGNORABLE

YARDSTICK = "o200k_base: exact for GPT models, a yardstick for others"
_QUOTE_LENGTH = 96
_BLANKS = re.compile(r"\s+")
_RULERS = re.compile(r"([-=*_#~+.])\1{3,}")
_IGNORABLE = re.compile(f"[{IGNORABLE}]")
# What build servers obey anywhere in a line ("##vso[task.setvariable]", "##[error]"), and at its head ("::error::").
_COMMAND = re.compile(r"#(?=#\w*\[)")
_LINE_COMMAND = re.compile(r"\s*(:)(?=:)")
_INVISIBLE = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})


def quote(text: str, length: int = _QUOTE_LENGTH) -> str:
    """Scanned text made safe to show: masked, one line of at most `length` code points, what is invisible written out.

    Of a text that is cut from a longer one only `quoted` knows which of its ends are parts of a secret.
    """
    # What is cut off anyway is not worth cleaning: a hidden span may be as long as the file.
    head = text[: length * 8]
    if len(head) < len(text):
        # The last word may be the beginning of a secret.
        head = head[: len(head.rstrip()) - len(head.split()[-1])] if len(head.split()) > 1 else head
    plain = _BLANKS.sub(" ", _RULERS.sub(" ", masking.mask(head))).strip()
    cut = len(plain) > length or len(head) < len(text)
    shown = _written_out(plain[:length])
    return shown[: length - 2].rstrip() + " …" if cut or len(shown) > length else shown


def scanned(report: Report, span: Span) -> str:
    """The text of a span with its secrets masked; one that reaches out of the span too."""
    return masking.cut(report.source.text, report.secrets, *span)


def quoted(report: Report, span: Span, length: int = _QUOTE_LENGTH) -> str:
    """`quote` of the text of a span."""
    return quote(scanned(report, span), length)


def decoded(hidden: Hidden, report: Report) -> str:
    """What a hidden span says, with its secrets masked, those of an encoding within it too."""
    text, said = report.source.text, hidden.decoded
    if said == text[hidden.content.start : hidden.content.end]:
        return masking.cut(text, report.secrets, *hidden.content)
    masked = masking.mask(said)
    if masked == said and masking.is_one(hidden.span, report.secrets):
        # A rule has found it in another reading than the one that would be shown.
        return masking.label(said)
    return masked


def shown_path(path: str) -> str:
    """A path as output may show it, at the beginning of a line too: masked, what cannot be seen written out."""
    shown = _written_out(masking.mask(path))
    command = _LINE_COMMAND.match(shown)
    return shown[: command.start(1)] + _escaped(":") + shown[command.end(1) :] if command else shown


def _written_out(text: str) -> str:
    """Text with what cannot be seen written out; the selector that makes a symbol an emoji stays with it."""
    if "##" in text:
        text = _COMMAND.sub(lambda mark: _escaped(mark.group()), text)
    if text.isascii() and text.isprintable():
        return text
    pairs = zip(" " + text, text, strict=False)
    return "".join(
        one if _is_visible(one) or (one == "\ufe0f" and last > "\x7f") else _escaped(one) for last, one in pairs
    )


def _is_visible(character: str) -> bool:
    if character == " " or unicodedata.category(character) not in _INVISIBLE:
        return not _IGNORABLE.match(character)
    return False


def _escaped(character: str) -> str:
    return f"\\u{{{ord(character):04x}}}"


def number(count: int) -> str:
    """A count with a comma between thousands."""
    return f"{count:,}"


def plural(count: int, noun: str) -> str:
    """`1 file`, `2,640 tokens`."""
    return f"{number(count)} {noun}" if count == 1 else f"{number(count)} {noun}s"


def percent(part: int, whole: int) -> str:
    """A share with one decimal."""
    return f"{100 * part / whole:.1f} %" if whole else "0.0 %"


def listed(names: tuple[str, ...] | list[str], most: int = 3) -> str:
    """Names joined as in a sentence; beyond `most` only their number."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


# Rules whose message is what the sentence on hidden text says anyway.
_SAY_IT_ALL = frozenset({"hidden-comment", "hidden-instructions"})


def sentences(finding: Finding, report: Report) -> str:
    """What a finding says: what the model is told, then why it matters."""
    message = finding.message
    if finding.respelled is not None:
        message += " It is spelled so that it does not look like it."
    if finding.hidden is not None:
        said = _hidden_sentence(finding, report)
        return said if finding.rule in _SAY_IT_ALL else f"{message} {said}"
    if finding.softened is not None:
        return f"{message} Here it is {finding.softened}, so it is no order."
    return message


def _hidden_sentence(finding: Finding, report: Report) -> str:
    hidden = finding.hidden
    if hidden is None:
        return ""
    subject = _subject(finding, report)
    cost = ""
    if hidden.tokens is not None and report.yardstick is not None:
        share = percent(hidden.tokens, report.yardstick.invoked)
        cost = f" ({plural(hidden.tokens, 'token')}, {share} of the file)"
    them = "them" if subject.startswith("these") else "it"
    return f"{_unseen(finding, subject)}; {reach(finding, report, them)}{cost}."


# Who does not see what is hidden in a channel, with "{}" for what it is; elsewhere it is the page's reader.
_UNSEEN = {
    "characters": "Neither an editor nor a page shows {}",
    "control characters": "A terminal does not show {} as the model reads it",
    "encoding": "A reviewer does not read {} at a glance",
    "blanks": "A reviewer does not come across {}",
    "header": "A page does not show {}",
    "references": "A reviewer does not come across {}",
}


def _unseen(finding: Finding, subject: str) -> str:
    from plainview.hidden.elements import is_shown_on_github

    hidden = finding.hidden
    if hidden is not None and is_shown_on_github(hidden.form):
        return f"A reviewer in an editor's preview does not see {subject}, which GitHub shows"
    channel = hidden.channel if hidden is not None else ""
    if hidden is not None and channel == "notation" and not hidden.form.startswith(DRAWN):
        return f"A reader of the page that its tool makes does not see {subject}, which GitHub shows"
    return _UNSEEN.get(channel, "A reviewer of the rendered page does not see {}").format(subject)


def _subject(finding: Finding, report: Report) -> str:
    """What is hidden, with "this" or "these": its lines where it fills them, else what hides it."""
    hidden = finding.hidden
    if hidden is None:
        return ""
    if hidden.form[:1].isdigit():
        return f"this {hidden.form[2:]}" if hidden.form.startswith("1 ") else f"these {hidden.form}"
    if hidden.channel in _UNSEEN or (
        report.source.lines_touched(hidden.span) == 1 and not _fills_line(report, finding)
    ):
        return f"this {hidden.form}"
    return "this line" if hidden.lines == 1 else f"these {number(hidden.lines)} lines"


def where_hidden(hidden: Hidden) -> str:
    """Where hidden text does not show, as a clause of which it is the subject."""
    from plainview.hidden.elements import is_shown_on_github

    if is_shown_on_github(hidden.form):
        return "GitHub shows it, and your preview does not"
    if hidden.channel == "notation" and not hidden.form.startswith(DRAWN):
        return "the tool whose notation it is does not show it; GitHub shows it as written"
    return _HIDDEN_WHERE.get(hidden.channel, "GitHub and your preview do not show it")


_HIDDEN_WHERE = {
    "characters": "no editor and no page shows it",
    "control characters": "a terminal does not show it",
    "encoding": "a reader sees the code, not what it says",
    "blanks": "it stands where a reader does not look",
    "references": "it stands where a reader does not look",
    "table": "GitHub drops it",
    "footnote": "GitHub and other renderers of footnotes drop it",
}


def _fills_line(report: Report, finding: Finding) -> bool:
    hidden = finding.hidden
    return hidden is not None and report.source.line_text(report.source.line_of(hidden.span.start)).lstrip().startswith(
        report.source.text[hidden.span.start : hidden.span.end]
    )


def reach(finding: Finding, report: Report, them: str) -> str:
    """Which hosts give hidden text to their model, and when, as a clause; `them` is the pronoun for the text."""
    host = report.file.host
    gives = finding.hidden.reach if finding.hidden is not None else ()
    when = _moment(report)
    if host is None:
        return f"a model that is given the file reads {them}"
    if host.name in gives:
        return f"{host.name} gives {them} to the model {when}"
    if report.file.kind.comments in ("block-stripped", "stripped"):
        others = tuple(name for name in gives if name != host.name)
        rest = f", but {listed(others)} {'gives' if len(others) == 1 else 'give'} {them} to the model" if others else ""
        return f"{host.name} leaves {them} out at load{rest}, and a model that opens the file reads {them}"
    if gives:
        return f"{listed(gives)} {'gives' if len(gives) == 1 else 'give'} {them} to the model"
    return f"whether {host.name} gives {them} to the model is not documented"


def _moment(report: Report) -> str:
    for load in report.file.kind.loads:
        if load.when.always:
            whole = {"body", "file"}
            return "in every session" if whole & set(load.session) else "on every invocation"
    return "when it loads the file"


class Excerpt(NamedTuple):
    """The line that a finding begins on, where to underline it (columns from 0), and what the rest holds."""

    line: int
    text: str
    column: int
    width: int
    note: str


_LINE_LENGTH = 100
_LONG_NAMES = 40


def excerpt(finding: Finding, report: Report, length: int = _LINE_LENGTH) -> Excerpt:
    """What to show of the source for a finding: its first line, cut to `length`, and the gist of what is hidden."""
    source = report.source
    span = finding.hidden.span if finding.hidden and finding.itself else finding.span
    if finding.hidden is not None and len(finding.hidden.parts) > 1 and span == finding.hidden.span:
        # The words between the parts are no part of it.
        span = finding.hidden.parts[0]
    line = source.line_of(span.start)
    start, end = source.line_span(line)
    # A window around the finding, where the line is long.
    left = start if span.start - start < length - 20 else span.start - 20
    right = min(end, left + length)
    stop = min(span.end, right)
    before = ("…" if left > start else "") + visible(scanned(report, Span(left, span.start)))
    under = visible(_rest(report, Span(span.start, stop), left))
    after = visible(_rest(report, Span(stop, right), left)) + ("…" if right < end else "")
    if (
        finding.itself
        and finding.hidden is not None
        and finding.hidden.channel == "characters"
        and len(under) > _LONG_NAMES
    ):
        under = f"[{finding.hidden.form}]"
    last = source.line_of(max(span.end - 1, span.start))
    note = ""
    if finding.hidden is not None:
        note = _gist(finding, report, span in (finding.hidden.span, *finding.hidden.parts[:1]), last)
    elif last > line:
        note = f"to line {last + 1}"
    if finding.respelled is not None:
        note += f"{', ' if note else ''}reads “{quote(finding.respelled)}”"
    return Excerpt(line, before + under + after, len(before), max(len(under), 1), note)


def _rest(report: Report, span: Span, left: int) -> str:
    """`scanned`, behind text shown from `left` on: a secret that began there is shown already."""
    return masking.cut(report.source.text, report.secrets, *span, goes_on=span.start > left)


def _gist(finding: Finding, report: Report, whole: bool, last: int) -> str:
    """`comment, to line 9: “first words … the order in it”`."""
    hidden = finding.hidden
    if hidden is None:
        return ""
    source = report.source
    until = f", to line {last + 1}" if last > source.line_of(hidden.span.start) else ""
    if not whole:
        return f"in a comment{until}" if hidden.channel == "comment" else f"in this {hidden.form}{until}"
    whole_text = decoded(hidden, report)
    said = quote(whole_text)
    for related in finding.related[:1]:
        order = scanned(report, related.span).strip()
        if order and not whole_text.startswith(order):
            said = f"{quote(whole_text, 30).removesuffix(' …')} … {quote(order, 66)}"
    what = "comment" if hidden.form == "HTML comment" else hidden.form
    return f"{what}{until}: “{said}”" if said else f"{what}{until}"


def visible(text: str) -> str:
    """A line of scanned text as it is, with a tab as a blank and what cannot be seen written out."""
    return _written_out(text.replace("\t", " "))


def level(finding: Finding) -> str:
    """How grave a finding is, and where it is not sure what that means: `high, confidence medium`."""
    if finding.confidence is Confidence.HIGH or finding.severity is Severity.INFO:
        return finding.severity.word
    return f"{finding.severity.word}, confidence {finding.confidence.word}"


def weight(finding: Finding) -> str:
    """Why a finding that could weigh in the grade does not: `confidence medium: does not weigh in the grade`."""
    if finding.counts or finding.severity is Severity.INFO:
        return ""
    why = f"confidence {finding.confidence.word}" if finding.security else "no matter of security"
    if finding.accepted is not None:
        why = "accepted"
    return f"{why}: does not weigh in the grade"


def unweighed(findings: Iterable[Finding]) -> str:
    """`2 high do not weigh: they are not sure enough`, of what is high or worse; empty where there is none."""
    found = [
        one
        for one in findings
        if one.severity >= Severity.HIGH and one.security and one.accepted is None and not one.counts
    ]
    if not found:
        return ""
    verb, they = ("does", "it is") if len(found) == 1 else ("do", "they are")
    return f"{counts(found)} {verb} not weigh: {they} not sure enough"


def counts(findings: list[Finding]) -> str:
    """`2 high, 1 low`, worst first, info left out."""
    tally = dict.fromkeys(sorted(Severity, reverse=True), 0)
    for finding in findings:
        tally[finding.severity] += 1
    return ", ".join(f"{n} {severity.word}" for severity, n in tally.items() if n)


def section_place(section: Section, report: Report) -> str:
    """A section by where it stands, for those who must not read its title."""
    return f"section on line {report.source.line_of(section.heading.start) + 1}"


def accepted(findings: list[Finding]) -> str:
    """How many findings the configuration accepts, as the end of a sentence about it."""
    found = "finding is" if len(findings) == 1 else "findings are"
    return f"{number(len(findings))} {found} accepted here ({counts(findings)}); --no-accept counts them"


def weakened(one: Weakened) -> str:
    """What the configuration lowers or turns off, as the end of a sentence about it."""
    touched = plural(one.of, "rule") if one.rules == one.of else f"{number(one.rules)} of {plural(one.of, 'rule')}"
    if one.name == ALL:
        what = f"all {touched}" if one.rules == one.of else touched
    else:
        what = one.name if one.of == 1 else f"{one.name} ({touched})"
    where = f" in {listed([quote(path) for path in one.paths])}" if one.paths else ""
    if one.level is None:
        return f"turns {what} off{where}"
    before = f" from {one.was.word}" if one.was is not None else ""
    return f"lowers {what}{before} to {one.level.word}{where}"


def unmatched(one: Acceptance) -> str:
    """Why an acceptance does nothing."""
    return (
        f"matches no finding of {quote(one.rule)} in {shown_path(one.path)}: "
        "its text has changed since, or the finding is gone. Look again, then take this entry out"
    )


def kind_name(report: Report) -> str:
    """The kind of the file, for people."""
    return report.file.kind.name


def hidden_spans(report: Report) -> dict[Span, Finding]:
    """The hidden spans that findings speak of, each with the worst of these; a tool's own markers are left out."""
    worst: dict[Span, Finding] = {}
    for finding in report.findings:
        if finding.hidden is None or finding.severity is Severity.INFO:
            continue
        held = worst.get(finding.hidden.span)
        if held is None or held.severity < finding.severity:
            worst[finding.hidden.span] = finding
    return worst


def summary(report: Report) -> str:
    """The file in one line: what it costs, its grade, and how much of it is hidden."""
    parts = ["counting tokens"]
    if report.cost is not None:
        session, invoked = report.cost.session, report.cost.invoked
        parts = [f"{plural(session, 'token')} every session", f"{number(invoked)} once invoked"]
    parts.append(f"grade {report.grade.letter}")
    shown = hidden_spans(report)
    if shown:
        quiet = len({hidden.span for hidden in report.hidden} - shown.keys())
        more = f" ({number(quiet)} more of severity info)" if quiet else ""
        parts.append(plural(len(shown), "hidden span") + more)
    return " · ".join(parts)
