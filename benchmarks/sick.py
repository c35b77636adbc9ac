"""``python -m benchmarks.sick --data DIR``: the slots on general Dutch, SICK-NL.

What the slots find in both directions is weighed by networks that learn from SICK-NL's training
part; prints how much of its test part they get right. No weights of this are kept: it tells what
the slots see, not what klopt ships.

Source:
    SICK-NL (Wijnholds and Moortgat 2021), where BERTje is right in 83.9%.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from klopt import Page, lexicons
from klopt.comparing.learnt import Weighing
from klopt.comparing.pairs import Pair, Pairing, batch_of
from klopt.comparing.slots import numbers_of
from klopt.comparing.words import Floats, WordVectors, side_of
from klopt.matching.index import Context
from klopt.matching.language import Language
from klopt.matching.match import Match
from training.slots import trained

LABELS: Final = ("ENTAILMENT", "CONTRADICTION", "NEUTRAL")
"""In the order of `klopt.comparing.learnt.LABELS`."""
LEARNT: Final = ("TRAIN",)
BATCH: Final = 64


def rows_of(file: Path) -> list[dict[str, str]]:
    """The rows of SICK-NL."""
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def numbers_of_rows(rows: list[dict[str, str]]) -> Floats:
    """What the slots find of each pair of sentences, the second beside the first and back."""
    sides = (("sentence_A", "sentence_B"), ("sentence_B", "sentence_A"))
    found = []
    for passage, claim in sides:
        pairs = list(_pairs((row[passage], row[claim]) for row in rows))
        batches = (pairs[start : start + BATCH] for start in range(0, len(pairs), BATCH))
        found.append(np.concatenate([numbers_of(some, batch_of(some)) for some in batches]))
    return np.concatenate(found, axis=1)


def _pairs(sentences: Iterator[tuple[str, str]]) -> Iterator[Pair]:
    own, vectors = Language(lexicons.load("nl")), WordVectors.load("nl")
    none = own.reader.read("")
    for passage, claim in sentences:
        page, answer = own.page(Page(passage)), own.reader.read(claim)
        match = Match(none, answer, [Context("", page)], own.relations, own.lexicons)
        asked, said, there = (side_of(one, own.lexicons) for one in (none, answer, page.reading))
        pairing = Pairing(match, asked, said, [there], vectors, own.relations)
        whole = (0, len(page.reading.plain.text))
        yield pairing.pair((0, len(answer.plain.text)), 0, whole)


def main() -> None:
    """Prints the share of the test part that is right."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sick", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the real data")
    arguments = parser.parse_args()
    rows = rows_of(arguments.data / "nli" / "sick-nl.txt")
    numbers = numbers_of_rows(rows)
    labels: NDArray[Any] = np.array([LABELS.index(row["entailment_label"]) for row in rows])
    learnt = np.array([row["SemEval_set"] in LEARNT for row in rows])
    nothing = np.zeros((int(learnt.sum()), len(LABELS)), np.float32)
    weigh = Weighing(trained(numbers[learnt], labels[learnt], nothing))
    right = weigh(numbers[~learnt]).argmax(axis=1) == labels[~learnt]
    print(f"SICK-NL test: {right.mean():.3f} of {len(right)} right")
    for number, label in enumerate(LABELS):
        print(f"  {label}: {right[labels[~learnt] == number].mean():.3f}")


if __name__ == "__main__":
    main()
