"""Every English phrase, spelled so that no search finds it: the same rule says the same of it.

The spellings are made by code from the rules' own flag examples (`phrases.py`). Letters of inline code, addresses,
paths and names are left alone: spelled otherwise they name something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from phrases import fires, phrases

from plainview.rules import Rule

Spelling = Callable[[str], str]

PHRASES = phrases()
RULES = [pytest.param(rule, id=rule.id) for rule in {phrase.rule.id: phrase.rule for phrase in PHRASES}.values()]

# What is read letter by letter: inline code, addresses, paths, names with marks or capitals in them, and tags.
_EXACT = re.compile(r"`[^`]*`|\S*(?:\w[@/:.]|[~/$@.<>|=_{}\[\]])\w\S*|<[^>]*>|\b\w*[a-z0-9][A-Z]\w*|\b[A-Z0-9_-]{2,}\b")
_WORD = re.compile(r"[A-Za-z]{3,}")
_CYRILLIC = str.maketrans(
    "aceopsxyijABCEHIKMOPSTX",
    "\u0430\u0441\u0435\u043e\u0440\u0455\u0445\u0443\u0456\u0458"
    "\u0410\u0412\u0421\u0415\u041d\u0406\u041a\u041c\u041e\u0420\u0405\u0422\u0425",
)
_GREEK = str.maketrans("ovupTEAIK", "\u03bf\u03bd\u03c5\u03c1\u03a4\u0395\u0391\u0399\u039a")


def words(change: Callable[[str], str]) -> Spelling:
    """The text with each of its words changed, but for those that are read letter by letter."""

    def spelled(text: str) -> str:
        pieces, start = [], 0
        for exact in _EXACT.finditer(text):
            pieces += _WORD.sub(lambda word: change(word.group()), text[start : exact.start()]), exact.group()
            start = exact.end()
        return "".join((*pieces, _WORD.sub(lambda word: change(word.group()), text[start:])))

    return spelled


def within(mark: str) -> Spelling:
    """The text with a mark in the middle of every word."""
    return words(lambda word: word[: len(word) // 2] + mark + word[len(word) // 2 :])


def between(mark: str) -> Spelling:
    """The text with a mark behind every letter of every word but the last."""
    return words(lambda word: mark.join(word))


def around(mark: str) -> Spelling:
    """The text with marks around every word."""
    return words(lambda word: mark + word + mark)


def wrapped(start: str, following: str, every: int) -> Spelling:
    """The text on lines of `every` words, the first and the following ones with these marks before them."""

    def spelled(text: str) -> str:
        lines, line = [], []
        for number, word in enumerate(re.findall(r"`[^`]*`\S*|\[[^\]]*\]\S*|<[^>]*>\S*|\S+", text)):
            if number and number % every == 0 and word[0].isalpha():
                lines.append(" ".join(line))
                line = []
            line.append(word)
        return start + f"\n{following}".join([*lines, " ".join(line)])

    return spelled


SPELLINGS: dict[str, Spelling] = {
    "zero-width space in every word": within("\u200b"),
    "zero-width space behind every letter": between("\u200b"),
    "zero-width non-joiner in every word": within("\u200c"),
    "word joiner in every word": within("\u2060"),
    "soft hyphen in every word": within("\u00ad"),
    "Cyrillic letters": words(lambda word: word.translate(_CYRILLIC)),
    "Greek letters": words(lambda word: word.translate(_GREEK)),
    "one Cyrillic letter a word": words(lambda word: word[0] + word[1:].translate(_CYRILLIC)),
    "decimal entities": words(lambda word: f"&#{ord(word[0])};{word[1:]}"),
    "hexadecimal entities": words(lambda word: "".join(f"&#x{ord(letter):x};" for letter in word)),
    "some entities": words(lambda word: f"{word[:-1]}&#{ord(word[-1])};"),
    "wrapped": wrapped("", "", 1),
    "wrapped in a quotation": wrapped("> ", "> ", 2),
    "wrapped in a lazy quotation": wrapped("> ", "", 3),
    "wrapped in a list": wrapped("- ", "  ", 2),
    "wrapped in a list in a quotation": wrapped("> 1. ", ">    ", 2),
    "strong words": around("**"),
    "emphasised words": around("*"),
    "underscored words": around("_"),
    "strong underscored words": around("__"),
    "struck words": around("~~"),
    "strong within words": words(lambda word: f"{word[:1]}**{word[1:-1]}**{word[-1:]}"),
    "emphasised within words": words(lambda word: f"*{word[:2]}*{word[2:]}"),
    "all strong": lambda text: f"**{text}**",
    "all emphasised": lambda text: f"_{text}_",
    "comments in every word": within("<!-- -->"),
    "comments between words": lambda text: re.sub(r"(?<=[a-z]) (?=[a-z])", " <!-- x --> ", text),
    "elements within words": words(lambda word: f"{word[:2]}<b>{word[2:]}</b>"),
}

# Spelling, rule and the reason why the phrases are not spelled so.
_READING = "the reading without comments takes the brackets and tags that the rule looks for to be Markdown's own"
NOT_MADE = {
    ("comments in every word", "defanged-fetch"): _READING,
    ("comments in every word", "forged-system-message"): _READING,
    ("comments in every word", "forged-turn"): _READING,
    ("comments in every word", "remote-instructions"): _READING,
    ("comments between words", "defanged-fetch"): _READING,
    ("comments between words", "forged-turn"): _READING,
    ("comments between words", "remote-instructions"): _READING,
}


def silent(name: str, rule: Rule) -> list[str]:
    """The rule's phrases in that spelling of which the rule says less than of the phrases themselves."""
    spelled = [(SPELLINGS[name](phrase.text) + "\n", phrase) for phrase in PHRASES if phrase.rule.id == rule.id]
    return [text for text, phrase in spelled if fires(rule, text) < phrase.severity]


@pytest.mark.parametrize("rule", RULES)
def test_a_phrase_fires_however_it_is_spelled(rule: Rule) -> None:
    wrong = {name: silent(name, rule) for name in SPELLINGS if (name, rule.id) not in NOT_MADE}
    assert {name: texts for name, texts in wrong.items() if texts} == {}


@pytest.mark.parametrize(("name", "rule"), NOT_MADE)
def test_the_table_names_only_what_does_not_fire(name: str, rule: str) -> None:
    assert silent(name, next(phrase.rule for phrase in PHRASES if phrase.rule.id == rule))
