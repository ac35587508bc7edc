"""Patterns that are compiled when they are first used."""

import re

import pytest

from plainview import late


def test_it_is_what_the_compiled_pattern_is() -> None:
    given, compiled = late.pattern(r"(?P<word>a+)b", re.IGNORECASE), re.compile(r"(?P<word>a+)b", re.IGNORECASE)
    assert [found.span() for found in given.finditer("aab AB")] == [(0, 3), (4, 6)]
    assert given.fullmatch("AAB") is not None
    assert given.sub("-", "xab") == "x-"
    assert (given.pattern, given.flags, given.groupindex) == (compiled.pattern, compiled.flags, compiled.groupindex)


def test_it_is_compiled_with_its_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    plain = re.compile

    def counted(text: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(text)
        return plain(text, flags)

    monkeypatch.setattr(re, "compile", counted)
    given = late.pattern("a")
    assert compiled == []
    assert given.search("ba") is not None
    assert given.search("b") is None
    assert compiled == ["a"]


def test_a_wrong_pattern_is_told_where_it_is_used() -> None:
    given = late.pattern("(")
    with pytest.raises(re.error):
        given.search("")
