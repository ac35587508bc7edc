"""Reads the rule files of `rules/` into typed values, with errors that name the file and the key.

A rule is data: what it looks for, what it says, and examples of both verdicts. `[atoms]` are regular
expressions without gaps in the dialect of RE2, matched against the folded view (lower case, single blanks);
`[[match]]` composes them by order and nearness. `rules/lexicon.toml` holds atoms that several rules share;
a rule names one of them as `@name`.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeVar, cast, get_args, get_type_hints

import msgspec

from plainview import linear, toml_pack
from plainview.finding import Confidence, Severity

T = TypeVar("T")

CATEGORIES = (
    "prompt-injection",
    "anti-refusal",
    "data-exfiltration",
    "privilege-escalation",
    "supply-chain",
    "agent-snooping",
    "system-prompt-leakage",
    "ssrf",
    "excessive-agency",
    "memory-poisoning",
    "tool-misuse",
)

# A file that composes gaps of more than this is a window search in disguise.
MAX_GAP = 400
# A repeat of a class that matches nearly anything is a gap; a Set of such atoms explodes (see `match`).
MAX_WIDE_REPEAT = 8
MAX_REPEAT = 200

_WHERE = re.compile(r" - at `\$\.?(.*)`$")
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


MOST_FILES = 1_000
"""Files that a folder of a user's rules may hold: a folder named by mistake is not read to its end."""

# Far above any rule or list of prices, and low enough that a device or a log is not read to its end.
_MOST_BYTES = 1 << 20


class DataError(Exception):
    """A data file that cannot be used: `file`, `key` (may be empty) and what is wrong with it."""

    def __init__(self, file: Path, key: str, problem: str) -> None:
        super().__init__(f"{file}: {key}: {problem}" if key else f"{file}: {problem}")
        self.file = file
        self.key = key
        self.problem = problem


Read = Callable[[Path], bytes]
"""Gives the bytes of a data file: those on disk, or what an editor has not saved yet. Raises DataError."""


