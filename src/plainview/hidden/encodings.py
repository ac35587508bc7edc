"""Text that is written in an encoding: base64, hexadecimal, escapes, character codes, rot13 and their like.

A run of characters in the alphabet of an encoding is decoded; it counts only when the result reads as text, so
hashes, keys, images and identifiers never do. What is decoded is looked at again, for encodings are nested.
Each run is tried a bounded number of times, first by its head alone, and the volume per file is capped.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from plainview import late
from plainview.finding import Span
from plainview.hidden import decoders, signs
from plainview.hidden.language import Respelling, reads_as_text, respelled
from plainview.hidden.span import HiddenSpan, Page

CHANNEL = "encoding"
RULE = "encoded-text"

# How many encodings may lie in one another.
_DEPTH = 4
# Characters decoded of a text: so many for each of its own and some more, but never more than a million. What is
# beyond stays as it is written, and is scanned as that.
_VOLUME = 1 << 20
_LEAST = 1 << 12
_GROWTH = 16


class _Run(NamedTuple):
    """A run that was decoded: where it stands, its encodings from outside in, and the text within.

    It is `ordinary` where honest writers have a use for it: only words to a model count then.
    """

    start: int
    end: int
    names: tuple[str, ...]
    text: str
    ordinary: bool = False


class _Budget:
    """What is left of the volume that may be decoded."""

    def __init__(self, volume: int) -> None:
        self.left = volume

    @classmethod
    def of(cls, text: str) -> _Budget:
        """The budget of a text."""
        return cls(min(_LEAST + _GROWTH * len(text), _VOLUME))

    def take(self, size: int) -> bool:
        """Whether `size` more characters may be decoded; then they count as decoded."""
        self.left -= size
        return self.left >= 0


Family = Callable[[str, _Budget], Iterator[_Run]]
"""Finds the runs of an encoding and decodes them, before a look at what that says."""


def families(texts: Sequence[str]) -> list[tuple[Family, ...]]:
    """For each text, the families of which it shows a sign."""
    several = signs.of_each([_View(text).text.encode("utf-8", "replace") for text in texts], _HINTS)
    return [_shown(one) for one in several]


def find(page: Page, shown: tuple[Family, ...] | None = None) -> Iterator[HiddenSpan]:
    """Every run of the page, in code too, that decodes to text; the span is the run, `decoded` the innermost text.

    `shown` are the families of which the page shows a sign, if that is known.
    """
    view = _View(page.source.text)
    for run in _runs(view.text, _Budget.of(view.text), 1, shown):
        span = view.span(run.start, run.end)
        rule = "" if run.ordinary else RULE
        yield HiddenSpan(span, CHANNEL, _form(run.names), span, run.text, rule=rule, plain=False, strict=run.ordinary)


def decode(text: str) -> list[tuple[str, str]]:
    """The encoded runs of a text that another channel hides: what each is ("base64 text") and what it says."""
    view = _View(text)
    return [(_form(run.names), run.text) for run in _runs(view.text, _Budget.of(view.text), 1)]


def _form(names: Sequence[str]) -> str:
    return f"{names[0]} text" if len(names) == 1 else " inside ".join(reversed(names))


class _View:
    """The text without characters that nobody sees, and with compatibility forms of ASCII made plain."""

    def __init__(self, text: str) -> None:
        self._dropped: list[int] = []
        self.text = text
        if not text.isascii():
            text = _COMPATIBLE.sub(lambda found: _plain(found.group()), text)
            # The n-th character that is left out stands behind so many that are not.
            self._dropped = [found.start() - n for n, found in enumerate(_UNSEEN.finditer(text))]
            self.text = _UNSEEN.sub("", text) if self._dropped else text

    def span(self, start: int, end: int) -> Span:
        """The place in the whole text of a range that is not empty."""
        return Span(self._place(start), self._place(end - 1) + 1)

    def _place(self, offset: int) -> int:
        return offset + bisect_right(self._dropped, offset)


# Characters of no width that may stand within a run: Default_Ignorable_Code_Point (DerivedCoreProperties.txt,
# Unicode 16.0) without the fillers, which are letters.
_UNSEEN = late.pattern(
    "[\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)
# Full-width forms and mathematical alphanumerics.
_COMPATIBLE = re.compile("[\uff01-\uff5e\U0001d400-\U0001d7ff]")


@lru_cache(maxsize=2048)
def _plain(character: str) -> str:
    plain = unicodedata.normalize("NFKC", character)
    return plain if len(plain) == 1 and plain.isascii() else character


def _runs(text: str, budget: _Budget, depth: int, shown: tuple[Family, ...] | None = None) -> Iterator[_Run]:
    """The runs of the text that decode to text, in order and without overlap."""
    if shown is None:
        (shown,) = map(_shown, signs.of_each([text.encode("utf-8", "replace")], _HINTS))
    found = [run for family in shown for run in _resolved(family(text, budget), budget, depth)]
    reached = 0
    for run in sorted(found, key=lambda one: (one.start, -one.end)):
        if run.start >= reached:
            reached = run.end
            yield run


def _shown(of: signs.Signs) -> tuple[Family, ...]:
    found: list[Family] = []
    if of.runs:
        found.append(_letters)
    elif of.long_runs:
        found.append(_long_letters)
    if of.pieces:
        found.append(_pieces)
    if of.base85:
        found.append(_BASE85_RUNS)
    if of.base58:
        found.append(_BASE58_RUNS)
    if of.codes:
        found += _CODES
    if of.words:
        found.append(_spellings)
    return tuple(found)


def _resolved(found: Iterator[_Run], budget: _Budget, depth: int) -> Iterator[_Run]:
    for one in found:
        if not budget.take(len(one.text)):
            return
        inner = _innermost(one, budget, depth)
        if inner is not None:
            yield inner


def _innermost(found: _Run, budget: _Budget, depth: int) -> _Run | None:
    """The run with all that is encoded in its text decoded in place; None when that is no text."""
    names, text = found.names, found.text
    depth += len(names) - 1
    if depth < _DEPTH:
        inner = list(_runs(text, budget, depth + 1))
        if inner:
            longest = max(inner, key=lambda run: run.end - run.start)
            return _Run(found.start, found.end, names + longest.names, _replaced(text, inner), longest.ordinary)
    if _is_picture(text):
        # What a drawing says stands between its tags, in its comments and in its attributes.
        names, text = (*names, "picture"), _without_tags(text)
    if not reads_as_text(text):
        return None
    ordinary = found.ordinary or names[-1] == "picture" or _is_data(text)
    return _Run(found.start, found.end, names, text.strip(), ordinary)


def _replaced(text: str, runs: Sequence[_Run]) -> str:
    pieces: list[str] = []
    position = 0
    for run in runs:
        pieces += (text[position : run.start], run.text)
        position = run.end
    return "".join([*pieces, text[position:]]).strip()


def _is_picture(text: str) -> bool:
    return text.lstrip().startswith("<") and "<svg" in text[:2000]


# Where a tag or an attribute's value begins or ends.
_BOUND = re.compile(r"<!--|-->|[<>\"]|='|'(?=[\s/>])")
_SPEECH = re.compile(r"[^\W\d_]{2,}['\u2019]?[ ,\n]+[^\W\d_]{2,}")


def _without_tags(text: str) -> str:
    """The pieces of a drawing's source that hold two words or more in a row."""
    pieces = (piece.strip() for piece in _BOUND.split(text))
    return "\n".join(piece for piece in pieces if not piece.endswith("=") and _SPEECH.search(piece))


