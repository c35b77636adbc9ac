"""Pairs of answers to one question that are alike but for one fact, with the company of each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

from klopt import Page, Turn, lexicons
from klopt.batch.pages import read_pages
from klopt.comparing.passages import Passage, passages_of, text_of
from klopt.comparing.statements import first_char
from klopt.comparing.words import side_of
from klopt.matching.index import Context
from klopt.matching.language import Language
from klopt.matching.match import Match
from klopt.reading.reader import Reading

OTHER_LANGUAGE: Final = "x-"
"""So begins the file of pairs whose answers are in another language than their pages."""


@dataclass(frozen=True, slots=True)
class PairRow:
    """Two answers of which one is untrue by one fact.

    Attributes:
        company: Whose page it is; a group of its own in measuring.
        language: Of question, answers and page.
        id: Names the row.
        help: The folder of the pages.
        pages: Their names.
        question: What was asked.
        true: The answer that is right.
        untrue: The other one.
        untrue_span: First character of what is wrong in it, and the end.
        page_says: The page's deciding words.
        words_alone: By how much the words of the answers alone put the true one higher.
        kind: What the fact is about.
    """

    company: str
    language: str
    id: str
    help: str
    pages: tuple[str, ...]
    question: str
    true: str
    untrue: str
    untrue_span: tuple[int, int]
    page_says: str
    words_alone: float
    kind: str

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

    def turns(self, pages: Mapping[str, Page]) -> tuple[Turn, Turn]:
        """Both as turns, over pages by name."""
        true, untrue = (
            Turn(
                self.question, answer, [pages[name] for name in self.pages], language=self.language
            )
            for answer in self.answers
        )
        return true, untrue


def pair_rows(data: Path) -> Iterator[PairRow]:
    """The pairs whose answers are in the language of their pages."""
    for file in sorted((data / "pairs").glob("*.jsonl")):
        if file.stem.startswith(OTHER_LANGUAGE):
            continue
        company, language = file.stem.split("-")[:2]
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                yield _row(company, language, json.loads(line))


@dataclass(frozen=True, eq=False)
class Sentence:
    """A statement of an answer, and the places that are nearest to it.

    Attributes:
        language: What it was read with.
        question: What was asked.
        answer: The whole answer.
        match: The answer on its pages.
        unit: The number of the sentence.
        places: The best first.
    """

    language: Language
    question: Reading
    answer: Reading
    match: Match
    unit: int
    places: tuple[Passage, ...]

    @cached_property
    def span(self) -> tuple[int, int]:
        """First plain character and end in the answer."""
        said = side_of(self.answer, self.language.lexicons)
        return first_char(self.match, self.unit, said), self.match.answer.ends[self.unit]

    @property
    def text(self) -> str:
        """Its words."""
        return self.answer.plain.text[slice(*self.span)]

    @property
    def texts(self) -> tuple[str, ...]:
        """Those of its places."""
        return tuple(text_of(self.match, place) for place in self.places)


def sentences_of(
    language: Language, question: str, answer: str, pages: Mapping[str, Page], most: int
) -> list[Sentence]:
    """The statements of an answer, each with its ``most`` best places of some pages."""
    asked, said = language.reader.read(question), language.reader.read(answer)
    contexts = [Context(name, language.page(page)) for name, page in pages.items()]
    match = Match(asked, said, contexts, language.relations, language.lexicons)
    units = list(match.statements)
    places = passages_of(match, units, most)
    return [
        Sentence(language, asked, said, match, unit, own)
        for unit, own in zip(units, places, strict=True)
    ]


def differing(row: PairRow, data: Path, most: int) -> tuple[Sentence, Sentence] | None:
    """The sentence of the true answer that is another one in the untrue, and that one.

    None where an answer says nothing that the other does not.
    """
    every = pages_of(data / "help" / row.help)
    pages = {name: every[name] for name in row.pages}
    answers = [
        sentences_of(language_of(row.language), row.question, one, pages, most)
        for one in row.answers
    ]
    true, untrue = (
        [one for one in answers[at] if one.text not in {other.text for other in answers[1 - at]}]
        for at in (0, 1)
    )
    if not true or not untrue:
        return None
    first, end = row.untrue_span
    wrong = max(untrue, key=lambda one: min(end, one.span[1]) - max(first, one.span[0]))
    return true[min(untrue.index(wrong), len(true) - 1)], wrong


def says(place: str, row: PairRow) -> bool:
    """Whether the text of a place has the page's deciding words of a pair."""
    return bare(row.page_says) in bare(place)


def bare(text: str) -> str:
    """Letters and figures alone, in small letters, one blank between words."""
    return " ".join("".join(one if one.isalnum() else " " for one in text.lower()).split())


@cache
def language_of(code: str) -> Language:
    """What texts of a language are read with."""
    return Language(lexicons.load(code))


@cache
def pages_of(folder: Path) -> Mapping[str, Page]:
    """The pages of a help centre, by name; read once."""
    return read_pages(folder)


def _row(company: str, language: str, row: Mapping[str, Any]) -> PairRow:
    pages, span = row["page"], row["untrue_span"]
    start = row["untrue"].index(span)
    return PairRow(
        company,
        language,
        row["id"],
        row["help"],
        (pages,) if isinstance(pages, str) else tuple(pages),
        row["question"],
        row["true"],
        row["untrue"],
        (start, start + len(span)),
        row["page_says"],
        row["words_alone"],
        row["kind"],
    )
