"""``python -m training.vectors``: the spaces of words that come with klopt, from plain sentences.

The sentences are read by klopt's own tokeniser, so that the words of a space are the keys that
texts are compared by. What fastText trains is made small: the most frequent words as whole
numbers, and the parts that all others are composed of.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
from pathlib import Path
from typing import Any, Final, Protocol

import fasttext
import numpy as np
from numpy.typing import NDArray

from klopt import lexicons
from klopt.comparing.vectors import (
    LARGEST,
    LONGEST_GRAM,
    SHORTEST_GRAM,
    in_whole_numbers,
    texts_as_words,
)
from klopt.reading.tokens import Tokenizer

OUTPUT: Final = Path(__file__).parent.parent / "klopt" / "comparing"
DIMENSIONS: Final = 100
PARTS: Final = 20_000
MOST_WORDS: Final = 14_000
FEWEST: Final = 5
EPOCHS: Final = {"nl": 5, "en": 8}
"""English has half as many sentences."""
SMOOTHING: Final = 3
LICENCE: Final = "CC BY 4.0"
SOURCE: Final = "Microsoft's documentation of its software in Dutch and English"


class Model(Protocol):
    """What is used of a model of fastText."""

    def get_words(self, include_freq: bool) -> tuple[list[str], NDArray[np.int64]]:
        """The words of its table, the most frequent first, and how often each was read."""

    def get_word_vector(self, word: str) -> NDArray[np.float32]:
        """The vector of a word, its parts included."""

    def get_input_matrix(self) -> NDArray[np.float32]:
        """The vectors of all words, and after them those of all parts."""


def read_corpus(language: str, file: Path, output: Path) -> int:
    """Writes the sentences of a corpus as the words of the space; returns their number."""
    tokenizer = Tokenizer(lexicons.load(language))
    count = 0
    with gzip.open(file, "rt", encoding="utf-8") as lines, output.open("w") as words:
        for line in lines:
            words.write(texts_as_words(tokenizer.read(line.strip()).keys) + "\n")
            count += 1
    return count


def trained(language: str, corpus: Path) -> Model:
    """The model that fastText learns; one thread, so that it is the same each time."""
    model: Model = fasttext.train_unsupervised(
        str(corpus),
        model="skipgram",
        dim=DIMENSIONS,
        epoch=EPOCHS[language],
        minCount=FEWEST,
        minn=SHORTEST_GRAM,
        maxn=LONGEST_GRAM,
        bucket=PARTS,
        thread=1,
        verbose=0,
    )
    return model


def packed(model: Model) -> dict[str, Any]:
    """The arrays of `klopt.comparing.vectors.WordVectors`.

    The middle of all words and the direction that they share most are taken out (Mu and
    Viswanath 2018): they tell frequent words from rare ones, not one meaning from another.

    Args:
        model: Trained by fastText.
    """
    words, counts = model.get_words(include_freq=True)
    total = int(counts.sum())
    whole = np.array([model.get_word_vector(word) for word in words], np.float64)
    whole /= np.maximum(np.linalg.norm(whole, axis=1, keepdims=True), 1e-9)
    middle = whole.mean(axis=0)
    _, _, directions = np.linalg.svd(whole - middle, full_matrices=False)
    direction = directions[0]
    centred = whole - middle
    centred -= np.outer(centred @ direction, direction)
    kept = [number for number, word in enumerate(words) if word != "</s>"][:MOST_WORDS]
    inputs = model.get_input_matrix()[len(words) :]
    scales = np.maximum(np.abs(inputs).max(axis=1), 1e-9) / LARGEST
    rarities = (np.log(total / (counts + SMOOTHING)) - 3) / 10
    return {
        "words": np.frombuffer("\n".join(words[number] for number in kept).encode(), np.uint8),
        "coordinates": in_whole_numbers(centred[kept].astype(np.float32)),
        "rarities": rarities[kept].astype(np.float16),
        "parts": np.rint(inputs / scales[:, None]).astype(np.int8),
        "part_scales": scales.astype(np.float16),
        "middle": middle.astype(np.float32),
        "direction": direction.astype(np.float32),
    }


def main() -> None:
    """Trains the spaces of both languages and writes them with a card each."""
    parser = argparse.ArgumentParser(prog="python -m training.vectors", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the real data")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    parser.add_argument("--language", choices=sorted(EPOCHS), action="append")
    arguments = parser.parse_args()
    for language in arguments.language or sorted(EPOCHS):
        with tempfile.TemporaryDirectory() as folder:
            corpus = Path(folder) / "corpus.txt"
            count = read_corpus(language, arguments.data / "corpus" / f"{language}.txt.gz", corpus)
            arrays = packed(trained(language, corpus))
        target = arguments.output / language
        target.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(target / "vectors.npz", **arrays)
        card = {
            "language": language,
            "sentences": count,
            "words": len(arrays["coordinates"]),
            "parts": PARTS,
            "dimensions": DIMENSIONS,
            "epochs": EPOCHS[language],
            "source": SOURCE,
            "licence": LICENCE,
            "method": "fastText skip-gram over the keys of klopt's tokeniser, one thread",
        }
        (target / "vectors.json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
        print(f"{language}: {count} sentences, {target / 'vectors.npz'}")


if __name__ == "__main__":
    main()
