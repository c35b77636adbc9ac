"""Company-Specific Terms (AFAS paper, section 5.2): does the answer speak the product's jargon?"""

from __future__ import annotations

from typing import cast

from klopt.heuristics.declaration import Heuristic, Material
from klopt.measurement import Measurement


def measure(material: Material) -> Measurement:
    """How much of the company's own jargon the answer uses.

    An answer in general terms only is less likely to be true: it could have been given without
    reading a help page.

    Args:
        material: Reads the answer; needs its parse and the lexicon ``company_terms``.

    Returns:
        0 to 1: distinct company terms in the answer / the option ``enough_count``, at most 1.
        None when no company terms were learnt, or when the answer has no word with content.
        Evidence: the first place of each term, ``found``.

    Source:
        Lassche et al., section 5.2 (Company-Specific Terms), for the heuristic General Answer.

    Differs:
        The paper says that "answers with such words are deemed more truthful" and leaves the
        scale open. A share of all words would punish long answers, so terms are counted, up to
        ``enough_count``.
    """
    lexicon = material.lexicons.get("company_terms")
    if lexicon is None or not lexicon.words:
        return Measurement.missing("no company terms were learnt: see klopt company terms")
    parse = material.answer_parse
    if not parse.content_lemmas:
        return Measurement.missing("the answer has no word with content")
    terms = sorted(
        parse.content_lemmas & lexicon.words, key=lambda lemma: parse.first_by_lemma[lemma]
    )
    evidence = tuple(
        material.evidence("found", span.start, span.end, entry=lemma)
        for lemma in terms
        for span in (parse.spans[parse.first_by_lemma[lemma]],)
    )
    enough = cast(int, material.options["enough_count"])
    return Measurement(min(1.0, len(terms) / enough), None, evidence)


HEURISTIC = Heuristic(
    name="company_specific_terms",
    symbol="ρ",
    reads=frozenset({"answer"}),
    needs=frozenset({"parse"}),
    lexicons=frozenset({"company_terms"}),
    measure=measure,
    options={"enough_count": 3},
    message_types=("general", "error", "binary", "instruction", "unspecified"),
)
