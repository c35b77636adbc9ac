"""Company-Specific Terms (AFAS paper, section 5.2): does the answer speak the product's jargon?"""

from __future__ import annotations

from typing import cast

from klopt.heuristics.declaration import WORDS, Heuristic, Material, Options
from klopt.measurement import Measurement


def measure(material: Material, options: Options) -> Measurement:
    """How much of the company's own jargon the answer uses.

    An answer in general terms only is less likely to be true: it could have been given without
    reading a help page.

    Args:
        material: Reads the answer; needs the lexicon ``company_terms``, and a parse where words are
            compared by lemma.
        options: ``enough_count``, ``words``.

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
    words = material.tokens(material.answer, options)
    if not words.running:
        return Measurement.missing("the answer has no word with content")
    key = str if options[WORDS] == "lemmas" else material.language.reader.tokenizer.key
    terms = {key(term): term for term in sorted(lexicon.words)}
    first = {words.keys[number]: number for number in reversed(words.running)}
    evidence = tuple(
        material.evidence("found", words.starts[number], words.ends[number], entry=terms[word])
        for word, number in sorted(first.items(), key=lambda item: item[1])
        if word in terms
    )
    enough = cast(int, options["enough_count"])
    return Measurement(min(1.0, len(evidence) / enough), None, evidence)


HEURISTIC = Heuristic(
    name="company_specific_terms",
    symbol="ρ",
    reads=frozenset({"answer"}),
    needs=frozenset(),
    measure=measure,
    options={"enough_count": 3, "words": "stems"},
)
