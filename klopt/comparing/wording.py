"""Families about the words of a statement: which the passage has, lacks, or has another one for.

A family gives numbers, which the small networks read, and findings, which people read.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from klopt.comparing.findings import FindingPlaces
from klopt.comparing.pairs import Relation
from klopt.comparing.views import Family, SideView, Views, most_of, share, shares, total
from klopt.comparing.words import Bools, Floats
from klopt.matching.units import Integers

__all__ = ["NEAR", "families"]

LEAST_COVERED: Final = 3
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


def families(views: Views) -> tuple[Family, ...]:
    """What each of these families says of some pairs."""
    return coverage(views), novelty(views), substitution(views), values(views)


def coverage(views: Views) -> Family:
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
    longest: Integers = (numbers - last).max(axis=1)
    return longest


def _passages(partners: Integers, kept: Bools) -> Floats:
    """How far apart the partners of neighbours stand, 0 to 1."""
    leaps = np.abs(np.diff(partners, axis=1)) > 6
    both = kept[:, 1:] & kept[:, :-1]
    share_of_leaps: Floats = (leaps & both).sum(axis=1) / np.maximum(both.sum(axis=1), 1)
    return share_of_leaps


def _weakest(likeness: Floats, weights: Floats) -> Floats:
    """What the words lack that lack most, the worst first, shape ``(LEAST_COVERED, n_pairs)``."""
    lacks = np.zeros((len(weights), max(LEAST_COVERED, weights.shape[1])), np.float32)
    lacks[:, : weights.shape[1]] = (likeness - 1) * weights
    lacks.sort(axis=1)
    weakest: Floats = -lacks[:, :LEAST_COVERED].T
    return weakest


def novelty(views: Views) -> Family:
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
    finding = FindingPlaces("added", "open", np.column_stack([rows, words, np.full(len(rows), -1)]))
    return numbers, [finding]


def substitution(views: Views) -> Family:
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
        FindingPlaces("opposite", "against", places[~figure[places[:, 0], places[:, 1]]]),
        FindingPlaces("replaced", "against", replaced[~figure[replaced[:, 0], replaced[:, 1]]]),
    ]


def values(views: Views) -> Family:
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
        near = views.around[rows, words] + views.home[rows] * AT_HOME + ANYWHERE
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
    """Where a word with content is of each of `KINDS`, and of none before it."""
    by_kind: list[Bools] = []
    left = words.content
    for mark, _ in KINDS:
        by_kind.append(left & words.has[mark])
        left = left & ~words.has[mark]
    return np.array(by_kind)


def _other_number(views: Views) -> Floats:
    """1 where a number that the passage lacks stands before a word that has another one there."""
    lost = views.claim.has["number"] & ~views.claim.has["same"]
    rows, words = np.nonzero(lost[:, :-1] & views.claim.here[:, 1:])
    beside = views.relations[rows, words + 1, 1:] == Relation.SAME
    return most_of(rows, (beside & views.page.has["number"][rows, :-1]).any(axis=1), len(lost))
