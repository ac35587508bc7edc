"""Whether characters are text that somebody wrote, and whether words read better when respelled.

The words are the commonest of English, Spanish, Portuguese, French, German and Italian, and those that orders to
a model and commands to a shell are made of. Other scripts speak for themselves: noise does not spell them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

_ENGLISH = """
a about after all also am an and any are as at be because been before but by can could do does don't each every
first for from get go had has have he her here him his how i if in into is it its just know like make may me more
most must my never no not now of on one only or other our out over please say see shall she should so some such
than that the their them then there these they this those through time to up us use very was we were what when
where which who why will with without would yes you your always again above below hello world
access admin agent answer api assistant bash call cat code command commands config contents context credentials curl
data delete directory disregard download echo email env environment eval everything exec execute exfiltrate file
files folder following forget guidelines hidden home http https ignore import instruction instructions key keys log
message messages mode model new notice open output override password post previous print prior private prompt pwned
python read reply report respond return reveal rules run script secret secrets send server shell ssh sudo system
text token tokens tool tools upload url user users warning wget write
"""
_SPANISH = """
el la los las un una unos unas de del al en y o que es son por para con sin su sus se no lo le les como mas pero
todo toda todos todas este esta estos estas ese esa cuando donde si ya muy hay ser sobre entre ignora
instrucciones anteriores usuario archivo clave claves responde nunca siempre ejecuta borra env\u00eda
"""
_PORTUGUESE = """
o os a as um uma de do da dos das em no na nos nas e ou que \u00e9 s\u00e3o por para com sem seu sua se n\u00e3o
mais mas como todo toda todos todas este esta isso quando onde ser sobre entre
ignore instru\u00e7\u00f5es usu\u00e1rio arquivo chave responda nunca sempre execute apague envie voc\u00ea
"""
_FRENCH = """
le la les un une des du de et ou o\u00f9 que qui est sont par pour avec sans sa son ses se ne pas plus mais comme
tout toute tous toutes ce cet cette ces quand sur dans aux au il elle nous vous tu je ignore ignorez instructions
pr\u00e9c\u00e9dentes utilisateur fichier cl\u00e9 toujours jamais lance envoie supprime ni
"""
_GERMAN = """
der die das den dem des ein eine einen einem einer und oder ist sind war von vom zu zum zur mit ohne f\u00fcr auf aus
bei nach im in an am nicht kein keine auch nur wenn wie was wer sie er es wir ihr du ich alle alles diese dieser
dieses ignoriere anweisungen vorherigen benutzer datei schl\u00fcssel immer nie niemals antworte sende l\u00f6sche
"""
_ITALIAN = """
il lo la i gli le un uno una di del della dei da dal in nel con per su tra e ed o che non \u00e8 sono ha come si ma
se tutto tutti questo questa quando anche pi\u00f9 ti ci ne al ai ignora istruzioni precedenti utente sempre mai
"""
# What programs are made of, that turned round or moved on would be a word.
_PROGRAM = "elif len re res def self int str val var tmp idx fi esac done args pop"
WORDS = frozenset(f"{_PROGRAM} {_ENGLISH} {_SPANISH} {_PORTUGUESE} {_FRENCH} {_GERMAN} {_ITALIAN}".split())

_LETTER = r"[^\W\d_]"
_WORD = re.compile(rf"{_LETTER}+(?:['\u2019]{_LETTER}+)?")
# These are looked for in what was decoded only, hence compiled only then.
# Three words in a row with nothing but a blank, or a comma and a blank, between them.
_PHRASE = rf"(?<!\w){_WORD.pattern}(?:[,.;:!?]?[ \n]{_WORD.pattern}){{2}}(?!\w)"
_COMMAND = (
    r"(?i)\b(?:curl|wget|iwr|iex|invoke-(?:webrequest|expression|restmethod)) +[-\"'$(\w]"
    r"|\brm -[rf]{1,2} |\bchmod [+0-7]|/dev/tcp/|\b(?:os\.system|subprocess\.\w{1,20}|child_process|eval|exec)\b ?[(.]"
    r"|\b(?:cat|source|sudo|scp|ssh|nc|ncat|bash|sh|powershell|pwsh|python3?|node|npx) +[-~/.$\w]{3}"
)
_ADDRESS = r"https?://[\w.-]{1,253}\.[a-zA-Z0-9-]{2,63}[/:?#]?[!-~]{0,2000}"
# Blocks of The Unicode Standard 16.0: kana, ideographs and Hangul; then scripts with blanks between words (Greek to
# Arabic, the scripts of India, Thai, Georgian).
_IDEOGRAPHS = (("\u3040", "\u30ff"), ("\u3400", "\u4dbf"), ("\u4e00", "\u9fff"), ("\uac00", "\ud7af"))
_SCRIPTS = (
    ("\u0370", "\u052f"),
    ("\u0531", "\u058f"),
    ("\u05d0", "\u06ff"),
    ("\u0900", "\u0e7f"),
    ("\u10a0", "\u10ff"),
)

# How many letters of these scripts make a phrase.
_FEWEST_IDEOGRAPHS = 6
_FEWEST_LETTERS = 8
# The share of letters and blanks in what people and shells write, in percent.
_SHARE = 60
# One word in so many is common in any prose, and in code with comments.
_RARITY = 12


def reads_as_text(text: str) -> bool:
    """Whether the characters are a phrase in some language, a command to a shell or a web address."""
    text = text.strip()
    if text.isascii():
        return _reads_as_latin(text)
    solid = len(text) - sum(map(str.isspace, text))
    ideographs = _count(text, _IDEOGRAPHS)
    if ideographs >= _FEWEST_IDEOGRAPHS and ideographs * 2 >= solid:
        return True
    letters = _count(text, _SCRIPTS)
    if letters >= _FEWEST_LETTERS and letters * 2 >= solid and any(map(str.isspace, text)):
        return True
    return _reads_as_latin(text)


def _count(text: str, blocks: Sequence[tuple[str, str]]) -> int:
    return sum(any(first <= letter <= last for first, last in blocks) for letter in text)


def _reads_as_latin(text: str) -> bool:
    if len(text) < _FEWEST_LETTERS:
        return False
    if re.fullmatch(_ADDRESS, text):
        return True
    if not any(map(str.isspace, text)):
        return False
    if re.search(_COMMAND, text):
        return True
    written = sum(letter.isalpha() or letter.isspace() for letter in text)
    if written * 100 < len(text) * _SHARE:
        return False
    words = _WORD.findall(text.lower())
    if sum(map(len, words)) < _FEWEST_LETTERS or not re.search(_PHRASE, text):
        return False
    known = sum(word in WORDS for word in words)
    return known * _RARITY >= len(words) and known > 0


class Respelling:
    """A way to spell words that keeps them words: its name, how it is undone, and how common words look in it."""

    def __init__(self, name: str, undo: Callable[[str], str]) -> None:
        self.name = name
        self.undo = undo
        spelled = {undo(word) for word in WORDS}
        # Letters and pairs of letters mean something either way.
        self.hints = frozenset(word for word in spelled - WORDS if len(word) > 1)
        self.both = spelled & WORDS


# So many different respelled words, of so many letters in all and one of them no mere pair, are no accident.
_FEWEST_HINTS, _HINT_LETTERS, _LONG_HINT = 3, 9, 3
# One word in so many of a run is a common one.
_DENSITY = 5
# What a word counts for a run: a respelled one, one that is common as it stands, and any other.
_FOR, _AGAINST, _UNKNOWN = 8, -16, -1
_MARKS = "\"'`*_.,;:!?()[]{}<>\u2018\u2019\u201c\u201d"
_SMALL = {capital: capital + 32 for capital in range(ord("A"), ord("Z") + 1)}
# Lines without a blank one and without marks that end a quotation. Long ones are looked at in pieces.
_SEGMENT = re.compile('(?:[^\r\n"`\u201c\u201d\u00ab\u00bb]{1,20000}(?:\r\n?|\n)?){1,400}')
_STOP = re.compile(r"[:=(){}\[\]<>|\r\n]|(?<!\w)'|'(?!\w)|[.!?]\s|\s[.!?]")


def respelled(text: str, spellings: Sequence[Respelling]) -> Iterator[tuple[Respelling, int, int]]:
    """The runs of words that read better when a respelling is undone, with where they begin and end.

    A run has several common words in that spelling and hardly one as it stands, within a quotation or paragraph.
    It reaches to words that are common as they stand, and to marks that set off what is quoted.
    """
    lowered = text.lower()
    if len(lowered) != len(text):  # a capital that has two small letters
        lowered = text.translate(_SMALL)
    words = {word.strip(_MARKS) for word in set(lowered.split())}
    for respelling in spellings:
        hints = respelling.hints & words
        # Marks within a word may keep one of them from being seen here.
        if len(hints) < _FEWEST_HINTS - 1:
            continue
        places = [hint.start() for hint in re.finditer(rf"\b(?:{'|'.join(sorted(hints))})\b", lowered)]
        for segment in _SEGMENT.finditer(lowered):
            start, end = segment.span()
            if bisect_left(places, end) - bisect_left(places, start) >= _FEWEST_HINTS - 1:
                for first, last in _word_runs(segment.group(), respelling):
                    yield respelling, *_whole(text, start + first, start + last, start, end)


_NEARLY_ALL = 8
_LAST_WORD = re.compile(r"(?:^|\s)([.,;:!?]?[^\W\d_]{2,24} )\Z")
_FIRST_WORD = re.compile(r" [^\W\d_]{2,24}[.,;:!?]?(?!\S)")
_MARKS_AROUND = "\"'`\u2018\u2019\u201c\u201d\u00ab\u00bb()[]{}<>|*"


def _whole(text: str, first: int, last: int, start: int, end: int) -> tuple[int, int]:
    """A run with the rest of its first and last token: an address goes on behind its last word."""
    while first > start and _goes_on(text[first - 1]):
        first -= 1
    while last < end and _goes_on(text[last]):
        last += 1
    # The words at the ends need not be common ones, if nearly all the others are.
    if (last - first) * 10 >= (end - start) * _NEARLY_ALL:
        before, after = _LAST_WORD.search(text, start, first), _FIRST_WORD.match(text, last, end)
        first, last = before.start(1) if before else first, after.end() if after else last
    return first, last


def _goes_on(character: str) -> bool:
    return not character.isspace() and character not in _MARKS_AROUND


def _word_runs(segment: str, respelling: Respelling) -> Iterator[tuple[int, int]]:
    words = list(_WORD.finditer(segment))
    scores = [_score(word.group(), respelling) for word in words]
    first = last = -1
    total = best = 0
    for index, score in enumerate([*scores, _AGAINST * len(scores)]):
        if first < 0:
            if score != _FOR:
                continue
            first, total, best = index, 0, 0
        total += score
        if total > best:
            last, best = index, total
        if total <= 0:
            hints = [word.group() for word in words[first : last + 1] if word.group() in respelling.hints]
            if len(hints) * _DENSITY > last - first and _suffice(set(hints)):
                yield _reach(segment, words, scores, first, last)
            first = -1


def _suffice(hints: set[str]) -> bool:
    if len(hints) < _FEWEST_HINTS or max(map(len, hints)) < _LONG_HINT:
        return False
    return sum(map(len, hints)) >= _HINT_LETTERS


def _reach(
    segment: str, words: Sequence[re.Match[str]], scores: Sequence[int], first: int, last: int
) -> tuple[int, int]:
    """Where the run from the `first` word to the `last` begins and ends with the words beside it."""
    while first > 0 and scores[first - 1] != _AGAINST:
        if _STOP.search(segment, words[first - 1].end(), words[first].start()):
            break
        first -= 1
    while last + 1 < len(words) and scores[last + 1] != _AGAINST:
        if _STOP.search(segment, words[last].end(), words[last + 1].start()):
            break
        last += 1
    start, end = words[first].start(), words[last].end()
    # The end of the sentence belongs to it, on whichever side it has come to stand.
    while start > 0 and segment[start - 1] in ".!?":
        start -= 1
    while end < len(segment) and segment[end] in ".!?":
        end += 1
    return start, end


def _score(word: str, respelling: Respelling) -> int:
    if word in respelling.hints:
        return _FOR
    if word in respelling.both:
        return 0
    return _AGAINST if word in WORDS else _UNKNOWN
