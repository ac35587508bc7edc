"""What a scan costs beside a parse, and hostile words beside ordinary ones: `python tests/bench/scan.py`.

Needs PLAINVIEW_CORPUS, the folder with `benign.tar.gz`. For each of 20 real files near 13 KB it prints how many times
a plain parse by markdown-it-py a scan with all rules takes, the best of several runs of each in turn, in CPU time.
Then texts of words that the rules look for, shuffled, at 1 and 2 MB (or the sizes given, in KB), as ratios to
ordinary text of the same size.
"""

from __future__ import annotations

import os
import random
import re
import statistics
import sys
import tarfile
import time
from collections.abc import Callable
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"
sys.path.insert(0, str(SOURCE))

from markdown_it import MarkdownIt  # noqa: E402

from plainview.rules import load_rules  # noqa: E402
from plainview.scan import Engine, scan  # noqa: E402
from plainview.settings import Settings  # noqa: E402
from plainview.text import Source  # noqa: E402

ENGINE = Engine.load(Settings())
FILES = 20
NEAR = range(12_000, 14_001)
RUNS = 5
ESCAPE = re.compile(r"\\x\{?[0-9a-f]+\}?|\\[a-zA-Z]|\(\?:|\[\^?[^\]]*\]|\{[0-9,]*\}")
WORD = re.compile(r"[^\W\d_]{2,}")
SEED = 11


def seconds(work: Callable[[], object], runs: int = 1) -> float:
    """The best of so many runs, in seconds of CPU time."""
    best = float("inf")
    for _ in range(runs):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def real_files() -> list[tuple[str, str]]:
    """Files near 13 KB, evenly spread over the archive: path and text."""
    archive = Path(os.environ["PLAINVIEW_CORPUS"], "benign.tar.gz")
    found = []
    with tarfile.open(archive) as tar:
        for member in tar:
            stream = tar.extractfile(member) if member.size in NEAR else None
            if stream is not None:
                found.append((member.name, stream.read().decode("utf-8", "replace")))
    found.sort()
    return [found[index * len(found) // FILES] for index in range(FILES)] if len(found) > FILES else found


def atom_words() -> list[str]:
    """The words of every atom, of the shared ones too, as often as the rules have them."""
    ruleset = load_rules(())
    atoms = [*ruleset.lexicon.values(), *(patterns for rule in ruleset.rules for patterns in rule.atoms.values())]
    return [word for patterns in atoms for one in patterns for word in WORD.findall(ESCAPE.sub(" ", one))]


def shuffled(words: list[str], size: int) -> str:
    """A text of words in no order, in lines of some length, with a seed of its own."""
    chance = random.Random(SEED)  # noqa: S311 - nothing secret
    pieces: list[str] = []
    length = 0
    while length < size:
        pieces.append(chance.choice(words))
        pieces.append(chance.choice((" ", " ", " ", " ", " ", " ", ", ", "\n")))
        length += len(pieces[-1]) + len(pieces[-2])
    return "".join(pieces)[:size]


def filled(texts: list[str], size: int) -> str:
    """The texts one after the other, over and over, up to a size in code points."""
    text = "\n\n".join(texts)
    return (text * (size // len(text) + 1))[:size]


def main() -> None:
    """Prints a row for each file, then one for each hostile text."""
    files = real_files()
    ratios = []
    for path, text in files:
        parse, whole = float("inf"), float("inf")
        for _ in range(RUNS):
            parse = min(parse, seconds(lambda text=text: MarkdownIt().parse(text)))
            whole = min(whole, seconds(lambda text=text, path=path: scan(Source(text), ENGINE, path=path)))
        ratios.append(whole / parse)
        print(f"{whole / parse:6.2f}x  {parse * 1000:6.1f} ms  {whole * 1000:6.1f} ms  {path}")
    print(f"scan / parse: median {statistics.median(ratios):.2f}, worst {max(ratios):.2f}")
    words = atom_words()
    for size in [int(one) * 1000 for one in sys.argv[1:]] or [1_000_000, 2_000_000]:
        ordinary = filled([text for _, text in files], size)
        usual = seconds(lambda ordinary=ordinary: scan(Source(ordinary), ENGINE))
        for name, hostile in (
            ("words of all atoms", shuffled(words, size)),
            ("the same in one line", shuffled(words, size).replace("\n", " ")),
            ("the same as list items", "- " + shuffled(words, size).replace("\n", "\n- ")[: size - 2]),
        ):
            cost = seconds(lambda hostile=hostile: scan(Source(hostile), ENGINE))
            print(f"{name}, {size // 1000} KB: {cost:.1f} s, {cost / usual:.1f} times ordinary text ({usual:.1f} s)")


if __name__ == "__main__":
    main()
