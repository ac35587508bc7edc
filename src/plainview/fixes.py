"""What can be done about a finding with one keystroke: edits on the scanned text, made when they are asked for.

A deletion takes away what hides and what is hidden, and touches nothing else. A reveal leaves the words and
takes away what hides them, so that a reader of the page sees what the model reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from plainview.finding import Edit, Finding, Fix, Hidden, Span
from plainview.hidden.controls import CONTROL
from plainview.hidden.ordinary import without_use
from plainview.text import Source

_LINE_END = re.compile(r"(\r\n?|\n)")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_DEFINITION = re.compile(r"\[(?=[^\]]*\]:)")
_FENCE = re.compile(r"~~~")
_MARGIN = re.compile(r"[ \t>]*(?:(?:[-+*]|[0-9]{1,9}[.)])[ \t]+[ \t>]*)*")
_CONTAINER = re.compile(r"[ \t>]*")


Edits = tuple[Edit, ...]


def fixes(finding: Finding, source: Source) -> tuple[Fix, ...]:
    """The fixes for a finding in `source`, the deletion first; none where nothing is known that helps."""
    hidden = finding.hidden
    if hidden is None or hidden.channel not in _CHANNELS:
        return ()
    noun = _noun(hidden)
    delete, reveal = _CHANNELS[hidden.channel]
    found = []
    edits = delete(source, hidden) if hidden.closed else ()
    if edits:
        found.append(Fix(f"Delete the {noun}", edits, safe=False))
    edits = reveal(source, hidden) if hidden.decoded.strip() else ()
    if edits:
        found.append(Fix(f"Make the {noun} visible", edits, safe=False))
    return tuple(found)


def deletion(finding: Finding, source: Source) -> Edits:
    """The edits that delete what the finding is about; none where that is not known."""
    hidden = finding.hidden
    known = hidden is not None and hidden.channel in _CHANNELS and hidden.closed
    return _CHANNELS[hidden.channel][0](source, hidden) if hidden is not None and known else ()


def _noun(hidden: Hidden) -> str:
    """What is deleted or shown, in words that follow "the"."""
    if hidden.channel == "comment":
        return f"hidden {'comment' if hidden.form.endswith('comment') else hidden.form}"
    if hidden.channel == "element":
        return "hidden element"
    if hidden.form[:1].isdigit():
        return hidden.form.split(" ", 1)[1]
    return hidden.form


_Make = Callable[[Source, Hidden], Edits]


def _nothing(_source: Source, _hidden: Hidden) -> Edits:
    return ()


def _delete(source: Source, hidden: Hidden) -> Edits:
    """Deletes the span, with its line's end where it stands alone on its lines."""
    return (Edit(_whole_lines(source, hidden.span), ""),)


def _delete_exactly(_source: Source, hidden: Hidden) -> Edits:
    return (Edit(hidden.span, ""),)


def _delete_definition(source: Source, hidden: Hidden) -> Edits:
    """A definition goes with its lines; of a title or an image's text the words go, and the link stays."""
    return _delete(source, hidden) if hidden.form == "link definition" else (Edit(hidden.content, ""),)


def _reveal_definition(source: Source, hidden: Hidden) -> Edits:
    return _reveal_comment(source, hidden) if hidden.form == "link definition" else ()


def _delete_controls(source: Source, hidden: Hidden) -> Edits:
    """Deletes what does not show and leaves what does: a payload may be strewn between letters."""
    if hidden.plain:
        return _delete_exactly(source, hidden)
    return tuple(Edit(run, "") for run in _unseen(source, hidden))


def _reveal_comment(source: Source, hidden: Hidden) -> Edits:
    """A block as a quotation, words within a line as plain words."""
    said = source.text[hidden.content.start : hidden.content.end] if hidden.plain else hidden.decoded
    line = source.line_of(hidden.span.start)
    before = source.text[source.line_start(line) : hidden.span.start]
    if not hidden.block or not _MARGIN.fullmatch(before):
        return (Edit(hidden.span, _shown(said)),)
    return (Edit(hidden.span, _quoted(source, hidden.span, said)),)


def _reveal_info(source: Source, hidden: Hidden) -> Edits:
    """The words as a line above their fence."""
    line = source.line_of(hidden.span.start)
    start = source.line_start(line)
    margin = _CONTAINER.match(source.line_text(line))
    before = margin.group() if margin else ""
    ending = _ending(source, line)
    return (
        Edit(Span(start, start), f"{before}{_shown(hidden.decoded)}{ending}{before.rstrip()}{ending}"),
        Edit(hidden.span, ""),
    )


