"""``python -m benchmarks.claims``: what a passage says of a claim, for companies never seen.

Each claim is compared by the network and the slots that were learnt without its company. Hard are
the claims whose own words point to the wrong label: only the passage can tell there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from klopt.comparing.comparator import joined
from klopt.comparing.learnt import LABELS
from klopt.comparing.words import Floats
from training.claims import FOLDS, Example, Examples, claim_rows, figures
from training.command import given, show, store
from training.joining import left_out_chances

BY: Final = ("network", "slots", "both")
Figures = dict[str, Any]


def by_group(claims: Sequence[Example], chances: Mapping[str, Floats]) -> dict[str, Figures]:
    """Fold and language, and all → the figures of all its claims and of the hard ones."""
    labels = np.array([claim.label for claim in claims])
    is_hard = np.argmax([claim.claim_only for claim in claims], axis=1) != labels
    groups = {
        f"{'+'.join(fold)} {language}": np.array(
            [claim.company in fold and claim.language == language for claim in claims]
        )
        for fold in FOLDS
        for language in ("nl", "en")
    }
    groups = {name: inside for name, inside in groups.items() if inside.any()}
    groups["all"] = np.ones(len(claims), bool)
    return {
        name: {
            part: {
                "n": int(rows.sum()),
                **{by: figures(chance[rows], labels[rows]) for by, chance in chances.items()},
            }
            for part, rows in (("all", inside), ("hard", inside & is_hard))
        }
        for name, inside in groups.items()
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
    table = by_group(claims, dict(zip(BY, (network, slots, both), strict=True)))
    rows = [
        [group, part, str(own["n"]), by, *(f"{one:.3f}" for one in own[by].values())]
        for group, parts in table.items()
        for part, own in parts.items()
        for by in BY
    ]
    head = ["", "claims", "n", "by", "right", *(f"AUC {label}" for label in LABELS)]
    show("Claims of companies left out", head, rows)
    if options.kinds:
        kinds = [row["kind"] for _, _, row in claim_rows(options.data)]
        rows = by_kind(claims, kinds, both)
        show("Of each kind, by both", ["", "kind", "n", "right"], rows)
    store(table, options.output)


if __name__ == "__main__":
    main()
