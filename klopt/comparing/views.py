"""Pairs as the families of comparisons see them: each word beside its likest on the other side.

Two words belong together where tables or vectors say so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from klopt.comparing.findings import FindingPlaces
from klopt.comparing.pairs import MARKS, Batch, Pair, Relation
from klopt.comparing.words import Bools, Floats, bit_of
from klopt.matching.units import Integers

__all__ = [
    "Family",
    "SideView",
    "Views",
    "after",
    "most_of",
    "reach",
    "share",
    "shares",
    "total",
    "views_of",
]

MATCHED: Final = 0.5
"""From here on two words are taken to say the same."""
LIKENESS: Final = np.array([0, 1, 0.9, 0.65, 0], np.float32)
"""What each `Relation` counts."""
NEARNESS: Final = 0.7
"""What the cosine of two words counts that no table knows as related."""
total: Final = np.add.reduce
"""Faster than the method, on arrays as small as these."""
BEFORE, AFTER = 4, 4
"""So many words before and after it a negation reaches."""
NEIGHBOURS: Final = 0.15
"""What it counts for two words that their neighbours are like each other too."""


Family: TypeAlias = tuple[list[Floats], list[FindingPlaces]]
"""What a family says of pairs: numbers, one or more for each of them, and findings."""


@dataclass(frozen=True, eq=False)
class SideView:
    """One side of all pairs; every field of shape ``(n_pairs, n_words)`` unless it says otherwise.

    Attributes:
        here: Where there is a word; of the statement's side without the question's.
        content: Where there is a word with content of its own.
        has: Each of `klopt.comparing.pairs.MARKS` → where a word has it.
        nearest: The highest cosine with a word of the other side.
        qualifiers: The bits of `klopt.comparing.words.QUALIFIERS`; none where there is no word.
        weights: How much a word counts, by its rarity; 0 where there is no word with content.
        likeness: How like the likest word of the other side is, 0 to 1.
        partners: The number of that word.
        matched: Where a word with content has one on the other side.
        alone: Where a word with content has none there.
        denied: Where a negation reaches.
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

    def says(self, *names: str) -> Bools:
        """Where a word belongs to one of some of `klopt.comparing.words.QUALIFIERS`."""
        is_said: Bools = self.qualifiers & bit_of(*names) > 0
        return is_said


@dataclass(frozen=True, eq=False)
class Views:
    """Some pairs, as the families see them.

    Attributes:
        claim: The statements.
        asked: The questions before them; their words have the partners of the statement's.
        page: The passages; the partners of their words are words of the statement.
        home: The words of the sentence of each passage that has most of the statement.
        led_home: Where the partner of a word of question and statement is one of these.
        relations: A `Relation` for each word of question and statement and each of the passage.
        cosines: Shape as ``relations``.
        around: Of each two words, how many of the two before and after are partners, 0 to 1.
        opening: The number of the statement's first word, shape ``(n_pairs,)``.
    """

    claim: SideView
    asked: SideView
    page: SideView
    home: Bools
    led_home: Bools
    relations: NDArray[np.uint8]
    cosines: Floats
    around: Floats
    opening: Integers

    def of_partners(self, values: NDArray[Any]) -> NDArray[Any]:
        """What is known of words of the passage, for the partner of each word of the statement."""
        rows = np.arange(len(self.home))[:, None]
        of_each: NDArray[Any] = values[..., rows, self.claim.partners]
        return of_each


