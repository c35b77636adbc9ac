"""Keys of servers: where one comes from, and how it stays out of every message."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from typing import Final

from klopt.errors import CredentialsError

HIDDEN: Final = "***"
PART_CHARS: Final = 8
"""A run of this many characters of a key gives it away in part, and is hidden as well."""

SECRET_CHARS: Final = 16
"""A shorter key is a stand-in for a server that asks for none: ``ollama``, ``EMPTY``."""

EXCERPT_CHARS: Final = 300
"""How much of what a server says is told."""

_MASKED_BY_THE_SERVER: Final = re.compile(r"[\w-]*\*{2,}[\w*-]*")
_KEY: Final = re.compile(r"[!-~]+")


def key_from(environment: Mapping[str, str], variable: str, server: str) -> str:
    """The key in a variable of an environment; the server is named in messages.

    Raises:
        CredentialsError: The variable is not set or empty, or what it holds cannot be a key.
    """
    if not environment.get(variable, "").strip():
        met = "empty" if variable in environment else "not set"
        raise CredentialsError(f"{variable} is {met}; put the key of {server} in it")
    return checked_key(environment[variable], variable)


def checked_key(key: str, name: str) -> str:
    """The key without the white space around it; ``name`` is that of its variable or parameter.

    Raises:
        CredentialsError: It is empty or holds what no key holds and no HTTP header may hold.
    """
    key = key.strip()
    if not _KEY.fullmatch(key):
        raise CredentialsError(
            f"{name} does not hold a key: a key is one word of ASCII letters, digits and "
            "punctuation, without spaces or line breaks"
        )
    return key


def without_key(text: str, key: str | None) -> str:
    """A text of a server with the key, and any recognisable part of it, hidden.

    Servers quote a key that they refuse, often partly masked: words with two asterisks go too.

    >>> without_key("Incorrect key sk-ab***********wxyz, or abcdefghij.", "sk-abcdefghijklmn")
    'Incorrect key ***, or ***.'
    """
    if key is None:
        return text
    size = min(PART_CHARS, len(key))
    parts = {re.escape(key[start : start + size]) for start in range(len(key) - size + 1)}
    hidden = {
        place
        for part in re.finditer(f"(?={'|'.join(sorted(parts))})", text)
        for place in range(part.start(), part.start() + size)
    }
    runs = itertools.groupby(range(len(text)), hidden.__contains__)
    shown = (HIDDEN if hide else "".join(text[place] for place in run) for hide, run in runs)
    return _MASKED_BY_THE_SERVER.sub(HIDDEN, "".join(shown))


def excerpt(text: str, key: str | None) -> str:
    r"""The beginning of what a server says: on one line, without the key.

    >>> excerpt("  bad\n request\x1b[2J ", None)
    'bad request [2J'
    """
    text = "".join(char if char.isprintable() else " " for char in text)
    text = " ".join(without_key(text, key).split())
    return text if len(text) <= EXCERPT_CHARS else f"{text[:EXCERPT_CHARS]}…"


def without_whole_key(text: str, key: str | None) -> str:
    """A reply with the key hidden; parts of it, and stand-ins such as ``ollama``, are words here.

    >>> without_whole_key("Start ollama.", "ollama")
    'Start ollama.'
    """
    return text if key is None or len(key) < SECRET_CHARS else text.replace(key, HIDDEN)
