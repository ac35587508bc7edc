"""Whether a piece of hidden text is a sentence, a label, a notice or code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plainview import late

# Words of a sentence's length in a row: shorter runs are names, labels and lists of tokens.
_LEAST = 5
_WORD = re.compile(r"[(\[\"'\u201c\u00ab]*[^\W\d_]+(?:['\u2019-][^\W\d_]+)*[.,:;!?)\]\"'\u201d\u00bb\u2026]*")
_SHORT_WORD = late.pattern(r"[^\W\d_]{2,}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
# Fewer words say nothing, and what a text says, its first code points tell.
_FEWEST_WORDS = 3
_MOST_READ = 2000
_NAME = re.compile(r"[`*~./]*[A-Za-z][\w~./@`*-]*[.,:;!?]?")
# Scripts written without blanks between words: Han, kana, Thai, Lao, Khmer, Burmese. Two letters count as a word.
_UNSPACED = re.compile(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\U00020000-\U0003ffff]"
)
_FUNCTION_WORD = re.compile(
    r"\b(?:the|to|of|and|or|you|your|is|are|not|this|that|when|all|it|with|for|from|must|do|never|always)\b",
    re.IGNORECASE,
)
_NEXT_SENTENCE = re.compile(r"[.;!?\u3002\uff01\uff1f]\s*\S|[\r\n]\s*\S")
# What a control or link of a page says it does.
_LABEL = re.compile(
    r"(?:click|tap|press|open|close|add|search|enter|select|choose|pick|show|hide|view|see|copy|paste|edit|delete|remove"
    r"|save|send|submit|use|read|download|upload|toggle|sort|filter|follow|return|go|create|update|check|set|type|write"
    r"|insert|run|start|stop|play|watch|visit|browse|share|print|move|rename|load|enable|disable|expand|collapse|find"
    r"|get|learn|try|install|sign|log|join|subscribe|reply|post|review|refresh|reload|switch|drag|drop|scroll)\b",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"\b(?:assistants?|agents?|models?|ai|llms?|claude|copilot|cursor|chatgpt|gemini|codex|must|always|never|do not"
    r"|don't|ignore|disregard|forget|secretly|silently|without (?:asking|telling)|the user|instructions?|prompts?)\b",
    re.IGNORECASE,
)
_NOTICE = re.compile(
    r"\b(?:(?:does not|doesn't|do not|don't|cannot|can't|not|no) (?:\w+ ){0,2}(?:support(?:ed)?|play|display|render)"
    r"|(?:enable|requires?|needs?|without|disabled?) (?:\w+ ){0,2}javascript)\b",
    re.IGNORECASE,
)
# Comments and strings of programs, style sheets and data; what is not closed goes on to its line's or the text's end.
_SAYING = re.compile(
    r"//(?P<line>[^\r\n]*)|/\*(?P<block>(?:(?!\*/).)*)(?:\*/|\Z)|<!--(?P<html>(?:(?!-->).)*)(?:-->|\Z)"
    r"|\"(?P<double>(?:[^\"\\\r\n]|\\.)*)\"?|'(?P<single>(?:[^'\\\r\n]|\\.)*)'?|`(?P<back>(?:[^`\\]|\\.)*)`?",
    re.DOTALL,
)
_CODE_SIGN = re.compile(r"[{}();=<>$@]")
_MOST_LABEL_WORDS = 12
_MOST_NOTICE_WORDS = 25


def count_words(text: str) -> int:
    """The words of two letters or more at the beginning of a text; of scripts without blanks each letter is one."""
    return len(_SHORT_WORD.findall(text[:_MOST_READ]))


def has_words(text: str) -> bool:
    """Whether a text says something: it has three words or more."""
    return count_words(text) >= _FEWEST_WORDS


def is_sentence(text: str, *, strict: bool = False) -> bool:
    """Whether text holds five words in a row; `strict` asks for the small words of a sentence among them too."""
    run = plain = longest = 0
    for token in text.split():
        is_word = _WORD.fullmatch(token) is not None
        # The name of a file or of a command interrupts no sentence.
        run, plain = (run + 1, plain + is_word) if is_word or _NAME.fullmatch(token) else (0, 0)
        longest = max(longest, run if plain >= _LEAST - 1 else 0)
    if longest < _LEAST and len(_UNSPACED.findall(text)) < 2 * _LEAST:
        return False
    return not strict or len({one.lower() for one in _FUNCTION_WORD.findall(text)}) >= 2 or not text.isascii()


def is_label(text: str, *, strict: bool = True) -> bool:
    """Whether text is one short sentence that says what a control of a page does, and is not put to a model.

    With `strict` unset any short sentence that is not put to a model will do.
    """
    if len(text.split()) > _MOST_LABEL_WORDS or _NEXT_SENTENCE.search(text.strip()) or _ADDRESS.search(text):
        return False
    return not strict or _LABEL.match(text.strip()) is not None


def is_notice(text: str) -> bool:
    """Whether text says that a browser cannot show something, as the fallback of a video does."""
    return len(text.split()) <= _MOST_NOTICE_WORDS and _NOTICE.search(text) is not None


def is_code(text: str) -> bool:
    """Whether text is a program or style sheet rather than prose: a sign of code for every fifth word."""
    return len(_CODE_SIGN.findall(text)) * 5 >= len(text.split())


def sayings(code: str, data: bool) -> Iterator[str]:
    """The sentences among the comments and strings of a program; of one that is run, only those put to a model.

    With `data` unset the code is run by a browser, and its comments are for those who maintain it.
    """
    for found in _SAYING.finditer(code):
        said = (found[found.lastgroup] if found.lastgroup else "").strip()
        if is_sentence(said) and (data or _ADDRESS.search(said)):
            yield said
