"""The stages in which a text that may be respelled is written out plainly, each with its map to the one before."""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import accumulate, islice, pairwise, product

from plainview import lookalikes, together
from plainview.finding import Span
from plainview.fold import ALIKE, COMBINING, IGNORABLE, SPELLING, Folded
from plainview.respell import SIGNS, UPRIGHT

_Spot = tuple[int, int, str]

_LEET = {
    "0": "o", "1": "il", "2": "z", "3": "e", "4": "a", "5": "s", "6": "gb", "7": "t", "8": "b", "9": "g",
    "@": "a", "$": "s", "!": "il", "|": "li", "+": "t", "\u20ac": "e", "\u00a3": "l", "\u00a1": "i",
}  # fmt: skip
_STROKED = lookalikes.table(lookalikes.STROKED)
_TURNED = lookalikes.table(lookalikes.TURNED)
# Symbols that are letters, though Unicode does not class them so: circled, squared and regional ones.
_SYMBOLS = "\u249c-\u24e9\U0001f110-\U0001f189\U0001f1e6-\U0001f1ff"
_CAPITAL_I = "".join(chr(code) for code, letter in ALIKE.items() if letter in "il")

_TAG = r"</?[A-Za-z](?:[^<>\"']|\"[^\"<]{0,200}\"|'[^'<]{0,200}'){0,300}>"
_DESTINATION = (
    r"\((?:[^()\s<>]|\([^()\s]{0,80}\)){0,300}"
    r"(?:[ \t\n]{1,9}(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'))?[ \t]{0,9}\)"
)
_GAP = (
    r"(?:[ \t\u00a0]{1,9}|[ ]?[-._|/,:~+*\u00b7\u2022\u2013][ ]?"
    r"|[ \t]{0,3}(?:\r\n|\r|\n)[ \t>]{0,8}(?:[-*+] )?(?:(?:\r\n|\r|\n)[ \t>]{0,8})?)"
)
_MARKED = f"[{COMBINING}\u200b-\u200d\u2060\ufeff\u00ad]{{0,8}}"
_ONE = rf"(?:[^\W_]|[{_SYMBOLS}@$'\u2019]){_MARKED}"
# "'s", "'t" and the like.
_CLITIC = r"(?:['\u2019][a-z]{1,2})?"
_JOIN = r"[_.\-/+~\u00b7]"

