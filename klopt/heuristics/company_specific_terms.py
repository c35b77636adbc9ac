"""Company-Specific Terms (AFAS paper, section 5.2): does the answer speak the product's jargon?"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import cast

from klopt.heuristics.declaration import WORDS, Heuristic, Material, Options
from klopt.measurement import Measurement
from klopt.reading.tokens import Kind, Tokenizer


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
        A term of several words is found where they follow one another. Evidence: the first place
        of each term, ``found``.

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
    tokenizer = None if options[WORDS] == "lemmas" else material.language.reader.tokenizer
    terms, lengths = _terms(lexicon.words, tokenizer)
    places = [number for number, kind in enumerate(words.kinds) if kind != Kind.PARTICLE]
    first: dict[str, tuple[int, int]] = {}
    for place in range(len(places)):
        for length in lengths:
            run = places[place : place + length]
            term = terms.get(tuple(words.keys[number] for number in run))
            if term is not None and not all(words.stops[number] for number in run):
                first.setdefault(term, (words.starts[run[0]], words.ends[run[-1]]))
    evidence = tuple(
        material.evidence("found", *span, entry=term)
        for term, span in sorted(first.items(), key=lambda item: item[1])
    )
    enough = cast(int, options["enough_count"])
    return Measurement(min(1.0, len(evidence) / enough), None, evidence)


@lru_cache(maxsize=8)
def _terms(
    terms: frozenset[str], tokenizer: Tokenizer | None
) -> tuple[Mapping[tuple[str, ...], str], frozenset[int]]:
    """The keys of each term's words → the term, and how many words terms have.

    Without a tokenizer terms are lemmas.
    """
    found = {}
    for term in sorted(terms):
        keys = tuple(term.split())
        if tokenizer is not None:
            words = tokenizer.read(term)
            pairs = zip(words.keys, words.kinds, strict=True)
            keys = tuple(key for key, kind in pairs if kind != Kind.PARTICLE)
        found[keys] = term
    return found, frozenset(map(len, found))


HEURISTIC = Heuristic(
    name="company_specific_terms",
    symbol="ρ",
    reads=frozenset({"answer"}),
    needs=frozenset(),
    measure=measure,
    options={"enough_count": 3, "words": "stems"},
)
