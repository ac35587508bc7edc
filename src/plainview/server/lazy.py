"""Modules that are loaded when something of them is first used.

What scans takes longer to load than all that a client is told in answer to `initialize`.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import LazyLoader, find_spec, module_from_spec

_LATE = ("scan", "wording", "cards", "fixes", "masking", "trial", "pages")


def postpone() -> None:
    """Postpones the engine. `load` has to be called before a second thread uses it."""
    package = sys.modules["plainview"]
    for name in _LATE:
        spec = find_spec(f"plainview.{name}")
        if spec is None or spec.loader is None or spec.name in sys.modules:
            continue
        loader = spec.loader = LazyLoader(spec.loader)
        module = sys.modules[spec.name] = module_from_spec(spec)
        loader.exec_module(module)
        setattr(package, name, module)


def load() -> None:
    """Loads what was postponed and has not been used yet."""
    for name in _LATE:
        # Any attribute would do.
        getattr(import_module(f"plainview.{name}"), "__file__", None)
