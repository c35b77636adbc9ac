"""Pairs with each word aligned to its most similar word on the other side.

Lexicons and word vectors decide how similar two words are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from klopt.verification.findings import FindingPlaces
from klopt.verification.pairs import MARKS, Batch, Pair, Relation
from klopt.verification.units import Bools, Floats, Integers

MATCHED: Final = 0.5
"""Similarity from which two words count as aligned."""
LIKENESS: Final = np.array([0, 1, 0.9, 0.65, 0], np.float32)
"""Similarity of two words by their `Relation`."""
NEARNESS: Final = 0.7
"""Factor of the cosine of two words that no lexicon relates."""
BEFORE, AFTER = 4, 4
"""Words before and after a negation that it negates."""
NEIGHBOURS: Final = 0.15
"""Bonus in the alignment of two words whose neighbours are similar too."""
_OF_QUESTION, _RARITY, _NEAREST = map(MARKS.index, ("of_question", "rarity", "nearest"))


Family: TypeAlias = tuple[list[Floats], list[FindingPlaces]]
"""The features of a family, one or more for each pair, and its findings."""


@dataclass(frozen=True, eq=False)
class SideView:
    """One side of all pairs; fields have shape ``(n_pairs, n_words)``.

    Attributes:
        here: Where there is a word; on the claim's side without the question's words.
        content: Where there is a content word.
        has: Mark (`klopt.verification.pairs.MARKS`) → where a word has it.
        nearest: The highest cosine with a word of the other side.
        qualifiers: The bits of `klopt.verification.words.QUALIFIERS`; 0 where there is no word.
        weights: The weight of a word, by its rarity; 0 for words that are no content words.
        likeness: The highest similarity with a word of the other side, 0 to 1.
        partners: The number of that word.
        matched: Where a content word is aligned.
        alone: Where a content word is not aligned.
        denied: Where a word is negated.
    """

    here: Bools
    content: Bools
    has: Mapping[str, Bools]
    nearest: Floats
    qualifiers: Integers
    weights: Floats
    likeness: Floats
    partners: Integers
    matched: Bools
    alone: Bools
    denied: Bools

    def inversions(self, *kept: Bools) -> Floats:
        """Return the share of word pairs whose partners are in reverse order, among kept words.

        Shape ``(n_kept, n_pairs)``.
        """
        places = self.partners.astype(np.int8)  # a side has at most `LONGEST` words
        words_kept = np.array(kept).transpose(1, 0, 2).astype(np.float32)
        later = np.tri(places.shape[1], k=-1, dtype=np.bool_).T
        turned, alike = (
            np.add.reduce((words_kept @ (one & later)) * words_kept, 2)
            for one in (
                places[:, :, None] > places[:, None, :],
                places[:, :, None] == places[:, None, :],
            )
        )
        count = np.add.reduce(words_kept, 2)
        apart = count * (count - 1) / 2 - alike
        shares: Floats = (turned.astype(np.float64) / np.maximum(apart, 1)).T
        return shares

    def leaps(self) -> Floats:
        """Return the share of aligned neighbours whose partners are far apart, 0 to 1."""
        far = np.abs(np.diff(self.partners, axis=1)) > 6
        both = self.matched[:, 1:] & self.matched[:, :-1]
        share: Floats = (far & both).sum(axis=1) / np.maximum(both.sum(axis=1), 1)
        return share

    def steps_back(self, kept: Bools) -> tuple[Floats, Floats]:
        """Return how often a partner precedes that of the word before: count and share."""
        places = np.where(kept, self.partners, -1)
        last = np.maximum.accumulate(np.where(kept, np.arange(kept.shape[1]), -1), axis=1)
        before = np.full_like(last, -1)
        before[:, 1:] = last[:, :-1]
        there = kept & (before >= 0)
        back = there & (places < np.take_along_axis(places, np.maximum(before, 0), 1))
        count: Floats = back.sum(axis=1)
        return count, count / np.maximum(there.sum(axis=1), 1)


@dataclass(frozen=True, eq=False)
class Views:
    """Aligned pairs.

    Attributes:
        claim: The claims.
        question: The questions before them.
        page: The passages; their words are aligned with words of the claim.
        best: Where a word belongs to the passage's sentence that covers most of the claim.
        in_best: Where a word of question and claim is aligned with a word of that sentence.
        relations: The `Relation` of each word of question and claim and each of the passage.
        cosines: Their cosine similarities, shape as ``relations``.
        around: The share of the two words before and after each two words that are aligned.
        opening: The number of the claim's first word, shape ``(n_pairs,)``.
    """

    claim: SideView
    question: SideView
    page: SideView
    best: Bools
    in_best: Bools
    relations: NDArray[np.uint8]
    cosines: Floats
    around: Floats
    opening: Integers


def views_of(pairs: Sequence[Pair], batch: Batch) -> Views:
    """Align pairs, at least one; ``batch`` has the same pairs, padded."""
    question = (batch.claim.marks[:, :, _OF_QUESTION] > 0) & batch.claim.mask
    stated = batch.claim.mask & ~question
    likeness = np.maximum(LIKENESS.take(batch.relations), NEARNESS * batch.cosines)
    likeness *= batch.relations != Relation.RIVAL
    likeness *= batch.claim.mask[:, :, None] & batch.page.mask[:, None, :]
    placed = likeness.copy()
    placed[:, 1:, 1:] += NEIGHBOURS * likeness[:, :-1, :-1]
    placed[:, :-1, :-1] += NEIGHBOURS * likeness[:, 1:, 1:]
    to_page = placed.argmax(axis=2)
    highest = likeness.max(axis=2)
    own = placed * stated[:, :, None]
    to_claim = own.argmax(axis=1)
    back = (likeness * stated[:, :, None]).max(axis=1)
    claim_bits = _filled([pair.claim.qualifiers for pair in pairs], stated.shape[1])
    page_bits = _filled([pair.page.qualifiers for pair in pairs], batch.page.mask.shape[1])
    sentences = _filled([pair.page.sentences for pair in pairs], batch.page.mask.shape[1])

    def side(
        here: Bools, marks: Floats, bits: Integers, highest: Floats, partners: Integers
    ) -> SideView:
        has = dict(zip(MARKS, (marks > 0) & here, strict=True))
        content, highest = here & ~has["stop"], highest * here
        near = highest >= MATCHED
        return SideView(
            here,
            content,
            has,
            marks[_NEAREST],
            bits * here,
            (marks[_RARITY] + 0.1) * content,
            highest,
            partners,
            content & near,
            content & ~near,
            reach(has["negated"]),
        )

    of_claim, of_page = (
        np.ascontiguousarray(one.marks.transpose(2, 0, 1)) for one in (batch.claim, batch.page)
    )
    claim = side(stated, of_claim, claim_bits, highest, to_page)
    best = _best_sentence(claim, sentences) & batch.page.mask
    return Views(
        claim,
        side(question, of_claim, claim_bits, highest, to_page),
        side(batch.page.mask, of_page, page_bits, back, to_claim),
        best,
        np.take_along_axis(best, to_page, 1),
        batch.relations,
        batch.cosines,
        _around(batch.relations, stated),
        stated.argmax(axis=1),
    )


def reach(marked: Bools) -> Bools:
    """Return the marked words and their neighbours, which a negation negates."""
    count = marked.shape[1]
    sums = np.zeros((len(marked), BEFORE + 1 + count + AFTER), np.int64)
    np.cumsum(marked, axis=1, out=sums[:, BEFORE + 1 : BEFORE + 1 + count])
    sums[:, BEFORE + 1 + count :] = sums[:, BEFORE + count, None]
    reached: Bools = sums[:, BEFORE + AFTER + 1 :] > sums[:, :count]
    return reached


def _filled(rows: Sequence[Integers], width: int) -> Integers:
    filled = np.zeros((len(rows), width), np.int64)
    for row, values in enumerate(rows):
        filled[row, : len(values)] = values
    return filled


def _best_sentence(claim: SideView, sentences: Integers) -> Bools:
    """Return the words of the sentence that most of the claim's weight is aligned with."""
    count = int(sentences.max(initial=0)) + 1
    rows = np.arange(len(sentences))[:, None]
    led = np.take_along_axis(sentences, claim.partners, 1) + rows * count
    gains = claim.weights * claim.likeness
    sums = np.bincount(led.ravel(), gains.ravel(), len(sentences) * count)
    best: Bools = sentences == sums.reshape(-1, count).argmax(axis=1)[:, None]
    return best


def _around(relations: NDArray[np.uint8], stated: Bools) -> Floats:
    same = (relations == Relation.SAME) | (relations == Relation.SYNONYM)
    steps = (same & stated[:, :, None]).view(np.uint8)
    aligned = np.zeros_like(steps)
    for step in (1, 2):
        aligned[:, step:, step:] += steps[:, :-step, :-step]
        aligned[:, :-step, :-step] += steps[:, step:, step:]
    around: Floats = np.minimum(aligned, 2) * np.float32(0.5)
    return around
