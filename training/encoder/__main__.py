"""``python -m training.encoder``: teaches a small encoder without each fold.

First the pieces and layers of multilingual-e5-small learn from public inference pairs and from
contrasts of the corpora, which belong to no company; from there each fold learns from claims,
pairs and rated turns of the other companies. Each stage is kept in the folder ``--work`` and is not
made again. None is shipped: ``python -m training.statements --encoder`` says what they add.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch
from tokenizers import Tokenizer

from training.claims import Fold, claim_rows
from training.command import given
from training.encoder.examples import Example, claims, contrasts, pairs, public, turns, with_rivals
from training.encoder.export import export
from training.encoder.learning import cut, in_order, learn
from training.encoder.model import Encoder, begun
from training.encoder.pieces import SPECIAL, kept, texts_of, tokenizer_of
from training.encoder.reading import ENCODERS, FOLDS
from training.encoder.weights import read

LAYERS: Final = 6
CONTRASTS: Final = {"nl": 16_000, "en": 8_000}
FIRST_RATE: Final = 1.5e-4
SECOND_RATE: Final = 1e-4
ROUNDS: Final = 3
"""So often pairs and turns are seen in the second stage; of the claims a half each time."""
SEED: Final = 1
MOST_TOLD: Final = 300
"""About so many pairs are read to tell what was learnt."""


@dataclass(frozen=True)
class Work:
    """The folder of the real data, and that of what was made so far."""

    data: Path
    folder: Path

    def tokenizer(self) -> Tokenizer:
        """The one that `pieces` wrote."""
        return Tokenizer.from_file(str(self.folder / "tokenizer.json"))

    def pieces(self) -> list[int]:
        """The numbers of the pieces that are kept, the special ones first; also writes them."""
        file = self.folder / "pieces.json"
        if not file.exists():
            weights = read()
            numbers = kept(weights, texts_of(self.data))
            tokenizer_of([(weights.pieces[one], weights.scores[one]) for one in numbers]).save(
                str(self.folder / "tokenizer.json")
            )
            special = [weights.pieces.index(one) for one in SPECIAL]
            file.write_text(json.dumps([*special, *numbers]), "utf-8")
        found: list[int] = json.loads(file.read_text("utf-8"))
        return found

    def first(self) -> Path:
        """The encoder that all folds begin from."""
        file = self.folder / f"first-{LAYERS}.pt"
        if not file.exists():
            model = begun(read(), self.pieces(), range(LAYERS))
            examples = list(public(self.data, SEED))
            for language, count in CONTRASTS.items():
                examples += contrasts(self.data, language, count, SEED)
            self._learn(model, [examples], FIRST_RATE, file)
        return file

    def second(self, fold: Fold) -> Path:
        """The encoder that learnt from all companies but those of a fold."""
        file = self.folder / f"second-{LAYERS}-{'+'.join(fold)}.pt"
        if not file.exists():
            said, always = (
                [one for one in some if one.company not in fold] for some in self.examples()
            )
            rounds = [[*said[number % 2 :: 2], *always] for number in range(ROUNDS)]
            self._learn(loaded(self.first()), rounds, SECOND_RATE, file)
        return file

    def _learn(self, model: Encoder, rounds: list[list[Example]], rate: float, file: Path) -> None:
        cut([one for examples in rounds for one in examples], self.tokenizer())
        learn(file.stem, model, rounds, rate=rate, seed=SEED)
        torch.save(model.state_dict(), file)

    def examples(self) -> tuple[list[Example], list[Example]]:
        """The claims; and pairs and rated turns. Read once: to find their places takes a while."""
        file = self.folder / "examples.jsonl"
        if not file.exists():
            every = [*claims(self.data), *pairs(self.data), *turns(self.data)]
            file.write_text("".join(one.line() for one in every), "utf-8")
        every = [Example.of(line) for line in file.read_text("utf-8").splitlines()]
        count = sum(1 for _ in claim_rows(self.data))
        return every[:count], with_rivals(every[count:])

    def write(self, fold: Fold) -> Path:
        """Writes what runs: the encoder in whole numbers, and its tokenizer."""
        output = self.folder / "+".join(fold)
        output.mkdir(parents=True, exist_ok=True)
        export(loaded(self.second(fold)), output / "encoder.onnx")
        (output / "tokenizer.json").write_bytes((self.folder / "tokenizer.json").read_bytes())
        return output

    def tell(self, fold: Fold) -> None:
        """Prints what share of pairs each stage puts in order, of companies learnt from and not."""
        rivals = [one for one in self.examples()[1] if one.rival]
        cut([each for one in rivals for each in (one, one.rival) if each], self.tokenizer())
        for file in (self.first(), self.second(fold)):
            for is_out, name in ((False, "learnt from"), (True, "left out")):
                own = [one for one in rivals if (one.company in fold) is is_out]
                share = in_order(loaded(file), own[:: max(1, len(own) // MOST_TOLD)])
                print(f"{file.stem}: {share:.2f} of the pairs {name} in order", flush=True)


def loaded(file: Path) -> Encoder:
    """An encoder as it was written."""
    state: dict[str, Any] = torch.load(file, weights_only=True)
    model = Encoder(len(state["words.weight"]), LAYERS)
    model.load_state_dict(state)
    return model


def main() -> None:
    """Teaches the encoders without each fold."""
    folder = {"type": Path, "default": ENCODERS, "help": "what was made so far"}
    arguments = given(__doc__, needs="nli", work=folder)
    torch.set_num_threads(1)
    arguments.work.mkdir(parents=True, exist_ok=True)
    work = Work(arguments.data, arguments.work)
    for fold in FOLDS:
        print(f"written to {work.write(fold)}", flush=True)
        work.tell(fold)


if __name__ == "__main__":
    main()
