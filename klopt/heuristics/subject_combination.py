"""Subject Combination (AFAS paper, section 5.2): do the pages say this of this subject?"""

from __future__ import annotations

from typing import cast

from klopt.heuristics.declaration import Heuristic, Material, Options
from klopt.measurement import Evidence, Measurement
from klopt.reading.parse import SubjectPair


def measure(material: Material, options: Options) -> Measurement:
    """The share of the answer's subject–verb pairs that the pages have too.

    If each pair of the answer ("wijziging – opslaan") stands in a page, the answer is more
    likely true; a pair that no page has may be a statement that appears nowhere.

    Args:
        material: Reads the answer and the pages; needs their parses (nsubj and its subtypes).
        options: ``pronouns``, ``fillers``, ``strip_stop_words_in``.

    Returns:
        0 to 1: pairs found / pairs, each place counted. None when the answer has no
        subject–verb pair, as with imperatives only. Evidence: each pair's stretch, ``supported``
        with its place in the first page that has it, or ``unsupported``.

    Source:
        Lassche et al., section 5.2 (Subject Combination), for the heuristics Non-appearing
        Statements and Off-Context.

    Differs:
        The paper does not say what becomes of pronouns: here a pair whose subject is a stop
        word ("u", "je", "dit") is left out with the option ``pronouns = false``; by default it
        counts, as in the paper. With ``fillers = false`` sentences such as "Ik help u graag" are
        left out. With a copula the predicate stands for the verb, as Universal
        Dependencies attach it. In the languages of ``strip_stop_words_in`` pairs with a stop
        word on either side are left out (the paper's choice for English, section 6.1).
    """
    pairs = material.parse(material.answer).subject_pairs
    if not options["fillers"]:
        fillers = material.answer.fillers
        pairs = tuple(p for p in pairs if not any(f.start <= p.start < f.end for f in fillers))
    stop_words = material.lexicons["stop_words"].words
    if material.answer.language in cast(list[str], options["strip_stop_words_in"]):
        pairs = tuple(p for p in pairs if stop_words.isdisjoint((p.subject, p.verb)))
    elif not options["pronouns"]:
        pairs = tuple(pair for pair in pairs if pair.subject not in stop_words)
    if not pairs:
        return Measurement.missing("the answer has no pair of subject and verb")
    evidence = tuple(_evidence(pair, material) for pair in pairs)
    supported = sum(one.kind == "supported" for one in evidence)
    return Measurement(supported / len(evidence), None, evidence)


def _evidence(pair: SubjectPair, material: Material) -> Evidence:
    entry = f"{pair.subject} – {pair.verb}"
    for page, context in enumerate(material.contexts):
        parse = material.parse(context.index.reading)
        place = parse.pair_places.get((pair.subject, pair.verb))
        if place is not None:
            at = (page, place.start, place.end)
            return material.evidence("supported", pair.start, pair.end, entry=entry, at=at)
    return material.evidence("unsupported", pair.start, pair.end, entry=entry)


HEURISTIC = Heuristic(
    name="subject_combination",
    symbol="ρ𝔄",
    reads=frozenset({"answer", "contexts"}),
    needs=frozenset({"parse"}),
    measure=measure,
    options={"pronouns": True, "fillers": True, "strip_stop_words_in": []},
)
