"""The pairs that the comparator learns from: labelled claims, and neighbours of theirs.

What is said of a statement of a rated answer by the words that are marked in it, and the figures
that all trainings print, are here too.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from klopt import Page, lexicons
from klopt.comparing.learnt import LABELS
from klopt.comparing.pairs import Pair, Pairing
from klopt.comparing.words import Coordinates, WordVectors, side_of
from klopt.matching.index import Context
from klopt.matching.language import Language
from klopt.matching.match import Match
from klopt.reading.text import PlainText
from training.pair_rows import PairRow, Sentence, differing, pair_rows

SAME_COMPANY: Final = {"memdocs": "m365", "intune": "m365"}
"""Files of claims whose companies are one: their pages come from one house."""
LEFT_OUT: Final = Path(__file__).parent / "left_out"
"""What was learnt without the companies of a fold; not shipped, but measured with."""

Fold = tuple[str, ...]
FOLDS: Final[tuple[Fold, ...]] = (
    ("gnome", "ci", "telecom"),
    ("bc", "hr", "bank"),
    ("fin", "sp"),
    ("m365",),
    ("alch",),
)
"""The companies that are left out together."""
MOST_NEIGHBOURS: Final = 2
EVEN: Final = (1 / 3, 1 / 3, 1 / 3)


@dataclass(frozen=True, eq=False)
class Example:
    """A statement beside one passage, or beside its best ones.

    Attributes:
        company: Whose pages.
        language: Of both.
        pairs: One, or one for each of the best passages.
        first_row: The row of the first word of its turn among all coordinates.
        label: The number of the label.
        claim_only: What the statement's words alone say of the three labels.
    """

    company: str
    language: str
    pairs: tuple[Pair, ...]
    first_row: int
    label: int
    claim_only: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Rivals:
    """The sentences in which two answers differ, each beside its best place.

    Attributes:
        true: What is said rightly; its label and what its words give away are not looked at.
        untrue: What is said wrongly.
        words_alone: By how much the words of the answers alone put the true one higher.
    """

    true: Example
    untrue: Example
    words_alone: float


class Examples:
    """All examples; the coordinates of their words are kept in one table.

    Args:
        data: The folder of the real data.
    """

    def __init__(self, data: Path) -> None:
        self.data = data
        self.languages = {code: Language(lexicons.load(code)) for code in ("nl", "en")}
        self.vectors = {code: WordVectors.load(code) for code in self.languages}
        self._blocks: list[Coordinates] = []
        self._row = 0

    @property
    def coordinates(self) -> Coordinates:
        """Of all words so far."""
        return np.concatenate(self._blocks)

    def claims(self) -> list[Example]:
        """The labelled claims."""
        return [
            self._claim(company, language, row, row["passage"], row["label"], row["claim_only"])
            for company, language, row in claim_rows(self.data)
        ]

    def neighbours(self) -> list[Example]:
        """Claims beside other passages of their page that share words: not stated there."""
        found = []
        by_page: dict[tuple[str, str, str], dict[str, None]] = defaultdict(dict)
        for company, language, row in claim_rows(self.data):
            by_page[company, language, row["page"]][row["passage"]] = None
        for company, language, row in claim_rows(self.data):
            passages = by_page[company, language, row["page"]]
            for passage in self._neighbours(language, row, list(passages)):
                found.append(self._claim(company, language, row, passage, "not_stated", EVEN))
        return found

    def rivals(self) -> list[Rivals]:
        """The pairs of answers that differ in one fact, where both have a place."""
        found = []
        for row in pair_rows(self.data):
            both = differing(row, self.data, 1)
            if both is not None and all(one.places for one in both):
                true, untrue = (self._sentence(row, one) for one in both)
                found.append(Rivals(true, untrue, row.words_alone))
        return found

    def _sentence(self, row: PairRow, one: Sentence) -> Example:
        own, place = one.language, one.places[0]
        contexts = one.match.contexts
        asked, said, *there = (
            side_of(reading, own.lexicons)
            for reading in (one.question, one.answer, *(some.index.reading for some in contexts))
        )
        vectors = self.vectors[row.language]
        pairing = Pairing(one.match, asked, said, there, vectors, own.relations)
        pair = pairing.pair(one.span, place.page, place.span(one.match))
        first_row = self._add(pairing.coordinates)
        return Example(row.company, row.language, (pair,), first_row, 0, EVEN)

    def _claim(
        self,
        company: str,
        language: str,
        row: Mapping[str, Any],
        passage: str,
        label: str,
        claim_only: Sequence[float],
    ) -> Example:
        own = self.languages[language]
        page = own.page(Page(passage))
        question = own.reader.read(row["question"] or "")
        answer = own.reader.read(row["claim"])
        match = Match(question, answer, [Context("", page)], own.relations, own.lexicons)
        sides = (side_of(one, own.lexicons) for one in (question, answer, page.reading))
        asked, said, there = sides
        pairing = Pairing(match, asked, said, [there], self.vectors[language], own.relations)
        whole = (0, len(answer.plain.text))
        pair = pairing.pair(whole, 0, (0, len(page.reading.plain.text)))
        first_row = self._add(pairing.coordinates)
        return Example(
            company, language, (pair,), first_row, LABELS.index(label), tuple(claim_only)
        )

    def _add(self, coordinates: Coordinates) -> int:
        first = self._row
        self._blocks.append(coordinates)
        self._row += len(coordinates)
        return first

    def _neighbours(
        self, language: str, row: Mapping[str, Any], passages: Sequence[str]
    ) -> list[str]:
        """The other passages of a page that share most words with a claim."""
        read = self.languages[language].reader.read
        claim = read(row["claim"]).tokens
        words = {claim.keys[number] for number in claim.running}
        own = [one for one in row["passage"].split(". ") if len(one) > 15]
        ranked = []
        for passage in passages:
            if passage == row["passage"] or any(one in passage for one in own):
                continue
            tokens = self.languages[language].page(Page(passage)).reading.tokens
            theirs = {tokens.keys[number] for number in tokens.running}
            common = len(words & theirs)
            if common:
                ranked.append((-common / (len(words) + 0.1 * len(theirs)), passage))
        return [passage for _, passage in sorted(ranked)[:MOST_NEIGHBOURS]]


def claim_rows(data: Path) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Company, language and row of each claim."""
    for file in sorted((data / "claims").glob("*.jsonl")):
        name, language, _ = file.stem.split("-")
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                yield SAME_COMPANY.get(name, name), language, json.loads(line)


