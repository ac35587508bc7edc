"""What tokens cost: the models of `rules/prices.toml` and their input prices."""

from __future__ import annotations

import math
import re
from pathlib import Path

import msgspec

from plainview.rules import DataError, load_toml, rules_dir

_DATE = re.compile(r"\d{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?")


class Model(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A model and its price in US dollars per million input tokens."""

    name: str
    usd_per_million: float

    def cost(self, tokens: int) -> float:
        """US dollars for `tokens` input tokens: a binary float, which `money` prints as the reference does."""
        return tokens * self.usd_per_million / 1e6


class Prices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The models in the order of reports; where their prices come from, and their month or day in ISO form."""

    source: str
    date: str
    models: tuple[Model, ...]


def load_prices(file: Path | None = None) -> Prices:
    """The prices of `file`, or the built-in ones.

    Raises DataError when the file cannot be read, or a value is missing, unknown, empty, given twice,
    negative or not a number.
    """
    file = file or rules_dir() / "prices.toml"
    prices = load_toml(file, Prices)
    if not prices.source.strip():
        raise DataError(file, "source", "is empty")
    if not _DATE.fullmatch(prices.date):
        raise DataError(file, "date", f"{prices.date!r} is neither YYYY-MM nor YYYY-MM-DD")
    if not prices.models:
        raise DataError(file, "models", "is empty")
    seen: set[str] = set()
    for at, model in enumerate(prices.models):
        if not model.name.strip():
            raise DataError(file, f"models[{at}].name", "is empty")
        if model.name in seen:
            raise DataError(file, f"models[{at}].name", f"{model.name!r} is given twice")
        seen.add(model.name)
        if not (math.isfinite(model.usd_per_million) and model.usd_per_million >= 0):
            raise DataError(
                file, f"models[{at}].usd_per_million", f"{model.usd_per_million} is not a price (0 or more)"
            )
    return prices


def money(usd: float) -> str:
    """US dollars with five decimals, without a sign: `0.00037`."""
    return f"{usd:.5f}"
