"""Families about what a statement says of its words: denied, limited, turned round, exchanged.

A family gives numbers, which the small networks read, and findings, which people read.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from klopt.comparing.findings import FindingPlaces, Stance
from klopt.comparing.pairs import Relation
from klopt.comparing.views import Family, SideView, Views, after, reach, share, shares, total
from klopt.comparing.words import QUALIFIERS, Bools, Floats, bit_of
from klopt.matching.units import Integers

__all__ = ["families"]

Names = tuple[str, ...]

HEAVY: Final = 0.3
"""From this weight on it is told that a word is denied on one side only."""
LIMITS: Final[tuple[tuple[str, Names, Names], ...]] = (
    ("modality", ("must",), ()),
    ("quantity", ("all",), ("alone",)),
    ("quantity", ("alone",), ()),
    ("default", ("default",), ("automatic",)),
    ("manner", ("automatic",), ("default",)),
)
"""What is found, the lists that limit a statement, and those that say as much."""
REACH: Final = 3
"""So many words before and after it a qualifier may bear on."""
DIVIDING: Final = (
    ("before", "before"),
    ("before", "after"),
    ("after", "before"),
    ("after", "after"),
    ("because", "because"),
)
"""Qualifiers of statement and passage that say what comes first."""
TURNED: Final = 0.75
"""From this share on a statement stands the other way around."""
ASKED_IN_VAIN: Final = (
    *("all", "alone", "few", "may", "must", "possible"),
    *("before", "after", "automatic", "manual"),
)
"""Qualifiers that a question has in vain where the passage has another one."""
POLES: Final[tuple[tuple[str, Names, Names], ...]] = (
    ("ability", ("enabled", "may", "possible"), ("barred",)),
    ("keeping", ("kept", "still"), ("lost",)),
    ("modality", ("must",), ("advised", "option")),
    ("manner", ("automatic", "system"), ("manual",)),
    ("switch", ("on",), ("off",)),
    ("sight", ("shown",), ("hidden",)),
    ("likeness", ("shared",), ("own",)),
    ("where", ("online",), ("local",)),
    ("time", ("instantly",), ("delayed",)),
    ("order", ("first",), ("last",)),
    ("amount", ("more",), ("less",)),
    ("bound", ("at_least",), ("at_most",)),
    ("quantity", ("all", "many"), ("few", "none")),
    ("condition", ("regardless",), ("only_if", "unless")),
    ("limit", ("all", "also"), ("alone",)),
)
"""What is found, and the lists of which only one can be meant of a thing."""
ROLES: Final = ("admin", "boss", "customer", "outsider", "owner", "support", "worker")
"""Lists of who does or may something."""
TOLD_ONLY: Final = frozenset(
    {
        *ROLES,
        *("barred", "delayed", "enabled", "hidden", "kept", "local", "lost", "none", "off", "on"),
        *("online", "only_if", "own", "regardless", "shared", "shown", "system", "unless"),
    }
)
"""Lists that only people are told of; the model reads no number of theirs."""

_COUNTED: Final = [number for number, name in enumerate(QUALIFIERS) if name not in TOLD_ONLY]
_TOWARDS: Final = np.array([bit_of(one) for one in ("towards", "origin", "by")])[:, None, None]
_IN_VAIN: Final = np.array([bit_of(name) for name in ASKED_IN_VAIN])
_ROLES: Final = bit_of(*ROLES)
_POLES: Final = [(kind, bit_of(*one), bit_of(*other)) for kind, one, other in POLES]
_ONE, _OTHER = (np.array([row[place] for row in _POLES])[:, None] for place in (1, 2))


def families(views: Views) -> tuple[Family, ...]:
    """What each of these families says of some pairs."""
    of_words = negation(views), qualifiers(views), order(views)
    return (*of_words, confirmation(views), exchange(views))


def negation(views: Views) -> Family:
    """Negations of both sides, and the partners of which only one is denied."""
    claim, page = views.claim, views.page
    mine, theirs = claim.has["negated"], page.has["negated"]
    opening = np.arange(mine.shape[1]) == views.opening[:, None]
    mine = mine & ~(opening & claim.says("no"))
    my_reach, denied = reach(mine), views.of_partners(page.denied)
    weights = claim.weights * claim.matched
    only_mine, only_theirs = my_reach & ~denied, ~my_reach & denied
    asked = views.asked.has["negated"]
    at_home = (theirs & views.home).sum(axis=1)
    odd = (mine.sum(axis=1) % 2) != (at_home % 2)
    numbers = [
        mine.sum(axis=1),
        theirs.sum(axis=1),
        at_home,
        odd,
        mine.any(axis=1) * 1.0 - (at_home > 0),
        asked.sum(axis=1),
        share(only_mine, weights),
        share(only_theirs, weights),
        share(my_reach & denied, weights),
    ]
    heavy = claim.matched & (claim.weights >= HEAVY)
    apart = heavy & odd[:, None] & views.led_home
    findings = [
        FindingPlaces("negation", "against", _denials(views, apart & only_mine, mine, True)),
        FindingPlaces("negation", "against", _denials(views, apart & only_theirs, theirs, False)),
        FindingPlaces("negation", "for", _denials(views, heavy & my_reach & denied, mine, True)),
    ]
    return numbers, findings


def _denials(views: Views, where: Bools, marked: Bools, of_claim: bool) -> Integers:
    """For each negation the nearest word that it denies, beside what stands for it there."""
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
    """For each list whether the statement, the nearest sentence and the passage have a word.

    Told is where the statement has what no word of the passage, nor of the question, says.
    """
    claim, page = views.claim, views.page
    mine = np.bitwise_or.reduce(claim.qualifiers, axis=1)
    home = np.bitwise_or.reduce(page.qualifiers * views.home, axis=1)
    all_of_page = np.bitwise_or.reduce(page.qualifiers, axis=1)
    asked = np.bitwise_or.reduce(views.asked.qualifiers, axis=1)
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
        (page.has["conditional"] & views.home).sum(axis=1) > 0,
        page.has["conditional"].sum(axis=1) > 0,
    ]
    findings = []
    for kind, limit, like in LIMITS:
        known = (all_of_page & bit_of(*limit, *like)) | (asked & bit_of(*limit))
        rows = np.flatnonzero((mine & bit_of(*limit) > 0) & (known == 0))
        words = claim.says(*limit)[rows].argmax(axis=1)
        findings.append(
            FindingPlaces(kind, "open", np.column_stack([rows, words, np.full(len(rows), -1)]))
        )
    return numbers, findings


def _shares(words: Integers, weights: Floats) -> Floats:
    """For each bit the share of the weight of the words that have it."""
    bits = _bits(words)
    shares: Floats = (weights[:, None, :] @ bits.astype(np.float32))[:, 0]
    shares /= np.maximum(weights.sum(axis=1, keepdims=True), 1e-6)
    return shares


def _around(words: Integers) -> Integers:
    """The bits of each word and of its neighbours."""
    around = words.copy()
    for step in range(1, REACH + 1):
        around[:, step:] |= words[:, :-step]
        around[:, :-step] |= words[:, step:]
    return around


def _bits(words: Integers) -> NDArray[np.uint8]:
    """The bits apart, along one more axis."""
    octets = np.ascontiguousarray(words).astype("<i8").view(np.uint8).reshape(*words.shape, 8)
    bits = np.unpackbits(octets, axis=-1, count=len(QUALIFIERS), bitorder="little")
    return bits[..., _COUNTED]


def order(views: Views) -> Family:
    """Inversions of partners, what stands on which side of "before", and prepositions."""
    claim, page = views.claim, views.page
    firm = claim.content & (claim.likeness >= 0.6)
    home = firm & views.led_home
    numbers: list[Floats] = [*_inversions(claim, firm, home)]
    findings = []
    weights = claim.weights * firm
    stated = np.bitwise_or.reduce(claim.qualifiers, axis=1)
    there_too = np.bitwise_or.reduce(page.qualifiers * views.home, axis=1)
    nowhere = np.zeros(len(stated)), np.full(len(stated), -1)
    for word, other in DIVIDING:
        there = (stated & bit_of(word) > 0) & (there_too & bit_of(other) > 0)
        if not there.any():
            numbers += nowhere
            continue
        place, turned = _turned(views, weights, word, other)
        numbers += [there, np.where(there, turned, -1)]
        findings.append(FindingPlaces("order", "against", place[there & (turned >= TURNED)]))
    mine = after(claim.qualifiers & _TOWARDS > 0)
    beside = views.of_partners(after(page.qualifiers & _TOWARDS > 0))
    mine_only, theirs_only = shares([mine & ~beside, ~mine & beside], weights)
    numbers += [one for both in zip(mine_only, theirs_only, strict=True) for one in both]
    numbers += _steps_back(claim, home)
    return numbers, findings


def _inversions(words: SideView, *kept: Bools) -> Floats:
    """The share of pairs of words whose partners stand the other way around.

    Shape ``(n_kept, n_pairs)``, for some of the words each time.
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
    """How often the next word's partner stands before that of the last one: number and share."""
    places = np.where(kept, words.partners, -1)
    last = np.maximum.accumulate(np.where(kept, np.arange(kept.shape[1]), -1), axis=1)
    before = np.full_like(last, -1)
    before[:, 1:] = last[:, :-1]
    there = kept & (before >= 0)
    back = there & (places < np.take_along_axis(places, np.maximum(before, 0), 1))
    count: Floats = back.sum(axis=1)
    return count, count / np.maximum(there.sum(axis=1), 1)


