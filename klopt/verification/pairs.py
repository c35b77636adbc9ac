"""Pairs of a claim and a passage: word relations, similarities and marks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from klopt.text.values import LITERAL_SIGNS
from klopt.verification.index import SAME, SYNONYM, PageIndex, Relations
from klopt.verification.match import Match
from klopt.verification.networks import product
from klopt.verification.units import Floats, Integers
from klopt.verification.words import FLAGS, Side, WordVectors, lengths_of

MARKS: Final = (
    "same",
    "synonym",
    "like",
    "rival",
    "same_pair",
    *FLAGS,
    "in_question",
    "of_question",
    "rarity",
    "nearest",
)
"""The marks of a word, in this order: whether the other side has the same word, a synonym, a
similar word, or a rival and not the word itself; whether it is part of a word pair that the other
side has too; the flags of `klopt.verification.words`; whether the question has it, and whether it
belongs to the question; its rarity; the highest cosine with a word of the other side."""

_NUMBERS: Final = {mark: number for number, mark in enumerate(MARKS)}
_OWN: Final = slice(_NUMBERS["same_pair"] + 1, _NUMBERS["nearest"])
"""The marks of a word that do not depend on the other side."""

LONGEST: Final = 120
"""Words of a claim, and of a passage, that are compared; the rest is ignored."""


class Relation:
    """How two words relate.

    Plain integers: numpy compares an array with a member of an `Enum` six times as slowly.
    """

    NONE: Final = 0
    SAME: Final = 1
    SYNONYM: Final = 2
    LIKE: Final = 3
    RIVAL: Final = 4


_KINDS: Final = np.full(SAME + 1, Relation.LIKE, np.uint8)
"""Likeness of two words → their relation."""
_KINDS[[0, SYNONYM, SAME]] = Relation.NONE, Relation.SYNONYM, Relation.SAME


@dataclass(frozen=True, eq=False)
class PairSide:
    """The words of a claim, after those of its question; or of a passage.

    Attributes:
        rows: The row of each word in the table of vectors, shape ``(n,)``.
        marks: The marks that do not depend on the other side, shape ``(n, n_marks)``.
        spans: Plain start and end of each, in answer, question or page, shape ``(n, 2)``.
        qualifiers: Their `klopt.verification.words.Side.qualifiers`.
        sentences: The sentence of each, from 0; all 0 for a claim and for a row of a table.
    """

    rows: Integers
    marks: Floats
    spans: Integers
    qualifiers: Integers
    sentences: Integers


@dataclass(frozen=True, eq=False)
class Pair:
    """A claim, after its question if there is one, and a passage.

    Attributes:
        claim: The claim.
        page: The passage.
        relations: The `Relation` of each word of the claim and each word of the passage.
        cosines: The cosine similarity of the same words.
    """

    claim: PairSide
    page: PairSide
    relations: NDArray[np.uint8]
    cosines: Floats


@dataclass(frozen=True, eq=False)
class BatchSide:
    """One side of several pairs, padded to the longest.

    Attributes:
        rows: The row of each word in the table of vectors, shape ``(n, n_words)``.
        marks: Shape ``(n, n_words, len(MARKS))``.
        mask: Where there is a word.
    """

    rows: Integers
    marks: Floats
    mask: NDArray[np.bool_]

    @classmethod
    def of(cls, sides: Sequence[PairSide]) -> BatchSide:
        """Return the padded sides of some pairs."""
        counts = [len(side.rows) for side in sides]
        shape = len(sides), max(counts, default=0) or 1
        made = cls(
            np.zeros(shape, np.int64),
            np.zeros((*shape, len(MARKS)), np.float32),
            np.zeros(shape, np.bool_),
        )
        for row, (side, count) in enumerate(zip(sides, counts, strict=True)):
            made.rows[row, :count] = side.rows
            made.marks[row, :count, _OWN] = side.marks
            made.mask[row, :count] = True
        return made


@dataclass(frozen=True, eq=False)
class Batch:
    """Several pairs, padded to the longest.

    Attributes:
        claim: The claims.
        page: The passages.
        relations: Shape ``(n, n_claim, n_page)``.
        cosines: Shape as ``relations``; 0 where there is no word.
    """

    claim: BatchSide
    page: BatchSide
    relations: NDArray[np.uint8]
    cosines: Floats


def batch_of(pairs: Sequence[Pair]) -> Batch:
    """Return pairs as one batch."""
    claim = BatchSide.of([pair.claim for pair in pairs])
    page = BatchSide.of([pair.page for pair in pairs])
    shape = *claim.mask.shape, page.mask.shape[1]
    relations, nearness = np.zeros(shape, np.uint8), np.zeros(shape, np.float32)
    for row, pair in enumerate(pairs):
        own, there = pair.relations.shape
        relations[row, :own, :there], nearness[row, :own, :there] = pair.relations, pair.cosines
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


def pair_shares(batch: Batch) -> Floats:
    """Return the share of each claim's words in a pair of words that its passage has, too.

    Words of the question count only for a claim without words with content, such as "Yes, you can".
    Shape ``(n,)``; 0 for a claim without words.
    """
    claim = batch.claim
    stated = claim.mask & (claim.marks[:, :, _NUMBERS["of_question"]] == 0)
    is_bare = ~(stated & (claim.marks[:, :, _NUMBERS["stop"]] == 0)).any(axis=1)
    stated |= claim.mask & is_bare[:, None]
    paired = (claim.marks[:, :, _NUMBERS["same_pair"]] * stated).sum(axis=1)
    shares: Floats = paired / np.maximum(stated.sum(axis=1), 1)
    return shares


class Pairing:
    """Makes pairs of claims of one answer and passages of its pages.

    Args:
        match: The answer on its pages.
        question: The words of the question.
        answer: The words of the answer.
        pages: The words of the pages, in the order of ``match.contexts``.
        vectors: Word vectors of the language.
        relations: Word relations of the language.

    Attributes:
        rarities: The rarity of each word of the turn, by row, and of each word of each page.
        question_side: The first words of the question.
        answer_side: The words of the answer.
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
        of_answer = np.array([numbers[word] for word in answer.words], np.int64)
        self._of_question = np.arange(len(words)) < len(question.words)
        own, rarities = vectors.of(words)
        points = [
            (own, rarities, lengths_of(own.astype(np.float32))),
            *map(vectors.of_text, pages),
        ]
        self.coordinates = np.concatenate([one for one, _, _ in points])
        self.rarities = [one for _, one, _ in points]
        self._lengths = np.concatenate([one for _, _, one in points])
        self._first_rows = list(accumulate(len(one) for one, _, _ in points))
        self._match, self._words, self._relations = match, words, relations
        self._likes_rows = np.array([numbers[word] for word in match.words], np.int64)
        self._by_page: dict[int, tuple[NDArray[np.uint8], NDArray[np.bool_]]] = {}
        self.question_side = self._side(question, question.ids, 1, LONGEST)
        self.answer_side = self._side(answer, of_answer[answer.ids], 0, None)

    def _side(self, side: Side, rows: Integers, of_question: int, most: int | None) -> PairSide:
        """Return the first words of the question or the answer, at most ``most``."""
        rows, is_asked = rows[:most], np.full(len(rows[:most]), of_question, np.float32)
        in_question, rarities = self._of_question[rows], self.rarities[0][rows]
        marks = _marks(side.flags[:most], in_question, is_asked, rarities)
        return PairSide(rows, marks, side.spans[:most], side.qualifiers[:most], np.zeros_like(rows))

    def pair(
        self,
        claim: tuple[int, int],
        page: int,
        passage: tuple[int, int],
        rows_beside: Sequence[int] = (),
    ) -> Pair:
        """Return the pair of a claim, after the question, and a passage; both are plain spans.

        The words of a table's row are those of its cells, each before the headings of its column,
        and then those of the rows beside it that the claim names, too.
        """
        answer, side = self.answer, self.pages[page]
        relations, in_question = self._by_page.get(page) or self._related(page)
        of_claim = answer.between(*claim, LONGEST)
        of_page = self._of_row(page, *passage, rows_beside)
        if of_page is None:
            of_page = side.numbers_between(*passage)[:LONGEST]
            sentences = side.sentences[of_page]
        else:
            sentences = np.zeros_like(of_page)
        page_ids = side.ids[of_page]
        rows = page_ids + self._first_rows[page]
        own = np.concatenate([self.question_side.rows, self.answer_side.rows[of_claim]])
        return Pair(
            PairSide(
                own,
                np.concatenate([self.question_side.marks, self.answer_side.marks[of_claim]]),
                np.concatenate([self.question_side.spans, answer.spans[of_claim]]),
                np.concatenate([self.question_side.qualifiers, answer.qualifiers[of_claim]]),
                np.zeros_like(own),
            ),
            PairSide(
                rows,
                _marks(
                    side.flags[of_page],
                    in_question[page_ids],
                    np.zeros(len(page_ids), np.float32),
                    self.rarities[page + 1][page_ids],
                ),
                side.spans[of_page],
                side.qualifiers[of_page],
                sentences - sentences[:1].sum(),
            ),
            relations[own[:, None], page_ids],
            self._cosines(own, rows),
        )

    def _of_row(
        self, page: int, start: int, end: int, rows_beside: Sequence[int]
    ) -> Integers | None:
        """Return the words of a table's row, each cell before its headings; None for no row."""
        index, side = self._match.contexts[page].index, self.pages[page]
        row = bisect_left(index.units.starts, start)
        _, table = index.layout.rows.get(row, (0, None))
        if table is None or end > table.rows[row][-1].end:
            return None
        spans = chain.from_iterable(
            (cell, *table.headings[number])
            for one in dict.fromkeys((row, *rows_beside))
            for number, cell in enumerate(table.rows[one])
        )
        return np.concatenate([side.numbers_between(*span) for span in spans])[:LONGEST]

    def related(self, rows: Integers, page: int, words: slice) -> tuple[NDArray[np.uint8], Floats]:
        """Return `Relation` and cosine of words of the turn, by row, and words of a page."""
        relations, _ = self._by_page.get(page) or self._related(page)
        ids = self.pages[page].ids[words]
        return relations[rows[:, None], ids], self._cosines(rows, ids + self._first_rows[page])

    def _cosines(self, first: Integers, second: Integers) -> Floats:
        one, other = (self.coordinates.take(rows, 0).astype(np.float32) for rows in (first, second))
        products, lengths = product(one, other.T), self._lengths
        products /= np.maximum(lengths.take(first)[:, None] * lengths.take(second), 1.0)
        return products

    def _related(self, page: int) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """Return the `Relation` of the words of turn and page, and which the question has."""
        side = self.pages[page]
        likes, index = self._match.word_likes[page], self._match.contexts[page].index
        table = _table(self._words, side, likes, self._likes_rows, index, self._relations)
        numbers = [side.numbers[word] for word in self.question.words if word in side.numbers]
        in_question = np.zeros(len(side.words), np.bool_)
        in_question[numbers] = True
        return self._by_page.setdefault(page, (table, in_question))


def _marks(
    flags: Floats, in_question: NDArray[np.bool_], of_question: Floats, rarities: Floats
) -> Floats:
    marks = np.empty((len(flags), len(FLAGS) + 3), np.float32)
    marks[:, : len(FLAGS)] = flags
    for column, known in enumerate((in_question, of_question, rarities), len(FLAGS)):
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
    """Return the `Relation` of each word of the turn and each word of the page."""
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
