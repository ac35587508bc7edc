"""Decoders: what a run of encoded characters stands for. Pure, linear in the run, None where it stands for nothing."""

from __future__ import annotations

import base64
import binascii
import html
import re
import zlib
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable
from urllib.parse import unquote_to_bytes

from plainview import late

# Bytes that one run decodes or decompresses to; what is beyond is left out.
LIMIT = 64 * 1024

_NOT_BASE32 = re.compile(r"[^A-Z2-7]")
_URL_SAFE = str.maketrans("-_", "+/")
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_DOUBLED = re.compile("&(?:amp;)+#")
_ROT13 = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "NOPQRSTUVWXYZABCDEFGHIJKLMnopqrstuvwxyzabcdefghijklm"
)
_ESCAPE = re.compile(
    r"\\{1,4}(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|U([0-9a-fA-F]{8})|([0-3][0-7]{2}))"
)
# International Morse code, Recommendation ITU-R M.1677-1.
_MORSE_CODES = (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.. "
    "----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----. .-.-.- --..-- ..--.. -..-. .----. -....-"
)
_MORSE = dict(
    zip(
        _MORSE_CODES.split(),
        "abcdefghijklmnopqrstuvwxyz0123456789.,?/'-",
        strict=True,
    )
)
# Of a text that was decoded, at most one character in so many may be none that is printed.
_PRINTED = 20
# UTF-16 text of one script has few values in its high bytes, none of them a printed character's; noise has many.
_HIGH_BYTES = 3
_BLANK = 0x20
_NO_PRINTED_FORM = late.pattern("[\t\n\x0b\x0c\r\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\u3000\ufeff]")

# A name or a title in a certificate or a container is shorter.
_NO_NAME = 48
_NOISE = late.pattern("[\x00-\x08\x0e-\x1f\x7f\ufffd]")


def base64_bytes(run: str) -> bytes | None:
    """The bytes of base64 or base64url text (RFC 4648), padded or not."""
    run = run.rstrip("=").translate(_URL_SAFE)
    if len(run) % 4 == 1:
        run = run[:-1]
    try:
        return binascii.a2b_base64(run + "=" * (-len(run) % 4))
    except ValueError:
        return None


def utf7_bytes(run: str) -> bytes | None:
    """The bytes of a shifted sequence of UTF-7 (RFC 2152), its shift characters left on or not: text in UTF-16."""
    return base64_bytes(run.lstrip("+").rstrip("-"))