def _turned(views: Views, weights: Floats, mine: str, theirs: str) -> tuple[Integers, Floats]:
    """The words that divide both sides, and how much is misplaced."""
    own, other = views.claim.says(mine), views.page.says(theirs) & views.home
    word, word_there = own.argmax(axis=1), other.argmax(axis=1)
    left = np.arange(own.shape[1]) < word[:, None]
    left_there = views.claim.partners < word_there[:, None]
    crossed = share(left != left_there, weights)
    place = np.column_stack([np.arange(len(own)), word, word_there])
    return place, crossed if mine == theirs else 1 - crossed


def confirmation(views: Views) -> Family:
    """Whether the passage says what the question asks, turned around by a no."""
    asked, claim, page = views.asked, views.claim, views.page
    opening = views.opening[:, None]
    sign = np.take_along_axis(claim.says("yes") * 1.0 - claim.says("no"), opening, 1)[:, 0]
    rivals = (views.relations == Relation.RIVAL) & asked.content[:, :, None]
    replaced = (rivals.any(axis=2) & ~asked.has["same"]).any(axis=1)
    turned = share(asked.denied != views.of_partners(page.denied), asked.weights * asked.matched)
    limits = np.bitwise_or.reduce(asked.qualifiers, axis=1)[:, None] & _IN_VAIN
    limits_there = np.bitwise_or.reduce(page.qualifiers * views.home, axis=1)[:, None] & _IN_VAIN
    numbers: list[Floats] = [asked.here.sum(axis=1) > 0, sign]
    for number in (
        turned,
        replaced,
        share(asked.likeness, asked.weights),
        share(asked.likeness * views.led_home, asked.weights),
        (limits != limits_there).sum(axis=1),
    ):
        numbers += [number, sign * number]
    numbers += [
        sign * (page.has["negated"] & views.home).any(axis=1),
        sign * claim.has["negated"].sum(axis=1),
        sign * claim.content.sum(axis=1),
        sign * (1 - 2 * turned) * (1 - 2 * replaced),
    ]
    here = (rivals & ~asked.has["same"][:, :, None]).any(axis=1) & views.home
    findings = []
    sides: tuple[tuple[int, Stance], ...] = ((1, "against"), (-1, "for"))
    for turn, side in sides:
        rows = np.flatnonzero(here.any(axis=1) & (sign == turn))
        rival = here[rows].argmax(axis=1)
        places = np.column_stack([rows, views.opening[rows], rival])
        findings.append(FindingPlaces("confirmation", side, places))
    return numbers, findings


