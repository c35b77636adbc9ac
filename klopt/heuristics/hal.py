"""HAL (AFAS paper, section 5.2): do words that stand together in the answer do so in the pages?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from klopt.heuristics.declaration import NO_CONTEXT, Context, Heuristic, Material
from klopt.measurement import Measurement
from klopt.reading.parse import Parse

Ids = NDArray[np.int64]


def measure(material: Material) -> Measurement:
    """How much of the answer's co-occurrence of words the pages have too.

    If two words often stand close together in the answer, as a setting and its value do, they
    should in the pages; words of two different subjects joined in one sentence do not.

    Args:
        material: Reads the answer and the pages; needs their parses.

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
    sizes = cast(list[int], material.options["window_sizes"])
    parse = material.answer_parse
    kept = _kept(parse, material)
    vocabulary = {lemma: number for number, lemma in enumerate(dict.fromkeys(
        parse.lemmas[index] for index in kept))}  # fmt: skip
    answer_ids = np.array([vocabulary[parse.lemmas[index]] for index in kept], dtype=np.int64)
    if len(vocabulary) < 2:
        return Measurement.missing("the answer has fewer than two words")
    if not material.contexts:
        return Measurement.missing(NO_CONTEXT)
    answer_pairs = _pairs(answer_ids, max(sizes))
    context_ids = _context_ids(material.context_parses(), vocabulary, material, max(sizes))
    context_pairs = _pairs(context_ids, max(sizes))
    shares: list[float] = []
    for size in sizes:
        answer = _matrix(answer_pairs, size, len(vocabulary))
        context = _matrix(context_pairs, size, len(vocabulary))
        shares.append(float(answer.minimum(context).sum() / answer.sum()))
    missing = _missing_pairs(
        answer_ids, answer_pairs, _matrix(context_pairs, max(sizes), len(vocabulary))
    )
    limit = int(cast(int, material.options["evidence_count"]))
    evidence = tuple(
        material.evidence(
            "unsupported",
            parse.spans[kept[first]].start,
            parse.spans[kept[second]].end,
            entry=f"{parse.lemmas[kept[first]]} – {parse.lemmas[kept[second]]}",
        )
        for first, second in missing
        if parse.content[kept[first]] and parse.content[kept[second]]
    )
    return Measurement(min(1.0, sum(shares) / len(shares)), None, evidence[:limit])


def _kept(parse: Parse, material: Material) -> list[int]:
    """Indices of the tokens that count as words."""
    if material.answer.language not in cast(list[str], material.options["strip_stop_words_in"]):
        return list(parse.word_indices)
    stop_words = material.lexicons["stop_words"].words
    return [i for i in parse.word_indices if parse.words[i].casefold() not in stop_words]


def _context_ids(
    parses: Sequence[tuple[Context, Parse]],
    vocabulary: dict[str, int],
    material: Material,
    gap: int,
) -> Ids:
    """The pages' words as numbers of the answer's vocabulary, −1 for any other word."""
    ids: list[int] = []
    for _, parse in parses:
        lemmas = parse.lemmas
        ids.extend(vocabulary.get(lemmas[index], -1) for index in _kept(parse, material))
        ids.extend([-1] * gap)
    return np.array(ids, dtype=np.int64)


def _pairs(ids: Ids, reach: int) -> NDArray[np.int64]:
    """All pairs of known words at a distance of at most ``reach``.

    Returns:
        Shape ``(4, n_pairs)``: smaller id, larger id, distance, place of the first word.
    """
    found: list[NDArray[np.int64]] = []
    for distance in range(1, min(reach, len(ids) - 1) + 1):
        first, second = ids[:-distance], ids[distance:]
        at = np.flatnonzero((first >= 0) & (second >= 0) & (first != second))
        low, high = np.minimum(first[at], second[at]), np.maximum(first[at], second[at])
        found.append(np.stack([low, high, np.full_like(at, distance), at]))
    return np.concatenate(found, axis=1) if found else np.empty((4, 0), dtype=np.int64)


def _matrix(pairs: NDArray[np.int64], size: int, width: int) -> csr_array:
    """The HAL matrix of one window size, shape ``(width, width)``, upper triangle."""
    near = pairs[:, pairs[2] <= size]
    weights = (size - near[2] + 1).astype(np.float64)
    return coo_array((weights, (near[0], near[1])), shape=(width, width)).tocsr()


def _missing_pairs(ids: Ids, pairs: NDArray[np.int64], context: csr_array) -> list[tuple[int, int]]:
    """Places of the answer's pairs that no page has, the closest first, each pair once."""
    known = set(zip(*(axis.tolist() for axis in context.nonzero()), strict=True))
    seen: set[tuple[int, int]] = set()
    missing: list[tuple[int, int]] = []
    for low, high, distance, at in pairs.T.tolist():
        if (low, high) not in known and (low, high) not in seen:
            seen.add((low, high))
            missing.append((at, at + distance))
    return missing


HEURISTIC = Heuristic(
    name="hal",
    symbol="ρ⌘𝔄",
    reads=frozenset({"answer", "contexts"}),
    needs=frozenset({"parse"}),
    lexicons=frozenset({"stop_words"}),
    measure=measure,
    options={"window_sizes": [2, 5, 10], "strip_stop_words_in": ["en"], "evidence_count": 5},
    message_types=("reasoning", "binary", "instruction"),
)
