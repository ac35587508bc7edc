"""What can be done about a finding with one keystroke: edits on the scanned text, made when they are asked for.

A deletion takes away what hides and what is hidden, and touches nothing else. A reveal leaves the words and
takes away what hides them, so that a reader of the page sees what the model reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from plainview.finding import Edit, Finding, Fix, Hidden, Place, Span
from plainview.hidden.controls import CONTROL
from plainview.hidden.notations import DRAWN
from plainview.hidden.ordinary import without_use
from plainview.text import Source

_LINE_END = re.compile(r"(\r\n?|\n)")
_PARAGRAPH = re.compile(r"(?:\r\n?|\n)[ \t>]*(?:\r\n?|\n)")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
# What opens a comment of MDX, of Obsidian, of a template.
_NOTATION = re.compile(r"\{(?=[ \t]*[/%#{:!])|%(?=%)")
_DEFINITION = re.compile(r"\[(?=[^\]]*\]:)")
_FENCE = re.compile(r"~~~")
_FENCE_END = re.compile(r" {0,3}(?:`{3,}|~{3,})")
# Blanks and empty lines that would push what follows out of sight.
_PUSHED = re.compile(r"[^\S\r\n]{16,}")
_EMPTY = re.compile(r"(?:(?:\r\n?|\n)[^\S\r\n]*){4,}")
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
    # What takes the place of a span that something else hides is hidden as well: what is around comes first.
    seen = hidden.place is not Place.UNSEEN and hidden.decoded.strip()
    edits = reveal(source, hidden) if seen else ()
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
    """Deletes the span, with its line's end where it stands alone on its lines.

    Within a line that begins with HTML it leaves the lines' ends that it spans: HTML goes on to the end of its line or
    to an empty one, and would swallow what follows.
    """
    span = hidden.span
    kept = _break(source, span)
    if kept is not None:
        return Edit(Span(span.start, kept.start), ""), Edit(Span(kept.end, span.end), "")
    return (Edit(_whole_lines(source, span), ""),)


def _delete_exactly(_source: Source, hidden: Hidden) -> Edits:
    return (Edit(hidden.span, ""),)


def _delete_definition(source: Source, hidden: Hidden) -> Edits:
    """A definition goes with its lines; of a title or an image's text the words go, and the link stays."""
    if hidden.form == "link definition":
        return _delete(source, hidden)
    return (Edit(_title(source.text, hidden.content) if hidden.form == "link title" else hidden.content, ""),)


def _title(text: str, words: Span) -> Span:
    """A link's title with its quotation marks and the blanks before it."""
    start = len(text[: words.start - 1].rstrip(" \t"))
    return Span(start, words.end + 1)


def _reveal_definition(source: Source, hidden: Hidden) -> Edits:
    return _reveal_comment(source, hidden) if hidden.form == "link definition" else ()


def _delete_controls(source: Source, hidden: Hidden) -> Edits:
    """Deletes what does not show and leaves what does: a payload may be strewn between letters."""
    if hidden.plain:
        return _delete_exactly(source, hidden)
    return tuple(Edit(part, "") for part in hidden.parts)


def _reveal_comment(source: Source, hidden: Hidden) -> Edits:
    """A block as a quotation, words within a line as plain words."""
    said = source.text[hidden.content.start : hidden.content.end] if hidden.plain else hidden.decoded
    line = source.line_of(hidden.span.start)
    before = source.text[source.line_start(line) : hidden.span.start]
    if not hidden.block or not _MARGIN.fullmatch(before):
        return (Edit(hidden.span, _shown(said)),)
    return (Edit(hidden.span, _quoted(source, hidden.span, said)),)


def _reveal_notation(source: Source, hidden: Hidden) -> Edits:
    """As a comment of HTML; of what stands in a diagram or a formula a drawing can show nothing."""
    return () if hidden.form.startswith(DRAWN) else _reveal_comment(source, hidden)


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
    if start == hidden.span.start:
        # The end of a long line is out of the way, and nothing pushes it there.
        return ()
    ending = _ending(source, source.line_of(start))
    same_line = source.line_of(start) == source.line_of(hidden.span.start)
    return (Edit(Span(start, hidden.span.start), " " if same_line else ending * 2),)


def _reveal_characters(source: Source, hidden: Hidden) -> Edits:
    """What the characters spell in their place, or their names where they spell nothing or stand among others."""
    if hidden.plain:
        ending = "\r\n" if "\r\n" in source.text else "\n"
        return (Edit(hidden.span, hidden.decoded + ending),)
    if hidden.covert and hidden.channel == "characters" and hidden.parts == (hidden.span,):
        return (Edit(hidden.span, _in_place(hidden)),)
    return tuple(Edit(part, _named(source.text[part.start : part.end])) for part in hidden.parts)