def label_of(
    plain: PlainText,
    answer: str,
    span: tuple[int, int],
    untrue: Sequence[str],
    unsupported: Sequence[str],
) -> int:
    """The number of a statement's label, by the marked words that it holds."""
    for marked, label in ((untrue, "contradicted"), (unsupported, "not_stated")):
        for words in marked:
            first = answer.find(words)
            start, end = plain.plain(first, first + len(words))
            if first >= 0 and start < span[1] and end > span[0]:
                return LABELS.index(label)
    return LABELS.index("supported")


def figures(chance: NDArray[Any], labels: NDArray[Any]) -> str:
    """The share that is right of three, and the area under the curve of each label."""
    right = float((chance.argmax(axis=1) == labels).mean())
    areas = [area_under(chance[:, number], labels == number) for number in range(len(LABELS))]
    return f"{right:.3f}  " + " ".join(f"{area:.3f}" for area in areas)


def area_under(points: NDArray[Any], is_one: NDArray[np.bool_]) -> float:
    """The area under the curve: how often one of these stands above one of the others."""
    ones = int(is_one.sum())
    if not 0 < ones < len(is_one):
        return float("nan")
    ranks = rankdata(points)
    return float((ranks[is_one].sum() - ones * (ones + 1) / 2) / (ones * (len(is_one) - ones)))
