"""Prices print as the reference prints them, and a wrong price file says where it is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainview.prices import Model, load_prices, money
from plainview.rules import DataError


def test_the_built_in_models_and_their_order() -> None:
    prices = load_prices()
    assert [(each.name, each.usd_per_million) for each in prices.models] == [
        ("Fable 5.1", 10),
        ("Opus 5.5", 4),
        ("Sonnet 5.5", 2),
        ("Haiku 4.5", 1),
    ]
    assert "reference" in prices.source
    assert prices.date == "2026-11"


@pytest.mark.parametrize(
    ("tokens", "printed"),
    [
        (0, ["0.00000", "0.00000", "0.00000", "0.00000"]),
        (35, ["0.00035", "0.00014", "0.00007", "0.00003"]),
        (37, ["0.00037", "0.00015", "0.00007", "0.00004"]),
        (277, ["0.00277", "0.00111", "0.00055", "0.00028"]),
        (2640, ["0.02640", "0.01056", "0.00528", "0.00264"]),
        (2816, ["0.02816", "0.01126", "0.00563", "0.00282"]),
    ],
)
def test_costs(tokens: int, printed: list[str]) -> None:
    assert [money(each.cost(tokens)) for each in load_prices().models] == printed


HEAD = 'source = "s"\ndate = "2026-11"\n'
MODEL = '[[models]]\nname = "M"\nusd_per_million = 1\n'


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", ""),
        ("x = ", ""),
        (HEAD, ""),
        (HEAD + "models = []", "models"),
        (HEAD + MODEL + MODEL, "models[1].name"),
        (HEAD + MODEL.replace('"M"', '" "'), "models[0].name"),
        (HEAD + MODEL.replace("= 1", "= -1"), "models[0].usd_per_million"),
        (HEAD + MODEL.replace("= 1", "= nan"), "models[0].usd_per_million"),
        (HEAD + MODEL.replace("= 1", "= inf"), "models[0].usd_per_million"),
        (HEAD + MODEL.replace("= 1", '= "1"'), "models[0].usd_per_million"),
        (HEAD + MODEL.replace("= 1", "= true"), "models[0].usd_per_million"),
        (HEAD + MODEL + "extra = 1\n", "models[0]"),
        (HEAD.replace('"s"', '""') + MODEL, "source"),
        (HEAD.replace("2026-11", "November") + MODEL, "date"),
        (HEAD.replace("2026-11", "2026-13") + MODEL, "date"),
    ],
)
def test_wrong_files(tmp_path: Path, text: str, key: str) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(text)
    with pytest.raises(DataError) as caught:
        load_prices(file)
    assert caught.value.file == file
    assert caught.value.key == key


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(DataError):
        load_prices(tmp_path / "none.toml")


def test_a_local_model_may_cost_nothing(tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(HEAD + MODEL.replace("= 1", "= 0"))
    assert load_prices(file).models == (Model("M", 0),)
