"""The pieces of words that the encoder knows, and the tokenizer that cuts texts into them."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

from training.encoder.weights import Weights

SPECIAL: Final = ("<s>", "<pad>", "</s>", "<unk>")
FEWEST: Final = 3
"""A piece that the texts have less often is cut into smaller ones."""
LANGUAGES: Final = ("nl", "en")


def tokenizer_of(pieces: Iterable[tuple[str, float]]) -> Tokenizer:
    """A tokenizer of pieces and the logarithm of how frequent each is; `SPECIAL` come first."""
    found = Tokenizer(models.Unigram([*((one, 0.0) for one in SPECIAL), *pieces], unk_id=3))
    found.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Replace(Regex(r"[\s\p{Cc}\p{Cf}]+"), " ")]
    )
    found.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    found.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", 0), ("</s>", 2)],
    )
    return found


def kept(weights: Weights, texts: Iterable[str]) -> list[int]:
    """The numbers of the pieces that texts have often enough, and of all single characters."""
    numbers = [at for at, piece in enumerate(weights.pieces) if piece not in SPECIAL]
    whole = tokenizer_of((weights.pieces[one], weights.scores[one]) for one in numbers)
    counts: Counter[int] = Counter()
    waiting = iter(texts)
    while batch := list(islice(waiting, 4096)):
        for one in whole.encode_batch(batch, add_special_tokens=False):
            counts.update(one.ids)
    return [
        number
        for at, number in enumerate(numbers, len(SPECIAL))
        if counts[at] >= FEWEST or (len(weights.pieces[number]) == 1 and counts[at])
    ]


def texts_of(data: Path) -> Iterator[str]:
    """The texts that say which pieces the languages need: corpora and help pages."""
    for language in LANGUAGES:
        with gzip.open(data / "corpus" / f"{language}.txt.gz", "rt", encoding="utf-8") as lines:
            yield from lines
    for page in sorted((data / "help").glob("*/*.md")):
        yield from page.read_text("utf-8").splitlines()
    with gzip.open(data / "nli" / "public-en.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row: dict[str, Any] = json.loads(line)
            yield row["passage"]
            yield row["claim"]
