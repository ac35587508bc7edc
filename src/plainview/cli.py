"""The command line. It imports neither pygls nor lsprotocol, and tiktoken only to count."""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from plainview import __version__
from plainview.finding import Severity

if TYPE_CHECKING:
    from plainview.config import Config
    from plainview.output.report import FileReport, Run
    from plainview.rules import DataError, Rule, Ruleset
    from plainview.scan import Engine
    from plainview.settings import Settings
    from plainview.workspace import Loaded, Problem, Search, Target

_STDIN = "-"
_ONLY_STDIN = f"names what {_STDIN} reads, and {_STDIN} is not among the paths"
OK, FOUND, WRONG = 0, 1, 2
"""Exit statuses: nothing at or above --fail-on; something is; the command line, a file or a rule is wrong."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    options = _parsed(sys.argv[1:] if arguments is None else list(arguments))
    options.status = OK
    # What a run loads stays: to look for garbage in it takes a third of the time.
    collects = gc.isenabled()
    gc.disable()
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader (`| head`) has seen enough, and what was found stays found.
        _close_stdout()
        return int(options.status)
    except OSError as error:
        _close_stdout()
        sys.stderr.write(f"the output cannot be written: {error.strerror or error}\n")
        return WRONG
    except KeyboardInterrupt:
        return 130
    finally:
        if collects:
            gc.enable()
    return status


def _close_stdout() -> None:
    """Python would complain again when it flushes at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Program(argparse.ArgumentParser):
    """The whole command line, and by their names the commands that it knows."""

    commands: Mapping[str, argparse.ArgumentParser]


def _parsed(arguments: list[str]) -> argparse.Namespace:
    """What is asked for. A mistake is told in the usage of its command, and ends the program."""
    parser = _parser()
    name = next(iter(arguments), "")
    command = parser.commands.get(name)
    if command is None:
        if name and not name.startswith("-"):
            parser.error(f"no command is called {name!r}; {_hint(name, parser.commands)}")
        return parser.parse_args(arguments)
    # A command's own parser alone lets options stand between paths, and it knows no -- then.
    parse = command.parse_known_args if "--" in arguments else command.parse_known_intermixed_args
    options, unknown = parse(arguments[1:])
    option = next((word for word in unknown if word.startswith("-")), None)
    if option is not None:
        known = re.findall(r"--[\w-]+", command.format_usage())
        command.error(f"no option is called {option}; {_hint(option.split('=')[0], known)}")
    if unknown:
        command.error(f"unrecognized arguments: {' '.join(unknown)}")
    return options


def _hint(word: str, known: Iterable[str]) -> str:
    from plainview.rules import nearest

    names = list(known)
    near = nearest(word, names)
    return f"did you mean {near}?" if near else f"known are {', '.join(names)}"


