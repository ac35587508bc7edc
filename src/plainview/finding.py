"""What the engine says about a text: offsets only, no protocol types.

All offsets are code points from 0 into the scanned text; spans are half open.
"""

from __future__ import annotations

import enum
from typing import NamedTuple

import msgspec


class Severity(enum.IntEnum):
    """How much harm a finding means if it is right."""

    INFO = 0
    LOW = 1
    MEDIUM = 2
    HIGH = 3
    CRITICAL = 4

    @property
    def word(self) -> str:
        """The name that reports and rule files use, in lower case."""
        return self.name.lower()

    def raised(self) -> Severity:
        """One level up, critical at most."""
        return Severity(min(self + 1, Severity.CRITICAL))


class Confidence(enum.IntEnum):
    """How likely a finding is right; only HIGH counts for the grade."""

    LOW = 0
    MEDIUM = 1
    HIGH = 2

    @property
    def word(self) -> str:
        """The name that reports and rule files use, in lower case."""
        return self.name.lower()


class Span(NamedTuple):
    """A half-open range of code points."""

    start: int
    end: int

    def contains(self, other: Span) -> bool:
        """Whether `other` lies within this span."""
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Span) -> bool:
        """Whether the two share at least one code point."""
        return self.start < other.end and other.start < self.end


class Edit(msgspec.Struct, frozen=True, gc=False):
    """Replace the text of `span` by `text`."""

    span: Span
    text: str


class Fix(msgspec.Struct, frozen=True):
    """Edits that resolve a finding; `safe` means that no visible text and no instruction changes."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool


class Related(msgspec.Struct, frozen=True, gc=False):
    """A second place that belongs to a finding (the sink of a source, the comment around a phrase)."""

    span: Span
    message: str


class Place(enum.Enum):
    """What stands around a hidden span, which decides whether words put in its place show, and how they are written."""

    TEXT = "text"
    CELL = "table cell"
    CODE = "code"
    INLINE_CODE = "inline code"
    DATA = "header or data"
    UNSEEN = "what no page shows"


class Hidden(msgspec.Struct, frozen=True, gc=False):
    """What is known of the hidden text that a finding stands in or is about.

    `channel` says how it is hidden and `form` by what writing, `decoded` what it says, and `content` where that
    stands within `span`. `block` tells a span that is a block of its own from one within a line of text; nothing
    ends one that is not `closed`. `reach` names the hosts that give it to their model; `lines` is how many lines
    it touches and `tokens` what it costs (None when not counted). `orders` tells directives addressed to a model
    from a note among people, and `covert` a
    channel that no honest writer has a use for. `plain` is false where `decoded` is made of the text at `content`.
    `parts` are the ranges that do not show, where words that everybody sees stand between them, and `place` what the
    span stands in.
    """

    channel: str
    form: str
    span: Span
    content: Span
    decoded: str
    reach: tuple[str, ...]
    lines: int
    block: bool
    closed: bool
    tokens: int | None = None
    orders: bool = False
    covert: bool = False
    plain: bool = True
    parts: tuple[Span, ...] = ()
    place: Place = Place.TEXT


class Finding(msgspec.Struct, frozen=True):
    """One thing that a person should know about the text.

    `message` is the rule's sentence, `softened` why a phrase is taken for no order, `respelled` how a phrase reads
    that is spelled so that it does not look like it. `itself` tells a finding about hidden text as a whole from
    one about a phrase in it. `clause` is what a recorded
    decision about the finding rests on: the clause around a phrase, or the whole of a hidden span. `accepted` is the
    reason of such a decision, None where there is none.
    """

    rule: str
    category: str
    severity: Severity
    confidence: Confidence
    message: str
    span: Span
    clause: Span
    hidden: Hidden | None = None
    softened: str | None = None
    respelled: str | None = None
    itself: bool = False
    related: tuple[Related, ...] = ()
    security: bool = True
    accepted: str | None = None

    @property
    def counts(self) -> bool:
        """Whether the finding weighs in the grade: about security, of high confidence, and not accepted."""
        return self.security and self.confidence is Confidence.HIGH and self.accepted is None
