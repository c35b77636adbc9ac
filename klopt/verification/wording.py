"""Feature families about a claim's words: covered, new, substituted, and named values.

A family returns features, which the small networks read, and findings, which people read.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from klopt.verification.findings import FindingPlaces
from klopt.verification.pairs import Relation
from klopt.verification.units import Integers
from klopt.verification.views import Family, SideView, Views, most_of, share, shares, total
from klopt.verification.words import Bools, Floats

__all__ = ["NEAR", "families"]

LEAST_COVERED: Final = 3
"""The least covered words that are features of their own."""
FAR: Final = 0.3
"""Similarity below which a word is new."""
RARE: Final = 0.5
"""Weight from which a new word is a finding; `values` finds names."""
NEAR: Final = 0.35
"""Cosine from which a word may replace another."""
ALIKE: Final = 0.9
"""Similarity to a word of the claim from which a word of the passage replaces no other."""
KINDS: Final = (("number", "value"), ("literal", "key"), ("component", "name"), ("capital", "name"))
"""The mark of a word, and the kind of its findings."""
AT_HOME, ANYWHERE = 0.5, 0.01
"""Score of another value of the same kind in the best sentence, or in the passage; from
`AT_HOME` on it is a finding."""


def families(views: Views) -> tuple[Family, ...]:
    """Return the features and findings of each family."""
    return coverage(views), novelty(views), substitution(views), values(views)


def coverage(views: Views) -> Family:
    """Coverage in both directions: all words, without the question's, in the best sentence."""
    claim, question, page, home = views.claim, views.question, views.page, views.best
    unasked = claim.weights * ~claim.has["in_question"]
    at_home = claim.likeness * views.in_best
    same = claim.has["same"] * 1.0
    of_home = page.weights * home
    to_asked = np.maximum(page.likeness, (views.relations == Relation.SAME).any(axis=1) * page.here)
    nearest = claim.nearest * claim.here
    spread = claim.matched & ~views.in_best
    by_weight = shares(
        [
            *(claim.likeness, at_home, claim.has["same_pair"], claim.has["in_question"]),
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
        *shares([question.likeness, question.likeness * views.in_best], question.weights),
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
    """Return the number of words of the longest run of marked words."""
    numbers = np.arange(marked.shape[1])
    last = np.maximum.accumulate(np.where(marked, -1, numbers), axis=1)
    longest: Integers = (numbers - last).max(axis=1)
    return longest


def _passages(partners: Integers, kept: Bools) -> Floats:
    """Return the share of neighbours whose partners are far apart, 0 to 1."""
    leaps = np.abs(np.diff(partners, axis=1)) > 6
    both = kept[:, 1:] & kept[:, :-1]
    share_of_leaps: Floats = (leaps & both).sum(axis=1) / np.maximum(both.sum(axis=1), 1)
    return share_of_leaps


def _weakest(likeness: Floats, weights: Floats) -> Floats:
    """Return how little the least covered words are covered, shape ``(LEAST_COVERED, n_pairs)``."""
    lacks = np.zeros((len(weights), max(LEAST_COVERED, weights.shape[1])), np.float32)
    lacks[:, : weights.shape[1]] = (likeness - 1) * weights
    lacks.sort(axis=1)
    weakest: Floats = -lacks[:, :LEAST_COVERED].T
    return weakest


def novelty(views: Views) -> Family:
    """New words: how many, how rare, and how dissimilar to the passage."""
    claim = views.claim
    new = claim.content & (claim.likeness < FAR) & ~claim.has["in_question"]
    loose = claim.alone & ~claim.has["in_question"]
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
    finding = FindingPlaces("added", "open", np.column_stack([rows, words, np.full(len(rows), -1)]))
    return numbers, [finding]


def substitution(views: Views) -> Family:
    """Unaligned words of both sides that are similar or exclude each other.

    A pair of words counts more where their neighbours are aligned.
    """
    claim, page, count = views.claim, views.page, len(views.best)
    rows, words = np.nonzero(claim.alone)
    near = views.cosines[rows, words] * page.alone[rows]
    placed = near * views.around[rows, words]
    best = near.max(axis=1, initial=0)
    placed_at_home = (placed * views.best[rows]).max(axis=1, initial=0)
    numbers: list[Floats] = [
        most_of(rows, best, count),
        np.bincount(rows, best, count),
        np.bincount(rows, best >= NEAR, count),
        most_of(rows, best * claim.weights[rows, words], count),
        most_of(rows, (near * views.best[rows]).max(axis=1, initial=0), count),
        most_of(rows, placed.max(axis=1), count),
        np.bincount(rows, placed_at_home, count),
    ]
    excluded = (views.relations == Relation.RIVAL).any(axis=2) & ~claim.has["same"]
    rows, words = np.nonzero(excluded & claim.here)
    rivals = views.relations[rows, words] == Relation.RIVAL
    free = rivals & (page.likeness < ALIKE)[rows]
    for some in (rivals, free, rivals & views.best[rows], free & views.best[rows]):
        numbers.append(np.bincount(rows, some.any(axis=1), count))
    numbers.append(most_of(rows, (rivals * views.around[rows, words]).max(axis=1), count))
    denied = claim.denied[rows, words][:, None] == page.denied[rows]
    opposite = free & views.best[rows] & denied
    others = np.where(opposite, views.cosines[rows, words], -2).argmax(axis=1)
    places = np.column_stack([rows, words, others])[opposite.any(axis=1)]
    figure = claim.has["number"] | claim.has["literal"]
    places = places[~figure[places[:, 0], places[:, 1]]]
    return numbers, [FindingPlaces("opposite", "against", places)]


def values(views: Views) -> Family:
    """Values and names: found, replaced by another of their kind, or new."""
    claim, page, count = views.claim, views.page, len(views.best)
    is_known = claim.has["same"] | claim.has["synonym"]
    mine, theirs = _by_kind(claim), _by_kind(page)
    known, lost = mine & is_known, mine & ~is_known & (claim.likeness < ALIKE)
    spare = theirs & (page.likeness < ALIKE)
    counts = [
        total(one, 2) for one in (known, lost, lost & ~claim.has["in_question"], spare & views.best)
    ]
    numbers: list[Floats] = []
    findings = []
    for number, (_, kind) in enumerate(KINDS):
        rows, words = lost[number].nonzero()
        found = known[number].nonzero()
        findings.append(
            FindingPlaces(kind, "for", np.column_stack([*found, claim.partners[found]]))
        )
        numbers += [count[number] for count in counts]
        if not len(rows):
            numbers.append(np.zeros(count, np.float32))
            continue
        near = views.around[rows, words] + views.best[rows] * AT_HOME + ANYWHERE
        placed = spare[number][rows] * near
        highest = placed.max(axis=1)
        numbers.append(most_of(rows, highest, count))
        others = np.where(highest >= AT_HOME, placed.argmax(axis=1), -1)
        places = np.column_stack([rows, words, others])
        findings += [
            FindingPlaces(kind, "against", places[others >= 0]),
            FindingPlaces(kind, "open", places[others < 0]),
        ]
    numbers.append(_other_number(views))
    return numbers, findings


def _by_kind(words: SideView) -> Bools:
    """Return where a content word is of each of `KINDS` and of none before it."""
    by_kind: list[Bools] = []
    left = words.content
    for mark, _ in KINDS:
        by_kind.append(left & words.has[mark])
        left = left & ~words.has[mark]
    return np.array(by_kind)


def _other_number(views: Views) -> Floats:
    """Return 1 where the passage has another number before the word after a claim's number."""
    lost = views.claim.has["number"] & ~views.claim.has["same"]
    rows, words = np.nonzero(lost[:, :-1] & views.claim.here[:, 1:])
    beside = views.relations[rows, words + 1, 1:] == Relation.SAME
    return most_of(rows, (beside & views.page.has["number"][rows, :-1]).any(axis=1), len(lost))
