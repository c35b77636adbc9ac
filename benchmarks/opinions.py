"""``python -m benchmarks.opinions``: what second opinions bring on real answers.

Each set is scored by models trained without it (TechQA by the shipped ones). Then recorded opinions
replace klopt's verdicts, as `klopt.llm.opinions.Adviser` does: first on the answers to review, then
on the others; in two orders, the highest score first and the most doubtful first (a probability
nearest to one half). A person, who is always right, is the upper bound. `docs/figures.py` prints
the figures.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy import EVEN
from klopt import Assessment, Scorer
from klopt.llm.opinions import Adviser, OpinionResult
from klopt.llm.opinions.llm import Recorded
from klopt.scoring.profile import Profile
from training.answers import DUTCH, SETS, Labelled, ranking_scores, real_answers
from training.calibration import held_out
from training.command import given, store
from training.rated_turns import rows_of, techqa_turns

TECHQA: Final = "techqa"
MTRAG_JUDGES: Final = {
    "ragas_faithfulness": "RAGAS faithfulness",
    "radbench_llm": "LLM judge with a reference answer",
}
"""Score of an LLM that was released with MT-RAG → its name."""
TECHQA_JUDGES: Final = {
    "tseval": "TechSupportEval with a reference answer",
    "g_eval": "G-Eval with a reference answer",
    "ref_checker": "RefChecker with a reference answer",
    "ragas": "RAGAS with a reference answer",
}
"""Score by gpt-4o-mini that was released with TechSupportEval → its name."""
Scored = Sequence[tuple[Labelled, Assessment]]
Figures = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of a set: labels and assessments, without an opinion and with one on each."""

    labels: NDArray[np.bool_]
    before: Sequence[Assessment]
    after: Sequence[Assessment]

    @classmethod
    def of(cls, scored: Scored, opinions: Recorded) -> "Answers":
        """Request an opinion on each answer."""
        profile, adviser = Profile.load(), Adviser(opinions, "always")
        after = [adviser.advise(one.turn, found, profile) for one, found in scored]
        labels = np.array([one.is_faithful for one, _ in scored])
        return cls(labels, [found for _, found in scored], after)

    def figures(self, count: int, by: str = "score") -> Figures:
        """Return the figures with opinions on the first ``count`` answers in an order."""
        scores = np.array(ranking_scores(one.score for one in self.before))
        key = -scores if by == "score" else np.abs(scores - EVEN)
        order = np.lexsort((key, [one.verdict != "review" for one in self.before]))
        found = list(self.before)
        for number in order[:count]:
            found[number] = self.after[number]
        sent = np.array([one.verdict == "send" for one in found])
        recalls = sent[self.labels].mean(), (~sent)[~self.labels].mean()
        return {
            "accuracy": round(float(np.mean(recalls)), 3),
            "sent_of_faithful": [int(sent[self.labels].sum()), int(self.labels.sum())],
            "unfaithful_of_sent": [int((~self.labels)[sent].sum()), int(sent.sum())],
        }


def curve(answers: Answers) -> Figures:
    """Return balanced accuracy against the share of answers with an opinion, and some points."""
    n = len(answers.labels)
    review = sum(one.verdict == "review" for one in answers.before)
    counts = sorted({*(round(n * percent / 100) for percent in range(0, 101, 5)), review})
    points = {
        by: [answers.figures(count, by)["accuracy"] for count in counts]
        for by in ("score", "doubt")
    }
    points["share"] = [round(count / n, 3) for count in counts]
    at = {"none": 0, "half of review": review // 2, "review": review, "all": n}
    figures = {name: answers.figures(count) for name, count in at.items()}
    figures["half by doubt"] = answers.figures(review // 2, "doubt")
    return {"n": n, "review": review, "at": figures, "points": points}


def recorded(name: str, truths: Mapping[str, float]) -> Recorded:
    """Return opinions by id as klopt reads them from a file."""
    return Recorded(name, name, {key: OpinionResult(truth=one) for key, one in truths.items()})


def published(data: Path) -> Iterator[tuple[str, Recorded]]:
    """Yield set and opinions that were released with it."""
    rows = list(rows_of(data / "real" / "mtrag.jsonl"))
    for key, name in MTRAG_JUDGES.items():
        yield "mtrag", recorded(name, {row["id"]: row["published"][key] for row in rows})
    rows = list(rows_of(data / "techqa" / "baseline_scores.jsonl"))
    for key, name in TECHQA_JUDGES.items():
        scores = ((row["id"], row[f"{key}|gpt-4o-mini-2024-07-18"]) for row in rows)
        yield TECHQA, recorded(name, {key: min(one, 1.0) for key, one in scores if one == one})


def scored(data: Path) -> dict[str, list[tuple[Labelled, Assessment]]]:
    """Return the answers of each set with their assessments."""
    by_set: dict[str, list[tuple[Labelled, Assessment]]] = {}
    for answer, found in held_out(real_answers(data, *SETS, DUTCH)):
        by_set.setdefault(answer.set, []).append((answer, found))
    scorer = Scorer.load(all_types=True)
    by_set[TECHQA] = [
        (Labelled(TECHQA, TECHQA, turn, turn.label == 1), scorer.score(turn))
        for turn in techqa_turns(data)
    ]
    return by_set


def main() -> None:
    """Store the figures; of opinions in a file for the sets on which it has any."""
    help_ = "more opinions, as for `klopt score --opinion recorded:FILE`; may be repeated"
    more = {"action": "append", "default": [], "type": Path, "metavar": "FILE", "help": help_}
    options = given(__doc__, Path(__file__).with_suffix(".json"), "real", recorded=more)
    by_set = scored(options.data)
    every = list(published(options.data))
    for file in options.recorded:
        ids, opinions = {row["id"] for row in rows_of(file)}, Recorded.read(file)
        opinions.name = file.stem
        found = (name for name, some in by_set.items() if {one.turn.id for one, _ in some} & ids)
        every += [(name, opinions) for name in found]
    for name in dict.fromkeys(name for name, _ in every):
        labels = {one.turn.id: float(one.is_faithful) for one, _ in by_set[name]}
        every.append((name, recorded("a person", labels)))
    figures: dict[str, dict[str, Figures]] = {}
    for name, opinions in every:
        figures.setdefault(name, {})[opinions.name] = curve(Answers.of(by_set[name], opinions))
    store(figures, options.output)


if __name__ == "__main__":
    main()