def _is_data(text: str) -> bool:
    """Whether text is an object or list of JSON, as requests carry them."""
    text = text.strip()
    return text[:1] + text[-1:] in ("{}", "[]") and '"' in text


# --- Base64, base32 and hexadecimal digits in one run -------------------------------------------------------------

_L = r"A-Za-z0-9+/_\-"
# Quotes that end one string and begin the next, an operator or a line's end between them.
_JOINT = r"[\"'][ \t]{0,8}[+.,&]?[ \t]{0,8}\\?(?:\r\n?|\n)?[ \t]{0,24}[+.]?[ \t]{0,4}[\"']"
# A line's end within a run, with the marks of a quotation, comment or list on the next line.
_WRAP = r"[ \t]{0,4}\\?(?:\r\n?|\n)(?:[ \t>#*|]|(?://|[-+])[ \t]){0,24}"
_CLOSED = r"(?=[ \t]{0,8}(?:\\?[\r\n]|[\"'`)|<]|$))"
_NEXT = late.pattern(rf"{_JOINT}([{_L}]+={{0,6}})(?=[\"'])|{_WRAP}([{_L}]{{4,}}={{0,6}}){_CLOSED}")
_FIRST = late.pattern(
    rf"[{_L}](?<![{_L}].)[{_L}]{{3,}}(?![{_L}])"
    rf"(?:(?<=[{_L}]{{16}})|(?=={{0,6}}(?:{_JOINT}|{_WRAP}[{_L}]{{4,}}={{0,6}}{_CLOSED})))={{0,6}}"
)
_LONG = re.compile(rf"(?<![{_L}])[{_L}]{{16,}}={{0,6}}")
# A run that is written from its end to its beginning.
_MIRRORED = re.compile(rf"=(?<![{_L}=]=)={{0,5}}[{_L}]{{15,}}")
_CHUNK = re.compile(rf"[{_L}]+={{0,6}}")
# Words, as wrapped prose has them; lines of an encoded text hardly ever look like that.
_ORDINARY = re.compile(r"[A-Z]?[a-z]{1,15}|[A-Z]{1,15}")
_HEX = re.compile(r"[0-9a-fA-F]+")
_BASE32 = re.compile(r"(?:[A-Z2-7]+|[a-z2-7]+)=*")
# The alphabets of hexadecimal digits and of base32, as they are and turned by thirteen letters.
_ALPHABETS = re.compile(r"[0-9a-fn-sA-FN-S]+|[A-Z2-7]+=*|[a-z2-7]+=*|=*[A-Z2-7]+|=*[a-z2-7]+")
# Parts of a path or of a name with hyphens.
_PART = re.compile(r"[A-Za-z0-9+]{16,}={0,2}")

