"""Polarity: does the answer deny what the pages say, or say what they deny?"""

from __future__ import annotations

from typing import Final, cast

from klopt.heuristics.declaration import NO_CONTEXT, Heuristic, Material
from klopt.lexicons import Lexicons
from klopt.matching import Index, Resembling, Unit
from klopt.matching.alignment import EQUAL
from klopt.measurement import Evidence, Measurement

_FEWEST_WORDS: Final = 2
_AFTER_OPENING: Final = ".,:;!–—-"


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
    read: dict[tuple[int, int], tuple[bool, bool]] = {}
    conflict = 0.0
    evidence: list[Evidence] = []
    for unit in units:
        denied, bound = _reading_of(unit, alignment.answer, tables)
        shares = {True: 0.0, False: 0.0}
        against: Resembling | None = None
        for other in alignment.resembling(unit):
            if other.share <= min(shares.values()):
                break
            place = (other.page, other.unit.number)
            if place not in read:
                index = alignment.pages[other.page].index
                read[place] = _reading_of(other.unit, index, tables)
            theirs, under_condition = read[place]
            agrees = theirs == denied
            share = other.share / 2 if not agrees and (bound or under_condition) else other.share
            if share > shares[agrees]:
                shares[agrees] = share
                against = against if agrees else other
        if against is not None and shares[False] > shares[True] + EQUAL:
            conflict += shares[False] - shares[True] / 2
            at = (material.contexts[against.page], against.unit.start, against.unit.end)
            evidence.append(material.evidence("unsupported", unit.start, unit.end, at=at))
    full = cast(float, material.options["full_conflict"])
    return Measurement(max(0.0, 1.0 - conflict / full), evidence=tuple(evidence))


def _reading_of(unit: Unit, index: Index, tables: Lexicons) -> tuple[bool, bool]:
    """Whether a sentence has a negation, apart from the no that opens it; and a condition."""
    text = index.reading.plain.text
    phrases = tables["negations"].phrases
    start = unit.start
    opening = phrases["openings"].match(text, unit.start, unit.end)
    if opening is not None and text[opening.end() : unit.end].lstrip()[:1] in _AFTER_OPENING:
        start = opening.end()
    denies = phrases["negations"].search(text, start, unit.end) is not None
    return denies, phrases["conditions"].search(text, unit.start, unit.end) is not None


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
