"""Texts and requests: long texts are cut up, short ones travel together."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_CUTS: Final = tuple(
    map(
        re.compile,
        (
            r"[.!?…][\"'”’»)]*(?=\s)|[。！？]",
            r"[,;:](?=\s)|\s[-–—](?=\s)|[，；、]",
            r"\S(?=\s)",
        ),
    )
)
"""After which a text may be cut: sentence ends, then clause ends, then words."""


def size_bytes(text: str) -> int:
    """How much of a request a text takes: its UTF-8 bytes, never fewer than its characters."""
    return len(text.encode("utf-8"))


def cut(text: str, limit_bytes: int) -> tuple[str, ...] | None:
    """The text in parts that fit, cut at sentence ends, else clause ends, else blanks.

    Args:
        text: The text, without white space at its ends; marks in it hold no blank.
        limit_bytes: What one part may take.

    Returns:
        The parts, which joined by a blank are the text again but for its white space where it was
        cut; None when there is a stretch without a blank that is too long.

    >>> cut("Klik op Opslaan. Wacht even, en klik op Sluiten.", 28)
    ('Klik op Opslaan.', 'Wacht even,', 'en klik op Sluiten.')
    >>> cut("Opslaan.", 4) is None
    True
    """
    parts = list[str]()
    while size_bytes(text) > limit_bytes:
        longest = len(text.encode("utf-8")[:limit_bytes].decode("utf-8", "ignore"))
        place = _last_cut(text, longest)
        if place is None:
            return None
        parts.append(text[:place].rstrip())
        text = text[place:].lstrip()
    return (*parts, text)


def pack(texts: Iterable[str], limit_bytes: int, several: bool) -> tuple[tuple[int, ...], ...]:
    r"""Which texts travel together, a line each, in order.

    Args:
        texts: Texts, none longer than the limit.
        limit_bytes: What one request may hold.
        several: Whether several may travel together; a text with a line break travels alone.

    Returns:
        The numbers of the texts of each request, from 0.

    >>> pack(["een", "twee", "dr\nie", "vier"], 8, True)
    ((0, 1), (2,), (3,))
    """
    requests = list[list[int]]()
    room = -1
    for number, text in enumerate(texts):
        size, joins = size_bytes(text) + 1, several and not len(text.splitlines()) > 1
        if joins and size <= room:
            requests[-1].append(number)
            room -= size
        else:
            requests.append([number])
            room = limit_bytes - size + 1 if joins else -1
    return tuple(map(tuple, requests))


def lines(reply: str, count: int) -> tuple[str, ...] | None:
    r"""The lines of a reply; None when they are not as many as were asked, or one is empty.

    >>> lines("one\r\ntwo\n", 2), lines("one two", 2)
    (('one', 'two'), None)
    """
    found = tuple(line.strip() for line in reply.strip().splitlines())
    return found if len(found) == count and all(found) else None


def _last_cut(text: str, longest: int) -> int | None:
    window = text[: longest + 1]
    for pattern in _CUTS:
        places = [match.end() for match in pattern.finditer(window) if match.end() <= longest]
        if places:
            return places[-1]
    return None
