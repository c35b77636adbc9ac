"""``python -m benchmarks.claims``: accuracy of the labels of claims, for companies held out.

Network and families trained without a claim's company compare it with its passage. A claim is hard
if its own words suggest a wrong label, so that only the passage can tell. The weights of network
and families in `klopt.verification.comparator.joined` are fitted too: as in every training, the
log-probabilities that a claim's words alone give are added during the fit and dropped afterwards.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from klopt.verification.comparator import joined
from klopt.verification.networks import LABELS
from klopt.verification.units import Floats
from training.claims import (
    FOLDS,
    Example,
    Examples,
    claim_only_logs,
    claim_rows,
    figures,
    numbers_of,
    probabilities,
)
from training.command import given, show, store
from training.support import compared_without

START: Final = (0.5, 0.5, 0.0, 0.0)
MIN_PROBABILITY: Final = 1e-4
Groups = dict[str, dict[str, dict[str, float]]]


def held_out(claims: Sequence[Example], examples: Examples) -> tuple[Floats, Floats]:
    """Return the probabilities by network and families that were trained without the company."""
    network, families = (np.zeros((len(claims), len(LABELS)), np.float32) for _ in range(2))
    companies = np.array([claim.company for claim in claims])
    numbers = numbers_of([claim.pair for claim in claims])
    for fold in FOLDS:
        rows = np.flatnonzero(np.isin(companies, fold))
        weights = compared_without(fold[0])
        own = [claims[row] for row in rows.tolist()]
        network[rows] = probabilities(weights.network, own, examples.coordinates)
        families[rows] = weights.families(numbers[rows])
    return network, families


def fitted(claims: Sequence[Example], network: Floats, families: Floats) -> NDArray[np.float64]:
    """Fit the weights of network and families, and the biases of the first two labels."""
    labels = np.array([claim.label for claim in claims])
    known = claim_only_logs(claims)
    network, families = (np.log(np.maximum(own, MIN_PROBABILITY)) for own in (network, families))

    def loss(point: NDArray[np.float64]) -> float:
        logits = point[0] * network + point[1] * families + np.append(point[2:], 0.0) + known
        right = logits[np.arange(len(labels)), labels]
        return float((np.logaddexp.reduce(logits, axis=1) - right).mean())

    found: NDArray[np.float64] = optimize.minimize(loss, START, method="L-BFGS-B").x
    return found


def by_group(claims: Sequence[Example], models: Mapping[str, Floats]) -> Groups:
    """Return the figures of each model for all claims, each language, and hard claims."""
    labels = np.array([claim.label for claim in claims])
    languages = np.array([claim.language for claim in claims])
    groups: dict[str, NDArray[np.bool_]] = {
        "all": labels >= 0,
        **{language: languages == language for language in ("nl", "en")},
        "hard": np.argmax([claim.claim_only for claim in claims], axis=1) != labels,
    }
    return {
        name: {
            model: {"n": int(own.sum()), **figures(likely[own], labels[own])}
            for model, likely in models.items()
        }
        for name, own in groups.items()
    }


def by_kind(claims: Sequence[Example], kinds: Sequence[str], likely: Floats) -> list[list[str]]:
    """Return label, kind, number and share of correct labels of each kind of claim."""
    groups: dict[tuple[int, str], list[bool]] = defaultdict(list)
    for claim, kind, label in zip(claims, kinds, likely.argmax(axis=1), strict=True):
        groups[claim.label, kind].append(claim.label == label)
    return [
        [LABELS[label], kind, str(len(own)), f"{np.mean(own):.2f}"]
        for (label, kind), own in sorted(groups.items())
    ]


def main() -> None:
    """Print the figures and write them as JSON."""
    options = given(__doc__, Path(__file__).with_suffix(".json"), "claims")
    examples = Examples(options.data)
    claims = examples.claims()
    network, families = held_out(claims, examples)
    both = joined(network, families)
    table = by_group(claims, {"network": network, "families": families, "both": both})
    rows = [
        [group, model, *map(str, own.values())]
        for group in table
        for model, own in table[group].items()
    ]
    head = ["", "by", "n", "right", *(f"AUC {label}" for label in LABELS)]
    show("Claims of companies left out", head, rows)
    kinds = [row["kind"] for _, _, row in claim_rows(options.data)]
    head = ["", "kind", "n", "right"]
    show("Of each kind, by both", head, by_kind(claims, kinds, both))
    weights = np.round(fitted(claims, network, families), 2)
    print(f"weights of network and families, and biases: {weights}")
    store(table, options.output)


if __name__ == "__main__":
    main()
