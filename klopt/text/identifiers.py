"""Find identifiers: phone numbers, addresses, codes. A bot that does not copy one invents it.

Hours, dates, amounts and units are not identifiers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import regex

from klopt.text.plain import Span

FEWEST_DIGITS: Final = 9  # of a phone number
COMPARED_DIGITS: Final = 8  # the last ones: +31 88 and 088 are one number
_HYPHEN: Final = r"[-\u2010-\u2013]"
_DOMAIN: Final = r"(?:[a-z0-9][a-z0-9-]{0,62}\.){1,4}"
_IDENTIFIER: Final = regex.compile(
    rf"""(?<![\w.,/+-])(?:(?P<url>(?:https?://|www\.)[^\s<>"'“”‘’()\[\]{{}}|*`]{{3,2000}}(?<![.,:;!?…])
          |{_DOMAIN}(?:com|org|net|nl|be|eu|edu|gov|uk|de|fr)\b(?!@|[.-]?\w)
            (?:/[^\s<>"'“”‘’()\[\]{{}}|*`]{{0,2000}}(?<![.,:;!?…]))?)
      | (?P<placeholder>[$\#]?\{{{{1,3}}+[ ]?[A-Za-z_][\w.-]{{0,60}}[ ]?\}}{{1,3}}+
          |%(?:\d\$)?(?:[sdi]\b|\([a-z_]{{1,40}}\)[sd]\b))
      | (?:(?P<address>[\w.+-]{{1,64}}@[\w-]{{1,64}}(?:\.[\w-]{{1,64}}){{0,4}}\.[A-Za-z]{{2,24}})
      | (?P<code>[A-Z]{{1,2}}\d{{2,8}}|[A-Z]{{1,5}}{_HYPHEN}\d{{2,8}})
      | (?P<phone>(?:\+|\(?0)\d{{1,11}}\)?
          (?:(?:[ ]|{_HYPHEN}|[ ]{_HYPHEN}[ ])(?:\(0\)[ ]?)?\d{{1,8}}){{0,5}})
      )(?![\w-]))""",
    regex.VERSION1 | regex.VERBOSE,
)
_SPELLED_CODE: Final = regex.compile(
    rf"(?<!\w)([A-Z]{{1,5}})(?:{_HYPHEN}|[ ._])?(\d{{2,8}})(?!\w)",
    regex.VERSION1 | regex.IGNORECASE,
)
_DATE: Final = regex.compile(r"\d{1,2}[- ]\d{1,2}[- ]\d{4}(?!\d)|\d{4}-\d{2}-\d{2}", regex.VERSION1)
_SCHEME: Final = regex.compile(r"(?:https?://)?(?:www\.)?", regex.VERSION1)
_URL_PARTS: Final = 10  # of a URL on a page: acme.nl/a/b also makes acme.nl and acme.nl/a known
_NO_LETTER: Final = regex.compile(r"[\W_]+", regex.VERSION1)


def identifiers(text: str) -> Iterator[tuple[Span, str]]:
    """Yield the identifiers of a text in order, with a key that ignores spacing.

    >>> text = "Bel 088-5550123 (09.00-17.00 uur, tot 31-12-2026) of mail hulp@acme.nl bij E-404."
    >>> [key for _, key in identifiers(text)]
    ['85550123', 'hulp@acme.nl', 'e404']
    """
    for match in _IDENTIFIER.finditer(text):
        key = _key(match)
        if key:
            yield Span(*match.span()), key


def keys_of(texts: Iterable[str]) -> set[str]:
    """Return the keys of all identifiers of some texts, with codes in any spelling.

    >>> sorted(keys_of(["Tel. +31 88 555 01 23", "fout e 404"]))
    ['85550123', 'e404']
    >>> "info@acme.nl" in keys_of(["klanteninfo@acme.nl of info@acme.nl.evil.com"])
    False
    >>> sorted(keys_of(["Zie https://www.acme.nl/hulp/mail."])), sorted(keys_of(["{{naam}} %s"]))
    (['acme.nl', 'acme.nl/hulp', 'acme.nl/hulp/mail'], ['%s', '{naam}'])
    """
    keys: set[str] = set()
    for text in texts:
        for _, key in identifiers(text):
            keys.add(key)
            if "." in key and "@" not in key:
                folders = key.split("/")[:_URL_PARTS]
                keys.update("/".join(folders[:count]) for count in range(1, len(folders)))
        keys.update(f"{code[1]}{code[2]}".lower() for code in _SPELLED_CODE.finditer(text))
    return keys


def _key(match: regex.Match[str]) -> str:
    if match["url"]:
        whole = match[0].lower().partition("#")[0].partition("?")[0]
        return _SCHEME.sub("", whole, count=1).rstrip("/")
    if match["placeholder"]:
        bare = match[0].strip("$#{} ")
        return bare if bare[0] == "%" else f"{{{bare}}}"
    if match["phone"] is None:
        return match[0].lower() if match["address"] else _NO_LETTER.sub("", match[0]).lower()
    digits = _NO_LETTER.sub("", match[0])
    is_number = len(digits) >= FEWEST_DIGITS and not _DATE.match(match[0])
    return digits[-COMPARED_DIGITS:] if is_number else ""
