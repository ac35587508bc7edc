"""Which kind a path is, who reads it, and what that costs; the host files themselves are checked too."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainview.kinds import PLAIN, CommentReach, FileKind, Host, Kind, Kinds, comment_reach, load_kinds, loads

KINDS = load_kinds()
ALL = [kind for host in KINDS.hosts for kind in host.kinds]


class Row(NamedTuple):
    path: str
    kind: str
    host: str
    session: str
    invoked: str
    comments: str
    header: Mapping[str, object] | None = None
    nested: bool = False


NAMED = {"name": "x", "description": "does x"}
OFF: dict[str, object] = {**NAMED, "disable-model-invocation": True}

ROWS = [
    Row("CLAUDE.md", "claude-memory", "claude-code", "file", "", "block-stripped"),
    Row("/ws/web/CLAUDE.md", "claude-memory", "claude-code", "", "file", "block-stripped", nested=True),
    Row(".claude/CLAUDE.md", "claude-memory", "claude-code", "file", "", "block-stripped"),
    Row("CLAUDE.local.md", "claude-memory", "claude-code", "file", "", "block-stripped"),
    Row(
        "/root/.claude/projects/a/memory/MEMORY.md",
        "claude-memory-index",
        "claude-code",
        "body",
        "",
        "block-stripped",
    ),
    Row("/root/.claude/projects/a/memory/builds.md", "claude-memory-topic", "claude-code", "", "file", "kept"),
    Row(".claude/rules/a/b.md", "claude-rule", "claude-code", "body", "", "unknown"),
    Row(".claude/rules/b.md", "claude-rule", "claude-code", "", "body", "unknown", {"paths": ["*.py"]}),
    Row(".claude/rules/b.md", "claude-rule", "claude-code", "body", "", "unknown", {"paths": None}),
    Row(
        ".claude/skills/x/SKILL.md",
        "claude-skill",
        "claude-code",
        "name description when_to_use",
        "body",
        "kept",
        NAMED,
    ),
    Row(
        ".claude/skills/x/skill.md",
        "claude-skill",
        "claude-code",
        "name first_paragraph when_to_use",
        "body",
        "kept",
    ),
    Row(".claude/skills/x/SKILL.md", "claude-skill", "claude-code", "", "body", "kept", OFF),
    Row(
        ".claude/skills/x/SKILL.md",
        "claude-skill",
        "claude-code",
        "",
        "body",
        "kept",
        {**NAMED, "disable-model-invocation": "Yes"},
    ),
    Row(".claude/skills/x/references/a.md", "claude-skill-reference", "claude-code", "", "file", "kept"),
    Row(".claude/skills/x/README.md", "claude-skill-reference", "claude-code", "", "file", "kept"),
    Row("SKILL.md", "agent-skill", "claude-code", "name description when_to_use", "body", "kept", NAMED),
    Row(
        "plugins/p/skills/x/SKILL.md",
        "agent-skill",
        "claude-code",
        "name description when_to_use",
        "body",
        "kept",
        NAMED,
    ),
    Row(
        "skills/.curated/x/SKILL.md",
        "agent-skill",
        "claude-code",
        "name description when_to_use",
        "body",
        "kept",
        NAMED,
    ),
    Row("skills/x/reference/a.md", "agent-skill-reference", "claude-code", "", "file", "kept"),
    Row(
        ".claude/commands/db/move.md",
        "claude-command",
        "claude-code",
        "stem description when_to_use",
        "body",
        "kept",
        NAMED,
    ),
    Row(
        ".claude/commands/go.md",
        "claude-command",
        "claude-code",
        "stem first_paragraph when_to_use",
        "body",
        "kept",
    ),
    Row(
        "plugins/p/commands/go.md",
        "claude-plugin-command",
        "claude-code",
        "stem description when_to_use",
        "body",
        "kept",
        NAMED,
    ),
    Row(
        "/ws/.claude/agents/web/css.md",
        "claude-subagent",
        "claude-code",
        "name description",
        "body",
        "kept",
        NAMED,
    ),
    Row(
        "plugins/p/agents/a.md",
        "claude-plugin-subagent",
        "claude-code",
        "name description",
        "body",
        "kept",
        NAMED,
    ),
    Row(".claude/output-styles/a.md", "claude-output-style", "claude-code", "", "body", "kept"),
    Row("AGENTS.md", "agents-md", "agents-md", "file", "", "kept"),
    Row("packages/a/AGENTS.md", "agents-md", "agents-md", "", "file", "kept", nested=True),
    Row("AGENTS.override.md", "agents-md", "agents-md", "file", "", "kept"),
    Row("AGENTS.local.md", "agents-md", "agents-md", "file", "", "kept"),
    Row("AGENT.md", "agents-md", "agents-md", "file", "", "kept"),
    Row(".agents/skills/x/SKILL.md", "codex-skill", "codex", "name description path", "file", "kept", NAMED),
    Row(".codex/skills/a/b/SKILL.md", "codex-skill", "codex", "name description path", "file", "kept", NAMED),
    Row(".agents/skills/x/references/a.md", "codex-skill-reference", "codex", "", "file", "kept"),
    Row("/root/.codex/prompts/a.md", "codex-prompt", "codex", "", "body", "kept"),
    Row(".codex/agents/a.toml", "codex-agent", "codex", "name description", "developer_instructions", "kept"),
    Row(".github/copilot-instructions.md", "copilot-instructions", "copilot", "file", "", "kept"),
    Row(
        ".github/instructions/py.instructions.md",
        "copilot-scoped-instructions",
        "copilot",
        "description apply_to",
        "file",
        "kept",
    ),
    Row(
        "skills/x/py.instructions.md",
        "copilot-scoped-instructions",
        "copilot",
        "description apply_to",
        "file",
        "kept",
    ),
    Row("a/b.prompt.md", "copilot-prompt", "copilot", "", "body", "kept"),
    Row("agents/a.agent.md", "copilot-agent", "copilot", "description", "body", "kept", NAMED),
    Row("plugins/p/agents/a.agent.md", "copilot-agent", "copilot", "description", "body", "kept", NAMED),
    Row(".github/agents/a.md", "copilot-agent", "copilot", "", "body", "kept", OFF),
    Row("plan.chatmode.md", "copilot-chatmode", "copilot", "description", "body", "kept"),
    Row(".github/skills/x/SKILL.md", "copilot-skill", "copilot", "name description", "body", "kept"),
    Row(
        "rules/a.mdc",
        "cursor-rule",
        "cursor",
        "body",
        "",
        "unknown",
        {"alwaysApply": "true", "globs": "*.ts", "description": "d"},
    ),
    Row(
        ".cursor/rules/a.mdc",
        "cursor-rule",
        "cursor",
        "",
        "body",
        "unknown",
        {"alwaysApply": False, "globs": "*.ts", "description": "d"},
    ),
    Row(
        ".cursor/rules/a.mdc",
        "cursor-rule",
        "cursor",
        "description",
        "body",
        "unknown",
        {"alwaysApply": False, "globs": "", "description": "d"},
    ),
    Row(".cursor/rules/a.mdc", "cursor-rule", "cursor", "", "body", "unknown"),
    Row(".cursor/rules/a.md", "cursor-rule-ignored", "cursor", "", "", "unknown"),
    Row(".cursorrules", "cursor-rules-legacy", "cursor", "file", "", "unknown"),
    Row(".cursor/agents/a.md", "cursor-agent", "cursor", "name description", "body", "unknown"),
    Row(".cursor/commands/a.md", "cursor-command", "cursor", "", "file", "unknown"),
    Row("GEMINI.md", "gemini-memory", "gemini", "file", "", "kept"),
    Row(".gemini/commands/git/commit.toml", "gemini-command", "gemini", "", "prompt", "kept"),
    Row(".gemini/skills/x/SKILL.md", "gemini-skill", "gemini", "name description path", "body", "kept"),
    Row("QWEN.md", "qwen-memory", "qwen", "file", "", "unknown"),
    Row(".qwen/rules/a.md", "qwen-rule", "qwen", "body", "", "stripped"),
    Row(".kiro/steering/a.md", "kiro-steering", "kiro", "body", "", "unknown"),
    Row(
        ".kiro/steering/a.md",
        "kiro-steering",
        "kiro",
        "name description",
        "body",
        "unknown",
        {"inclusion": "auto"},
    ),
    Row(".kiro/steering/a.md", "kiro-steering", "kiro", "", "body", "unknown", {"inclusion": "fileMatch"}),
    Row("powers/x/POWER.md", "kiro-power", "kiro", "", "body", "unknown"),
    Row("powers/x/steering/a.md", "kiro-power-steering", "kiro", "", "body", "unknown"),
    Row(".windsurf/rules/a.md", "windsurf-rule", "windsurf", "body", "", "unknown", {"trigger": "always_on"}),
    Row(".windsurf/rules/a.md", "windsurf-rule", "windsurf", "", "body", "unknown", {"trigger": "glob"}),
    Row(".clinerules/a.md", "cline-rule", "cline", "body", "", "kept"),
    Row(".clinerules/a.md", "cline-rule", "cline", "", "", "kept", {"paths": []}),
    Row(".clinerules/a.md", "cline-rule", "cline", "", "body", "kept", {"paths": ["src/**"]}),
    Row(".clinerules/workflows/a.md", "cline-workflow", "cline", "", "file", "kept"),
    Row(".clinerules/skills/x/a.md", "cline-skill-reference", "cline", "", "file", "kept"),
    Row(".clinerules", "cline-rules-file", "cline", "file", "", "kept"),
    Row(".roo/rules/a/b.txt", "roo-rule", "roo", "file", "", "kept"),
    Row(".roo/rules-code/1.xml", "roo-mode-rule", "roo", "", "file", "kept"),
    Row(".roorules-code", "roo-mode-rule", "roo", "", "file", "kept"),
    Row(".continue/rules/a.md", "continue-rule", "continue", "body", "", "kept"),
    Row(
        ".continue/rules/a.md",
        "continue-rule",
        "continue",
        "description",
        "body",
        "kept",
        {"alwaysApply": False},
    ),
    Row(".continue/rules/a.md", "continue-rule", "continue", "", "body", "kept", {"globs": ["*.ts"]}),
    Row(".opencode/agent/a.md", "opencode-agent", "opencode", "stem description", "body", "kept"),
    Row(".opencode/agents/a.md", "opencode-agent", "opencode", "", "body", "kept", {"mode": "primary"}),
    Row(".opencode/command/a.md", "opencode-command", "opencode", "", "body", "kept"),
    Row(".junie/guidelines.md", "junie-guidelines", "junie", "file", "", "unknown"),
    Row(".factory/droids/a.md", "factory-droid", "factory", "description", "body", "unknown"),
    Row(".agent/skills/x/skill.mdx", "factory-skill", "factory", "name description", "body", "unknown"),
    Row("CRUSH.md", "crush-memory", "crush", "file", "", "kept"),
    Row(".amazonq/rules/a.md", "amazon-q-rule", "amazon-q", "file", "", "unknown"),
    Row(
        ".augment/rules/a.md",
        "augment-rule",
        "augment",
        "description",
        "body",
        "unknown",
        {"type": "agent_requested"},
    ),
    Row(".rules", "zed-rules", "zed", "file", "", "unknown"),
    Row(".agents/checks/a.md", "amp-check", "amp", "", "body", "unknown"),
]

ORDINARY = [
    "",
    "/",
    ".",
    "README.md",
    "docs/index.md",
    "docs/agents.md",
    "docs/rules.md",
    "docs/AGENTS.rst",
    "docs/steering/minutes.md",
    "agents/reviewer.md",
    "commands/ship.md",
    "skills/README.md",
    "claude.md",
    "myCLAUDE.md",
    "CLAUDE.md.bak",
    "CLAUDE.md/",
    "x.claude/agents/a.md",
    ".claude/agents",
    ".claude/agents/a.txt",
    ".claude/settings.json",
    ".claude/skills/flat.md",
    ".github/agents/deep/a.md",
    ".roo/rules",
    "mdc",
    "src/instructions.md",
]


def match(path: str) -> FileKind:
    found = KINDS.match(path)
    assert found is not None, path
    return found


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.path)
def test_what_a_path_is_and_what_its_host_loads(row: Row) -> None:
    found = match(row.path)
    assert found.host is not None
    assert (found.kind.id, found.host.id, found.kind.comments) == (row.kind, row.host, row.comments)
    load = loads(found.kind, row.header, row.nested)
    assert (" ".join(load.session), " ".join(load.invoked)) == (row.session, row.invoked)


@pytest.mark.parametrize("path", ORDINARY)
def test_an_ordinary_file_is_of_no_kind(path: str) -> None:
    assert KINDS.match(path) is None


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (".claude/agents/a.md", "Claude Code subagent"),
        (".claude/skills/x/SKILL.md", "Claude Code skill"),
        (".agents/skills/x/SKILL.md", "Agent Skill"),
        ("SKILL.md", "Agent Skill"),
        ("AGENTS.md", "AGENTS.md instructions"),
    ],
)
def test_kinds_have_names_for_people(path: str, name: str) -> None:
    assert match(path).kind.name == name


@pytest.mark.parametrize(
    ("path", "readers"),
    [
        (".claude/agents/a.md", "claude-code copilot"),
        (".claude/agents/a.agent.md", "claude-code copilot"),
        (".claude/skills/x/SKILL.md", "claude-code amp cline continue copilot crush opencode"),
        (".agents/skills/x/SKILL.md", "codex amp copilot crush cursor gemini opencode roo windsurf"),
        (".claude/rules/a.md", "claude-code copilot"),
        ("skills/x/SKILL.md", "claude-code"),
        (".claude/skills/x/py.instructions.md", "copilot amp claude-code cline continue crush opencode"),
        ("CLAUDE.md", "claude-code amp augment continue copilot crush opencode zed"),
        (
            "AGENTS.md",
            "amp augment cline codex continue copilot crush cursor factory kiro opencode roo windsurf zed",
        ),
        (".cursor/rules/a.md", "cursor crush"),
    ],
)
def test_every_host_that_reads_a_file_is_named_the_primary_one_first(path: str, readers: str) -> None:
    assert " ".join(reader.host.id for reader in match(path).readers) == readers


@pytest.mark.parametrize(
    ("path", "root"),
    [
        ("CLAUDE.md", ""),
        (".claude/CLAUDE.md", ""),
        ("./web/.claude/CLAUDE.md", "web"),
        ("/CLAUDE.md", "/"),
        ("/ws//web/CLAUDE.md", "/ws/web"),
        ("/ws/.claude/agents/deep/a.md", "/ws"),
        (".github/copilot-instructions.md", ""),
    ],
)
def test_the_root_is_the_folder_that_the_file_belongs_to(path: str, root: str) -> None:
    assert match(path).root == root


def test_the_listing_of_a_skill_is_cut_but_not_its_name() -> None:
    cut = loads(match(".claude/skills/x/SKILL.md").kind, NAMED, nested=False).session_cut
    assert cut is not None
    assert (cut.pieces, cut.at) == (("description", "when_to_use"), 1536)


def test_claude_code_strips_block_comments_of_memory_files_only() -> None:
    memory = match("CLAUDE.md")
    assert "Claude Code" in comment_reach(memory).strips
    assert "Claude Code" in comment_reach(memory, block=False).gives
    assert comment_reach(match(".claude/agents/a.md")) == CommentReach(("Claude Code", "GitHub Copilot"), (), ())


def test_hosts_of_which_nobody_says_are_kept_apart() -> None:
    reach = comment_reach(match("AGENTS.md"))
    assert "Codex" in reach.gives
    assert "Cursor" in reach.unknown
    assert not reach.strips
    assert not set(reach.gives) & set(reach.unknown)


def test_a_host_that_does_not_load_the_file_gives_nothing_to_its_model() -> None:
    nested = comment_reach(match("web/CLAUDE.md"), nested=True)
    assert "GitHub Copilot" in comment_reach(match("CLAUDE.md")).gives
    assert "GitHub Copilot" not in nested.gives + nested.strips + nested.unknown
    assert comment_reach(match(".cursor/rules/a.md")) == CommentReach(("Crush",), (), ())


def test_stripped_takes_inline_comments_too() -> None:
    assert comment_reach(match(".qwen/rules/a.md"), block=False).strips == ("Qwen Code",)


def test_a_plain_file_is_read_whole_and_claimed_by_nobody() -> None:
    assert PLAIN.host is None
    assert PLAIN.kind.name == "agent markdown"
    assert loads(PLAIN.kind, None, nested=False).invoked == ("file",)
    assert PLAIN.kind.comments == "kept"
    assert comment_reach(PLAIN) == CommentReach((), (), ())


def test_a_kind_can_be_asked_for_by_name() -> None:
    found = KINDS.named("copilot-prompt")
    assert found is not None
    assert found.host is not None
    assert (found.host.id, len(found.readers)) == ("copilot", 1)
    assert KINDS.named("no-such-kind") is None


def test_the_built_in_files_are_sound() -> None:
    assert KINDS.errors == []
    assert len(KINDS.hosts) == 20


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
def test_every_kind_has_examples_that_it_matches(kind: Kind) -> None:
    assert kind.examples
    for path in kind.examples:
        found = match(path)
        assert found.kind is kind or kind in [reader.kind for reader in found.readers]
    if kind.globs:
        assert any(match(path).kind is kind for path in kind.examples)


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
def test_every_fact_says_who_says_so_and_when(kind: Kind) -> None:
    assert kind.facts
    for fact in kind.facts:
        assert fact.source.strip()
        assert fact.date[:4] in ("2025", "2026")


@given(st.text())
def test_no_string_makes_match_raise(path: str) -> None:
    KINDS.match(path)


segments = st.sampled_from(
    [*"ab", "", ".", "..", "**", ".claude", "skills", "agents", "rules", "SKILL.md", "x.md", ".mdc", "\0"]
)


@given(st.lists(segments, max_size=12).map("/".join))
def test_a_match_is_consistent(path: str) -> None:
    found = KINDS.match(path)
    if found is None:
        return
    assert found.host is not None
    assert found.kind in found.host.kinds
    hosts = [reader.host.id for reader in found.readers]
    assert len(hosts) == len(set(hosts))
    assert found.host.shared or hosts[0] == found.host.id
    assert KINDS.match(path) == found


def naive(segments: list[str], parts: list[str]) -> bool:
    if not segments or not parts:
        return not segments and not parts
    if segments[0] == "**":
        return naive(segments[1:], parts) or naive(segments, parts[1:])
    head, star, tail = segments[0].partition("*")
    fits = (
        len(parts[0]) >= len(head + tail) and parts[0].startswith(head) and parts[0].endswith(tail)
        if star
        else parts[0] == head
    )
    return fits and naive(segments[1:], parts[1:])


names = st.sampled_from(["a", "b", "ab", "aab"])


@given(
    st.lists(st.sampled_from(["**", "*", "a*", "*b", "a*b", "a", "b"]), max_size=5),
    st.sampled_from(["a", "b", "*", "a*"]),
    st.lists(names, min_size=1, max_size=7),
)
def test_globs_match_as_a_slow_model_does(folders: list[str], name: str, parts: list[str]) -> None:
    globs = [*folders, name]
    kind = {
        "id": "k",
        "name": "K",
        "comments": "kept",
        "comments_tier": "A",
        "load": [{}],
        "globs": ["/".join(globs)],
    }
    host = msgspec.convert({"host": "h", "name": "H", "kind": [kind]}, Host)
    assert (Kinds([host]).match("/".join(parts)) is not None) == naive(globs, parts)


def test_kinds_travel_to_worker_processes() -> None:
    assert pickle.loads(pickle.dumps(KINDS)).match("CLAUDE.md") == KINDS.match("CLAUDE.md")  # noqa: S301


GOOD = """
host = "{host}"
name = "A host"
[[kind]]
id = "{host}-rule"
name = "A rule"
globs = ["**/.{host}/*.md"]
comments = "kept"
comments_tier = "A"
[[kind.load]]
session = ["body"]
"""


@pytest.mark.parametrize(
    ("old", "new", "key", "problem"),
    [
        ('host = "bad"', 'host = "other"', "host", "name of the file"),
        ('name = "A host"', 'name = "A host"\ncolour = "red"', "", "colour"),
        ('"body"', '"bodies"', "kind[0].load[0].session[0]", "bodies"),
        ('globs = ["**/.bad/*.md"]', "globs = []", "kind[0].globs", "no globs"),
        ('"**/.bad/*.md"', '"**/{a/*.md"', "kind[0].globs[0]", "braces"),
        ('"**/.bad/*.md"', '"**/{a,{b,c}}/*.md"', "kind[0].globs[0]", "braces"),
        ('"**/.bad/*.md"', f'"**/{"{a,b}" * 9}.md"', "kind[0].globs[0]", "braces"),
        ('"**/.bad/*.md"', '"**/.bad/**"', "kind[0].globs[0]", "ends in"),
        ('"**/.bad/*.md"', '"**/*a*.md"', "kind[0].globs[0]", "two `*`"),
        ('"**/.bad/*.md"', '"/.bad/*.md"', "kind[0].globs[0]", "empty segment"),
        ('"**/.bad/*.md"', '"**/.ace/*.md"', "kind[0].globs", "ace-rule"),
        ('id = "bad-rule"', 'id = "ace-rule"', "kind[0].id", "already used"),
        ('tier = "A"', 'tier = "D"', "kind[0].comments_tier", "D"),
        ('comments = "kept"', 'comments = "eaten"', "kind[0].comments", "eaten"),
        ("[[kind.load]]", '[[kind.load]]\nwhen = { has = ["a"] }', "kind[0].load", "without a condition"),
        ("[[kind.load]]", "[[kind.load]]\n[[kind.load]]", "kind[0].load[0]", "always holds"),
        (
            "[[kind.load]]",
            '[[kind.load]]\nsession_cut = { pieces = ["name"], at = 9 }',
            "kind[0].load[0].session_cut",
            "not in",
        ),
        ('session = ["body"]', "session = [", "", "not valid TOML"),
        (
            'session = ["body"]',
            '[[kind.fact]]\ntext = "t"\ntier = "A"\nsource = ""\ndate = "2026"',
            "kind[0].fact[0].source",
            "length",
        ),
        (
            'session = ["body"]',
            '[[kind.fact]]\ntext = "t"\ntier = "A"\nsource = "s"\ndate = "soon"',
            "kind[0].fact[0].date",
            "regex",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_named_and_the_others_still_load(
    tmp_path: Path, old: str, new: str, key: str, problem: str
) -> None:
    for host in ("ace", "zen"):
        (tmp_path / f"{host}.toml").write_text(GOOD.format(host=host), encoding="utf-8")
    bad = GOOD.format(host="bad")
    assert old in bad
    (tmp_path / "bad.toml").write_text(bad.replace(old, new, 1), encoding="utf-8")
    kinds = load_kinds(tmp_path)
    assert [host.id for host in kinds.hosts] == ["ace", "zen"]
    (error,) = kinds.errors
    assert (error.file.name, error.key) == ("bad.toml", key)
    assert problem in error.problem
    assert kinds.match(".zen/a.md") is not None
    assert kinds.match(".bad/a.md") is None


def test_a_folder_without_hosts_is_an_error(tmp_path: Path) -> None:
    assert len(load_kinds(tmp_path / "none").errors) == 1


def test_fields_and_limits_may_be_told(tmp_path: Path) -> None:
    told = """
[kind.fields.name]
types = ["string"]
required = true
tier = "A"
source = "docs"
date = "2026-08-09"
[[kind.limits]]
of = "name"
most = 64
unit = "code-points"
effect = "rejected"
tier = "A"
source = "docs"
date = "2026-08-09"
"""
    (tmp_path / "ace.toml").write_text(GOOD.format(host="ace") + told, encoding="utf-8")
    kinds = load_kinds(tmp_path)
    assert kinds.errors == []
    (kind,) = kinds.hosts[0].kinds
    assert kind.fields["name"].required
    assert kind.limits[0].most == 64
