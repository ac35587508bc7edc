"""When garbage is looked for among all that there is: while nobody waits, not between a key and its diagnostics.

At a megabyte of open text such a search takes a tenth of a second, and Python begins one in the midst of a scan.
"""

from __future__ import annotations

import gc

# Rounds among what is young before Python searches through everything of its own accord, and those after which it
# usually does: where the keyboard never rests, there is an end to what piles up.
_SELDOM = 1_000
_DUE = 10


def begin() -> None:
    """Turns the collector on, without what has been loaded up to now: that stays."""
    gc.freeze()
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, _SELDOM)
    gc.enable()


def search() -> None:
    """Searches through everything if that is due."""
    if gc.get_count()[2] > _DUE:
        gc.collect()
