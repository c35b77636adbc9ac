"""``python -m training.calibration``: estimate the number of untrue answers from a log's scores.

Each set of real answers is scored by weights that were trained without it. One logistic curve is
fitted to all sets, with a separate base for each; the spread of the bases shows how far the curve
may shift for an unknown bot. It may shift further down, because the sets were chosen to have about
as many untrue answers as true ones, and good bots give fewer. Abstaining answers are left out: they
are not untrue. `benchmarks.accuracy` measures how often the interval
contains the number.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Final

import numpy as np
from scipy import optimize, special, stats

from klopt import Assessment
from klopt.report.untrue import LEVEL, Calibration, ScoredLabel, log_odds
from klopt.scoring.tree import printed
from training.answers import SETS, Labelled, real_answers
from training.command import given
from training.support import scorer_without

OUTPUT: Final = Path(__file__).parent.parent / "klopt" / "report" / "calibration.toml"
DIGITS: Final = 2
GOOD_BOT: Final = 0.1
"""The share of untrue answers of a good bot, which the interval should still include."""
Labels = Counter[ScoredLabel]


def held_out(answers: Iterable[Labelled]) -> Iterator[tuple[Labelled, Assessment]]:
    """Score answers by models trained without their set."""
    by_group = sorted(answers, key=lambda answer: answer.group)
    for group, some in groupby(by_group, key=lambda answer: answer.group):
        with scorer_without(group) as scorer:
            for one in some:
                yield one, scorer.score(one.turn)


def label_of(answer: Labelled, found: Assessment) -> ScoredLabel | None:
    """Return score and label; None for an answer that is not scored or abstains."""
    if found.score is None or found.abstained:
        return None
    return ScoredLabel(printed(found.score), not answer.is_faithful)


def fit(sets: Mapping[str, Labels]) -> Calibration:
    """Fit the curve; each set counts by the square root of its size."""
    odds, untrue, weights, numbers = (
        np.array(column)
        for column in zip(
            *(
                (log_odds(score), is_untrue, n / labels.total() ** 0.5, number)
                for number, labels in enumerate(sets.values())
                for (score, is_untrue), n in labels.items()
            ),
            strict=True,
        )
    )

    def loss(point: np.ndarray) -> float:
        logits = point[1:][numbers] - point[0] * odds
        return float((weights * (np.logaddexp(0, logits) - untrue * logits)).sum())

    slope, *bases = optimize.minimize(loss, np.append(1.0, np.zeros(len(sets)))).x
    count = len(bases)
    quantile = stats.t.ppf((1 + LEVEL) / 2, count - 1)
    spread = quantile * np.std(bases, ddof=1) * (1 + 1 / count) ** 0.5
    shares = [
        sum(n for one, n in labels.items() if one.is_untrue) / labels.total()
        for labels in sets.values()
    ]
    # Fewer untrue answers with the same scores each shift the log-odds by a constant.
    shift = np.mean(special.logit(shares)) - special.logit(GOOD_BOT)
    ends = slope, np.mean(bases), np.hypot(spread, shift), spread
    total = sum(labels.total() for labels in sets.values())
    return Calibration(*(round(float(value), DIGITS) for value in ends), total)


def to_toml(found: Calibration) -> str:
    """Return the calibration as a file of TOML."""
    sets = "MT-RAG, QA-Feedback, HAGRID (Apache-2.0), GenSearch and ExpertQA (MIT)"
    lines = [
        "# How scores of the profile `default` relate to labels by people, written by",
        "# `python -m training.calibration`; docs/accuracy.md has how often the interval is right.",
        f'source = "labelled answers of {sets}"',
        'licence = "CC BY-SA 4.0"',
        *(f"{name} = {value}" for name, value in asdict(found).items()),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Fit the calibration and write it."""
    arguments = given(__doc__, OUTPUT, "real")
    sets: dict[str, Labels] = {name: Counter() for name in SETS}
    for answer, found in held_out(real_answers(arguments.data)):
        if (label := label_of(answer, found)) is not None:
            sets[answer.set][label] += 1
    text = to_toml(fit(sets))
    arguments.output.write_text(text, encoding="utf-8")
    print(f"{text}Written to {arguments.output}")


if __name__ == "__main__":
    main()
