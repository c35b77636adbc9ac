"""Statement Support: do the pages say what the answer says, sentence by sentence?"""

from __future__ import annotations

from typing import cast

from klopt.heuristics.declaration import Heuristic, Material, Options
from klopt.measurement import Evidence, Measurement


def measure(material: Material, options: Options) -> Measurement:
    """How well the pages support the answer's least supported sentences.

    An untrue answer is mostly true: what gives it away is the sentence that no page has. So the
    least supported sentences are looked at, not the mean.

    Args:
        material: Reads the answer and the pages.
        options: ``least_count``, ``supported_share``.

    Returns:
        0 to 1: the mean coverage of the ``least_count`` sentences that their best page covers
        least (`klopt.matching.match`). None when no sentence has words of its own, or no page has
        text. Evidence: each sentence, ``supported`` with its place when at least
        ``supported_share`` of it is covered, else ``unsupported``.

    Source:
        Lassche et al., section 4.4.2 (Non-appearing Statements), which table 2 names and the
        paper does not measure.

    Differs:
        From the paper's Subject Combination, which looks for pairs of subject and verb: here all
        words of a sentence must be found close together, in the words of the page, synonyms,
        parts of compounds or words of one stem.
    """
    match = material.match
    if not match.statements:
        return Measurement.missing("the answer has no sentence with words of its own")
    enough = cast(float, options["supported_share"])
    shares: list[float] = []
    evidence: list[Evidence] = []
    for unit in match.statements:
        page = int(match.shares[unit].argmax())
        shares.append(float(match.shares[unit, page]))
        place = match.place(unit, page)
        start, end = match.answer.starts[unit], match.answer.ends[unit]
        if shares[-1] >= enough and place is not None:
            at = (page, *place)
            evidence.append(material.evidence("supported", start, end, at=at))
        else:
            evidence.append(material.evidence("unsupported", start, end))
    least = sorted(shares)[: cast(int, options["least_count"])]
    return Measurement(sum(least) / len(least), evidence=tuple(evidence))


HEURISTIC = Heuristic(
    name="statement_support",
    symbol="",
    reads=frozenset({"answer", "contexts"}),
    needs=frozenset({"match"}),
    measure=measure,
    options={"least_count": 2, "supported_share": 0.5},
)
