"""``python -m benchmarks.detector``: klopt beside an encoder that reads answer and pages whole.

Detectors such as LettuceDetect-base read question, pages and answer with ModernBERT-base and mark
tokens. No weights are at hand, so random ones are timed: time does not depend on them. One core,
one thread, the same turns. Needs the extra ``training``.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import torch
from transformers import ModernBertConfig, ModernBertForTokenClassification

from benchmarks.latency import groups, percentiles
from klopt import Scorer, Turn

OUTPUT: Final = Path(__file__).parent / "detector.json"
CHARS_A_TOKEN: Final = 4
"""About what the vocabulary of ModernBERT gives of English; Dutch has more tokens."""
MOST_TOKENS: Final = 4_096
"""As LettuceDetect reads them."""
TURNS: Final = 12
ROUNDS: Final = 3


def tokens_of(turn: Turn) -> int:
    """About how many tokens question, pages and answer have."""
    characters = len(turn.question) + len(turn.answer) + sum(len(one.text) for one in turn.pages)
    return min(MOST_TOKENS, characters // CHARS_A_TOKEN)


def detected(turns: Sequence[Turn]) -> Iterator[float]:
    """Seconds that each turn takes by the encoder."""
    torch.set_num_threads(1)
    model = ModernBertForTokenClassification(ModernBertConfig(num_labels=2)).eval()
    with torch.inference_mode():
        for turn in turns[:1] + list(turns):
            tokens = torch.randint(0, model.config.vocab_size, (1, tokens_of(turn)))
            start = time.perf_counter()
            model(tokens)
            yield time.perf_counter() - start


def scored(turns: Sequence[Turn]) -> Iterator[float]:
    """Seconds that each turn takes by klopt, the pages known; the best of some rounds."""
    scorer = Scorer.load(all_types=True)
    for turn in turns:
        scorer.score(turn)
        taken = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            scorer.score(turn)
            taken.append(time.perf_counter() - start)
        yield min(taken)


def main() -> None:
    """Prints the figures and stores them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.detector", description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of the real data; left out without")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    every = [turn for turns in groups(arguments.data).values() for one in turns for turn in one]
    turns = every[:: max(1, len(every) // TURNS)][:TURNS]
    ours, theirs = list(scored(turns)), list(detected(turns))[1:]
    found = {
        "tokens": round(sum(map(tokens_of, turns)) / len(turns)),
        "klopt": percentiles(ours),
        "encoder": percentiles(theirs),
        "times": round(sum(theirs) / sum(ours)),
    }
    print(json.dumps(found, indent=1))
    arguments.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
