"""What a configuration makes of findings: severities of its own, and acceptances. Compiled once for a set of rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

import msgspec

from plainview import linear
from plainview.config import Acceptance, Config, Level
from plainview.finding import Finding, Severity
from plainview.fingerprint import fingerprint
from plainview.rules import CATEGORIES, DataError, Rule, Ruleset, nearest
from plainview.text import Source

ALL = "all"
"""Stands for every rule where a severity is set."""

_WILD = re.compile(r"/\*\*$|\*\*/|\*\*|\*|\?")
_MEANING = {"/**": "/.*", "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


class Weakened(msgspec.Struct, frozen=True):
    """Rules that the configuration lowers or turns off.

    `name` is the rule, the category or "all" that it does so by, `rules` how many rules are touched, and `was` the
    severity that they had if that is one, `of` how many the name stands for. `paths` are the globs that it is confined
    to, if any.
    """

    name: str
    level: Level
    was: Severity | None
    rules: int
    of: int
    paths: tuple[str, ...] = ()


class Judged(msgspec.Struct, frozen=True):
    """Findings with the accepted ones marked, and the acceptances (by key) that match none of them."""

    findings: tuple[Finding, ...]
    unmatched: Mapping[str, Acceptance]


class Policy:
    """A configuration, for the rules of `ruleset`. `errors` are names in it that no rule or category has."""

    def __init__(self, config: Config, ruleset: Ruleset) -> None:
        self.config = config
        self.errors: tuple[DataError, ...] = ()
        self.weakened: tuple[Weakened, ...] = ()
        self._own = {rule.id: rule.level for rule in ruleset.rules}
        self._accept: dict[str, dict[str, Acceptance]] = {}
        for key, one in config.accept.items():
            if one.rule in self._own:
                self._accept.setdefault(one.path, {})[key] = one
        self._categories = {rule.id: rule.category for rule in ruleset.rules}
        self._overrides = [(_matcher(each.paths), each.severity) for each in config.overrides.values()]
        if config.accept or config.severity or config.overrides:
            self.errors = tuple(self._unknown())
            self.weakened = tuple(self._weakened(ruleset.rules))

    def adjust(self, path: str) -> Callable[[Iterable[Finding]], list[Finding]]:
        """What gives findings in the file at `path` the severities that are set, and drops what is off."""
        relative = self.relative(path)
        tables = [levels for fits, levels in self._overrides if relative is not None and fits(relative)]
        tables = [*reversed(tables), self.config.severity]
        if not any(tables):
            return list
        return lambda findings: [one for finding in findings if (one := self._adjusted(finding, tables)) is not None]

    def judge(self, findings: Sequence[Finding], source: Source, path: str) -> Judged:
        """Marks the accepted ones of all findings in the file at `path`; what has the same fingerprint is the same."""
        accept = self._accept.get(self.relative(path) or "", {})
        if not accept:
            return Judged(tuple(findings), {})
        rules = {one.rule for one in accept.values()}
        prints = [fingerprint(one, source) if one.rule in rules else "" for one in findings]
        reasons = {(one.rule, one.fingerprint): one.reason for one in accept.values()}
        marked = tuple(
            msgspec.structs.replace(one, accepted=reasons.get((one.rule, print_)))
            for one, print_ in zip(findings, prints, strict=True)
        )
        there = {(one.rule, print_) for one, print_ in zip(findings, prints, strict=True)}
        return Judged(marked, {key: one for key, one in accept.items() if (one.rule, one.fingerprint) not in there})

    def relative(self, path: str) -> str | None:
        """The path from the configuration's folder; None for one that is not below it, or without configuration."""
        folder = self.config.folder
        if self.config.file is None:
            return None
        if not folder:
            return path
        return path[len(folder) + 1 :] if path.startswith(folder + "/") else None

    def _adjusted(self, finding: Finding, tables: Sequence[Mapping[str, Level]]) -> Finding | None:
        """The finding at the severity that is set. What surrounds it counts as before: it lowers or raises that one."""
        chosen = _chosen(finding.rule, finding.category, tables)
        if chosen is None:
            return finding
        level, own = chosen[1], self._own.get(finding.rule, finding.severity)
        if level is None:
            return None
        if finding.severity < own:
            severity = min(finding.severity, level)
        else:
            steps = finding.severity - own
            # What is hidden is one level above, which does not show where its own level is the highest.
            steps = max(steps, finding.hidden is not None and not finding.itself)
            severity = Severity(min(level + steps, Severity.CRITICAL))
        return msgspec.structs.replace(finding, severity=severity)

    def _unknown(self) -> Iterator[DataError]:
        config = self.config
        if config.file is None:
            return
        for key, one in config.accept.items():
            if one.rule not in self._own:
                problem = f"no rule is called {one.rule!r}; {_hint(one.rule, self._own)}"
                yield DataError(config.file, f"{key}.rule", problem)
        from plainview.toml_places import spoken

        known = [ALL, *CATEGORIES, *self._own]
        names = [(table, name) for table, levels in _tables(config) for name in levels if name not in known]
        for table, name in names:
            problem = f"no rule and no category is called {name!r}; {_hint(name, known)}"
            yield DataError(config.file, f"{table}.{spoken((name,))}", problem)

    def _weakened(self, rules: Iterable[Rule]) -> Iterator[Weakened]:
        rules = list(rules)
        yield from _lowered(rules, self.config.severity, ())
        for override in self.config.overrides.values():
            yield from _lowered(rules, override.severity, override.paths)


def _hint(name: str, known: Collection[str]) -> str:
    near = nearest(name, known)
    return f"did you mean {near!r}?" if near else "plainview rules lists them"


def _tables(config: Config) -> Iterator[tuple[str, Mapping[str, Level]]]:
    """Every table of severities with its key."""
    yield config.key("severity"), config.severity
    for key, override in config.overrides.items():
        yield f"{key}.severity", override.severity


def _chosen(rule: str, category: str, tables: Iterable[Mapping[str, Level]]) -> tuple[str, Level] | None:
    """What the first table that speaks of the rule sets, and by which name: the rule's before its category's."""
    for levels in tables:
        for name in (rule, category, ALL):
            if name in levels:
                return name, levels[name]
    return None


def _lowered(rules: Sequence[Rule], levels: Mapping[str, Level], paths: tuple[str, ...]) -> Iterator[Weakened]:
    touched: dict[str, list[Rule]] = {}
    for rule in rules:
        chosen = _chosen(rule.id, rule.category, [levels])
        if chosen is not None and (chosen[1] is None or chosen[1] < rule.level):
            touched.setdefault(chosen[0], []).append(rule)
    for name, lowered in touched.items():
        before = {rule.level for rule in lowered}
        of = sum(name in (rule.id, rule.category, ALL) for rule in rules)
        yield Weakened(name, levels[name], before.pop() if len(before) == 1 else None, len(lowered), of, paths)


def _matcher(globs: Iterable[str]) -> Callable[[str], bool]:
    """Whether a path fits one of the globs, in time linear in the path whatever the globs are."""
    pattern = linear.pattern("(?s)" + "|".join(f"(?:{_translated(glob)})" for glob in globs))
    return lambda path: pattern.fullmatch(path) is not None


def _translated(glob: str) -> str:
    said = ""
    at = 0
    glob = glob + "**" if glob.endswith("/") else glob.removeprefix("./")
    for wild in _WILD.finditer(glob):
        said += re.escape(glob[at : wild.start()]) + _MEANING[wild.group()]
        at = wild.end()
    return said + re.escape(glob[at:])