def exchange(views: Views) -> Family:
    """What was exchanged for its opposite: can and cannot, on and off; and who stands for whom.

    Words stand at poles, and a negation turns them around. What a statement says by no word of the
    passage ("is locked" beside "can be changed") is held against it all the same. Numbers for the
    model were tried too - the poles of both sides, where they meet near partners, who is named -
    and brought nothing over those of the other families once pairs of answers teach.
    """
    findings = []
    stated = np.bitwise_or.reduce(views.claim.qualifiers, axis=1)
    there = np.bitwise_or.reduce(views.page.qualifiers * views.home, axis=1)
    is_turned = views.claim.has["negated"].any(axis=1) | views.page.has["negated"].any(axis=1)
    one, other = ((stated & bits > 0, there & bits > 0) for bits in (_ONE, _OTHER))
    crossed = (one[0] & other[1]) | (other[0] & one[1])
    alike = (one[0] & one[1]) | (other[0] & other[1])
    both = (crossed | (alike & is_turned)).any(axis=1)
    for number in np.flatnonzero(both).tolist():
        kind, *poles = _POLES[number]
        mine = _signs(views.claim, *poles)
        theirs = _signs(views.page, *poles) * views.home
        rows = np.flatnonzero(_mean(mine) * _mean(theirs) == -1)
        if len(rows):
            findings.append(FindingPlaces(kind, "against", _places(rows, mine != 0, theirs != 0)))
    return [np.empty((len(views.home), 0))], [*findings, _other_role(views)]


