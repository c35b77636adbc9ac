"""``python -m training.vectors``: the spaces of words that come with klopt, from plain sentences.

The sentences are read by klopt's own tokeniser, so that the words of a space are the keys that
texts are compared by. What fastText trains - which words stand together in software documentation -
is joined with what a large multilingual encoder knows of each word by itself, and made small: the
most frequent words as whole numbers, and the parts that all others are composed of.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import fasttext
import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from klopt import lexicons
from klopt.text.tokens import Tokenizer
from klopt.verification.words import (
    LARGEST,
    LONGEST_GRAM,
    SHORTEST_GRAM,
    WordVectors,
    grams,
    in_whole_numbers,
    word_of,
)
from training.command import given
from training.meanings import directions, meanings, unit, word_counts
from training.rated_turns import corpus

OUTPUT: Final = Path(__file__).parent.parent / "klopt" / "verification"
TRAINED: Final = 100
"""So many dimensions fastText learns."""
DIMENSIONS: Final = 128
"""So many are kept of both together."""
TRAINED_COUNT: Final = 0.7
"""What the trained vectors count beside the encoder's. Of companies left out the network alone is
right of .58 to .63 of the claims with both, and of .57 to .62 with the trained ones alone."""
SHARED: Final = 3
"""So many directions that all words of the encoder have in common are taken out."""
MOST_SEEN: Final = 90_000
"""So many words of the corpus may be the written form of a key, the most frequent first."""
MOST_LEARNT: Final = 20_000
"""The parts are also learnt from so many keys beyond the table."""
PENALTY: Final = 0.1
"""L2, of the parts."""
STEPS: Final = 40
PARTS: Final = 20_000
MOST_WORDS: Final = 14_000
FEWEST: Final = 5
EPOCHS: Final = {"nl": 5, "en": 8}
"""English has half as many sentences."""
SMOOTHING: Final = 3
Floats = NDArray[np.float64]


def write_words(language: str, data: Path, output: Path) -> None:
    """Writes the sentences of a corpus as the words of the space."""
    tokenizer = Tokenizer(lexicons.load(language))
    with output.open("w") as words:
        for line in corpus(data, language):
            words.write(" ".join(map(word_of, tokenizer.read(line.strip()).keys)) + "\n")


def trained(language: str, words: Path) -> Any:  # noqa: ANN401 - fastText has no types
    """The model that fastText learns; one thread, so that it is the same each time."""
    return fasttext.train_unsupervised(
        str(words),
        model="skipgram",
        dim=TRAINED,
        epoch=EPOCHS[language],
        minCount=FEWEST,
        minn=SHORTEST_GRAM,
        maxn=LONGEST_GRAM,
        bucket=PARTS,
        thread=1,
        verbose=0,
    )


def packed(model: Any) -> dict[str, Any]:  # noqa: ANN401
    """The arrays of `klopt.verification.words.WordVectors`, from a model of fastText.

    The middle of all words and the direction that they share most are taken out (Mu and
    Viswanath 2018): they tell frequent words from rare ones, not one meaning from another.
    """
    words, counts = model.get_words(include_freq=True)
    total = int(counts.sum())
    whole = unit(np.array([model.get_word_vector(word) for word in words], np.float64))
    middle = whole.mean(axis=0)
    direction = directions(whole - middle)[0]
    centred = whole - middle
    centred -= np.outer(centred @ direction, direction)
    kept = [number for number, word in enumerate(words) if word != "</s>"][:MOST_WORDS]
    rarities = (np.log(total / (counts + SMOOTHING)) - 3) / 10
    return {
        "words": np.frombuffer("\n".join(words[number] for number in kept).encode(), np.uint8),
        "coordinates": in_whole_numbers(centred[kept].astype(np.float32)),
        "rarities": rarities[kept].astype(np.float16),
        **_small(model.get_input_matrix()[len(words) :]),
        "middle": middle.astype(np.float32),
        "direction": direction.astype(np.float32),
    }


def _small(parts: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """The vectors of parts as whole numbers of one byte, each with a scale of its own."""
    scales = np.maximum(np.abs(parts).max(axis=1), 1e-9) / LARGEST
    return {
        "parts": np.rint(parts / scales[:, None]).astype(np.int8),
        "part_scales": scales.astype(np.float16),
    }


def written(language: str, data: Path) -> dict[str, str]:
    """Key → the most frequent of the words of a corpus that it stands for, frequent ones first."""
    tokenizer = Tokenizer(lexicons.load(language))
    forms: dict[str, str] = {}
    for word, _ in word_counts(corpus(data, language)).most_common(MOST_SEEN):
        forms.setdefault(word_of(tokenizer.key(word)), word)
    return forms


def joined(language: str, arrays: dict[str, Any], forms: dict[str, str]) -> dict[str, Any]:
    """The arrays of a space that also knows what the encoder knows.

    Of both together the directions are kept in which the words of the table differ most. The parts
    are learnt anew: what those of a word add up to is to point where the word does.
    """
    table = arrays["words"].tobytes().decode().split("\n")
    known = set(table)
    keys = [*table, *[one for one in forms if one not in known][:MOST_LEARNT]]
    trained = unit(WordVectors.read(language, arrays).of(keys)[0].astype(np.float64))
    read = meanings([forms.get(key, key.replace("_", " ")) for key in keys])
    both = np.concatenate([TRAINED_COUNT * trained, _apart(read, len(table))], axis=1)
    wanted = unit(both @ directions(both[: len(table)])[:DIMENSIONS].T)
    none = np.zeros(DIMENSIONS, np.float32)
    return arrays | {
        "coordinates": in_whole_numbers(wanted[: len(table)].astype(np.float32)),
        **_small(_parts(keys, wanted, len(arrays["parts"]))),
        "middle": none,
        "direction": none,
    }


def _apart(read: NDArray[np.float32], count: int) -> Floats:
    """The encoder's vectors without what all words of the table, the first ones, have in common."""
    apart = unit(read.astype(np.float64))
    apart -= apart[:count].mean(axis=0)
    shared = directions(apart[:count])[:SHARED]
    return unit(apart - apart @ shared.T @ shared)


