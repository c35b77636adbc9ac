"""``python -m benchmarks.claims``: what a passage says of a claim, for companies never seen.

Each claim is compared by the network and the families that were learnt without its company. Hard
are the claims whose own words point to the wrong label: only the passage can tell there. It prints
what the two should count together (`klopt.verification.comparator.joined`): what a claim's words
alone give away is added while that is learnt and left off after, as in every training.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from klopt.verification.comparator import joined
from klopt.verification.networks import LABELS
from klopt.verification.words import Floats
from training.claims import (
    FOLDS,
    Example,
    Examples,
    chances,
    claim_rows,
    figures,
    known_of,
    numbers_of,
)
from training.command import given, show, store
from training.support import compared_without

START: Final = (0.5, 0.5, 0.0, 0.0)
LEAST: Final = 1e-4
Figures = dict[str, float]


def left_out_chances(claims: Sequence[Example], examples: Examples) -> tuple[Floats, Floats]:
    """What the network and the families say of each claim, both learnt without its company."""
    network, families = (np.zeros((len(claims), len(LABELS)), np.float32) for _ in range(2))
    companies = np.array([claim.company for claim in claims])
    numbers = numbers_of([claim.pair for claim in claims])
    for fold in FOLDS:
        own = np.flatnonzero(np.isin(companies, fold))
        learnt = compared_without(fold[0])
        some = [claims[number] for number in own.tolist()]
        network[own] = chances(learnt.network, some, examples.coordinates)
        families[own] = learnt.families(numbers[own])
    return network, families


def counted(claims: Sequence[Example], network: Floats, families: Floats) -> NDArray[np.float64]:
    """What network and families count together, and how much likelier the first two labels are."""
    labels = np.array([claim.label for claim in claims])
    known = known_of(claims)
    network, families = (np.log(np.maximum(chance, LEAST)) for chance in (network, families))

    def loss(numbers: NDArray[np.float64]) -> float:
        points = numbers[0] * network + numbers[1] * families + np.append(numbers[2:], 0.0) + known
        right = points[np.arange(len(labels)), labels]
        return float((np.logaddexp.reduce(points, axis=1) - right).mean())

    numbers: NDArray[np.float64] = optimize.minimize(loss, START, method="L-BFGS-B").x
    return numbers


def by_group(
    claims: Sequence[Example], ways: Mapping[str, Floats]
) -> dict[str, dict[str, Figures]]:
    """All claims, those of a language and the hard ones → what compares them → figures."""
    labels = np.array([claim.label for claim in claims])
    languages = np.array([claim.language for claim in claims])
    groups: dict[str, NDArray[np.bool_]] = {
        "all": labels >= 0,
        **{language: languages == language for language in ("nl", "en")},
        "hard": np.argmax([claim.claim_only for claim in claims], axis=1) != labels,
    }
    return {
        name: {
            way: {"n": int(own.sum()), **figures(chance[own], labels[own])}
            for way, chance in ways.items()
        }
        for name, own in groups.items()
    }


def by_kind(claims: Sequence[Example], kinds: Sequence[str], chance: Floats) -> list[list[str]]:
    """Label and kind of claim, how many there are, and the share that is right."""
    labels = np.array([claim.label for claim in claims])
    is_right = chance.argmax(axis=1) == labels
    rows = []
    for label, kind in sorted(set(zip(labels.tolist(), kinds, strict=True))):
        own = (labels == label) & (np.array(kinds) == kind)
        rows.append([LABELS[label], kind, str(own.sum()), f"{is_right[own].mean():.2f}"])
    return rows


def main() -> None:
    """Prints the figures and writes them as JSON."""
    kinds_too = {"action": "store_true", "help": "the share right of each kind too"}
    options = given(__doc__, Path(__file__).with_suffix(".json"), "claims", kinds=kinds_too)
    examples = Examples(options.data)
    claims = examples.claims()
    network, families = left_out_chances(claims, examples)
    both = joined(network, families)
    table = by_group(claims, {"network": network, "families": families, "both": both})
    rows = [
        [group, way, *map(str, own.values())]
        for group in table
        for way, own in table[group].items()
    ]
    head = ["", "by", "n", "right", *(f"AUC {label}" for label in LABELS)]
    show("Claims of companies left out", head, rows)
    counts = np.round(counted(claims, network, families), 2)
    print(f"counts of network and families, and leans: {counts}")
    if options.kinds:
        kinds = [row["kind"] for _, _, row in claim_rows(options.data)]
        rows = by_kind(claims, kinds, both)
        show("Of each kind, by both", ["", "kind", "n", "right"], rows)
    store(table, options.output)


if __name__ == "__main__":
    main()
