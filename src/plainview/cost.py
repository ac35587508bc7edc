"""What each host loads of a file, in tokens: per session, and once the file is invoked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePosixPath

from plainview.finding import Span
from plainview.frontmatter import Frontmatter
from plainview.hidden import HiddenSpan
from plainview.kinds import Cut, FileKind, Kind, Piece, loads
from plainview.tokens import Figures

Counter = Callable[[str], int]

_VALUES = {"apply_to": "applyTo"}
# How a listing writes a name before what it names, and Claude Code a description before its `when_to_use`.
_AFTER_NAME = ": "
_BEFORE_WHEN = " - "


class Parts:
    """The pieces of one file that hosts load (`Piece`), as text."""

    def __init__(self, text: str, path: str, header: Frontmatter | None, hidden: Sequence[HiddenSpan]) -> None:
        self._text = text
        self._path = PurePosixPath(path)
        self._header = header
        self._hidden = hidden

    def name(self) -> str:
        """The header's name, else what the path gives."""
        return self.value("name") or self._path_name()

    def value(self, key: str) -> str:
        """A value of the header as text, "" where there is none."""
        return (self._header.text_of(key) or "") if self._header is not None else ""

    def piece(self, piece: Piece, kind: Kind) -> str:
        """One piece as the host of `kind` gives it to its model, comments that it strips left out."""
        body = self._header.body_start if self._header is not None else 0
        if piece == "name":
            return self.name()
        if piece == "stem":
            return self._path.name.split(".")[0]
        if piece == "path":
            return str(self._path)
        if piece == "body":
            return self._stripped(Span(body, len(self._text)), kind)
        if piece == "file":
            return self._stripped(Span(0, len(self._text)), kind)
        if piece == "first_paragraph":
            return self.value("description") or _first_paragraph(self._text[body:])
        return self.value(_VALUES.get(piece, piece))

    def _path_name(self) -> str:
        if self._path.name.lower() == "skill.md":
            return self._path.parent.name
        return self._path.name.split(".")[0]

    def _stripped(self, span: Span, kind: Kind) -> str:
        if kind.comments not in ("stripped", "block-stripped"):
            return self._text[span.start : span.end]
        kept, position = [], span.start
        for hidden in self._hidden:
            if hidden.channel == "comment" and (hidden.top or kind.comments == "stripped"):
                kept.append(self._text[position : hidden.span.start])
                position = max(position, hidden.span.end)
        kept.append(self._text[position : span.end])
        return "".join(kept)


def host_figures(
    file: FileKind, parts: Parts, nested: bool, header: Frontmatter | None, count: Counter
) -> dict[str, Figures]:
    """For each host that reads the file, by its display name, what it loads."""
    values = {entry.key: entry.value for entry in header.entries} if header is not None else None
    counted: list[tuple[str, int]] = []

    def tokens(text: str) -> int:
        # Few and long: compared one by one sooner than read from end to end for a key of a dictionary.
        known = next((tokens for one, tokens in counted if one == text), None)
        if known is None:
            known = count(text) if text else 0
            counted.append((text, known))
        return known

    figures: dict[str, Figures] = {}
    for reader in file.readers:
        load = loads(reader.kind, values, nested)
        session = _joined(load.session, load.session_cut, parts, reader.kind)
        invoked = _joined(load.invoked, None, parts, reader.kind)
        figures[reader.host.name] = Figures(tokens(session), tokens(invoked))
    return figures


def _joined(pieces: Iterable[Piece], cut: Cut | None, parts: Parts, kind: Kind) -> str:
    """The pieces in their order, a name before what it names, shortened where the host shortens them."""
    said = ""
    capped = ""
    for piece in pieces:
        text = parts.piece(piece, kind)
        if not text:
            continue
        if cut is not None and piece in cut.pieces:
            capped += (_BEFORE_WHEN if capped else "") + text
            continue
        said += (_AFTER_NAME if said else "") + text
    if cut is not None:
        capped = capped[: cut.at]
    if said and capped:
        return said + _AFTER_NAME + capped
    return said or capped


def _first_paragraph(body: str) -> str:
    for paragraph in re.split(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)", body.strip(), maxsplit=3):
        line = paragraph.strip()
        if line:
            return line.lstrip("# ")
    return ""
