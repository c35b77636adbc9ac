"""What pairs of answers teach: the sentences in which they differ, beside their places.

That of the true answer is supported there, and that of the untrue one is not. How likely both are
elsewhere is not learnt from them, only that the one is likelier than the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from klopt.comparing import Comparator, Learnt
from klopt.comparing.comparator import numbers_of
from klopt.comparing.pairs import Pair, batch_of
from klopt.comparing.words import Floats, WordVectors
from training.claims import BATCH
from training.pair_rows import PairRow, language_of, pair_rows, sentences_of

MOST: Final = 3
"""So many sentences of an answer that the other one does not have are looked at."""
_NO_WORD: Final = re.compile(r"\W+")


@dataclass(frozen=True, eq=False)
class Contrasts:
    """The sentences in which pairs of answers differ.

    Attributes:
        rows: The pairs; those of which an answer has no such sentence beside a place are left out.
        numbers: What the slots find of all sentences.
        sentences: The numbers of the sentences of the true and of the untrue answer, -1 for none,
            shape ``(len(rows), 2, MOST)``.
    """

    rows: Sequence[PairRow]
    numbers: Floats
    sentences: NDArray[np.int64]

    @property
    def companies(self) -> NDArray[Any]:
        """Whose each pair is."""
        return np.array([row.company for row in self.rows])

    @property
    def words_alone(self) -> Floats:
        """By how much the words of the answers alone put the true one higher."""
        return np.array([row.words_alone for row in self.rows], np.float32)


def contrasts(data: Path) -> Contrasts:
    """The pairs of all help centres."""
    comparators = {code: Comparator(WordVectors.load(code), Learnt.load()) for code in ("nl", "en")}
    rows: list[PairRow] = []
    sentences: list[list[list[int]]] = []
    pairs: list[Pair] = []
    starts = [0]
    for row in pair_rows(data):
        true, untrue = (_beside_places(row, answer, data, comparators[row.language])
                        for answer in row.answers)  # fmt: skip
        if not true.keys() - untrue.keys() or not untrue.keys() - true.keys():
            continue
        rows.append(row)
        sentences.append([])
        for own, others in ((true, untrue), (untrue, true)):
            kept = [pair for words, pair in own.items() if words not in others][:MOST]
            numbers = range(len(pairs), len(pairs) + len(kept))
            sentences[-1].append([*numbers, *[-1] * (MOST - len(kept))])
            pairs += kept
        if len(pairs) - starts[-1] >= BATCH:
            starts.append(len(pairs))
    batches = (pairs[start:end] for start, end in pairwise([*starts, len(pairs)]) if start < end)
    numbers = np.concatenate([numbers_of(some, batch_of(some)) for some in batches])
    return Contrasts(rows, numbers, np.array(sentences))


def _beside_places(
    row: PairRow, answer: str, data: Path, comparator: Comparator
) -> dict[str, Pair]:
    """The words of each statement of an answer → it beside the best place."""
    beside: dict[str, Pair] = {}
    pairing = None
    pages, language = row.pages_in(data), language_of(row.language)
    for one in sentences_of(language, row.question, answer, pages):
        pairing = pairing or comparator.pairing(one.match, one.question, one.answer, one.language)
        if one.place is not None:
            words = _NO_WORD.sub(" ", one.text.lower())
            beside[words] = pairing.pair(one.span, one.place.page, one.place.span)
    return beside
