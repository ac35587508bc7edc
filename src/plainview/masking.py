"""Secrets in scanned text, and what is shown in their place: no output gives one on.

A secret is known by the form that its issuer gives it, or by what stands before it (`Authorization: Bearer`,
`api_key =`, the user's name in an address). It is looked for in the folded view, so that invisible characters,
entities and emphasis within it hide it no better from here than from a rule.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from plainview import linear, passwords, together
from plainview.finding import Span
from plainview.fold import IGNORABLE, Folded, fold

# What parts two lines of a key: their end, written out or not, and the mark of a comment, a string or a quotation.
_PARTED = r"(?:\s|\\[nr]|[\"'`,#;*>|%!]|(?:\+|//|--|rem|dnl) )"
_KEY = rf"{_PARTED}*([a-z0-9+/=]{{24,}}(?:{_PARTED}+[a-z0-9+/=]{{24,}})*(?:{_PARTED}+[a-z0-9+/=]{{1,23}})?)"
# What issuers write, in the folded view (lower case); the group is the secret.
_ISSUED = (
    r"\b(sk-[a-z0-9_]{20,}|sk-(?:ant|proj|svcacct|admin|or|live|lf)-[a-z0-9_-]{16,})",
    r"\b(gh[oprsu]_[a-z0-9]{16,}|github_pat_[a-z0-9_]{16,})",
    r"\b(gl(?:pat|ptt|dt|rt|rtr|cbt|ft|soat|agent|imt|ffct|oas)-[a-z0-9_.-]{16,})",
    r"\b((?:npm|hf|dckr_pat|dop_v1|doo_v1|gsk|r8|sbp|lin_api|ntn|figd|rpa|pul|fo1|shp(?:at|ca|pa|ss))_[a-z0-9_-]{20,})",
    r"\b(key-[0-9a-f]{32}|nrak-[a-z0-9]{20,}|pmak-[0-9a-f]{20,}|xai-[a-z0-9]{40,}|pplx-[a-z0-9]{40,})",
    r"\b(xox[abceoprs](?:\.[a-z]{3,5})?-[a-z0-9-]{16,}|xapp-[0-9]-[a-z0-9-]{16,})",
    r"\b((?:akia|asia|abia|acca)[a-z2-7]{16})\b",
    r"\b(aiza[a-z0-9_-]{30,}|ya29\.[a-z0-9_-]{20,}|gocspx-[a-z0-9_-]{20,})",
    r"\b((?:sk|rk|pk)_(?:live|test)_[a-z0-9]{16,}|whsec_[a-z0-9+/=]{20,})",
    r"\b(sg\.[a-z0-9_-]{16,}\.[a-z0-9_-]{16,}|dapi[0-9a-f]{32}|hv[brs]\.[a-z0-9_-]{20,}|age-secret-key-1[a-z0-9]{40,})",
    r"\b([0-9]{8,10}:aa[a-z0-9_-]{33})",
    r"\b(eyj[a-z0-9_-]{8,}\.eyj[a-z0-9_-]{8,}\.[a-z0-9_-]{8,})",
    r"\bhooks\.slack\.com/(?:services|workflows|triggers)/([a-z0-9/_-]{20,})",
    r"\bdiscord(?:app)?\.com/api/webhooks/[0-9]{5,}/([a-z0-9_-]{20,})",
    # A key as it stands between its marks, its headers before it: words too short or with signs that a key has not.
    r"-----begin [a-z0-9 ]{0,24}private key(?: block)?-----"
    rf"(?:{_PARTED}*[a-z][a-z-]{{2,24}}: ?[^\s\\]{{1,80}}"
    rf"(?:{_PARTED}+(?:[^\s\\]{{1,23}}|[^\s\\]*[^\s\\a-z0-9+/=][^\s\\]*)){{0,30}}?)*?{_KEY}",
    rf"\bprivate-lines: [0-9]{{1,3}}{_KEY}",
    # The user's name in an address goes to the first colon, the password to the last @ before a slash,
    r"\b[a-z][a-z0-9+.-]{1,14}://[^\s/:@?#<>\"'`]{0,60}:([^\s/@<>\"'`${%][^\s/<>\"'`]{2,})@[a-z0-9\[]",
    # or over a slash that was not written as %2F: no port of a host, and before no name of a package.
    r"\b[a-z][a-z0-9+.-]{1,14}://[^\s/:@?#.<>\"'`]{0,60}:"
    r"([0-9]*[^\s/@?#0-9<>\"'`${%][^\s/@?#<>\"'`]*/[^\s@<>\"'`]*[^\s@/<>\"'`])@(?:[a-z\[]|[0-9]{1,3}(?:\.[0-9]{1,3}){3})",
)
# What is called a secret. A blank, a quotation mark or a bracket ends it.
_LOGIN = (
    r"(?:password|passwd|pwd|passphrase|passcode|_pass|\w_pw|passwort|kennwort|contrase[ñn]a|senha|mot de passe"
    r"|пароль|密码|パスワード)"
)
_NAMED = r"(?:secret|token|(?:api|access|private|account|secret)[ _-]?key|credential)"
# Whose it is may be said before the sign, in the same sentence; a block of YAML begins behind it.
_WHOSE = r"(?: ?\([^()]{1,40}\)| (?:for|of|on|to|at|in)(?: [a-z0-9_@'-]+(?:\.[a-z0-9_@'-]+)*){1,6}?)?"
_SET = rf"[\"'`]?\]?{_WHOSE}(?: ?(?:=>|:=|[:=]{{1,2}}) ?(?:[|>][0-9]?[+-]?\s{{1,12}})?| is )"
_EQUALS = rf"{_SET}[\"'`]?"
_SIGN = r"[^\s\"'`<>()\[\]{},;|\\]"
_VALUE = rf"({_SIGN}{{8,}})"
_SHORT_VALUE = rf"({_SIGN}{{6,}})"
# Between quotation marks there may be blanks.
_QUOTED_VALUES = (
    r'"([^"<>{}]{1,32} [^"<>{}]{1,32})"',
    r"'([^'<>{}]{1,32} [^'<>{}]{1,32})'",
    r"`([^`<>{}]{1,32} [^`<>{}]{1,32})`",
)
_OPTION = r"(?:^|[\s\"'`(])--?(?:[a-z]{1,16}-){0,2}"
# What begins like a secret, or is sent as one.
_BEGINNING = (
    r"\b((?:sk|pypi|xai|tvly|dckr-oat|tskey-[a-z]{2,8})-[a-z0-9_.-]{20,}|(?:glsa|sntrys|ops|fw|pcsk)_[a-z0-9_.-]{20,})",
    r"\b(?:bearer|basic) ([a-z0-9._~+/=-]{16,})",
    r"\bauthorization[\"'`]? ?[:=] ?[\"'`]?(?:[a-z0-9-]{1,16} )?(?:token=)?[\"'`]?([a-z0-9._~+/=:-]{16,})",
)
# What is sent in an address or a cookie, where names stand as well.
_SENT = (
    r"\b[a-z][a-z0-9+.-]{1,14}://([a-z0-9_.~%+-]{16,})(?::[^\s/@<>\"'`]{0,60})?@[a-z0-9\[]",
    r"[?&](?:sig|signature|x-(?:amz|goog|oss)-(?:signature|credential|security-token)|code|key|auth|jwt|ticket)="
    r"([a-z0-9%._~+/=-]{16,})",
    rf"\bcookie[\"'`]? ?[:=] ?[\"'`]?[a-z0-9_.-]{{1,64}}=({_SIGN}{{10,}})",
    rf"(?:^|[\s;?&\"'`])[a-z_.-]{{0,24}}(?:sess(?:ion)?(?:[_-]?id)?|sid|auth|jwt|csrf)=({_SIGN}{{10,}})",
)
# What is called a password, by a word before it, in the cell before it or by an option.
_CALLED_PASSWORDS = (
    *(rf"{_LOGIN}{_SET}{value}" for value in _QUOTED_VALUES),
    rf"(?:{_LOGIN}{_EQUALS}|\bpass ?= ?[\"'`]?|\bpass:){_SHORT_VALUE}",
    rf"{_LOGIN} ?\| ?{_VALUE} ?\|",
    rf"<[^\s<>]{{0,24}}{_LOGIN}[^<>]{{0,40}}>\s{{0,12}}{_SHORT_VALUE}\s{{0,12}}</",
    rf"{_OPTION}(?:{_LOGIN}|pass) [\"'`]?{_SHORT_VALUE}",
    rf"\blogin\s{{1,12}}[^\s]{{1,64}}\s{{1,12}}password\s{{1,12}}[\"'`]?{_SHORT_VALUE}",
    rf"\bsshpass -p ?[\"'`]?{_SHORT_VALUE}",
    rf"\b(?:mysql[a-z]{{0,8}}|mariadb[a-z-]{{0,12}}|7za?|rar|unrar)"
    rf"(?: [^\s|;&]{{1,64}}){{0,8}}? -p[\"'`]?{_SHORT_VALUE}",
)
# An account may be one of numbers.
_CALLED_ACCOUNTS = (rf" (?:-u|--user)[ =]?[\"'`]?[a-z0-9_.@+-]{{1,40}}:{_SHORT_VALUE}",)
_CALLED_SECRETS = (
    *(rf"{_NAMED}{_SET}{value}" for value in _QUOTED_VALUES),
    rf"{_NAMED}{_EQUALS}{_VALUE}",
    rf"{_NAMED} ?\| ?{_VALUE} ?\|",
    rf"<[^\s<>]{{0,24}}{_NAMED}[^<>]{{0,40}}>\s{{0,12}}{_VALUE}\s{{0,12}}</",
    rf"{_OPTION}{_NAMED} [\"'`]?{_VALUE}",
)
# What only follows the word, as any word of a sentence does.
_FOLLOWING = (rf"{_LOGIN} [\"'`]?{_VALUE}", rf"{_NAMED} [\"'`]{_VALUE}[\"'`]")
_KINDS = (_BEGINNING, _SENT, _CALLED_PASSWORDS, _CALLED_ACCOUNTS, _CALLED_SECRETS, _FOLLOWING)
# How those begin that are known by it, however short the line breaks them off.
_BEGUN_HEAD = (
    r"\b(?:sk-(?:ant|proj|svcacct|admin|or)-|gh[oprsu]_|github_pat_|glpat-|npm_|hf_|xox[abp]-|(?:sk|rk)_(?:live|test)_|aiza"
    r"|akia|sg\.|eyj)"
)
_BEGUN = rf"{_BEGUN_HEAD}[a-z0-9_.-]{{2,}}"
# All of these in as few looks as the states of an automaton allow.
_LOOKS = (
    (*_ISSUED, *_BEGINNING, _BEGUN),
    (*_SENT, *_CALLED_ACCOUNTS),
    (*_CALLED_PASSWORDS, *_CALLED_SECRETS, *_FOLLOWING),
)
_MEMORY = 16 << 20
_HEADLESS = re.compile(rf"{_BEGUN_HEAD}([a-z_-]{{4,}})", re.ASCII)
# The end of a line, as a view or a program writes it, between two pieces of a secret; the group is the second.
_GOES_ON = re.compile(r"[\"'`]?(?:[ \n]|\\n|\\){1,3} {0,8}[+>|]? ?[\"'`]?([a-z0-9_.+/=-]{8,})")
_QUOTES = "\"'`"
_LINE_END = re.compile(r"[\r\n]|\\[nr]")
_BEHIND = " \n\"'`,;)}|.:!?<"
# Marks at the end of a value that rather end its sentence.
_ENDS = ".:?"
# Fewer characters are no secret, and fewer letters without a digit.
_LEAST = 6
_LETTERS = 8
# A value of more bytes than this is read once.
_READ_AGAIN = 64
# From this length on the first characters say whose it is and give nothing away.
_LONG = 16
_HEAD = 4


def find(folded: Folded, source: str) -> list[Span]:
    """The secrets in a text, `source`, as spans of it (code points), in order of place; `folded` is its view.

    The view has blanks for most line ends, so whether a secret goes on in a second line is read off the source.
    """

    def breaks(gap: Span) -> bool:
        return _LINE_END.search(source, *gap) is not None

    return [folded.span(*place) for place in _places(folded.text, lambda start, end: breaks(folded.span(start, end)))]


def may_hold(texts: Sequence[bytes]) -> list[bool]:
    """For each text of a folded view (UTF-8), whether there may be a secret in it."""
    looks = [together.touched(together.either(several, _MEMORY), texts) for several in _LOOKS]
    return [any(of_text) for of_text in zip(*looks, strict=True)]


def places(text: str) -> tuple[Span, ...]:
    """Where the secrets in the text of a folded view begin and end in it, in order of place.

    Without its source each blank in it may be the end of a line.
    """
    return _places(text, lambda _start, _end: True)


@lru_cache(maxsize=16)
def mask(text: str) -> str:
    """A text, scanned or decoded, with what is shown in place of each secret in it."""
    return cut(text, find(fold(text, Span(0, len(text))), text), 0, len(text))


def cut(text: str, secrets: Sequence[Span], start: int, end: int, *, goes_on: bool = False) -> str:
    """The slice of `text` from `start` to before `end`, masked.

    `secrets` are `merged`. One that the slice holds a part of is shown as a whole, so that no slice gives a part
    away; but with `goes_on`, for slices that follow each other, nothing is shown again of one that began before.
    """
    index = bisect_right(secrets, start, key=lambda secret: secret.end)
    pieces = []
    position = start
    while index < len(secrets) and secrets[index].start < end:
        secret = secrets[index]
        pieces.append(text[position : secret.start])
        if secret.start >= start or not goes_on:
            pieces.append(label(text[secret.start : secret.end]))
        position = min(secret.end, end)
        index += 1
    pieces.append(text[position:end])
    return "".join(pieces)


def is_one(span: Span, secrets: Sequence[Span]) -> bool:
    """Whether the span is one of the secrets, which are `merged`."""
    index = bisect_left(secrets, span)
    return index < len(secrets) and secrets[index] == span


def label(secret: str) -> str:
    """What is shown for a secret: its first characters if it is long, and its length."""
    plain = IGNORABLE.sub("", html.unescape(secret)).strip()
    head = f" {plain[:_HEAD]}…" if len(plain) >= _LONG else ","
    return f"[secret{head} {len(plain):,} characters]"


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans in order, those that overlap as one."""
    result: list[Span] = []
    for span in sorted(spans):
        if result and span.start < result[-1].end:
            result[-1] = Span(result[-1].start, max(result[-1].end, span.end))
        else:
            result.append(span)
    return tuple(result)