def _parser() -> _Program:
    parser = _Program(
        prog="plainview",
        description="Shows what an agent reads and a reviewer does not: hidden text, injection phrasing, token cost.",
    )
    parser.add_argument("--version", action="version", version=f"plainview {__version__}")
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, parser_class=argparse.ArgumentParser
    )
    parser.commands = commands.choices

    check = commands.add_parser("check", help="findings and grades", description="Findings and grades of agent files.")
    _add_paths(check)
    check.add_argument("--format", choices=("text", "json"), default="text", help="how to print (text)")
    check.add_argument(
        "--fail-on",
        metavar="SEVERITY",
        type=_severity,
        default=Severity.HIGH,
        help="exit with 1 from this severity on: info, low, medium, high (the default), critical, or never",
    )
    check.add_argument("--no-tokens", action="store_true", help="do not count tokens")
    check.add_argument("--no-accept", action="store_true", help="count what the configuration accepts")
    check.add_argument("--quiet", "-q", action="store_true", help="print findings only")
    check.add_argument("--all", "-a", action="store_true", help="print accepted findings and those of info too")
    check.set_defaults(run=_check)

    cost = commands.add_parser(
        "cost", help="tokens and prices", description="Tokens and prices per file, per host, per section and in total."
    )
    _add_paths(cost)
    cost.add_argument("--format", choices=("text", "json"), default="text", help="how to print (text)")
    cost.add_argument("--no-sections", action="store_true", help="leave the sections out")
    cost.set_defaults(run=_cost)

    explain = commands.add_parser("explain", help="a rule's page", description="What a rule looks for, and why.")
    explain.add_argument("rule", metavar="RULE", nargs="?", help="a rule's id, such as hidden-instructions")
    explain.add_argument("--all", "-a", action="store_true", help="the pages of all rules")
    explain.add_argument("--format", choices=("text", "markdown"), default="text", help="how to print (text)")
    explain.add_argument(
        "--output", metavar="DIR", type=Path, help="with --all: write a Markdown file for each rule, and index.md"
    )
    _add_rules(explain)
    explain.set_defaults(run=_explain)

    rules = commands.add_parser("rules", help="the list of rules", description="The rules, by category.")
    rules.add_argument("--test", action="store_true", help="try your own rules on their examples")
    _add_rules(rules)
    rules.set_defaults(run=_rules)

    reveal = commands.add_parser(
        "reveal",
        help="a file with its hidden text made visible",
        description="A file with all hidden text made visible and marked, secrets masked; nothing is written to it.",
    )
    reveal.add_argument("path", metavar="FILE", help="a file, or - for standard input")
    _add_stdin_filename(reveal)
    _add_rules(reveal)
    reveal.set_defaults(run=_reveal)

    server = commands.add_parser(
        "server", help="the language server", description="The language server. It serves one client and then ends."
    )
    where = server.add_mutually_exclusive_group()
    where.add_argument("--stdio", action="store_true", help="standard input and output, which is the default")
    address = "[HOST:]PORT"
    where.add_argument(
        "--tcp", metavar=address, type=_address, help="a TCP connection; 127.0.0.1 unless a host is named"
    )
    where.add_argument("--ws", metavar=address, type=_address, help="a WebSocket, which needs plainview[ws]")
    server.add_argument("--log-file", metavar="FILE", help="append the log to a file, not to standard error")
    server.add_argument("--verbose", "-v", action="store_true", help="log every message's method and time")
    server.set_defaults(run=_server)
    return parser


def _add_paths(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="*",
        default=["."],
        help="files and folders (the current folder), or - for standard input",
    )
    _add_stdin_filename(parser)
    parser.add_argument(
        "--prices",
        metavar="FILE",
        type=Path,
        help="a TOML file of prices to use instead: source, date (YYYY-MM or YYYY-MM-DD), and for each model "
        "[[models]] with name and usd_per_million (of input tokens)",
    )
    parser.add_argument(
        "--max-size",
        metavar="MIB",
        type=_mebibytes,
        help="files above this size are not scanned, which is an error (10 MiB)",
    )
    _add_rules(parser)


def _add_stdin_filename(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--stdin-filename", metavar="PATH", help="with -: the path by which the text's kind is known and shown"
    )


def _add_rules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rules", metavar="DIR", type=Path, action="append", default=[], help="a folder with further rules"
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--config", metavar="FILE", type=Path, help="a configuration (plainview.toml, pyproject.toml of this folder)"
    )
    where.add_argument("--no-config", action="store_true", help="use no configuration")


def _severity(word: str) -> Severity | None:
    if word == "never":
        return None
    try:
        return Severity[word.upper()]
    except KeyError:
        names = ", ".join(severity.word for severity in Severity)
        raise argparse.ArgumentTypeError(f"{word!r} is none of {names}, never") from None


def _mebibytes(word: str) -> int:
    try:
        size = float(word)
    except ValueError:
        size = 0
    if not 0 < size < 1 << 20:
        raise argparse.ArgumentTypeError(f"{word!r} is no size in MiB")
    return int(size * (1 << 20))


