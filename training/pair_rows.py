"""Pairs of answers to one question that are alike but for one fact, with the company of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Final

from klopt import Page, Turn, lexicons
from klopt.logs.pages import read_pages
from klopt.scoring.reading import parts_of
from klopt.text.markup import read_text
from klopt.text.reader import Reading
from klopt.verification import Comparator
from klopt.verification.claims import first_char
from klopt.verification.comparator import Passage, best_places
from klopt.verification.index import Context
from klopt.verification.language import Language
from klopt.verification.match import Match
from klopt.verification.pairs import Pair, Pairing
from training.rated_turns import rows_of

OTHER_LANGUAGE: Final = "x-"
"""So begins the file of pairs whose answers are in another language than their pages."""


@dataclass(frozen=True, slots=True)
class PairRow:
    """Two answers of which one is untrue by one fact.

    Attributes:
        company: Whose page it is; a group of its own in measuring.
        language: Of question and answers.
        help: The folder of the pages.
        pages: Their names.
        question: What was asked.
        true: The answer that is right.
        untrue: The other one.
        untrue_span: First character of what is wrong in it, and the end.
        words_alone: By how much the words of the answers alone put the true one higher; 0 where
            that is not known.
        kind: What the fact is about.
        page_says: The words of the page that decide.
    """

    company: str
    language: str
    help: str
    pages: tuple[str, ...]
    question: str
    true: str
    untrue: str
    untrue_span: tuple[int, int]
    words_alone: float
    kind: str
    page_says: str

    @property
    def centre(self) -> str:
        """Company and language."""
        return f"{self.company} {self.language}"

    @property
    def is_hard(self) -> bool:
        """Whether the words alone do not put the true one higher."""
        return self.words_alone <= 0

    @property
    def answers(self) -> tuple[str, str]:
        """The true one and the untrue one."""
        return self.true, self.untrue

    def pages_in(self, data: Path) -> dict[str, Page]:
        """Its pages by name, from the folder of the data."""
        every = _pages(data / "help" / self.help)
        return {name: every[name] for name in self.pages}

    def turns(self, data: Path) -> list[Turn]:
        """Both answers as turns."""
        pages = list(self.pages_in(data).values())
        return [
            Turn(self.question, answer, pages, language=self.language) for answer in self.answers
        ]


def pair_rows(data: Path) -> Iterator[PairRow]:
    """The pairs whose answers are in the language of their pages."""
    for file in sorted((data / "pairs").glob("*.jsonl")):
        if file.stem.startswith(OTHER_LANGUAGE):
            continue
        company, language = file.stem.split("-")[:2]
        for row in rows_of(file):
            pages = (row["page"],) if isinstance(row["page"], str) else tuple(row["page"])
            start = row["untrue"].index(row["untrue_span"])
            given = {"pages": pages, "untrue_span": (start, start + len(row["untrue_span"]))}
            same = {name: row[name] for name in PairRow.__slots__ if name in row}
            same["words_alone"] = row["words_alone"] or 0.0
            yield PairRow(**{**same, **given, "company": company, "language": language})


@dataclass(frozen=True, eq=False)
class ReadTurn:
    """A question and an answer, and the answer on its pages."""

    language: Language
    question: Reading
    answer: Reading
    match: Match

    @cached_property
    def pairing(self) -> Pairing:
        """Ready for its claims to be held against places."""
        comparator = Comparator.load(self.language.code)
        return comparator.pairing(self.match, self.language)


@dataclass(frozen=True, eq=False)
class Sentence:
    """A claim of an answer, by the number of its sentence, and its nearest place, if any."""

    turn: ReadTurn
    unit: int
    place: Passage | None

    @cached_property
    def span(self) -> tuple[int, int]:
        """First plain character and end in the answer."""
        match = self.turn.match
        start = first_char(match, self.unit, self.turn.pairing.answer)
        return start, match.answer.ends[self.unit]

    @property
    def text(self) -> str:
        """Its words."""
        return self.turn.answer.plain.text[slice(*self.span)]

    @property
    def pair(self) -> Pair | None:
        """It beside its place; None where it has none."""
        if self.place is None:
            return None
        return self.turn.pairing.pair(self.span, self.place.page, self.place.span)


def sentences_of(
    language: Language, question: str, answer: str, pages: Mapping[str, Page]
) -> list[Sentence]:
    """The claims of an answer, each with its best place of some pages."""
    found = parts_of(read_text(answer), language.code, list(pages.values()), language.lexicons)
    asked = language.reader.read(question)
    spoken = language.reader.read_plain(found.verified)
    contexts = [Context(name, language.page(page)) for name, page in pages.items()]
    match = Match(asked, spoken, contexts, language.relations, language.lexicons)
    turn, units = ReadTurn(language, asked, spoken, match), list(match.claims)
    return list(map(partial(Sentence, turn), units, best_places(match, units)))


def differing(row: PairRow, data: Path) -> tuple[Sentence, Sentence] | None:
    """The sentence of the true answer that is another one in the untrue, and that one.

    None where an answer says nothing that the other does not.
    """
    pages, language = row.pages_in(data), language_of(row.language)
    first, second = (sentences_of(language, row.question, answer, pages) for answer in row.answers)
    true, untrue = (
        [sentence for sentence in some if sentence.text not in {other.text for other in others}]
        for some, others in ((first, second), (second, first))
    )
    if not true or not untrue:
        return None
    start, end = row.untrue_span
    wrong = max(untrue, key=lambda own: min(end, own.span[1]) - max(start, own.span[0]))
    return true[min(untrue.index(wrong), len(true) - 1)], wrong


@cache
def language_of(code: str) -> Language:
    """What texts of a language are read with."""
    return Language(lexicons.load(code))


@cache
def _pages(folder: Path) -> Mapping[str, Page]:
    return read_pages(folder)
