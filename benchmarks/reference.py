"""``python -m benchmarks.reference``: checks against a reference, on the TechSupportEval answers.

How many published scores the recorded run reproduces, and how well it, the solver without a
model, BLEU, ROUGE-L, the scores released with the set and `default`, which sees only the document,
agree with people's labels: means over the answering systems. `docs/figures.py` prints them.
"""

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from scipy.stats import pearsonr

from benchmarks.timing import timed
from klopt import Scorer, Turn
from klopt.llm.transcripts import Transcripts
from klopt.reference import Checker, LlmSolver, TextSolver, measure
from klopt.reference.check import STRATEGIES
from training.answers import ranking_scores
from training.claims import area_under
from training.command import given, store
from training.rated_turns import rows_of, techqa_turns

TRANSCRIPTS: Final = "transcripts-gpt-4o-mini.jsonl"
OVERLAP: Final = ("bleu", "rouge_l")
RESAMPLES: Final = 2000
RELEASED: Final = {
    "tseval|gpt-4o-mini-2024-07-18": "TechSupportEval",
    "ref_checker|gpt-4o-mini-2024-07-18": "RefChecker",
    "g_eval|gpt-4o-mini-2024-07-18": "G-Eval",
    "ragas|gpt-4o-mini-2024-07-18": "RAGAS",
    "bert_score|none": "BERTScore",
}
"""Score released with TechSupportEval → its name; all compare with a reference answer."""


class Answers:
    """The labelled answers, with their question and the system that gave them."""

    def __init__(self, data: Path) -> None:
        self.turns = techqa_turns(data)
        self.labels = np.array([turn.label for turn in self.turns], bool)
        questions = [str(turn.meta["question"]) for turn in self.turns]
        self.questions = np.unique(questions, return_inverse=True)[1]
        systems = np.array([str(turn.meta["system"]) for turn in self.turns])
        self.rows = [systems == system for system in np.unique(systems)]

    def agreement(self, scores: Sequence[float]) -> dict[str, float]:
        """Return AUC and Pearson's r, means over the systems."""
        values = np.asarray(scores, float)
        systems = [(values[own], self.labels[own]) for own in self.rows]
        correlations = [pearsonr(*system).statistic for system in systems]
        auc = np.mean([area_under(*system) for system in systems])
        return {"auc": float(auc), "pearson_r": float(np.mean(correlations))}

    def interval(self, scores: Sequence[float]) -> tuple[float, float]:
        """Return the 95% bootstrap interval of the mean AUC, resampling questions."""
        values = np.asarray(scores, float)
        count = self.questions.max() + 1
        members = [np.flatnonzero(self.questions == number) for number in range(count)]
        random = np.random.Generator(np.random.PCG64(0))
        means = []
        for _ in range(RESAMPLES):
            rows = np.concatenate([members[number] for number in random.integers(0, count, count)])
            drawn = [rows[own[rows]] for own in self.rows]
            means.append(np.nanmean([area_under(values[own], self.labels[own]) for own in drawn]))
        low, high = np.percentile(means, [2.5, 97.5])
        return float(low), float(high)


def scores_of(checker: Checker, turns: Sequence[Turn]) -> list[float]:
    """Return the scores of answers; raise ValueError if one has none."""
    checks = [checker.check(turn) for turn in turns]
    if missing := [f"{check.id}: {check.reason}" for check in checks if check.score is None]:
        raise ValueError(f"no score for {missing[0]}")
    return [check.score for check in checks if check.score is not None]


def main() -> None:
    """Store the figures."""
    options = given(__doc__, Path(__file__).with_suffix(".json"), "techqa")
    answers = Answers(options.data)
    file = options.data / "techqa" / TRANSCRIPTS
    scores: dict[str, list[float]] = {}
    for grading in ("published", "strict"):
        solver = LlmSolver(Transcripts.read(file), reading=grading)
        checker = Checker(solver, grading, "strict", "bold")
        scores[f"recorded, {grading}"] = scores_of(checker, answers.turns)
    for strategy in STRATEGIES:
        checker = Checker(TextSolver(), "strict", strategy)
        scores[f"text, {strategy}"] = scores_of(checker, answers.turns)
    measured = [measure(OVERLAP, turn) for turn in answers.turns]
    scores |= {name: [row.values[name] or 0.0 for row in measured] for name in OVERLAP}
    released = {
        row["id"]: row for row in rows_of(options.data / "techqa" / "baseline_scores.jsonl")
    }
    for key, name in RELEASED.items():
        own = [released[turn.id][key] for turn in answers.turns]
        scores[f"released, {name}"] = np.nan_to_num(own, nan=0.5).tolist()
    default = Scorer.load(all_types=True)
    scores["default"] = ranking_scores(default.score(turn).score for turn in answers.turns)
    published = {row["id"]: row["published_score"] for row in rows_of(file)}
    by_id = [published[turn.id] for turn in answers.turns]
    same = np.equal(by_id, scores["recorded, published"])
    checker = Checker(TextSolver(), "strict", "graded")
    taken = [timed(partial(checker.check, turn))[0] for turn in answers.turns]
    figures: dict[str, Any] = {name: answers.agreement(own) for name, own in scores.items()}
    figures["text, graded"]["auc_95"] = answers.interval(scores["text, graded"])
    figures |= {
        "published_scores_given_back": [int(same.sum()), len(same)],
        "ms_an_answer": 1000 * float(np.mean(taken)),
    }
    rounded = json.loads(json.dumps(figures), parse_float=lambda text: round(float(text), 4))
    store(rounded, options.output)


if __name__ == "__main__":
    main()