def _places(text: str, breaks: Callable[[int, int], bool]) -> tuple[Span, ...]:
    """The secrets of the text; `breaks` says of a range of it whether a line ends there."""
    return merged((*_whole(text), *_broken(text, breaks)))


def _whole(text: str) -> Iterator[Span]:
    """What is a secret as it stands.

    Each kind is looked for by itself, lest a name that begins like one hide its own value, and since all of them
    together have more states than RE2 keeps.
    """
    # RE2 reads UTF-8, in which half a surrogate pair is nothing.
    data = text.encode("utf-8", "replace")
    for kind in (_ISSUED, *_KINDS):
        pattern = _compiled(kind)
        bytes_read = read = at = 0
        while (match := pattern.search(data, at)) is not None:
            first, last = match.span(match.lastindex or 0)
            read += len(data[bytes_read:first].decode())
            bytes_read = first
            # A value that is none may call another; a long one is not read again, for time to stay linear.
            at = first if match.start() < first and last - first <= _READ_AGAIN else last
            value = data[first:last].decode()
            if kind is not _ISSUED:
                value = _called_value(kind, value, text, read)
            if value and not passwords.is_sample(value):
                at = first + len(value.encode())
                yield Span(read, read + len(value))


def _called_value(kind: tuple[str, ...], value: str, text: str, start: int) -> str:
    """What of the value at `start`, which a pattern of that kind calls a secret, is one; or nothing.

    Of a sentence between quotation marks its first word may be the secret.
    """
    if " " in value:
        if passwords.is_spaced(value, login=kind is _CALLED_PASSWORDS):
            return value
        value = value.split(" ", 1)[0]
    value = value.rstrip(_ENDS)
    return value if _is_called(kind, value, text, start) else ""


