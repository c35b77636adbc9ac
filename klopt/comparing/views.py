"""Statements beside passages, word by word: what stands where, and what that says of each word.

Two words belong together where tables or vectors say so. Of each pair there are numbers, which the
model reads, and slots, which people read: which words the other side has, which are new, and which
stand in others' place. What a sentence says of its words is in `klopt.comparing.slots`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from klopt.comparing.findings import SlotPlaces
from klopt.comparing.pairs import MARKS, Batch, Pair, Relation
from klopt.comparing.words import Bools, Floats, bit_of
from klopt.matching.units import Integers

__all__ = [
    "MATCHED",
    "NEAR",
    "SideView",
    "Views",
    "after",
    "coverage",
    "most_of",
    "novelty",
    "reach",
    "share",
    "shares",
    "substitution",
    "total",
    "values",
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
WEAKEST: Final = 3
"""So many of the least covered words are told one by one."""
FAR: Final = 0.3
"""Below this nothing in the passage is like a word."""
RARE: Final = 0.5
"""From this weight on a new word is told; of names `values` tells."""
NEAR: Final = 0.35
"""From this cosine on two words are near enough for one to stand in the other's place."""
ALIKE: Final = 0.9
"""A word of the passage with a word this like it in the statement is not free to be another."""
KINDS: Final = (("number", "value"), ("literal", "key"), ("component", "name"), ("capital", "name"))
"""The mark of a word, and the kind of what is found of it."""
AT_HOME, ANYWHERE = 0.5, 0.01
"""What it counts that another of its kind stands in the nearest sentence, or in the passage; as
much as `AT_HOME` is told."""
NEIGHBOURS: Final = 0.15
"""What it counts for two words that their neighbours are like each other too."""


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
        found: Bools = self.qualifiers & bit_of(*names) > 0
        return found


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
        found: NDArray[Any] = values[..., rows, self.claim.partners]
        return found


