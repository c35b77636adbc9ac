"""``python -m benchmarks.claims``: what a passage says of a claim, for companies never seen.

Each claim is compared by the network and the slots that were learnt without its company. Hard are
the claims whose own words point to the wrong label: only the passage can tell there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from klopt.comparing.comparator import joined
from klopt.comparing.learnt import LABELS
from klopt.comparing.words import Floats
from training.claims import Example, Examples, claim_rows, figures
from training.command import given, show, store
from training.joining import left_out_chances

Figures = dict[str, float]


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
    network, slots = left_out_chances(claims, examples)
    both = joined(network, slots)
    table = by_group(claims, {"network": network, "slots": slots, "both": both})
    rows = [
        [group, way, *map(str, own.values())]
        for group in table
        for way, own in table[group].items()
    ]
    head = ["", "by", "n", "right", *(f"AUC {label}" for label in LABELS)]
    show("Claims of companies left out", head, rows)
    if options.kinds:
        kinds = [row["kind"] for _, _, row in claim_rows(options.data)]
        rows = by_kind(claims, kinds, both)
        show("Of each kind, by both", ["", "kind", "n", "right"], rows)
    store(table, options.output)


if __name__ == "__main__":
    main()