def _is_called(kind: tuple[str, ...], value: str, text: str, start: int) -> bool:
    """Whether the value at `start` that a pattern of that kind calls a secret is one."""
    end = start + len(value)
    behind = text[end : end + 1]
    if len(value) < _LEAST:
        return False
    mixed = passwords.is_mixed(value) and behind != "("
    if kind is _BEGINNING:
        return mixed
    login = kind is _CALLED_PASSWORDS or kind is _CALLED_ACCOUNTS
    if mixed and not passwords.is_name(value, login=login):
        return kind is not _FOLLOWING or passwords.is_random(value)
    if kind is _SENT or kind is _FOLLOWING:
        return False
    if value.isdecimal() and kind is not _CALLED_ACCOUNTS:
        return len(value) >= (_LEAST if login else _LONG)
    # Letters are more than a word of the sentence only if they stand by themselves.
    if (behind and behind not in _BEHIND) or text.startswith("..", end) or text.startswith(" is ", max(start - 4, 0)):
        return False
    return len(value) >= _LETTERS and (
        passwords.is_password(value, login=login) or (login and passwords.is_phrase(value))
    )


def _broken(text: str, breaks: Callable[[int, int], bool]) -> Iterator[Span]:
    """What begins like a secret and goes on in the next line."""
    reached = 0
    for begun in _begun().finditer(text):
        if begun.start() < reached or passwords.is_sample(begun[0]):
            continue
        # Its first digit may come in the next line: then what stands before the end of this one is no words.
        letters = _HEADLESS.fullmatch(begun[0])
        if not passwords.is_mixed(begun[0]) and (letters is None or passwords.is_worded(letters[1])):
            continue
        end = begun.end()
        while (more := _next_piece(text, end, breaks)) is not None:
            end = reached = more
        if end > begun.end():
            yield Span(begun.start(), end)


def _next_piece(text: str, end: int, breaks: Callable[[int, int], bool]) -> int | None:
    """Where the piece ends that goes on with a secret behind the end of its line at `end`; None if nothing does."""
    more = _GOES_ON.match(text, end)
    if more is None or not passwords.is_mixed(more[1].rstrip(".")):
        return None
    gap = text[end : more.start(1)]
    joined = gap[0] in _QUOTES and gap[-1] in _QUOTES
    return more.end() if joined or _LINE_END.search(gap) or breaks(end, more.start(1)) else None


@lru_cache(maxsize=1)
def _begun() -> re.Pattern[str]:
    return re.compile(_BEGUN, re.ASCII)


@lru_cache
def _compiled(patterns: tuple[str, ...]) -> Any:
    return linear.pattern("|".join(patterns), groups=True)
