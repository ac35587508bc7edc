"""Links whose text is the address of one host and whose target is on another.

The rule `misleading-link` holds what such a link looks like, the domains under which hosts belong to different people,
the hosts that are known by two names, and those that show what stands elsewhere.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import urlsplit

from plainview.detect.document import Document, Unit
from plainview.detect.phrases import placed
from plainview.finding import Finding, Span
from plainview.markup import Passage
from plainview.match import Matcher
from plainview.rules import Ruleset

RULE = "misleading-link"
_LINK = re.compile(r"\[(?P<text>[^\[\]\s]{4,})\]\(\s*<?(?P<target>https?://[^\s<>()]+)")
_TEMPLATE = re.compile(r"[${}<>%*]")
# Second labels under which a country's registry hands out names: example.co.uk.
_REGISTRY = frozenset({"ac", "co", "com", "edu", "go", "gov", "ne", "net", "or", "org"})


def detect(document: Document, ruleset: Ruleset) -> Iterator[Finding]:
    """One finding for each link that names another host than it opens."""
    rule = ruleset.rule(RULE)
    if rule is None:
        return
    hosts = _hosts(rule.atoms.get("shared", ()), rule.atoms.get("same", ()), rule.atoms.get("through", ()))
    for start, digest in document.opened(rule):
        for unit, place in digest.passage.recall(_found, document.matcher, hosts):
            here = unit.moved(start)
            at = here.folded.span(*place).start
            # In code nothing is a link, nor behind a backslash: what is shown is what there is.
            if not document.markup.in_code(at) and document.source.text[max(at - 1, 0)] != "\\":
                yield placed(document, here, rule, place)


def _found(passage: Passage, _: Matcher, hosts: _Hosts) -> tuple[tuple[Unit, Span], ...]:
    """The links in a passage, which has been looked at for that matcher, that open another host than they name."""
    return tuple(
        (unit, Span(*found.span()))
        for unit in passage.detected.units
        for start, _ in unit.scan.own(RULE, "link")
        for found in [_LINK.match(unit.scan.text, start)]
        if found is not None and hosts.differ(found["text"], found["target"])
    )


class _Hosts:
    """Which hosts are in one hand.

    `shared` are domains under which everybody can have a name, `same` pairs of names of one host, `through` hosts that
    show what stands on others or stand for them.
    """

    def __init__(self, shared: tuple[str, ...], same: tuple[str, ...], through: tuple[str, ...]) -> None:
        self._shared = frozenset(shared)
        self._same = frozenset(frozenset(pair.split()) for pair in same)
        self._through = frozenset(through)

    def differ(self, text: str, target: str) -> bool:
        """Whether the address that a link shows and the one that it opens are of different hands."""
        bare = "://" not in text
        shown, opened = _host(f"https://{text}" if bare else text), _host(target)
        if not shown or not opened:
            return False
        one, other = self._owner(shown), self._owner(opened)
        if one == other or frozenset((one, other)) in self._same or one in self._through:
            return False
        # A package that is called like a host has its page there, an archive the pages of others.
        named = rf"[/=](?:https?://)?(?:www\.)?{re.escape(shown)}(?:[/?#]|$)"
        return not (other in self._through and (bare or "://" in target[8:]) and re.search(named, target))

    def _owner(self, host: str) -> str:
        """The part of a host's name that somebody has registered; a number is one."""
        if host.replace(".", "").isdigit() or ":" in host:
            return host
        labels = host.removeprefix("www.").split(".")
        country = len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _REGISTRY
        return ".".join(labels[-3 if country or ".".join(labels[-2:]) in self._shared else -2 :])


@lru_cache(maxsize=4)
def _hosts(shared: tuple[str, ...], same: tuple[str, ...], through: tuple[str, ...]) -> _Hosts:
    return _Hosts(shared, same, through)


def _host(address: str) -> str:
    """The host of an address that others can open; nothing where it is a template, this machine or no address."""
    try:
        host = (urlsplit(address).hostname or "").rstrip(".")
    except ValueError:
        return ""
    if _TEMPLATE.search(host) or host == "localhost" or host.endswith(".localhost"):
        return ""
    try:
        return "" if ipaddress.ip_address(host).is_loopback else host
    except ValueError:
        return host
