"""Feature families about a claim's meaning: negation, qualifiers, order, yes and no.

A family returns features, which the small networks read, and findings, which people read.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from klopt.verification.findings import FindingPlaces
from klopt.verification.pairs import Relation
from klopt.verification.units import Integers
from klopt.verification.views import Family, SideView, Views, after, reach, share, shares, total
from klopt.verification.words import QUALIFIERS, Bools, Floats, bit_of

__all__ = ["families"]

Names = tuple[str, ...]

HEAVY: Final = 0.3
"""Weight from which a word that is negated on one side only is a finding."""
LIMITS: Final[tuple[tuple[str, Names, Names], ...]] = (
    ("modality", ("must",), ()),
    ("quantity", ("all",), ("alone",)),
    ("quantity", ("alone",), ()),
    ("default", ("default",), ("automatic",)),
    ("manner", ("automatic",), ("default",)),
)
"""Kind of finding, the lists that limit a claim, and the lists that mean the same."""
REACH: Final = 3
"""Words before and after a qualifier that it qualifies."""
DIVIDING: Final = (
    ("before", "before"),
    ("before", "after"),
    ("after", "before"),
    ("after", "after"),
    ("because", "because"),
)
"""Qualifiers of claim and passage that state an order."""
UNCONFIRMED: Final = (
    *("all", "alone", "few", "may", "must", "possible"),
    *("before", "after", "automatic", "manual"),
)
"""Qualifiers of a question that the passage does not confirm if it has another one."""
_TOWARDS: Final = np.array([bit_of(one) for one in ("towards", "origin", "by")])[:, None, None]
_UNCONFIRMED_BITS: Final = np.array([bit_of(name) for name in UNCONFIRMED])


def families(views: Views) -> tuple[Family, ...]:
    """Return the features and findings of each family."""
    return negation(views), qualifiers(views), order(views), confirmation(views)


def negation(views: Views) -> Family:
    """Negations of both sides, and aligned words of which only one is negated."""
    claim, page = views.claim, views.page
    mine, theirs = claim.has["negated"], page.has["negated"]
    opening = np.arange(mine.shape[1]) == views.opening[:, None]
    mine = mine & ~(opening & claim.says("no"))
    my_reach, denied = reach(mine), views.of_partners(page.denied)
    weights = claim.weights * claim.matched
    only_mine, only_theirs = my_reach & ~denied, ~my_reach & denied
    question = views.question.has["negated"]
    at_home = (theirs & views.best).sum(axis=1)
    odd = (mine.sum(axis=1) % 2) != (at_home % 2)
    numbers = [
        mine.sum(axis=1),
        theirs.sum(axis=1),
        at_home,
        odd,
        mine.any(axis=1) * 1.0 - (at_home > 0),
        question.sum(axis=1),
        share(only_mine, weights),
        share(only_theirs, weights),
        share(my_reach & denied, weights),
    ]
    heavy = claim.matched & (claim.weights >= HEAVY)
    apart = heavy & odd[:, None] & views.in_best
    findings = [
        FindingPlaces("negation", "against", _denials(views, apart & only_mine, mine, True)),
        FindingPlaces("negation", "against", _denials(views, apart & only_theirs, theirs, False)),
        FindingPlaces("negation", "for", _denials(views, heavy & my_reach & denied, mine, True)),
    ]
    return numbers, findings


def _denials(views: Views, where: Bools, marked: Bools, of_claim: bool) -> Integers:
    """Return for each negation the nearest word that it negates, and that word's partner."""
    rows, words = np.nonzero(where)
    if not len(rows):
        return np.empty((0, 3), np.int64)
    others = views.claim.partners[rows, words]
    denied = words if of_claim else others
    far = np.abs(np.arange(marked.shape[1]) - denied[:, None])
    far = np.where(marked[rows], far, marked.shape[1])
    negations = far.argmin(axis=1)
    order = np.lexsort([-denied, far.min(axis=1), negations, rows])
    ends = np.column_stack([rows, negations] + ([others] if of_claim else [words]))[order]
    new = np.ones(len(ends), np.bool_)
    new[1:] = (np.diff(ends[:, :2], axis=0) != 0).any(axis=1)
    return ends[new] if of_claim else ends[new][:, [0, 2, 1]]


def qualifiers(views: Views) -> Family:
    """Which lists the claim, the best sentence and the passage have a word of.

    A finding is a limit of the claim that neither passage nor question has.
    """
    claim, page = views.claim, views.page
    mine = np.bitwise_or.reduce(claim.qualifiers, axis=1)
    home = np.bitwise_or.reduce(page.qualifiers * views.best, axis=1)
    all_of_page = np.bitwise_or.reduce(page.qualifiers, axis=1)
    question = np.bitwise_or.reduce(views.question.qualifiers, axis=1)
    around, around_there = _around(claim.qualifiers), _around(page.qualifiers)
    beside = views.of_partners(around_there)
    weights = claim.weights * claim.matched
    numbers: list[Floats] = [
        _bits(mine),
        _bits(home),
        _bits(all_of_page),
        _shares(around & ~beside, weights),
        _shares(beside & ~around, weights),
        claim.has["conditional"].sum(axis=1) > 0,
        (page.has["conditional"] & views.best).sum(axis=1) > 0,
        page.has["conditional"].sum(axis=1) > 0,
    ]
    findings = []
    for kind, limit, like in LIMITS:
        known = (all_of_page & bit_of(*limit, *like)) | (question & bit_of(*limit))
        rows = np.flatnonzero((mine & bit_of(*limit) > 0) & (known == 0))
        words = claim.says(*limit)[rows].argmax(axis=1)
        findings.append(
            FindingPlaces(kind, "open", np.column_stack([rows, words, np.full(len(rows), -1)]))
        )
    return numbers, findings


