"""The generated sets are what the Unicode Character Database says, written without a raw invisible character."""

from __future__ import annotations

import importlib.util
import re
import unicodedata
from pathlib import Path
from types import ModuleType

import pytest

from plainview import unicode_sets


def generator() -> ModuleType:
    path = Path(__file__).parents[1] / "generate_unicode_sets.py"
    spec = importlib.util.spec_from_file_location("generate_unicode_sets", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GENERATOR = generator()
SETS = [(name, pattern) for name, pattern, _ in GENERATOR._SETS]


@pytest.mark.parametrize(("name", "pattern"), SETS, ids=[name for name, _ in SETS])
def test_a_set_is_what_its_properties_say(name: str, pattern: str | None) -> None:
    members = re.compile(f"[{getattr(unicode_sets, name)}]")
    table = {point for point in range(0x110000) if members.match(chr(point))}
    # A later version of the database adds characters; what this Python knows does not change.
    known = {point for point in table ^ GENERATOR.characters(pattern) if unicodedata.category(chr(point)) != "Cn"}
    assert not known


def test_the_module_is_plain_ascii() -> None:
    assert Path(unicode_sets.__file__).read_text("utf-8").isascii()


def test_every_ignorable_character_is_invisible() -> None:
    ignorable = re.compile(f"[{unicode_sets.IGNORABLE}]")
    invisible = re.compile(f"[{unicode_sets.INVISIBLE}]")
    assert all(invisible.match(chr(point)) for point in range(0x110000) if ignorable.match(chr(point)))
