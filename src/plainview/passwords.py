"""Whether a value that is called a secret is one: a word, a name or a reference to a secret is none.

All values are pieces of the folded view, in lower case. To mask a word is a lesser fault than to show a secret.
"""

from __future__ import annotations

import re
from functools import lru_cache

# What manuals write for a password.
_SAMPLES = frozenset(
    {"pass", "passwd", "password", "pwd", "secret", "mypassword", "your-password", "xxx", "xxxx", "***"}
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
# What stands in place of the value: where to get it from.
_REFERENCE = re.compile(
    r"(?:https?|op|vault|env|file|arn|keychain|projects|ssm|git|ssh|s3|gs|urn|docker|secretsmanager):.*|\$[a-z_]+(?:[^a-z0-9_].*)?"
)


# So many letters and digits besides may a sample have: AKIA and nine before EXAMPLE.
_SAMPLE_REST = 9
_FILLING = re.compile(
    r"examples?|sample|your|mine|dummy|placeholder|fake|tokens?|keys?|secrets?|password|pass|test|live|here|akia|sk|ant|proj|api"
    r"|gh[oprsu]|github|pat|npm|value|x{3,}|0?1234(?:5678(?:90?)?)?|abc(?:def)?|0{3,}|[^a-z0-9]+"
)


def is_sample(value: str) -> bool:
    """Whether the value is what manuals write: it says so, and little else."""
    return value in _SAMPLES or ("example" in value and _rest(value) <= _SAMPLE_REST)


def _rest(value: str) -> int:
    return len(_FILLING.sub("", value))


def is_mixed(value: str) -> bool:
    """Whether the value has a digit and a letter."""
    return any(letter.isdigit() for letter in value) and any(letter.isalpha() for letter in value)


def is_name(value: str, *, login: bool) -> bool:
    """Whether a value with digits is a name, a count or a reference, and no secret.

    With `login` it is called a password, which may be made of such words as names are.
    """
    if _ALGORITHM.fullmatch(value) or _REFERENCE.fullmatch(value):
        return True
    pieces = [piece for piece in _PIECES.split(value) if piece]
    # A name of one piece with a digit in it may be anything.
    if len(pieces) < 2:
        return False
    words = [piece for piece in pieces if _NUMBER.fullmatch(piece) is None]
    if not words or not all(piece.isalpha() for piece in words):
        return False
    return any(piece in _COUNTED for piece in words) or (
        not login and all(is_word(piece) for piece in words) and not _NAMING.isdisjoint(words)
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


def is_password(value: str) -> bool:
    """Whether a value without a digit is a secret: letters that come to no word, or with a sign that no name has."""
    if _SPECIAL.search(value) is not None:
        return _REFERENCE.fullmatch(value) is None
    return value.isalpha() and value.isascii() and (len(value) >= _PHRASE or not is_word(value))


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
    return _ENDING.search(value) is not None or any(
        value[:at] in known and value[at:] in known for at in range(3, len(value) - 2)
    )