def _address(word: str) -> tuple[str, int]:
    host, _, port = word.rpartition(":")
    if not (port.isascii() and port.isdigit() and int(port) < 1 << 16):
        raise argparse.ArgumentTypeError(f"{word!r} is no port, nor a host with one")
    return host.strip("[]") or "127.0.0.1", int(port)


def _check(options: argparse.Namespace) -> int:
    run = _run(options, _counter() if not options.no_tokens else None)
    wrong = any(problem.fatal for problem in run.problems)
    found = options.fail_on is not None and run.fails(options.fail_on)
    options.status = WRONG if wrong else FOUND if found else OK
    if options.format == "json":
        from plainview.output import json

        _write_bytes(json.render(run))
    else:
        from plainview.output import page, text

        page.write(text.render(run, quiet=options.quiet, everything=options.all), sys.stdout)
    _complain(run.problems)
    return int(options.status)


def _cost(options: argparse.Namespace) -> int:
    run = _run(options, _counter())
    from plainview.output import cost, page

    if options.format == "json":
        _write_bytes(cost.render_json(run))
    else:
        page.write(cost.render(run, sections=not options.no_sections), sys.stdout)
    return WRONG if _complain(run.problems) else OK


def _explain(options: argparse.Namespace) -> int:
    if (options.rule is None) is not options.all:
        _error("explain: name one rule, or ask for --all")
        return WRONG
    if options.output is not None and not options.all:
        _error("explain: --output goes with --all")
        return WRONG
    ruleset = _ruleset(options)
    wrong = False
    if options.output is not None:
        _write_pages(ruleset, options.output)
    elif options.all:
        _print_pages(ruleset.rules, options.format, ruleset)
    elif (rule := ruleset.rule(options.rule)) is not None:
        _print_pages((rule,), options.format)
    else:
        from difflib import get_close_matches

        wrong = True
        near = get_close_matches(options.rule, [known.id for known in ruleset.rules], 3)
        hint = f" Did you mean {' or '.join(near)}?" if near else " plainview rules lists them."
        _error(f"{options.rule}: no such rule.{hint}")
    wrong = _complain(map(_problem, ruleset.errors)) or wrong
    return WRONG if wrong else OK


def _print_pages(rules: Sequence[Rule], form: str, book: Ruleset | None = None) -> None:
    """Prints rules' pages; as Markdown those of `book` as one document with a list of contents."""
    from plainview import pages
    from plainview.output import page, rulebook

    if form == "markdown":
        text = pages.book(book) if book is not None else pages.page(rules[0])
        _write_bytes(text.encode("utf-8", "replace"))
        return
    for number, rule in enumerate(rules):
        if number:
            sys.stdout.write("\n\n")
        page.write(rulebook.explain(rule), sys.stdout)


def _write_pages(ruleset: Ruleset, folder: Path) -> None:
    from plainview import pages

    folder.mkdir(parents=True, exist_ok=True)
    for rule in ruleset.rules:
        (folder / f"{rule.id}.md").write_bytes(pages.page(rule).encode("utf-8", "replace"))
    (folder / "index.md").write_bytes(pages.index(ruleset).encode("utf-8", "replace"))
    sys.stdout.write(f"{len(ruleset.rules)} pages and index.md in {folder}\n")


def _rules(options: argparse.Namespace) -> int:
    from plainview.output import page, rulebook

    if options.test:
        return _test_rules(options)
    ruleset = _ruleset(options)
    page.write(rulebook.listing(ruleset), sys.stdout)
    return WRONG if _complain(map(_problem, ruleset.errors)) else OK


def _ruleset(options: argparse.Namespace) -> Ruleset:
    import msgspec

    from plainview.rules import load_rules

    config = _config(options)
    ruleset = load_rules((*config.extend, *options.rules))
    return msgspec.structs.replace(ruleset, errors=(*config.errors, *ruleset.errors))


def _config(options: argparse.Namespace) -> Config:
    """The configuration that counts: the one that is named, or that of the folder the program is run in."""
    from plainview import config

    if options.no_config:
        return config.NOTHING
    if options.config is None:
        return config.find(Path.cwd())
    return config.load(Path(os.path.normpath(Path.cwd() / options.config)))


