"""Polarity: does the answer deny what the pages say, or say what they deny?"""

from __future__ import annotations

from typing import Final, cast

from klopt.heuristics.declaration import Heuristic, Material, Options
from klopt.measurement import Evidence, Measurement

_EQUAL: Final = 1e-9


def measure(material: Material, options: Options) -> Measurement:
    """How far the answer's sentences agree in polarity with the sentences they resemble.

    "You cannot go back" and "You can go back" share every word with content, so support by words
    sees no difference. A sentence of the answer is compared with the sentence of the pages that
    it resembles most, among those with a negation and among those without.

    Args:
        material: Reads the answer and the pages.
        options: ``fewest_words``, ``full_conflict``, ``least_share``.

    Returns:
        0 to 1: 1 minus the weight of the sentences that resemble one of the other polarity, at
        least ``least_share``, more than any of their own. Such a sentence weighs its resemblance
        to the other, minus half of that to its own, in units of ``full_conflict``. A sentence
        under a condition ("if it does not work") resembles the other polarity half as much. None
        when no sentence has ``fewest_words`` words. Evidence: each such sentence,
        ``unsupported``, with the sentence of the page that it goes against.

    Source:
        Lassche et al., section 4.4.2 (Answer Contradiction, Non-appearing Statements).

    Differs:
        The paper looks for contradictions within the answer; these are against the pages. The
        "yes" or "no" that opens an answer is left out: it answers the question and denies no
        page.
    """
    match = material.match
    fewest, least = cast(int, options["fewest_words"]), cast(float, options["least_share"])
    units = [unit for unit in match.statements if len(match.answer.of(unit)) >= fewest]
    if not units:
        return Measurement.missing("the answer has no sentence with enough words of its own")
    conflict = 0.0
    evidence: list[Evidence] = []
    for unit in units:
        own, highest, against = 0.0, 0.0, None
        for near in match.near[unit]:
            theirs = material.contexts[near.page].index.units
            if theirs.negated[near.unit] == match.answer.negated[unit]:
                own = max(own, near.share)
                continue
            bound = match.answer.conditional[unit] or theirs.conditional[near.unit]
            share = near.share / 2 if bound else near.share
            if share > highest:
                highest, against = share, near
        if against is not None and highest > own + _EQUAL and highest >= least:
            conflict += highest - own / 2
            start, end = match.answer.starts[unit], match.answer.ends[unit]
            at = (against.page, *match.span(against))
            evidence.append(material.evidence("unsupported", start, end, at=at))
    full = cast(float, options["full_conflict"])
    return Measurement(max(0.0, 1.0 - conflict / full), evidence=tuple(evidence))


HEURISTIC = Heuristic(
    name="polarity",
    symbol="",
    reads=frozenset({"answer", "contexts"}),
    needs=frozenset({"match"}),
    measure=measure,
    options={"fewest_words": 2, "full_conflict": 1.0, "least_share": 0.3},
)