def base58_bytes(run: str) -> bytes | None:
    """The bytes of base58 text in the alphabet of Bitcoin, leading zeros left out.

    Takes the square of the run's length.
    """
    number = 0
    for letter in run:
        digit = _BASE58.find(letter)
        if digit < 0:
            return None
        number = number * 58 + digit
    return number.to_bytes((number.bit_length() + 7) // 8, "big")


def base85_bytes(run: str) -> bytes | None:
    """The bytes of base85 text in the alphabet of RFC 1924."""
    try:
        return base64.b85decode(run)
    except ValueError:
        return None


def ascii85_bytes(run: str) -> bytes | None:
    """The bytes of Ascii85 text without the marks around it."""
    try:
        return base64.a85decode(run)
    except ValueError:
        return None


def base32_bytes(run: str) -> bytes | None:
    """The bytes of base32 text (RFC 4648) in one case, padded or not."""
    run = run.rstrip("=").upper()
    if _NOT_BASE32.search(run):
        return None
    # What is left over from a run that was cut stands for less than a byte.
    run = run[: len(run) - {1: 1, 3: 1, 6: 1}.get(len(run) % 8, 0)]
    try:
        return base64.b32decode(run + "=" * (-len(run) % 8))
    except ValueError:
        return None


def hex_bytes(run: str) -> bytes | None:
    """The bytes of hexadecimal digits, whatever stands between the pairs."""
    digits = re.sub(r"0[xX]|[^0-9a-fA-F]", "", run)
    return binascii.unhexlify(digits) if len(digits) % 2 == 0 else None


def binary_bytes(run: str) -> bytes | None:
    """The bytes of groups of eight binary digits."""
    digits = re.sub(r"[^01]", "", run)
    return int(digits, 2).to_bytes(len(digits) // 8, "big") if digits and len(digits) % 8 == 0 else None


def percent_bytes(run: str) -> bytes:
    """The bytes of percent-encoded text (RFC 3986)."""
    return unquote_to_bytes(run)


def quoted_printable_bytes(run: str) -> bytes | None:
    """The bytes of quoted-printable text (RFC 2045)."""
    return binascii.a2b_qp(run.encode("utf-8", "replace"))


def unescaped(run: str) -> str | None:
    r"""The text of `\x41`, `\u0041`, `\u{41}`, `\U00000041` and `\101` escapes and what stands between them."""
    out: list[str] = []
    position = 0
    for escape in _ESCAPE.finditer(run):
        out.append(run[position : escape.start()])
        octal = escape[5]
        digits = octal or escape[1] or escape[2] or escape[3] or escape[4]
        code = int(digits, 8 if octal else 16)
        if code > 0x10FFFF:
            return None
        out.append(chr(code))
        position = escape.end()
    text = "".join([*out, run[position:]])
    return _from_bytes(_paired(text))


def entities(run: str) -> str:
    """The text of HTML character references, escaped once more or not, and what stands between them."""
    return html.unescape(_DOUBLED.sub("&#", run))


def characters(codes: Iterable[int]) -> str | None:
    """The text of code points, or of bytes in UTF-8 where all are bytes."""
    values = list(codes)
    if any(code > 0x10FFFF for code in values):
        return None
    return _from_bytes(_paired("".join(map(chr, values))))


def morse(run: str) -> str | None:
    """The text of Morse code, its letters parted by blanks and its words by a stroke or more blanks."""
    words = re.split(r"\s{0,4}[/|]\s{0,4}|\s{2,}", run.strip())
    try:
        return " ".join("".join(_MORSE[letter] for letter in word.split()) for word in words)
    except KeyError:
        return None


def rot13(run: str) -> str:
    """The text with each letter of the English alphabet moved on by thirteen places."""
    return run.translate(_ROT13)


def backwards(run: str) -> str:
    """The text from its end to its beginning.

    Where a capital shows that a sentence begins in the first line or word, the lines or words of the run are in
    order, and each is turned round where it stands.
    """
    lines = run.split("\n")
    if len(lines) > 1 and not (_ends_as_begun(lines[-1]) and not _ends_as_begun(lines[0])):
        return "\n".join(map(backwards, lines))
    words = run.split(" ")
    if _ends_as_begun(words[0]) and not _ends_as_begun(words[-1]):
        return " ".join(word[::-1] for word in words)
    return run[::-1]


def _ends_as_begun(run: str) -> bool:
    return run.rstrip()[-1:].isupper()


def inflated(data: bytes) -> bytes | None:
    """The content of a gzip (RFC 1952) or zlib (RFC 1950) stream, None for other data.

    Text hardly ever shrinks to a tenth of its length. What inflates to more, or to more than LIMIT, is cut there.
    """
    if not is_compressed(data):
        return None
    stream = zlib.decompressobj(wbits=47)  # 32 + 15: either header, the largest window
    try:
        return stream.decompress(data, min(LIMIT, 10 * len(data)))
    except zlib.error:
        return None


def is_compressed(data: bytes) -> bool:
    """Whether the data begin as a gzip or zlib stream does."""
    if data.startswith(b"\x1f\x8b\x08"):
        return True
    return len(data) > 1 and data[0] == 0x78 and int.from_bytes(data[:2], "big") % 31 == 0


def text_of(data: bytes, slack: int = 0) -> str | None:
    """The data as text in UTF-8 or UTF-16, None if too much of it is none that is printed.

    `slack` is how many such characters are let pass beside the share that always is; an incomplete character at
    the end is no matter.
    """
    text = _decoded(data)
    if text is None:
        return None
    return text if _unprinted(text) <= max(slack, len(text) // _PRINTED) else None


def text_before_noise(data: bytes) -> str | None:
    """The text that the data begin with, up to the first bytes that are none; None for a few words, as keys have."""
    text = _NOISE.split(_decoded(data) or "", maxsplit=1)[0]
    return text if len(text) >= _NO_NAME else None


def _decoded(data: bytes) -> str | None:
    if data.startswith(BOM_UTF8):
        data = data[len(BOM_UTF8) :]
    for mark, encoding, high in ((BOM_UTF16_LE, "utf-16-le", 1), (BOM_UTF16_BE, "utf-16-be", 0)):
        if data.startswith(mark):
            return data[2 : len(data) // 2 * 2].decode(encoding, "replace")
        if len(data) < 4 * _HIGH_BYTES or data[high] >= _BLANK:
            continue
        units = len(data) // 2 * 2
        highs, lows = set(data[high:units:2]), set(data[1 - high : units : 2])
        if max(highs) < _BLANK and len(highs) <= _HIGH_BYTES < len(lows):
            return data[:units].decode(encoding, "replace")
    text = data.decode("utf-8", "replace")
    return text.rstrip("\ufffd\0") if text else None


def _unprinted(text: str) -> int:
    if text.isprintable():
        return text.count("\ufffd")
    shown = _NO_PRINTED_FORM.sub("", text)
    return len(shown) - sum(map(str.isprintable, shown)) + shown.count("\ufffd")


def _paired(text: str) -> str:
    """The text with surrogate pairs joined and lone surrogates replaced."""
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _from_bytes(text: str) -> str:
    """The text that the characters spell as bytes of UTF-8; as it is where they do not."""
    if text.isascii():
        return text
    try:
        return text.encode("latin-1").decode("utf-8")
    except ValueError:
        return text
