"""Counts are exact, whatever the text holds, and stay so under edits."""

from __future__ import annotations

import hashlib
import importlib
import itertools
import os
import re
import subprocess
import sys
import tarfile
import threading
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainview import tokens, vocabulary

# What pre-tokenizers and line splitters differ on: line ends, blanks, marks, astral characters, surrogates.
AWKWARD = "\n\n\n\r\t  /!'s\x00\x0b\x1c\x85\u2028\u2029\xa0\u3000\u200b\u0301\ufeffaZé1漢😀\U000e0041\ud800\udc00"
awkward = st.text(st.sampled_from(AWKWARD), max_size=60)
any_text = awkward | st.text(st.characters(), max_size=40)


@pytest.fixture(autouse=True, scope="module")
def loaded() -> None:
    tokens.load()


def plain(text: str) -> int:
    """tiktoken itself, in one go."""
    return len(tokens._loaded().encode_ordinary(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("hello world", 2),
        ("<|endoftext|>", 7),
        ("<|endofprompt|>", 7),
        ("\ud800", 1),
        ("\x00", 1),
        ("a" * 16, 2),
    ],
)
def test_known_counts(text: str, expected: int) -> None:
    assert tokens.count(text) == expected


def test_surrogates_count_as_tiktoken_replaces_them() -> None:
    assert tokens.count("a\ud800b\udc00") == tokens.count("a\ufffdb\ufffd")
    assert tokens.count("\ud83d\ude00") == tokens.count("😀")


def test_pattern_and_special_tokens_are_the_published_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    published: Any = importlib.import_module("tiktoken_ext.openai_public")
    hashes: list[str] = []

    def no_download(_url: str, expected_hash: str) -> dict[bytes, int]:
        hashes.append(expected_hash)
        return {}

    monkeypatch.setattr(published, "load_tiktoken_bpe", no_download)
    definition = published.o200k_base()
    assert definition["pat_str"] == tokens.PATTERN
    assert definition["special_tokens"] == tokens.SPECIAL
    assert hashes == [importlib.import_module("plainview.vocabulary.pack").PUBLISHED_SHA256]


@settings(deadline=None, max_examples=1000)
@given(any_text)
def test_counts_add_up_over_pieces(text: str) -> None:
    ends = [0, *tokens.cuts(text), len(text)]
    assert sum(tokens.count(text[a:b]) for a, b in itertools.pairwise(ends)) == tokens.count(text)


@settings(deadline=None)
@given(any_text, st.data())
def test_counts_add_up_between_any_two_cuts(text: str, data: st.DataObject) -> None:
    ends = [0, *tokens.cuts(text), len(text)]
    first = data.draw(st.integers(0, len(ends) - 1))
    last = data.draw(st.integers(first, len(ends) - 1))
    start, end = ends[first], ends[last]
    whole = tokens.count(text)
    assert tokens.count(text[:start]) + tokens.count(text[start:end]) + tokens.count(text[end:]) == whole


@given(any_text, st.integers(0, 60), st.integers(0, 60))
def test_cuts_stand_after_a_line_feed_and_strictly_inside(text: str, start: int, end: int) -> None:
    expected = [
        at
        for at in range(start + 1, min(end, len(text)))
        if text[at - 1] == "\n" and not text[at].isspace() and text[at] != "/"
    ]
    assert tokens.cuts(text, start, end) == expected


def test_a_cut_elsewhere_would_not_be_exact() -> None:
    for text in ("#\n/ x", "\n\n", "\n\u2028", " \r\n"):
        assert tokens.cuts(text) == []
    assert plain("//\n") + plain("//") != plain("//\n//")


@settings(deadline=None)
@given(st.lists(any_text, min_size=1, max_size=6))
def test_a_piece_becomes_that_of_an_unrelated_text(versions: list[str]) -> None:
    piece = tokens.Piece.of("", tokens.count)
    for old, new in itertools.pairwise(["", *versions]):
        piece = piece.edited(old, new, tokens.count)
        assert piece == tokens.Piece.of(new, tokens.count)


@settings(deadline=None, max_examples=300)
@given(any_text, st.lists(st.tuples(st.integers(0, 80), st.integers(0, 8), awkward)))
def test_a_piece_after_edits(text: str, edits: list[tuple[int, int, str]]) -> None:
    piece = tokens.Piece.of(text, tokens.count)
    for start, length, inserted in edits:
        old, text = text, text[:start] + inserted + text[start + length :]
        piece = piece.edited(old, text, tokens.count)
        assert piece == tokens.Piece.of(text, tokens.count)


def test_an_edit_counts_the_edit_and_not_the_text() -> None:
    counted: list[int] = []

    def spy(text: str) -> int:
        counted.append(len(text))
        return tokens.count(text)

    text = "".join(f"Line {number} of an ordinary file.\n" for number in range(5_000))
    piece = tokens.Piece.of(text, spy)
    assert sum(counted) == len(text)
    counted.clear()
    assert piece.edited(text, text, spy) == piece
    for at in (0, 1, 70_000, len(text) - 1, len(text)):
        old, text = text, text[:at] + "x" + text[at:]
        piece = piece.edited(old, text, spy)
        assert piece.tokens == tokens.count(text)
    assert sum(counted) < 5 * 4_000


