"""Secrets are masked in every output, wherever they stand and however they are spelled."""

import argparse
import html
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from plainview import cli, masking
from plainview.finding import Span
from plainview.fold import fold
from plainview.output import reveal
from plainview.scan import Engine, Report, scan
from plainview.settings import Settings
from plainview.text import Source

sys.path.insert(0, str(Path(__file__).parents[1]))
import secret_places

ENGINE = Engine.load(Settings())
KINDS = secret_places.kinds()
# What stands for an invisible character in text, in JSON, and the blanks and marks of a wrapped line.
_WRITTEN_OUT = re.compile(r"\\u\{?(?:200b|2060|e00[0-9a-f]{2})\}?|\\ud[0-9a-f]{3}|[\u200b\u2060]", re.IGNORECASE)


def commands() -> Iterator[tuple[str, ...]]:
    """Every way of printing about files that the command line has, with each of its formats."""
    (subparsers,) = (one for one in cli._parser()._actions if isinstance(one, argparse._SubParsersAction))
    for name in ("check", "cost"):
        (formats,) = (one.choices for one in subparsers.choices[name]._actions if one.dest == "format")
        for form in formats or ():
            yield name, "--format", form, *(("--all",) if name == "check" else ())


def test_the_formats_are_found() -> None:
    found = set(commands())
    assert {("check", "--format", "text", "--all"), ("check", "--format", "json", "--all")} <= found
    assert {("cost", "--format", "text"), ("cost", "--format", "json")} <= found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an agent file for each kind of secret, which stands in every place of it and in its name."""
    root = tmp_path_factory.mktemp("secrets")
    for name, (before, secret) in KINDS.items():
        text = secret_places.written(name, before, secret)
        file = root / ".claude" / "agents" / (f"{secret}.md" if not before else f"{name}.md")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(secret_places.file_of(text, secret), "utf-8")
    return root


def leaks(output: str, secrets: dict[str, str]) -> list[tuple[str, str]]:
    """Where a secret is given away, or so much of one that the rest can be guessed, with the text around it.

    Those who read may put together what is written out.
    """
    found = []
    for shown in (output, html.unescape(_WRITTEN_OUT.sub("", output))):
        for name, secret in secrets.items():
            for part in (secret[:-4], secret[5:]):
                at = shown.find(part)
                if at >= 0:
                    found.append((name, shown[max(at - 60, 0) : at + len(part) + 20]))
    return found


@pytest.mark.parametrize("command", list(commands()), ids=" ".join)
def test_no_output_holds_a_secret(command: tuple[str, ...], folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    cli.main([*command, str(folder)])
    shown = capfd.readouterr()
    assert "[secret" in shown.out
    assert leaks(shown.out + shown.err, {name: secret for name, (_, secret) in KINDS.items()}) == []


@pytest.mark.parametrize("kind", KINDS)
def test_reveal_masks_too(kind: str) -> None:
    before, secret = KINDS[kind]
    text = secret_places.file_of(secret_places.written(kind, before, secret), secret)
    lines = reveal.render(reported(text, "/x/.claude/agents/one.md"))
    shown = "\n".join("".join(piece for _, piece in line) for line in lines)
    assert shown.count("[secret") > 20
    assert leaks(shown, {kind: secret}) == []


def reported(text: str, path: str = "/x/CLAUDE.md") -> Report:
    return scan(Source(text), ENGINE, path=path, root="/x")


@pytest.mark.parametrize("kind", KINDS)
def test_a_long_secret_shows_its_first_characters_and_its_length(kind: str) -> None:
    before, secret = KINDS[kind]
    text = secret_places.written(kind, before, secret)
    head = f" {secret[:4]}…" if len(secret) >= 16 else ","
    masked = f"[secret{head} {len(secret):,} characters]"
    assert masking.mask(f"Take {text} along.") == f"Take {text.replace(secret, masked)} along."
    assert masking.mask(masking.mask(text)) == masking.mask(text)


def test_a_private_key_is_masked_to_its_last_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    key = secret_places.private_key()
    marks = ("-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----")
    escaped = key.replace("\n", "\\n")
    file = tmp_path / "AGENTS.md"
    file.write_text(
        f"# Keys\n\n```\n{marks[0]}\n{key}\n{marks[1]}\n```\n\n> {marks[0]}\n> "
        + key.replace("\n", "\n> ")
        + f"\n> {marks[1]}\n\n<!-- you must use\n{marks[0]}\n{key}\n{marks[1]} -->\n\n"
        + f'`"key": "{marks[0]}\\n{escaped}\\n{marks[1]}"`\n'
    )
    lines = key.split("\n")
    for command in (*commands(), ("reveal",)):
        cli.main([*command, str(file)])
        shown = capfd.readouterr()
        for line in lines:
            assert line[5:] not in shown.out + shown.err


@pytest.mark.parametrize(
    "text",
    [
        "Set OPENAI_API_KEY to your key, which begins with sk-.",
        "The token is read from process.env.GITHUB_TOKEN.",
        "password: ${DB_PASSWORD}",
        "Connect to https://example.org:8443/a?b=c@d.",
        "api_key = your_key_goes_here",
        "Use the skill sk-learn-helpers-for-everyone and the key-results-of-the-quarter page.",
        "commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        "The basic authentication-and-authorisation flow.",
        "max_tokens: 4096, tokenizer: o200k_base",
    ],
)
def test_what_is_no_secret_is_shown(text: str) -> None:
    assert masking.mask(text) == text


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("password: hunterhunter", "hunterhunter"),
        ('"password": "swordfishx",', "swordfishx"),
        ("PASSWORD=correcthorsebatterystaple", "correcthorsebatterystaple"),
        ("password: Pass!word&x", "Pass!word&x"),
        ("Take ghp_0123456789ab\ncdefghij4567 along.", "ghp_0123456789ab\ncdefghij4567"),
        ("Take ghp_01\n> 23456789ab along.", "ghp_01\n> 23456789ab"),
        ('token = "ghp_0123456" \\\n  "789abcdefghij"', 'ghp_0123456" \\\n  "789abcdefghij'),
        ("```\nsk-ant-api03-ab12\ncd34ef56gh78\n```", "sk-ant-api03-ab12\ncd34ef56gh78"),
        ("HF_TOKEN=abcd1234efgh5678", "abcd1234efgh5678"),
        ("NPM_TOKEN=2f1b9c3e-1234-4cde-9f00-abcdefabcdef", "2f1b9c3e-1234-4cde-9f00-abcdefabcdef"),
        ("npm_config_password: s3cretpass99", "s3cretpass99"),
        ("GLPAT-token: abcd1234efgh", "abcd1234efgh"),
        ("akia_secret=abcd1234efgh", "abcd1234efgh"),
        ("Join 'ghp_0123456' '789abcdefghij' now.", "ghp_0123456' '789abcdefghij"),
        ("password: correct-horse-battery-staple", "correct-horse-battery-staple"),
        ("password: contraseña1", "contraseña1"),
        ("contraseña: lunes4you", "lunes4you"),
        ("DB_PASS=hunterhunt7", "hunterhunt7"),
        ("password: p4$$w0rd", "p4$$w0rd"),
        ("password: hunterhunter.", "hunterhunter"),
        ("token: password: s3cretpass99", "s3cretpass99"),
        ("Authorization: Token 9944b09199c62bcf9418ad84", "9944b09199c62bcf9418ad84"),
        ("| **Password** | hunter2hunter |", "hunter2hunter"),
        ("| API key | `abcd1234efgh5678` |", "abcd1234efgh5678"),
        ("Call `tool --password Zx81kqpw99` once.", "Zx81kqpw99"),
        ("curl -u maria:Zx81kqpw99 https://a.example", "Zx81kqpw99"),
        ("Take sk-ant-api03-examplek3y9x8w7v6u5t4s3r2q1 along.", "sk-ant-api03-examplek3y9x8w7v6u5t4s3r2q1"),
        (
            "Take \uff47\uff48\uff50_0123456789abcdefghij along.",
            "\uff47\uff48\uff50_0123456789abcdefghij",
        ),
        ("Take ghp_0123456789\nabcdefgh12\nijklmn3456 along.", "ghp_0123456789\nabcdefgh12\nijklmn3456"),
        ("\uff53\uff4b-ant-api03-abcdef0123456789abcd", "\uff53\uff4b-ant-api03-abcdef0123456789abcd"),
        ("\u0440assword: hunter2hunter", "hunter2hunter"),
        ('db_password: "Rk41 vTmB 90zz"', "Rk41 vTmB 90zz"),
        ("password = 'violet tractor lantern pebble'", "violet tractor lantern pebble"),
        ('api_key = "Rk41 vTmB 90zz"', "Rk41 vTmB 90zz"),
        ('password: "Rk41vTmB90 as of today"', "Rk41vTmB90"),
        ("password for root: Rk41vTmB90", "Rk41vTmB90"),
        ("The password of the main account is Rk41vTmB90.", "Rk41vTmB90"),
        ("Password (admin): Rk41vTmB90", "Rk41vTmB90"),
        ("Password for maria@db.example.org: Rk41vTmB90", "Rk41vTmB90"),
        ("API key (staging): Rk41vTmB90", "Rk41vTmB90"),
        ("user admin, password Rk41vTmB90", "Rk41vTmB90"),
        ("<password>Rk41vTmB90</password>", "Rk41vTmB90"),
        ("<password>hunterhunter</password>", "hunterhunter"),
        ("<apiKey>Rk41vTmB90</apiKey>", "Rk41vTmB90"),
        ("```\nmachine db\n  login maria\n  password hunterhunter\n```", "hunterhunter"),
        ("password: >-\n  Rk41vTmB90", "Rk41vTmB90"),
        ("password: |\n  Rk41vTmB90", "Rk41vTmB90"),
        ('token "fedcba9876543210"', "fedcba9876543210"),
        ("curl -umaria:Rk41vTmB90 https://a.example", "Rk41vTmB90"),
        ("mysql -pRk41vTmB90", "Rk41vTmB90"),
        ("mysqldump -u root -h db -pRk41vTmB90 app", "Rk41vTmB90"),
        ("git clone https://fedcba98765432100123@a.example/x", "fedcba98765432100123"),
        ("git clone https://fedcba98765432100123:x-oauth-basic@a.example/x", "fedcba98765432100123"),
        ("postgres://maria:r4ss/word@db/app", "r4ss/word"),
        ("postgres://maria:r4ss@word@db/app", "r4ss@word"),
        ("https://a.example/b?sv=2&sig=rB3%2Fd9kLmQ77xYz&x=1", "rB3%2Fd9kLmQ77xYz"),
        ("https://a.example/b?X-Amz-Signature=0f9a8b7c6d5e4f3a2b1c", "0f9a8b7c6d5e4f3a2b1c"),
        ("Cookie: session=c9f8e7d6c5b4a3f2", "c9f8e7d6c5b4a3f2"),
        ("Set-Cookie: any.name=c9f8e7d6c5b4a3f2; Path=/", "c9f8e7d6c5b4a3f2"),
        ("Cookie: theme=dark; sid=c9f8e7d6c5b4a3f2", "c9f8e7d6c5b4a3f2"),
        ("password: example-9Rh4kT3x", "example-9Rh4kT3x"),
        ("token: exampleabc246def468", "exampleabc246def468"),
        ("passcode: 582604", "582604"),
        ("secret: 98765432109876543210", "98765432109876543210"),
        ("Take sk-proj-qzvxkw\nghijk0123456789xyz9 along.", "sk-proj-qzvxkw\nghijk0123456789xyz9"),
        ("Take ghp_qzvxkw\nghijk0123456789xyz9 along.", "ghp_qzvxkw\nghijk0123456789xyz9"),
    ],
)
def test_a_password_of_letters_and_a_secret_over_two_lines_are_masked(text: str, secret: str) -> None:
    assert masking.mask(text) == text.replace(secret, masking.label(secret))


@pytest.mark.parametrize(
    "text",
    [
        "password: required",
        "The password is mandatory.",
        "password: unencrypted at rest",
        "token: GITHUB_TOKEN",
        "api_key = getpass.getpass()",
        "secret: passphrase",
        "ghp_short is no token, and npm_config is none.",
        "Call hf_hub_download python3.11-slim first.",
        "Call hf_hub_download\npython3.11-slim first.",
        "Call hf_model2 python3.11-slim first.",
        "`hf_model2` python3.11-slim",
        "password: misconfigured",
        "token: comprehension",
        "access key: section-4",
        "password: step-1-of-3",
        "password: must-not-be-empty",
        "secret: kubernetes-secret-store-name",
        "token: sha256-rsa",
        "password = get_password2()",
        "token=$GITHUB_TOKEN&repo=one",
        "Authorization: Token required",
        "| Password | required |",
        "| Token | Meaning |",
        "Call `tool --password PASSWORD` once.",
        "Give a client-secret GATEWAY_TOKEN_1 for it.",
        "The first pass: collect everything",
        "AKIAIOSFODNN7EXAMPLE",
        "AKIAI44QH8DHBEXAMPLE",
        "token: PascalCaseIdentifier",
        "token: claude-3-opus",
        "token: gpt2-tokenizer",
        'Figma token: "Desktop/Title/H1"',
        "access key: Ctrl+Shift+P",
        "access key: Alt+1",
        "password: min8chars",
        "token: max_tokens=4096",
        'The password is "required by the server".',
        'password: "not a real password"',
        "password: 'at least 12 characters with 1 digit'",
        'password: "Minimum eight characters required"',
        'secret = "The 3 keys are read from env"',
        'token "PascalCaseIdentifier"',
        "password for root: required",
        "Store the password for root there. Release: vq41tmbx",
        "Password (optional): string",
        "<password>required</password>",
        "The password has 12 characters.",
        "access token: 100000",
        "token: 1234567890123",
        "http://localhost:8080/a/b@c",
        "http://localhost:PORT/node_modules/@vite/client",
        "git+https://github.com:one/two@1.2.0",
        "https://maria@github.com/x",
        "Cookie: session=abc",
        "docker run -u 1000:100000 -p8080:80 image",
        "Take sk-or-anything\nghijk0123456789 along.",
    ],
)
def test_words_that_only_stand_where_a_secret_would_are_shown(text: str) -> None:
    assert masking.mask(text) == text


def test_a_long_name_that_begins_like_a_secret_does_not_hide_its_value() -> None:
    assert "s3cretpass99" not in masking.mask("npm_config_registry_of_ours_token: s3cretpass99")


def test_a_text_that_holds_a_secret_may_hold_one() -> None:
    written = [secret_places.written(kind, *made) for kind, made in KINDS.items()]
    texts = ["HF_TOKEN=abcd1234efgh5678", "Take ghp_01\n23456789ab along.", *written]
    folded = [fold(text, Span(0, len(text))).text for text in texts]
    assert masking.may_hold([one.encode() for one in folded]) == [True] * len(texts)


def test_a_private_key_with_headers_is_masked_and_they_are_not() -> None:
    key = secret_places.private_key()
    text = f"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,01AB\n\n{key}\n-----END"
    shown = masking.mask(text)
    assert "DEK-Info: AES-128-CBC,01AB" in shown
    assert all(line not in shown for line in key.split("\n"))


def test_a_private_key_with_a_comment_in_its_headers_is_masked_and_that_is_not() -> None:
    key = secret_places.private_key()
    comment = "Comment: made by hand for the release job on host 7: see https://a.example/keys-of-the-release-job"
    shown = masking.mask(f"-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n{comment}\n\n{key}\n=ab12\n-----END")
    assert comment in shown
    assert all(line not in shown for line in key.split("\n"))


@pytest.mark.parametrize("mark", ["# ", "#", "// ", " * ", "-- ", "; ", "| ", "REM ", "> # "])
def test_a_private_key_in_comments_is_masked(mark: str) -> None:
    key = secret_places.private_key()
    lines = ["-----BEGIN RSA PRIVATE KEY-----", *key.split("\n"), "-----END RSA PRIVATE KEY-----"]
    for text in (
        "\n".join(mark + line for line in lines),
        "```\n" + "\n".join(mark + line for line in lines) + "\n```",
    ):
        assert all(line[5:] not in masking.mask(text) for line in lines[1:-1])
        # Outside a code block each line behind "# " is a heading, which is scanned by itself.
        if mark == "# " and not text.startswith("```"):
            continue
        secrets = reported(text).secrets
        shown = masking.cut(text, secrets, 0, len(text))
        assert all(line[5:] not in shown for line in lines[1:-1])


@pytest.mark.parametrize(
    "text",
    [
        "Use <password>Rk41vTmB90</password> here.",
        "```\n<password>\n  Rk41vTmB90\n</password>\n```",
        "```\nlogin:\n  password: >-\n    Rk41vTmB90\n```",
        "```\nmachine db\n  login maria\n  password Rk41vTmB90\n```",
        "```\npassword (admin): 'Rk41 vTmB9 0zz'\n```",
        "password: >-\n  Rk41vTmB90",
    ],
)
def test_a_value_in_an_element_or_a_block_is_masked_in_a_file(text: str) -> None:
    assert "k41vTmB9" not in masking.cut(text, reported(text).secrets, 0, len(text))


def test_values_that_are_none_are_not_read_over_and_over() -> None:
    for text in (
        "token=" * 50_000,
        "password:" * 50_000,
        "sk-ant-api03-ab12\n" * 20_000,
        'password: "a ' * 30_000,
        "token: " + "a" * 400_000,
    ):
        masking.mask(text)


def test_what_a_rule_says_is_a_secret_is_masked(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rule = tmp_path / "rules" / "house-key.toml"
    rule.parent.mkdir()
    rule.write_text(
        'id = "house-key"\ntitle = "A key of the house"\ncategory = "data-exfiltration"\nseverity = "high"\n'
        'message = "Holds a key of the house."\nwhy = "It opens doors."\nfix = "Change the lock."\n'
        'taxonomy = ["CWE-798"]\n'
        "masks = true\nsoften = []\n[atoms]\nkey = ['\\bhouse-[a-z]{8}\\b']\n[[match]]\nsequence = [\"key\"]\n"
        '[examples]\nflag = ["house-abcdefgh"]\npass = ["house"]\n'
    )
    file = tmp_path / "AGENTS.md"
    file.write_text("# A\n\nTake house-qwertzui along.\n\n<!-- you must take house-yxcvbnma along -->\n")
    cli.main(["check", "--rules", str(rule.parent), "--format", "json", str(file)])
    shown = capfd.readouterr().out
    assert json.loads(shown)["files"][0]["findings"][0]["excerpt"] == "[secret, 14 characters]"
    assert "qwertzui" not in shown
    assert "yxcvbnma" not in shown


def test_a_slice_shows_no_part_of_a_secret() -> None:
    _, secret = KINDS["github"]
    text = f"ab {secret} cd {secret}"
    secrets = reported(text).secrets
    assert [text[span.start : span.end] for span in secrets] == [secret, secret]
    label = masking.label(secret)
    for start in range(len(text)):
        for end in range(start, len(text) + 1):
            shown = masking.cut(text, secrets, start, end).replace(label, "")
            assert not set(shown) - set("ab cd")
            parts = [masking.cut(text, secrets, 0, start), masking.cut(text, secrets, start, end, goes_on=start > 0)]
            assert "".join(parts) == masking.cut(text, secrets, 0, end)
