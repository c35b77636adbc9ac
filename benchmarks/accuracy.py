"""``python -m benchmarks.accuracy``: how accurate the default profile is on labelled answers.

Real answers are scored by models trained without their set, beside two baselines: the share of the
answer's words, and of its word pairs, that the documents have. Pairs of answers that differ in one
fact are scored by models trained without their company.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.pairs import Judged, by_group, judged, over_all
from klopt import Assessment, Scorer, Turn
from klopt.evaluation.fitting.evidence_weights import sample
from klopt.evaluation.fitting.fitting import sent, threshold_by_risk
from klopt.report.untrue import Calibration, ScoredLabel
from klopt.scoring.profile import Profile
from klopt.scoring.tree import Verdict, printed
from training.answers import DUTCH, MAIN_SETS, SETS, UNSCORED, ranking_scores, real_answers
from training.calibration import GOOD_BOT, Labels, fit, held_out, label_of
from training.claims import area_under, rho
from training.command import given, store
from training.rated_turns import CENTRES, demo_turns, rows_of
from training.support import scorer_without

EXPECTED: Final[Mapping[str, frozenset[Verdict]]] = {
    "send": frozenset({"send"}),
    "not send": frozenset({"review", "block"}),
    "not block": frozenset({"send", "review"}),
    "unscored": frozenset({"unscored"}),
}
"""What a case of `cases/answers.jsonl` expects, and the verdicts that meet it."""
MIN_CHATTER: Final = 0.1
"""The share of answers with chatter from which a help centre has both kinds."""
RATED: Final = 50
"""Answers of a log that are rated before the number of its untrue ones is estimated again."""
DRAWS: Final = 200
RISK: Final = 0.1
"""The largest share of unfaithful answers among those sent, for a threshold by ratings."""
RISK_LINES: Final = tuple(step / 10 for step in range(20, 46, 2))
"""Thresholds from which answers are sent, for the risk curve."""
SOURCES: Final = {"HAGRID": "hagrid", "Stanford-GenSearch": "gensearch", "ExpertQA": "expertqa"}
"""Source of rows in AttributionBench, with which their ids begin → the set that has them."""
EVEN: Final = 3.0
"""The score of an answer as likely faithful as not; above it, it counts as judged faithful."""
_WORD: Final = re.compile(r"[^\W_]+")
Figures = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Scored:
    """A labelled answer and its assessment."""

    label: bool
    assessment: Assessment
    turn: Turn

    @property
    def score(self) -> float:
        """Return the score, or `UNSCORED`."""
        return UNSCORED if self.assessment.score is None else self.assessment.score


def word_shares(turn: Turn) -> tuple[float, float]:
    """Return the shares of an answer's distinct words, and word pairs, that its pages have."""
    texts = (page.text for page in turn.pages)
    answer, *pages = (_WORD.findall(text.lower()) for text in (turn.answer, *texts))
    words, stated = set(answer), {word for page in pages for word in page}
    two, both = set(pairwise(answer)), {pair for page in pages for pair in pairwise(page)}
    return len(words & stated) / max(1, len(words)), len(two & both) / max(1, len(two))


def ranked(some: Sequence[Scored]) -> Figures:
    """Return the areas under the curve of the score and of both baselines."""
    labels = np.array([one.label for one in some])
    words, two = np.array([word_shares(one.turn) for one in some]).T
    return {
        "n": len(some),
        "faithful": round(float(labels.mean()), 3),
        "auc": _area([one.score for one in some], labels),
        "words": _area(words, labels),
        "word_pairs": _area(two, labels),
    }


def _area(points: Sequence[float] | NDArray[Any], labels: NDArray[Any]) -> float:
    return round(area_under(np.asarray(points, float), labels), 3)


def verdicts(some: Sequence[Scored]) -> Figures:
    """Return counts of faithful answers sent and unfaithful ones blocked, each with two totals."""
    faithful, unfaithful = ([one for one in some if one.label is label] for label in (True, False))

    def given_to(verdict: Verdict, answers: Sequence[Scored]) -> int:
        return sum(one.assessment.verdict == verdict for one in answers)

    sent, blocked = (given_to("send", faithful), given_to("block", unfaithful))
    return {
        "faithful_of_sent": [sent, given_to("send", some)],
        "sent_of_faithful": [sent, len(faithful)],
        "unfaithful_of_blocked": [blocked, given_to("block", some)],
        "blocked_of_unfaithful": [blocked, len(unfaithful)],
    }


