"""What can be done about a finding with one keystroke: edits on the scanned text, made when they are asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plainview.finding import Edit, Finding, Fix, Hidden, Span
from plainview.text import Source

_LINE_END = re.compile(r"(\r\n?|\n)")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_DEFINITION = re.compile(r"\[(?=[^\]]*\]:)")
_FENCE = re.compile(r"~~~")
_MARGIN = re.compile(r"[ \t>]*(?:(?:[-+*]|[0-9]{1,9}[.)])[ \t]+[ \t>]*)*")
_CONTAINER = re.compile(r"[ \t>]*")


def fixes(finding: Finding, source: Source) -> tuple[Fix, ...]:
    """The fixes for a finding in `source`, the first the most thorough; none where nothing safe is known."""
    hidden = finding.hidden
    if hidden is None or hidden.channel != "comment":
        return ()
    noun = "comment" if hidden.form.endswith("comment") else hidden.form
    found = []
    if hidden.closed:
        found.append(Fix(f"Delete the hidden {noun}", (Edit(_whole_lines(source, hidden.span), ""),), safe=False))
    if hidden.decoded.strip():
        found.append(Fix(f"Make the hidden {noun} visible", (_revealed(source, hidden),), safe=False))
    return tuple(found)


def _whole_lines(source: Source, span: Span) -> Span:
    """The span with its line's end, where it stands alone on its lines."""
    first, last = source.line_of(span.start), source.line_of(max(span.end - 1, span.start))
    before = source.text[source.line_start(first) : span.start]
    after = source.text[span.end : source.line_end(last)]
    if before.strip() or after.strip():
        return span
    end = source.line_start(last + 1) if last + 1 < source.line_count else len(source.text)
    return Span(source.line_start(first), end)


def _revealed(source: Source, hidden: Hidden) -> Edit:
    """The edit that shows what a comment says: a block as a quotation, a comment within a line as plain words."""
    said = source.text[hidden.content.start : hidden.content.end]
    first = source.line_of(hidden.span.start)
    before = source.text[source.line_start(first) : hidden.span.start]
    if not hidden.block or not _MARGIN.fullmatch(before):
        return Edit(hidden.span, _shown(said))
    margin = "".join(character if character in " \t>" else " " for character in before)
    end_of_line = _ending(source, first)
    lines = list(_without_margin(said, len(margin)))
    quoted = (end_of_line + margin).join(f"> {line}" if line else ">" for line in lines)
    after = _separation(source, hidden.span.end, end_of_line + margin)
    return Edit(hidden.span, quoted + after)


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
