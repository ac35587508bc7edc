"""The style sheets of a page: which declarations its `style` elements hold for an element.

Selectors by Selectors 4. What an element stands in is not asked: a rule counts wherever its last part fits, so
that no ancestor has to be followed. States that only a reader brings about (`:hover`) and pseudo-elements hide nothing
of the page as it is opened.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from plainview.hidden import css
from plainview.hidden.css import Node, Nodes
from plainview.hidden.names import words

# Conditions of a rule that hold for a page on a screen, as far as anyone can tell here.
_CONDITIONAL = frozenset({"media", "supports", "layer", "container", "document", "scope"})
_DEEPEST = 8
# Rules that are looked at for one element; of more, the last prevail.
_MOST = 64
_EITHER = frozenset({"is", "where", "matches", "-webkit-any", "-moz-any"})
# Pseudo-classes that hold for some elements as the page is opened; which, no one selector says.
_PLACES = words(
    "root scope first-child last-child only-child nth-child nth-last-child first-of-type last-of-type only-of-type "
    "nth-of-type nth-last-of-type not has empty link any-link defined enabled read-only lang dir host"
)

_HOW: dict[str, Callable[[str, str], bool]] = {
    "=": lambda value, wanted: value == wanted,
    "~=": lambda value, wanted: wanted in value.split(),
    "|=": lambda value, wanted: value == wanted or value.startswith(wanted + "-"),
    "^=": lambda value, wanted: bool(wanted) and value.startswith(wanted),
    "$=": lambda value, wanted: bool(wanted) and value.endswith(wanted),
    "*=": lambda value, wanted: bool(wanted) and wanted in value,
}


class _Compound(NamedTuple):
    """What one element has to be: its name (empty for any), its id and classes, and tests of its attributes."""

    name: str = ""
    ids: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    attributes: tuple[tuple[str, str, str], ...] = ()

    @property
    def specificity(self) -> tuple[int, int, int]:
        """By Selectors 4, section 17."""
        return len(self.ids), len(self.classes) + len(self.attributes), int(bool(self.name))

    @property
    def key(self) -> str:
        """Under what the rule is found: all elements that it fits have this in common."""
        if self.ids:
            return "#" + self.ids[0]
        return "." + self.classes[0] if self.classes else self.name

    def fits(self, name: str, attributes: Mapping[str, str]) -> bool:
        """Whether an element of that name and those attributes is meant."""
        if self.name not in ("", name) or any(one != attributes.get("id", "") for one in self.ids):
            return False
        classes = attributes.get("class", "").split()
        if any(one not in classes for one in self.classes):
            return False
        return all(
            one in attributes and (not how or _HOW[how](attributes[one], wanted))
            for one, how, wanted in self.attributes
        )


class _Rule(NamedTuple):
    compound: _Compound
    order: int
    declarations: str


class Sheet:
    """What the style sheets of a page say of its elements."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._rules: defaultdict[str, list[_Rule]] = defaultdict(list)
        self._known: dict[tuple[str, tuple[tuple[str, str], ...]], str] = {}
        order = 0
        for text in texts:
            for prelude, body in _rules(text):
                declarations = css.relevant(body)
                for compound in _compounds(prelude) if declarations else ():
                    order += 1
                    self._rules[compound.key].append(_Rule(compound, order, declarations))

    def __bool__(self) -> bool:
        return bool(self._rules)

    def declarations(self, name: str, attributes: Mapping[str, str]) -> str:
        """The declarations that hold for an element, in the order in which later ones prevail."""
        if not self._rules:
            return ""
        key = (name, tuple(sorted(attributes.items())))
        if key not in self._known:
            self._known[key] = self._found(name, attributes)
        return self._known[key]

    def _found(self, name: str, attributes: Mapping[str, str]) -> str:
        keys = {"", name, "#" + attributes.get("id", "")}
        keys |= {"." + one for one in attributes.get("class", "").split()}
        found = [rule for key in keys for rule in self._rules.get(key, [])[-_MOST:]]
        found = [rule for rule in found if rule.compound.fits(name, attributes)]
        found.sort(key=lambda rule: (rule.compound.specificity, rule.order))
        return ";".join(rule.declarations for rule in found[-_MOST:])


