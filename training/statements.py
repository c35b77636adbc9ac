"""``python -m training.statements``: how far statements of answers are true, by small trees.

Learnt from the rated answers whose untrue and unsupported words are marked. What the network and
the slots say of them was learnt without their company, and so are the trees of each company.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import lightgbm
import numpy as np
from numpy.typing import NDArray

from klopt import lexicons
from klopt.comparing.comparator import DENIED_FROM, Comparator, Learnt
from klopt.comparing.network import LABELS
from klopt.comparing.pairs import Floats
from klopt.comparing.statements import FACTS, HOLDS_FROM
from klopt.comparing.trees import Trees
from klopt.comparing.vectors import WordVectors
from klopt.matching.index import Context
from klopt.matching.language import Language
from klopt.matching.match import Match
from training.claims import LEFT_OUT, area_under, label_of
from training.companies import learnt_without
from training.rated_turns import CENTRES, Centre

OUTPUT: Final = Path(__file__).parent.parent / "klopt" / "comparing" / "trees.npz"
ROUNDS: Final = 200
SETTINGS: Final = {
    "objective": "binary",
    "learning_rate": 0.05,
    "num_leaves": 6,
    "min_data_in_leaf": 20,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "num_threads": 1,
    "deterministic": True,
    "force_row_wise": True,
    "verbose": -1,
}
SEEDS: Final = 3
MARKED_SHARE: Final = 0.15
"""So many of the statements without a fault may be marked."""
CLOSE: Final = 1e-5


@dataclass(frozen=True, eq=False)
class Statements:
    """The statements of the rated answers of one help centre.

    Attributes:
        centre: The help centre.
        facts: What the trees are told, shape ``(n, len(FACTS))``.
        labels: The number of the label of each.
    """

    centre: Centre
    facts: Floats
    labels: NDArray[np.int64]


def read(centre: Centre, data: Path, learnt: Learnt) -> Statements:
    """The statements of a help centre."""
    own = Language(lexicons.load(centre.language))
    comparator = Comparator(WordVectors.load(centre.language), learnt)
    spans = centre.spans(data)
    facts, labels = [np.empty((0, len(FACTS)), np.float32)], []
    for turn in centre.load(data):
        question, answer = own.reader.read(turn.question), own.reader.read(turn.answer)
        contexts = [Context(page.id, own.page(page)) for page in turn.pages]
        match = Match(question, answer, contexts, own.relations, own.lexicons)
        units = match.statements
        if units:
            facts.append(comparator.held(match, question, answer, own).facts)
            for unit in units:
                span = match.answer.starts[unit], match.answer.ends[unit]
                labels.append(label_of(answer.plain, turn.answer, span, *spans[turn.id]))
    return Statements(centre, np.concatenate(facts), np.array(labels))


def trained(statements: Sequence[Statements]) -> dict[str, Any]:
    """The trees, for `klopt.comparing.trees.Trees`; their sum is the log-odds of a fault."""
    facts = np.concatenate([one.facts for one in statements])
    faults = np.concatenate([one.labels for one in statements]) > 0
    found = []
    for seed in range(SEEDS):
        data = lightgbm.Dataset(facts, faults, free_raw_data=False)
        found.append(lightgbm.train({**SETTINGS, "seed": seed}, data, ROUNDS))
    return exported(found)


def exported(models: Sequence[Any]) -> dict[str, Any]:
    """Boosters as arrays, their sums averaged.

    Args:
        models: Boosters of lightgbm.
    """
    features: list[int] = []
    thresholds: list[float] = []
    children: list[list[int]] = []
    values: list[float] = []
    roots: list[int] = []

    def add(node: Mapping[str, Any]) -> int:
        if "leaf_value" in node:
            values.append(node["leaf_value"] / len(models))
            return -len(values)
        number = len(features)
        features.append(node["split_feature"])
        thresholds.append(node["threshold"])
        children.append([0, 0])
        children[number] = [add(node["left_child"]), add(node["right_child"])]
        return number

    for model in models:
        for tree in model.dump_model()["tree_info"]:
            roots.append(add(tree["tree_structure"]))
    lefts, rights = zip(*children, strict=True)
    return {
        "features": np.array(features, np.uint8),
        "thresholds": np.array(thresholds, np.float32),
        "lefts": np.array(lefts, np.int16),
        "rights": np.array(rights, np.int16),
        "roots": np.array(roots, np.int16),
        "values": np.array(values, np.float32),
    }


def figures(faults: Floats, labels: NDArray[np.int64]) -> str:
    """How well faults are told: areas, and the share of untrue statements that is marked."""
    line = np.quantile(faults[labels == 0], 1 - MARKED_SHARE)
    untrue = labels == LABELS.index("contradicted")
    return (
        f"fault {area_under(faults, labels > 0):.3f}  untrue {area_under(faults, untrue):.3f}  "
        f"marked {float((faults[untrue] > line).mean()):.2f} of {untrue.sum()}"
    )


def lines(faults: Mapping[Centre, Floats], statements: Sequence[Statements]) -> str:
    """What lies below the fault line, and what is denied, of statements of companies left out."""
    odds = np.concatenate([faults[one.centre] for one in statements])
    labels = np.concatenate([one.labels for one in statements])
    denials = np.concatenate([one.facts[:, FACTS.index("contradicted")] for one in statements])
    below = 1 / (1 + np.exp(odds)) < HOLDS_FROM
    shares = (f"{name} {below[labels == label].mean():.2f}" for label, name in enumerate(LABELS))
    denied = labels[denials >= np.log(DENIED_FROM / (1 - DENIED_FROM)) - CLOSE] > 0
    return (
        f"at fault: {', '.join(shares)}\n"
        f"denied {len(denied)}: at fault {denied.sum()}, of all {(labels > 0).mean():.2f}"
    )


def main() -> None:
    """Learns the trees that are shipped, and those without each company."""
    parser = argparse.ArgumentParser(prog="python -m training.statements", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the real data")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    parser.add_argument("--left-out", type=Path, default=LEFT_OUT, help="folder of the others")
    arguments = parser.parse_args()
    statements = [
        read(centre, arguments.data, learnt_without(centre.company, arguments.left_out))
        for centre in CENTRES
        if centre.has_spans
    ]
    faults: dict[Centre, Floats] = {}
    for company in dict.fromkeys(centre.company for centre in CENTRES):
        others = [one for one in statements if one.centre.company != company]
        arrays = trained(others)
        np.savez_compressed(arguments.left_out / f"{company}.trees.npz", **arrays)
        for one in statements:
            if one.centre.company == company:
                faults[one.centre] = Trees(arrays)(one.facts)
                print(f"{one.centre.name:<8} {figures(faults[one.centre], one.labels)}")
    print(lines(faults, statements))
    np.savez_compressed(arguments.output, **trained(statements))


if __name__ == "__main__":
    main()
