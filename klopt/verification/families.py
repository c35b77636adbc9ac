"""Feature families of aligned pairs: features for the networks, and findings for people.

They compare a claim's words (covered, new, substituted, values) and meaning (negation, order …).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from klopt.verification.findings import FindingPlaces
from klopt.verification.pairs import Relation
from klopt.verification.units import Bools, Floats, Integers
from klopt.verification.views import Family, SideView, Views, reach
from klopt.verification.words import QUALIFIERS, bit_of

MIN_COVERED: Final = 3
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
HEAVY: Final = 0.3
"""Weight from which a word that is negated on one side only is a finding."""
LIMITS: Final[tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]] = (
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
    *(("before", "before"), ("before", "after"), ("after", "before"), ("after", "after")),
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
    return (
        *(coverage(views), novelty(views), substitution(views), values(views)),
        *(negation(views), qualifiers(views), order(views), confirmation(views)),
    )


def coverage(views: Views) -> Family:
    """Coverage in both directions: all words, without the question's, in the best sentence."""
    claim, question, page, home = views.claim, views.question, views.page, views.best
    unasked = claim.weights * ~claim.has["in_question"]
    at_home = claim.likeness * views.in_best
    same = claim.has["same"] * 1.0
    of_home = page.weights * home
    to_asked = np.maximum(page.likeness, page.has["same"])
    nearest = claim.nearest * claim.here
    spread = claim.matched & ~views.in_best
    by_weight = _shares(
        [
            *(claim.likeness, at_home, claim.has["same_pair"], claim.has["in_question"]),
            *(nearest, (views.cosines * home[:, None, :]).max(axis=2, initial=0), spread),
        ],
        claim.weights,
    )
    return [
        *_shares([same, np.maximum(same, claim.has["synonym"])], claim.weights),
        *by_weight[:2],
        _share(claim.likeness, unasked),
        by_weight[2],
        _share(page.likeness, page.weights),
        *_shares([page.likeness, to_asked], of_home),
        *_shares([question.likeness, question.likeness * views.in_best], question.weights),
        by_weight[3],
        claim.content.sum(axis=1),
        claim.here.sum(axis=1),
        page.content.sum(axis=1),
        (page.content & home).sum(axis=1),
        claim.weights.sum(axis=1),
        of_home.sum(axis=1),
        by_weight[4],
        _share(nearest, claim.weights * claim.alone),
        by_weight[5],
        _share(page.nearest, of_home),
        _longest_run(claim.has["same_pair"]),
        by_weight[6],
        claim.leaps(),
        *_weakest(claim.likeness, claim.weights),
        *_weakest(page.likeness, of_home),
    ], []


def _longest_run(marked: Bools) -> Integers:
    """Return the number of words of the longest run of marked words."""
    numbers = np.arange(marked.shape[1])
    last = np.maximum.accumulate(np.where(marked, -1, numbers), axis=1)
    longest: Integers = (numbers - last).max(axis=1)
    return longest


def _weakest(likeness: Floats, weights: Floats) -> Floats:
    """Return how little the least covered words are covered, shape ``(MIN_COVERED, n_pairs)``."""
    lacks = np.zeros((len(weights), max(MIN_COVERED, weights.shape[1])), np.float32)
    lacks[:, : weights.shape[1]] = (likeness - 1) * weights
    lacks.sort(axis=1)
    weakest: Floats = -lacks[:, :MIN_COVERED].T
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
    named = np.logical_or.reduce([claim.has[mark] for mark, _ in KINDS])
    rows, words = (new & (claim.weights >= RARE) & ~named).nonzero()
    finding = FindingPlaces("added", "open", _places(rows, words, -1))
    return numbers, [finding]