def views_of(pairs: Sequence[Pair], batch: Batch) -> Views:
    """Pairs as views.

    Args:
        pairs: At least one.
        batch: The same, side by side.
    """
    asked = (batch.claim_marks[:, :, MARKS.index("of_question")] > 0) & batch.claim_mask
    stated = batch.claim_mask & ~asked
    likeness = np.maximum(LIKENESS.take(batch.relations), NEARNESS * batch.cosines)
    likeness[batch.relations == Relation.RIVAL] = 0
    likeness *= batch.claim_mask[:, :, None] & batch.page_mask[:, None, :]
    placed = likeness.copy()
    placed[:, 1:, 1:] += NEIGHBOURS * likeness[:, :-1, :-1]
    placed[:, :-1, :-1] += NEIGHBOURS * likeness[:, 1:, 1:]
    to_page = placed.argmax(axis=2)
    likest = likeness.max(axis=2)
    own = placed * stated[:, :, None]
    to_claim = own.argmax(axis=1)
    back = (likeness * stated[:, :, None]).max(axis=1)
    claim_bits = _filled([one.claim_qualifiers for one in pairs], stated.shape[1])
    page_bits = _filled([one.page_qualifiers for one in pairs], batch.page_mask.shape[1])
    sentences = _filled([one.page_sentences for one in pairs], batch.page_mask.shape[1])

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

    claim = side(stated, batch.claim_marks, claim_bits, likest, to_page)
    home = _home(claim, sentences) & batch.page_mask
    return Views(
        claim,
        side(asked, batch.claim_marks, claim_bits, likest, to_page),
        side(batch.page_mask, batch.page_marks, page_bits, back, to_claim),
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
    found: Bools = sums[:, BEFORE + AFTER + 1 :] > sums[:, :count]
    return found


def after(marked: Bools) -> Bools:
    """The three words after some, along the last axis."""
    found = np.zeros_like(marked)
    for step in (1, 2, 3):
        found[..., step:] |= marked[..., :-step]
    return found


def share(values: NDArray[Any], weights: NDArray[Any]) -> Floats:
    """The weighted mean of each row; 0 without weight."""
    found: Floats = total(values * weights, 1) / np.maximum(total(weights, 1), 1e-6)
    return found


def shares(values: Sequence[NDArray[Any]], weights: NDArray[Any]) -> Floats:
    """The `share` of each of some values by the same weights, the values along the first axis."""
    found: Floats = total(np.array(values) * weights, -1)
    found /= np.maximum(total(weights, 1), 1e-6)
    return found


def most_of(rows: Integers, values: NDArray[Any], count: int) -> Floats:
    """The highest value, from 0 on, that was found in each of so many pairs."""
    found: Floats = np.zeros(count, np.float32)
    np.maximum.at(found, rows, values.astype(np.float32))
    return found


def _filled(rows: Sequence[Integers], width: int) -> Integers:
    found = np.zeros((len(rows), width), np.int64)
    for row, values in enumerate(rows):
        found[row, : len(values)] = values
    return found


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
    found: Floats = np.zeros_like(steps)
    for step in (1, 2):
        found[:, step:, step:] += steps[:, :-step, :-step]
        found[:, :-step, :-step] += steps[:, step:, step:]
    np.minimum(found, 1, out=found)
    return found


def coverage(views: Views) -> tuple[list[Floats], list[SlotPlaces]]:
    """Coverage both ways: of all words, without the question's, in the nearest sentence."""
    claim, asked, page, home = views.claim, views.asked, views.page, views.home
    unasked = claim.weights * ~claim.has["asked"]
    at_home = claim.likeness * views.led_home
    same = claim.has["same"] * 1.0
    of_home = page.weights * home
    to_asked = np.maximum(page.likeness, (views.relations == Relation.SAME).any(axis=1) * page.here)
    nearest = claim.nearest * claim.here
    spread = claim.matched & ~views.led_home
    by_weight = shares(
        [
            *(claim.likeness, at_home, claim.has["same_pair"], claim.has["asked"]),
            *(nearest, (views.cosines * home[:, None, :]).max(axis=2, initial=0), spread),
        ],
        claim.weights,
    )
    numbers = [
        *shares([same, np.maximum(same, claim.has["synonym"])], claim.weights),
        *by_weight[:2],
        share(claim.likeness, unasked),
        by_weight[2],
        share(page.likeness, page.weights),
        *shares([page.likeness, to_asked], of_home),
        *shares([asked.likeness, asked.likeness * views.led_home], asked.weights),
        by_weight[3],
        claim.content.sum(axis=1),
        claim.here.sum(axis=1),
        page.content.sum(axis=1),
        (page.content & home).sum(axis=1),
        claim.weights.sum(axis=1),
        of_home.sum(axis=1),
        by_weight[4],
        share(nearest, claim.weights * claim.alone),
        by_weight[5],
        share(page.nearest, of_home),
        _longest_run(claim.has["same_pair"]),
        by_weight[6],
        _passages(claim.partners, claim.matched),
        *_weakest(claim.likeness, claim.weights),
        *_weakest(page.likeness, of_home),
    ]
    return numbers, []


def _longest_run(marked: Bools) -> Integers:
    """The number of words of the longest stretch of marked words."""
    numbers = np.arange(marked.shape[1])
    last = np.maximum.accumulate(np.where(marked, -1, numbers), axis=1)
    found: Integers = (numbers - last).max(axis=1)
    return found


def _passages(partners: Integers, kept: Bools) -> Floats:
    """How far apart the partners of neighbours stand, 0 to 1."""
    leaps = np.abs(np.diff(partners, axis=1)) > 6
    both = kept[:, 1:] & kept[:, :-1]
    found: Floats = (leaps & both).sum(axis=1) / np.maximum(both.sum(axis=1), 1)
    return found


def _weakest(likeness: Floats, weights: Floats) -> Floats:
    """What the words lack that lack most, the worst first, shape ``(WEAKEST, n_pairs)``."""
    lacks = np.zeros((len(weights), max(WEAKEST, weights.shape[1])), np.float32)
    lacks[:, : weights.shape[1]] = (likeness - 1) * weights
    lacks.sort(axis=1)
    found: Floats = -lacks[:, :WEAKEST].T
    return found


def novelty(views: Views) -> tuple[list[Floats], list[SlotPlaces]]:
    """How many, how rare, and how far from all that the passage says."""
    claim = views.claim
    new = claim.content & (claim.likeness < FAR) & ~claim.has["asked"]
    loose = claim.alone & ~claim.has["asked"]
    weights = claim.weights * new
    numbers = [
        new.sum(axis=1),
        loose.sum(axis=1),
        weights.sum(axis=1),
        weights.max(axis=1),
        (claim.weights * loose).sum(axis=1),
        (claim.weights * loose).sum(axis=1) / np.maximum(claim.weights.sum(axis=1), 1e-6),
        np.where(loose, claim.likeness, 1).min(axis=1),
    ]
    named = np.any([claim.has[mark] for mark, _ in KINDS], axis=0)
    rows, words = np.nonzero(new & (claim.weights >= RARE) & ~named)
    slot = SlotPlaces("added", "open", np.column_stack([rows, words, np.full(len(rows), -1)]))
    return numbers, [slot]


def substitution(views: Views) -> tuple[list[Floats], list[SlotPlaces]]:
    """Words that stand free on both sides and are near each other or exclude each other.

    A place counts more where the words around are partners too.
    """
    claim, page, count = views.claim, views.page, len(views.home)
    rows, words = np.nonzero(claim.alone)
    near = views.cosines[rows, words] * page.alone[rows]
    placed = near * views.around[rows, words]
    best = near.max(axis=1, initial=0)
    placed_at_home = (placed * views.home[rows]).max(axis=1, initial=0)
    lone = np.flatnonzero(placed.max(axis=1) >= NEAR)
    replaced = np.column_stack([rows, words, placed.argmax(axis=1)])[lone]
    numbers: list[Floats] = [
        most_of(rows, best, count),
        np.bincount(rows, best, count),
        np.bincount(rows, best >= NEAR, count),
        most_of(rows, best * claim.weights[rows, words], count),
        most_of(rows, (near * views.home[rows]).max(axis=1, initial=0), count),
        most_of(rows, placed.max(axis=1), count),
        np.bincount(rows, placed_at_home, count),
    ]
    excluded = (views.relations == Relation.RIVAL).any(axis=2) & ~claim.has["same"]
    rows, words = np.nonzero(excluded & claim.here)
    rivals = views.relations[rows, words] == Relation.RIVAL
    free = rivals & (page.likeness < ALIKE)[rows]
    for some in (rivals, free, rivals & views.home[rows], free & views.home[rows]):
        numbers.append(np.bincount(rows, some.any(axis=1), count))
    numbers.append(most_of(rows, (rivals * views.around[rows, words]).max(axis=1), count))
    denied = claim.denied[rows, words][:, None] == page.denied[rows]
    opposite = free & views.home[rows] & denied
    others = np.where(opposite, views.cosines[rows, words], -2).argmax(axis=1)
    places = np.column_stack([rows, words, others])[opposite.any(axis=1)]
    figure = claim.has["number"] | claim.has["literal"]
    return numbers, [
        SlotPlaces("opposite", "against", places[~figure[places[:, 0], places[:, 1]]]),
        SlotPlaces("replaced", "against", replaced[~figure[replaced[:, 0], replaced[:, 1]]]),
    ]


def values(views: Views) -> tuple[list[Floats], list[SlotPlaces]]:
    """What is named to the letter: found, replaced by another of its kind, or new."""
    claim, page, count = views.claim, views.page, len(views.home)
    is_known = claim.has["same"] | claim.has["synonym"]
    mine, theirs = _by_kind(claim), _by_kind(page)
    known, lost = mine & is_known, mine & ~is_known & (claim.likeness < ALIKE)
    spare = theirs & (page.likeness < ALIKE)
    counts = [
        total(one, 2) for one in (known, lost, lost & ~claim.has["asked"], spare & views.home)
    ]
    numbers: list[Floats] = []
    slots = []
    for number, (_, kind) in enumerate(KINDS):
        rows, words = lost[number].nonzero()
        found = known[number].nonzero()
        slots.append(SlotPlaces(kind, "for", np.column_stack([*found, claim.partners[found]])))
        numbers += [one[number] for one in counts]
        if not len(rows):
            numbers.append(np.zeros(count, np.float32))
            continue
        near = views.around[rows, words] + views.home[rows] * AT_HOME + ANYWHERE
        placed = spare[number][rows] * near
        highest = placed.max(axis=1)
        numbers.append(most_of(rows, highest, count))
        others = np.where(highest >= AT_HOME, placed.argmax(axis=1), -1)
        places = np.column_stack([rows, words, others])
        slots += [
            SlotPlaces(kind, "against", places[others >= 0]),
            SlotPlaces(kind, "open", places[others < 0]),
        ]
    numbers.append(_other_number(views))
    return numbers, slots


def _by_kind(words: SideView) -> Bools:
    """Where a word with content is of each of `KINDS`, and of none before it."""
    found: list[Bools] = []
    left = words.content
    for mark, _ in KINDS:
        found.append(left & words.has[mark])
        left = left & ~words.has[mark]
    return np.array(found)


def _other_number(views: Views) -> Floats:
    """1 where a number that the passage lacks stands before a word that has another one there."""
    lost = views.claim.has["number"] & ~views.claim.has["same"]
    rows, words = np.nonzero(lost[:, :-1] & views.claim.here[:, 1:])
    beside = views.relations[rows, words + 1, 1:] == Relation.SAME
    return most_of(rows, (beside & views.page.has["number"][rows, :-1]).any(axis=1), len(lost))
