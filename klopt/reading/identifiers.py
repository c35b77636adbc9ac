"""What a text can only have copied: phone numbers, e-mail addresses and codes.

A price may be reckoned and a name put otherwise; "088-1234567" and "E-404" stand on a page, or the
bot made them up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import regex

from klopt.reading.text import Span

__all__ = ["has_identifier", "identifiers"]

FEWEST_DIGITS: Final = 8
"""Of a phone number; the last so many are compared, so that +31 88 and 088 are one number."""

_IDENTIFIER: Final = regex.compile(
    r"""(?<![\w.,/+-])(?:
        (?P<address>[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,5})
      | (?P<code>[A-Z]{1,5}-?\d{2,8})
      | (?P<phone>(?:\+|\(?0)\d[\d()\s./-]{5,17}\d)
    )(?![\w-])""",
    regex.VERSION1 | regex.VERBOSE,
)
_DATE: Final = regex.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}")
_NO_DIGIT: Final = regex.compile(r"\D+")
_CODE: Final = regex.compile(r"([A-Z]+)-?(\d+)")


def identifiers(text: str) -> Iterator[Span]:
    """Where a text has one, in order.

    >>> text = "Bel 088-5550123 (tot 31-12-2026) of mail hulp@acme.nl bij E-404."
    >>> [text[one.start : one.end] for one in identifiers(text)]
    ['088-5550123', 'hulp@acme.nl', 'E-404']
    """
    for found in _IDENTIFIER.finditer(text):
        is_number = found["phone"] is not None
        if is_number and (_DATE.fullmatch(found[0]) or len(_digits(found[0])) < FEWEST_DIGITS):
            continue
        yield Span(*found.span())


def has_identifier(text: str, identifier: str) -> bool:
    """Whether a text has what `identifiers` found in another, however it is spaced.

    >>> has_identifier("Tel. +31 88 555 01 23", "088-5550123")
    True
    >>> has_identifier("Tel. 088-5550132", "088-5550123"), has_identifier("Fout E-4041", "E-404")
    (False, False)
    """
    if "@" in identifier:
        return identifier.casefold() in text.casefold()
    code = _CODE.fullmatch(identifier)
    if code is not None:
        spelled = rf"(?<!\w){code[1]}[-\s]?{code[2]}(?!\w)"
        return regex.search(spelled, text, regex.IGNORECASE | regex.VERSION1) is not None
    return _digits(identifier)[-FEWEST_DIGITS:] in _digits(text)


def _digits(text: str) -> str:
    return _NO_DIGIT.sub("", text)
