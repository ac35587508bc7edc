"""How long an editor waits: `PLAINVIEW_CORPUS=FOLDER python tests/bench/latency.py [PART...] [options]`.

Starts `plainview server`, an empty pygls server that publishes eight fixed diagnostics, and `rumdl server` where it can
be had, gives all of them the same edits of the same files in one run, and prints times in milliseconds with their ratio
to the empty server's. Parts: start, keys, burst, hover, typing, memory, workspace; all of them unless some are named.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import os
import random
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench_client import BenchClient, GivenUpError

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "src"))

PARTS = ("start", "keys", "burst", "hover", "typing", "memory", "workspace")
EMPTY, OURS, RUMDL = "empty pygls", "plainview", "rumdl"
MOST_FINDINGS = 300
_USUAL = 20_000  # characters: agent files are rarely longer
_SENTENCES = (
    "Keep each function short and name it after what it does.",
    "The tables of this page are built from the sources once a week.",
    "A reader should find the answer in the first paragraph.",
    "Tests run on every push and take about four minutes.",
    "Figures are rounded to one digit where that is enough.",
)


class Case(NamedTuple):
    """Files of one sort, by name; `rumdl` tells whether rumdl is measured on them."""

    name: str
    texts: dict[str, str]
    rumdl: bool = True


def main() -> None:
    """Prints what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", choices=[*PARTS, []], help=", ".join(PARTS))
    parser.add_argument("--edits", type=int, default=200, help="edits of each sort of file (200)")
    parser.add_argument("--seconds", type=float, default=60, help="seconds of typing (60)")
    parser.add_argument("--memory-edits", type=int, default=10_000, help="edits before memory is read (10,000)")
    parser.add_argument("--files", type=int, default=2_000, help="files of the workspace (2,000)")
    parser.add_argument("--starts", type=int, default=7, help="starts of each server that count (7)")
    parser.add_argument("--cases", default="", help="only the sorts of file whose names hold this")
    parser.add_argument("--no-rumdl", action="store_true", help="leave rumdl out")
    options = parser.parse_args()
    parts = options.parts or PARTS
    if set(parts) - {"start"}:
        corpus_archive()
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        # Of an installed package all modules are compiled; here the first start of each server does it.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(Path(folder) / "bytecode")
        commands = {
            EMPTY: [sys.executable, str(HERE / "empty_server.py")],
            OURS: [sys.executable, "-m", "plainview", "server"],
        }
        rumdl = None if options.no_rumdl else find_rumdl(stack)
        if rumdl is not None:
            commands[RUMDL] = [rumdl, "server"]
        bench = Bench(commands, folder, options)
        for part in PARTS:
            if part in parts:
                getattr(bench, part)()


def find_rumdl(stack: contextlib.ExitStack) -> str | None:
    """rumdl from PATH, or installed for this run only; None, with a note, where there is neither."""
    found = shutil.which("rumdl")
    if found is not None:
        return found
    place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    try:
        subprocess.run([sys.executable, "-m", "venv", place], check=True, capture_output=True, timeout=120)
        install = [place / "bin" / "python", "-m", "pip", "install", "--quiet", "rumdl"]
        subprocess.run(install, check=True, capture_output=True, timeout=300)
    except (OSError, subprocess.SubprocessError) as error:
        print(f"rumdl is left out: it is not on PATH and cannot be installed ({type(error).__name__})\n")
        return None
    return str(place / "bin" / "rumdl")


# Texts


def corpus() -> list[tuple[str, str]]:
    """The benign files of Markdown, by path, from the archive in PLAINVIEW_CORPUS."""
    found = []
    with tarfile.open(corpus_archive()) as tar:
        for member in tar:
            data = tar.extractfile(member) if member.isfile() and member.name.endswith(".md") else None
            if data is not None:
                with contextlib.suppress(UnicodeDecodeError):
                    found.append((member.name, data.read().decode()))
    return sorted(found)


def corpus_archive() -> Path:
    """The archive of benign files. Ends the run where there is none."""
    archive = Path(os.environ.get("PLAINVIEW_CORPUS", ".")) / "benign.tar.gz"
    if not archive.is_file():
        sys.exit("PLAINVIEW_CORPUS has to name the folder that holds benign.tar.gz")
    return archive


