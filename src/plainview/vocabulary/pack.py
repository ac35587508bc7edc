"""The published o200k_base vocabulary, packed so that it loads in a few milliseconds; standard library only.

The published file has a line per token: the token's bytes in base64, a blank, its rank. The ranks run from 0
without a gap and the 256 single bytes come first, so order alone can stand for rank. Packed:

    header   magic, format version, number of tokens, size and CRC-32 of the rest (little endian)
    256 B    the single-byte tokens in rank order
    rest     the longer tokens in rank order, joined by the byte FF, which UTF-8 never uses

Building the mapping is then one `bytes.split` and one `dict`.
"""

from __future__ import annotations

import struct

PUBLISHED_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
"""Of the uncompressed o200k_base.tiktoken; tiktoken itself expects it (`tiktoken_ext.openai_public`)."""

FORMAT = 1

_MAGIC = b"PLV-BPE\n"
_HEADER = struct.Struct("<8sHIII")
_SINGLES = 256
_SEPARATOR = b"\xff"


class VocabularyError(Exception):
    """The vocabulary is missing, damaged, or not the published one."""


def unpack_published(gz_bytes: bytes) -> bytes:
    """The published o200k_base file, from its gzipped form.

    Raises VocabularyError when `gz_bytes` is not gzip, or its content is not the published file.
    """
    import gzip
    import zlib

    try:
        text = gzip.decompress(gz_bytes)
    except (OSError, EOFError, zlib.error) as error:
        raise VocabularyError(f"o200k_base: not a whole gzip file: {error}") from error
    _check_published(text)
    return text


def pack(tiktoken_text: bytes) -> bytes:
    """The packed form of the published file `tiktoken_text`.

    Raises VocabularyError when `tiktoken_text` is not the published file.
    """
    import base64
    import zlib

    _check_published(tiktoken_text)
    tokens = [base64.b64decode(line.split()[0]) for line in tiktoken_text.splitlines()]
    body = b"".join(tokens[:_SINGLES]) + _SEPARATOR.join(tokens[_SINGLES:])
    packed = _HEADER.pack(_MAGIC, FORMAT, len(tokens), len(body), zlib.crc32(body)) + body
    verify(packed)
    return packed


def unpack(packed: bytes) -> dict[bytes, int]:
    """The rank of every token, by its bytes, in rank order.

    Checks the header, the sizes and the CRC-32 (0.2 ms), which is enough against a damaged installation;
    `verify` is the full check. Raises VocabularyError when one of them is wrong.
    """
    import zlib

    if len(packed) < _HEADER.size + _SINGLES:
        raise VocabularyError("o200k_base: the packed vocabulary is cut short")
    magic, version, count, size, checksum = _HEADER.unpack_from(packed)
    if magic != _MAGIC or version != FORMAT:
        raise VocabularyError(f"o200k_base: not a packed vocabulary of format {FORMAT}")
    body = packed[_HEADER.size :]
    if len(body) != size or zlib.crc32(body) != checksum:
        raise VocabularyError("o200k_base: the packed vocabulary is damaged")
    tokens = list(struct.unpack_from(f"{_SINGLES}c", body))
    tokens += body[_SINGLES:].split(_SEPARATOR)
    ranks = dict(zip(tokens, range(len(tokens)), strict=True))
    if len(ranks) != count:
        raise VocabularyError(f"o200k_base: {len(ranks)} tokens where the header says {count}")
    return ranks


def publish(ranks: dict[bytes, int]) -> bytes:
    """The text of the published file for `ranks`, which are in rank order."""
    import base64

    return b"".join(b"%s %d\n" % (base64.b64encode(token), rank) for token, rank in ranks.items())


def verify(packed: bytes) -> None:
    """Check in full: what is unpacked, written as the published file is, has the published hash.

    Raises VocabularyError when it has not. Takes some hundred milliseconds.
    """
    _check_published(publish(unpack(packed)))


def _check_published(text: bytes) -> None:
    import hashlib

    found = hashlib.sha256(text).hexdigest()
    if found != PUBLISHED_SHA256:
        raise VocabularyError(f"o200k_base: not the published vocabulary: sha256 {found}, not {PUBLISHED_SHA256}")
