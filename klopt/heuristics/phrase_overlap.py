"""Phrase Overlap: how much of the answer's wording stands in the pages, word after word?"""

from __future__ import annotations

from itertools import islice
from typing import cast

from klopt.heuristics.declaration import NO_CONTEXT, Heuristic, Material
from klopt.measurement import Measurement


def measure(material: Material) -> Measurement:
    """The share of the answer's runs of words that stand in a page.

    Args:
        material: Reads the answer and the pages; needs their parses.

    Returns:
        0 to 1: runs of ``run_length`` lemmas without stop words that a page has too / all such
        runs of the answer, each place counted. None when the answer has fewer words. No
        evidence.

    Source:
        Lassche et al., section 4.4.2 (Guide Verbatim), for answers that are no guide; as the
        n-gram precision of BLEU (Papineni et al., 2002), without its brevity penalty.

    Differs:
        From Verbatim Guide Defined, which asks for whole guides.
    """
    length = cast(int, material.options["run_length"])
    own = _runs(material.answer_parse.running_lemmas, length)
    if not own:
        return Measurement.missing("the answer has too few words")
    if not material.contexts:
        return Measurement.missing(NO_CONTEXT)
    known: set[tuple[str, ...]] = set()
    for _, parse in material.context_parses():
        known.update(_runs(parse.running_lemmas, length))
    return Measurement(sum(run in known for run in own) / len(own))


def _runs(lemmas: tuple[str, ...], length: int) -> list[tuple[str, ...]]:
    """All runs of so many words.

    >>> _runs(("a", "b", "c"), 2)
    [('a', 'b'), ('b', 'c')]
    """
    return list(zip(*(islice(lemmas, start, None) for start in range(length)), strict=False))


HEURISTIC = Heuristic(
    name="phrase_overlap",
    symbol="",
    reads=frozenset({"answer", "contexts"}),
    needs=frozenset({"parse"}),
    lexicons=frozenset({"stop_words"}),
    measure=measure,
    options={"run_length": 3},
    message_types=("error", "binary", "instruction"),
)
