"""What token counting costs, in CPU time, as ratios: `python tests/bench/tokens.py`.

The yardstick of a start is a bare interpreter, that of counting ordinary text of the same size: this
project's own sources and rules.
"""

from __future__ import annotations

import base64
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"
sys.path.insert(0, str(SOURCE))

from plainview import tokens  # noqa: E402

STARTS = {
    "bare interpreter": "pass",
    "import plainview.tokens": "import plainview.tokens",
    "import tiktoken": "import tiktoken",
    "read and unpack the vocabulary": "import plainview.vocabulary as v; v.ranks()",
    "... and check it in full": "import plainview.vocabulary as v; v.pack.verify(v.PACKED.read_bytes())",
    "all of tokens.load": "import plainview.tokens as t; t.load()",
    "CoreBPE without Encoding": (
        "from tiktoken import _tiktoken; import plainview.tokens as t; from plainview.vocabulary import ranks;"
        "_tiktoken.CoreBPE(ranks(), t.SPECIAL, t.PATTERN)"
    ),
}


def ordinary(size: int) -> str:
    """`size` code points of this project, from its start again when it is shorter."""
    files = sorted([*SOURCE.rglob("*.py"), *(SOURCE.parent / "rules").rglob("*.toml")])
    text = "\n".join(each.read_text("utf-8") for each in files)
    return (text * (size // len(text) + 1))[:size]


def hostile(size: int) -> dict[str, str]:
    """Texts of `size` bytes that tokenizers find hard."""
    dice = random.Random(1)  # noqa: S311
    return {
        "one letter": "a" * size,
        "random letters": "".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=size)),
        "one sign": "=" * size,
        "random signs": "".join(dice.choices("!#$%&()*+,-.:;<=>?@[]^_{|}~", k=size)),
        "base64": base64.b64encode(dice.randbytes(size * 3 // 4)).decode(),
        "spaces": " " * size,
        "line feeds": "\n" * size,
        "Han": "".join(chr(dice.randrange(0x4E00, 0x9FFF)) for _ in range(size // 3)),
        "emoji": "😀" * (size // 4),
        "combining marks": "\u0301" * (size // 2),
        "lone surrogates": "\ud800" * (size // 3),
    }


def cpu_of(code: str) -> float:
    """Median CPU seconds of an interpreter that runs `code`."""
    taken = []
    for _ in range(9):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": str(SOURCE)})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(taken)


def best(work: Callable[[], object], runs: int = 5) -> float:
    """CPU seconds of the quickest of `runs`."""
    taken = []
    for _ in range(runs):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def starts() -> None:
    """Print what loading costs."""
    bare = 0.0
    for name, code in STARTS.items():
        cpu = cpu_of(code)
        bare = bare or cpu
        print(f"{name:32}{cpu * 1e3:9.0f} ms{cpu / bare:9.1f} x")


def rates() -> None:
    """Print what counting costs, in ordinary and in hostile text."""
    for size in (13_000, 100_000, 1_000_000, 4_000_000):
        text = ordinary(size)
        yardstick = best(partial(tokens.count, text))
        print(f"\n{size:,} bytes, ordinary: {yardstick * 1e3:.2f} ms, {size / yardstick / 1e6:.0f} MB/s")
        for name, each in hostile(size).items():
            cpu = best(partial(tokens.count, each), 2)
            print(f"{name:32}{cpu * 1e3:9.2f} ms{cpu / yardstick:9.1f} x")


def edits() -> None:
    """Print what a key within a piece costs, beside counting the whole text."""
    for size in (13_000, 1_000_000):
        text = ordinary(size)
        whole = best(partial(tokens.count, text))
        piece = tokens.Piece.of(text, tokens.count)
        keys = [text[: size // 2] + "x" * key + text[size // 2 :] for key in range(30)]
        start = time.process_time()
        for old, new in pairwise(keys):
            piece = piece.edited(old, new, tokens.count)
        key = (time.process_time() - start) / (len(keys) - 1)
        print(f"\n{size:,} bytes: whole {whole * 1e3:.2f} ms; a key {key * 1e3:.3f} ms, {key / whole:.3f} x")


if __name__ == "__main__":
    starts()
    tokens.load()
    rates()
    edits()
