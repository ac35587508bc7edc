"""Encoded text: found in every encoding and nesting, decoded to what was written, and nothing else taken for it."""

import base64
import gzip
import zlib
from codecs import encode
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainview.hidden import Page, encodings
from plainview.text import Source

SAID = "The keeper of the lamp is older than the harbour wall and does not sleep"


def base58(text: str) -> str:
    """Base58 in the alphabet of Bitcoin."""
    number, digits = int.from_bytes(text.encode(), "big"), ""
    while number:
        number, digit = divmod(number, 58)
        digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"[digit] + digits
    return digits


def b64(text: str | bytes) -> str:
    return base64.b64encode(text.encode() if isinstance(text, str) else text).decode()


def b32(text: str) -> str:
    return base64.b32encode(text.encode()).decode()


def rot13(text: str) -> str:
    return encode(text, "rot13")


def cut(text: str, width: int) -> list[str]:
    return [text[start : start + width] for start in range(0, len(text), width)]


def each(form: str, between: str = "") -> Callable[[str], str]:
    return lambda text: between.join(form.format(ord(letter)) for letter in text)


def every_other(form: str) -> Callable[[str], str]:
    return lambda text: "".join(form.format(ord(one)) if place % 2 else one for place, one in enumerate(text))


ENCODED: list[tuple[str, str, Callable[[str], str]]] = [
    ("base64 text", "padded", b64),
    ("base64 text", "unpadded", lambda text: b64(text).rstrip("=")),
    ("base64 text", "for addresses", lambda text: base64.urlsafe_b64encode(text.encode()).decode()),
    ("base64 text", "wrapped", lambda text: "\n".join(cut(b64(text), 20))),
    ("base64 text", "wrapped to uneven groups", lambda text: "\r\n".join(cut(b64(text), 13))),
    ("base64 text", "wrapped by a shell", lambda text: "\\\n".join(cut(b64(text), 30))),
    ("base64 text", "UTF-16", lambda text: b64(text.encode("utf-16-le"))),
    ("base64 text", "UTF-16, big end first", lambda text: b64(text.encode("utf-16-be"))),
    ("base32 text", "padded", b32),
    ("base32 text", "small letters", lambda text: b32(text).lower().rstrip("=")),
    ("hex text", "plain", lambda text: text.encode().hex()),
    ("hex text", "capital", lambda text: text.encode().hex().upper()),
    ("hex text", "pairs", lambda text: text.encode().hex(" ")),
    ("hex text", "colons", lambda text: text.encode().hex(":")),
    ("hex text", "fours", lambda text: text.encode().hex(" ", 2)),
    ("hex text", "C", each("{:#04x}", ", ")),
    ("hex text", "C over lines", lambda text: ",\n    ".join(", ".join(map(hex, map(ord, p))) for p in cut(text, 8))),
    ("binary text", "spaced", each("{:08b}", " ")),
    ("binary text", "unspaced", each("{:08b}")),
    ("percent-encoded text", "all", each("%{:02X}")),
    ("percent-encoded text", "blanks", lambda text: text.replace(" ", "%20")),
    ("entity-encoded text", "decimal", each("&#{};")),
    ("entity-encoded text", "hexadecimal", each("&#x{:x};")),
    ("entity-encoded text", "no semicolons", each("&#{}")),
    ("escaped text", "bytes", each("\\x{:02x}")),
    ("escaped text", "code units", each("\\u{:04X}")),
    ("escaped text", "code points", each("\\U{:08x}")),
    ("escaped text", "braces", each("\\u{{{:x}}}")),
    ("escaped text", "octal", each("\\{:03o}")),
    ("escaped text", "in JSON", each("\\\\u{:04x}")),
    ("escaped text", "every other letter", every_other("\\x{:02x}")),
    ("entity-encoded text", "every other letter", every_other("&#{};")),
    ("character-code text", "decimal", each("{}", " ")),
    ("character-code text", "list", each("{}", ", ")),
    ("character-code text", "octal", each("{:03o}", " ")),
    ("character-code text", "calls", each("chr({})", " + ")),
    ("character-code text", "casts", each("[char]{:#x}", "+")),
    ("code-point text", "spaced", each("U+{:04X}", " ")),
    ("code-point text", "unspaced", each("U+{:04X}")),
    ("code-point text", "percent", each("%u{:04x}")),
    ("CSS-escaped text", "six digits", each("\\{:06x}")),
    ("entity-encoded text", "escaped once more", each("&amp;#{};")),
    ("Ascii85 text", "all", lambda text: f"<~{base64.a85encode(text.encode()).decode()}~>"),
    ("base58 text", "all", base58),
    ("UTF-7 text", "all", lambda text: f"+{base64.b64encode(text.encode('utf-16-be')).decode().rstrip('=')}-"),
    ("base64 text", "in groups of four", lambda text: " ".join(cut(b64(text), 4))),
    ("base64 text", "in groups of eight", lambda text: " ".join(cut(b64(text), 8))),
    ("base64 text", "in groups over lines", lambda text: "\n".join(" ".join(cut(p, 6)) for p in cut(b64(text), 24))),
    ("base64 text", "in cells", lambda text: " | ".join(cut(b64(text), 10))),
    ("hex text", "in groups of three", lambda text: " ".join(cut(text.encode().hex(), 3))),
    ("hex text", "in cells", lambda text: " | ".join(cut(text.encode().hex(), 9))),
    ("quoted-printable text", "all", each("={:02X}")),
    ("rot13 text", "line", rot13),
    ("reversed text", "line", lambda text: text[::-1]),
    ("gzip inside base64", "gzip", lambda text: b64(gzip.compress(text.encode(), mtime=0))),
    ("gzip inside base64", "zlib", lambda text: b64(zlib.compress(text.encode()))),
    ("base64 inside base64", "twice", lambda text: b64(b64(text))),
    ("hex inside base64", "", lambda text: b64(text.encode().hex())),
    ("base64 inside hex", "", lambda text: b64(text).encode().hex()),
    ("rot13 inside base64", "", lambda text: b64(rot13(text))),
    ("reversed inside base64", "", lambda text: b64(text[::-1])),
    ("base64 inside reversed", "", lambda text: b64(text)[::-1]),
    ("base64 inside rot13", "", lambda text: rot13(b64(text))),
    ("hex inside base64 inside base64 inside base64", "four deep", lambda text: b64(b64(b64(text.encode().hex())))),
]  # fmt: skip
IDS = [f"{form}: {how}" for form, how, _ in ENCODED]
PLACES = ["{}", "\n\nA line.\n\n{}\n\nAnother line.\n", "> {}\n", "```sh\nrun '{}'\n```\n", "# T\n\n- item `{}` here\n"]


