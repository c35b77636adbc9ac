"""Which findings tell that a statement is wrong: all rooms ask here."""

from __future__ import annotations

from typing import Final

from klopt.comparing.slots.view import Finding

__all__ = ["is_told_by_words", "settles", "stands_in_place", "tells"]

HINTS: Final = frozenset({"replaced"})
"""Kinds that are found in true statements about as often, and prove nothing by themselves."""
CERTAIN: Final = frozenset({"role", "row"})
"""Kinds that true statements hardly have: a role was found in 14 untrue and 2 true answers of pairs
that differ in one fact, another row in 2 and in none."""
OF_THE_WHOLE: Final = frozenset({"confirmation", "order", "row"})
"""Kinds that are about two sentences, and not about the two words at which they are found."""
BESIDE: Final = frozenset({*OF_THE_WHOLE, "negation"})
"""Kinds of which the word of the passage does not stand in the place of the statement's."""


def tells(one: Finding) -> bool:
    """Whether a finding speaks so clearly against a statement that nothing outvotes it.

    >>> tells(Finding("value", "against", (0, 2), (4, 6)))
    True
    >>> tells(Finding("replaced", "against", (0, 2), (4, 6)))
    False
    >>> tells(Finding("value", "open", (0, 2), None))
    False
    """
    return one.side == "against" and one.kind not in HINTS


def settles(one: Finding) -> bool:
    """Whether a finding alone is enough to hold a statement for wrong.

    >>> settles(Finding("role", "against", (0, 2), (4, 6)))
    True
    """
    return one.side == "against" and one.kind in CERTAIN


def is_told_by_words(one: Finding) -> bool:
    """Whether the words of a finding are themselves what is wrong, so that they can be marked."""
    return one.kind not in OF_THE_WHOLE


def stands_in_place(one: Finding) -> bool:
    """Whether the passage has one thing where the statement has another."""
    return bool(one.side == "against" and one.kind not in BESIDE and one.claim and one.page)