_FEWEST = 16
# A run's head: a whole number of groups in base64, base32 and hexadecimal. What is noise shows there.
_HEAD = 24
# So many odd characters in a head do not make it noise.
_SLACK = 2
# The longest run that is decoded.
_LONGEST = decoders.LIMIT * 2

_Places = Sequence[tuple[int, int]]


def _long_letters(text: str, budget: _Budget) -> Iterator[_Run]:
    """The runs of a text in which none goes on behind a quotation mark or a line's end."""
    for run in _LONG.finditer(text):
        yield from _joined(text, [run.span()], budget)


def _letters(text: str, budget: _Budget) -> Iterator[_Run]:
    position = 0
    while (first := _FIRST.search(text, position)) is not None:
        places = [first.span()]
        position = first.end()
        while position - first.start() < _LONGEST and (later := _NEXT.match(text, position)) is not None:
            places.append(later.span(later.lastindex or 0))
            position = later.end()
        yield from _joined(text, places, budget)
    for mirrored in _MIRRORED.finditer(text):
        yield from _group(text, [mirrored.span()], budget)


def _joined(text: str, places: _Places, budget: _Budget) -> Iterator[_Run]:
    """What the places decode to when joined; else what those do that no ordinary word parts, or each of its own."""
    found = _group(text, places, budget)
    if found or len(places) == 1:
        yield from found or _parts(text, *places[0], budget)
        return
    part: list[tuple[int, int]] = []
    for place in [*places, (0, 0)]:
        if place[1] and not _ORDINARY.fullmatch(text, *place):
            part.append(place)
            continue
        found = _group(text, part, budget) or _group(text, part[:-1], budget)
        yield from found
        for one in () if found else part:
            yield from _group(text, [one], budget) or _parts(text, *one, budget)
        part = []


def _parts(text: str, start: int, end: int, budget: _Budget) -> Iterator[_Run]:
    for part in _PART.finditer(text, start, end):
        if part.span() != (start, end):
            yield from _group(text, [part.span()], budget)


