"""All patterns at once, in time linear in the text: atoms are found by RE2, compositions join them.

Patterns with gaps would cost seconds on hostile text, and so does one automaton for all patterns. So atoms have no
gaps, order and nearness are composed here from the places of the atoms, and an atom is looked for only where the
words of the text allow it (`sieve`) and a composition asks for it. Each composition walks its atoms' places once.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from plainview import linear, together
from plainview.finding import Span
from plainview.fold import Folded
from plainview.lines import edited_lines
from plainview.literals import alternation
from plainview.rules import Match, Rule, Ruleset
from plainview.sieve import Sieve

# The full stop of "e.g." and "i.e." ends nothing.
_ABBREVIATED = r"(?<!\be\.g.)(?<!\bi\.e.)"
# Each begins with one class for all signs, and looks back at which it is: that is found fast.
_SENTENCE_END = re.compile(
    r"[.!?\u3002\u0964\u061f\u06d4\n](?:(?<=[\u3002\u0964\u061f\u06d4\n])"
    rf"|(?<=[.!?]){_ABBREVIATED}(?=[\s\"')\]]|$)|(?<=[!?])(?=[^\x00-\x7f]))"
)
_CLAUSE_SIGNS = r".!?;:\u3002\u0964\u061f\u061b\u06d4\n "
_CLAUSE = (
    r"(?<=[\u3002\u0964\u061f\u061b\u06d4\n])"
    rf"|(?<=[.!?;:]){_ABBREVIATED}(?=[\s\"')\]]|$)|(?<=[!?;:])(?=[^\x00-\x7f])|(?<= )-+ "
)
_CLAUSE_END = re.compile(f"[{_CLAUSE_SIGNS}](?:{_CLAUSE})")
# Where words begin that say nothing of what stands before: behind a comma, a bracket or a conjunction.
_PHRASE_END = re.compile(
    rf"[{_CLAUSE_SIGNS},)](?:{_CLAUSE}|(?<=,) |(?<=\)) "
    r"|(?<= )(?:\(|(?:and|but|or|nor|then|so|because|since|while|although|though) ))"
)

# What is said by the way, in brackets or between commas.
_ASIDE = re.compile(r"\([^()\n]*\)|, (?:which|who|whom|whose|as|though|although|while) [^,\n]*,")

# Latin letters with accents, in UTF-8: U+00C0 to U+017F without the signs for times and divided by.
_ACCENTED = re.compile(rb"\xc3[\x80-\x96\x98-\xb6\xb8-\xbf]|[\xc4\xc5][\x80-\xbf]")
# How the rules call an atom that is not in English.
_FOREIGN = "-any"

# What ends the piece before a place, where the place's own pattern asks for it.
_BEFORE = re.compile(r"[.!?;:,] +|[ \n]+")

# An address: its scheme, its host (with a user's name and a port, if there are any), and the rest of it.
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]{1,10}://(?P<host>[^\s/?#\"'`<>|()\]{}]*)[^\s\"'`<>|]*")
_PORT = re.compile(r":[0-9]{1,5}$")
# The lexicon's atoms that name hosts, and what makes a rule's own atom one.
_HOSTS = ("local-host", "known-installer")
_HOST_SCHEMES = ("https://", "https?://")
# Shared atoms that detectors ask for in every part of a text.
_SOUGHT = ("disclaimer",)
# The lexicon's atom for what the next cell of a table says of this one.
_NEXT_CELL = "turned-down"

# An edit of more than such a part of a text is no edit.
_WORTHWHILE = 2
# From so many bytes and lines on a text is worth being looked at line by line.
_MANY_WORDS, _MANY_LINES = 1500, 4
# So many texts are worth putting together.
_SEVERAL = 2
# What asks where a text begins or ends, once what is written out is taken away.
_WRITTEN_OUT = re.compile(r"\\[^Az]|\[\^?\]?(?:\\.|[^\]\\])*\]")
_ANCHOR = re.compile(r"[\^$]|\\[Az]")

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")

# Quotation marks that say by themselves that they open, and what closes them; the fold makes one of all others.
_CLOSING = {"\u300c": "\u300d", "\u300e": "\u300f", "\u300a": "\u300b"}

Place = tuple[int, int]


class PatternError(ValueError):
    """An atom's pattern does not compile."""


