"""A statement that names a row of a table and says of it what stands in another row."""

from __future__ import annotations

from typing import Final

import numpy as np

from klopt.comparing.passages import Passage
from klopt.comparing.slots.view import Finding
from klopt.matching.match import Match
from klopt.matching.relations import SYNONYM

__all__ = ["of_another_row"]

MOST: Final = 0.5
"""So much of what a statement says beside the key must stand in the other row, not in its own."""


def of_another_row(match: Match, unit: int, place: Passage) -> Finding | None:
    """What speaks against a statement whose place is a row that it names by its code or number.

    Args:
        match: The answer on its pages.
        unit: The number of the statement's sentence.
        place: Its place.

    Returns:
        The statement beside the row, where most of what it says of the row stands in another row
        of the same table and less in the row itself; else None.
    """
    index = match.contexts[place.page].index
    rows = next((rows for rows in index.layout.keys if place.first in rows), None)
    if rows is None:
        return None
    words, asked = match.answer.words, {*match.question.words, *rows[place.first]}
    own = [one for one in match.answer.of(unit).tolist() if words[one] not in asked]
    if not own or not rows[place.first] <= {words[one] for one in match.answer.of(unit).tolist()}:
        return None
    here = match.likes[place.page][own] >= SYNONYM
    weights = match.weights[own]
    gains = {row: int(weights @ (here[:, row] & ~here[:, place.first])) for row in rows}
    most = max(gains.values())
    kept = int(weights @ here[:, place.first])
    if most <= kept or most < MOST * int(np.sum(weights)):
        return None
    span = match.answer.starts[unit], match.answer.ends[unit]
    return Finding("row", "against", span, place.span(match))
