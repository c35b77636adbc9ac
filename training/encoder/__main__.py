"""``python -m training.encoder``: train the encoder of `careful` and export it.

The lower layers of multilingual-e5-small learn from labelled claims, from pairs that differ in one
fact and from public inference pairs. Real answers and the companies outside
`training.claims.FOLDS` are left out, so that they measure what ships.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

import torch

from training import meanings
from training.command import given
from training.encoder.examples import examples
from training.encoder.export import export, kept_pieces, smaller
from training.encoder.learning import LAYERS, Encoder, learn, tokenized
from training.published import Published
from training.support import OUTPUTS

RATE: Final = 1.6e-4
SEED: Final = 1
WORK: Final = Path(__file__).parent.parent.parent / ".encoder"
"""Examples, checkpoint and weights in full precision."""


def main() -> None:
    """Train, resuming from the checkpoint of an earlier run, and write the weights."""
    folder = {"type": Path, "default": WORK, "help": "checkpoint and weights in full precision"}
    arguments = given(__doc__, OUTPUTS["careful"].parent, "nli", work=folder)
    work, data = arguments.work, arguments.data
    work.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    tokenizer, bert = meanings.read(LAYERS)
    tokenizer.no_padding()
    torch.manual_seed(SEED)
    model = Encoder(bert)
    weights = work / "encoder.pt"
    if weights.exists():
        model.load_state_dict(torch.load(weights, weights_only=True))
    else:
        rows = tokenized(examples(data, work / "examples.jsonl", SEED), tokenizer)
        print(f"{len(rows)} examples, {sum(len(ids) for _, ids in rows)} tokens", flush=True)
        learn(model, rows, work, rate=RATE, seed=SEED)
        torch.save(model.state_dict(), weights)
    published = Published.read()
    numbers = kept_pieces(published, data)
    smaller(published, numbers).save(str(arguments.output / "tokenizer.json"), pretty=False)
    export(model, numbers, arguments.output / "model.onnx")
    if not OUTPUTS["careful"].exists():  # until `training.support` has weighed the encoder
        shutil.copy(OUTPUTS["default"], OUTPUTS["careful"])
    print(f"Written to {arguments.output}")


if __name__ == "__main__":
    main()
