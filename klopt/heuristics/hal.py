"""HAL (AFAS paper, section 5.2): do words that stand together in the answer do so in the pages?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import cast

import numpy as np
from numpy.typing import NDArray

from klopt.heuristics.declaration import Heuristic, Material, Options
from klopt.measurement import Measurement

Ids = NDArray[np.int64]


def measure(material: Material, options: Options) -> Measurement:
    """How much of the answer's co-occurrence of words the pages have too.

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
    kept = parse.running_indices if strip else parse.word_indices
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
    """The pages' words as numbers of the answer's vocabulary, −1 for any other word."""
    ids: list[int] = []
    for context in material.contexts:
        parse = material.parse(context.index.reading)
        lemmas = parse.running_lemmas if strip else parse.all_lemmas
        ids.extend([vocabulary.get(lemma, -1) for lemma in lemmas])
        ids.extend([-1] * gap)
    return np.array(ids, dtype=np.int64)


def _pairs(ids: Ids, reach: int, width: int) -> Ids:
    """All pairs of two known words at a distance of at most ``reach``.

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
    """For each window size, the share of the answer's weight that the pages reach.

    The matrices are sparse: kept as sorted cell numbers with a weight each, and of the pages'
    matrix only the cells that the answer has.
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
    """Places of the answer's pairs that no page has, the closest first, each pair once."""
    seen = set(context[0].tolist())
    for cell, distance, place in answer.T.tolist():
        if cell not in seen:
            seen.add(cell)
            yield place, place + distance


HEURISTIC = Heuristic(
    name="hal",
    symbol="ρ⌘𝔄",
    reads=frozenset({"answer", "contexts"}),
    needs=frozenset({"parse"}),
    measure=measure,
    options={"window_sizes": [2, 5, 10], "strip_stop_words_in": ["en"], "evidence_count": 5},
)
