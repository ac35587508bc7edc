"""Token counts in o200k_base: exact whatever the text holds, and incremental.

o200k_base is what GPT models read and a yardstick for the others. All offsets are code points.

A count adds up exactly over pieces that are cut after a line feed whose next character is neither white
space nor "/". In the pattern below a line feed is matched only by `[\\r\\n/]*`, `\\s*[\\r\\n]+` and `\\s+`,
and none of them goes on with such a character. Nor can what follows the cut change what is matched before
it: white space that ends in a line feed is always taken by one of the first two, which do not look ahead.
"""

from __future__ import annotations

import re
import threading
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence, Set
from copy import copy
from itertools import accumulate
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from plainview.text import common_head, common_tail

if TYPE_CHECKING:
    import tiktoken

PATTERN = "|".join(
    (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    )
)
"""What cuts a text into the units that byte-pair merging works in: tiktoken's
`tiktoken_ext.openai_public.o200k_base`, whose constructor would download the vocabulary."""

SPECIAL = {"<|endoftext|>": 199999, "<|endofprompt|>": 200018}
"""From the same place; in a file they are ordinary text, and counted so."""

LONGEST_BLANK = 100_000
"""Code points. tiktoken's matcher keeps a stack entry for each blank that `\\s+(?!\\S)` takes, and panics when
there are a million (0.14.0: at 999,999 blanks without a line end)."""