_WRAPPING = re.compile(
    rf"<!--|{_TAG}|!\[[^\[\]\n]{{0,200}}\]{_DESTINATION}|\]{_DESTINATION}|\]\[[^\[\]\n]{{0,100}}\]|\[\^[^\[\]\s]{{1,40}}\]"
    rf"|!?\[|\]|&(?:#0*[0-9]{{1,7}};?|#[xX]0*[0-9a-fA-F]{{1,6}};?|[A-Za-z][A-Za-z0-9]{{1,31}};)|[*~`]+"
)
_BREAK = re.compile(
    r"</?(?i:br|div|p|hr|li|ul|ol|dl|dt|dd|table|t[rdh]|thead|tbody|h[1-6]|section|article|header|footer|blockquote"
    r"|pre|details|summary)\b"
)
# Gaps of one kind from which on letters are set apart.
_GAPS = 3
_SPACED = re.compile(rf"(?<![^\W_]){_ONE}(?:{_GAP}{_ONE}(?![^\W_])){{{_GAPS},}}")
_LETTER = re.compile(_ONE)
_JOINED = re.compile(
    rf"(?<![\w./\\=`@:#$+~\u00b7-])[A-Za-z]{{2,20}}({_JOIN})[A-Za-z]{{2,20}}{_CLITIC}(?:,?\1[A-Za-z]{{1,20}}{_CLITIC}){{2,}}"
    r"(?![\w(/=`+~\u00b7-]|\.\w)"
)
_CAMEL = re.compile(
    rf"(?<![\w./\\=`@:#$-])[A-Za-z][a-z]{{1,19}}(?:[A-Z][a-z]{{0,19}}{_CLITIC}){{2,}}(?![\w(/=`-]|\.\w)"
)
_HUMP = re.compile(r"(?<=[a-z\u2019])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Words of what is upside down, the last before the first and the first behind the last of plain letters alone.
_FLIPPED = re.compile(
    rf"(?:(?<![^\W_])([bdlnopqsuxz]{{1,4}})\s)?[^\W_{UPRIGHT}]{{0,40}}[{UPRIGHT}]"
    rf"(?:[^\s.,;:!?]{{0,40}}\s{{1,3}}(?:(?:[^\s{UPRIGHT}]{{1,3}}|[bdlnopqsuxz]{{4,6}})\s)?[^\s{UPRIGHT}]{{0,40}}[{UPRIGHT}])*"
    rf"[^\W_]{{0,40}}(?:\s([bdlnopqsuxz]{{1,4}})(?![^\W_]))?"
)
_TURNED_LETTER = re.compile(f"[{UPRIGHT}]")
_CHARACTER = rf"(?:[^\W_]|[{SIGNS}{_SYMBOLS}{COMBINING}\u00ad\u200b-\u200d\u2060\ufeff])"
_TOKEN = re.compile(f"{_CHARACTER}+")
# All but short words in the usual case: by far the most tokens, of which nothing is asked.
_UNPLAIN = re.compile(f"(?<!{_CHARACTER})(?!(?:[A-Za-z][a-z]{{0,7}}|[A-Z]{{1,8}})(?!{_CHARACTER})){_CHARACTER}+")
_PLAIN_TOKEN = re.compile(r"[A-Za-z]?[a-z]*|[A-Z]*|[0-9]*")
# A word of letters and digits or signs.
_MIXED = re.compile(
    rf"(?<![^\W_])[0-9{SIGNS}]{{0,6}}[A-Za-z][A-Za-z0-9{SIGNS}]{{0,20}}[0-9{SIGNS}][A-Za-z]{{0,20}}(?![^\W_])"
)
_UNSEEN_MARKS = re.compile(f"{IGNORABLE.pattern}|[{COMBINING}]")
# Letters of the longest known word, and from which on a word that is not known may be several without blanks.
_LONGEST = 20
_SQUEEZED = 9
_WRAPPED = re.compile(r"(?<![\w-])[A-Za-z]{2,20}-[ \t]{0,9}\r?\n[ \t>]{0,9}[a-z]{2,20}(?![\w-])")
# One letter to a line, blank lines between.
COLUMN = re.compile(
    rf"(?m)^[ \t>]{{0,8}}{_ONE}[ \t]{{0,8}}(?:[\r\n][\r\n \t>]{{0,8}}{_ONE}[ \t]{{0,8}}){{4,}}(?=[\r\n]|\Z)"
)


# What a text shows that holds some of the above, for RE2: too much rather than too little.
_CLITIC_SIGN = r"(?:['\x{2019}][a-z]{1,2})?"
_JOINTS = tuple(
    rf"[A-Za-z]{{2}}{join}[A-Za-z]+{_CLITIC_SIGN},?{join}[A-Za-z]" for join in (*"_/~-", r"\.", r"\+", r"\x{b7}")
)
_HUMPS = (rf"[a-z][A-Z][a-z]*{_CLITIC_SIGN}[A-Z]",)
_ONE_SIGN = r"[A-Za-z0-9@$'\x{80}-\x{10ffff}][\x{80}-\x{10ffff}]*"
_GAP_SIGN = r"(?:[ \t\x{a0}]+|[ ]?[-._|/,:~+*\x{b7}\x{2022}\x{2013}][ ]?|[ \t]*[\r\n][ \t\r\n>]*(?:[-*+] )?[ \t\r\n>]*)"
_GAPPED = (rf"(?:^|[^A-Za-z0-9]){_ONE_SIGN}(?:{_GAP_SIGN}{_ONE_SIGN}){{{_GAPS}}}(?:$|[^A-Za-z0-9])",)
_CUT_WORDS = (r"[A-Za-z]-[ \t]*\r?\n[ \t>]*[a-z]",)
_DIGITS_AMID = (rf"[A-Za-z][0-9{SIGNS}]|[0-9{SIGNS}][A-Za-z]",)


def plainly(text: str, span: Span) -> Folded:
    """`text` within `span` as it may be meant, its letters in the case that they are written in.

    Joined words are parted, marks taken off, letters set apart closed up, and words respelled, in this order.
    """
    view = _rewrite(text, span, _split(text, span))
    for stage in (_unwrap, _close, _respell):
        view = _rewrite(view.text, None, stage(view.text), view)
    return view


def _rewrite(text: str, span: Span | None, spots: Iterable[_Spot], under: Folded | None = None) -> Folded:
    """`text` within `span` with each spot (start, end, replacement; in order) replaced, and the map back."""
    position, end = span or (0, len(text))
    pieces: list[str] = []
    new, old = [0], [position]
    length = 0
    for start, stop, replacement in spots:
        pieces += text[position:start], replacement
        length += start - position
        new += (length, length + len(replacement))
        old += (start, stop)
        length += len(replacement)
        position = stop
    pieces.append(text[position:end])
    new.append(length + end - position)
    old.append(end)
    return Folded("".join(pieces), new, old, under)


def comments(text: str, span: Span) -> Iterator[Span]:
    """What the comments within `span` say: the places between their marks, in order."""
    start = text.find("<!--", *span)
    while start >= 0:
        end = text.find("-->", start + 4, span.end)
        if end < 0:
            return
        yield Span(start + 4, end)
        start = text.find("<!--", end + 3, span.end)


def _may(signs: tuple[str, ...], text: str) -> bool:
    """Whether a text shows one of the signs (RE2's syntax), which takes a tenth of the time of looking for more."""
    return together.either(signs).search(text.encode("utf-8", "replace")) is not None


def _split(text: str, span: Span) -> Iterator[_Spot]:
    """Words run together by signs or by capital letters, and what is upside down."""
    spots = []
    if _may(_JOINTS, text[span.start : span.end]):
        for joined in _JOINED.finditer(text, *span):
            sign = joined[1]
            start = joined.start()
            spots += [(start + at, start + at + 1, " ") for at, letter in enumerate(joined.group()) if letter == sign]
    if _may(_HUMPS, text[span.start : span.end]):
        for camel in _CAMEL.finditer(text, *span):
            spots += [(at := camel.start() + hump.start(), at, " ") for hump in _HUMP.finditer(camel.group())]
    if _TURNED_LETTER.search(text, *span) is not None:
        spots += [_turned_over(flipped) for flipped in _FLIPPED.finditer(text, *span)]
    reached = span.start
    for spot in sorted(spots):
        if spot[0] >= reached:
            yield spot
            reached = spot[1]


def _turned_over(flipped: re.Match[str]) -> _Spot:
    """What is upside down, and the plain words beside it where they are words only when turned over too."""
    words = _vocabulary()
    text = flipped.string
    start, end = flipped.span()
    for group in (1, 2):
        beside = flipped[group]
        if beside and (beside in words or beside[::-1].translate(_TURNED) not in words):
            start, end = (flipped.end(1), end) if group == 1 else (start, flipped.start(2))
    written = text[start:end]
    turned = written[::-1].translate(_TURNED).lower()
    if sum(word in words for word in turned.split()) * 2 < len(turned.split()):
        return start, end, written
    # A blank more, so that no part of it has a place of its own: they run the other way.
    return start, end, turned + " "


def _unwrap(text: str) -> Iterator[_Spot]:
    """Comments, elements, links, images, entities and emphasis marks, of which only the text is left."""
    position = 0
    closes = True
    while (found := _WRAPPING.search(text, position)) is not None:
        start, stop = found.span()
        mark = found.group()
        position = stop
        if mark == "<!--":
            end = text.find("-->", stop) if closes else -1
            closes = end >= 0
            if closes:
                position = end + 3
                yield start, position, ""
        elif mark[0] == "<":
            yield start, stop, " " if _BREAK.match(mark) else ""
        elif mark[0] == "&":
            decoded = html.unescape(mark)
            yield start, stop, " " if decoded.isspace() else decoded
        elif mark.startswith("![") and len(mark) > 2:
            inside = text[start - 1 : start].isalnum() and text[stop : stop + 1].isalnum()
            yield start, stop, "" if inside else mark[2 : mark.index("]")]
        else:
            yield start, stop, ""


def _close(text: str) -> Iterator[_Spot]:
    """Letters set apart: the gap that occurs most is none, wider ones are the blanks between words."""
    if not _may(_GAPPED, text):
        return
    for spaced in _SPACED.finditer(text):
        letters = list(_LETTER.finditer(text, *spaced.span()))
        if sum(one.group()[0].isalpha() or one.group()[0] > "\x7f" for one in letters) * 3 < len(letters):
            continue
        gaps = [(one.end(), other.start()) for one, other in pairwise(letters)]
        kinds = [text[start:stop] for start, stop in gaps]
        usual, times = max(Counter(kinds).items(), key=lambda kind: (kind[1], -len(kind[0])))
        if times < _GAPS:
            continue
        for (start, stop), kind in zip(gaps, kinds, strict=True):
            yield start, stop, "" if kind == usual else " "


def _respell(text: str) -> Iterator[_Spot]:
    """Words of look-alikes, digits and signs, and words without blanks between them."""
    wrapped = {one.start(): one for one in _WRAPPED.finditer(text)} if _may(_CUT_WORDS, text) else {}
    words = sum(_known(one.group()) is not None for one in _MIXED.finditer(text)) if _may(_DIGITS_AMID, text) else 0
    reached = 0
    tokens: Iterable[re.Match[str]] = _UNPLAIN.finditer(text)
    if wrapped:
        found = {one.start(): one for one in tokens}
        found |= {start: one for start in wrapped if (one := _TOKEN.match(text, start)) is not None}
        tokens = [found[start] for start in sorted(found)]
    for token in tokens:
        start = token.start()
        if start < reached:
            continue
        if start in wrapped:
            joined = re.sub(r"[\s>-]+", "", wrapped[start].group()).lower()
            if joined in _vocabulary():
                reached = wrapped[start].end()
                yield start, reached, joined
                continue
        word = token.group()
        cuts = _cuts(word)
        if cuts is not None:
            for at in cuts:
                yield start + at, start + at, " "
            if words > 1 and word.isdigit() and len(word) < _SQUEEZED and (plain := _known(word)) is not None:
                yield start, token.end(), plain
            continue
        if _SUFFIX.search(text, max(start - 2, 0), start) and len(word) < 3 and (plain := _only(word)) in _SUFFIXES:
            yield start, token.end(), plain
            continue
        if _MAILBOX.match(text, start) is None or _known(word) is not None:
            yield from _word(word, start)


# An address of mail is no run of words with a sign for a letter.
_MAILBOX = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}\.[A-Za-z]{2}")
# What may follow a word behind an apostrophe.
_SUFFIX = re.compile(r"[^\W_]['\u2019]$")
_SUFFIXES = ("s", "t", "d", "m", "ll", "re", "ve")