def risk(some: Sequence[Scored]) -> list[Figures]:
    """Return what each threshold sends and how much of it is unfaithful; faults still hold back."""
    profile = Profile.load()
    free = [
        one
        for one in some
        if one.assessment.verdict == "send"
        or not (one.assessment.abstained or profile.faulty(one.assessment.measurements))
    ]
    points = []
    for line in RISK_LINES:
        sent = [one.label for one in free if printed(one.score) >= line]
        points.append({"from": line, "sent": [len(sent), len(some)]})
        points[-1]["unfaithful_of_sent"] = [sent.count(False), len(sent)]
    return points


def as_judged(some: Sequence[Scored]) -> Figures:
    """Return balanced accuracy and macro-F1 of the answers judged faithful, in percent."""
    found, labels = np.array([(one.score > EVEN, one.label) for one in some]).T
    sides = [(found == side, labels == side) for side in (True, False)]
    recalls = [(own & real).sum() / real.sum() for own, real in sides]
    f1 = [2 * (own & real).sum() / (own.sum() + real.sum()) for own, real in sides]
    means = {"balanced_accuracy": np.mean(recalls), "macro_f1": np.mean(f1)}
    return {"n": len(some)} | {name: round(100 * float(one), 1) for name, one in means.items()}


def own_thresholds(some: Sequence[Scored]) -> dict[str, Figures]:
    """Return what a threshold by a few ratings, for `RISK`, sends of the other answers.

    Of no ratings, and of too few for a threshold, what the profile's own sends.
    """
    pairs = [
        (sample(replace(one.turn, label=one.label), one.assessment), one.score) for one in some
    ]
    scored = [(found, score) for found, score in pairs if found is not None]
    drawing, table, line = np.random.default_rng(0), {}, Profile.load().send_from
    for count in (0, 25, 50, 100, 200):
        sums = np.zeros(4, int)
        for _ in range(DRAWS):
            order = drawing.permutation(len(scored)).tolist()
            own, others = ([scored[at] for at in side] for side in (order[:count], order[count:]))
            got = sent(others, threshold_by_risk(own, RISK) or line)
            sums += got.untrue_count, got.count, got.true_count, got.total_true
        counts = sums.tolist()
        table[str(count)] = {"unfaithful_of_sent": counts[:2], "sent_of_faithful": counts[2:]}
    return table


def untrue(sets: Mapping[str, Labels]) -> dict[str, Figures]:
    """Return how many answers of each set are untrue, and how many a fit to the others expects.

    Also the shares of drawn logs whose interval contains the number: ``rated`` with `RATED`
    ratings, ``few`` and ``few_rated`` where `GOOD_BOT` of the answers are untrue. The fit for the
    Dutch rows, which are translations, uses all English sets.
    """
    drawing = np.random.default_rng(0)
    figures = {}
    for name, labels in sets.items():
        found = fit({other: own for other, own in sets.items() if other not in (name, DUTCH)})
        every = list(labels.elements())
        few = [drawn_log(every, drawing) for _ in range(DRAWS)]
        guess = found.untrue(rated(every, 0, drawing))
        figures[name] = {
            "n": len(every),
            "untrue": sum(bool(one.is_untrue) for one in every),
            **{part: round(getattr(guess, part)) for part in ("count", "low", "high")},
            "rated": covered(found, [every] * DRAWS, RATED, drawing),
            "few": covered(found, few, 0, drawing),
            "few_rated": covered(found, few, RATED, drawing),
        }
    return figures


def drawn_log(every: Sequence[ScoredLabel], drawing: np.random.Generator) -> list[ScoredLabel]:
    """Draw as many answers, of which `GOOD_BOT` are untrue."""
    untrue_count = round(len(every) * GOOD_BOT)
    sides = [[one for one in every if one.is_untrue is side] for side in (True, False)]
    counts = untrue_count, len(every) - untrue_count
    return [
        some[place]
        for some, count in zip(sides, counts, strict=True)
        for place in drawing.integers(len(some), size=count)
    ]


def rated(log: Sequence[ScoredLabel], count: int, drawing: np.random.Generator) -> Labels:
    """Return a log in which a random sample of the answers has labels."""
    chosen = set(drawing.permutation(len(log))[:count].tolist())
    return Counter(
        one if place in chosen else ScoredLabel(one.score) for place, one in enumerate(log)
    )


