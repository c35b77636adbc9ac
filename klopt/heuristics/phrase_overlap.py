"""Phrase Overlap: how much of the answer's wording stands in the pages, word after word?"""

from __future__ import annotations

from typing import cast

from klopt.heuristics.declaration import Heuristic, Material, Options
from klopt.matching.index import runs_of
from klopt.measurement import Measurement


def measure(material: Material, options: Options) -> Measurement:
    """The share of the answer's runs of words that stand in a page.

    Args:
        material: Reads the answer and the pages.
        options: ``run_length``.

    Returns:
        0 to 1: runs of ``run_length`` words without stop words that a page has too / all such
        runs of the answer, each place counted. None when the answer has fewer words. No
        evidence.

    Source:
        Lassche et al., section 4.4.2 (Guide Verbatim), for answers that are no guide; as the
        n-gram precision of BLEU (Papineni et al., 2002), without its brevity penalty.

    Differs:
        From Verbatim Guide Defined, which asks for whole guides.
    """
    length = cast(int, options["run_length"])
    own = runs_of(material.match.answer, length)
    if not own:
        return Measurement.missing("the answer has too few words")
    known = [context.index.runs(length) for context in material.contexts]
    return Measurement(sum(any(run in runs for runs in known) for run in own) / len(own))


HEURISTIC = Heuristic(
    name="phrase_overlap",
    symbol="",
    reads=frozenset({"answer", "contexts"}),
    needs=frozenset({"match"}),
    measure=measure,
    options={"run_length": 3},
)
