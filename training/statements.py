"""``python -m training.statements``: how far statements of answers are true, by small trees.

Learnt from the rated answers whose untrue and unsupported words are marked, and from pairs of
answers that differ in one fact: the log-odds of a fault are the sum of what the ones and the others
teach, for how often a statement is untrue is learnt from rated answers alone, and what one wrong
word looks like from pairs. What the network and the families say of them was learnt without their
company, and so are the trees of each company.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import lightgbm
import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from klopt import Page
from klopt.comparing import Comparator
from klopt.comparing.learnt import LABELS, BoostedTrees
from klopt.comparing.statements import DENIED_FROM, FACTS, HOLDS_FROM, placed
from klopt.comparing.words import Floats, WordVectors
from training.claims import OTHERS, above, area_under, label_of
from training.command import given
from training.companies import compared_without
from training.pair_rows import PairRow, Sentence, language_of, pair_rows, sentences_of
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
SENT_SHARE: Final = 0.6
CLOSE: Final = 1e-5
TREES_COUNT: Final = 0.5
"""What the trees of the rated answers count, and a logistic regression on the same the rest."""
PAIRS_COUNT: Final = 0.3
"""What the trees of the pairs count beside: more puts more pairs in order, and fewer ratings."""
PENALTY: Final = 33.0
"""L2, of facts brought to a deviation of 1."""
LEAST_DEVIATION: Final = 1e-3
SUPPORTED, CONTRADICTED, SAID_BY_BOTH = 0, 1, -1
"""What is learnt of the statements of a pair; of what the true answer says too, nothing again."""


@dataclass(frozen=True, eq=False)
class Statements:
    """The statements of some answers over the pages of one company.

    Attributes:
        name: Company and language.
        company: Whose pages.
        facts: What the trees are told, shape ``(n, len(FACTS))``.
        labels: The number of the label of each.
        answers: The number of the answer of each, from 0; of a pair, the true one is even.
    """

    name: str
    company: str
    facts: Floats
    labels: NDArray[np.int64]
    answers: NDArray[np.int64]


def read(
    comparator: Comparator, language: str, question: str, answer: str, pages: Mapping[str, Page]
) -> Iterator[tuple[Sentence, Floats]]:
    """The statements of an answer, each with what the trees are told of it."""
    if sentences := sentences_of(language_of(language), question, answer, pages):
        turn = sentences[0].turn
        facts = placed(comparator, turn.match, turn.question, turn.answer, turn.language).facts
        yield from zip(sentences, facts, strict=True)


def of_turns(centre: Centre, data: Path, comparator: Comparator) -> Statements:
    """The statements of the rated answers of a help centre."""
    spans = centre.spans(data)
    rows = []
    for number, turn in enumerate(centre.load(data)):
        pages = {page.id: page for page in turn.pages}
        for sentence, facts in read(comparator, centre.language, turn.question, turn.answer, pages):
            label = label_of(
                sentence.turn.answer.plain, turn.answer, sentence.span, *spans[turn.id]
            )
            rows.append((facts, label, number))
    return _statements(centre.name, centre.company, rows)


def of_pairs(some: Sequence[PairRow], data: Path, comparator: Comparator) -> Statements:
    """The statements of the pairs of a help centre."""
    rows = []
    for number, row in enumerate(some):
        pages = row.pages_in(data)
        first, end = row.untrue_span
        for side, answer in enumerate(row.answers):
            for sentence, facts in read(comparator, row.language, row.question, answer, pages):
                is_wrong = side == 1 and sentence.span[0] < end and first < sentence.span[1]
                label = CONTRADICTED if is_wrong else SAID_BY_BOTH if side else SUPPORTED
                rows.append((facts, label, 2 * number + side))
    return _statements(some[0].centre, some[0].company, rows)


def _statements(name: str, company: str, rows: Sequence[tuple[Floats, int, int]]) -> Statements:
    facts, labels, answers = zip(*rows, strict=True)
    return Statements(name, company, np.stack(facts), np.array(labels), np.array(answers))


def trained(turns: Sequence[Statements], pairs: Sequence[Statements]) -> dict[str, Any]:
    """Trees and weighted sum, for `klopt.comparing.learnt.BoostedTrees`: log-odds of a fault."""
    facts, faults = _lessons(turns)
    models = [(model, TREES_COUNT / SEEDS) for model in _boosted(facts, faults)]
    models += [(model, PAIRS_COUNT / SEEDS) for model in _boosted(*_lessons(pairs))]
    weights, base = _weighted(facts, faults)
    share = 1 - TREES_COUNT
    return exported(models) | {"weights": weights * share, "base": np.float32(base * share)}


def _lessons(statements: Sequence[Statements]) -> tuple[Floats, NDArray[np.bool_]]:
    """The facts of statements, and whether each is at fault."""
    facts = np.concatenate([statement.facts for statement in statements])
    labels = np.concatenate([statement.labels for statement in statements])
    taught = labels != SAID_BY_BOTH
    return facts[taught], labels[taught] > 0


def _boosted(facts: Floats, faults: NDArray[np.bool_]) -> list[Any]:
    data = [lightgbm.Dataset(facts, faults, free_raw_data=False) for _ in range(SEEDS)]
    return [
        lightgbm.train({**SETTINGS, "seed": seed}, own, ROUNDS) for seed, own in enumerate(data)
    ]


def _weighted(facts: Floats, faults: NDArray[np.bool_]) -> tuple[NDArray[np.float32], float]:
    """The weights and the base of a logistic regression on the facts."""
    means, deviations = facts.mean(axis=0), facts.std(axis=0) + LEAST_DEVIATION
    known = ((facts - means) / deviations).astype(np.float64)
    signs = np.where(faults, 1.0, -1.0)

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        odds = signs * (known @ weights[1:] + weights[0])
        slopes = -signs / (1 + np.exp(odds))
        gradient = np.concatenate([[slopes.sum()], slopes @ known + PENALTY * weights[1:]])
        cost = PENALTY / 2 * (weights[1:] ** 2).sum()
        return float(np.logaddexp(0, -odds).sum() + cost), gradient

    fitted = optimize.minimize(loss, np.zeros(facts.shape[1] + 1), jac=True, method="L-BFGS-B").x
    weights = fitted[1:] / deviations
    return weights.astype(np.float32), float(fitted[0] - means @ weights)


def exported(models: Sequence[tuple[Any, float]]) -> dict[str, Any]:
    """Boosters of lightgbm as arrays, each with how much it counts, their sums added up."""
    features: list[int] = []
    thresholds: list[float] = []
    children: list[list[int]] = []
    values: list[float] = []

    def add(node: Mapping[str, Any], share: float) -> int:
        if "leaf_value" in node:
            values.append(node["leaf_value"] * share)
            return -len(values)
        number = len(features)
        features.append(node["split_feature"])
        thresholds.append(node["threshold"])
        children.append([0, 0])
        children[number] = [add(node[side], share) for side in ("left_child", "right_child")]
        return number

    roots = [
        add(tree["tree_structure"], share)
        for model, share in models
        for tree in model.dump_model()["tree_info"]
    ]
    lefts, rights = zip(*children, strict=True)
    return {
        "features": np.array(features, np.uint8),
        "thresholds": np.array(thresholds, np.float32),
        "lefts": np.array(lefts, np.int16),
        "rights": np.array(rights, np.int16),
        "roots": np.array(roots, np.int16),
        "values": np.array(values, np.float32),
    }


def order(faults: Floats, pairs: Statements) -> dict[str, float]:
    """How often the true answer of a pair is likelier true as a whole than the untrue one.

    And how many untrue ones lie above the line that `SENT_SHARE` of the true ones reach.
    """
    truths = np.zeros(2 * (int(pairs.answers.max()) // 2 + 1))
    np.add.at(truths, pairs.answers, -np.log1p(np.exp(faults)))
    true, untrue = truths[::2], truths[1::2]
    over_line = untrue > np.quantile(true, 1 - SENT_SHARE)
    return {"true above untrue": above(true, untrue), "over the line": float(over_line.mean())}


def lines(faults: Sequence[Floats], statements: Sequence[Statements]) -> str:
    """What lies below the fault line, and what is denied, of statements of companies left out."""
    odds = np.concatenate(faults)
    labels = np.concatenate([statement.labels for statement in statements])
    denials = np.concatenate(
        [statement.facts[:, FACTS.index("contradicted")] for statement in statements]
    )
    below = 1 / (1 + np.exp(odds)) < HOLDS_FROM
    shares = (f"{name} {below[labels == label].mean():.2f}" for label, name in enumerate(LABELS))
    denied = labels[denials >= np.log(DENIED_FROM / (1 - DENIED_FROM)) - CLOSE] > 0
    return (
        f"at fault: {', '.join(shares)}\n"
        f"denied {len(denied)}: at fault {denied.sum()}, of all {(labels > 0).mean():.2f}"
    )


def tell(name: str, figures: Mapping[str, float]) -> None:
    """Prints some figures."""
    print(f"{name:<10}", "  ".join(f"{what} {x:.3f}" for what, x in figures.items()), flush=True)


def main() -> None:
    """Learns the trees that are shipped, and those without each company."""
    arguments = given(__doc__, OUTPUT, "pairs", left_out=OTHERS)
    data, folder = arguments.data, arguments.left_out

    @cache
    def comparator(company: str, language: str) -> Comparator:
        return Comparator(WordVectors.load(language), compared_without(company, folder))

    centres = [centre for centre in CENTRES if centre.has_spans]
    turns = [
        of_turns(centre, data, comparator(centre.company, centre.language)) for centre in centres
    ]
    by_centre: dict[str, list[PairRow]] = defaultdict(list)
    for row in pair_rows(data):
        by_centre[row.centre].append(row)
    pairs = [
        of_pairs(rows, data, comparator(rows[0].company, rows[0].language))
        for rows in by_centre.values()
    ]
    faults: dict[str, Floats] = {}
    means: tuple[list[dict[str, float]], ...] = ([], [])
    for company in dict.fromkeys(pair.company for pair in pairs):
        others = [[own for own in some if own.company != company] for some in (turns, pairs)]
        arrays = trained(*others)
        np.savez_compressed(folder / f"{company}.trees.npz", **arrays)
        trees = BoostedTrees(arrays)
        for turn in (turn for turn in turns if turn.company == company):
            faults[turn.name] = trees(turn.facts)
            means[0].append({"faults told": area_under(faults[turn.name], turn.labels > 0)})
            tell(turn.name, means[0][-1])
        for pair in (pair for pair in pairs if pair.company == company):
            means[1].append(order(trees(pair.facts), pair))
            tell(pair.name, means[1][-1])
    for some in means:
        tell("mean", {name: sum(figures[name] for figures in some) / len(some) for name in some[0]})
    print(lines([faults[turn.name] for turn in turns], turns))
    np.savez_compressed(arguments.output, **trained(turns, pairs))


if __name__ == "__main__":
    main()