class Match(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One composition of atoms.

    `sequence` wants its atoms in that order, `together` in any; neighbours stand at most `gap` folded code
    points apart, all `within` one clause, sentence or block, or anywhere within one section or document. An atom
    of `unless` in the same piece (for the last two: in the sentence of a part) voids the
    match; one of `lessen` lowers it to low (a well-known installer, the service's own host).
    """

    sequence: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    within: Literal["clause", "sentence", "block", "section", "document"] = "sentence"
    gap: int = 60
    unless: tuple[str, ...] = ()
    lessen: tuple[str, ...] = ()

    @property
    def atoms(self) -> tuple[str, ...]:
        """The atoms that must all be there."""
        return self.sequence or self.together


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text to try a rule on, as the file `path`; an empty path is plain agent markdown."""

    text: str
    path: str = ""


class Examples(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"passed": "pass"}):
    """Texts that the rule must flag, and texts that it must pass (nothing above info)."""

    flag: tuple[str | Example, ...]
    passed: tuple[str | Example, ...]


Context = Literal["code", "quotation", "negation", "defence"]


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One rule file.

    `detector` names a procedural detector where a pattern cannot say it; its vocabulary may stand in `atoms`, of which
    it asks for `opening` passage by passage.
    `soften` lists the contexts in which a hit drops to info. `masks` says that what is hit is a secret, which no
    output shows.
    """

    id: str
    title: str
    category: str
    severity: Literal["info", "low", "medium", "high", "critical"]
    confidence: Literal["low", "medium", "high"] = "high"
    message: str
    why: str
    fix: str
    taxonomy: tuple[str, ...]
    detector: str = ""
    opening: str = ""
    soften: tuple[Context, ...] = ("code", "quotation", "negation", "defence")
    masks: bool = False
    atoms: dict[str, tuple[str, ...]] = {}
    match: tuple[Match, ...] = ()
    examples: Examples

    @property
    def level(self) -> Severity:
        """The severity as a value that compares."""
        return Severity[self.severity.upper()]

    @property
    def certainty(self) -> Confidence:
        """The confidence as a value that compares."""
        return Confidence[self.confidence.upper()]


class Lexicon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Atoms that rules share, by name."""

    atoms: dict[str, tuple[str, ...]]


class Ruleset(msgspec.Struct, frozen=True):
    """The rules in force, the shared atoms, what could not be loaded, and the files of a user's rules by id."""

    rules: tuple[Rule, ...]
    lexicon: Mapping[str, tuple[str, ...]]
    errors: tuple[DataError, ...] = ()
    own: Mapping[str, Path] = {}

    def rule(self, rule_id: str) -> Rule | None:
        """The rule with that id, if there is one."""
        return next((rule for rule in self.rules if rule.id == rule_id), None)

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories that the rules cover, in order of first appearance."""
        return tuple(dict.fromkeys(rule.category for rule in self.rules))


def rules_dir() -> Path:
    """The folder of the built-in data: inside an installed package, or beside `src` in a checkout."""
    packaged = Path(__file__).parent / "rules"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "rules"


def read_bytes(file: Path) -> bytes:
    """The bytes of a data file, or the beginning of them where that is more than such a file may have.

    Raises DataError when the file cannot be read.
    """
    try:
        # Before it is opened, for to open a pipe is to wait for whoever writes to it.
        if not stat.S_ISREG(os.stat(file).st_mode):  # noqa: PTH116 - pathlib takes as long again
            raise DataError(file, "", "not a regular file")
        with open(file, "rb") as stream:  # noqa: PTH123
            return stream.read(_MOST_BYTES + 1)
    except OSError as error:
        raise DataError(file, "", error.strerror or str(error)) from error


def parse_toml(file: Path, data: bytes) -> dict[str, Any]:
    """The tables of the TOML file `file`, which holds `data`. Raises DataError when it is not TOML, or too large."""
    if len(data) > _MOST_BYTES:
        raise DataError(file, "", f"larger than {_MOST_BYTES >> 20} MiB")
    # Where no file was edited all of them are packed.
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(data.decode("utf-8"))
    # Arrays in arrays without end exhaust the parser's stack.
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DataError(file, "", f"not valid TOML: {error}") from error


def convert(file: Path, key: str, raw: object, as_type: type[T]) -> T:
    """The value at `key` of `file` as `as_type`. Raises DataError when it does not have that shape."""
    try:
        return msgspec.convert(raw, as_type)
    except msgspec.ValidationError as error:
        text = str(error)
        where = _WHERE.search(text)
        inner = where[1] if where else ""
        joint = "." if key and inner and not inner.startswith("[") else ""
        raise DataError(file, f"{key}{joint}{inner}", plainly(_WHERE.sub("", text), as_type, inner)) from error


def plainly(problem: str, as_type: object, key: str) -> str:
    """What msgspec says of the value at `key` of an `as_type`, in the words of who writes such files."""
    for said, plain in _SHAPES:
        found = said.fullmatch(problem)
        if found is not None:
            hint = _hint(found[1], as_type, key) if said is _UNKNOWN else ""
            return plain.format(*(_NAMES.get(part, part) for part in found.groups())) + hint
    found = _VALUE.fullmatch(problem)
    if found is None:
        return problem
    table = Match if key.startswith("match[") else as_type
    known = get_args(get_type_hints(table).get(key.rpartition(".")[2]))
    return f"{found[1]} is none of {', '.join(map(str, known))}" if known else f"{found[1]} is not known here"


_UNKNOWN = re.compile(r"Object contains unknown field `(.+)`")
_SHAPES = (
    (re.compile(r"Object missing required field `(.+)`"), "{0} is missing"),
    (_UNKNOWN, "{0} is no key that is known here"),
    (re.compile(r"Expected `([^`]+)`, got `([^`]+)`"), "has to be {0}, and is {1}"),
)
_VALUE = re.compile(r"Invalid enum value (.+)")
# TOML's values in words, by their names in Python or JSON.
_NAMES = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "str | object": "a text or a table",
}


def nearest(name: str, known: Collection[str]) -> str | None:
    """What somebody who wrote `name` may have meant; None where nothing is near."""
    # It takes as long to load as all else here, and only a mistake needs it.
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, list(known), 1)), None)


_MOST_LISTED = 8


def _hint(name: str, as_type: object, key: str) -> str:
    """What may have been meant by the unknown key `name` of the table at `key`, as the end of a sentence."""
    known = _keys(as_type, key)
    near = nearest(name, known)
    if near:
        return f"; did you mean {near}?"
    return f"; known are {', '.join(known)}" if 0 < len(known) <= _MOST_LISTED else ""


def _keys(as_type: object, key: str) -> list[str]:
    """The keys of the table at `key` (`match[0]`) of an `as_type`; none where that is no table with keys of its own."""
    table = as_type
    for step in re.findall(r"\w+", re.sub(r"\[.*?\]", "", key)):
        types = {field.encode_name: field.type for field in _fields(table)}
        table = next(filter(_fields, _within(types.get(step))), None)
    return [field.encode_name for field in _fields(table)]


def _fields(table: object) -> tuple[msgspec.structs.FieldInfo, ...]:
    is_struct = isinstance(table, type) and issubclass(table, msgspec.Struct)
    return msgspec.structs.fields(cast("type[msgspec.Struct]", table)) if is_struct else ()


def _within(hint: object) -> Iterator[object]:
    """A type and those that it is made of."""
    yield hint
    for part in get_args(hint):
        yield from _within(part)


def load_toml(file: Path, as_type: type[T], read: Read = read_bytes) -> T:
    """The TOML file `file` as a value of `as_type`; `read` gives its bytes.

    Raises DataError when the file cannot be read, is not TOML, or does not have the shape of `as_type`.
    """
    data = read(file)
    packed = toml_pack.table(data)
    if packed is not None:
        # What is wrong with it is told by the slower way.
        with contextlib.suppress(msgspec.MsgspecError):
            return msgspec.json.decode(packed, type=as_type)
    return convert(file, "", parse_toml(file, data), as_type)


def load_rules(folders: Iterable[Path] = (), *, check_built_in: bool = True, read: Read = read_bytes) -> Ruleset:
    """The built-in rules and a user's in `folders`, each of which is searched for TOML files at any depth.

    A file that cannot be used, or that takes the id of another rule, becomes an entry of `errors`; the others still
    run. The patterns of the built-in rules are checked one by one by the tests: at
    every start that would cost more than all else, so `check_built_in` may be False.
    """
    errors: list[DataError] = []
    lexicon: dict[str, tuple[str, ...]] = {}
    rules: dict[str, Rule] = {}
    base = rules_dir()
    try:
        lexicon.update(load_lexicon(base / "lexicon.toml", check=check_built_in))
    except DataError as error:
        errors.append(error)
    for category in CATEGORIES:
        for loaded in (_tried(file, lexicon, check_built_in) for file in sorted((base / category).glob("*.toml"))):
            if isinstance(loaded, DataError):
                errors.append(loaded)
            else:
                rules[loaded.id] = loaded
    return extended(Ruleset(tuple(rules.values()), lexicon, tuple(errors)), folders, read)


def _tried(file: Path, lexicon: Mapping[str, tuple[str, ...]], check: bool) -> Rule | DataError:
    try:
        return load_rule(file, lexicon, check=check)
    except DataError as error:
        return error


def extended(ruleset: Ruleset, folders: Iterable[Path], read: Read = read_bytes) -> Ruleset:
    """The rules with a user's in `folders` added, and the errors of these behind the ones that there are."""
    errors = list(ruleset.errors)
    rules = {rule.id: rule for rule in ruleset.rules}
    own = dict(ruleset.own)
    seen = {os.path.realpath(file) for file in own.values()}
    for folder in folders:
        files = rule_files([folder])
        if not files:
            errors.append(DataError(folder, "", "no rules here" if folder.is_dir() else "no such folder"))
        if len(files) > MOST_FILES:
            errors.append(DataError(folder, "", f"holds more than {MOST_FILES:,} TOML files; none of them is read"))
            continue
        for file in files:
            if os.path.realpath(file) in seen:
                continue
            seen.add(os.path.realpath(file))
            loaded = _own(file, ruleset.lexicon, rules, own, read)
            if isinstance(loaded, DataError):
                errors.append(loaded)
            else:
                rules[loaded.id] = loaded
                own[loaded.id] = file
    return Ruleset(tuple(rules.values()), ruleset.lexicon, tuple(errors), own)


def rule_files(folders: Iterable[Path]) -> list[Path]:
    """The files of a user's rules in `folders`, by name; of a folder with too many one more than it may hold."""
    return [
        file for folder in folders if folder.is_dir() for file in sorted(islice(folder.rglob("*.toml"), MOST_FILES + 1))
    ]


def load_lexicon(file: Path, *, check: bool = True) -> dict[str, tuple[str, ...]]:
    """The shared atoms of `file`; raises DataError."""
    atoms = load_toml(file, Lexicon).atoms
    for name, patterns in atoms.items() if check else ():
        check_atom(file, f"atoms.{name}", patterns)
    return atoms


def load_rule(
    file: Path, lexicon: Mapping[str, tuple[str, ...]], *, check: bool = True, read: Read = read_bytes
) -> Rule:
    """The rule of `file`, checked against the shared atoms; raises DataError."""
    rule = load_toml(file, Rule, read)
    if not _ID.fullmatch(rule.id):
        raise DataError(file, "id", f"{rule.id!r} is not lower-case words joined by hyphens")
    if rule.category not in CATEGORIES:
        raise DataError(file, "category", f"{rule.category!r} is none of the categories: {', '.join(CATEGORIES)}")
    if not rule.match and not rule.detector:
        raise DataError(file, "match", "a rule needs a [[match]] or a detector")
    if rule.opening and not (rule.detector and rule.opening in rule.atoms):
        raise DataError(file, "opening", f"{rule.opening!r} is no atom that a detector of this rule may ask for")
    for name, patterns in rule.atoms.items() if check else ():
        check_atom(file, f"atoms.{name}", patterns)
    for index, match in enumerate(rule.match):
        _check_match(file, f"match[{index}]", match, rule.atoms, lexicon)
    for key, examples in (("flag", rule.examples.flag), ("pass", rule.examples.passed)):
        if not examples:
            raise DataError(file, f"examples.{key}", "a rule needs at least one example of each verdict")
    return rule


def check_atom(file: Path, key: str, patterns: tuple[str, ...]) -> None:
    """Raises DataError when a pattern does not compile, can match nothing, or is a gap in disguise."""
    import re2

    if not patterns:
        raise DataError(file, key, "an atom needs at least one pattern")
    for index, pattern in enumerate(patterns):
        where = f"{key}[{index}]"
        problem = _gap_problem(pattern)
        if problem:
            raise DataError(file, where, problem)
        try:
            compiled = linear.pattern(pattern)
        except re2.error as error:
            detail = error.args[0].decode() if isinstance(error.args[0], bytes) else error.args[0]
            raise DataError(file, where, f"not a pattern of RE2: {detail}") from error
        if compiled.fullmatch("") is not None:
            raise DataError(file, where, "matches the empty text")
        if any(letter.isupper() for letter in re.sub(r"\\.|\[:\w+:\]|\(\?\w+|\\[pP]\{\w+\}", "", pattern)):
            raise DataError(file, where, "has a capital letter, and the folded view has none")


def _own(
    file: Path, lexicon: Mapping[str, tuple[str, ...]], rules: Mapping[str, Rule], own: Mapping[str, Path], read: Read
) -> Rule | DataError:
    """A user's rule. It may not stand in for a built-in one: who reads that rule's id relies on what it finds."""
    try:
        rule = load_rule(file, lexicon, read=read)
    except DataError as error:
        return error
    if rule.id in rules:
        of = f"the rule in {own[rule.id]}" if rule.id in own else "a built-in rule"
        return DataError(file, "id", f"{rule.id!r} is the id of {of}; a rule needs one of its own")
    if rule.detector:
        return DataError(file, "detector", "only built-in rules have detectors; compose atoms with [[match]]")
    return rule


def _check_match(
    file: Path,
    key: str,
    match: Match,
    atoms: Mapping[str, tuple[str, ...]],
    lexicon: Mapping[str, tuple[str, ...]],
) -> None:
    if bool(match.sequence) == bool(match.together):
        raise DataError(file, key, "needs either a sequence or together, and not both")
    if not 0 <= match.gap <= MAX_GAP:
        raise DataError(file, f"{key}.gap", f"must lie between 0 and {MAX_GAP}")
    for part in ("sequence", "together", "unless", "lessen"):
        for name in getattr(match, part):
            known = name[1:] in lexicon if name.startswith("@") else name in atoms
            if not known:
                raise DataError(file, f"{key}.{part}", f"no atom is called {name!r}")


_ELEMENT = re.compile(
    r"(?P<wide>\.|\\[SWDPC]|\\p\{\^\w+\}|\[\^(?:\\.|\[:\w+:\]|[^\]\\])*\])"
    r"|(?P<narrow>\\x\{[0-9a-fA-F]+\}|\\p\{\w+\}|\\.|\[(?:\\.|\[:\w+:\]|[^\]\\])*\]|[^\\*+?{])"
    r"|(?P<repeat>[*+]|\{(?P<low>\d+)(?:,(?P<high>\d*))?\})|(?P<other>.)",
    re.DOTALL,
)


def _gap_problem(pattern: str) -> str:
    wide = False
    for element in _ELEMENT.finditer(pattern):
        if element["repeat"] is None:
            if element["other"] != "?":
                wide = element["wide"] is not None
            continue
        low = element["low"]
        high = element["high"] if element["high"] is not None else low
        most = int(high) if high else None
        if wide and (most is None or most > MAX_WIDE_REPEAT):
            return f"has a gap ({element.group()} of nearly any character): compose atoms with [[match]] instead"
        if most is not None and most > MAX_REPEAT:
            return f"repeats more than {MAX_REPEAT} times"
    return ""
