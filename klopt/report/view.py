"""What page and terminal both show of an evaluation: sentences, and tables of cells."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from klopt.evaluation.evaluation import ProfileEvaluation
    from klopt.report.costs import Curve
    from klopt.scoring.statements import Place

REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
_KEPT: Final = frozenset("\n\t\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text, with the kind of its mark and what the mark says."""

    text: str
    kind: str = ""
    title: str = ""
    where: str = ""


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
    place: Place | None = None
    where: str = ""
    lead: str = ""
    is_heading: bool = False


@dataclass(frozen=True, slots=True)
class Bar:
    """A small drawing: places from 0 (left) to 1 (right), and what it says to who cannot see.

    A dot at the figure, or a bar from the left where it is filled; the tick is what the figure is
    held against, and a line runs over the interval.
    """

    title: str
    description: str
    at: float
    tick: float | None
    low: float | None = None
    high: float | None = None
    is_filled: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table, or a fact.

    Attributes:
        text: What it says; empty when missing.
        interval: In small under it.
        reason: Why there is no text, or no interval.
        code: The name in the code of what ``text`` says in words.
        note: In small below what it is of.
        tone: How it stands out.
        bar: The same as a drawing.
        pieces: A list instead of a text.
    """

    text: str = ""
    interval: str = ""
    reason: str = ""
    code: str = ""
    note: str = ""
    tone: str = ""
    bar: Bar | None = None
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Column:
    """A column's head, and whether a terminal has room for it, and for the intervals beside it."""

    head: str
    has_interval: bool = False
    on_terminal: bool = True


@dataclass(frozen=True, slots=True)
class Table:
    """A table; the first cell of each row names it.

    Attributes:
        caption: What it is.
        columns: As many as each row has cells.
        rows: All that are shown.
        more: How many rows are left out, in words.
        kind: The class in the style sheet.
        fold: What unfolds it on the page; empty when it lies open.
        step: On a terminal every so manieth row.
        on_page: False where it is for a terminal alone.
    """

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    more: str = ""
    kind: str = ""
    fold: str = ""
    step: int = 1
    on_page: bool = True


@dataclass(frozen=True, slots=True)
class Group:
    """A part of a section, often one profile's; or the answers on which that is worst."""

    title: str = ""
    intro: str = ""
    tables: tuple[Table, ...] = ()
    curve: Curve | None = None
    notes: tuple[str, ...] = ()
    worst_of: ProfileEvaluation | None = None
    is_folded: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report.

    Attributes:
        key: Its id on the page, and its name in the list of contents.
        heading: Above it.
        intro: How to read it; on the page only.
        sentences: What it comes to.
        groups: Tables and drawings.
        on_terminal: Whether a terminal has it.
    """

    key: str
    heading: str
    intro: str = ""
    sentences: tuple[str, ...] = ()
    groups: tuple[Group, ...] = ()
    on_terminal: bool = True


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