def _test_rules(options: argparse.Namespace) -> int:
    """Tries a user's rules on their examples; one that does not do what they say is wrong."""
    from plainview.scan import Engine
    from plainview.settings import Settings
    from plainview.trial import failures
    from plainview.wording import plural

    config = _config(options)
    engine = Engine.load(Settings(rule_folders=(*config.extend, *options.rules)))
    ruleset = engine.ruleset
    errors = [*config.errors, *ruleset.errors]
    tried = 0
    for rule in ruleset.rules:
        if rule.id in ruleset.own:
            tried += len(rule.examples.flag) + len(rule.examples.passed)
            errors.extend(failures(rule, ruleset.own[rule.id], engine))
    said = f"{plural(len(ruleset.own), 'rule')} of your own, {plural(tried, 'example')}"
    sys.stdout.write(f"{said}: {'all is well' if not errors else plural(len(errors), 'error')}.\n")
    return WRONG if _complain(map(_problem, errors)) else OK


def _reveal(options: argparse.Namespace) -> int:
    from plainview.output import page, reveal
    from plainview.scan import Engine, scan
    from plainview.settings import MAX_BYTES, Settings
    from plainview.workspace import Loaded, Search, read

    from_stdin = options.path == _STDIN
    if options.stdin_filename is not None and not from_stdin:
        _error(f"--stdin-filename: {_ONLY_STDIN}")
        return WRONG
    engine = Engine.load(Settings(rule_folders=(*_config(options).extend, *options.rules)))
    if not from_stdin and Path(options.path).is_dir():
        _error(f"{options.path}: a folder; name a file")
        return WRONG
    search = Search([] if from_stdin else [options.path], engine.kinds)
    problems: list[Problem] = []
    given = [_stdin(options.stdin_filename, MAX_BYTES)] if from_stdin else []
    for target, loaded in [*given, *((target, read(target, MAX_BYTES)) for target in search.targets())]:
        if isinstance(loaded, Loaded):
            problems.extend(loaded.problems)
            report = scan(loaded.source, engine, path=target.path.as_posix(), root=target.root)
            page.write(reveal.render(report), sys.stdout)
        else:
            problems.append(loaded)
    return WRONG if _complain([*problems, *search.problems]) else OK


def _server(options: argparse.Namespace) -> int:
    if options.ws is not None and find_spec("websockets") is None:
        _error("--ws needs the package websockets: install plainview[ws], or websockets beside plainview")
        return WRONG
    from plainview.server import logs

    try:
        logs.begin(options.log_file, verbose=options.verbose)
    except OSError as error:
        _error(f"{options.log_file}: the log cannot be written: {error.strerror or error}")
        return WRONG
    # The collector is off until the server turns it on again, once all is loaded.
    from plainview.server import lazy

    lazy.postpone()
    from plainview.server.main import serve

    return serve(tcp=options.tcp, ws=options.ws)


def _run(options: argparse.Namespace, count: Callable[[str], int] | None) -> Run:
    import msgspec

    from plainview.output import notices
    from plainview.output.report import Run
    from plainview.scan import Engine
    from plainview.settings import MAX_BYTES, Settings
    from plainview.workspace import Problem, Search

    config = _config(options)
    if getattr(options, "no_accept", False):
        config = msgspec.structs.replace(config, accept={})
    settings = Settings(
        tokens=count is not None,
        rule_folders=tuple(options.rules),
        prices_file=options.prices,
        max_bytes=options.max_size or MAX_BYTES,
        config=config,
    )
    engine = Engine.load(settings)
    # All is loaded but for what few files need. From here on there may be many files.
    gc.freeze()
    gc.enable()
    problems = [_problem(error) for error in engine.errors]
    search = Search([path for path in options.paths if path != _STDIN], engine.kinds)
    files = list(_scanned(search, engine, settings, count, problems))
    if _STDIN in options.paths:
        files += _from_stdin(options.stdin_filename, engine, settings, count, problems)
    elif options.stdin_filename is not None:
        problems.append(Problem("--stdin-filename", _ONLY_STDIN))
    problems += [*search.problems, *notices.in_vain(engine.policy, files)]
    return Run(engine, tuple(files), tuple(problems), tuple(notices.weakened(engine.policy, files)))