def _group(text: str, places: _Places, budget: _Budget) -> list[_Run]:
    """The one reading of the joined places that may be text, if there is one."""
    run = "".join(text[start:end] for start, end in places)[:_LONGEST]
    if len(run) < _FEWEST or not (_is_mixed(run) or _ALPHABETS.fullmatch(run)):
        return []
    # Names and words come again and again, and are no more text than before.
    for outer, name, turned, to_bytes in _likely(run) if len(run) <= _REMEMBERED else _read_heads(run):
        read = _read(turned, to_bytes, budget)
        if read is not None:
            names, said = read
            return [_Run(places[0][0], places[-1][1], (*outer, name, *names), said)]
    return []


class _Reading(NamedTuple):
    """A way to read a run: what was done to it, the encoding's name, the run then, and how it is decoded."""

    outer: tuple[str, ...]
    name: str
    turned: str
    to_bytes: Callable[[str], bytes | None]


def _read_heads(run: str) -> tuple[_Reading, ...]:
    """The readings of a run whose heads may be text, or compressed."""
    found: list[_Reading] = []
    for outer, turned in ((), run), (("reversed",), run[::-1]), (("rot13",), decoders.rot13(run)):
        for name, to_bytes in _alphabets(turned):
            head = to_bytes(turned[:_HEAD].rstrip("="))
            if head is not None and (decoders.is_compressed(head) or decoders.text_of(head, _SLACK)):
                found.append(_Reading(outer, name, turned, to_bytes))
    return tuple(found)


# The longest run that is remembered, and how many are.
_REMEMBERED = 128
_likely = lru_cache(maxsize=1 << 13)(_read_heads)


def _alphabets(run: str) -> Iterator[tuple[str, Callable[[str], bytes | None]]]:
    """The encodings in whose alphabet the run is written."""
    if len(run) % 2 == 0 and _HEX.fullmatch(run):
        yield "hex", decoders.hex_bytes
    if _BASE32.fullmatch(run):
        yield "base32", decoders.base32_bytes
    if run.startswith("+") and run.endswith("-"):
        yield "UTF-7", decoders.utf7_bytes
    if _is_mixed(run):
        yield "base64", decoders.base64_bytes


def _is_mixed(run: str) -> bool:
    """Whether the run has letters of both cases, as text in base64 has; most names and paths have not."""
    return run.lower() != run != run.upper()


def _read(run: str, to_bytes: Callable[[str], bytes | None], budget: _Budget) -> tuple[tuple[str, ...], str] | None:
    """What the run decodes to, with the compression that was found within; None when it is not printed text."""
    pieces = [to_bytes(chunk) or b"" for chunk in _CHUNK.findall(run)]
    return _opened(b"".join(pieces)[: decoders.LIMIT], budget)


def _opened(data: bytes, budget: _Budget) -> tuple[tuple[str, ...], str] | None:
    """What the data say, and the compression that was found; noise behind a text does not hide it."""
    names: tuple[str, ...] = ()
    for _ in range(_DEPTH):
        content = decoders.inflated(data)
        if content is None or not budget.take(len(content)):
            break
        names, data = (*names, "gzip"), content
    text = decoders.text_of(data) or decoders.text_before_noise(data)
    return (names, text) if text else None


# A piece of a run that is cut up, and what stands between two pieces: blanks, the bars of a table, the marks of a list.
_PIECE = re.compile(rf"[{_L}]{{2,}}(?![{_L}])={{0,6}}(?![.)][ \t])")
_RULES = "-_/+"
_RULER = re.compile(r"[-_/+]+")
# What may begin that which stands between two pieces.
_PARTING = " \t|\\\r\n"
_BETWEEN = re.compile(r"[ \t|]{0,24}(?:\\?(?:\r\n?|\n)(?:[ \t>|#]|(?://|[-+*]|[0-9]{1,4}[.)])[ \t]){0,24})?")
_FEWEST_PIECES = 4
_LONGEST_PIECE = 76


def _pieces(text: str, budget: _Budget) -> Iterator[_Run]:
    """Runs that blanks, line ends, cells or list marks cut into pieces of one length, or into what are no words."""
    for row in _rows(text):
        for places in (row, row[1:], row[:-1]):
            found = _group(text, places, budget) if len(places) >= _FEWEST_PIECES else []
            yield from found
            if found:
                break


