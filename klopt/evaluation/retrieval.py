"""Retrieval accuracy: how often the right page is among the first k that the bot was given."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from klopt.errors import RecordError
from klopt.evaluation.estimate import Estimate, share
from klopt.extras import needs
from klopt.records import Page, Pages

NEAR_CHARS: Final = 100
"""The paper's threshold: a Levenshtein distance below it is the same page in another version."""

TOP: Final = (1, 2, 3, 5)
"""The paper's k, in its table 8."""

_LONGEST_NAME_CHARS: Final = 200


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What the bot was given for one question, and what it should have been given.

    Attributes:
        retrieved: The pages, best first.
        gold: The right page; several when any of them will do. Empty when nobody said.
    """

    retrieved: tuple[Page, ...]
    gold: tuple[Page, ...]


@dataclass(frozen=True, slots=True)
class TopK:
    """How often the right page was among the first ``k``."""

    k: int
    hit_count: int
    accuracy: Estimate
    n: int


def read_gold(value: object, *, pages: Pages | None = None) -> tuple[Page, ...]:
    """The right page or pages of a row, from a field such as ``gold_context``.

    Args:
        value: A page's name, its text, an object with ``id`` or ``text`` or both, or a list of
            these. A text without white space of at most 200 characters is a name.
        pages: Pages that a name may stand for; then a page of another name may be the same.

    Raises:
        RecordError: The value is none of these.

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
    """The place of the right page, from 1; None when it is not there.

    >>> rank(Retrieval((Page("a", id="a"), Page("b", id="b")), (Page("", id="b"),)))
    2
    """
    for place, page in enumerate(row.retrieved, 1):
        for gold in row.gold:
            if (gold.id and page.id == gold.id) or (gold.text and is_near(page.text, gold.text)):
                return place
    return None


def accuracy(rows: Sequence[Retrieval], ks: Sequence[int] = TOP) -> tuple[TopK, ...]:
    """How often the right page was among the first k, for each k.

    Rows of which nobody said what the right page is are left out. A row for which nothing was
    retrieved is a miss.

    Raises:
        ValueError: A k is below 1.
        ExtraMissingError: Texts have to be compared and rapidfuzz is not installed.

    Source:
        HR chatbot paper, section 3.3.1, appendix A.3 (near-duplicates) and table 8.

    >>> found = accuracy([Retrieval((Page("a", id="a"),), (Page("", id="a"),))], ks=[1])
    >>> found[0].hit_count, found[0].accuracy.value
    (1, 1.0)
    """
    for k in ks:
        if k < 1:
            raise ValueError(f"k is at least 1, not {k}")
    ranks = [rank(row) for row in rows if row.gold]
    hits = ((k, sum(place is not None and place <= k for place in ranks)) for k in ks)
    return tuple(TopK(k, count, share(count, len(ranks)), len(ranks)) for k, count in hits)


def is_near(one: str, other: str) -> bool:
    """Whether two texts are versions of the same page: a Levenshtein distance below 100.

    Counting stops at 100, so pages of 200,000 characters take some milliseconds. Line endings
    (CRLF or LF) and NFC or NFD are not counted; other white space is, as in the paper.

    Differs: The distance must also be less than half the length of the longer text, as two passages
    of a few dozen characters are always less than 100 apart; to articles this makes no difference.

    Source: HR chatbot paper, appendix A.3.

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
