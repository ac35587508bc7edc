"""The tables of the built-in TOML files, packed when the package is built."""

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from plainview import toml_pack
from plainview.grade import load_scale
from plainview.kinds import load_kinds
from plainview.prices import Prices, load_prices
from plainview.rules import DataError, load_rules, load_toml, parse_toml

ROOT = Path(__file__).parents[2]
PRICES = b'source = "a list"\ndate = "2026-01"\n[[models]]\nname = "One"\nusd_per_million = 3\n'


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    toml_pack.known.cache_clear()
    yield
    toml_pack.known.cache_clear()


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the pack is looked for; it is not there yet."""
    file = tmp_path / "tables.json"
    monkeypatch.setattr(toml_pack, "PACKED", file)
    return file


def loaded() -> tuple[object, ...]:
    kinds = load_kinds()
    assert not kinds.errors
    return load_rules(()), kinds.hosts, load_prices(), load_scale()


def test_what_is_packed_is_what_is_parsed(packed: Path) -> None:
    toml_pack.known.cache_clear()
    parsed = loaded()
    files = [file.read_bytes() for file in (ROOT / "rules").rglob("*.toml")]
    packed.write_bytes(toml_pack.pack((data, parse_toml(packed, data)) for data in files))
    toml_pack.known.cache_clear()
    assert all(toml_pack.table(data) is not None for data in files)
    assert loaded() == parsed


def test_an_edited_file_counts_as_it_is(packed: Path, tmp_path: Path) -> None:
    packed.write_bytes(toml_pack.pack([(PRICES, parse_toml(packed, PRICES))]))
    file = tmp_path / "prices.toml"
    file.write_bytes(PRICES)
    assert load_toml(file, Prices).models[0].usd_per_million == 3
    file.write_bytes(PRICES.replace(b"3", b"4"))
    assert load_toml(file, Prices).models[0].usd_per_million == 4


def test_the_pack_is_what_is_read(packed: Path, tmp_path: Path) -> None:
    packed.write_bytes(toml_pack.pack([(PRICES, {**parse_toml(packed, PRICES), "source": "the pack"})]))
    file = tmp_path / "prices.toml"
    file.write_bytes(PRICES)
    assert load_toml(file, Prices).source == "the pack"


@pytest.mark.parametrize("data", [b"", b"[]", b'{"a": {}', b'{"a": {"b": }}'])
def test_a_pack_that_cannot_be_used_is_none(packed: Path, data: bytes) -> None:
    packed.write_bytes(data)
    assert load_rules(()).rules
    assert not toml_pack.known()


def test_a_damaged_table_is_parsed(packed: Path, tmp_path: Path) -> None:
    data = toml_pack.pack([(PRICES, parse_toml(packed, PRICES))])
    packed.write_bytes(data.replace(b"a list", b"a \xffist"))
    file = tmp_path / "prices.toml"
    file.write_bytes(PRICES)
    assert load_toml(file, Prices).source == "a list"


@pytest.mark.parametrize("value", ["1979-05-27", "nan", "inf", "[[07:32:00]]", f"{1 << 60}"])
def test_what_json_has_no_word_for_is_left_out(packed: Path, value: str) -> None:
    data = f"a = {value}".encode()
    packed.write_bytes(toml_pack.pack([(data, parse_toml(packed, data)), (PRICES, parse_toml(packed, PRICES))]))
    assert toml_pack.table(data) is None
    assert toml_pack.table(PRICES) is not None


def test_a_packed_table_of_another_shape_is_told_by_its_key(packed: Path, tmp_path: Path) -> None:
    data = PRICES.replace(b"= 3", b"= '3'")
    file = tmp_path / "prices.toml"
    file.write_bytes(data)
    with pytest.raises(DataError) as parsed:
        load_toml(file, Prices)
    packed.write_bytes(toml_pack.pack([(data, parse_toml(packed, data))]))
    toml_pack.known.cache_clear()
    with pytest.raises(DataError) as found:
        load_toml(file, Prices)
    assert str(found.value) == str(parsed.value)
    assert found.value.key == "models[0].usd_per_million"


def test_the_build_packs_every_file_of_the_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "hatchling.builders.hooks.plugin.interface"
    parts = name.split(".")
    for length in range(1, len(parts) + 1):
        monkeypatch.setitem(sys.modules, ".".join(parts[:length]), ModuleType(".".join(parts[:length])))
    monkeypatch.setattr(sys.modules[name], "BuildHookInterface", object, raising=False)
    file = ROOT / "src" / "plainview" / "vocabulary" / "hatch_hook.py"
    spec = importlib.util.spec_from_file_location("tables_hook", file)
    assert spec is not None
    assert spec.loader is not None
    hook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hook)
    hook.write_tables(ROOT, tmp_path / "tables.json")
    tables = msgspec.json.decode((tmp_path / "tables.json").read_bytes())
    assert len(tables) == len(list((ROOT / "rules").rglob("*.toml")))