def _rows(text: str) -> Iterator[_Places]:
    """Pieces one behind the other: each is as long as the one before, or none of the two is a word."""
    row: list[tuple[int, int]] = []
    size = last = 0
    for found in _PIECE.finditer(text):
        start, end = found.span()
        # What is cheap to ask is asked first: a text of code is made of pieces, and few of them make a row.
        fits = False
        if row and (start == last or text[last] in _PARTING) and start - last < _LONGEST_PIECE:
            fits = end - start == size or _ORDINARY.fullmatch(text, start, end) is None
            fits = fits and _BETWEEN.fullmatch(text, last, start) is not None
        usable = end - start <= _LONGEST_PIECE and not (text[start] in _RULES and _RULER.fullmatch(text, start, end))
        if not fits or not usable:
            if len(row) >= _FEWEST_PIECES:
                yield row
            row = []
        if usable:
            row.append((start, end))
            size, last = end - start, end
    if len(row) >= _FEWEST_PIECES:
        yield row


# --- Base85 and base58, in one run ----------------------------------------------------------------------------------

_ASCII85 = r"<~[!-u\sz]{20,20000}~>"
_85 = r"-0-9A-Za-z!#$%&()*+;<=>?@^_{|}~"
# In quotation marks, or by itself; a mark of code ends a run that stands in such marks.
_BASE85 = rf"(?<=[\"'`])[{_85}]{{40,20000}}(?=[\"'`])|[{_85}](?<![!-~].)[{_85}`]{{39,20000}}(?![!-~])"
_BASE58 = r"[1-9A-HJ-NP-Za-km-z](?<![\w+/=].)[1-9A-HJ-NP-Za-km-z]{19,511}(?![\w+/=])"
# So many characters of base85 stand for a whole number of groups, enough to tell noise.
_HEAD85 = 20


def _ascii85(run: re.Match[str]) -> bytes | None:
    return decoders.ascii85_bytes(run.group()[2:-2])


def _base85(run: re.Match[str]) -> bytes | None:
    head = decoders.base85_bytes(run.group()[:_HEAD85])
    return decoders.base85_bytes(run.group()) if head is not None and decoders.text_of(head, _SLACK) else None


def _base58(run: re.Match[str]) -> bytes | None:
    letters = run.group()
    return decoders.base58_bytes(letters) if letters.lower() != letters != letters.upper() else None


# --- Escapes, references and codes, one for each character ----------------------------------------------------------

# Most characters of one run; a longer one is taken as several.
_MOST = 20000
_BREAK = r"(?:[ \t,:;|-]{1,3}(?:\r\n?|\n)?[ \t]{0,24}|(?:\r\n?|\n)[ \t]{0,24})"
_PAIRS = r"(?:0[xX])?(?:[0-9a-fA-F]{2}){1,4}"
# A pattern that begins with a literal or a set is found fast, so what stands before is looked at behind that.
_PAIR = r"[0-9a-fA-F](?<![\w.].)[0-9a-fA-FxX](?:[0-9a-fA-F]{2}){0,4}"
_ESCAPE = r"\\\\{0,3}(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]{1,6}\}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})"
_POINT = r"(?:[uU]\+|%[uU])[0-9a-fA-F]{4,6}"
_CSS = r"\\[0-9a-fA-F]{1,6}"
_ENTITY = r"&(?:amp;){0,3}#(?:[0-9]{1,7}|[xX][0-9a-fA-F]{1,6});?"
_CHR = r"\[?(?:chr|unichr|char|chrw)\b\]?[ (]{0,2}(?:0x[0-9a-f]{1,6}|[0-9]{2,7})\)?"
# With characters behind it that need no encoding, but no mark that ends what stands around it.
_PERCENT = r"%[0-9a-fA-F]{2}(?:[A-Za-z0-9_~+*/@$&=-]|[.,:;!?'()](?=[A-Za-z0-9%])){0,24}"
_BEGUN = re.compile(r"[A-Za-z0-9]+\Z")
_ADDRESS_BEFORE = re.compile(r"""(?:\]\(|[:/?=&#\\])[^\s"'`<(]*$""")
_DATA_BEFORE = re.compile(r"data:[\w/+.;=-]{0,80},$")
_ADDRESS_WITHIN = re.compile(r"[/?=&:]|\.[A-Za-z0-9]{1,5}$")
# A letter that needs no escape and has one is there to be overlooked; so many are no slip.
_NEEDLESS = 5
# At most one letter in so many is of ASCII in a text of another script.
_FEW = 4
# One hyphen for so many escapes makes ranges of them.
_RANGE = 3
# So many blanks part the words of a phrase.
_FEWEST_BLANKS = 3