class Hit(NamedTuple):
    """A composition that holds: its rule, its range and the ranges of its atoms in the folded text."""

    rule: Rule
    span: Span
    parts: tuple[Place, ...]
    lessened: bool


class Wide(NamedTuple):
    """A composition whose atoms may stand anywhere in one section or in the whole document.

    `needed` are its atoms as bits, `rarest_first` those that the fewest texts hold before the others, `rarest` is the
    first of these as a bit.
    """

    rule: Rule
    match: Match
    atoms: tuple[int, ...]
    needed: int
    rarest_first: tuple[int, ...]
    unless: tuple[int, ...]
    lessen: tuple[int, ...]
    rarest: int = 0


class Matcher:
    """The atoms and compositions of a rule set. Safe to share between threads.

    A pattern is compiled when a text first calls for it. Raises PatternError for what can be no pattern.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self._atoms: list[str] = []
        self._index: dict[str, int] = {}
        self._compiled: dict[int, Any] = {}
        self._names = {name: self._add(patterns) for name, patterns in ruleset.lexicon.items() if patterns}
        self._compositions: list[_Composition] = []
        self._rule_atoms: dict[tuple[str, str], int] = {}
        # Atoms in languages whose letters have accents.
        self.foreign: set[int] = set()
        # What detectors ask for passage by passage.
        self._openings: set[int] = set()
        self._detected = {self._names[name] for name in _SOUGHT if name in self._names}
        self.wide: list[Wide] = []
        self.shared_hosts = {self._names[name] for name in _HOSTS if name in self._names}
        self.hosts = set(self.shared_hosts)
        for rule in ruleset.rules:
            self._add_rule(rule, ruleset.lexicon)
        try:
            self._sieve = Sieve(self._atoms, self._composed())
        except ValueError as error:
            raise PatternError(str(error)) from error
        self._anchored = {
            number for number, one in enumerate(self._atoms) if _ANCHOR.search(_WRITTEN_OUT.sub("", one)) is not None
        }
        self.in_line = self._sieve.in_line & ~sum(map(self._sieve.bit, self._anchored))
        # As the rules give them; of those that hold in the same place the first counts.
        self._compositions.sort(key=lambda one: one.atoms[0])
        by_atom: dict[int, list[tuple[int, int]]] = {}
        for order, composition in enumerate(self._compositions):
            composition.needed = self._needed(composition.atoms)
            composition.rarest_first = self._by_rarity(composition.atoms)
            rarest = self._sieve.bit(composition.rarest_first[0])
            by_atom.setdefault(rarest, []).append((order, composition.needed))
        self._rarest = sum(by_atom)
        # By the place of the rarest atom's bit: the compositions by their order, with the atoms that they need.
        self._by_place = {bit.bit_length() - 1: several for bit, several in by_atom.items()}
        self.wide_atoms = {self._sieve.bit(atom): atom for wide in self.wide for atom in wide.atoms}
        self.wide_bits = sum(self.wide_atoms)
        self.wide = [self._ranked(wide) for wide in self.wide]
        self.detected_bits = sum(map(self._sieve.bit, self._openings))
        self.rare_bits = 0
        for wide in self.wide:
            self.rare_bits |= wide.rarest

    def _ranked(self, wide: Wide) -> Wide:
        rarest_first = self._by_rarity(wide.atoms)
        rarest = self._sieve.bit(rarest_first[0])
        return wide._replace(needed=self._needed(wide.atoms), rarest_first=rarest_first, rarest=rarest)

    def scan(self, folded: Folded) -> Scan:
        """What occurs in a folded text."""
        text = folded.text
        data = text.encode("utf-8", "replace")
        return Scan(self, text, data, self.passing(data))

    def passing(self, data: bytes) -> int:
        """The atoms that may occur in a folded text (UTF-8), as bits."""
        return self._sieve.passing(data)

    def is_in_line(self, atom: int) -> bool:
        """Whether what an atom matches lies in one line, whatever stands before and behind that."""
        return self.in_line & self._sieve.bit(atom) != 0

    def may_hold(self, passing: int) -> bool:
        """Whether a composition may hold where no other atoms may occur than those `passing`."""
        return passing & self._rarest != 0

    def look(self, scans: Iterable[Scan]) -> None:
        """Works out the hits of several texts together, a composition after the other.

        Patterns are large, and fast only while they are at hand.
        """
        asked: dict[int, list[Scan]] = {}
        found: dict[Scan, list[Hit]] = {scan: [] for scan in scans if not scan.is_looked_at}
        for scan in found:
            scan.narrow()
            for order in self._possible(scan.passing):
                asked.setdefault(order, []).append(scan)
        for level in range(max((len(self._compositions[order].atoms) for order in asked), default=0)):
            wanted: dict[int, list[Scan]] = {}
            for order, several in asked.items():
                atoms = self._compositions[order].rarest_first
                if level < len(atoms):
                    wanted.setdefault(atoms[level], []).extend(several)
            holding = {atom: self._find(atom, several) for atom, several in wanted.items()}
            for order, several in list(asked.items()):
                atoms = self._compositions[order].rarest_first
                if level >= len(atoms):
                    continue
                left = holding[atoms[level]]
                asked[order] = still = [scan for scan in several if scan in left] if left else []
                if not still:
                    del asked[order]
        for order in sorted(asked):
            composition = self._compositions[order]
            for scan in asked[order]:
                found[scan] += composition.hits(scan)
        for scan, hits in found.items():
            scan.take(hits)

    def _find(self, atom: int, scans: Iterable[Scan]) -> set[Scan]:
        """Looks for an atom in several texts at once, and says which hold it."""
        scans = dict.fromkeys(scans)
        unknown = [scan for scan in scans if not scan.recalls(atom)]
        if len(unknown) >= _SEVERAL and atom not in self._anchored:
            self._find_together(atom, unknown)
        return {scan for scan in scans if scan.places(atom)}

    def _find_together(self, atom: int, scans: Sequence[Scan]) -> None:
        """Looks for an atom in several texts as one, unless that finds one that reaches from one into the next."""
        matches = list(self.pattern(atom).finditer(together.GAP.join([scan.data for scan in scans])))
        if not matches:
            for scan in scans:
                scan.keep(atom, [])
            return
        starts = together.starts([scan.data for scan in scans])
        found: list[list[Place]] = [[] for _ in scans]
        for match in matches:
            start, end = match.span()
            index = bisect_right(starts, start) - 1
            if end > starts[index + 1] - len(together.GAP):
                return
            found[index].append((start - starts[index], end - starts[index]))
        for scan, spans in zip(scans, found, strict=True):
            scan.keep(atom, spans)

    def _possible(self, passing: int) -> Iterator[int]:
        """The compositions that may hold where no other atoms may occur than those `passing`."""
        places = bin(passing & self._rarest)
        last = len(places) - 1
        place = places.find("1", 2)
        while place >= 0:
            for order, needed in self._by_place[last - place]:
                if needed & passing == needed:
                    yield order
            place = places.find("1", place + 1)

    def shared(self, name: str) -> int:
        """The index of the lexicon's atom `name`; -1 when there is none."""
        return self._names.get(name, -1)

    def own(self, rule: str, name: str) -> int:
        """The index of a rule's own atom; -1 when there is none."""
        return self._rule_atoms.get((rule, name), -1)

    def pattern(self, atom: int) -> Any:
        """The compiled pattern of an atom. Raises PatternError when it does not compile."""
        compiled = self._compiled.get(atom)
        if compiled is None:
            import re2

            try:
                compiled = self._compiled[atom] = linear.pattern(self._atoms[atom])
            except re2.error as error:
                raise PatternError(str(error)) from error
        return compiled

    def bit(self, atom: int) -> int:
        """The bit of an atom in what `passing` holds; 0 for none."""
        return self._sieve.bit(atom) if atom >= 0 else 0

    def may_occur(self, atom: int, passing: int) -> bool:
        """Whether an atom may occur where only those `passing` may."""
        return atom >= 0 and self._sieve.bit(atom) & passing != 0

    def _needed(self, atoms: tuple[int, ...]) -> int:
        return sum(self._sieve.bit(atom) for atom in set(atoms))

    def _by_rarity(self, atoms: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(atoms, key=self._sieve.chance))

    def _composed(self) -> set[int]:
        """The atoms that compositions are made of; others are looked for only once one holds."""
        parts = [composition.atoms for composition in self._compositions] + [wide.atoms for wide in self.wide]
        # Detectors ask for these everywhere.
        return {atom for atoms in parts for atom in atoms} | self._detected

    def _add(self, patterns: tuple[str, ...]) -> int:
        pattern = alternation(patterns)
        index = self._index.get(pattern)
        if index is None:
            index = self._index[pattern] = len(self._atoms)
            self._atoms.append(pattern)
        return index

    def _add_rule(self, rule: Rule, lexicon: Mapping[str, tuple[str, ...]]) -> None:
        own = {name: self._add(patterns) for name, patterns in rule.atoms.items()}
        if rule.opening:
            self._openings.add(own[rule.opening])
        for name, index in own.items():
            self._rule_atoms[rule.id, name] = index
            if rule.detector:
                self._detected.add(index)
            if name.endswith(_FOREIGN):
                self.foreign.add(index)
            if all(pattern.startswith(_HOST_SCHEMES) for pattern in rule.atoms[name]):
                self.hosts.add(index)

        def resolve(names: tuple[str, ...]) -> tuple[int, ...]:
            return tuple(self._add(lexicon[n[1:]]) if n.startswith("@") else own[n] for n in names)

        for match in rule.match:
            atoms, unless, lessen = resolve(match.atoms), resolve(match.unless), resolve(match.lessen)
            if match.within in ("section", "document"):
                self.wide.append(Wide(rule, match, atoms, 0, atoms, unless, lessen))
                continue
            self._compositions.append(_Composition(rule, match, atoms, unless, lessen))


