"""``python -m benchmarks.reference``: checks against a reference, on the TechSupportEval answers.

Prints how far the recorded run gives back the published scores, and how well the solver without a
model agrees with people: whole, part by part, and with weights that other questions chose.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.chosen_weights import chosen_by_others
from klopt import Turn, __version__
from klopt.checking import Checker, LlmSolver, ReferenceCheck, TextSolver, measure, read_strategy
from klopt.checking.grading import grade
from klopt.checking.reference import read_reference
from klopt.checking.strategies import Graded, graded
from klopt.evaluation.agreement import auc, pearson
from klopt.evaluation.estimate import Resampling
from klopt.models.transcripts import Transcripts
from training.rated_turns import techqa_questions, techqa_turns

Floats = NDArray[np.float64]

OUTPUT: Final = Path(__file__).parent / "reference.json"
TRANSCRIPTS: Final = "transcripts-gpt-4o-mini.jsonl"
OVERLAP: Final = ("bleu", "rouge_1", "rouge_2", "rouge_l")
TARGET_AUC: Final = 0.90
TARGET_MS: Final = 5.0
_RESAMPLES: Final = 2000
_POINT: Final = Resampling(resamples=1)


@dataclass(frozen=True)
class Answers:
    """The labelled answers, by whom they were given, and to which question."""

    turns: tuple[Turn, ...]
    systems: tuple[str, ...]
    questions: tuple[str, ...]
    labels: NDArray[np.bool_]

    def by_system(self, scores: Sequence[float]) -> dict[str, Any]:
        """AUC and Pearson's r of each system, and their means."""
        values = np.asarray(scores, dtype=float)
        found: dict[str, Any] = {}
        for system in dict.fromkeys(self.systems):
            rows = np.array([one == system for one in self.systems])
            area = auc(list(values[rows]), list(self.labels[rows]), _POINT).value
            r = pearson(list(values[rows]), list(self.labels[rows].astype(float)), _POINT).value
            found[system] = {"auc": area, "pearson_r": r}
        for name in ("auc", "pearson_r"):
            found[f"mean_{name}"] = float(np.mean([found[one][name] for one in self.each]))
        return found

    @property
    def each(self) -> tuple[str, ...]:
        """The systems, each once."""
        return tuple(dict.fromkeys(self.systems))

    def interval(self, scores: Sequence[float]) -> tuple[float, float]:
        """95% of the mean AUC over the systems, questions drawn anew."""
        values = np.asarray(scores, dtype=float)
        names = sorted(set(self.questions))
        members: dict[str, list[int]] = {name: [] for name in names}
        for place, name in enumerate(self.questions):
            members[name].append(place)
        own = {one: np.array([name == one for name in self.systems]) for one in self.each}
        random = np.random.Generator(np.random.PCG64(0))
        means = []
        for _ in range(_RESAMPLES):
            drawn = random.integers(0, len(names), len(names))
            rows = np.array([place for one in drawn for place in members[names[one]]])
            areas = [
                area
                for system in self.each
                if (area := _area(values, self.labels, rows, own[system])) is not None
            ]
            means.append(np.mean(areas))
        low, high = np.percentile(means, [2.5, 97.5])
        return float(low), float(high)


def _area(
    values: Floats, labels: NDArray[np.bool_], rows: NDArray[np.int64], is_own: NDArray[np.bool_]
) -> float | None:
    own = rows[is_own[rows]]
    true, untrue = values[own[labels[own]]], values[own[~labels[own]]]
    if not len(true) or not len(untrue):
        return None
    above = (true[:, None] > untrue).mean() + 0.5 * (true[:, None] == untrue).mean()
    return float(above)


def read_answers(data: Path) -> Answers:
    """The half of the benchmark that is at hand."""
    turns = tuple(techqa_turns(data))
    return Answers(
        turns,
        tuple(str(turn.meta["system"]) for turn in turns),
        tuple(techqa_questions(data)),
        np.array([turn.label for turn in turns], dtype=bool),
    )


def recorded(data: Path, answers: Answers) -> dict[str, Any]:
    """The recorded run: how many published scores it gives back, and how it agrees with people."""
    file = data / "techqa" / TRANSCRIPTS
    published = {
        row["id"]: row["published_score"] for row in map(json.loads, file.open(encoding="utf-8"))
    }
    found: dict[str, Any] = {}
    for grading in ("published", "strict"):
        solver = LlmSolver(Transcripts.read(file), reading=grading)
        scores = _scores(Checker(solver, grading, "strict", "bold"), answers.turns)
        found[grading] = answers.by_system(scores)
        if grading == "published":
            same = [
                score == published[turn.id]
                for score, turn in zip(scores, answers.turns, strict=True)
            ]
            found["published_scores_given_back"] = [sum(same), len(same)]
    return found


def text(answers: Answers) -> dict[str, Any]:
    """The solver without a model."""
    found: dict[str, Any] = {}
    solver = TextSolver()
    for name in ("graded", "strict", "gate"):
        scores = _scores(Checker(solver, "strict", read_strategy(name)), answers.turns)
        found[name] = answers.by_system(scores)
        if name == "graded":
            found[name]["mean_auc_95"] = answers.interval(scores)
    shortfalls = _shortfalls(solver, answers.turns)
    names = [one.name for one in fields(Graded)]
    found["alone"] = {
        name: answers.by_system(list(-shortfalls[:, place]))["mean_auc"]
        for place, name in enumerate(names)
        if shortfalls[:, place].any()
    }
    whole = np.array([getattr(graded(), name) for name in names])
    found["without"] = {}
    for left_out in (("contradiction", "added", "doubt"), *((name,) for name in found["alone"])):
        weights = np.where([name in left_out for name in names], 0.0, whole)
        means = answers.by_system(list(-shortfalls @ weights))["mean_auc"]
        found["without"][" ".join(left_out)] = means
    chosen = chosen_by_others(shortfalls, answers.labels, answers.questions)
    found["weights_chosen_by_other_questions"] = answers.by_system(list(chosen))
    return found