def _word(word: str, start: int) -> Iterator[_Spot]:
    bare = _UNSEEN_MARKS.sub("", word)
    # A pipe by itself is one: what stands before it goes to a command.
    if not bare.strip("|"):
        return
    if len(bare) <= _LONGEST:
        lead = len(word) - len(word.lstrip(SIGNS))
        tail = min(len(word) - len(word.rstrip(SIGNS)), 3)
        for first, last in product({0: 0, lead: 0}, range(tail + 1)):
            core = word[first : len(word) - last]
            plain = _known(_UNSEEN_MARKS.sub("", core)) if core else None
            if plain is not None:
                if plain != core.lower():
                    yield start + first, start + len(word) - last, plain
                return
    plain = _only(bare)
    if plain is not None and len(plain) >= _SQUEEZED:
        parts = _segmented(plain)
        if len(parts) > 1:
            yield start, start + len(word), " ".join(parts)


@lru_cache(maxsize=4096)
def _known(word: str) -> str | None:
    """The known word that the spelling comes to, if any."""
    options = [_options(one) for one in word]
    if not all(options):
        return None
    words = _vocabulary()
    spellings = {"".join(spelling) for spelling in islice(product(*options), 64)} & words.keys()
    return min(spellings, key=lambda plain: (words[plain], plain), default=None)