# Most texts hold no needle of most encodings.
_compiled = lru_cache(maxsize=None)(re.compile)


def _codes(
    name: str,
    needles: tuple[str, ...],
    pattern: str,
    read: Callable[[re.Match[str]], bytes | str | None],
    *,
    mixed: bool = False,
) -> Family:
    """The family of an encoding of single characters.

    One of the `needles`, if there are any, is in every text that holds a run. `mixed` tells an encoding that may
    begin within a word.
    """

    def family(text: str, _: _Budget) -> Iterator[_Run]:
        if needles and not any(needle in text for needle in needles):
            return
        for run in _compiled(pattern).finditer(text):
            said = read(run)
            if isinstance(said, bytes):
                said = decoders.text_of(said)
            if said:
                begun = _BEGUN.search(text, max(run.start() - 24, 0), run.start()) if mixed else None
                start = begun.start() if begun else run.start()
                words = (text[start : run.start()] + said)[: decoders.LIMIT]
                yield _Run(start, run.end(), (name,), words, mixed and _is_needed(said))

    return family


def _hex_pairs(run: re.Match[str]) -> bytes | None:
    return decoders.hex_bytes(run.group())


def _bits(run: re.Match[str]) -> bytes | None:
    return decoders.binary_bytes(run.group())


def _decimal_codes(run: re.Match[str]) -> str | None:
    numbers = re.findall("[0-9]+", run.group())
    codes = [int(number) for number in numbers]
    called = run.string[max(run.start() - 16, 0) : run.start()].lower().endswith(("fromcharcode(", "fromcodepoint("))
    if max(codes) > 255 and not called:
        return None
    text = decoders.characters(codes)
    if (text is None or not reads_as_text(text)) and all(re.fullmatch("[0-3]?[0-7]{2}", one) for one in numbers):
        return decoders.characters(int(number, 8) for number in numbers)
    return text


def _chr_calls(run: re.Match[str]) -> str | None:
    return decoders.characters(int(number, 0) for number in re.findall("0[xX][0-9a-fA-F]+|[1-9][0-9]*", run.group()))


def _percent(run: re.Match[str]) -> bytes | None:
    data = decoders.percent_bytes(run.group())
    if _needless(re.findall("%[0-9a-fA-F]{2}", run.group()), decoders.percent_bytes):
        return data
    # Blanks and letters beyond ASCII have to be encoded in an address; elsewhere they have not.
    before = run.string[max(run.start() - 200, 0) : run.start()]
    is_address = _ADDRESS_BEFORE.search(before) or _ADDRESS_WITHIN.search(run.group())
    if _DATA_BEFORE.search(before):
        return data
    says_words = run.group().count("%20") >= _FEWEST_BLANKS or not data.isascii()
    return data if says_words and not is_address else None


def _escapes(run: re.Match[str]) -> str | None:
    return _spelled(run.group(), _ESCAPE, decoders.unescaped)


def _points(run: re.Match[str]) -> str | None:
    return decoders.characters(int(point[2:], 16) for point in re.findall(_POINT, run.group()))


def _css_escapes(run: re.Match[str]) -> str | None:
    return decoders.characters(int(point[1:], 16) for point in re.findall(_CSS, run.group()))


def _entities(run: re.Match[str]) -> str | None:
    return _spelled(run.group(), _ENTITY, decoders.entities)


def _spelled(run: str, mark: str, undo: Callable[[str], str | None]) -> str | None:
    """The run decoded, if its escapes spell words rather than what a text needs escaped, and no character class."""
    escapes = re.findall(mark, run)
    between = re.split(mark, run)
    if between.count("-") * _RANGE >= len(escapes):
        return None
    letters = sum(map(str.isalpha, undo("".join(escapes)) or ""))
    plain = sum(map(str.isalpha, "".join(between)))
    if letters < _NEEDLESS or (letters < plain and not _needless(escapes, undo)):
        return None
    return undo(run)