def test_a_piece_whose_edit_cannot_be_counted_stays() -> None:
    def fails(text: str) -> int:
        raise tokens.CountError(text)

    piece = tokens.Piece.of("one\ntwo\n", tokens.count)
    with pytest.raises(tokens.CountError):
        piece.edited("one\ntwo\n", "one\nthree\n", fails)
    assert piece.edited("one\ntwo\n", "one\nthree\n", tokens.count).tokens == tokens.count("one\nthree\n")


@settings(deadline=None, max_examples=1000)
@given(any_text, st.integers(2, 5))
def test_long_blanks_are_counted_exactly(text: str, limit: int) -> None:
    with mock.patch.object(tokens, "LONGEST_BLANK", limit):
        assert tokens.count(text) == plain(text)


@pytest.mark.parametrize("blank", [" ", "\t", "\xa0", "\u3000", " \t"])
@pytest.mark.parametrize(("before", "after"), [("", ""), ("x", "y"), ("!\n", "!"), ("\r", "\n"), ("", "1")])
def test_long_blanks_against_tiktoken(blank: str, before: str, after: str) -> None:
    for size in (99_999, 100_000, 100_001, 250_000):
        text = before + (blank * size)[:size] + after
        assert tokens.count(text) == plain(text), size


@pytest.mark.parametrize("blank", [" ", "\t", "\u2003", "\n", "\r\n"])
def test_a_million_blanks_do_not_panic(blank: str) -> None:
    text = "a" + (blank * 1_100_000)[:1_100_000] + "b"
    assert tokens.count(text) > tokens.count(text[:500_000])


def test_a_panic_becomes_an_ordinary_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class PanicException(BaseException):
        pass

    broken = mock.Mock()
    broken.encode_ordinary.side_effect = PanicException("StackOverflow")
    monkeypatch.setattr(tokens, "_encoding", broken)
    with pytest.raises(tokens.CountError, match="StackOverflow"):
        tokens.count("x")
    broken.encode_ordinary.side_effect = KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        tokens.count("x")


def test_threads_build_one_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[str] = []

    def build(name: str, **_: object) -> object:
        built.append(name)
        return object()

    monkeypatch.setattr(tokens, "_encoding", None)
    monkeypatch.setattr(vocabulary, "ranks", dict)
    monkeypatch.setattr("tiktoken.Encoding", build)
    threads = [threading.Thread(target=tokens.load) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert built == ["o200k_base"]


def test_importing_tokens_does_not_import_tiktoken() -> None:
    code = "import sys, plainview.tokens; sys.exit('tiktoken' in sys.modules)"
    source = Path(tokens.__file__).parents[1]
    environment = os.environ | {"PYTHONPATH": str(source)}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0


def test_yardstick() -> None:
    assert tokens.yardstick("a", "b", "whole", counter=len) == tokens.Figures(session=4, invoked=5)
    assert tokens.yardstick("a", None, "", counter=len) == tokens.Figures(session=3, invoked=0)
    assert tokens.yardstick(None, None, "whole", counter=len) == tokens.Figures(session=0, invoked=5)


@pytest.mark.parametrize(
    ("name", "sha256", "lines", "figures"),
    [
        ("fsdp", "18b5ac0e1b13", 297, tokens.Figures(session=37, invoked=2816)),
        ("megatron", "31c3b2974e7b", 314, tokens.Figures(session=35, invoked=2640)),
    ],
)
def test_reference_files(name: str, sha256: str, lines: int, figures: tokens.Figures) -> None:
    folder = os.environ.get("PLAINVIEW_CORPUS")
    if not folder:
        pytest.skip("PLAINVIEW_CORPUS does not name the folder with reference.tar.gz")
    path = f".claude/agents/{name}-engine-expert.md"
    with tarfile.open(Path(folder) / "reference.tar.gz") as archive:
        member = next(each for each in archive.getmembers() if each.name.endswith(path))
        stream = archive.extractfile(member)
        assert stream is not None
        raw = stream.read()
    text = raw.decode()
    assert hashlib.sha256(raw).hexdigest().startswith(sha256)
    assert len(re.split(r"\r\n|\r|\n", text)) == lines
    header = dict(re.findall(r"^(name|description): (.*)$", text.split("---")[1], re.MULTILINE))
    assert tokens.yardstick(header["name"], header["description"], text) == figures


@given(
    st.text(alphabet=list("ab /\n\n\r\t#\u00e9\U0001f600'1"), max_size=60),
    st.lists(st.integers(0, 60), max_size=6),
    st.lists(st.integers(0, 60), max_size=4),
)
def test_a_tally_gives_what_counting_each_part_gives(text: str, cuts: list[int], ends: list[int]) -> None:
    kept = sorted({min(cut, len(text)) for cut in cuts} | {0, len(text)})
    pieces = [tokens.Piece.of(text[start:end], tokens.count) for start, end in itertools.pairwise(kept)]
    tally = tokens.Tally(text, kept[:-1], pieces, tokens.count)
    places = sorted({min(end, len(text)) for end in ends} | set(kept))
    for start, end in itertools.combinations_with_replacement(places, 2):
        assert tally.count(start, end) == tokens.count(text[start:end])


@given(st.text(alphabet=list("ab /\n\n\n\r\t#'1"), max_size=60))
def test_paragraphs_add_up_to_the_text(text: str) -> None:
    assert tokens.by_paragraphs(text, tokens.count) == tokens.count(text)