def _shortfalls(solver: TextSolver, turns: Sequence[Turn]) -> Floats:
    """Answers × parts of the graded strategy: what each part would take off with weight 1."""
    parts = [one.name for one in fields(Graded)]
    rows = []
    for turn in turns:
        reference = read_reference(turn.reference or "")
        solution = solver.solve(turn, reference)
        errors = grade(reference, solution)
        nothing = dict.fromkeys(parts, 0.0)
        rows.append(
            [1.0 - Graded(**{**nothing, part: 1.0}).score(errors, solution) for part in parts]
        )
    return np.array(rows)


def _scores(checker: Checker, turns: Sequence[Turn]) -> list[float]:
    return [_score(checker.check(turn)) for turn in turns]


def _score(check: ReferenceCheck) -> float:
    if check.score is None:
        raise ValueError(f"{check.id} has no score: {check.reason}")
    return check.score


def speed(turns: Sequence[Turn]) -> dict[str, float]:
    """Milliseconds an answer, reading the reference included; each answer once, after a round."""
    checker = Checker(TextSolver(), "strict", graded())
    _scores(checker, turns)
    taken = []
    for turn in turns:
        start = time.perf_counter()
        checker.check(turn)
        taken.append((time.perf_counter() - start) * 1000)
    p50, p99 = np.percentile(taken, [50, 99])
    return {"mean_ms": float(np.mean(taken)), "p50_ms": float(p50), "p99_ms": float(p99)}


def overlap(answers: Answers) -> dict[str, Any]:
    """Metrics that count shared words; an answer that cannot be measured counts as 0."""
    rows = measure(OVERLAP, answers.turns)
    return {name: answers.by_system([row.values[name] or 0.0 for row in rows]) for name in OVERLAP}


def lines(found: Mapping[str, Any]) -> list[str]:
    """The figures as text."""
    graded_text = found["text"]["graded"]
    low, high = graded_text["mean_auc_95"]
    same, total = found["recorded"]["published_scores_given_back"]
    speeds = found["speed"]
    result = [
        f"Recorded run, published grading: {same} of {total} published scores given back",
        "",
        f"{'AUC (Pearson r) against labels':44}{'mean':>16}"
        + "".join(f"{one:>18}" for one in found["systems"]),
    ]
    result += [
        _row("recorded, published grading", found["recorded"]["published"], found["systems"]),
        _row("recorded, strict grading", found["recorded"]["strict"], found["systems"]),
        *(
            _row(f"text, {name}", found["text"][name], found["systems"])
            for name in ("graded", "strict", "gate")
        ),
        _row(
            "text, weights chosen by other questions",
            found["text"]["weights_chosen_by_other_questions"],
            found["systems"],
        ),
        *(_row(name, found["overlap"][name], found["systems"]) for name in OVERLAP),
        "",
        f"text, graded: mean AUC {graded_text['mean_auc']:.3f} ({low:.3f} to {high:.3f}); "
        f"target {TARGET_AUC:.2f}: {_met(graded_text['mean_auc'] >= TARGET_AUC)}",
        f"text: {speeds['mean_ms']:.1f} ms an answer (p50 {speeds['p50_ms']:.1f}, p99 "
        f"{speeds['p99_ms']:.1f}); target {TARGET_MS:g}: {_met(speeds['mean_ms'] <= TARGET_MS)}",
        "",
        "Mean AUC of each part alone, and of the rest without it:",
    ]
    alone, without = found["text"]["alone"], found["text"]["without"]
    result += [f"  {name:16}{alone[name]:.3f}   {without[name]:.3f}" for name in alone]
    signs = next(name for name in without if " " in name)
    result.append(f"  all signs       {'':5}   {without[signs]:.3f}")
    return result


def _row(title: str, found: Mapping[str, Any], systems: Sequence[str]) -> str:
    cells = [(found["mean_auc"], found["mean_pearson_r"])]
    cells += [(found[one]["auc"], found[one]["pearson_r"]) for one in systems]
    widths = [16, *[18] * len(systems)]
    return f"{title:44}" + "".join(
        f"{f'{area:.3f} ({r:.3f})':>{width}}"
        for (area, r), width in zip(cells, widths, strict=True)
    )


def _met(is_met: bool) -> str:
    return "met" if is_met else "missed"


def main() -> None:
    """Prints the figures and writes them as JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reference", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the real data")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    if not (arguments.data / "techqa").is_dir():
        parser.error(f"the answers are not at {arguments.data / 'techqa'}")
    answers = read_answers(arguments.data)
    found = {
        "klopt": __version__,
        "systems": list(answers.each),
        "recorded": recorded(arguments.data, answers),
        "text": text(answers),
        "overlap": overlap(answers),
        "speed": speed(answers.turns),
    }
    print("\n".join(lines(found)))
    rounded = json.loads(json.dumps(found), parse_float=lambda one: round(float(one), 4))
    arguments.output.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")
    print(f"Written to {arguments.output}.")


if __name__ == "__main__":
    main()