class Scan:
    """The atoms that occur in one folded text, looked for when asked for.

    `data` is the text in UTF-8, `passing` are the atoms that may occur, as bits.
    """

    __slots__ = (
        "_addresses",
        "_asides",
        "_clauses",
        "_edit",
        "_hits",
        "_lines",
        "_matcher",
        "_phrases",
        "_places",
        "_quotations",
        "_sentences",
        "_wide",
        "data",
        "passing",
        "text",
    )

    def __init__(self, matcher: Matcher, text: str, data: bytes, passing: int) -> None:
        self._matcher = matcher
        self.text = text
        self.data = data
        self.passing = passing
        self._edit: _Edit | None = None
        self._hits: list[Hit] | None = None
        self._places: dict[int, list[Place]] = {}
        self._wide: tuple[list[int], list[int]] | None = None
        self._sentences: list[int] | None = None
        self._clauses: list[int] | None = None
        self._addresses: list[_Address] | None = None
        self._lines: list[int] | None = None
        self._phrases: list[int] | None = None
        self._quotations: list[Place] | None = None
        self._asides: list[Place] | None = None

    def may_hit(self) -> bool:
        """Whether it pays to ask for hits."""
        return self._matcher.may_hold(self.passing)

    def follow(self, former: Scan) -> None:
        """Takes in that an edit made this text of another: what is known of its lines need not be asked again."""
        former._edit = None
        if former is self or self._hits is not None or former._matcher is not self._matcher:
            return
        start, old_end, end = edited_lines(former.text, self.text)
        if end - start > len(self.text) // _WORTHWHILE:
            return
        text = self.text[start:end]
        data = text.encode("utf-8", "replace")
        lines = Scan(self._matcher, text, data, self._matcher.passing(data))
        self._edit = _Edit(former._places, former.passing, lines, start, old_end, end)
        absent = 0
        for atom, places in former._places.items():
            if not places:
                absent |= self._matcher.bit(atom)
        self.passing &= (former.passing & ~absent) | lines.passing | ~self._matcher.in_line

    def narrow(self) -> None:
        """Leaves out of `passing` what may occur in no line of a long text, though all its words stand somewhere."""
        if self._edit is not None or len(self.data) < _MANY_WORDS:
            return
        lines = [line for line in self.data.split(b"\n") if line]
        if len(lines) >= _MANY_LINES:
            passing = ~self._matcher.in_line
            for line in lines:
                passing |= self._matcher.passing(line)
            self.passing &= passing

    def recalls(self, atom: int) -> bool:
        """Whether it is known where an atom occurs, here or in the text that this was made of."""
        if atom in self._places:
            return True
        if self._edit is None or not self._matcher.is_in_line(atom):
            return False
        known, passing, lines, start, old_end, end = self._edit
        places = known.get(atom)
        if places is None:
            if self._matcher.may_occur(atom, passing):
                return False
            places = []
        growth = end - old_end
        self._places[atom] = [
            *places[: bisect_left(places, (start, 0))],
            *((first + start, last + start) for first, last in lines.places(atom)),
            *((first + growth, last + growth) for first, last in places[bisect_left(places, (old_end, 0)) :]),
        ]
        return True

    @property
    def is_looked_at(self) -> bool:
        """Whether its hits are known."""
        return self._hits is not None

    def take(self, hits: list[Hit]) -> None:
        """Takes in every composition that holds, in order of the rules."""
        self._hits = hits

    def hits(self) -> Sequence[Hit]:
        """Every composition that holds, in order of the rules."""
        if self._hits is None:
            self._matcher.look((self,))
        return self._hits or ()

    def places(self, atom: int) -> list[Place]:
        """Where an atom occurs, in order, without overlap; empty when it does not."""
        found = self._places.get(atom)
        if found is None:
            if not self._matcher.may_occur(atom, self.passing):
                return []
            if self.recalls(atom):
                return self._places[atom]
            self.keep(atom, [match.span() for match in self._matcher.pattern(atom).finditer(self.data)])
            found = self._places[atom]
        return found

    def keep(self, atom: int, spans: list[Place]) -> None:
        """Takes in where an atom occurs in `data`, in bytes."""
        if spans and len(self.data) != len(self.text):
            if atom in self._matcher.foreign:
                spans = [span for span in spans if not _cuts_word(self.data, *span)]
            spans = [(self._offset(start), self._offset(end)) for start, end in spans]
        self._places[atom] = [self._place(start, end) for start, end in spans]

    def shared(self, name: str) -> list[Place]:
        """Where the lexicon's atom `name` occurs."""
        return self.places(self._matcher.shared(name))

    def own(self, rule: str, name: str) -> list[Place]:
        """Where a rule's own atom occurs."""
        return self.places(self._matcher.own(rule, name))

    def sentences(self) -> list[int]:
        """Where the sentences end."""
        if self._sentences is None:
            self._sentences = [match.end() for match in _SENTENCE_END.finditer(self.text)]
        return self._sentences

    def clauses(self) -> list[int]:
        """Where the clauses end."""
        if self._clauses is None:
            self._clauses = [match.end() for match in _CLAUSE_END.finditer(self.text)]
        return self._clauses

    def lines(self) -> list[int]:
        """Where the lines end."""
        if self._lines is None:
            self._lines = [end for _, end in self.shared("line-end")]
        return self._lines

    def quotation(self, span: Span) -> Place | None:
        """The quotation marks around `span` in its line, if it stands between two."""
        if self._quotations is None:
            self._quotations = list(_quotations(self.text, self.shared("quotation-mark"), self.lines()))
        index = bisect_right(self._quotations, span.start, key=lambda pair: pair[0]) - 1
        # A pattern may end in what stands behind its last word, be that the closing mark.
        if index < 0 or self._quotations[index][1] < span.end - 1:
            return None
        return self._quotations[index]

    def piece(self, ends: Sequence[int], offset: int) -> Span:
        """The sentence or clause that holds `offset`, from its kind's list of ends."""
        index = bisect_right(ends, offset)
        return Span(ends[index - 1] if index else 0, ends[index] if index < len(ends) else len(self.text))

    def around(self, piece: Span, span: Span) -> Span:
        """The part of `piece` whose words govern a match at `span`: what no comma or bracket sets apart from it."""
        if self._phrases is None:
            self._phrases = [match.end() for match in _PHRASE_END.finditer(self.text)]
        first, last = (self.piece(self._phrases, offset) for offset in (span.start, max(span.end - 1, 0)))
        return Span(max(first.start, piece.start), min(last.end, piece.end))

    def excuses(self, atom: int, piece: Span, around: Span, span: Span, parts: Sequence[Place] = ()) -> bool:
        """Whether an atom that excuses or lessens a match at `span`, which has those `parts`, does so.

        A word must stand in `around`, lest an innocent one that is tacked on excuse the match, and not be said by the
        way between the parts. A host must be the host of the very addresses in `piece` that the match is about:
        "# localhost" behind another address says nothing.
        """
        places = self.places(atom)
        if not places or atom not in self._matcher.hosts:
            if atom == self._matcher.shared(_NEXT_CELL):
                return _occurs(places, piece)
            return bool(places) and _occurs(places, around, self._said_between(span, parts))
        about = self._about(piece, span)
        if not about:
            return _occurs(places, span)
        exact = atom in self._matcher.shared_hosts
        return all(_is_host(places, address, exact=exact) for address in about)

    def _said_between(self, span: Span, parts: Sequence[Place]) -> Sequence[Place]:
        """What is said by the way between the parts of a match at `span`."""
        if len(parts) < _SEVERAL:
            return ()
        if self._asides is None:
            self._asides = [found.span() for found in _ASIDE.finditer(self.text)]
        first, last = (bisect_left(self._asides, (offset, 0)) for offset in span)
        return [
            (start, end)
            for start, end in self._asides[first:last]
            if end <= span.end and not any(start <= part < end for part, _ in parts)
        ]

    def _about(self, piece: Span, span: Span) -> list[_Address]:
        """The addresses in `span`, else the nearest one after it or before it in the same piece."""
        if self._addresses is None:
            self._addresses = [
                _Address(*found.span(), found.start("host"), found.end("host") - len(_port(found["host"])))
                for found in _ADDRESS.finditer(self.text)
            ]
        addresses = self._addresses
        first = bisect_right(addresses, span.start, key=lambda address: address.end)
        last = bisect_left(addresses, span.end, key=lambda address: address.start)
        if first < last:
            return addresses[first:last]
        if last < len(addresses) and addresses[last].start < piece.end:
            return [addresses[last]]
        if first and addresses[first - 1].start >= piece.start:
            return [addresses[first - 1]]
        return []

    def _place(self, start: int, end: int) -> Place:
        """A place without the end of the sentence or line before it, which its pattern may begin with."""
        before = _BEFORE.match(self.text, start, end)
        return (before.end() if before is not None and before.end() < end else start, end)

    def _offset(self, byte: int) -> int:
        """The code point that begins at a byte."""
        if self._wide is None:
            self._wide = _wide_characters(self.text)
        ends, surplus = self._wide
        index = bisect_right(ends, byte)
        return byte - surplus[index]


