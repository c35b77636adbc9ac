"""``python -m training.slots``: the small networks that weigh what the slots find.

Learnt from the labelled claims. What a claim's words alone give away is taken out: the logarithm
of what a model of the claim alone thinks is added while training, and left off after. Figures are
of companies that were left out.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from klopt.comparing.network import LABELS
from klopt.comparing.pairs import Floats
from klopt.comparing.slots import FAMILIES
from klopt.comparing.slots.weighing import FARTHEST, Weighing
from training.claim_chances import numbers_of
from training.claims import FOLDS, LEFT_OUT, Examples, figures

OUTPUT: Final = Path(__file__).parent.parent / "klopt" / "comparing" / "slots" / "weights.npz"
MEMBERS: Final = 3
WIDTH: Final = 96
EPOCHS: Final = 14
BATCH: Final = 64
RATE: Final = 1e-3
DECAY: Final = 0.2
INPUT_DROPOUT, DROPOUT = 0.1, 0.3
SMOOTHING: Final = 0.03
SHARES: Final = (0.25, 0.5, 1.0)


def trained(
    numbers: Floats, labels: NDArray[Any], known: Floats, members: int = MEMBERS
) -> dict[str, Floats]:
    """The weights of `Weighing`; ``known`` are the logarithms that the claims alone give away."""
    means, deviations = numbers.mean(axis=0), numbers.std(axis=0) + 1e-3
    inputs = np.clip((numbers - means) / deviations, -FARTHEST, FARTHEST).astype(np.float32)
    layers = [_member(inputs, labels, known, seed) for seed in range(members)]
    found = {"means": means, "deviations": deviations}
    for number, name in enumerate(("first", "second", "third")):
        own = [some[number] for some in layers]
        found[name] = np.stack([one.weight.detach().numpy().T for one in own])
        found[f"{name}_base"] = np.stack([one.bias.detach().numpy()[None] for one in own])
    return found


def _member(inputs: Floats, labels: NDArray[Any], known: Floats, seed: int) -> list[nn.Linear]:
    torch.manual_seed(seed)
    layers = [nn.Linear(inputs.shape[1], WIDTH), nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 3)]
    model = nn.Sequential(
        nn.Dropout(INPUT_DROPOUT),
        layers[0],
        nn.ReLU(),
        nn.Dropout(DROPOUT),
        layers[1],
        nn.ReLU(),
        nn.Dropout(DROPOUT),
        layers[2],
    )
    rows, wanted, start = map(torch.from_numpy, (inputs, labels, known))
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, RATE, total_steps=EPOCHS * -(-len(rows) // BATCH), pct_start=0.1
    )
    for _ in range(EPOCHS):
        for some in torch.randperm(len(rows)).split(BATCH):
            points = model(rows[some]) + start[some]
            loss = functional.cross_entropy(points, wanted[some], label_smoothing=SMOOTHING)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return layers


def left_out(
    numbers: Floats,
    labels: NDArray[Any],
    known: Floats,
    companies: NDArray[Any],
    output: Path | None = None,
    share: float = 1.0,
) -> Floats:
    """The chances of each claim by networks that saw no claim of its company.

    They are written to a folder, if there is one; or learnt from a share of the others' claims.
    """
    picked = np.random.default_rng(0).random(len(labels)) < share
    found = np.zeros((len(labels), len(LABELS)), np.float32)
    for fold in FOLDS:
        out = np.isin(companies, fold)
        some = ~out & picked
        weights = trained(numbers[some], labels[some], known[some])
        if output is not None:
            write(output / f"{'+'.join(fold)}.slots.npz", weights)
        found[out] = Weighing(weights)(numbers[out])
    return found


def write(output: Path, weights: dict[str, Floats]) -> None:
    """Writes weights in half precision."""
    output.parent.mkdir(parents=True, exist_ok=True)
    halves: dict[str, Any] = {name: array.astype(np.float16) for name, array in weights.items()}
    np.savez_compressed(output, **halves)


def report(
    name: str, chance: Floats, labels: NDArray[Any], known: Floats, companies: NDArray[Any]
) -> None:
    """Prints the figures of all claims, of the hard ones, and of each fold."""
    hard = known.argmax(axis=1) != labels
    print(f"{name}: all {figures(chance, labels)}  hard {figures(chance[hard], labels[hard])}")
    for fold in FOLDS if name == "all families" else ():
        out = np.isin(companies, fold)
        print(
            f"  {'+'.join(fold)}: {figures(chance[out], labels[out])}  "
            f"hard {figures(chance[out & hard], labels[out & hard])}"
        )


def main() -> None:
    """Reports what the families are worth on companies left out, and writes the weights of all."""
    parser = argparse.ArgumentParser(prog="python -m training.slots", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the real data")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    parser.add_argument("--left-out", type=Path, default=LEFT_OUT, help="folder of the others")
    parser.add_argument("--curve", action="store_true", help="only what fewer claims come to")
    parser.add_argument("--without", action="store_true", help="also without each family")
    arguments = parser.parse_args()
    examples = Examples(arguments.data).claims()
    families = numbers_of(examples)
    labels = np.array([one.label for one in examples])
    known = np.log(np.maximum([one.claim_only for one in examples], 1e-3)).astype(np.float32)
    companies = np.array([one.company for one in examples])
    print("right of three, AUC " + " ".join(LABELS))
    if arguments.curve:
        numbers = np.concatenate(families, axis=1)
        for share in SHARES:
            chance = left_out(numbers, labels, known, companies, share=share)
            report(f"{share:.0%} of the claims", chance, labels, known, companies)
        return
    kept = {"all families": families}
    if arguments.without:
        for number, family in enumerate(FAMILIES):
            some = [one for other, one in enumerate(families) if other != number]
            kept[f"without {family.__name__}"] = some
    for name, some in kept.items():
        output = arguments.left_out if some is families else None
        chance = left_out(np.concatenate(some, axis=1), labels, known, companies, output)
        report(name, chance, labels, known, companies)
    weights = trained(np.concatenate(families, axis=1), labels, known)
    write(arguments.output, weights)


if __name__ == "__main__":
    main()