def cases(wanted: str) -> Iterator[Case]:
    """The sorts of file whose name holds `wanted`."""
    names = ("20 files of 13 KB", "100 KB", "1 MB", "1 MB, clean", "13 KB, one list", "13 KB, one paragraph")
    names = tuple(name for name in names if wanted in name)
    files = corpus() if any(not _is_built(name) for name in names) else []
    for name in names:
        if name.startswith("20 files"):
            near = sorted(files, key=lambda file: (abs(len(file[1]) - 13_000), file[0]))[:20]
            yield Case(name, {f"real-{at}": text for at, (_, text) in enumerate(near)})
        elif name in {"100 KB", "1 MB"}:
            yield Case(name, {"joined": joined(files, 100_000 if name == "100 KB" else 1_000_000)}, rumdl=False)
        else:
            yield Case(name, {"built": _BUILT[name]()})


def joined(files: Iterable[tuple[str, str]], size: int) -> str:
    """Whole files, in an order of chance that is the same each time, to `size` code points and 300 findings at most."""
    from plainview.scan import Engine, scan
    from plainview.settings import Settings
    from plainview.text import Source

    engine = Engine.load(Settings())
    parts: list[str] = []
    length = found = 0
    order = list(files)
    random.Random(3).shuffle(order)  # noqa: S311
    for name, text in order:
        if length + len(text) > size * 1.02 or len(text) > size // 4:
            continue
        more = len(scan(Source(text), engine, path=name).findings)
        if found + more <= MOST_FINDINGS * size // 1_000_000:
            parts.append(text)
            length += len(text) + 2
            found += more
    return "\n\n".join(parts)


def clean(size: int) -> str:
    """Sections of short lines in which no linter should find anything."""
    dice = random.Random(5)  # noqa: S311
    parts = ["# Notes\n"]
    length = 0
    while length < size:
        lines = "\n".join(dice.choice(_SENTENCES) for _ in range(6))
        parts.append(f"\n## Section {len(parts)}\n\n{lines}\n")
        length += len(parts[-1])
    return "".join(parts)