class _Edit(NamedTuple):
    """What is known of the text that an edit made a text of, and the scan of the lines that the edit touched.

    `places` are those of atoms there, `passing` the atoms that might occur. The lines stand from `start` to `end`, and
    stood up to `old_end`, in code points.
    """

    places: dict[int, list[Place]]
    passing: int
    lines: Scan
    start: int
    old_end: int
    end: int


class _Address(NamedTuple):
    start: int
    end: int
    host_start: int
    host_end: int


def _port(host: str) -> str:
    found = _PORT.search(host)
    return found.group() if found else ""


def _is_host(places: Sequence[Place], address: _Address, *, exact: bool) -> bool:
    """Whether one of the places is the host of the address (with `exact`: all of it, no user's name before)."""
    for begin in (address.start, address.host_start):
        index = bisect_left(places, (begin, 0))
        if index < len(places) and places[index][0] == begin:
            return not exact or places[index][1] >= address.host_end
    return False


class _Composition:
    """One [[match]] of a rule, its atoms resolved."""

    __slots__ = ("_lessen", "_match", "_rule", "_unless", "atoms", "needed", "rarest_first")

    def __init__(
        self,
        rule: Rule,
        match: Match,
        atoms: tuple[int, ...],
        unless: tuple[int, ...],
        lessen: tuple[int, ...],
    ) -> None:
        self._rule = rule
        self._match = match
        self._unless = unless
        self._lessen = lessen
        self.atoms = atoms
        self.needed = 0
        self.rarest_first = atoms

    def hits(self, scan: Scan) -> Iterator[Hit]:
        """Where the composition holds, without overlap."""
        match = self._match
        lists = [scan.places(atom) for atom in self.atoms]
        ends = {"clause": scan.clauses, "sentence": scan.sentences}.get(match.within, list)()
        chains = _in_order(lists, match.gap, ends) if match.sequence else _near(lists, match.gap, ends)
        reached = -1
        for parts in chains:
            span = Span(min(start for start, _ in parts), max(end for _, end in parts))
            if span.start < reached:
                continue
            piece = scan.piece(ends, span.start)
            judged = (self._unless or self._lessen) and match.within != "block"
            around = scan.around(piece, span) if judged else piece
            if any(scan.excuses(atom, piece, around, span, parts) for atom in self._unless):
                continue
            reached = span.end
            lessened = any(scan.excuses(atom, piece, around, span, parts) for atom in self._lessen)
            yield Hit(self._rule, span, parts, lessened)