def views_of(pairs: Sequence[Pair], batch: Batch) -> Views:
    """Pairs as views.

    Args:
        pairs: At least one.
        batch: The same, side by side.
    """
    asked = (batch.claim.marks[:, :, MARKS.index("of_question")] > 0) & batch.claim.mask
    stated = batch.claim.mask & ~asked
    likeness = np.maximum(LIKENESS.take(batch.relations), NEARNESS * batch.cosines)
    likeness[batch.relations == Relation.RIVAL] = 0
    likeness *= batch.claim.mask[:, :, None] & batch.page.mask[:, None, :]
    placed = likeness.copy()
    placed[:, 1:, 1:] += NEIGHBOURS * likeness[:, :-1, :-1]
    placed[:, :-1, :-1] += NEIGHBOURS * likeness[:, 1:, 1:]
    to_page = placed.argmax(axis=2)
    likest = likeness.max(axis=2)
    own = placed * stated[:, :, None]
    to_claim = own.argmax(axis=1)
    back = (likeness * stated[:, :, None]).max(axis=1)
    claim_bits = _filled([pair.claim.qualifiers for pair in pairs], stated.shape[1])
    page_bits = _filled([pair.page.qualifiers for pair in pairs], batch.page.mask.shape[1])
    sentences = _filled([pair.page.sentences for pair in pairs], batch.page.mask.shape[1])

    def side(
        here: Bools, flags: Floats, bits: Integers, likest: Floats, partners: Integers
    ) -> SideView:
        content = here & (flags[:, :, MARKS.index("stop")] == 0)
        marked = np.ascontiguousarray((flags > 0).transpose(2, 0, 1)) & here
        has = dict(zip(MARKS, marked, strict=True))
        likest = likest * here
        return SideView(
            here,
            content,
            has,
            flags[:, :, MARKS.index("nearest")],
            bits * here,
            (flags[:, :, MARKS.index("rarity")] + 0.1) * content,
            likest,
            partners,
            content & (likest >= MATCHED),
            content & (likest < MATCHED),
            reach(has["negated"]),
        )

    claim = side(stated, batch.claim.marks, claim_bits, likest, to_page)
    home = _home(claim, sentences) & batch.page.mask
    return Views(
        claim,
        side(asked, batch.claim.marks, claim_bits, likest, to_page),
        side(batch.page.mask, batch.page.marks, page_bits, back, to_claim),
        home,
        np.take_along_axis(home, to_page, 1),
        batch.relations,
        batch.cosines,
        _around(batch.relations, stated),
        stated.argmax(axis=1),
    )


def reach(marked: Bools) -> Bools:
    """Words and their neighbours: where a negation reaches that stands there."""
    count = marked.shape[1]
    sums = np.zeros((len(marked), BEFORE + 1 + count + AFTER), np.int64)
    np.cumsum(marked, axis=1, out=sums[:, BEFORE + 1 : BEFORE + 1 + count])
    sums[:, BEFORE + 1 + count :] = sums[:, BEFORE + count, None]
    reached: Bools = sums[:, BEFORE + AFTER + 1 :] > sums[:, :count]
    return reached


def after(marked: Bools) -> Bools:
    """The three words after some, along the last axis."""
    following = np.zeros_like(marked)
    for step in (1, 2, 3):
        following[..., step:] |= marked[..., :-step]
    return following


def share(values: NDArray[Any], weights: NDArray[Any]) -> Floats:
    """The weighted mean of each row; 0 without weight."""
    shares_of: Floats = total(values * weights, 1) / np.maximum(total(weights, 1), 1e-6)
    return shares_of


def shares(values: Sequence[NDArray[Any]], weights: NDArray[Any]) -> Floats:
    """The `share` of each of some values by the same weights, the values along the first axis."""
    shares_of: Floats = total(np.array(values) * weights, -1)
    shares_of /= np.maximum(total(weights, 1), 1e-6)
    return shares_of


def most_of(rows: Integers, values: NDArray[Any], count: int) -> Floats:
    """The highest value, from 0 on, that was found in each of so many pairs."""
    highest: Floats = np.zeros(count, np.float32)
    np.maximum.at(highest, rows, values.astype(np.float32))
    return highest


def _filled(rows: Sequence[Integers], width: int) -> Integers:
    filled = np.zeros((len(rows), width), np.int64)
    for row, values in enumerate(rows):
        filled[row, : len(values)] = values
    return filled


def _home(claim: SideView, sentences: Integers) -> Bools:
    """The words of the sentence to which most of the statement's weight leads."""
    count = int(sentences.max(initial=0)) + 1
    rows = np.arange(len(sentences))[:, None]
    led = np.take_along_axis(sentences, claim.partners, 1) + rows * count
    gains = claim.weights * claim.likeness
    sums = np.bincount(led.ravel(), gains.ravel(), len(sentences) * count)
    home: Bools = sentences == sums.reshape(-1, count).argmax(axis=1)[:, None]
    return home


def _around(relations: NDArray[np.uint8], stated: Bools) -> Floats:
    same = (relations == Relation.SAME) | (relations == Relation.SYNONYM)
    steps = (same & stated[:, :, None]).astype(np.float32)
    steps *= 0.5
    around: Floats = np.zeros_like(steps)
    for step in (1, 2):
        around[:, step:, step:] += steps[:, :-step, :-step]
        around[:, :-step, :-step] += steps[:, step:, step:]
    np.minimum(around, 1, out=around)
    return around
