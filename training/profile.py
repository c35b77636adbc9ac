"""``python -m training.profile``: the weights and thresholds of the default profile.

How much the probability of a faithful answer, names on no page and the order of steps weigh is
fitted on real answers and on pairs about components and orders, each scored by what was trained
without its set or company; Solution Coverage and Solution Known, in English, on the labelled TechQA
answers, whose pages have headings such as "Resolving the problem". The thresholds follow from the
risk on the real answers of `MAIN_SETS`, with the holds for faults in force.
"""

import dataclasses
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from klopt import Scorer, Turn
from klopt.evaluation.fitting.evidence_weights import Sample, fit_weights, samples
from klopt.evaluation.fitting.fitting import (
    FittedWeights,
    by_language,
    measuring,
    rounded,
    sent,
    to_toml,
    undecided,
    weighed,
)
from klopt.scoring.profile import Profile
from klopt.scoring.tree import LOWEST, printed
from klopt.verification import using
from training.added_weights import add_weights
from training.answers import MAIN_SETS, pairs, real_answers
from training.command import given
from training.rated_turns import techqa_turns
from training.support import trained_without

BASE: Final = Path(__file__).with_name("default_profile.toml")
"""The tree and the heuristics of the default profile, without fitted weights."""
OUTPUT: Final = Path(__file__).parent.parent / "klopt" / "scoring" / "profiles" / "default.toml"
LABELLED: Final = ("solution_coverage", "solution_known")
HELD_BACK_SHARE: Final = 0.10
"""Share of the correct TechQA answers that may fall below the threshold."""
OF_PAIRS: Final = ("component", "order")
"""Kinds of pairs about names and steps."""
SEND_RISK, BLOCK_RISK = 0.10, 0.15
"""Maximum shares of unfaithful answers among those sent, and of faithful ones among blocked."""
MIDDLE: Final = 3.0
"""The score at which an answer is as likely faithful as not: lower ones are never sent, higher ones
never blocked."""
STEPS: Final = tuple(round(LOWEST + step / 10, 1) for step in range(41))
HEAD: Final = (
    "The profile that klopt uses unless another is named. Its weights and thresholds come from",
    "`make support`; docs/explanation/default-profile.md describes the data and the accuracy.",
)


class Thresholds(NamedTuple):
    """The scores at which the verdict changes."""

    block_below: float
    send_from: float


def base_profile() -> Profile:
    """Return the default profile before anything is fitted."""
    return Profile.read(BASE.read_text("utf-8"), where=str(BASE), folder=BASE.parent)


def measured(rows: Sequence[tuple[str, Turn]], profile: Profile) -> Iterator[Sample]:
    """Measure answers by models that were trained without their group."""
    by_group: dict[str, list[Turn]] = {}
    for group, turn in rows:
        by_group.setdefault(group, []).append(turn)
    for group, turns in by_group.items():
        with using(trained_without(group)):
            scorer = Scorer(measuring(profile), all_types=True)
            yield from samples((turn, scorer.score(turn, measure_all=True)) for turn in turns)


def thresholds(scored: Sequence[tuple[Sample, float]]) -> Thresholds:
    """Return the lowest threshold to send from and the highest to block below, by risk.

    An answer that is held for a fault is not sent, and none is blocked without one. What a
    threshold sends is counted by `klopt.evaluation.fitting.fitting.sent`, as `klopt fit` does
    for a company.
    """
    sends, blocks = [4.9], [LOWEST]
    for step in STEPS:
        found = sent(scored, step)
        blocked = [one.rating > 3 for one, score in scored if printed(score) < step and one.held]
        if step >= MIDDLE and found.count and found.untrue_count <= SEND_RISK * found.count:
            sends.append(step)
        if step <= MIDDLE and blocked and sum(blocked) / len(blocked) <= BLOCK_RISK:
            blocks.append(step)
    return Thresholds(max(blocks), min(sends))


def fitted_profile(data: Path) -> tuple[FittedWeights, Thresholds]:
    """Fit the weights and thresholds of the default profile."""
    profile = base_profile()
    answers = [
        (one.group, dataclasses.replace(one.turn, label=int(one.is_faithful)))
        for one in real_answers(data, *MAIN_SETS)
    ]
    real = list(measured(answers, profile))
    two = [
        (row.company, dataclasses.replace(turn, label=1 - number))
        for row, turns in pairs(data)
        if row.kind in OF_PAIRS
        for number, turn in enumerate(turns)
    ]
    every = [*real, *measured(two, profile)]
    pooled = rounded(fit_weights(undecided(every, profile.tree), weighed(profile)))
    fitted = FittedWeights(profile.tree, dict.fromkeys(profile.languages, pooled))
    walked = [(one, fitted.walk(one).score) for one in real]
    lines = thresholds([(one, score) for one, score in walked if score is not None])
    whole = dataclasses.replace(profile, evidence=fitted.evidence, send_from=lines.send_from)
    scorer = Scorer(measuring(whole), all_types=True)
    turns = techqa_turns(data)
    labelled = samples((turn, scorer.score(turn, measure_all=True)) for turn in turns)
    evidence = dict(fitted.evidence)
    for language, own in by_language(labelled).items():
        line, some = lines.send_from, undecided(own, profile.tree)
        share = HELD_BACK_SHARE
        added = add_weights(some, LABELLED, pooled, held_back_share=share, send_from=line)
        evidence[language] = rounded(added)
    rows = {
        language: frozenset(one.row for one in some)
        for language, some in by_language([*every, *labelled]).items()
    }
    return FittedWeights(profile.tree, evidence, rows), lines


def main() -> None:
    """Fit the profile and write it."""
    arguments = given(__doc__, OUTPUT, "real")
    fitted, lines = fitted_profile(arguments.data)
    base = BASE.read_text("utf-8")
    text = to_toml(base, fitted, languages=("nl", "en"), name="default", head=HEAD)
    for name, value in lines._asdict().items():
        text = re.sub(rf"^{name} = .*$", f"{name} = {value:g}", text, flags=re.MULTILINE)
    arguments.output.write_text(text, encoding="utf-8")
    print(f"block below {lines.block_below:g}, send from {lines.send_from:g}")
    print(f"Written to {arguments.output}")


if __name__ == "__main__":
    main()
