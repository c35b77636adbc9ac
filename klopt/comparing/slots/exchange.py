"""What was exchanged for its opposite: can and cannot, kept and lost, on and off, who may.

Words stand at poles, and a negation turns them around. What a statement says by no word of the
passage ("is locked" beside "can be changed") is held against it all the same. Numbers for the model
were tried too - the poles of both sides, where they meet near partners, who is named - and brought
nothing over those of the other families once pairs of answers teach.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from klopt.comparing.pairs import Floats
from klopt.comparing.sides import bit_of
from klopt.comparing.slots.view import Bools, Integers, Slot, Views, Words, reach

__all__ = ["TOLD_ONLY", "exchange"]

Names = tuple[str, ...]

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

_ONE, _OTHER = (
    np.array([bit_of(*row[place]) for row in POLES], np.int64)[:, None, None] for place in (1, 2)
)
_ROLES: Final = bit_of(*ROLES)


def exchange(views: Views) -> tuple[Floats, list[Slot]]:
    """The poles at which statement and nearest sentence stand apart, and who stands for whom."""
    mine, theirs = _signs(views.claim), _signs(views.page) * views.home
    apart = _mean(mine) * _mean(theirs) == -1
    slots = [
        Slot(
            POLES[number][0],
            "against",
            _places(np.flatnonzero(apart[number]), mine[number] != 0, theirs[number] != 0),
        )
        for number in np.flatnonzero(apart.any(axis=1)).tolist()
    ]
    return np.empty((len(views.home), 0), np.float32), [*slots, _other_role(views)]


def _signs(words: Words) -> Floats:
    """1 at a word of the first pole, -1 at one of the other; a negation near it turns it.

    Returns:
        Shape ``(len(POLES), n_pairs, n_words)``.
    """
    bits = (words.qualifiers * words.here)[None]
    one, other = bits & _ONE > 0, bits & _OTHER > 0
    negated = words.has("negated") & ~one & ~other
    turned = reach(negated.reshape(-1, negated.shape[2])).reshape(negated.shape)
    found: Floats = (one * 1.0 - other) * np.where(turned, -1, 1)
    return found


def _mean(signs: Floats) -> Floats:
    """Of each pair the mean of its words at poles, shape ``(len(POLES), n_pairs)``."""
    found: Floats = signs.sum(axis=2) / np.maximum(np.abs(signs).sum(axis=2), 1)
    return found


def _other_role(views: Views) -> Slot:
    """Where the statement names one role that the passage lacks, and its sentence another."""
    claim, page, asked = views.claim, views.page, views.asked
    mine, said = claim.qualifiers * claim.here & _ROLES, page.qualifiers & _ROLES
    theirs = said * views.home
    known = np.bitwise_or.reduce(said, axis=1) | np.bitwise_or.reduce(
        asked.qualifiers * asked.here, axis=1
    )
    named = np.bitwise_or.reduce(mine, axis=1)
    new = mine & ~known[:, None] > 0
    lost = theirs & ~named[:, None] > 0
    rows = np.flatnonzero(new.any(axis=1) & lost.any(axis=1) & ~(mine & known[:, None]).any(axis=1))
    return Slot("role", "against", _places(rows, new, lost))


def _places(rows: Integers, mine: Bools, theirs: Bools) -> Integers:
    """The first words on both sides, and those after them that go with them."""
    own, other = (np.pad(one[rows], ((0, 0), (0, 1))) for one in (mine, theirs))
    words, others = own.argmax(axis=1), other.argmax(axis=1)
    each = np.arange(len(rows))
    longer = own[each, words + 1] & other[each, others + 1]
    first = np.column_stack([rows, words, others])
    both = np.concatenate([first, np.add(first, (0, 1, 1))[longer]])
    return both[np.argsort(both[:, 0], kind="stable")]