# Unicode White_Space, the matcher's `\s`, without the line ends. Python's `\s` has U+001C to U+001F as well.
_BLANKS = (
    "\t\v\f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
_BLANK_RUN = re.compile(f"[{_BLANKS}]*")

_CUT = re.compile(r"\n(?=[^\s/])")
_PARAGRAPH = re.compile(r"\n\n(?=[^\s/])")

_lock = threading.Lock()
_encoding: tiktoken.Encoding | None = None


class CountError(Exception):
    """tiktoken failed on a text."""


class Figures(msgspec.Struct, frozen=True, gc=False):
    """What a file costs in tokens: loaded before anyone asks, and once it is used."""

    session: int
    invoked: int


def load() -> None:
    """Load the vocabulary and build tiktoken's tables unless that is done; any thread may call it.

    Holds the interpreter for most of the time that it takes (about 200 ms).
    Raises VocabularyError when the vocabulary is missing or damaged.
    """
    _loaded()


def count(text: str) -> int:
    """The number of o200k_base tokens of `text`; names of special tokens are ordinary text.

    Lone surrogates count as U+FFFD, which is what tiktoken makes of them.
    Raises VocabularyError as `load` does, and CountError when tiktoken fails.
    """
    encoding = _loaded()
    try:
        if len(text) < LONGEST_BLANK:
            return len(encoding.encode_ordinary(text))
        return _count_long(encoding, text)
    except BaseException as error:
        # A Rust panic is not an Exception: it would pass every handler and end the server.
        if type(error).__name__ == "PanicException":
            raise CountError(f"tiktoken cannot count this text: {error}") from None
        raise


def cuts(text: str, start: int = 0, end: int | None = None) -> list[int]:
    """All offsets in `text` strictly between `start` and `end` where counts add up exactly.

    The counts of the pieces add up to that of `text[start:end]`; so do spans whose ends are such offsets.
    """
    return [cut.end() for cut in _CUT.finditer(text, start, len(text) if end is None else end)]


# The lines of an edit are counted as they were and as they are: of more than half a text that costs more than the text.
_TWICE = 2
# How a piece begins and ends.
_OPENS, _CLOSES = 1, 2
# Two neighbours that cannot be cut apart, by how they end and begin.
_UNCUT = re.compile(rb"[\x00\x01](?=.)|.(?=[\x00\x02])", re.DOTALL)


class Piece(NamedTuple):
    """A stretch of a text: its tokens by itself, and by bits whether it can be cut off before (1) and behind (2)."""

    tokens: int
    edges: int

    @classmethod
    def of(cls, text: str, count: Callable[[str], int]) -> Piece:
        """The piece of that text. Raises what `count` raises."""
        return cls(count(text), _edges(text))

    def edited(self, old: str, new: str, count: Callable[[str], int]) -> Piece:
        """The piece of `new`, where this is that of `old`: only the lines in which they differ are counted.

        Raises what `count` raises.
        """
        head = common_head(old, new)
        tail = common_tail(old, new, min(len(old), len(new)) - head)
        # A cut stands between two characters: it holds while both do.
        start = max(cuts(new, 0, head), default=0)
        behind = _CUT.search(new, len(new) - tail)
        end = behind.end() if behind is not None else len(new)
        if end - start > len(new) // _TWICE:
            return Piece.of(new, count)
        before = count(old[start : end + len(old) - len(new)])
        return Piece(self.tokens - before + count(new[start:end]), _edges(new))


def _edges(text: str) -> int:
    return _OPENS * opens(text) | _CLOSES * text.endswith("\n")


class Tally:
    """Counts of parts of one text, each of its `pieces` counted once: nested parts cost no more.

    Counts add up over pieces that can be cut off from one another; others are counted together. Of a part that begins
    or ends within one, only what stands before the next cut and behind the last is counted. Raises what `count` raises.
    """

    def __init__(self, text: str, starts: Sequence[int], pieces: Sequence[Piece], count: Callable[[str], int]) -> None:
        """`starts` are the offsets at which the pieces begin, the first 0."""
        self._text = text
        self._count = count
        tokens = list(map(itemgetter(0), pieces))
        edges = bytes(map(itemgetter(1), pieces))
        uncut = {found.start() + 1 for found in _UNCUT.finditer(edges)}
        self._starts: list[int] = list(starts[: len(pieces)])
        self._before: list[int] = list(accumulate(tokens, initial=0))
        if uncut:
            self._join(tokens, uncut)
        self._starts.append(len(text))

    def _join(self, tokens: Sequence[int], uncut: Set[int]) -> None:
        """Counts pieces together with those behind them that cannot be cut off, which are those numbered `uncut`."""
        starts, self._starts, self._before = self._starts, [], []
        total = first = number = 0
        for number, start in enumerate(starts):
            if number not in uncut:
                if number - first > 1:
                    total += self._count(self._text[starts[first] : start]) - tokens[first]
                self._starts.append(start)
                self._before.append(total)
                total += tokens[number]
                first = number
        if number > first:
            total += self._count(self._text[starts[first] :]) - tokens[first]
        self._before.append(total)

    def counting(self, count: Callable[[str], int]) -> Tally:
        """This tally, where parts are counted by `count`."""
        other = copy(self)
        other._count = count
        return other

    def count(self, start: int, end: int) -> int:
        """The tokens of the text from `start` to before `end`, exactly what counting that part gives."""
        first = bisect_left(self._starts, start)
        last = bisect_right(self._starts, end) - 1
        if last < first:
            return self._part(start, end)
        between = self._before[last] - self._before[first]
        return self._part(start, self._starts[first]) + between + self._part(self._starts[last], end)

    def _part(self, start: int, end: int) -> int:
        return self._count(self._text[start:end]) if start < end else 0


def opens(piece: str) -> bool:
    """Whether counts add up where the piece begins behind a line feed."""
    return piece != "" and not piece[0].isspace() and piece[0] != "/"


def by_paragraphs(text: str, count: Callable[[str], int]) -> int:
    """The tokens of a text, its paragraphs counted one by one where that is exact: so `count` may remember them."""
    total = start = 0
    for cut in _PARAGRAPH.finditer(text):
        total += count(text[start : cut.end()])
        start = cut.end()
    return total + (count(text[start:]) if start < len(text) else 0)


def yardstick(
    name: str | None, description: str | None, whole_text: str, counter: Callable[[str], int] = count
) -> Figures:
    """The same measure for files of every kind, whatever their host loads.

    Per session: tokens of `name + ": " + description` (0 when the file has neither). Once invoked: tokens of
    `whole_text`, frontmatter included. Raises what `counter` raises.
    """
    header = 0 if name is None and description is None else counter(f"{name or ''}: {description or ''}")
    return Figures(session=header, invoked=counter(whole_text))


def _loaded() -> tiktoken.Encoding:
    global _encoding
    if _encoding is None:
        with _lock:
            if _encoding is None:
                import tiktoken

                from plainview.vocabulary import ranks

                _encoding = tiktoken.Encoding(
                    "o200k_base", pat_str=PATTERN, mergeable_ranks=ranks(), special_tokens=SPECIAL
                )
    return _encoding


def _count_long(encoding: tiktoken.Encoding, text: str) -> int:
    """Exact without showing tiktoken's matcher a long run of blanks.

    The pattern takes blanks that no line end follows as one unit, without the last one if anything follows.
    """
    total = done = 0
    for start, end in _long_blanks(text, LONGEST_BLANK):
        total += len(encoding.encode_ordinary(text[done:start]))
        done = end if end == len(text) else end - 1
        total += len(encoding._encode_single_piece(text[start:done]))
    return total + len(encoding.encode_ordinary(text[done:]))


def _long_blanks(text: str, limit: int) -> Iterator[tuple[int, int]]:
    """Runs of at least `limit` blanks (2 or more) that no line end follows."""
    end = 0
    # Such a run covers a multiple of `limit`: looking there only keeps this linear.
    for probe in range(0, len(text), limit):
        if probe < end or text[probe] not in _BLANKS:
            continue
        before = text[max(end, probe - limit) : probe]
        start = probe - len(before) + len(before.rstrip(_BLANKS))
        run = _BLANK_RUN.match(text, probe)
        end = run.end() if run else probe
        if end - start >= limit and text[end : end + 1] not in ("\r", "\n"):
            yield start, end
