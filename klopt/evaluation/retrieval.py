"""Retrieval accuracy: the rank of the right page among those retrieved."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from klopt._internal.extras import needs
from klopt.errors import RecordError
from klopt.types import Page, Pages

NEAR_CHARS: Final = 100  # smaller Levenshtein distances are versions of one page, as in the paper

TOP: Final = (1, 2, 3, 5)  # The values of k in the paper's table 8

_LONGEST_NAME_CHARS: Final = 200


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The pages retrieved for one question, best first, and the right ones: any will do."""

    retrieved: tuple[Page, ...]
    gold: tuple[Page, ...]


def read_gold(value: object, *, pages: Pages | None = None) -> tuple[Page, ...]:
    """Read the right page or pages of a row from a field such as ``gold_context``.

    The value is a page's name (at most 200 characters without white space), its text, an object
    with ``id`` or ``text``, or a list of these, else a RecordError. Texts of named ``pages`` are
    compared too.

    >>> read_gold("wifi.md")
    (Page(text='', id='wifi.md', title=None, url=None, format='auto'),)
    """
    if value is None or value == "" or value == []:
        return ()
    if isinstance(value, list | tuple):
        return tuple(page for inner in value for page in read_gold(inner, pages=pages))
    if isinstance(value, str):
        if pages is not None and value in pages:
            return (pages[value],)
        is_name = len(value) <= _LONGEST_NAME_CHARS and not any(map(str.isspace, value))
        return (Page("", id=value),) if is_name else (Page(value),)
    if isinstance(value, Mapping):
        return (_from_mapping(value, pages),)
    raise RecordError(
        "the right page is a name, a text, an object with id or text, or a list of these, not "
        f"{type(value).__name__}"
    )


def rank(row: Retrieval) -> int | None:
    """The rank of the right page, from 1; None when it was not retrieved.

    >>> rank(Retrieval((Page("a", id="a"), Page("b", id="b")), (Page("", id="b"),)))
    2
    """
    for place, page in enumerate(row.retrieved, 1):
        for gold in row.gold:
            if (gold.id and page.id == gold.id) or (gold.text and is_near(page.text, gold.text)):
                return place
    return None


def is_near(one: str, other: str) -> bool:
    """Whether two texts are versions of one page: a Levenshtein distance below 100.

    Source: HR chatbot paper, appendix A.3. Differs: the distance must also be less than half the
    longer text, since short passages are always less than 100 apart.

    >>> is_near("Klik op Opslaan.", "Klik op  opslaan."), is_near("Wifi aan.", "Geluid uit.")
    (True, False)
    """
    first, second = (
        unicodedata.normalize("NFC", text).replace("\r\n", "\n") for text in (one, other)
    )
    if first == second:
        return bool(first)
    limit = min(NEAR_CHARS, -(-max(len(first), len(second)) // 2)) - 1
    if abs(len(first) - len(second)) > limit:
        return False
    with needs("metrics", "comparing pages by their text needs rapidfuzz"):
        from rapidfuzz.distance import Levenshtein
    return bool(Levenshtein.distance(first, second, score_cutoff=limit) <= limit)


def _from_mapping(value: Mapping[str, Any], pages: Pages | None) -> Page:
    name, text = (value.get(field) or "" for field in ("id", "text"))
    if not isinstance(name, str) or not isinstance(text, str) or not (name or text):
        raise RecordError("the right page is an object without a text in id or in text")
    if not text and pages is not None and name in pages:
        return pages[name]
    return Page(text, id=name)
