"""Texts of others as a page and a terminal show them: cleaned, in pieces, some of them marked."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from klopt.scoring.assessment import PagePlace

REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
_KEPT: Final = frozenset("\n\t\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text, with the kind of its mark."""

    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer, and what the pages say of it.

    Attributes:
        kind: ``supported``, ``fault``, or empty where nothing is said of it.
        words: The sentence, what differs from the page marked.
        said: What is wrong with it, in words; empty unless it is a fault.
        passage: What the page says of it, instead of it, or nearest to it.
        place: Where that stands.
        where: The same in words.
        lead: What stands before it in a list.
        is_heading: Whether it is a heading.
    """

    kind: str
    words: tuple[Piece, ...]
    said: str = ""
    passage: tuple[Piece, ...] = ()
    place: PagePlace | None = None
    where: str = ""
    lead: str = ""
    is_heading: bool = False


def clean(text: str) -> str:
    """The text without control and direction characters, which could hide or reorder it.

    Each becomes U+FFFD, so that the reader sees that something stood there. Lines, tabs, spaces
    of every width and the two joiners that scripts and emoji need stay.

    >>> clean("goed" + chr(0x202E) + "fout")
    'goed�fout'
    """
    if text.isprintable():
        return text
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(character if _shown(character) else REPLACEMENT for character in lines)


def _shown(character: str) -> bool:
    return character.isprintable() or character in _KEPT or unicodedata.category(character) == "Zs"