def substitution(views: Views) -> Family:
    """Unaligned words of both sides that are similar or exclude each other.

    A pair of words counts more where their neighbours are aligned.
    """
    claim, page, count = views.claim, views.page, len(views.best)
    rows, words = claim.alone.nonzero()
    near = views.cosines[rows, words] * page.alone[rows]
    placed = near * views.around[rows, words]
    best = near.max(axis=1, initial=0)
    placed_at_home = (placed * views.best[rows]).max(axis=1, initial=0)
    numbers: list[Floats] = [
        _most_of(rows, best, count),
        np.bincount(rows, best, count),
        np.bincount(rows, best >= NEAR, count),
        _most_of(rows, best * claim.weights[rows, words], count),
        _most_of(rows, (near * views.best[rows]).max(axis=1, initial=0), count),
        _most_of(rows, placed.max(axis=1), count),
        np.bincount(rows, placed_at_home, count),
    ]
    rows, words = claim.has["rival"].nonzero()
    rivals = views.relations[rows, words] == Relation.RIVAL
    free = rivals & (page.likeness < ALIKE)[rows]
    for some in (rivals, free, rivals & views.best[rows], free & views.best[rows]):
        numbers.append(np.bincount(rows, some.any(axis=1), count))
    numbers.append(_most_of(rows, (rivals * views.around[rows, words]).max(axis=1), count))
    denied = claim.denied[rows, words][:, None] == page.denied[rows]
    opposite = free & views.best[rows] & denied
    others = np.where(opposite, views.cosines[rows, words], -2).argmax(axis=1)
    places = _places(rows, words, others)[opposite.any(axis=1)]
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
        np.add.reduce(one, 2)
        for one in (known, lost, lost & ~claim.has["in_question"], spare & views.best)
    ]
    numbers, findings = list[Floats](), list[FindingPlaces]()
    for number, (_, kind) in enumerate(KINDS):
        rows, words = known[number].nonzero()
        places = _places(rows, words, claim.partners[rows, words])
        findings.append(FindingPlaces(kind, "for", places))
        rows, words = lost[number].nonzero()
        numbers += [count[number] for count in counts]
        if not len(rows):
            numbers.append(np.zeros(count, np.float32))
            continue
        near = views.around[rows, words] + views.best[rows] * AT_HOME + ANYWHERE
        placed = spare[number][rows] * near
        highest = placed.max(axis=1)
        numbers.append(_most_of(rows, highest, count))
        others = np.where(highest >= AT_HOME, placed.argmax(axis=1), -1)
        places = _places(rows, words, others)
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
    rows, words = (lost[:, :-1] & views.claim.here[:, 1:]).nonzero()
    beside = views.relations[rows, words + 1, 1:] == Relation.SAME
    return _most_of(rows, (beside & views.page.has["number"][rows, :-1]).any(axis=1), len(lost))