def _rules(text: str) -> Iterator[tuple[Nodes, Nodes]]:
    """The preludes and bodies of the style rules that count for a page on a screen."""
    import tinycss2  # type: ignore[import-untyped]

    levels = [iter(tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True))]
    while levels:
        node = next(levels[-1], None)
        if node is None:
            levels.pop()
        elif node.type == "qualified-rule":
            yield node.prelude, node.content
        elif node.type == "at-rule" and len(levels) < _DEEPEST and _holds(node):
            levels.append(iter(tinycss2.parse_rule_list(node.content, skip_comments=True, skip_whitespace=True)))


def _holds(node: Node) -> bool:
    """Whether the rules within an at-rule count for a page on a screen."""
    conditional = node.content is not None and node.lower_at_keyword in _CONDITIONAL
    return conditional and not (node.lower_at_keyword == "media" and _is_print(node.prelude))


def _is_print(prelude: Nodes) -> bool:
    media = {node.lower_value for node in prelude if node.type == "ident"}
    return bool(media & {"print", "speech"}) and not media & {"not", "screen", "all"}


def _compounds(prelude: Nodes) -> Iterator[_Compound]:
    """The last part of each selector of a list."""
    for selector in _split(prelude, (",",)):
        parts = _split(_without_outer_blanks(selector), (">", "+", "~", " "))
        yield from _read(parts[-1]) if parts and parts[-1] else ()


def _without_outer_blanks(nodes: Nodes) -> Nodes:
    kept = list(nodes)
    while kept and kept[0].type in ("whitespace", "comment"):
        kept.pop(0)
    while kept and kept[-1].type in ("whitespace", "comment"):
        kept.pop()
    return kept


def _split(nodes: Nodes, marks: Sequence[str]) -> list[list[Node]]:
    parts: list[list[Node]] = [[]]
    for node in nodes:
        blank = node.type == "whitespace" and " " in marks
        if blank or (node.type == "literal" and node.value in marks):
            parts.append([])
        elif node.type != "comment":
            parts[-1].append(node)
    return parts


def _read(nodes: Nodes) -> Iterator[_Compound]:
    """What a compound selector asks for; nothing where it cannot be told or holds in passing only."""
    name, ids, classes, attributes = "", [], [], []
    either: list[_Compound] = []
    position = 0
    while position < len(nodes):
        node = nodes[position]
        after = nodes[position + 1] if position + 1 < len(nodes) else None
        position += 1
        if node.type == "ident":
            name = node.lower_value
        elif node.type == "hash":
            ids.append(node.value)
        elif node.type == "[] block":
            test = _attribute(node.content)
            if test is None:
                return
            attributes.append(test)
        elif node == "." and after is not None and after.type == "ident":
            classes.append(after.value)
            position += 1
        elif node == ":" and after is not None and after.type in ("ident", "function"):
            position += 1
            word = after.lower_name if after.type == "function" else after.lower_value
            if word in _EITHER and after.type == "function":
                either += [one for one in _compounds(after.arguments) if one != _Compound()]
            elif word not in _PLACES:
                return
        elif node not in ("*", "&", "|"):
            return
    own = _Compound(name, tuple(ids), tuple(classes), tuple(attributes))
    for other in either or [_Compound()]:
        yield _Compound(
            own.name or other.name, own.ids + other.ids, own.classes + other.classes, own.attributes + other.attributes
        )


def _attribute(nodes: Nodes) -> tuple[str, str, str] | None:
    """The name, the comparison and the value of an attribute selector."""
    parts = [node for node in nodes if node.type not in ("whitespace", "comment")]
    if not parts or parts[0].type != "ident":
        return None
    name = parts[0].lower_value
    if len(parts) == 1:
        return name, "", ""
    how = "".join(str(node.value) for node in parts[1:] if node.type == "literal")
    values = [node.value for node in parts[1:] if node.type in ("ident", "string")]
    return (name, how, values[0]) if how in _HOW and values else None