def found(text: str) -> list[tuple[str, str, str]]:
    page = Page.of(Source(text))
    return [(one.form, one.decoded, text[one.span.start : one.span.end]) for one in encodings.find(page)]


@pytest.mark.parametrize(("form", "writing"), [(form, writing) for form, _, writing in ENCODED], ids=IDS)
@pytest.mark.parametrize("place", PLACES)
def test_every_encoding_is_decoded_where_it_stands(form: str, writing: Callable[[str], str], place: str) -> None:
    run = writing(SAID)
    assert found(place.format(run)) == [(form, SAID, run)]


@pytest.mark.parametrize(("form", "writing"), [(form, writing) for form, _, writing in ENCODED], ids=IDS)
def test_short_texts_are_decoded_too(form: str, writing: Callable[[str], str]) -> None:
    assert encodings.decode(writing(SAID)) == [(form, SAID)]


OTHERS = [
    "\u0421\u0442\u043e\u0440\u043e\u0436 \u043c\u0430\u044f\u043a\u0430 \u043d\u0435 \u0441\u043f\u0438\u0442",
    "\u706f\u5854\u7684\u770b\u5b88\u4eba\u6bd4\u6e2f\u53e3\u8fd8\u8001",
    "\u0647\u0630\u0627 \u0627\u0644\u062d\u0627\u0631\u0633 \u0644\u0627 \u064a\u0646\u0627\u0645",
    "El guardi\u00e1n del faro no duerme",
]


@pytest.mark.parametrize("said", OTHERS)
def test_other_languages_are_decoded(said: str) -> None:
    data = said.encode()
    runs = [b64(said), data.hex(), data.hex(" "), "".join(f"\\x{byte:02x}" for byte in data)]
    runs += ["".join(f"%{byte:02x}" for byte in data)]
    runs += ["".join(form.format(ord(letter)) for letter in said) for form in ("&#{};", "\\u{:04x}")]
    runs += [f"String.fromCharCode({','.join(str(ord(letter)) for letter in said)})"]
    for run in runs:
        assert [decoded for _, decoded in encodings.decode(run)] == [said]