def _only(word: str) -> str | None:
    """The likeliest letters that the spelling stands for; None where one of its characters stands for none."""
    options = [_options(one) for one in word]
    return "".join(one[0] for one in options) if all(options) else None


@lru_cache(maxsize=4096)
def _options(letter: str) -> str:
    """The lower-case letters that a character may stand for, the likeliest first; empty when none."""
    if letter.isascii() and letter.isalpha():
        return "il" if letter == "I" else letter.lower()
    if letter in _LEET:
        return _LEET[letter]
    plain = SPELLING.get(ord(letter)) or _indicator(letter) or unicodedata.normalize("NFKD", letter)[0].lower()
    if not (plain.isascii() and plain.isalnum()):
        tables = (ALIKE, _STROKED, _TURNED)
        plain = next((found for table in tables if (found := table.get(ord(letter)))), ALIKE.get(ord(plain), ""))
    if plain in ("i", "l") and letter in _CAPITAL_I:
        return "il" if plain == "i" else "li"
    return _LEET.get(plain, plain)


def _indicator(letter: str) -> str:
    offset = ord(letter) - 0x1F1E6
    return chr(ord("a") + offset) if 0 <= offset < 26 else ""


@lru_cache(maxsize=1 << 14)
def _cuts(word: str) -> tuple[int, ...] | None:
    """Where a blank parts the words that are run together in a word of plain letters or digits; None for another."""
    if not _PLAIN_TOKEN.fullmatch(word):
        return None
    lower = word.lower()
    if len(word) < _SQUEEZED or lower in _vocabulary():
        return ()
    return tuple(accumulate(map(len, _segmented(lower)[:-1])))


