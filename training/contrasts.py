"""What pairs of answers teach: the sentence in which they differ, beside its place.

That of the true answer is supported there, and that of the untrue one is not. How likely both are
elsewhere is not learnt from them, only that the one is likelier than the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from klopt.comparing import Comparator, Learnt
from klopt.comparing.pairs import Pair, batch_of
from klopt.comparing.slots import numbers_of
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
        return np.array([one.company for one in self.rows])

    @property
    def words_alone(self) -> Floats:
        """By how much the words of the answers alone put the true one higher."""
        return np.array([one.words_alone for one in self.rows], np.float32)

    def odds(self, chances: Floats) -> Floats:
        """For each answer the log-odds that its worst sentence is supported, not contradicted.

        From the chances of each sentence; shape ``(len(rows), 2)``, the true answer first.
        """
        points = np.log(np.maximum(chances[:, :2], 1e-4))
        odds = np.append(points[:, 0] - points[:, 1], np.inf)
        found: Floats = odds[self.sentences].min(axis=2)
        return found


def contrasts(data: Path) -> Contrasts:
    """The pairs of all help centres."""
    rows: list[PairRow] = []
    sentences: list[list[list[int]]] = []
    numbers: list[Floats] = []
    waiting: list[Pair] = []
    count = 0
    for row, sides in _beside_places(data):
        if not all(sides):
            continue
        rows.append(row)
        sentences.append([])
        for some in sides:
            kept = some[:MOST]
            sentences[-1].append([*range(count, count + len(kept)), *[-1] * (MOST - len(kept))])
            count += len(kept)
            waiting += kept
        if len(waiting) >= BATCH:
            numbers.append(numbers_of(waiting, batch_of(waiting)))
            waiting = []
    if waiting:
        numbers.append(numbers_of(waiting, batch_of(waiting)))
    return Contrasts(rows, np.concatenate(numbers), np.array(sentences))


def _beside_places(data: Path) -> Iterator[tuple[PairRow, list[list[Pair]]]]:
    """Each pair with what its answers say otherwise than each other, beside the best places."""
    comparators = {code: Comparator(WordVectors.load(code), Learnt.load()) for code in ("nl", "en")}
    for row in pair_rows(data):
        pages, language = row.pages_in(data), language_of(row.language)
        sides: list[dict[str, Pair]] = []
        for text in row.answers:
            own: dict[str, Pair] = {}
            pairing = None
            for one in sentences_of(language, row.question, text, pages, 1):
                pairing = pairing or comparators[row.language].pairing(
                    one.match, one.question, one.answer, one.language
                )
                for place in one.places:
                    words = _NO_WORD.sub(" ", one.text.lower())
                    own[words] = pairing.pair(one.span, place.page, place.span(one.match))
            sides.append(own)
        yield (
            row,
            [
                [pair for words, pair in own.items() if words not in other]
                for own, other in (sides, sides[::-1])
            ],
        )