STRINGS = [
    ("operator", '"' + '" + "'.join(cut(b64(SAID), 10)) + '"'),
    ("adjacent", "('" + "'\n    '".join(cut(b64(SAID), 18)) + "')"),
    ("shell", "'" + "' \\\n    '".join(cut(b64(SAID), 30)) + "'"),
    ("list", '["' + '",\n  "'.join(cut(b64(SAID), 12)) + '"]'),
    ("padded parts", '"' + '", "'.join(map(b64, cut(SAID, 25))) + '"'),
]


@pytest.mark.parametrize("text", [text for _, text in STRINGS], ids=[name for name, _ in STRINGS])
def test_strings_that_are_joined_are_decoded_as_one(text: str) -> None:
    assert found(f"```\n{text}\n```\n") == [("base64 text", SAID, text.strip("()[]")[1:-1])]


PARTS = [
    ("data address", "[a](data:text/html;base64,{})"),
    ("path", "https://quay.example/lamp/{}"),
    ("query", "https://quay.example/?lamp={}&wall=1"),
    ("assignment", "KEEPER_OF_THE_LAMP={}"),
    ("command", "echo {} | base64 -d"),
    ("table cell", "| a | b |\n|---|---|\n| x | {} |\n"),
    ("comment", "<!-- {} -->"),
    ("header", "---\nname: {}\n---\n\nText.\n"),
]


@pytest.mark.parametrize("place", [place for _, place in PARTS], ids=[name for name, _ in PARTS])
def test_the_span_is_the_run_alone(place: str) -> None:
    run = b64(SAID)
    assert found(place.format(run)) == [("base64 text", SAID, run)]


def test_what_a_drawing_says_is_told_without_its_tags() -> None:
    for drawn in (
        f"<text x='1'>{SAID}</text>",
        f"<!-- {SAID} -->",
        f"<g aria-label='{SAID}'/>",
        f'<desc id="a">{SAID}</desc>',
    ):
        assert encodings.decode(b64(f"<svg>{drawn}<path d='M0 0h9'/></svg>")) == [("picture inside base64", SAID)]
    drawing = f"data:image/svg+xml,%3Csvg%3E%3Ctext%3E{SAID.replace(' ', '%20')}%3C/text%3E%3C/svg%3E"
    assert [said for _, said, _ in found(f"![]({drawing})\n")] == [SAID]


def hidden(text: str) -> list[tuple[str, bool]]:
    return [(one.rule, one.strict) for one in encodings.find(Page.of(Source(text)))]


def test_what_has_to_be_encoded_counts_for_words_to_a_model_only() -> None:
    needed = "".join(f"\\u{ord(letter):04x}" for letter in OTHERS[1])
    needless = "".join(f"\\u{ord(letter):04x}" for letter in SAID)
    request = b64(f'{{"text": "{SAID}"}}')
    drawing = b64(f"<svg><title>{SAID}</title></svg>")
    assert [hidden(f"{text}\n") for text in (needed, request, drawing)] == [[("", True)]] * 3
    assert [hidden(f"{text}\n") for text in (needless, b64(SAID))] == [[("encoded-text", False)]] * 2


def test_base85_is_decoded_by_itself_and_in_quotation_marks() -> None:
    plain = base64.b85encode(SAID.encode()).decode()
    said = "The lamp on the quay is out and will not be lit"
    quoted = base64.b85encode(said.encode()).decode()
    assert encodings.decode(f"Data: {plain} and more") == [("base85 text", SAID)]
    for mark in ("'", '"', "`"):
        assert encodings.decode(f"run {mark}{quoted}{mark}") == [("base85 text", said)]


def test_words_around_a_run_that_is_cut_up_are_left_out() -> None:
    run = " ".join(cut(b64(SAID), 8))
    assert found(f"The data is this: {run} and no more.\n") == [("base64 text", SAID, run)]


def test_a_list_and_a_table_of_pieces_are_decoded_as_one() -> None:
    pieces = cut(b64(SAID), 12)
    for text in (
        "".join(f"{number}. {piece}\n" for number, piece in enumerate(pieces, 1)),
        "".join(f"- {piece}\n" for piece in pieces),
        "| a | b |\n|---|---|\n" + "".join(f"| {' | '.join(row)} |\n" for row in (pieces[:2], pieces[2:4], pieces[4:])),
    ):
        assert next(said for _, said, _ in found(text)).startswith(SAID[:30])


def test_noise_behind_a_text_does_not_hide_it() -> None:
    assert encodings.decode(b64(SAID.encode() + bytes(range(128, 256)) * 4)) == [("base64 text", SAID)]


