"""What a text can only have copied: phone numbers, e-mail addresses and codes.

A price may be reckoned and a name put otherwise; "088-5550123" and "E-404" stand on a page, or the
bot made them up. In doubt something is none: hours, dates, amounts and units are left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import regex

from klopt.reading.text import Span

__all__ = ["identifiers", "keys_of"]

FEWEST_DIGITS: Final = 9
"""Of a phone number."""
COMPARED_DIGITS: Final = 8
"""The last ones, so that +31 88 and 088 are one number."""

_HYPHEN: Final = r"[-\u2010-\u2013]"
_IDENTIFIER: Final = regex.compile(
    rf"""(?<![\w.,/+-])(?:
        (?P<address>[\w.+-]{{1,64}}@[\w-]{{1,64}}(?:\.[\w-]{{1,64}}){{0,4}}\.[A-Za-z]{{2,24}})
      | (?P<code>[A-Z]{{1,2}}\d{{2,8}}|[A-Z]{{1,5}}{_HYPHEN}\d{{2,8}})
      | (?P<phone>(?:\+|\(?0)\d{{1,11}}\)?(?:(?:[ ]|{_HYPHEN}|[ ]{_HYPHEN}[ ])\d{{1,8}}){{0,5}})
    )(?![\w-])""",
    regex.VERSION1 | regex.VERBOSE,
)
_SPELLED_CODE: Final = regex.compile(
    rf"(?<!\w)([A-Z]{{1,5}})(?:{_HYPHEN}|[ ._])?(\d{{2,8}})(?!\w)",
    regex.VERSION1 | regex.IGNORECASE,
)
_DATE: Final = regex.compile(r"\d{1,2}[- ]\d{1,2}[- ]\d{4}(?!\d)|\d{4}-\d{2}-\d{2}", regex.VERSION1)
_NO_LETTER: Final = regex.compile(r"[\W_]+", regex.VERSION1)


def identifiers(text: str) -> Iterator[tuple[Span, str]]:
    """Where a text has one, in order, and the key by which it is the same however it is spaced.

    >>> text = "Bel 088-5550123 (09.00-17.00 uur, tot 31-12-2026) of mail hulp@acme.nl bij E-404."
    >>> [key for _, key in identifiers(text)]
    ['85550123', 'hulp@acme.nl', 'e404']
    """
    for match in _IDENTIFIER.finditer(text):
        key = _key(match)
        if key:
            yield Span(*match.span()), key


def keys_of(texts: Iterable[str]) -> set[str]:
    """The keys of all that texts have, codes in any spelling among them.

    >>> sorted(keys_of(["Tel. +31 88 555 01 23", "fout e 404"]))
    ['85550123', 'e404']
    >>> "info@acme.nl" in keys_of(["klanteninfo@acme.nl of info@acme.nl.evil.com"])
    False
    """
    keys: set[str] = set()
    for text in texts:
        keys.update(key for _, key in identifiers(text))
        keys.update(f"{code[1]}{code[2]}".lower() for code in _SPELLED_CODE.finditer(text))
    return keys


def _key(match: regex.Match[str]) -> str:
    if match["phone"] is None:
        return match[0].lower() if match["address"] else _NO_LETTER.sub("", match[0]).lower()
    digits = _NO_LETTER.sub("", match[0])
    is_number = len(digits) >= FEWEST_DIGITS and not _DATE.match(match[0])
    return digits[-COMPARED_DIGITS:] if is_number else ""
