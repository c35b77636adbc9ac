"""Statement Support: do the pages say what the answer says, sentence by sentence?"""

from __future__ import annotations

from typing import cast

from klopt.heuristics.declaration import NO_CONTEXT, Heuristic, Material
from klopt.measurement import Evidence, Measurement


def measure(material: Material) -> Measurement:
    """How well the pages support the answer's least supported sentences.

    An untrue answer is mostly true: what gives it away is the sentence that no page has. So the
    least supported sentences are looked at, not the mean.

    Args:
        material: Reads the answer and the pages; needs the alignment.

    Returns:
        0 to 1: the mean coverage of the ``least_count`` sentences that their best page covers
        least (`klopt.matching`). None when no sentence has words of its own, or no page has
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
    if not material.contexts:
        return Measurement.missing(NO_CONTEXT)
    alignment = material.alignment
    if not alignment.units:
        return Measurement.missing("the answer has no sentence with words of its own")
    enough = cast(float, material.options["supported_share"])
    shares: list[float] = []
    evidence: list[Evidence] = []
    for unit, row in zip(alignment.units, alignment.places, strict=True):
        number = max(range(len(row)), key=lambda one: row[one].share)
        best = row[number]
        shares.append(best.share)
        if best.share >= enough and best.units:
            at = (material.contexts[number], best.units[0].start, best.units[-1].end)
            evidence.append(material.evidence("supported", unit.start, unit.end, at=at))
        else:
            evidence.append(material.evidence("unsupported", unit.start, unit.end))
    least = sorted(shares)[: cast(int, material.options["least_count"])]
    return Measurement(sum(least) / len(least), evidence=tuple(evidence))


HEURISTIC = Heuristic(
    name="statement_support",
    symbol="",
    reads=frozenset({"answer", "contexts"}),
    needs=frozenset({"alignment"}),
    lexicons=frozenset({"fillers", "synonyms"}),
    measure=measure,
    options={"least_count": 2, "supported_share": 0.5},
    message_types=("reasoning", "binary", "instruction"),
)
