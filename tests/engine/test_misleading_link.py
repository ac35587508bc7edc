"""Which hosts are in one hand, as far as links go."""

from __future__ import annotations

import pytest

from plainview.finding import Severity
from plainview.scan import Engine, scan
from plainview.settings import Settings
from plainview.text import Source

ENGINE = Engine.load(Settings())


def found(text: str) -> list[Severity]:
    report = scan(Source(text), ENGINE, path="AGENTS.md")
    return [one.severity for one in report.findings if one.rule == "misleading-link"]


@pytest.mark.parametrize(
    ("shown", "opened"),
    [
        ("docs.tools.example", "https://tools.example.io/"),
        ("https://tools.example/a?b=1#c", "https://other.example/a?b=1#c"),
        ("https://tools.example@evil.example", "https://tools.example"),
        ("tools.example", "https://tools.example@evil.example/"),
        ("a.co.uk", "https://b.co.uk/x"),
        ("one.github.io/x", "https://two.github.io/x"),
        ("www.project.org", "https://project.org.login.example"),
        ("tools.example/x", "HTTPS://EVIL.EXAMPLE/x"),
        ("https://10.0.0.1", "https://203.0.0.1"),
        ("https://tools.example", "https://github.com/other/tools.example"),
        ("tools.example", "https://www.npmjs.com/package/nottools.example"),
        ("docs.tools.ai", "https://other.example"),
    ],
)
def test_a_link_that_shows_another_host_than_it_opens_is_found(shown: str, opened: str) -> None:
    assert found(f"See [{shown}]({opened}) for more.\n") == [Severity.MEDIUM]


@pytest.mark.parametrize(
    ("shown", "opened"),
    [
        ("tools.example", "https://tools.example"),
        ("https://tools.example", "http://www.tools.example/"),
        ("docs.tools.example", "https://tools.example/docs"),
        ("a.tools.co.uk", "https://tools.co.uk/x"),
        ("TOOLS.example", "https://tools.example"),
        ("tools.example:8080/x", "https://tools.example/x"),
        ("golang.org/x/tools", "https://go.dev/x"),
        ("socket.io", "https://www.npmjs.com/package/socket.io"),
        ("https://tools.example", "https://web.archive.org/web/2020/https://tools.example/a"),
        ("https://web.archive.org/web/2020/https://tools.example", "https://tools.example"),
        ("tools.example", "https://tools.example."),
        ("http://localhost:3000", "http://127.0.0.1:3000"),
        ("https://tools.example", "https://{{ host }}/x"),
        ("https://tools.example/${x}", "https://${HOST}/x"),
        ("System.IO", "https://other.example/system.io"),
        ("README.md", "https://git.example/README.md"),
        ("Node.js", "https://other.example"),
        ("tools.example", "docs/tools.md"),
        ("tools.example", "mailto:a@b.example"),
        ("https://tools.example", "https://[::1"),
    ],
)
def test_a_link_that_opens_what_it_shows_or_shows_no_host_is_not(shown: str, opened: str) -> None:
    assert found(f"See [{shown}]({opened}) for more.\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "```\n[tools.example](https://evil.example)\n```\n",
        "Write `[tools.example](https://evil.example)` there.\n",
        "    [tools.example](https://evil.example)\n",
        "\\[tools.example](https://evil.example)\n",
    ],
)
def test_code_has_no_links(text: str) -> None:
    assert found(text) == []


def test_each_link_is_found_where_it_stands_and_a_denied_one_is_info() -> None:
    link = "[tools.example](https://evil.example)"
    assert found(f"# A\n\nOne {link}, two {link}.\n\n> Three {link}\n") == [Severity.MEDIUM] * 3
    assert found(f"Never write {link}.\n") == [Severity.INFO]
