"""Polarity: does the answer deny what the pages say, or say what they deny?"""

from __future__ import annotations

from typing import Final, cast

from klopt.alignment import Index, Resembling, Unit
from klopt.heuristics.declaration import NO_CONTEXT, Heuristic, Material
from klopt.lexicons import Lexicons
from klopt.measurement import Evidence, Measurement

_FEWEST_WORDS: Final = 2


def measure(material: Material) -> Measurement:
    """How far the answer's sentences agree in polarity with the sentences they resemble.

    "You cannot go back" and "You can go back" share every word with content, so support by words
    sees no difference. A sentence of the answer is compared with the sentence of the pages that
    it resembles most, among those with a negation and among those without.

    Args:
        material: Reads the answer and the pages; needs the alignment.

    Returns:
        0 to 1: 1 minus the weight of the sentences that resemble one of the other polarity more
        than any of their own. Such a sentence weighs its resemblance to the other, minus half of
        that to its own, in units of ``full_conflict``. A sentence under a condition ("if it does
        not work") resembles the other polarity half as much. None when no sentence has two words
        or no page has text. Evidence: each such sentence, ``unsupported``, with the sentence of
        the page that it goes against.

    Source:
        Lassche et al., section 4.4.2 (Answer Contradiction, Non-appearing Statements).

    Differs:
        The paper looks for contradictions within the answer; these are against the pages. The
        "yes" or "no" that opens an answer is left out: it answers the question and denies no
        page.
    """
    if not material.contexts:
        return Measurement.missing(NO_CONTEXT)
    alignment = material.alignment
    units = [unit for unit in alignment.units if len(unit.keys) >= _FEWEST_WORDS]
    if not units:
        return Measurement.missing("the answer has no sentence with two words of its own")
    tables = material.lexicons
    conflict = 0.0
    evidence: list[Evidence] = []
    for unit in units:
        best: dict[bool, Resembling | None] = {True: None, False: None}
        denied = _denies(unit, alignment.answer, tables)
        shares = {True: 0.0, False: 0.0}
        bound = _is_bound(unit, alignment.answer, tables)
        for other in alignment.resembling(unit):
            index = alignment.pages[other.page].index
            agrees = _denies(other.unit, index, tables) == denied
            share = other.share
            if not agrees and (bound or _is_bound(other.unit, index, tables)):
                share /= 2
            if share > shares[agrees]:
                shares[agrees], best[agrees] = share, other
        against = best[False]
        if against is not None and shares[False] > shares[True]:
            conflict += shares[False] - shares[True] / 2
            at = (material.contexts[against.page], against.unit.start, against.unit.end)
            evidence.append(material.evidence("unsupported", unit.start, unit.end, at=at))
    full = cast(float, material.options["full_conflict"])
    return Measurement(max(0.0, 1.0 - conflict / full), evidence=tuple(evidence))


def _denies(unit: Unit, index: Index, tables: Lexicons) -> bool:
    """Whether a sentence has a negation, apart from the yes or no that opens it."""
    text = index.reading.plain.text
    start = unit.start
    opening = text[unit.start : unit.end].partition(",")[0].rstrip(".!")
    if opening.casefold() in _OPENINGS:
        start += len(opening)
    return tables["negations"].phrases["negations"].search(text, start, unit.end) is not None


_OPENINGS: Final = frozenset({"nee", "neen", "no", "nope"})


def _is_bound(unit: Unit, index: Index, tables: Lexicons) -> bool:
    """Whether a sentence has a condition."""
    conditions = tables["negations"].phrases["conditions"]
    return conditions.search(index.reading.plain.text, unit.start, unit.end) is not None


HEURISTIC = Heuristic(
    name="polarity",
    symbol="",
    reads=frozenset({"answer", "contexts"}),
    needs=frozenset({"alignment"}),
    lexicons=frozenset({"negations", "synonyms"}),
    measure=measure,
    options={"full_conflict": 1.0},
    message_types=("general", "binary"),
)