def _parts(keys: Sequence[str], wanted: Floats, count: int) -> Floats:
    """The vectors of parts by ridge regression, shape ``(count, DIMENSIONS)``."""
    numbers = [grams(key, count) for key in keys]
    lengths = np.array([len(number) for number in numbers])
    rows = np.repeat(np.arange(len(keys)), lengths)
    each = 1 / np.sqrt(lengths[rows])
    shape = len(keys), count
    has = scipy.sparse.csr_matrix((each, (rows, np.concatenate(numbers))), shape)
    both = (has.T @ has + PENALTY * scipy.sparse.eye(count)).tocsr()
    left = has.T @ wanted
    parts, step = np.zeros_like(left), left.copy()
    size = (left * left).sum(axis=0)
    for _ in range(STEPS):  # conjugate gradients, all dimensions at once
        moved = both @ step
        far = size / (step * moved).sum(axis=0)
        parts += far * step
        left -= far * moved
        before, size = size, (left * left).sum(axis=0)
        step = left + size / before * step
    return parts


def main() -> None:
    """Trains the spaces of both languages and writes them."""
    arguments = given(__doc__, OUTPUT, "corpus")
    for language in sorted(EPOCHS):
        with tempfile.TemporaryDirectory() as folder:
            words = Path(folder) / "words.txt"
            write_words(language, arguments.data, words)
            arrays = packed(trained(language, words))
        arrays = joined(language, arrays, written(language, arguments.data))
        target = arguments.output / language / "vectors.npz"
        target.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(target, **arrays)
        print(f"{language}: {target}")


if __name__ == "__main__":
    main()
