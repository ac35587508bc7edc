"""Modules that are loaded when something of them is first used.

What scans takes longer to load than all that a client is told in answer to `initialize`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib import import_module
from importlib.util import LazyLoader, find_spec, module_from_spec

_SCANNING = ("scan", "wording", "masking")
# For what is asked once something has been found. Only the event loop's thread uses them.
_ANSWERING = ("cards", "fixes", "trial", "pages")


def postpone() -> None:
    """Postpones the engine. `load` has to be called before a second thread uses it, and `load_rest` before one loads
    modules."""
    package = sys.modules["plainview"]
    for name in (*_SCANNING, *_ANSWERING):
        spec = find_spec(f"plainview.{name}")
        if spec is None or spec.loader is None or spec.name in sys.modules:
            continue
        loader = spec.loader = LazyLoader(spec.loader)
        module = sys.modules[spec.name] = module_from_spec(spec)
        loader.exec_module(module)
        setattr(package, name, module)


def load() -> None:
    """Loads what scans and lists need, as far as it has not been used yet."""
    _load(_SCANNING)


def load_rest() -> None:
    """Loads all else that was postponed and has not been used yet."""
    _load(_ANSWERING)


def _load(names: Iterable[str]) -> None:
    for name in names:
        # Any attribute would do.
        getattr(import_module(f"plainview.{name}"), "__file__", None)
