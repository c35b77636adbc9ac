"""What is said of an evaluation, already worded: the page and the terminal show this alone."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final

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
class Part:
    """A part of a bar: its kind, where it begins and how long it is, both of 100."""

    kind: str
    start: float
    length: float


@dataclass(frozen=True, slots=True)
class Stack:
    """A bar in parts, and what it says to who cannot see."""

    title: str
    parts: tuple[Part, ...]


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
        stack: Parts instead of a text.
    """

    text: str = ""
    interval: str = ""
    reason: str = ""
    code: str = ""
    note: str = ""
    tone: str = ""
    bar: Bar | None = None
    pieces: tuple[Piece, ...] = ()
    stack: Stack | None = None


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
class Point:
    """A threshold on the cost curve: where it lies, from 0 to 1 both ways."""

    threshold: float
    caught_share: float
    held_back_share: float


@dataclass(frozen=True, slots=True)
class Label:
    """A threshold beside its point, in the drawing's own coordinates."""

    x: float
    y: float
    text: str
    is_special: bool


@dataclass(frozen=True, slots=True)
class Curve:
    """What thresholds cost, drawn: each point, those that stand out, and the labels that fit."""

    title: str
    description: str
    points: tuple[Point, ...]
    special: tuple[Point, ...]
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """One answer on which klopt and a person disagree.

    Attributes:
        id: The turn's.
        person: What the person said.
        direction: Which of the two is higher, and by how much.
        line: The question in one line.
        question: What was asked.
        sentences: What was answered, with what the pages say of it.
        cut: What is to be known of an answer that is not shown to its end.
        why: The explanation.
        language: Of question and answer; empty when not known.
        told_in: The language in which they are spoken of.
        rating: What the person said as a rating; None without one.
        score: klopt's.
        facts: What else klopt said, each under its name.
        others: The score by another profile, in a sentence.
        measurements: The furthest from the rating first; None when there are none.
        hint: How to read their bars.
        is_open: Whether it lies open.
    """

    id: str
    person: Cell
    direction: str
    line: str
    question: str
    sentences: tuple[Sentence, ...]
    cut: str
    why: str
    language: str
    told_in: str
    rating: float | None
    score: float
    facts: tuple[tuple[str, Cell], ...]
    others: tuple[str, ...]
    measurements: Table | None
    hint: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class Group:
    """A part of a section, often one profile's."""

    title: str = ""
    intro: str = ""
    tables: tuple[Table, ...] = ()
    curve: Curve | None = None
    notes: tuple[str, ...] = ()
    cards: tuple[Card, ...] = ()
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
        legend: What marks mean.
        items: Names with what they stand for.
        is_folded: Whether the page has it folded.
        on_terminal: Whether a terminal has it.
    """

    key: str
    heading: str
    intro: str = ""
    sentences: tuple[str, ...] = ()
    groups: tuple[Group, ...] = ()
    legend: tuple[Piece, ...] = ()
    items: tuple[tuple[str, str], ...] = ()
    is_folded: bool = False
    on_terminal: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    """A profile in sentences, and in big figures with what each is."""

    name: str
    title: str
    sentences: tuple[str, ...]
    tiles: tuple[tuple[str, Cell], ...]


@dataclass(frozen=True, slots=True)
class View:
    """A whole evaluation.

    Attributes:
        source: What it was made from.
        lead: Which answers there were.
        notes: What else is to be known of them.
        outcomes: Of one profile, or of two side by side.
        sections: In the order of the page.
    """

    source: str
    lead: str
    notes: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    sections: tuple[Section, ...]


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
