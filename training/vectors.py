"""``python -m training.vectors``: train the bundled word vectors on plain sentences.

klopt's own tokenizer reads the sentences, so that vectors belong to the keys by which klopt
compares texts. The vectors of fastText (which words occur together in software documentation) are
joined with those that a large multilingual encoder gives single words, and compressed: vectors of
the most frequent words as integers, and of the n-grams ("parts") of which other words consist.
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
FASTTEXT_DIMENSIONS: Final = 100
DIMENSIONS: Final = 128
FASTTEXT_WEIGHT: Final = 0.7
"""Weight of fastText's vectors beside the encoder's. On held-out companies, the network labels .58
to .63 of the claims correctly with both, and .57 to .62 with fastText's vectors alone."""
SHARED: Final = 3
"""Principal directions of the encoder's vectors that are removed."""
MAX_FORMS: Final = 90_000
"""Most frequent words of the corpus that can be the written form of a key."""
MAX_EXTRA_KEYS: Final = 20_000
"""Keys beyond the table on which the parts are also fitted."""
PENALTY: Final = 0.1
"""L2 penalty of the parts."""
STEPS: Final = 40
PARTS: Final = 20_000
MAX_WORDS: Final = 14_000
MIN_COUNT: Final = 5
EPOCHS: Final = {"nl": 5, "en": 8}
"""English has half as many sentences."""
SMOOTHING: Final = 3
Floats = NDArray[np.float64]


def write_words(language: str, data: Path, output: Path) -> None:
    """Write the sentences of a corpus as keys."""
    tokenizer = Tokenizer(lexicons.load(language))
    with output.open("w") as words:
        for line in corpus(data, language):
            words.write(" ".join(map(word_of, tokenizer.read(line.strip()).keys)) + "\n")


def trained(language: str, words: Path) -> Any:  # noqa: ANN401 - fastText has no types
    """Train fastText; in one thread, so that the result is reproducible."""
    return fasttext.train_unsupervised(
        str(words),
        model="skipgram",
        dim=FASTTEXT_DIMENSIONS,
        epoch=EPOCHS[language],
        minCount=MIN_COUNT,
        minn=SHORTEST_GRAM,
        maxn=LONGEST_GRAM,
        bucket=PARTS,
        thread=1,
        verbose=0,
    )


def packed(model: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return the arrays of `klopt.verification.words.WordVectors`, from a model of fastText.

    The mean of all words and their first principal direction are removed (Mu and Viswanath 2018):
    they separate frequent words from rare ones, not meanings.
    """
    words, counts = model.get_words(include_freq=True)
    total = int(counts.sum())
    whole = unit(np.array([model.get_word_vector(word) for word in words], np.float64))
    middle = whole.mean(axis=0)
    direction = directions(whole - middle)[0]
    centred = whole - middle
    centred -= np.outer(centred @ direction, direction)
    kept = [number for number, word in enumerate(words) if word != "</s>"][:MAX_WORDS]
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
    """Return the vectors of parts as integers of one byte, with a scale for each vector."""
    scales = np.maximum(np.abs(parts).max(axis=1), 1e-9) / LARGEST
    return {
        "parts": np.rint(parts / scales[:, None]).astype(np.int8),
        "part_scales": scales.astype(np.float16),
    }


def written(language: str, data: Path) -> dict[str, str]:
    """Return key → its most frequent word in a corpus, frequent keys first."""
    tokenizer = Tokenizer(lexicons.load(language))
    forms: dict[str, str] = {}
    for word, _ in word_counts(corpus(data, language)).most_common(MAX_FORMS):
        forms.setdefault(word_of(tokenizer.key(word)), word)
    return forms


def joined(language: str, arrays: dict[str, Any], forms: dict[str, str]) -> dict[str, Any]:
    """Return arrays in which fastText's vectors are joined with the encoder's.

    The principal directions of the table's words are kept. The parts are fitted again: the sum of a
    word's parts should approximate the word.
    """
    table = arrays["words"].tobytes().decode().split("\n")
    known = set(table)
    keys = [*table, *[one for one in forms if one not in known][:MAX_EXTRA_KEYS]]
    trained = unit(WordVectors(language, arrays).of(keys)[0].astype(np.float64))
    read = meanings([forms.get(key, key.replace("_", " ")) for key in keys])
    both = np.concatenate([FASTTEXT_WEIGHT * trained, _apart(read, len(table))], axis=1)
    wanted = unit(both @ directions(both[: len(table)])[:DIMENSIONS].T)
    none = np.zeros(DIMENSIONS, np.float32)
    return arrays | {
        "coordinates": in_whole_numbers(wanted[: len(table)].astype(np.float32)),
        **_small(_parts(keys, wanted, len(arrays["parts"]))),
        "middle": none,
        "direction": none,
    }


def _apart(read: NDArray[np.float32], count: int) -> Floats:
    """Remove what all words of the table, the first ``count``, share in the encoder's vectors."""
    apart = unit(read.astype(np.float64))
    apart -= apart[:count].mean(axis=0)
    shared = directions(apart[:count])[:SHARED]
    return unit(apart - apart @ shared.T @ shared)


def _parts(keys: Sequence[str], wanted: Floats, count: int) -> Floats:
    """Fit the vectors of parts by ridge regression, shape ``(count, DIMENSIONS)``."""
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
    """Train the word vectors of both languages and write them."""
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