def _named(characters: str) -> str:
    """Characters by code point, but for the letters and digits of an escape sequence, which show without its escape."""
    return "".join(one if " " < one < "\x7f" else f"[U+{ord(one):04X}]" for one in characters)


def _reveal_decoded(source: Source, hidden: Hidden) -> Edits:
    """What the encoding says in its place: in code with its lines, in a text in one line, or as a quotation of its own.

    In a header and in data it would have to be written anew in their syntax, so it is left alone.
    """
    span, said = hidden.span, _legible(hidden.decoded)
    lines = [line.rstrip() for line in _LINE_END.split(said)[::2]]
    if hidden.place is Place.CODE:
        return (Edit(span, _as_code(source, span, lines)),)
    if hidden.place is Place.INLINE_CODE and "`" not in said:
        return (Edit(span, _one_line(said)),)
    if hidden.place is Place.CELL:
        return (Edit(span, _in_place(hidden)),)
    if hidden.place is Place.TEXT:
        quoted = len(lines) > 1 and _stands_alone(source, span)
        return (Edit(span, _quoted(source, span, said) if quoted else _in_place(hidden)),)
    return ()


def _stands_alone(source: Source, span: Span) -> bool:
    """Whether the span is all that stands on its lines but for the marks of a list or quotation."""
    first, last = source.line_of(span.start), source.line_of(max(span.end - 1, span.start))
    before = source.text[source.line_start(first) : span.start]
    return _MARGIN.fullmatch(before) is not None and not source.text[span.end : source.line_end(last)].strip()


def _as_code(source: Source, span: Span, lines: Sequence[str]) -> str:
    """Lines within a code block: behind the margin of the first, and none that ends the block."""
    line = source.line_of(span.start)
    margin = _CONTAINER.match(source.line_text(line))
    ending = _ending(source, line) + (margin.group() if margin else "")
    kept = [f"    {one}" if _FENCE_END.fullmatch(one) else one for one in lines]
    return ending.join([lines[0], *kept[1:]])


def _in_place(hidden: Hidden) -> str:
    """What hidden text says, in one line of a text or cell."""
    said = _shown(_one_line(_legible(hidden.decoded)))
    return said.replace("|", "\\|") if hidden.place is Place.CELL else said


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _legible(text: str) -> str:
    """Text with the names of characters in place of those that do not show, and not pushed out of sight."""
    parts: list[str] = []
    position = 0
    for run in without_use(text):
        parts += (text[position : run.start], _named(text[run.start : run.end]))
        position = run.end
    whole = CONTROL.sub(lambda found: _named(found.group()), "".join([*parts, text[position:]]))
    return _EMPTY.sub("\n\n", _PUSHED.sub(" ", whole)).strip()


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
    "notation": (_delete, _reveal_notation),
    "footnote": (_delete, _reveal_comment),
    "table": (_delete_exactly, _nothing),
    "references": (_delete_exactly, _reveal_comment),
}


def _break(source: Source, span: Span) -> Span | None:
    """The end of a line or of a block within a span that parts HTML before it from text behind it, if it does."""
    line = source.line_of(span.start)
    before = source.text[source.line_start(line) : span.start]
    after = source.text[span.end : source.line_end(source.line_of(max(span.end - 1, span.start)))]
    if not after.strip():
        return None
    breaks = [*_PARAGRAPH.finditer(source.text, span.start, span.end)]
    if not before.lstrip(" \t>").startswith("<"):
        # A block may have begun in the line above, and end at an empty line within the span.
        if not line or not source.line_text(line - 1).strip(" \t>"):
            return None
    elif not breaks:
        breaks = [*_LINE_END.finditer(source.text, span.start, span.end)]
    return Span(*breaks[-1].span()) if breaks else None


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
    """Text that Markdown shows: no tag, comment, link, image, link definition, code or fence begins in it.

    Character references, for a backslash may itself stand behind one.
    """
    text = _NOTATION.sub(lambda found: f"&#{ord(found.group())};", text)
    plain = _TAG.sub("&lt;", text.replace("`", "&#96;")).replace("![", "!&#91;").replace("](", "]&#40;")
    return _DEFINITION.sub(r"\\[", _FENCE.sub("&#126;~~", plain))
