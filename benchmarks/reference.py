"""``python -m benchmarks.reference``: checks against a reference, on the TechSupportEval answers.

Prints how far the recorded run gives back the published scores, and how well the solver without a
model agrees with people: whole, and part by part.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import percentiles, timed
from klopt import Turn, __version__
from klopt.checking import Checker, LlmSolver, TextSolver, measure
from klopt.checking.check import STRATEGIES, graded_score, weights
from klopt.checking.grading import grade
from klopt.checking.reference import read_reference
from klopt.evaluation.agreement import auc, pearson
from klopt.evaluation.estimate import Resampling
from klopt.models.transcripts import Transcripts
from training.claims import area_under
from training.command import given, show, store
from training.rated_turns import rows_of, techqa_turns

Floats = NDArray[np.float64]
Figures = dict[str, Any]

TRANSCRIPTS: Final = "transcripts-gpt-4o-mini.jsonl"
OVERLAP: Final = ("bleu", "rouge_1", "rouge_2", "rouge_l")
PARTS: Final = tuple(weights())
RESAMPLES: Final = 2000
POINT: Final = Resampling(resamples=1)


class Answers:
    """The labelled answers, by whom they were given, and to which question."""

    def __init__(self, data: Path) -> None:
        self.turns = techqa_turns(data)
        self.labels = np.array([turn.label for turn in self.turns], bool)
        self.questions = np.unique(
            [str(turn.meta["question"]) for turn in self.turns], return_inverse=True
        )[1]
        systems = [str(turn.meta["system"]) for turn in self.turns]
        self.rows = {system: np.array([two == system for two in systems]) for system in systems}

    def agreement(self, scores: Sequence[float]) -> Figures:
        """AUC and Pearson's r of each system, and their means."""
        values, labels = np.asarray(scores, float), self.labels
        by_system: Figures = {
            system: {
                "auc": auc(list(values[own]), list(labels[own]), POINT).value,
                "pearson_r": pearson(list(values[own]), list(labels[own] * 1.0), POINT).value,
            }
            for system, own in self.rows.items()
        }
        means = {
            f"mean_{name}": float(np.mean([one[name] for one in by_system.values()]))
            for name in ("auc", "pearson_r")
        }
        return by_system | means

    def interval(self, scores: Sequence[float]) -> tuple[float, float]:
        """95% of the mean AUC over the systems, questions drawn anew."""
        values = np.asarray(scores, float)
        count = self.questions.max() + 1
        members = [np.flatnonzero(self.questions == one) for one in range(count)]
        random = np.random.Generator(np.random.PCG64(0))
        means = []
        for _ in range(RESAMPLES):
            rows = np.concatenate([members[one] for one in random.integers(0, count, count)])
            drawn = [rows[own[rows]] for own in self.rows.values()]
            means.append(np.nanmean([area_under(values[own], self.labels[own]) for own in drawn]))
        low, high = np.percentile(means, [2.5, 97.5])
        return float(low), float(high)


def recorded(data: Path, answers: Answers) -> Figures:
    """The recorded run: how many published scores it gives back, and how it agrees with people."""
    file = data / "techqa" / TRANSCRIPTS
    published = {row["id"]: row["published_score"] for row in rows_of(file)}
    figures: Figures = {}
    for grading in ("published", "strict"):
        solver = LlmSolver(Transcripts.read(file), reading=grading)
        scores = scores_of(Checker(solver, grading, "strict", "bold"), answers.turns)
        figures[grading] = answers.agreement(scores)
        if grading == "published":
            same = [published[turn.id] for turn in answers.turns] == np.array(scores)
            figures["published_scores_given_back"] = [int(same.sum()), len(same)]
    return figures


def text(answers: Answers) -> Figures:
    """The solver without a model."""
    figures: Figures = {}
    solver = TextSolver()
    for name in STRATEGIES:
        scores = scores_of(Checker(solver, "strict", name), answers.turns)
        figures[name] = answers.agreement(scores)
        if name == "graded":
            figures[name]["mean_auc_95"] = answers.interval(scores)
    short = shortfalls(solver, answers.turns)
    figures["alone"] = {
        name: answers.agreement(-short[:, place])["mean_auc"]
        for place, name in enumerate(PARTS)
        if short[:, place].any()
    }
    return figures


def shortfalls(solver: TextSolver, turns: Sequence[Turn]) -> Floats:
    """Answers × parts of the graded strategy: what each part would take off with weight 1."""
    alone = [{name: float(name == part) for name in PARTS} for part in PARTS]
    rows = []
    for turn in turns:
        reference = read_reference(turn.reference or "")
        solution = solver.solve(turn, reference)
        errors = grade(reference, solution)
        rows.append([1.0 - graded_score(errors, solution, part) for part in alone])
    return np.array(rows)


def scores_of(checker: Checker, turns: Sequence[Turn]) -> list[float]:
    """The scores of answers, each of which must have one."""
    checks = [checker.check(turn) for turn in turns]
    if missing := [f"{one.id}: {one.reason}" for one in checks if one.score is None]:
        raise ValueError(f"no score for {missing[0]}")
    return [check.score for check in checks if check.score is not None]


def speed(turns: Sequence[Turn]) -> dict[str, float]:
    """Milliseconds an answer, reading the reference included; each answer once, after a round."""
    checker = Checker(TextSolver(), "strict", "graded")
    scores_of(checker, turns)
    taken = [timed(partial(checker.check, turn))[0] for turn in turns]
    return {"mean_ms": 1000 * float(np.mean(taken)), **percentiles(taken)}


def tell(figures: Mapping[str, Any], systems: Sequence[str]) -> None:
    """Prints the figures."""
    same, total = figures["recorded"]["published_scores_given_back"]
    print(f"Recorded run, published grading: {same} of {total} published scores given back")
    texts = ("graded", "strict", "gate")
    ways = {f"recorded, {one}": figures["recorded"][one] for one in ("published", "strict")}
    ways |= {f"text, {one}": figures["text"][one] for one in texts}
    ways |= figures["overlap"]
    rows = []
    for name, own in ways.items():
        cells = [(own["mean_auc"], own["mean_pearson_r"])]
        cells += [(own[system]["auc"], own[system]["pearson_r"]) for system in systems]
        rows.append([name, *(f"{area:.3f} ({r:.3f})" for area, r in cells)])
    show("AUC (Pearson r) against labels", ["", "mean", *systems], rows)
    low, high = figures["text"]["graded"]["mean_auc_95"]
    print(f"\ntext, graded: mean AUC {low:.3f} to {high:.3f}")
    print(f"text: {figures['speed']['mean_ms']:.1f} ms an answer")
    alone = [[name, f"{one:.3f}"] for name, one in figures["text"]["alone"].items()]
    show("Each part alone", ["", "mean AUC"], alone)


def main() -> None:
    """Prints the figures and writes them as JSON."""
    options = given(__doc__, Path(__file__).with_suffix(".json"), "techqa")
    answers = Answers(options.data)
    measured = [measure(OVERLAP, turn) for turn in answers.turns]
    figures = {
        "klopt": __version__,
        "systems": list(answers.rows),
        "recorded": recorded(options.data, answers),
        "text": text(answers),
        "overlap": {
            name: answers.agreement([row.values[name] or 0.0 for row in measured])
            for name in OVERLAP
        },
        "speed": speed(answers.turns),
    }
    tell(figures, figures["systems"])
    rounded = json.loads(json.dumps(figures), parse_float=lambda one: round(float(one), 4))
    store(rounded, options.output)


if __name__ == "__main__":
    main()
