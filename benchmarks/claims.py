"""``python -m benchmarks.claims``: what a passage says of a claim, for companies never seen.

Each claim is compared by the network and the slots that were learnt without its company. Hard are
the claims whose own words point to the wrong label: only the passage can tell there.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.text_tables import grid
from klopt.comparing.comparator import joined
from klopt.comparing.learnt import LABELS
from klopt.comparing.words import Floats
from training.claims import FOLDS, Example, Examples, area_under, claim_rows
from training.joining import left_out_chances

OUTPUT: Final = Path(__file__).parent / "claims.json"
Figures = dict[str, Any]


def thought(claims: Sequence[Example], examples: Examples) -> dict[str, Floats]:
    """Network, slots and both → the chances of each claim, learnt without its company."""
    network, slots = left_out_chances(claims, examples)
    return {"network": network, "slots": slots, "both": joined(network, slots)}


def figures(chance: Floats, labels: NDArray[np.int64]) -> Figures:
    """The share that is right of three, and the area under the curve of each label."""
    areas = {
        f"auc_{label}": round(area_under(chance[:, number], labels == number), 3)
        for number, label in enumerate(LABELS)
    }
    return {"right": round(float((chance.argmax(axis=1) == labels).mean()), 3), **areas}


def by_group(claims: Sequence[Example], found: Mapping[str, Floats]) -> dict[str, Figures]:
    """Fold and language, and all → the figures of all its claims and of the hard ones."""
    labels = np.array([one.label for one in claims])
    is_hard = np.argmax([one.claim_only for one in claims], axis=1) != labels
    groups: dict[str, NDArray[np.bool_]] = {}
    for fold in FOLDS:
        for language in ("nl", "en"):
            inside = [one.company in fold and one.language == language for one in claims]
            if any(inside):
                groups[f"{'+'.join(fold)} {language}"] = np.array(inside)
    groups["all"] = np.ones(len(claims), bool)
    return {
        name: {
            part: {
                "n": int(rows.sum()),
                **{by: figures(chance[rows], labels[rows]) for by, chance in found.items()},
            }
            for part, rows in (("all", inside), ("hard", inside & is_hard))
        }
        for name, inside in groups.items()
    }


def by_kind(claims: Sequence[Example], kinds: Sequence[str], chance: Floats) -> list[list[str]]:
    """Label and kind of claim, how many there are, and the share that is right."""
    labels = np.array([one.label for one in claims])
    is_right = chance.argmax(axis=1) == labels
    rows = []
    for label, kind in sorted(set(zip(labels.tolist(), kinds, strict=True))):
        own = (labels == label) & (np.array(kinds) == kind)
        rows.append([LABELS[label], kind, str(own.sum()), f"{is_right[own].mean():.2f}"])
    return rows


def lines(found: Mapping[str, Figures]) -> list[str]:
    """The figures as text."""
    rows = [
        [
            group,
            part,
            str(parts[part]["n"]),
            by,
            *(f"{one:.3f}" for one in parts[part][by].values()),
        ]
        for group, parts in found.items()
        for part in ("all", "hard")
        for by in ("network", "slots", "both")
    ]
    head = ["", "claims", "n", "by", "right", *(f"AUC {label}" for label in LABELS)]
    return grid("Claims of companies left out", head, rows)


def main() -> None:
    """Prints the figures and writes them as JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.claims", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the real data")
    parser.add_argument("--kinds", action="store_true", help="the share right of each kind too")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    if not (arguments.data / "claims").is_dir():
        print(f"The claims are not at {arguments.data / 'claims'}: none is compared.")
        return
    examples = Examples(arguments.data)
    claims = examples.claims()
    found = thought(claims, examples)
    table = by_group(claims, found)
    print("\n".join(lines(table)))
    if arguments.kinds:
        kinds = [row["kind"] for _, _, row in claim_rows(arguments.data)]
        head = ["", "kind", "n", "right"]
        print("\n".join(grid("Of each kind, by both", head, by_kind(claims, kinds, found["both"]))))
    arguments.output.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    print(f"Written to {arguments.output}")


if __name__ == "__main__":
    main()