def one_list(size: int) -> str:
    """A list and nothing else."""
    return "".join(f"- {_SENTENCES[at % 5]}\n" for at in range(size // 60))


def one_paragraph(size: int) -> str:
    """A paragraph of many lines and nothing else."""
    return "".join(f"{_SENTENCES[at % 5]}\n" for at in range(size // 58))


_BUILT: dict[str, Callable[[], str]] = {
    "1 MB, clean": lambda: clean(1_000_000),
    "13 KB, one list": lambda: one_list(13_000),
    "13 KB, one paragraph": lambda: one_paragraph(13_000),
}


def _is_built(name: str) -> bool:
    return name in _BUILT


class Typist:
    """Edits at places of chance: a letter goes in, and with the next edit out again."""

    def __init__(self, text: str, seed: int) -> None:
        self._lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._dice = random.Random(seed)  # noqa: S311
        self._last: dict[str, Any] | None = None
        self.version = 1

    def place(self) -> dict[str, Any]:
        """A place of chance, its column in UTF-16 units."""
        line = self._dice.randrange(len(self._lines))
        text = self._lines[line]
        before = text[: self._dice.randint(0, len(text))]
        return {"line": line, "character": len(before.encode("utf-16-le", "surrogatepass")) // 2}

    def next(self) -> dict[str, Any]:
        """The next edit."""
        self.version += 1
        if self._last is not None:
            start, self._last = self._last, None
            end = {**start, "character": start["character"] + 1}
            return {"range": {"start": start, "end": end}, "text": ""}
        self._last = place = self.place()
        return {"range": {"start": place, "end": place}, "text": "x"}


# Parts


class Bench:
    """The parts, each of which prints its own table."""

    def __init__(self, commands: dict[str, list[str]], folder: str, options: argparse.Namespace) -> None:
        self._commands = commands
        self._folder = folder
        self._options = options

    def start(self) -> None:
        """From spawning to the answer to `initialize`, and to the first diagnostics of a file of 13 KB.

        Each server is started once more, before the starts that count.
        """
        print("start: from spawning, ms")
        (text,) = next(cases("one paragraph")).texts.values()
        answered: dict[str, list[float]] = {name: [] for name in self._commands}
        shown: dict[str, list[float]] = {name: [] for name in self._commands}
        for start in range(self._options.starts + 1):
            for name in self._commands:
                client = self._client(name)
                initialized = client.initialize() - client.spawned
                client.open(self._uri("first"), text)
                diagnosed = time.perf_counter() - client.spawned
                client.leave()
                if start:
                    answered[name].append(initialized)
                    shown[name].append(diagnosed)
        _print("initialize answered", answered)
        _print("first diagnostics", shown)

    def keys(self) -> None:
        """From opening and from an edit to the diagnostics, pushed and, where that is offered, pulled."""
        for case in cases(self._options.cases):
            self._edits(case, "edit to diagnostics", burst=False, pull=False)
            self._edits(case, "edit to diagnostics, pulled", burst=False, pull=True)

    def burst(self) -> None:
        """From an edit to the last answer to all that VS Code asks after a key."""
        for case in cases(self._options.cases):
            self._edits(case, "edit to the burst's last answer", burst=True, pull=False)

    def hover(self) -> None:
        """Hovers at places of chance."""
        for case in cases(self._options.cases):
            taken: dict[str, list[float]] = {}
            with self._clients(case, pull=False) as clients:
                for client in clients:
                    if not client.capabilities.get("hoverProvider"):
                        continue
                    taken[client.name] = []
                    for number, (name, text) in enumerate(case.texts.items()):
                        client.open(self._uri(name), text)
                        typist = Typist(text, number)
                        for _ in range(max(1, self._options.edits // len(case.texts))):
                            taken[client.name].append(client.hover(self._uri(name), typist.place()))
            print(f"{case.name}: hover, ms")
            _print("hover", taken)

    def typing(self) -> None:
        """Twenty edits a second: how late the diagnostics of the last edit are."""
        seconds = self._options.seconds
        print(f"100 KB: typing at 20 edits a second for {seconds:g} s, ms from the last edit to its diagnostics")
        (case,) = (case for case in cases("100 KB") if case.name == "100 KB")
        (text,) = case.texts.values()
        for name in self._commands:
            with self._clients(case, pull=False, only=name) as (client,):
                client.open(self._uri("typed"), text)
                before = client.lists
                typist = Typist(text, 1)
                since = last = time.perf_counter()
                for number in range(int(20 * seconds)):
                    client.listen(since + number / 20 - time.perf_counter())
                    last = time.perf_counter()
                    client.send_edit(self._uri("typed"), typist.version + 1, typist.next())
                late = client.settled(self._uri("typed"), typist.version) - last
                print(f"  {name:<34}{late * 1e3:9.1f}   {client.lists - before} lists for {typist.version - 1} edits")
        print()

    def memory(self) -> None:
        """Resident memory over many edits of 100 KB, child processes included."""
        edits = self._options.memory_edits
        print(f"100 KB: resident memory, MB, after 100 and after {edits:,} edits")
        (case,) = (case for case in cases("100 KB") if case.name == "100 KB")
        (text,) = case.texts.values()
        for name in self._commands:
            with self._clients(case, pull=False, only=name) as (client,):
                client.open(self._uri("long"), text)
                typist = Typist(text, 2)
                first = 0.0
                for number in range(1, edits + 1):
                    client.send_edit(self._uri("long"), typist.version + 1, typist.next())
                    if number % 50 == 0 or number == edits:
                        client.settled(self._uri("long"), typist.version)
                    if number == 100:
                        first = client.memory()
                last = client.memory()
                print(f"  {name:<34}{first:9.1f}{last:9.1f}{last - first:+9.1f}")
        print()

    def workspace(self) -> None:
        """Typing in an open file while a workspace is scanned, and once that is done; ours alone does that."""
        texts = [text for _, text in corpus() if len(text) <= _USUAL]
        root = Path(self._folder) / "workspace"
        for number in range(self._options.files):
            file = root / ".claude" / "agents" / f"{number // 100}" / f"a{number}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(texts[number % len(texts)], "utf-8")
        size = sum(len(text) for text in texts) // len(texts)
        text = next(iter(next(cases("20 files")).texts.values()))
        for pull in (False, True):
            how = "pulled" if pull else "pushed"
            print(f"a workspace of {self._options.files:,} files of {size:,} characters, {how}, ms")
            client = BenchClient(OURS, self._commands[OURS], self._folder, pull=pull, root=root.as_uri())
            try:
                client.initialize()
                client.open(self._uri("typed"), text)
                if pull:
                    client.ask_for_all()
                self._beside(client, Typist(text, 1))
            finally:
                client.leave()

    def _beside(self, client: BenchClient, typist: Typist) -> None:
        uri = self._uri("typed")

        def edit() -> float:
            client.listen(1 / 20)
            change = typist.next()
            return client.edit(uri, typist.version, change)

        while "begin" not in client.progress:
            client.listen(0.01)
        begun = time.perf_counter()
        busy: list[float] = []
        while "end" not in client.progress:
            busy.append(edit())
        print(f"  looked at in {time.perf_counter() - begun:.1f} s, {client.memory():.0f} MB with all processes")
        client.listen(5)
        idle = [edit() for _ in range(self._options.edits)]
        _print("edit to diagnostics", {"idle": idle, "while the workspace is scanned": busy}, base="idle")

    def _edits(self, case: Case, what: str, *, burst: bool, pull: bool) -> None:
        opened: dict[str, list[float]] = {}
        taken: dict[str, list[float]] = {}
        found: collections.Counter[str] = collections.Counter()
        with self._clients(case, pull=pull) as started:
            clients = started
            if pull:
                clients = [client for client in clients if client.pulls or client.name == EMPTY]
                if len(clients) == 1:
                    print(f"{case.name}: no server here can be pulled\n")
                    return
            for number, (name, text) in enumerate(case.texts.items()):
                uri = self._uri(name)
                for client in clients:
                    opened.setdefault(client.name, []).append(client.open(uri, text))
                    found[client.name] += client.findings
                typists = {client.name: Typist(text, number) for client in clients}
                # In turns: whatever else the machine does meanwhile falls on all of them.
                for client in clients * 10:
                    typist = typists[client.name]
                    for _ in range(max(1, self._options.edits // len(case.texts) // 10)):
                        change = typist.next()
                        took = client.edit(uri, typist.version, change, burst=burst)
                        taken.setdefault(client.name, []).append(took)
                for client in clients:
                    client.close(uri)
            size = sum(len(text.encode()) for text in case.texts.values()) // len(case.texts)
            findings = ", ".join(f"{name} {number}" for name, number in found.items())
            print(f"{case.name} ({size:,} bytes; findings: {findings}), ms")
            print("".join(map(_asks, clients if burst else ())), end="")
        if not burst:
            _print("open to first diagnostics", opened)
        _print(what, taken)

    @contextlib.contextmanager
    def _clients(self, case: Case, *, pull: bool, only: str | None = None) -> Iterator[list[BenchClient]]:
        names = [name for name in self._commands if (only in (None, name)) and (case.rumdl or name != RUMDL or only)]
        clients = [self._client(name, pull=pull and name != EMPTY) for name in names]
        try:
            for client in clients:
                client.initialize()
            # Vocabularies are loaded and the like: what is measured is an editor in use.
            for client in clients:
                client.open(self._uri("warm"), "# Warm\n\nSome words.\n")
                client.listen(1.5)
                client.close(self._uri("warm"))
            yield clients
        except GivenUpError as error:
            print(f"given up: {error}")
        finally:
            for client in clients:
                client.leave()

    def _client(self, name: str, *, pull: bool = False) -> BenchClient:
        return BenchClient(name, self._commands[name], self._folder, pull=pull)

    def _uri(self, name: str) -> str:
        """An agent's file, so that Plainview looks at it; it is nowhere but in the editor."""
        return (Path(self._folder) / ".claude" / "agents" / f"{name}.md").as_uri()


def _asks(client: BenchClient) -> str:
    asked = ", ".join(method.partition("/")[2] for method in client.burst())
    return f"  {client.name} is asked for {asked or 'nothing more'}\n"


def _print(what: str, taken: dict[str, Sequence[float]] | dict[str, list[float]], base: str = EMPTY) -> None:
    """Prints p50, p95 and the longest of each row's times, and the first two over those of the row `base`."""
    print(f"  {what:<34}{'p50':>9}{'p95':>9}{'max':>9}   ratio of p50 and p95")
    least = taken.get(base)
    for name, times in taken.items():
        middle, late = statistics.median(times), percentile(times, 95)
        ratio = f"{middle / statistics.median(least):8.2f}{late / percentile(least, 95):8.2f}" if least else ""
        print(f"    {name:<32}{middle * 1e3:9.2f}{late * 1e3:9.2f}{max(times) * 1e3:9.2f}   {ratio}")
    print()


def percentile(values: Sequence[float], percent: int) -> float:
    """The value below which that many in a hundred lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


if __name__ == "__main__":
    main()
