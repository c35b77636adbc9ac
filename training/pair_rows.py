"""Pairs of answers to one question that differ in one fact, with their claims and passages."""

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
"""Prefix of files of pairs whose answers are in another language than their pages."""


@dataclass(frozen=True, slots=True)
class PairRow:
    """A true answer, and one that is untrue in one fact.

    Attributes:
        company: The company of the pages, left out of training together.
        language: The language of question and answers.
        help: The folder of the pages.
        pages: The names of the pages.
        question: The question.
        true: The true answer.
        untrue: The untrue answer.
        untrue_span: Start and end of the untrue words in it.
        words_alone: The difference in score that the words of the answers alone give, positive in
            favour of the true one; 0 if unknown.
        kind: The kind of fact.
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

    @property
    def centre(self) -> str:
        """Return company and language."""
        return f"{self.company} {self.language}"

    @property
    def is_hard(self) -> bool:
        """Return whether the words alone do not favour the true answer."""
        return self.words_alone <= 0

    @property
    def answers(self) -> tuple[str, str]:
        """Return the true answer and the untrue one."""
        return self.true, self.untrue

    def pages_in(self, data: Path) -> dict[str, Page]:
        """Return the pages by name, from the folder of the data."""
        every = _pages(data / "help" / self.help)
        return {name: every[name] for name in self.pages}

    def turns(self, data: Path) -> list[Turn]:
        """Return both answers as turns."""
        pages = list(self.pages_in(data).values())
        return [
            Turn(self.question, answer, pages, language=self.language) for answer in self.answers
        ]


def pair_rows(data: Path) -> Iterator[PairRow]:
    """Yield the pairs whose answers are in the language of their pages."""
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
    """A question and an answer, and the match of the answer with its pages."""

    language: Language
    question: Reading
    answer: Reading
    match: Match

    @cached_property
    def pairing(self) -> Pairing:
        """Return the pairing of claims and passages."""
        comparator = Comparator.load(self.language.code)
        return comparator.pairing(self.match, self.language)


@dataclass(frozen=True, eq=False)
class Sentence:
    """A claim of an answer, by the number of its sentence, and its closest passage, if any."""

    turn: ReadTurn
    unit: int
    place: Passage | None

    @cached_property
    def span(self) -> tuple[int, int]:
        """Return start and end in the plain text of the answer."""
        match = self.turn.match
        start = first_char(match, self.unit, self.turn.pairing.answer)
        return start, match.answer.ends[self.unit]

    @property
    def text(self) -> str:
        """Return the text of the claim."""
        return self.turn.answer.plain.text[slice(*self.span)]

    @property
    def pair(self) -> Pair | None:
        """Return the claim beside its passage; None without one."""
        if self.place is None:
            return None
        return self.turn.pairing.pair(self.span, self.place.page, self.place.span)


def sentences_of(
    language: Language, question: str, answer: str, pages: Mapping[str, Page]
) -> list[Sentence]:
    """Return the claims of an answer, each with its closest passage of some pages."""
    found = parts_of(read_text(answer), language.code, list(pages.values()), language.lexicons)
    read = language.reader.read(question)
    verified = language.reader.read_plain(found.verified)
    contexts = [Context(name, language.page(page)) for name, page in pages.items()]
    match = Match(read, verified, contexts, language.relations, language.lexicons)
    turn, units = ReadTurn(language, read, verified, match), list(match.claims)
    return list(map(partial(Sentence, turn), units, best_places(match, units)))


def differing(row: PairRow, data: Path) -> tuple[Sentence, Sentence] | None:
    """Return the differing sentences of the true and the untrue answer.

    None if an answer has no sentence that the other lacks.
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
    """Return what reads and compares texts of a language, cached."""
    return Language(lexicons.load(code))


@cache
def _pages(folder: Path) -> Mapping[str, Page]:
    return read_pages(folder)
