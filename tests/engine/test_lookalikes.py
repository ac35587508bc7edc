"""The tables of look-alikes: samples of their source, and that they take nothing away from other scripts."""

import string
import unicodedata

import pytest

from plainview import lookalikes
from plainview.fold import fold_text

TABLES = {name: lookalikes.table(getattr(lookalikes, name)) for name in ("STYLED", "ALIKE", "STROKED", "TURNED")}

# Prototypes of confusables.txt of UTS #39.
PROTOTYPES = [
    ("\u0430", "a"), ("\u0435", "e"), ("\u043e", "o"), ("\u0440", "p"), ("\u0441", "c"), ("\u0445", "x"),
    ("\u0443", "y"), ("\u0456", "i"), ("\u0458", "j"), ("\u0455", "s"), ("\u04bb", "h"), ("\u0501", "d"),
    ("\u03bf", "o"), ("\u03bd", "v"), ("\u03b9", "i"), ("\u0391", "a"), ("\u0392", "b"), ("\u0397", "h"),
    ("\u039a", "k"), ("\u03a4", "t"), ("\u0585", "o"), ("\u057d", "u"), ("\u0578", "n"), ("\u13aa", "a"),
    ("\u13c0", "g"), ("\ua4ee", "a"), ("\ua4d0", "b"), ("\u0251", "a"), ("\u0261", "g"), ("\u2c9e", "o"),
]  # fmt: skip


@pytest.mark.parametrize(("character", "letter"), PROTOTYPES)
def test_samples_of_the_prototypes(character: str, letter: str) -> None:
    assert TABLES["ALIKE"][ord(character)] == letter


@pytest.mark.parametrize("name", TABLES)
def test_every_entry_is_one_letter_or_digit(name: str) -> None:
    assert set(TABLES[name].values()) <= set(string.ascii_lowercase + string.digits)
    assert len(TABLES[name]) == sum(map(len, getattr(lookalikes, name).values()))


@pytest.mark.parametrize("name", ["STYLED", "ALIKE", "STROKED"])
def test_no_entry_is_ascii_or_normalises_to_it(name: str) -> None:
    for code in TABLES[name]:
        plain = unicodedata.normalize("NFKC", chr(code))
        newer = not unicodedata.name(chr(code), "") or 0x1CCD6 <= code <= 0x1CCEF
        assert code > 0x7F and (newer or not (plain.isascii() and plain.isalnum()))


def test_there_are_as_many_as_the_source_has() -> None:
    assert len(TABLES["ALIKE"]) > 500
    assert set(TABLES["STYLED"].values()) == set(string.ascii_lowercase)


IN_WORDS = [
    ("\u0456gn\u043er\u0435 all", "ignore all"),
    ("\u0399GNORE", "ignore"),
    ("a\u0399\u0399", "all"),
    ("\u13c0o", "go"),
    ("\u0456**g**nore", "ignore"),
    ("\u0456\u200bgnore", "ignore"),
    ("\u0456\uff47nore", "ignore"),
    ("&#1110;gnore", "ignore"),
    ("\u026a\u0262\u0274\u1d0f\u0280\u1d07", "ignore"),
]


@pytest.mark.parametrize(("text", "expected"), IN_WORDS)
def test_look_alikes_within_latin_words(text: str, expected: str) -> None:
    assert fold_text(text) == expected


OWN_SCRIPTS = [
    "\u0441\u043e\u043e\u0431\u0449\u0438\u0442\u0435 \u043e\u0431 \u044d\u0442\u043e\u043c",
    "\u0441\u043e\u0440",
    "\u0447\u0435\u0440\u0435\u0437 api \u0438 json",
    "\u03cc\u03bb\u03b1 \u03c4\u03b1 \u03b1\u03c1\u03c7\u03b5\u03af\u03b1",
    "\u540d\u524dapi\u53e3",
    "\u0627\u0644api \u0647\u0648",
    "\u05d4api \u05d5\u05e1",
    "\u0915\u0943\u092a\u092f\u093e api \u0926\u0947\u0916\u0947\u0902",
    "na\u00efve fa\u00e7ade",
]


@pytest.mark.parametrize("text", OWN_SCRIPTS)
def test_words_of_other_scripts_are_left_alone(text: str) -> None:
    assert fold_text(text) == unicodedata.normalize("NFKC", text).casefold().replace("\u03c2", "\u03c3")


def test_a_flag_is_no_word() -> None:
    assert fold_text("\U0001f1fa\U0001f1f8 team") == "\U0001f1fa\U0001f1f8 team"
