"""Heuristics of words: company terms, signal words, denied names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import cast

from klopt.heuristics.declaration import WORDS, Material, Options, heuristic
from klopt.text.tokens import Tokenizer
from klopt.text.values import Kind
from klopt.types import Evidence, Measurement


@heuristic("ρ", reads=("answer",), enough_count=3, words="stems")
def company_specific_terms(material: Material, options: Options) -> Measurement:
    """How much of the company's own jargon the answer uses.

    An answer in general terms is less likely true: it could be given without reading a page.

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
    """Return the keys of each term's words → the term, and the numbers of words of terms.

    Without a tokenizer terms are lemmas.
    """
    terms_by_keys = {}
    for term in sorted(terms):
        keys = tuple(term.split())
        if tokenizer is not None:
            words = tokenizer.read(term)
            pairs = zip(words.keys, words.kinds, strict=True)
            keys = tuple(key for key, kind in pairs if kind != Kind.PARTICLE)
        terms_by_keys[keys] = term
    return terms_by_keys, frozenset(map(len, terms_by_keys))


@heuristic("ρ□", reads=("answer",))
def complex_answer(material: Material, options: Options) -> Measurement:
    """How many of the four kinds of signal words the answer uses.

    Perspective ("volgens"), comparison ("in tegenstelling tot"), example ("bijvoorbeeld") and
    reasoning ("omdat"): an answer that is too simple or vague is less likely to be true.

    Args:
        material: Reads the answer; needs the lexicon ``signal_words``.
        options: None.

    Returns:
        0 to 1: lists with at least one hit / number of lists (0, 0.25, 0.5, 0.75 or 1). None
        when the answer has no text. Evidence: the first hit of each list, ``found``.

    Source:
        Lassche et al., section 5.2 (Complex Answer), after Kumar et al. (2019).

    Differs:
        The paper says that "words from various lists" raise the likelihood; here each list
        counts once, so that a long answer does not win by repeating "omdat". The lists are our
        own: the paper's are in its replication package.
    """
    text = material.answer.plain.text
    if not text:
        return Measurement.missing("the answer has no text")
    lexicon = material.lexicons["signal_words"]
    evidence = tuple(
        material.evidence("found", *match.span(), entry=f"{name}: {match[0].lower()}")
        for name in sorted(lexicon.lists)
        if (match := lexicon.phrases[name].search(text)) is not None
    )
    value = len(evidence) / len(lexicon.lists)
    return Measurement(value, None, tuple(sorted(evidence, key=lambda one: one.start)))


@heuristic(reads=("answer",))
def denied_names(material: Material, options: Options) -> Measurement:
    """Whether the answer has no name that the company's list denies.

    Such as a product that is no longer sold, the old name of a screen, or a competitor: pages may
    still have these names, answers must not.

    Args:
        material: Reads the answer; needs the list ``denied`` of the lexicon ``product_names``.
        options: None.

    Returns:
        1 when the answer has none of the names, as whole words in any case, else 0. None without
        a list. Evidence: each place of one, ``unsupported``.

    Source:
        klopt's own.

    Differs:
        From Components Defined, which asks whether the pages have a name: here they do not count.
    """
    lexicon = material.lexicons.get("product_names")
    if lexicon is None or not lexicon.lists["denied"]:
        return Measurement.missing("the company denies no names")
    denied: list[Evidence] = [
        material.evidence("unsupported", *match.span(), entry=match[0])
        for match in lexicon.phrases["denied"].finditer(material.answer.plain.text)
    ]
    return Measurement(float(not denied), evidence=tuple(denied))