def _in_order(lists: Sequence[Sequence[Place]], gap: int, ends: Sequence[int]) -> Iterator[tuple[Place, ...]]:
    """Chains of one place of each list, each at most `gap` behind the one before, in one piece.

    For each place the nearest chain that ends before it is enough: a longer gap never helps.
    """
    chains: list[tuple[Place, ...]] = [(place,) for place in lists[0]]
    for places in lists[1:]:
        longer: list[tuple[Place, ...]] = []
        chain_ends = [chain[-1][1] for chain in chains]
        for start, end in places:
            index = bisect_right(chain_ends, start) - 1
            if index < 0 or start - chain_ends[index] > gap:
                continue
            if bisect_right(ends, chains[index][0][0]) == bisect_right(ends, start):
                longer.append((*chains[index], (start, end)))
        chains = longer
    yield from chains


def _near(lists: Sequence[Sequence[Place]], gap: int, ends: Sequence[int]) -> Iterator[tuple[Place, ...]]:
    """For each place of the first list, the nearest place of each other list, at most `gap` away."""
    starts = [[start for start, _ in places] for places in lists]
    for first in lists[0]:
        parts = [first]
        piece = bisect_right(ends, first[0])
        for places, begins in zip(lists[1:], starts[1:], strict=True):
            index = bisect_left(begins, first[0])
            around = [places[i] for i in (index - 1, index) if 0 <= i < len(places)]
            within = [place for place in around if bisect_right(ends, place[0]) == piece]
            nearest = min(within, key=lambda place: _distance(first, place), default=None)
            if nearest is None or _distance(first, nearest) > gap:
                break
            parts.append(nearest)
        else:
            yield tuple(parts)