def negation(views: Views) -> Family:
    """Negations of both sides, and aligned words of which only one is negated."""
    claim, page = views.claim, views.page
    mine, theirs = claim.has["negated"], page.has["negated"]
    opening = np.arange(mine.shape[1]) == views.opening[:, None]
    mine = mine & ~(opening & _says(claim, "no"))
    my_reach, denied = reach(mine), _of_partners(views, page.denied)
    weights = claim.weights * claim.matched
    only_mine, only_theirs = my_reach & ~denied, ~my_reach & denied
    at_home = (theirs & views.best).sum(axis=1)
    odd = (mine.sum(axis=1) % 2) != (at_home % 2)
    numbers = [
        mine.sum(axis=1),
        theirs.sum(axis=1),
        at_home,
        odd,
        mine.any(axis=1) * 1.0 - (at_home > 0),
        views.question.has["negated"].sum(axis=1),
        _share(only_mine, weights),
        _share(only_theirs, weights),
        _share(my_reach & denied, weights),
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
    rows, words = where.nonzero()
    if not len(rows):
        return np.empty((0, 3), np.int64)
    others = views.claim.partners[rows, words]
    denied = words if of_claim else others
    far = np.abs(np.arange(marked.shape[1]) - denied[:, None])
    far = np.where(marked[rows], far, marked.shape[1])
    negations = far.argmin(axis=1)
    order = np.lexsort([-denied, far.min(axis=1), negations, rows])
    ends = _places(rows, negations, others if of_claim else words)[order]
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
    around, beside = _around(claim.qualifiers), _of_partners(views, _around(page.qualifiers))
    weights = claim.weights * claim.matched
    numbers: list[Floats] = [
        _bits(mine),
        _bits(home),
        _bits(all_of_page),
        _bit_shares(around & ~beside, weights),
        _bit_shares(beside & ~around, weights),
        claim.has["conditional"].sum(axis=1) > 0,
        (page.has["conditional"] & views.best).sum(axis=1) > 0,
        page.has["conditional"].sum(axis=1) > 0,
    ]
    findings = []
    for kind, limit, like in LIMITS:
        known = (all_of_page & bit_of(*limit, *like)) | (question & bit_of(*limit))
        rows = ((mine & bit_of(*limit) > 0) & (known == 0)).nonzero()[0]
        if len(rows):
            words = _says(claim, *limit)[rows].argmax(axis=1)
            findings.append(FindingPlaces(kind, "open", _places(rows, words, -1)))
    return numbers, findings


def _bit_shares(words: Integers, weights: Floats) -> Floats:
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
    numbers: list[Floats] = [*claim.inversions(firm, home)]
    weights = claim.weights * firm
    stated = np.bitwise_or.reduce(claim.qualifiers, axis=1)
    there_too = np.bitwise_or.reduce(page.qualifiers * views.best, axis=1)
    for word, other in DIVIDING:
        there = (stated & bit_of(word) > 0) & (there_too & bit_of(other) > 0)
        turned = _turned(views, weights, word, other) if there.any() else 0
        numbers += [there, np.where(there, turned, -1)]
    mine = _after(claim.qualifiers & _TOWARDS > 0)
    beside = _of_partners(views, _after(page.qualifiers & _TOWARDS > 0))
    mine_only, theirs_only = _shares([mine & ~beside, ~mine & beside], weights)
    numbers += [one for both in zip(mine_only, theirs_only, strict=True) for one in both]
    numbers += claim.steps_back(home)
    return numbers, []


def _turned(views: Views, weights: Floats, mine: str, theirs: str) -> Floats:
    """Return the share of words on the wrong side of the dividing word."""
    own, other = _says(views.claim, mine), _says(views.page, theirs) & views.best
    word, word_there = own.argmax(axis=1), other.argmax(axis=1)
    left = np.arange(own.shape[1]) < word[:, None]
    left_there = views.claim.partners < word_there[:, None]
    crossed = _share(left != left_there, weights)
    return crossed if mine == theirs else 1 - crossed


def confirmation(views: Views) -> Family:
    """Whether the passage confirms the question, reversed by a "no"."""
    question, claim, page = views.question, views.claim, views.page
    opening = views.opening[:, None]
    sign = np.take_along_axis(_says(claim, "yes") * 1.0 - _says(claim, "no"), opening, 1)[:, 0]
    replaced = np.logical_or.reduce(question.has["rival"] & question.content, axis=1)
    is_turned = question.denied != _of_partners(views, page.denied)
    turned = _share(is_turned, question.weights * question.matched)
    limits = np.bitwise_or.reduce(question.qualifiers, axis=1)[:, None] & _UNCONFIRMED_BITS
    limits_there = (
        np.bitwise_or.reduce(page.qualifiers * views.best, axis=1)[:, None] & _UNCONFIRMED_BITS
    )
    numbers: list[Floats] = [question.here.sum(axis=1) > 0, sign]
    for number in (
        turned,
        replaced,
        _share(question.likeness, question.weights),
        _share(question.likeness * views.in_best, question.weights),
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


def _places(rows: Integers, words: Integers, others: Integers | int) -> Integers:
    """Return the places of a `FindingPlaces`."""
    places = np.empty((len(rows), 3), np.int64)
    places[:, 0], places[:, 1], places[:, 2] = rows, words, others
    return places


def _says(side: SideView, *names: str) -> Bools:
    """Return where a word belongs to one of some `klopt.verification.words.QUALIFIERS`."""
    is_said: Bools = side.qualifiers & bit_of(*names) > 0
    return is_said


def _of_partners(views: Views, values: NDArray[Any]) -> NDArray[Any]:
    """Return values of the passage's words for the partner of each word of the claim."""
    rows = np.arange(len(views.best))[:, None]
    of_each: NDArray[Any] = values[..., rows, views.claim.partners]
    return of_each


def _after(marked: Bools) -> Bools:
    """Return the three words after each marked word, along the last axis."""
    following = np.zeros_like(marked)
    for step in (1, 2, 3):
        following[..., step:] |= marked[..., :-step]
    return following


def _share(values: NDArray[Any], weights: NDArray[Any]) -> Floats:
    """Return the weighted mean of each row; 0 without weight."""
    shares_of: Floats = np.add.reduce(values * weights, 1) / np.maximum(
        np.add.reduce(weights, 1), 1e-6
    )
    return shares_of


def _shares(values: Sequence[NDArray[Any]], weights: NDArray[Any]) -> Floats:
    """Return the `_share` of several arrays of values by the same weights."""
    shares_of: Floats = np.add.reduce(np.array(values) * weights, -1)
    shares_of /= np.maximum(np.add.reduce(weights, 1), 1e-6)
    return shares_of


def _most_of(rows: Integers, values: NDArray[Any], count: int) -> Floats:
    """Return the highest value of each of ``count`` pairs, 0 or more."""
    highest: Floats = np.zeros(count, np.float32)
    np.maximum.at(highest, rows, values.astype(np.float32))
    return highest
