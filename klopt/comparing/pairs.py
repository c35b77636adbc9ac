"""Statement and passage beside each other: which word is like which, and what marks each word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from klopt.comparing.words import FLAGS, Floats, Side, WordVectors, cosines
from klopt.matching.index import SAME, SYNONYM, PageIndex, Relations
from klopt.matching.match import Match
from klopt.matching.units import Integers
from klopt.reading.tokens import LITERAL_SIGNS

__all__ = ["MARKS", "Batch", "Pair", "PairSide", "Pairing", "Relation", "batch_of"]

MARKS: Final = (
    "same",
    "synonym",
    "like",
    "rival",
    "same_pair",
    *FLAGS,
    "asked",
    "of_question",
    "rarity",
    "nearest",
)
"""What is told of each word, in this order: whether the other side has the same word, a synonym,
one that is like it, or one that excludes it and not the word itself; whether it stands in a pair
of words that the other side has too; the flags of `klopt.comparing.words`; whether the question
has it, and whether it is the question's; how rare it is; and the highest cosine with a word of the
other side."""

_NUMBERS: Final = {mark: number for number, mark in enumerate(MARKS)}
_OWN: Final = slice(_NUMBERS["same_pair"] + 1, _NUMBERS["nearest"])
"""The marks that are known of a word before it is held against the other side."""

LONGEST: Final = 120
"""So many words of a statement, and of a passage, are looked at; the rest is left out."""


class Relation:
    """What two words are to each other.

    Plain numbers: numpy takes six times as long to compare an array with a member of an `Enum`.
    """

    NONE: Final = 0
    SAME: Final = 1
    SYNONYM: Final = 2
    LIKE: Final = 3
    RIVAL: Final = 4


_KINDS: Final = np.full(SAME + 1, Relation.LIKE, np.uint8)
"""The relation of two words by how like they are."""
_KINDS[[0, SYNONYM, SAME]] = Relation.NONE, Relation.SYNONYM, Relation.SAME


@dataclass(frozen=True, eq=False)
class PairSide:
    """The words of a statement, those of its question first; or of a passage.

    Attributes:
        rows: The row of each word among all coordinates, shape ``(n,)``.
        marks: What is known of them before they are compared, shape ``(n, n_marks)``.
        spans: Plain start and end of each, in answer, question or page, shape ``(n, 2)``.
        qualifiers: Their `klopt.comparing.words.Side.qualifiers`.
        sentences: The sentence of each, from 0; all 0 of a statement.
    """

    rows: Integers
    marks: Floats
    spans: Integers
    qualifiers: Integers
    sentences: Integers

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, eq=False)
class Pair:
    """A statement, after its question if there is one, beside a passage.

    Attributes:
        claim: The statement.
        page: The passage.
        relations: A `Relation` for each word of the statement and each of the passage.
        cosines: The same, how near they are.
    """

    claim: PairSide
    page: PairSide
    relations: NDArray[np.uint8]
    cosines: Floats


@dataclass(frozen=True, eq=False)
class BatchSide:
    """One side of pairs side by side, filled up to the longest.

    Attributes:
        rows: The row of each word in the table of coordinates, shape ``(n, n_words)``.
        marks: Shape ``(n, n_words, len(MARKS))``.
        mask: Where there is a word.
    """

    rows: Integers
    marks: Floats
    mask: NDArray[np.bool_]

    @classmethod
    def of(cls, sides: Sequence[PairSide]) -> BatchSide:
        """The sides of some pairs, before they are compared."""
        shape = len(sides), max(map(len, sides), default=0) or 1
        made = cls(
            np.zeros(shape, np.int64),
            np.zeros((*shape, len(MARKS)), np.float32),
            np.zeros(shape, np.bool_),
        )
        for row, side in enumerate(sides):
            made.rows[row, : len(side)] = side.rows
            made.marks[row, : len(side), _OWN] = side.marks
            made.mask[row, : len(side)] = True
        return made


@dataclass(frozen=True, eq=False)
class Batch:
    """Pairs side by side.

    Attributes:
        claim: The statements.
        page: The passages.
        relations: Shape ``(n, n_claim, n_page)``.
        cosines: Shape as ``relations``; 0 where there is no word.
    """

    claim: BatchSide
    page: BatchSide
    relations: NDArray[np.uint8]
    cosines: Floats


def batch_of(pairs: Sequence[Pair]) -> Batch:
    """Pairs as one batch."""
    claim = BatchSide.of([pair.claim for pair in pairs])
    page = BatchSide.of([pair.page for pair in pairs])
    shape = *claim.mask.shape, page.mask.shape[1]
    relations, nearness = np.zeros(shape, np.uint8), np.zeros(shape, np.float32)
    for row, pair in enumerate(pairs):
        relations[row, : len(pair.claim), : len(pair.page)] = pair.relations
        nearness[row, : len(pair.claim), : len(pair.page)] = pair.cosines
    bits = np.left_shift(np.uint8(1), relations)
    same = relations == Relation.SAME
    pairs_of_words = same[:, :-1, :-1] & same[:, 1:, 1:]
    for marks, axis in ((claim.marks, 2), (page.marks, 1)):
        relations_of = np.bitwise_or.reduce(bits, axis=axis)
        for relation, mark in enumerate(("same", "synonym", "like", "rival"), 1):
            marks[:, :, _NUMBERS[mark]] = relations_of & (1 << relation) > 0
        marks[:, :, _NUMBERS["rival"]] *= 1 - marks[:, :, _NUMBERS["same"]]
        marks[:, :, _NUMBERS["nearest"]] = nearness.max(axis=axis, initial=0)
        paired, pair_marks = pairs_of_words.any(axis=axis), marks[:, :, _NUMBERS["same_pair"]]
        pair_marks[:, :-1] = paired
        pair_marks[:, 1:] = np.maximum(pair_marks[:, 1:], paired)
    return Batch(claim, page, relations, nearness)


class Pairing:
    """An answer and its question, ready to be held against places of its pages.

    Args:
        match: The answer on its pages.
        question: The question's words.
        answer: The answer's.
        pages: Those of the pages, in the order of ``match.contexts``.
        vectors: Of the language.
        relations: Of the language.
    """

    def __init__(
        self,
        match: Match,
        question: Side,
        answer: Side,
        pages: Sequence[Side],
        vectors: WordVectors,
        relations: Relations,
    ) -> None:
        self.answer, self.question, self.pages = answer, question, pages
        words = list(dict.fromkeys((*question.words, *answer.words)))
        numbers = {word: number for number, word in enumerate(words)}
        self._of_answer = np.array([numbers[word] for word in answer.words], np.int64)
        self._asked = np.arange(len(words)) < len(question.words)
        points = [vectors.of(words), *map(vectors.of_text, pages)]
        self.coordinates = np.concatenate([one for one, _ in points])
        self._rarities = [one for _, one in points]
        self._first_rows = np.cumsum([len(one) for one, _ in points]).tolist()
        self._match, self._words, self._relations = match, words, relations
        self._likes_rows = np.array([numbers[word] for word in match.words], np.int64)
        self._beside: dict[int, tuple[NDArray[np.uint8], NDArray[np.bool_]]] = {}

    def pair(self, statement: tuple[int, int], page: int, place: tuple[int, int]) -> Pair:
        """A statement after the question, beside a place of a page.

        Args:
            statement: Its plain stretch in the answer.
            page: The number of the page.
            place: The plain stretch there.
        """
        answer, question, side = self.answer, self.question, self.pages[page]
        relations, asked = self._beside.get(page) or self._held_beside(page)
        of_claim = answer.between(*statement, LONGEST)
        of_page = side.between(*place, LONGEST)
        claim_ids = self._of_answer[answer.ids[of_claim]]
        claim = np.concatenate([question.ids[:LONGEST], claim_ids])
        marks = np.concatenate([question.flags[:LONGEST], answer.flags[of_claim]])
        of_question = np.zeros(len(claim), np.float32)
        of_question[: len(claim) - len(claim_ids)] = 1
        asked_spans, asked_qualifiers = question.spans[:LONGEST], question.qualifiers[:LONGEST]
        page_ids, sentences = side.ids[of_page], side.sentences[of_page]
        rows, coordinates = page_ids + self._first_rows[page], self.coordinates
        return Pair(
            PairSide(
                claim,
                _marks(marks, self._asked[claim], of_question, self._rarities[0][claim]),
                np.concatenate([asked_spans, answer.spans[of_claim]]),
                np.concatenate([asked_qualifiers, answer.qualifiers[of_claim]]),
                np.zeros_like(claim),
            ),
            PairSide(
                rows,
                _marks(
                    side.flags[of_page],
                    asked[page_ids],
                    np.zeros(len(page_ids), np.float32),
                    self._rarities[page + 1][page_ids],
                ),
                side.spans[of_page],
                side.qualifiers[of_page],
                sentences - sentences[:1].sum(),
            ),
            relations[claim[:, None], page_ids],
            cosines(coordinates.take(claim, 0), coordinates.take(rows, 0)),
        )

    def _held_beside(self, page: int) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """A `Relation` for each word of the turn and each of a page; which of those are asked."""
        side = self.pages[page]
        likes, index = self._match.word_likes[page], self._match.contexts[page].index
        table = _table(self._words, side, likes, self._likes_rows, index, self._relations)
        asked = np.zeros(len(side.words), np.bool_)
        asked[[side.numbers[word] for word in self.question.words if word in side.numbers]] = True
        return self._beside.setdefault(page, (table, asked))


def _marks(
    flags: Floats, asked: NDArray[np.bool_], of_question: Floats, rarities: Floats
) -> Floats:
    marks = np.empty((len(flags), len(FLAGS) + 3), np.float32)
    marks[:, : len(FLAGS)] = flags
    for column, known in enumerate((asked, of_question, rarities), len(FLAGS)):
        marks[:, column] = known
    return marks


def _table(
    words: Sequence[str],
    page: Side,
    likes: NDArray[np.int16],
    rows: Integers,
    index: PageIndex,
    relations: Relations,
) -> NDArray[np.uint8]:
    """A `Relation` for each word of the turn and each of the page."""
    numbers = page.numbers
    table = np.zeros((len(words), len(page.words)), np.uint8)
    columns = [numbers[word] for word in index.units.words]
    table[rows[:, None], columns] = _KINDS.take(likes)
    for row, word in enumerate(words):
        if word[0] in LITERAL_SIGNS:
            table[row, page.literals[word[0]]] = Relation.RIVAL
        for rival in relations.rivals(word):
            if rival in numbers:
                table[row, numbers[rival]] = Relation.RIVAL
        same = numbers.get(word)
        if same is not None:
            table[row, same] = Relation.SAME
    return table
