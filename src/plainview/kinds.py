"""Which hosts read a file, what they load of it and when, and what they do with its HTML comments.

The facts are data: one file per host in `rules/kinds/`, read by `load_kinds`. Matching goes by path alone and
never touches the disk.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

import msgspec

from plainview.rules import DataError, load_toml, rules_dir

Tier: TypeAlias = Literal["A", "B", "C"]
"""How far to trust a fact: A vendor's documentation or source, B third parties or an issue, C inferred."""

Comments: TypeAlias = Literal["kept", "block-stripped", "stripped", "unknown"]
"""What a host does with HTML comments outside code before its model reads the file."""

Piece: TypeAlias = Literal[
    "name",
    "stem",
    "path",
    "description",
    "when_to_use",
    "apply_to",
    "prompt",
    "developer_instructions",
    "first_paragraph",
    "body",
    "file",
]
"""A part of a file that a host loads.

`name` is the header's, or what the path gives where the header has none (the folder of a SKILL.md, else the
file's name); `stem` is the file's name without its endings, whatever the header says; `path` is the file's path.
`description`, `when_to_use`, `apply_to` (written `applyTo`), `prompt` and `developer_instructions` are values of
the header, the latter two of files that are TOML throughout. `first_paragraph` is that of the body, `body` the
text after the header, `file` the whole text with its header.
"""

Condition: TypeAlias = bool | int | str | list[str]

_Words = Annotated[str, msgspec.Meta(min_length=1)]
_Id = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
_Date = Annotated[str, msgspec.Meta(pattern=r"^\d{4}(-\d{2}(-\d{2})?)?$")]