def _signs(words: SideView, first: int, second: int) -> Floats:
    """1 at a word of the first pole, -1 at one of the other; a negation near it turns it."""
    one, other = words.qualifiers & first > 0, words.qualifiers & second > 0
    turned = reach(words.has["negated"] & ~one & ~other)
    signs: Floats = (one * 1.0 - other) * np.where(turned, -1, 1)
    return signs


def _mean(signs: Floats) -> Floats:
    """Of each pair the mean of its words at poles."""
    mean: Floats = total(signs, 1) / np.maximum(total(np.abs(signs), 1), 1)
    return mean


def _other_role(views: Views) -> FindingPlaces:
    """Where the statement names one role that the passage lacks, and its sentence another."""
    claim, page, asked = views.claim, views.page, views.asked
    mine, roles_there = claim.qualifiers & _ROLES, page.qualifiers & _ROLES
    if not mine.any():
        return FindingPlaces("role", "against", np.empty((0, 3), np.int64))
    theirs = roles_there * views.home
    known = np.bitwise_or.reduce(roles_there, axis=1) | np.bitwise_or.reduce(
        asked.qualifiers, axis=1
    )
    named = np.bitwise_or.reduce(mine, axis=1)
    new = mine & ~known[:, None] > 0
    lost = theirs & ~named[:, None] > 0
    rows = np.flatnonzero(new.any(axis=1) & lost.any(axis=1) & ~(mine & known[:, None]).any(axis=1))
    return FindingPlaces("role", "against", _places(rows, new, lost))


def _places(rows: Integers, mine: Bools, theirs: Bools) -> Integers:
    """The first words on both sides, and those after them that go with them."""
    own, other = mine[rows], theirs[rows]
    words, others = own.argmax(axis=1), other.argmax(axis=1)
    longer = _goes_on(own, words) & _goes_on(other, others)
    first = np.column_stack([rows, words, others])
    both = np.concatenate([first, np.add(first, (0, 1, 1))[longer]])
    return both[np.argsort(both[:, 0], kind="stable")]


def _goes_on(marked: Bools, words: Integers) -> Bools:
    """Whether the word after one of each row is marked too."""
    last = marked.shape[1] - 1
    is_next: Bools = marked[np.arange(len(words)), np.minimum(words + 1, last)] & (words < last)
    return is_next