# What a letter of no known word costs, in words; and what a word of one letter or two costs more than others.
_UNKNOWN = 4.0
_SHORT = 0.9


@lru_cache(maxsize=4096)
def _segmented(word: str) -> tuple[str, ...]:
    """The fewest known words that the letters are made of; the word itself where much of it is of none."""
    words = _vocabulary()
    costs = [0.0]
    steps = [0]
    for end in range(1, len(word) + 1):
        best, step = costs[end - 1] + _UNKNOWN, 1
        for length in range(1, min(end, _LONGEST) + 1):
            rank = words.get(word[end - length : end])
            if rank is not None and costs[end - length] + rank < best:
                best, step = costs[end - length] + rank, length
        costs.append(best)
        steps.append(step)
    parts: list[str] = []
    end = len(word)
    unknown = 0
    while end:
        part = word[end - steps[end] : end]
        unknown += part not in words
        parts.append(part)
        end -= steps[end]
    return tuple(parts[::-1]) if unknown * 8 <= len(word) else (word,)


@cache
def _vocabulary() -> dict[str, float]:
    """The known words, each with its cost: rarer and shorter ones explain less."""
    from plainview.words import WORDS

    return {word: 1 + rank / len(WORDS) + (_SHORT if len(word) < 3 else 0) for rank, word in enumerate(WORDS)}
