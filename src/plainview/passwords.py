"""Whether a value that is called a secret is one: a word, a name or a reference to a secret is none.

All values are pieces of the folded view, in lower case. To mask a word is a lesser fault than to show a secret.
"""

from __future__ import annotations

import re
from functools import lru_cache

# What manuals write for a password.
_SAMPLES = frozenset(
    {
        "pass",
        "passwd",
        "password",
        "pwd",
        "secret",
        "mypassword",
        "your-password",
        "xxx",
        "xxxx",
        "***",
        "x-oauth-basic",
    }
)
# A sign within a word that no name has.
_SPECIAL = re.compile(r"[a-z][!@#$%^&*~+][a-z]")
_AFFIXES = re.compile(
    r"^(?:un|re|non|pre|de|dis|mis|over|under|out|inter|sub|multi|auto)|(?:e?d|ing|s|es|ly|able|ed|er|less)$"
)
# Endings that words have and passwords seldom do.
_ENDING = re.compile(
    r"[a-z]{3}(?:[ts]ions?|[ts]ional(?:ly)?|ments?|ness|it(?:y|ies)|[ae]nces?|[ai]ble|[ai]bly|ically|[ai]tive(?:ly)?|olog(?:y|ies)"
    r"|i[sz]ed|i[sz]ing|ured|uring|ated|ating|ates|ious|eous|fully?|less|ship|isms?|ists?|phic|tical|[rt]ies|worthy)$"
)
# Letters without a blank from which on they are a pass phrase.
_PHRASE = 20
_PIECES = re.compile(r"[-_./]+")
# So many words with a mark between them, none of which says how others are joined, are a pass phrase.
_WORDS = 4
_JOINING = frozenset(
    re.findall(
        r"\w+",
        "of the a an to in on at by for with is are be not no or and as from your you my our its it this that "
        "must may only here see if when per via than least goes will can has have ",
    )
)
# Words of names: of variables, keys, files, and what they hold.
_NAMING = frozenset(
    re.findall(
        r"\w+",
        "token key keys secret secrets password passwords passphrase pass api auth access credential "
        "credentials env config name names id file files path user client server db database app service "
        "store vault value values string private public default placeholder changeme ",
    )
)
# What a number behind it counts: a place in a page or a list, a version.
_COUNTED = frozenset(
    re.findall(
        r"\w+",
        "section chapter step steps level page part version line item table figure appendix phase tier day "
        "week month year node slot rule type option number no stage round lesson module unit task point note "
        "paragraph article clause ",
    )
)
_NUMBER = re.compile(r"v?[0-9]{1,3}[a-z]?")
_ALGORITHM = re.compile(
    r"(?:sha|aes|hs|rs|es|ps|md|ed|base|utf|argon|pbkdf|oauth|ipv|crc|x|o|cl|p|secp|curve)-?[0-9]{1,5}[a-z]{0,3}[0-9]?"
    r"(?:[-_][a-z]{2,8}[0-9]{0,3}){0,3}|[a-z]+_?base"
)
_UNITS = r"(?:chars?|characters?|letters?|digits?|symbols?|bytes?|bits?|words?)"
# What a value has to be like: how long, and by which setting.
_MEASURE = re.compile(
    rf"(?:min|max|minimum|maximum|least|most|atleast|atmost)?[-_]?[0-9]{{1,3}}[-_+]?{_UNITS}"
    r"|(?:max|min|num|n|total)(?:[_-][a-z]{2,12}){1,3}[=:][0-9]{1,7}"
)
_HELD = r"(?:ctrl|control|cmd|command|alt|option|opt|shift|meta|super|win|fn)"
# Keys pressed together.
_SHORTCUT = re.compile(rf"{_HELD}(?:[+-]{_HELD})*[+-](?:[a-z0-9]|f[0-9]{{1,2}}|[a-z]{{2,9}})")
# Letters as they come, and no words though they may be cut into some.
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_RUNS = re.compile(r"[^\W\d_]+")
# Words that say what a password is to be like, and are none.
_DEMANDING = frozenset(
    re.findall(
        r"\w+",
        "required optional mandatory minimum maximum least most characters character letters letter digits digit "
        "symbols enter choose provide type set use using change reset forgot strong weak new old current same never "
        "invalid wrong incorrect missing expired protected encrypted hashed generated stored shown hidden field "
        "please should does do was were been any all each both ",
    )
)
# What stands in place of the value: where to get it from.
_REFERENCE = re.compile(
    r"(?:https?|op|vault|env|file|arn|keychain|projects|ssm|git|ssh|s3|gs|urn|docker|secretsmanager):.*|\$[a-z_]+(?:[^a-z0-9_].*)?"
)


# So many letters and digits besides may a sample have: AKIA and nine before EXAMPLE.
_SAMPLE_REST = 9
_ISSUED_SAMPLE = re.compile(r"a[ks]ia[a-z0-9]{9}example")
_FILLING = re.compile(
    r"examples?|sample|your|mine|dummy|placeholder|fake|tokens?|keys?|secrets?|password|pass|test|live|here|akia|sk|ant|proj|api"
    r"|gh[oprsu]|github|pat|npm|value|x{3,}|0?1234(?:5678(?:90?)?)?|abc(?:def)?|0{3,}|[^a-z0-9]+"
)


