"""Heuristics of words: company terms, signal words, denied names, and words in a parse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, cast

import numpy as np
import regex
from numpy.typing import NDArray

from klopt.heuristics.declaration import WORDS, Material, Options, heuristic
from klopt.text.tokens import Tokenizer
from klopt.text.values import Kind
from klopt.types import Evidence, Measurement

if TYPE_CHECKING:  # not needed where no heuristic parses
    from klopt.text.parse import SubjectPair

Ids = NDArray[np.int64]

_BETWEEN_WORDS = regex.compile(r"[\s\-‐‑]", regex.VERSION1)


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
        None when no company terms were learnt, or when the answer has no content words.
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
        return Measurement.missing(
            "there are no company terms; extract them with klopt company terms"
        )
    words = material.tokens(material.answer, options)
    if not words.running:
        return Measurement.missing("the answer has no content words")
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
    """Whether the whole answer has no name that the company's list denies, greetings included.

    Such as a product that is no longer sold, the old name of a screen, or a competitor: pages may
    still have these names, answers must not.

    Args:
        material: Reads the answer; needs the list ``denied`` of the lexicon ``product_names``.
        options: None.

    Returns:
        1 when the answer has none of the names, as whole words in any case, with blanks or hyphens
        between them, else 0. None without a list. Evidence: each place of one, ``unsupported``.

    Source:
        klopt's own.

    Differs:
        From Components Defined, which asks whether the pages have a name: here they do not count.
    """
    lexicon = material.lexicons.get("product_names")
    if lexicon is None or not lexicon.lists["denied"]:
        return Measurement.missing("the company denies no names")
    answer, names = material.whole or material.answer.plain, lexicon.phrases["denied"]
    texts = answer.text, _BETWEEN_WORDS.sub(" ", answer.text)
    places = sorted({match.span() for text in texts for match in names.finditer(text)})
    denied = [
        Evidence("unsupported", *answer.excerpt(*place), entry=answer.text[slice(*place)])
        for place in places
    ]
    return Measurement(float(not denied), evidence=tuple(denied))


@heuristic(
    "ρ⌘𝔄",
    reads=("answer", "contexts"),
    needs=("parse",),
    window_sizes=[2, 5, 10],
    strip_stop_words_in=["en"],
    evidence_count=5,
)
def hal(material: Material, options: Options) -> Measurement:
    """How much of the answer's word co-occurrence the pages have too.

    If two words often stand close together in the answer, as a setting and its value do, they
    should in the pages; words of two different subjects joined in one sentence do not.

    Args:
        material: Reads the answer and the pages; needs their parses.
        options: ``window_sizes``, ``strip_stop_words_in``, ``evidence_count``.

    Returns:
        0 to 1, averaged over the window sizes: the weight of the answer's word pairs that the
        pages reach / the weight of all of them. A pair at distance d in a window of size w
        weighs w − d + 1; order does not count. None when the answer has fewer than two words.
        Evidence: the closest pairs that no page has, ``unsupported``, at most ``evidence_count``.

    Source:
        Lund & Burgess (1996): the Hyperspace Analogue to Language; Lassche et al., section 5.2
        (HAL), for the heuristic Off-Context.

    Differs:
        Lund & Burgess compare word vectors of a large corpus; the paper compares how often pairs
        occur in answer and context and leaves the comparison open. Here each pair counts with
        min(answer weight, context weight), so that a page's length brings nothing. Words are
        lemmas in lower case; windows cross sentences but not pages; the option
        ``strip_stop_words_in`` lists the languages in which stop words are left out first (the
        paper's choice for English).
    """
    sizes = cast(list[int], options["window_sizes"])
    strip = material.answer.language in cast(list[str], options["strip_stop_words_in"])
    parse = material.parse(material.answer)
    kept = parse.non_stop_indices if strip else parse.word_indices
    lemmas = parse.running_lemmas if strip else parse.all_lemmas
    vocabulary = {lemma: number for number, lemma in enumerate(dict.fromkeys(lemmas))}
    if len(vocabulary) < 2:
        return Measurement.missing("the answer has fewer than two words")
    own = np.array([vocabulary[lemma] for lemma in lemmas], dtype=np.int64)
    pages = _page_ids(material, vocabulary, max(sizes), strip=strip)
    answer, context = (_pairs(ids, max(sizes), len(vocabulary)) for ids in (own, pages))
    shares = _shares(answer, context, sizes)
    evidence = (
        material.evidence(
            "unsupported",
            parse.spans[kept[first]].start,
            parse.spans[kept[second]].end,
            entry=f"{lemmas[first]} – {lemmas[second]}",
        )
        for first, second in _missing(answer, context)
        if parse.content[kept[first]] and parse.content[kept[second]]
    )
    most = islice(evidence, cast(int, options["evidence_count"]))
    return Measurement(min(1.0, sum(shares) / len(shares)), None, tuple(most))


def _page_ids(material: Material, vocabulary: Mapping[str, int], gap: int, *, strip: bool) -> Ids:
    """Return the pages' words as numbers of the answer's vocabulary, −1 for other words."""
    ids: list[int] = []
    for context in material.contexts:
        parse = material.parse(context.index.reading)
        lemmas = parse.running_lemmas if strip else parse.all_lemmas
        ids.extend([vocabulary.get(lemma, -1) for lemma in lemmas])
        ids.extend([-1] * gap)
    return np.array(ids, dtype=np.int64)


def _pairs(ids: Ids, reach: int, width: int) -> Ids:
    """Return all pairs of known words at a distance of at most ``reach``.

    Returns:
        Shape ``(3, n_pairs)``: the pair's cell in the HAL matrix of ``width`` words, counted row
        by row above the diagonal; distance; place of the first word. By distance, then place.
    """
    places = np.flatnonzero(ids >= 0)
    numbers = np.arange(len(places))
    # How many known words follow each one within reach.
    followers = np.searchsorted(places, places + reach, side="right") - numbers - 1
    earlier = np.repeat(numbers, followers)
    starts = np.repeat(np.cumsum(followers) - followers, followers)
    first, second = places[earlier], places[earlier + 1 + np.arange(len(earlier)) - starts]
    low, high = np.minimum(ids[first], ids[second]), np.maximum(ids[first], ids[second])
    pairs = np.stack([low * width + high, second - first, first])[:, low != high]
    return pairs[:, np.lexsort((pairs[2], pairs[1]))]


def _shares(answer: Ids, context: Ids, sizes: Sequence[int]) -> list[float]:
    """Return for each window size the share of the answer's weight that the pages reach.

    The matrices are sparse: sorted cell numbers with weights, and of the pages only the cells that
    the answer has.
    """
    cells, of_answer = np.unique(answer[0], return_inverse=True)
    at = np.minimum(np.searchsorted(cells, context[0]), len(cells) - 1)
    known = cells[at] == context[0]
    shares: list[float] = []
    for size in sizes:
        mine = np.bincount(of_answer, np.maximum(size - answer[1] + 1, 0), len(cells))
        weights = np.maximum(size - context[1][known] + 1, 0)
        theirs = np.bincount(at[known], weights, len(cells))
        shares.append(float(np.minimum(mine, theirs).sum() / mine.sum()))
    return shares


def _missing(answer: Ids, context: Ids) -> Iterator[tuple[int, int]]:
    """Yield the places of the answer's pairs that no page has, the closest first."""
    seen = set(context[0].tolist())
    for cell, distance, place in answer.T.tolist():
        if cell not in seen:
            seen.add(cell)
            yield place, place + distance


@heuristic(
    "ρ𝔄",
    reads=("answer", "contexts"),
    needs=("parse",),
    pronouns=True,
    fillers=True,
    strip_stop_words_in=[],
)
def subject_combination(material: Material, options: Options) -> Measurement:
    """The share of the answer's subject–verb pairs that the pages have too.

    If a page has each pair of the answer ("wijziging – opslaan"), the answer is more likely true; a
    pair that no page has may be a claim that appears nowhere.

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


@heuristic("□", reads=("question", "answer"), needs=("parse",))
def prompt_overlap(material: Material, options: Options) -> Measurement:
    """The share of the question's content words that come back in the answer.

    An answer usually repeats words of its question.

    Args:
        material: Reads question and answer; needs their parses.
        options: None.

    Returns:
        0 to 1: distinct content lemmas of the question that the answer has / all of them. None
        when the question has no content words. Evidence: the first place in the answer of
        each shared lemma, ``found``.

    Source:
        Lassche et al., section 5.2 (Prompt Overlap), after Kumar et al. (2019); the opposite,
        Prompt Uniqueness of Roychowdhury et al. (2023), correlated less in the paper.

    Differs:
        The paper leaves open what overlaps and by what it is divided: here lemmas of nouns,
        names, verbs, adjectives and numbers that are no stop words, divided by the question's.
    """
    question = material.parse(material.question).content_lemmas
    if not question:
        return Measurement.missing("the question has no content words")
    parse = material.parse(material.answer)
    shared = sorted(question & parse.first_by_lemma.keys(), key=parse.first_by_lemma.__getitem__)
    places = ((lemma, parse.spans[parse.first_by_lemma[lemma]]) for lemma in shared)
    evidence = tuple(
        material.evidence("found", span.start, span.end, entry=lemma) for lemma, span in places
    )
    return Measurement(len(shared) / len(question), None, evidence)