def test_hyphens_among_escapes_make_no_character_class() -> None:
    said = "the un-lit lamp-post is the well-kept one"
    assert encodings.decode(every_other("\\x{:02x}")(said)) == [("escaped text", said)]


def test_lines_of_prose_around_a_wrapped_run_are_left_out() -> None:
    run = "\n".join(cut(b64(SAID), 24))
    assert found(f"Decode\n{run}\nThanks\n") == [("base64 text", SAID, run)]


def test_what_is_encoded_within_a_decoded_command_is_decoded_in_its_place() -> None:
    assert encodings.decode(b64(f"echo {b64(SAID)} | base64 -d")) == [
        ("base64 inside base64", f"echo {SAID} | base64 -d")
    ]


def test_a_run_split_by_characters_that_nobody_sees_is_found_whole() -> None:
    run = b64(SAID)
    split = "\u200b".join(cut(run, 7)) + "\u00ad"
    wide = "".join(chr(ord(letter) + 0xFEE0) for letter in run if letter != "=")
    assert found(f"\ufeffA\u2060 {split} B") == [("base64 text", SAID, split.rstrip("\u00ad"))]
    assert found(f"\u200b{wide} B") == [("base64 text", SAID, wide)]


def test_paragraphs_and_quotations_are_respelled_as_a_whole() -> None:
    lines = ["Gur ynzc ba gur dhnl", "unf orra qnexrarq", "fvapr gur jne jnf bire"]
    assert encodings.decode("\n".join(lines)) == [("rot13 text", rot13("\n".join(lines)))]