def is_sample(value: str) -> bool:
    """Whether the value is what manuals write: it says so, and little else."""
    if value in _SAMPLES or _ISSUED_SAMPLE.fullmatch(value):
        return True
    if "example" not in value:
        return False
    rest = _FILLING.sub("", value)
    return len(rest) <= _SAMPLE_REST and not (is_mixed(rest) and _digits(rest) > 1)


def _digits(value: str) -> int:
    return sum(letter.isdigit() for letter in value)


def is_mixed(value: str) -> bool:
    """Whether the value has a digit and a letter."""
    return any(letter.isdigit() for letter in value) and any(letter.isalpha() for letter in value)


def is_name(value: str, *, login: bool) -> bool:
    """Whether a value with digits is a name, a count or a reference, and no secret.

    With `login` it is called a password, which may be made of such words as names are.
    """
    if any(form.fullmatch(value) for form in (_ALGORITHM, _REFERENCE, _MEASURE, _SHORTCUT)):
        return True
    pieces = [piece for piece in _PIECES.split(value) if piece]
    # A name of one piece with a digit in it may be anything.
    if len(pieces) < 2:
        return False
    if not login and _is_version(pieces):
        return True
    words = [piece for piece in pieces if _NUMBER.fullmatch(piece) is None]
    if not words or not all(piece.isalpha() for piece in words):
        return False
    return any(piece in _COUNTED for piece in words) or (
        not login and all(is_word(piece) for piece in words) and not _NAMING.isdisjoint(words)
    )


def _is_version(pieces: list[str]) -> bool:
    """Whether the pieces are words, one perhaps unknown, with up to two figures, each by itself or behind one."""
    plain = [piece[:-1] if piece[-1].isdecimal() else piece for piece in pieces]
    words = [piece for piece in plain if piece]
    figures = len(pieces) - sum(piece == bare for piece, bare in zip(pieces, plain, strict=True))
    known = sum(is_word(piece) for piece in words)
    return figures <= 2 and all(piece.isalpha() for piece in words) and known >= max(1, len(words) - 1)


def is_random(value: str) -> bool:
    """Whether a value of letters and digits is neither words nor a number with its unit: two digits or more in it."""
    return value.isascii() and not any(sign in value for sign in "./:") and _digits(value) > 1 and not is_worded(value)


def is_worded(value: str) -> bool:
    """Whether the letters in a value, those of one run together, come to words."""
    runs = [run for run in _RUNS.findall(value) if len(run) > 2]
    return bool(runs) and all(run not in _ALPHABET and (is_word(run) or _is_row(run)) for run in runs)


def is_spaced(value: str, *, login: bool) -> bool:
    """Whether a value with blanks is a secret: groups of letters and digits or, of a `login`, a pass phrase.

    It is none if it is a sentence, or says what one is to be like.
    """
    pieces = value.lower().split()
    if not (_JOINING | _DEMANDING).isdisjoint(pieces) or any(_REFERENCE.fullmatch(piece) for piece in pieces):
        return False
    mixed = [piece for piece in pieces if is_mixed(piece) and not is_name(piece, login=login)]
    if any(len(piece) > 3 and not is_worded(piece) for piece in mixed):
        return len(mixed) * 2 >= len(pieces) or login
    return (
        login
        and len(pieces) >= _WORDS
        and all(piece.isalpha() and len(piece) > 1 for piece in pieces)
        and _NAMING.isdisjoint(pieces)
    )


def is_phrase(value: str) -> bool:
    """Whether the value is a pass phrase: words with a mark between each, which tell nothing about it."""
    pieces = re.split(r"[-_.]", value)
    return (
        len(pieces) >= _WORDS
        and all(piece.isalpha() and len(piece) > 1 for piece in pieces)
        and _JOINING.isdisjoint(pieces)
        and _NAMING.isdisjoint(pieces)
    )


def is_password(value: str, *, login: bool) -> bool:
    """Whether a value without a digit is a secret: letters that come to no word, or with a sign that no name has.

    Many words written together are one if it is called a password (`login`), and else a name.
    """
    if _SPECIAL.search(value) is not None:
        return _REFERENCE.fullmatch(value) is None and _SHORTCUT.fullmatch(value) is None
    if not value.isalpha() or not value.isascii():
        return False
    if login and len(value) >= _PHRASE:
        return True
    return not is_word(value) and (login or not _is_row(value))


# Letters of the longest word of a row, and of the longest row that is read.
_LONGEST = 16
_ROW = 64


def _is_row(value: str) -> bool:
    """Whether letters are known words written together, of three letters or more each."""
    if len(value) > _ROW:
        return False
    known = _words()
    reached = {0}
    for end in range(3, len(value) + 1):
        if any(start in reached and value[start:end] in known for start in range(max(end - _LONGEST, 0), end - 2)):
            reached.add(end)
    return len(value) in reached


@lru_cache(maxsize=1)
def _words() -> frozenset[str]:
    from plainview.words import WORDS

    return frozenset(WORDS)


def is_word(value: str) -> bool:
    """Whether letters are a known word, in some form of it, end like one, or are two of them written together."""
    known = _words()
    stem = _AFFIXES.sub("", value)
    if not {value, stem, stem + "e"}.isdisjoint(known) or value in _JOINING or value in _COUNTED:
        return True
    # What is longer than any two words is not cut up, for time to stay linear.
    return _ENDING.search(value) is not None or (
        len(value) <= _ROW and any(value[:at] in known and value[at:] in known for at in range(3, len(value) - 2))
    )