def _reveal_blanks(source: Source, hidden: Hidden) -> Edits:
    """Takes the blanks or empty lines away in front of what they push out of sight."""
    before = source.text[: hidden.span.start]
    start = len(before.rstrip())
    ending = _ending(source, source.line_of(start))
    same_line = source.line_of(start) == source.line_of(hidden.span.start)
    return (Edit(Span(start, hidden.span.start), " " if same_line else ending * 2),)


def _reveal_characters(source: Source, hidden: Hidden) -> Edits:
    """What the characters spell in their place, or their names where they spell nothing or stand among others."""
    if hidden.plain:
        ending = "\r\n" if "\r\n" in source.text else "\n"
        return (Edit(hidden.span, hidden.decoded + ending),)
    runs = _unseen(source, hidden)
    if hidden.covert and hidden.channel == "characters" and runs == (hidden.span,):
        return (Edit(hidden.span, _shown(hidden.decoded)),)
    return tuple(
        Edit(run, "".join(f"[U+{ord(character):04X}]" for character in source.text[run.start : run.end]))
        for run in runs
    )


def _reveal_decoded(_source: Source, hidden: Hidden) -> Edits:
    return (Edit(hidden.span, hidden.decoded),)


def _unseen(source: Source, hidden: Hidden) -> tuple[Span, ...]:
    """The runs of a span that do not show, next to each other as one."""
    text = source.text[hidden.span.start : hidden.span.end]
    if hidden.channel == "control characters":
        return tuple(_moved(one.start(), one.end(), hidden.span) for one in CONTROL.finditer(text))
    runs: list[Span] = []
    for run in without_use(text):
        place = _moved(run.start, run.end, hidden.span)
        if runs and runs[-1].end == place.start:
            place = Span(runs.pop().start, place.end)
        runs.append(place)
    return tuple(runs)


def _moved(start: int, end: int, within: Span) -> Span:
    return Span(within.start + start, within.start + end)


_CHANNELS: dict[str, tuple[_Make, _Make]] = {
    "comment": (_delete, _reveal_comment),
    "element": (_delete, _reveal_comment),
    "attribute": (_delete_exactly, _nothing),
    "definition": (_delete_definition, _reveal_definition),
    "info string": (_delete_exactly, _reveal_info),
    "blanks": (_delete_exactly, _reveal_blanks),
    "control characters": (_delete_controls, _reveal_characters),
    "characters": (_delete_controls, _reveal_characters),
    "encoding": (_delete_exactly, _reveal_decoded),
    "header": (_delete, _nothing),
}


def _whole_lines(source: Source, span: Span) -> Span:
    """The span with its line's end, where it stands alone on its lines."""
    first, last = source.line_of(span.start), source.line_of(max(span.end - 1, span.start))
    before = source.text[source.line_start(first) : span.start]
    after = source.text[span.end : source.line_end(last)]
    if before.strip() or after.strip():
        return span
    end = source.line_start(last + 1) if last + 1 < source.line_count else len(source.text)
    return Span(source.line_start(first), end)


def _quoted(source: Source, span: Span, said: str) -> str:
    """A block's words as a quotation that takes its place within the containers around it."""
    first = source.line_of(span.start)
    before = source.text[source.line_start(first) : span.start]
    margin = "".join(character if character in " \t>" else " " for character in before)
    ending = _ending(source, first)
    lines = list(_without_margin(said, len(margin)))
    quoted = (ending + margin).join(f"> {line}" if line else ">" for line in lines)
    return quoted + _separation(source, span.end, ending + margin)


def _without_margin(said: str, width: int) -> Iterator[str]:
    """The lines of a comment as they are shown, the later ones without the marks of the containers around it."""
    for number, line in enumerate(_LINE_END.split(said)[::2]):
        margin = _CONTAINER.match(line) if number else None
        kept = line[min(margin.end(), width) :] if margin else line
        yield _shown(kept).rstrip()


def _separation(source: Source, end: int, line_break: str) -> str:
    """What has to stand between a quotation and the text behind it so that it does not go on with it."""
    line = source.line_of(end)
    if source.text[end : source.line_end(line)].strip():
        return line_break * 2
    following = source.line_text(line + 1) if line + 1 < source.line_count else ""
    return line_break.rstrip(" \t") if following.strip(" \t>") else ""


def _ending(source: Source, line: int) -> str:
    """The line end in use at `line`, a line feed where it is the only line."""
    if line + 1 == source.line_count:
        return "\n" if not line else _ending(source, line - 1)
    return source.text[source.line_end(line) : source.line_start(line + 1)]


def _shown(text: str) -> str:
    """Text that Markdown shows: no tag, comment, link definition, code or fence begins in it.

    Character references, for a backslash may itself stand behind one.
    """
    return _DEFINITION.sub(r"\\[", _FENCE.sub("&#126;~~", _TAG.sub("&lt;", text.replace("`", "&#96;"))))