def _problem(error: DataError) -> Problem:
    from plainview.output.notices import shown
    from plainview.workspace import Problem

    return Problem(shown(error.file), f"{error.key}: {error.problem}" if error.key else error.problem)


def _scanned(
    search: Search,
    engine: Engine,
    settings: Settings,
    count: Callable[[str], int] | None,
    problems: list[Problem],
) -> Iterator[FileReport]:
    from plainview.workspace import Loaded, read

    for target in _with_progress(search.targets()):
        loaded = read(target, settings.max_bytes)
        if not isinstance(loaded, Loaded):
            problems.append(loaded)
            continue
        yield from _reported(loaded, target, engine, count, problems)


def _from_stdin(
    name: str | None,
    engine: Engine,
    settings: Settings,
    count: Callable[[str], int] | None,
    problems: list[Problem],
) -> Iterator[FileReport]:
    """The report on standard input, as the file of that name or as plain agent markdown."""
    from plainview.workspace import Loaded

    target, loaded = _stdin(name, settings.max_bytes)
    if not isinstance(loaded, Loaded):
        problems.append(loaded)
        return
    yield from _reported(loaded, target, engine, count, problems)


def _stdin(name: str | None, max_bytes: int) -> tuple[Target, Loaded | Problem]:
    """Standard input as the file `name`, and what it holds, or why it cannot be used."""
    from plainview.workspace import Target, load

    shown = name or _STDIN
    here = Path.cwd()
    # Without a name it is given one of no kind that is known.
    target = Target(Path(os.path.normpath(here / shown)), shown, here.as_posix())
    return target, load(sys.stdin.buffer.read(max_bytes + 1), shown, max_bytes)


def _reported(
    loaded: Loaded, target: Target, engine: Engine, count: Callable[[str], int] | None, problems: list[Problem]
) -> Iterator[FileReport]:
    """The report on what was read; none where that fails, for one file never loses another's findings."""
    from plainview.output.report import FileReport
    from plainview.scan import scan
    from plainview.wording import quote
    from plainview.workspace import Problem

    problems.extend(loaded.problems)
    try:
        report = scan(loaded.source, engine, path=target.path.as_posix(), root=target.root, count=count)
    except Exception as error:
        problems.append(Problem(target.shown, f"could not be scanned: {type(error).__name__}: {quote(str(error))}"))
        return
    yield FileReport(target.shown, loaded.sha256, report)


def _with_progress(targets: Iterable[Target]) -> Iterator[Target]:
    """The targets, counted on a terminal's last line while the work takes long."""
    if not sys.stderr.isatty():
        yield from targets
        return
    from time import monotonic

    begun = shown = monotonic()
    number = 0
    for number, target in enumerate(targets, 1):
        now = monotonic()
        if now - begun > 1 and now - shown > 0.2:
            sys.stderr.write(f"\r{number:,} files …")
            sys.stderr.flush()
            shown = now
        yield target
    if shown > begun:
        sys.stderr.write("\r" + " " * 24 + "\r")


def _counter() -> Callable[[str], int]:
    from plainview.tokens import count

    return count


def _complain(problems: Iterable[Problem]) -> bool:
    """Prints what went wrong; whether anything did."""
    from plainview.wording import shown_path

    fatal = [problem for problem in problems if problem.fatal]
    for problem in fatal:
        _error(f"{shown_path(problem.path)}: {problem.message}")
    return bool(fatal)


def _error(message: str) -> None:
    sys.stdout.flush()
    sys.stderr.write(message + "\n")


def _write_bytes(data: bytes) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(data)


if __name__ == "__main__":
    sys.exit(main())