class Fact(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A statement on a host, who makes it, and the date of the copy that was read (as exact as it is known)."""

    text: _Words
    tier: Tier
    source: _Words
    date: _Date


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A header key that the host knows: the types and values that it accepts (any value when `values` is empty)."""

    types: tuple[Literal["string", "boolean", "integer", "number", "list", "map"], ...]
    tier: Tier
    source: _Words
    date: _Date
    required: bool = False
    values: tuple[str, ...] = ()
    text: str = ""


class Limit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The most that a host takes of a piece or header key `of`, counted in `unit`, and what happens above it."""

    of: _Words
    most: Annotated[int, msgspec.Meta(ge=1)]
    unit: Literal["code-points", "utf-16", "bytes", "lines", "tokens"]
    effect: Literal["cut", "rejected", "skipped", "advised"]
    tier: Tier
    source: _Words
    date: _Date


class When(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A condition on a file's header and place; all that it names must hold, and an empty one always does.

    A key that is there without a value (`globs:`) counts as missing. `nested` means a file that belongs to a
    folder below the workspace root.
    """

    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    equals: dict[str, Condition] = {}
    nested: bool | None = None

    @property
    def always(self) -> bool:
        """Whether the condition holds for every file."""
        return not (self.has or self.lacks or self.equals or self.nested is not None)

    def holds(self, header: Mapping[str, object], nested: bool) -> bool:
        """Whether a file with this header, in this place, meets the condition."""
        return (
            (self.nested is None or self.nested == nested)
            and all(_filled(header.get(key)) for key in self.has)
            and not any(_filled(header.get(key)) for key in self.lacks)
            and all(key in header and _same(header[key], wanted) for key, wanted in self.equals.items())
        )


class Cut(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The host joins `pieces`, in this order, and keeps the first `at` code points of them."""

    pieces: Annotated[tuple[Piece, ...], msgspec.Meta(min_length=1)]
    at: Annotated[int, msgspec.Meta(ge=1)]


class Load(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What reaches the model: `session` in every session, `invoked` in addition once the file is used.

    `session_cut` shortens the pieces that it names, and no others.
    """

    when: When = When()
    session: tuple[Piece, ...] = ()
    session_cut: Cut | None = None
    invoked: tuple[Piece, ...] = ()


class Kind(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    rename={"loads": "load", "facts": "fact"},
):
    """A kind of file as one host reads it.

    `globs` are the host's own files, `also` those of other hosts that it reads as well (some only behind a
    setting, or where no better file is found: the facts say so). Globs are whole posix paths in which `**/`
    stands for any number of folders, `*` for a part of one segment (once per segment), `?` for one character
    and `{a,b}` for either. Of several kinds that own a path the one with the higher `priority` wins, then the
    one whose glob is longer without its wildcards. A `fallback` is the host's only if no other kind owns the
    path. `frontmatter_reaches_model` and `comments` say what the host gives to its model; None and "unknown"
    mean that nobody says.
    """

    id: _Id
    name: _Words
    comments: Comments
    comments_tier: Tier
    loads: Annotated[tuple[Load, ...], msgspec.Meta(min_length=1)]
    globs: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    priority: int = 0
    fallback: bool = False
    examples: tuple[str, ...] = ()
    frontmatter_reaches_model: bool | None = None
    facts: tuple[Fact, ...] = ()
    fields: dict[str, Field] = {}
    limits: tuple[Limit, ...] = ()


class Host(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"id": "host", "kinds": "kind"}):
    """A program that reads agent files; `name` is for people.

    A `shared` one is a format that several hosts read: it owns files but is no reader of them.
    """

    id: _Id
    name: _Words
    kinds: Annotated[tuple[Kind, ...], msgspec.Meta(min_length=1)]
    shared: bool = False


class Reader(msgspec.Struct, frozen=True):
    """A host that reads a file, and the kind of file that it takes it for."""

    host: Host
    kind: Kind


class FileKind(msgspec.Struct, frozen=True):
    """What a path is: its primary kind and host, and every host that reads it, the primary one first.

    `host` is None for a file that no host claims. `root` is the folder that the file belongs to, as far as the
    path shows it ("" for a relative path's start): the file is nested if that is not the workspace root.
    """

    kind: Kind
    host: Host | None
    readers: tuple[Reader, ...] = ()
    root: str = ""


class CommentReach(NamedTuple):
    """Names of the hosts that give an HTML comment to their model, that strip it, and of which nobody says."""

    gives: tuple[str, ...]
    strips: tuple[str, ...]
    unknown: tuple[str, ...]


PLAIN: Final = FileKind(
    Kind(
        id="plain",
        name="agent markdown",
        comments="kept",
        comments_tier="C",
        loads=(Load(invoked=("file",)),),
        frontmatter_reaches_model=True,
    ),
    host=None,
)
"""A file that no host claims and that was named outright: read whole, header and comments included."""


def loads(kind: Kind, header: Mapping[str, object] | None, nested: bool) -> Load:
    """What the host loads of a file of this kind.

    `header` is the parsed frontmatter (for TOML files the whole document), None where there is none; `nested`
    says whether the file belongs to a folder below the workspace root.
    """
    known = header or {}
    return next((load for load in kind.loads if load.when.holds(known, nested)), Load())


def comment_reach(file: FileKind, *, block: bool = True, nested: bool = False) -> CommentReach:
    """Which hosts give an HTML comment of this file to their model; hosts that load nothing of it are left out.

    `block` tells a comment that is a block of its own from one within a paragraph; one inside code is text and
    none of this. `nested` is as for `loads`.
    """
    gives: list[str] = []
    strips: list[str] = []
    unknown: list[str] = []
    for reader in file.readers:
        if not _reads(reader.kind, nested):
            continue
        comments = reader.kind.comments
        if comments == "unknown":
            unknown.append(reader.host.name)
        elif comments == "stripped" or (comments == "block-stripped" and block):
            strips.append(reader.host.name)
        else:
            gives.append(reader.host.name)
    return CommentReach(tuple(gives), tuple(strips), tuple(unknown))


def text_reach(file: FileKind, *, nested: bool = False) -> CommentReach:
    """Which hosts give the text of this file to their model: all that load something of it, for none looks closer."""
    return CommentReach(tuple(one.host.name for one in file.readers if _reads(one.kind, nested)), (), ())


def load_kinds(folder: Path | None = None) -> Kinds:
    """The kinds of every `*.toml` in `folder`, by default the built-in ones.

    Raises nothing: a file that cannot be used is left out and stands in `Kinds.errors`.
    """
    folder = rules_dir() / "kinds" if folder is None else folder
    hosts: list[Host] = []
    errors: list[DataError] = []
    seen = _Seen()
    files = sorted(folder.glob("*.toml"))
    if not files:
        errors.append(DataError(folder, "", "no host files here"))
    for file in files:
        found = _load_host(file, seen)
        if isinstance(found, DataError):
            errors.append(found)
        else:
            hosts.append(found)
    return Kinds(hosts, errors)


class Kinds:
    """The known hosts, with an index that finds the kind of a path.

    `errors` tells which files of the folder were left out, and why.
    """

    def __init__(self, hosts: Iterable[Host], errors: Iterable[DataError] = ()) -> None:
        self.hosts = tuple(hosts)
        self.errors = list(errors)
        self._by_id = {kind.id: (host, kind) for host in self.hosts for kind in host.kinds}
        self._by_folder: dict[str, list[_Claim]] = {}
        self._by_name: dict[str, list[_Claim]] = {}
        self._by_ending: dict[str, list[_Claim]] = {}
        self._others: list[_Claim] = []
        for order, (host, kind) in enumerate(self._by_id.values()):
            for claim in _claims(order, host, kind):
                self._file(claim)

    def named(self, kind_id: str) -> FileKind | None:
        """The kind with this id, read by its own host alone, for files whose kind is known from elsewhere."""
        found = self._by_id.get(kind_id)
        if found is None:
            return None
        host, kind = found
        return FileKind(kind, host, (Reader(host, kind),))

    def folder_names(self) -> frozenset[str]:
        """The names of hidden folders in which some host looks for its files (`.claude`, `.github`)."""
        globs = (glob for host in self.hosts for kind in host.kinds for glob in kind.globs)
        return frozenset(part for glob in globs for part in glob.split("/")[:-1] if part.startswith("."))

    def match(self, path: str) -> FileKind | None:
        """The kind of the file at `path`, a posix path, absolute or relative; None for an ordinary file.

        Case counts. Time is linear in the length of `path`; no string makes it raise.
        """
        parts = [part for part in path.split("/") if part not in ("", ".")]
        if not parts or path.endswith("/"):
            return None
        best: dict[str, tuple[_Claim, int]] = {}
        for claim in self._candidates(parts):
            held = best.get(claim.host.id)
            if held is not None and held[0].rank >= claim.rank:
                continue
            start = _fit(claim.segments, parts)
            if start is not None:
                best[claim.host.id] = (claim, start)
        owners = [found for found in best.values() if found[0].owns]
        if not owners:
            return None
        primary, start = max(owners, key=lambda found: found[0].rank)
        readers = (
            Reader(claim.host, claim.kind)
            for claim, _ in sorted(best.values(), key=lambda found: (found[0] is not primary, found[0].order))
            if not claim.host.shared and (claim is primary or not claim.kind.fallback)
        )
        root = "/".join(parts[:start])
        if path.startswith("/"):
            root = "/" + root
        return FileKind(primary.kind, primary.host, tuple(readers), root)

    def _file(self, claim: _Claim) -> None:
        *folders, name = claim.segments
        fixed = [folder for folder in folders if isinstance(folder, str)]
        if fixed:
            self._by_folder.setdefault(max(fixed, key=len), []).append(claim)
        elif isinstance(name, str):
            self._by_name.setdefault(name, []).append(claim)
        elif ending := _ending(name):
            self._by_ending.setdefault(ending, []).append(claim)
        else:
            self._others.append(claim)

    def _candidates(self, parts: list[str]) -> Iterable[_Claim]:
        name = parts[-1]
        yield from self._by_name.get(name, ())
        yield from self._by_ending.get(name[name.rfind(".") :] if "." in name else "", ())
        for folder in self._by_folder.keys() & parts[:-1]:
            yield from self._by_folder[folder]
        yield from self._others


_MOST_BRACES: Final = 4


class _Globstar:
    """The segment `**`: any number of folders."""


_ANY_FOLDERS: Final = _Globstar()

_Segment: TypeAlias = "str | re.Pattern[str] | _Globstar"


class _Claim(NamedTuple):
    """One glob of a kind, braces expanded; `owns` tells `globs` from `also`, `order` counts the kinds.

    Of two claims on a path the one of higher `rank` is preferred; no two kinds have the same.
    """

    order: int
    host: Host
    kind: Kind
    owns: bool
    segments: tuple[_Segment, ...]
    rank: tuple[int, int, bool, int]


class _Seen:
    """Ids and globs of the files read so far, to tell a second use of one."""

    def __init__(self) -> None:
        self._ids: dict[str, Path] = {}
        self._globs: dict[str, str] = {}

    def add(self, file: Path, host: Host) -> None:
        """Take note of a host; raises DataError, and notes nothing, if it repeats an id or owns another's glob."""
        ids: dict[str, Path] = {}
        globs: dict[str, str] = {}
        for at, kind in enumerate(host.kinds):
            first = self._ids.get(kind.id) or ids.get(kind.id)
            if first:
                raise DataError(file, f"kind[{at}].id", f"{kind.id!r} is already used in {first.name}")
            ids[kind.id] = file
            for glob in (plain for given in kind.globs for plain in _unbraced(given)):
                owner = self._globs.get(glob) or globs.get(glob)
                if owner:
                    raise DataError(file, f"kind[{at}].globs", f"{glob!r} already belongs to {owner!r}")
                globs[glob] = kind.id
        self._ids |= ids
        self._globs |= globs


def _load_host(file: Path, seen: _Seen) -> Host | DataError:
    try:
        host = load_toml(file, Host)
        _check(file, host)
        seen.add(file, host)
    except DataError as error:
        return error
    return host


def _check(file: Path, host: Host) -> None:
    if host.id != file.stem:
        raise DataError(file, "host", f"{host.id!r} is not the name of the file")
    for at, kind in enumerate(host.kinds):
        _check_globs(file, f"kind[{at}]", kind)
        _check_loads(file, f"kind[{at}].load", kind)


def _check_globs(file: Path, key: str, kind: Kind) -> None:
    if not kind.globs and not kind.also:
        raise DataError(file, f"{key}.globs", f"{kind.id!r} has no globs")
    for field, globs in (("globs", kind.globs), ("also", kind.also)):
        for at, glob in enumerate(globs):
            problem = _glob_problem(glob)
            if problem:
                raise DataError(file, f"{key}.{field}[{at}]", f"{glob!r} {problem}")


def _glob_problem(glob: str) -> str | None:
    if glob.count("{") != glob.count("}") or re.search(r"\{[^}]*\{", glob):
        return "has braces that do not pair or that nest"
    if glob.count("{") > _MOST_BRACES:
        return f"has more than {_MOST_BRACES} pairs of braces"
    for plain in _unbraced(glob):
        segments = plain.split("/")
        if "" in segments:
            return "has an empty segment"
        if segments[-1] == "**":
            return "ends in `**`; write `**/*` for every file"
        if any(segment.count("*") > 1 for segment in segments if segment != "**"):
            return "has two `*` in one segment"
    return None


def _check_loads(file: Path, key: str, kind: Kind) -> None:
    *conditional, last = kind.loads
    if not last.when.always:
        raise DataError(file, key, f"the last load of {kind.id!r} must hold without a condition")
    for at, load in enumerate(conditional):
        if load.when.always:
            raise DataError(file, f"{key}[{at}]", "always holds, so that those after it never do")
    for at, load in enumerate(kind.loads):
        if load.session_cut and not set(load.session_cut.pieces) <= set(load.session):
            raise DataError(file, f"{key}[{at}].session_cut", "cuts a piece that is not in `session`")


def _claims(order: int, host: Host, kind: Kind) -> Iterable[_Claim]:
    for owns, globs in ((True, kind.globs), (False, kind.also)):
        for glob in (plain for given in globs for plain in _unbraced(given)):
            segments = tuple(_segment(segment) for segment in glob.split("/"))
            fixed = sum(character not in "*?/" for character in glob)
            yield _Claim(order, host, kind, owns, segments, (kind.priority, fixed, owns, -order))


def _segment(segment: str) -> _Segment:
    if segment == "**":
        return _ANY_FOLDERS
    if "*" not in segment and "?" not in segment:
        return segment
    return re.compile(re.escape(segment).replace(r"\*", ".*").replace(r"\?", "."), re.DOTALL)


def _ending(name: _Segment) -> str:
    """The last `.ending` of every file name that fits, "" where there is no such."""
    found = re.fullmatch(r".*\\(\.[A-Za-z0-9]+)", name.pattern) if isinstance(name, re.Pattern) else None
    return found[1] if found else ""


def _unbraced(glob: str) -> list[str]:
    """The globs that one with `{a,b}` stands for."""
    found = re.search(r"\{([^{}]*)\}", glob)
    if not found:
        return [glob]
    head, tail = glob[: found.start()], glob[found.end() :]
    return [plain for choice in found[1].split(",") for plain in _unbraced(head + choice + tail)]


def _fit(segments: Sequence[_Segment], parts: Sequence[str]) -> int | None:
    """How many leading parts the glob's first `**` takes up if the glob fits all of `parts`, else None.

    On a mismatch only the latest `**` takes up one part more, never an earlier one: that finds a fit if there
    is one, in a number of steps bound by the product of both lengths.
    """
    at = part = start = 0
    star = resume = -1
    while part < len(parts):
        segment = segments[at] if at < len(segments) else None
        if isinstance(segment, _Globstar):
            star, resume = at, part
            at += 1
        elif segment is not None and _fits(segment, parts[part]):
            at, part = at + 1, part + 1
        elif star >= 0:
            resume += 1
            at, part = star + 1, resume
        else:
            return None
        if star == 0:
            start = resume
    return start if at == len(segments) else None


def _fits(segment: str | re.Pattern[str], part: str) -> bool:
    return segment == part if isinstance(segment, str) else segment.fullmatch(part) is not None


def _reads(kind: Kind, nested: bool) -> bool:
    """Whether some header makes the host load something of a file of this kind in this place."""
    for load in kind.loads:
        if load.when.nested not in (None, nested):
            continue
        if load.session or load.invoked:
            return True
        if load.when == When(nested=nested):
            return False
    return False


def _filled(value: object) -> bool:
    if isinstance(value, str):
        return bool(value.strip())
    return value is not None and value != [] and value != {}


def _same(value: object, wanted: Condition) -> bool:
    if isinstance(wanted, bool):
        return _truth(value) is wanted
    if isinstance(wanted, str):
        return isinstance(value, str) and value.strip() == wanted
    return value == wanted


def _truth(value: object) -> bool | None:
    """The boolean that hosts take a header's value for, None if it is none."""
    word = str(value).strip().lower()
    if word in ("true", "yes", "on", "1"):
        return True
    return False if word in ("false", "no", "off", "0") else None