PASSED = [
    ("hash", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("fingerprint", "SHA256 3f:9c:11:d0:7a:b2:5e:88:0c:41:6d:f3:92:17:aa:5b:e0:34:cd:76"),
    ("identifier", "123e4567-e89b-12d3-a456-426614174000"),
    ("key", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMn0v9qkX2bq3v5cZ0uV8p1w7yLr4sTgHjKfDdSaQwEr keeper@quay"),
    ("token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3MyIsImlhdCI6MTcwMDAwMDAwMH0.Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4"),
    ("picture", "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"),
    ("drawing", f"data:image/svg+xml;base64,{b64('<svg><title>Lamp</title><path d=M0></svg>')}"),
    ("integrity", 'integrity="sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC"'),
    ("short word", b64("Hello, quay")),
    ("credentials", b64("keeper:lamp")),
    ("address", "https://quay.example/%D0%BC%D0%B0%D1%8F%D0%BA?q=the%20old%20lamp%20keeper%20is%20here"),
    ("link", "[a](docs/The%20Keeper%20Of%20The%20Lamp.md)"),
    ("JSON", '{"a": "Caf\\u00e9 au lait \\u2014 \\u00e0 c\\u00f4t\\u00e9 de l\\u2019\\u00e9t\\u00e9"}'),
    ("character class", r"[\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\u3040-\u30ff]"),
    ("terminal colours", r"printf '\033[31mThe lamp\033[0m and \033[32mthe quay\033[0m is \033[1mout\033[0m\n'"),
    ("entities of punctuation", "The lamp&#8217;s light &#8212; &#8220;the quay&#8221; &#38; the wall &#169; 2026"),
    ("numbers", "10 20 30 40 50 60 70 80 90 100 110 120"),
    ("words", "the keeper\nof\nthe\nlamp\nlighthousekeeping\nharbourmasters\n"),
    ("paths", "src/components/HarbourWall/LampKeeperView/indexPage and docs/GettingStarted/Overview2"),
    ("rule", "--- --- --- --- --- --- --- --- --- --- ---"),
    ("table", "| - | - | - | - | - | - | - | - | - | - |\n|---|---|---|---|---|---|---|---|---|---|\n"),
    ("acronyms", "SI and OS, DNA, ERA, TON, NO, ON, SAW: units of the old charts"),
    ("codes of languages", "fr, de, es, pt, it, nl, sv, no, ab, na, ha, or, gn, fo, fy, vi"),
    ("other languages", "Si tu ne le sais pas, non lo so, ni en la era de los otros; ed era il mio"),
]


@pytest.mark.parametrize("text", [text for _, text in PASSED], ids=[name for name, _ in PASSED])
def test_what_is_no_text_is_no_finding(text: str) -> None:
    assert found(f"# Title\n\nText: {text}\n\n```\n{text}\n```\n") == []


def test_the_volume_of_one_text_is_capped() -> None:
    run = b64((SAID + ". ") * 1000) + "\n\n"
    spans = found(run * 40)
    assert 0 < len(spans) < 40
    assert sum(len(decoded) for _, decoded, _ in spans) <= 1 << 20


ALPHABET = st.sampled_from(
    ["\\x41", "\\u0041", "%41", "&#65;", "0x41, ", "65 ", "41 ", "QUFB", b64(SAID), "=", '" + "', "\n"]
)


@given(st.lists(st.one_of(ALPHABET, st.text(max_size=8)), max_size=40))
def test_spans_are_ordered_and_inside_whatever_the_text(parts: list[str]) -> None:
    text = "".join(parts)
    page = Page.of(Source(text))
    end = 0
    for one in encodings.find(page):
        assert end <= one.span.start < one.span.end <= len(text)
        assert one.content == one.span
        assert one.decoded
        assert not one.plain
        end = one.span.end


@given(st.text(max_size=120), st.sampled_from([writing for _, _, writing in ENCODED]))
def test_no_text_written_in_an_encoding_fails(text: str, writing: Callable[[str], str]) -> None:
    encodings.decode(writing(text.encode("utf-8", "ignore").decode()))


def _chunks(run: str) -> list[str]:
    return [run[at : at + 6] for at in range(0, len(run), 6)]


SHOWN = st.sampled_from(
    [
        *(
            " ",
            "\n",
            "\r\n",
            "| ",
            "\n- ",
            "\n> ",
            "\n1. ",
            "\\\n",
            "//",
            '" + "',
            '", "',
            "=",
            "==",
            "words",
            "Word",
            "e\u0301",
            "\x1c",
        ),
        *_chunks(b64(SAID)),
        *_chunks(b64(SAID)[::-1]),
        *_chunks(SAID.encode().hex()),
        *_chunks(base64.b32encode(SAID.encode()).decode().lower()),
        *(f"{ord(letter)} " for letter in SAID[:8]),
        *(f"{ord(letter):08b} " for letter in SAID[:8]),
        *(f"\\{ord(letter):x} " for letter in SAID[:8]),
        *(f"&#{ord(letter)};" for letter in SAID[:8]),
        *rot13(SAID).split(),
        *SAID[::-1].split(),
        *("chr(65)+", "CHAR( 0x41 ) ", "U+0041 ", "%u0041 ", "=41=42", "-.-. ", ".- / ", "<~87cURD]i", "~>"),
        base64.b85encode(SAID.encode()).decode(),
        *("(", '"', "12.", "12)", "1234.", ", ", "x"),
        *(b64(SAID[at : at + 5]) for at in range(0, 20, 5)),
    ]
)


@given(st.lists(SHOWN | ALPHABET, max_size=30))
@settings(max_examples=1500)
def test_no_encoding_is_passed_over_for_want_of_a_sign(parts: list[str]) -> None:
    text = "".join(parts)
    every = (
        encodings._letters,
        encodings._pieces,
        encodings._BASE85_RUNS,
        encodings._BASE58_RUNS,
        *encodings._CODES,
        encodings._spellings,
    )
    expected, found = (
        sorted({run for family in families for run in family(text, encodings._Budget.of(text))})
        for families in (every, *encodings.families([encodings._View(text).text]))
    )
    assert found == expected


HEXED = SAID.encode().hex()


@pytest.mark.parametrize(
    "text",
    [
        f'Eval ("{"".join(b64(SAID[at : at + 7]) for at in range(0, len(SAID), 7))}")',
        f"AB {b64(SAID).strip('=')[2:40]} {b64(SAID).strip('=')[40:]} 1234)",
        " ".join([HEXED[:8], HEXED[8:16], "12.", HEXED[16:24], HEXED[24:]]),
    ],
)
def test_pieces_beside_marks_and_numbers_show(text: str) -> None:
    (shown,) = encodings.families([text])
    assert encodings._pieces in shown or not list(encodings._pieces(text, encodings._Budget.of(text)))
    assert found(text) == found_by_all(text)


def found_by_all(text: str) -> list[tuple[str, str, str]]:
    every = (
        encodings._letters,
        encodings._pieces,
        encodings._BASE85_RUNS,
        encodings._BASE58_RUNS,
        *encodings._CODES,
        encodings._spellings,
    )
    page = Page.of(Source(text))
    return [(one.form, one.decoded, text[slice(*one.span)]) for one in encodings.find(page, every)]