def _shares(words: Integers, weights: Floats) -> Floats:
    """Return the weighted share of words that have each bit."""
    bits = _bits(words)
    shares: Floats = (weights[:, None, :] @ bits.astype(np.float32))[:, 0]
    shares /= np.maximum(weights.sum(axis=1, keepdims=True), 1e-6)
    return shares


def _around(words: Integers) -> Integers:
    """Return the bits of each word joined with those of its neighbours."""
    around = words.copy()
    for step in range(1, REACH + 1):
        around[:, step:] |= words[:, :-step]
        around[:, :-step] |= words[:, step:]
    return around


def _bits(words: Integers) -> NDArray[np.uint8]:
    """Return the bits along a new last axis."""
    octets = np.ascontiguousarray(words).astype("<i8").view(np.uint8).reshape(*words.shape, 8)
    return np.unpackbits(octets, axis=-1, count=len(QUALIFIERS), bitorder="little")


def order(views: Views) -> Family:
    """Inversions of aligned words, the sides of "before", and prepositions."""
    claim, page = views.claim, views.page
    firm = claim.content & (claim.likeness >= 0.6)
    home = firm & views.in_best
    numbers: list[Floats] = [*_inversions(claim, firm, home)]
    weights = claim.weights * firm
    stated = np.bitwise_or.reduce(claim.qualifiers, axis=1)
    there_too = np.bitwise_or.reduce(page.qualifiers * views.best, axis=1)
    nowhere = np.zeros(len(stated)), np.full(len(stated), -1)
    for word, other in DIVIDING:
        there = (stated & bit_of(word) > 0) & (there_too & bit_of(other) > 0)
        if not there.any():
            numbers += nowhere
            continue
        numbers += [there, np.where(there, _turned(views, weights, word, other), -1)]
    mine = after(claim.qualifiers & _TOWARDS > 0)
    beside = views.of_partners(after(page.qualifiers & _TOWARDS > 0))
    mine_only, theirs_only = shares([mine & ~beside, ~mine & beside], weights)
    numbers += [one for both in zip(mine_only, theirs_only, strict=True) for one in both]
    numbers += _steps_back(claim, home)
    return numbers, []


def _inversions(words: SideView, *kept: Bools) -> Floats:
    """Return the share of word pairs whose partners are in reverse order, for each of ``kept``.

    Shape ``(n_kept, n_pairs)``.
    """
    places = words.partners.astype(np.int8)  # a side has at most `LONGEST` words
    words_kept = np.array(kept).transpose(1, 0, 2).astype(np.float32)
    later = np.tri(places.shape[1], k=-1, dtype=np.bool_).T
    turned, alike = (
        total((words_kept @ (one & later)) * words_kept, 2)
        for one in (
            places[:, :, None] > places[:, None, :],
            places[:, :, None] == places[:, None, :],
        )
    )
    count = total(words_kept, 2)
    apart = count * (count - 1) / 2 - alike
    shares: Floats = (turned.astype(np.float64) / np.maximum(apart, 1)).T
    return shares


def _steps_back(words: SideView, kept: Bools) -> tuple[Floats, Floats]:
    """Return how often a partner precedes that of the word before: count and share."""
    places = np.where(kept, words.partners, -1)
    last = np.maximum.accumulate(np.where(kept, np.arange(kept.shape[1]), -1), axis=1)
    before = np.full_like(last, -1)
    before[:, 1:] = last[:, :-1]
    there = kept & (before >= 0)
    back = there & (places < np.take_along_axis(places, np.maximum(before, 0), 1))
    count: Floats = back.sum(axis=1)
    return count, count / np.maximum(there.sum(axis=1), 1)


def _turned(views: Views, weights: Floats, mine: str, theirs: str) -> Floats:
    """Return the share of words on the wrong side of the dividing word."""
    own, other = views.claim.says(mine), views.page.says(theirs) & views.best
    word, word_there = own.argmax(axis=1), other.argmax(axis=1)
    left = np.arange(own.shape[1]) < word[:, None]
    left_there = views.claim.partners < word_there[:, None]
    crossed = share(left != left_there, weights)
    return crossed if mine == theirs else 1 - crossed


def confirmation(views: Views) -> Family:
    """Whether the passage confirms the question, reversed by a "no"."""
    question, claim, page = views.question, views.claim, views.page
    opening = views.opening[:, None]
    sign = np.take_along_axis(claim.says("yes") * 1.0 - claim.says("no"), opening, 1)[:, 0]
    rivals = (views.relations == Relation.RIVAL) & question.content[:, :, None]
    replaced = (rivals.any(axis=2) & ~question.has["same"]).any(axis=1)
    is_turned = question.denied != views.of_partners(page.denied)
    turned = share(is_turned, question.weights * question.matched)
    limits = np.bitwise_or.reduce(question.qualifiers, axis=1)[:, None] & _UNCONFIRMED_BITS
    limits_there = (
        np.bitwise_or.reduce(page.qualifiers * views.best, axis=1)[:, None] & _UNCONFIRMED_BITS
    )
    numbers: list[Floats] = [question.here.sum(axis=1) > 0, sign]
    for number in (
        turned,
        replaced,
        share(question.likeness, question.weights),
        share(question.likeness * views.in_best, question.weights),
        (limits != limits_there).sum(axis=1),
    ):
        numbers += [number, sign * number]
    numbers += [
        sign * (page.has["negated"] & views.best).any(axis=1),
        sign * claim.has["negated"].sum(axis=1),
        sign * claim.content.sum(axis=1),
        sign * (1 - 2 * turned) * (1 - 2 * replaced),
    ]
    return numbers, []