def _is_needed(said: str) -> bool:
    """Whether text has so few letters of ASCII that what writes ASCII alone has to escape it."""
    letters = [letter for letter in said if letter.isalpha()]
    return sum(map(str.isascii, letters)) * _FEW < len(letters)


def _needless(escapes: Sequence[str], undo: Callable[[str], str | bytes | None]) -> bool:
    said = undo("".join(escapes)) or ""
    text = said.decode("latin-1") if isinstance(said, bytes) else said
    return sum(letter.isascii() and letter.isalnum() for letter in text) >= _NEEDLESS


def _quoted_printable(run: re.Match[str]) -> bytes | None:
    return decoders.quoted_printable_bytes(run.group())


def _morse(run: re.Match[str]) -> str | None:
    # The rules of tables and pages are one letter over and over.
    if len(set(run.group().split())) < _NEEDLESS:
        return None
    return decoders.morse(run.group())


# --- Words that are spelled otherwise -------------------------------------------------------------------------------

_RESPELLINGS = (Respelling("rot13", decoders.rot13), Respelling("reversed", decoders.backwards))
_HINTS = tuple(frozenset(hint.encode() for hint in one.hints) for one in _RESPELLINGS)


def _spellings(text: str, _: _Budget) -> Iterator[_Run]:
    for respelling, start, end in respelled(text, _RESPELLINGS):
        yield _Run(start, end, (respelling.name,), respelling.undo(text[start:end])[: decoders.LIMIT])


_BASE85_RUNS = _codes("base85", (), _BASE85, _base85)
_BASE58_RUNS = _codes("base58", (), _BASE58, _base58)
_CODES: tuple[Family, ...] = (
    _codes("Ascii85", ("<~",), _ASCII85, _ascii85),
    _codes("hex", (), rf"{_PAIR}(?:{_BREAK}{_PAIRS}){{5,{_MOST}}}(?!\w)", _hex_pairs),
    _codes(
        "character-code",
        (),
        rf"[0-9](?<![\w.].)[0-9]{{1,5}}(?:{_BREAK}[0-9]{{2,6}}){{7,{_MOST}}}(?![\w.])",
        _decimal_codes,
    ),
    _codes(
        "character-code",
        ("hr(", "HR(", "har(", "har]", "HAR]"),
        rf"(?i:{_CHR}(?:[ +.&,]{{1,5}}{_CHR}){{5,{_MOST}}})",
        _chr_calls,
    ),
    _codes("binary", (), rf"[01](?<![\w.].)[01]{{7}}(?:{_BREAK}?[01]{{8}}){{7,{_MOST}}}(?!\w)", _bits),
    _codes("percent-encoded", ("%",), rf"{_PERCENT}(?:{_PERCENT}){{2,{_MOST}}}", _percent, mixed=True),
    _codes(
        "escaped",
        ("\\",),
        rf"{_ESCAPE}(?:[^\\\r\n]{{0,12}}{_ESCAPE}){{4,{_MOST}}}[A-Za-z]{{0,24}}",
        _escapes,
        mixed=True,
    ),
    _codes("code-point", ("U+", "u+", "%u", "%U"), rf"{_POINT}(?:[ ,;.]{{0,3}}{_POINT}){{7,{_MOST}}}", _points),
    _codes("CSS-escaped", ("\\",), rf"{_CSS}(?:[ ,]{{0,2}}{_CSS}){{7,{_MOST}}}", _css_escapes),
    _codes(
        "entity-encoded",
        ("&#", "&amp;"),
        rf"{_ENTITY}(?:[^&<\r\n]{{0,12}}{_ENTITY}){{4,{_MOST}}}[A-Za-z]{{0,24}}",
        _entities,
        mixed=True,
    ),
    _codes("quoted-printable", ("=",), rf"=[0-9A-F]{{2}}(?:=[0-9A-F]{{2}}){{7,{_MOST}}}", _quoted_printable),
    _codes("Morse", (), rf"[.-](?<![\w.-].)[.-]{{0,5}}(?:[ /|]{{1,3}}[.-]{{1,6}}){{9,{_MOST}}}(?![\w.-])", _morse),
)