def covered(
    found: Calibration,
    logs: Sequence[Sequence[ScoredLabel]],
    count: int,
    drawing: np.random.Generator,
) -> float:
    """Return the share of logs whose number of untrue answers lies in the interval."""
    hits = 0
    for log in logs:
        guess = found.untrue(rated(log, count, drawing))
        hits += guess.low <= sum(bool(one.is_untrue) for one in log) <= guess.high
    return round(hits / len(logs), 2)


def chatter(some: Sequence[Judged]) -> Figures:
    """Return how many true answers are sent, with and without the parts that chatbots add.

    Only of help centres that have both kinds, so that companies are not compared.
    """
    by_centre: dict[str, list[Judged]] = {}
    for pair in some:
        by_centre.setdefault(pair.row.centre, []).append(pair)
    own = [
        pair
        for pairs in by_centre.values()
        for pair in pairs
        if sum(one.has_chatter for one in pairs) >= MIN_CHATTER * len(pairs)
    ]
    sent = {
        name: [pair.sent[0] for pair in own if pair.has_chatter is has]
        for name, has in (("with", True), ("plain", False))
    }
    return {name: [sum(verdicts), len(verdicts)] for name, verdicts in sent.items()}


def published(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Return the areas under the curve of the scores that were released with MT-RAG."""
    labels = np.array([bool(row["label"]) for row in rows])
    names = rows[0]["published"]
    return {name: _area([row["published"][name] for row in rows], labels) for name in names}


def cases(data: Path, scorer: Scorer) -> list[int]:
    """Return how many cases get an expected verdict, and how many there are."""
    rows = list(rows_of(data / "cases" / "answers.jsonl"))
    met = [
        scorer.score(row["question"], row["answer"], row["contexts"]).verdict
        in EXPECTED[row["expected"]]
        for row in rows
    ]
    return [sum(met), len(met)]


def stress(data: Path) -> dict[str, float]:
    """Return the Spearman correlation of score and rating of each help centre's rated turns."""
    figures = {}
    for centre in CENTRES:
        turns = centre.load(data)
        with scorer_without(centre.company) as scorer:
            scores = ranking_scores(scorer.score(turn).score for turn in turns)
        figures[centre.name] = round(rho(scores, [turn.rating for turn in turns]) or 0.0, 3)
    return figures


def main() -> None:
    """Store the figures."""
    options = given(__doc__, Path(__file__).with_suffix(".json"), "real")
    by_set: dict[str, list[Scored]] = {}
    labels: dict[str, Labels] = {name: Counter() for name in (*SETS, DUTCH)}
    for answer, found in held_out(real_answers(options.data, *SETS, DUTCH)):
        by_set.setdefault(answer.set, []).append(Scored(answer.is_faithful, found, answer.turn))
        if (label := label_of(answer, found)) is not None:
            labels[answer.set][label] += 1
    real = {name: ranked(by_set[name]) for name in (*SETS, DUTCH)}
    real["mean of the first four"] = {
        key: round(float(np.mean([real[name][key] for name in MAIN_SETS])), 3)
        for key in real[DUTCH]
    }
    groups = {name: by_set[name] for name in (*MAIN_SETS, DUTCH)}
    groups["first four"] = [one for name in MAIN_SETS for one in by_set[name]]
    mtrag, domains = list(rows_of(options.data / "real" / "mtrag.jsonl")), dict[str, list[Scored]]()
    for one, row in zip(by_set["mtrag"], mtrag, strict=True):
        domains.setdefault(row["domain"], []).append(one)
    two = judged(options.data)
    centres = by_group(two, lambda row: row.centre)
    scorer = Scorer.load(all_types=True)
    demo = [scorer.score(turn).verdict for turn in demo_turns()]
    figures = {
        "real": real,
        "published": published(mtrag),
        "domains": {name: ranked(some) | verdicts(some) for name, some in domains.items()},
        "verdicts": {name: verdicts(some) for name, some in groups.items()},
        "risk": {name: risk(groups[name]) for name in (DUTCH, "first four")},
        "ratings": {name: own_thresholds(by_set[name]) for name in MAIN_SETS},
        "even": {
            source: as_judged([one for one in by_set[name] if one.turn.id.startswith(source)])
            for source, name in SOURCES.items()
        },
        "untrue": untrue(labels),
        "pairs": centres | over_all(centres),
        "kinds": by_group(two, lambda row: row.kind),
        "chatter": chatter(two),
        "cases": cases(options.data, scorer),
        "demo_review": [demo.count("review"), len(demo)],
        "turns": stress(options.data),
    }
    store(figures, options.output)


if __name__ == "__main__":
    main()