def _distance(one: Place, other: Place) -> int:
    return max(one[0], other[0]) - min(one[1], other[1])


def _occurs(places: Sequence[Place], piece: Span, asides: Sequence[Place] = ()) -> bool:
    """Whether one of the places is in `piece`, and in none of the asides, which come in order and apart."""
    index = bisect_left(places, (piece.start, 0))
    for start, end in asides:
        if index >= len(places) or places[index][0] < start:
            break
        if places[index][0] < end:
            index = bisect_left(places, (end, 0))
    return index < len(places) and places[index][0] < piece.end


def _quotations(text: str, marks: Sequence[Place], lines: Sequence[int]) -> Iterator[Place]:
    """Pairs of quotation marks within a line. A mark behind a letter or digit opens nothing (12" is a length).

    In scripts that write no blanks between words, it may.
    """
    opening: int | None = None
    line = -1
    for mark, _ in marks:
        current = bisect_right(lines, mark)
        if current != line:
            opening, line = None, current
        if opening is not None:
            if text[mark] == _CLOSING.get(text[opening], '"'):
                yield opening, mark
                opening = None
        elif text[mark] in _CLOSING or (text[mark] == '"' and not _is_word(text[mark - 1 : mark])):
            opening = mark


def _cuts_word(data: bytes, start: int, end: int) -> bool:
    """Whether a match (in UTF-8) begins or ends within a Latin word: to RE2 one ends at every letter with an accent.

    A pattern may end in the first letter of the next word, to see that there is one.
    """
    return (data[max(end - 2, start) : end].isalpha() and _ACCENTED.match(data, end) is not None) or (
        data[start : start + 1].isalpha() and start > 1 and _ACCENTED.match(data, start - 2) is not None
    )


def _is_word(letter: str) -> bool:
    """Whether a mark right behind the letter is within its word, or at its end."""
    return letter.isalnum() and unicodedata.east_asian_width(letter) not in "WF"


def _wide_characters(text: str) -> tuple[list[int], list[int]]:
    """Where in bytes (UTF-8) the characters beyond ASCII end, and how many bytes more than characters stand before.

    The second list has an item for before the first of them, and one for behind each.
    """
    ends: list[int] = []
    surplus = [0]
    for found in _BEYOND_ASCII.finditer(text):
        code = ord(found.group())
        # A lone surrogate is replaced by a question mark.
        width = 2 if code < 0x800 else 1 if 0xD800 <= code < 0xE000 else 3 if code < 0x10000 else 4
        ends.append(found.start() + surplus[-1] + width)
        surplus.append(surplus[-1] + width - 1)
    return ends, surplus
