"""``python -m benchmarks.review_order``: what 25 and 50 ratings are worth, by how they were chosen.

Half of a company's pages are held out with their answers, about 60. Of the other half so many
answers are rated, those that `klopt company review` offers first or any, and a profile is learnt
from them alone, not from default's weights, which know these answers; it is judged on the answers
that were held out. What compares statements has learnt from all three companies, so that both ways
look better than they would elsewhere: only their difference counts. Needs the real data
($KLOPT_DATA, or ../shared/data).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

import numpy as np

from klopt.batch.pages import read_pages
from klopt.batch.rows import read_rows
from klopt.evaluation.agreement import auc, rho
from klopt.review.book import Scored
from klopt.review.queue import next_answer
from klopt.scoring.profile import Profile
from klopt.scoring.scorer import Scorer
from klopt.tuning.fitting import Settings, fit, measuring
from klopt.tuning.samples import Sample, sample

COMPANIES: Final = ("bc", "hr", "fin")
RATED: Final = (25, 50)
DRAWS: Final = 20
SETTINGS: Final = Settings(weights="anew", held_back_share=0.10, cuts=True)


def read(data: Path, company: str) -> list[tuple[Scored, Sample]]:
    """The rated answers of a company, as the order of the review and as a fit see them."""
    pages = read_pages(data / "help" / f"{company}-nl")
    start = Scorer(measuring(Profile.load("default")), all_types=True)
    scorer, found = Scorer.load(all_types=True), []
    for row in read_rows(str(data / "turns-nl" / f"{company}.jsonl"), pages=pages):
        if row.turn is None:
            continue
        one = scorer.score(row.turn)
        own = sample(row.turn, start.score(row.turn, measure_all=True))
        if own is not None and one.score is not None:
            kind = one.message_type or ""
            found.append((Scored(row.id, one.score, one.verdict, kind, own.group), own))
    return found


def chosen(pool: list[tuple[Scored, Sample]], profile: Profile, count: int) -> list[Sample]:
    """The answers that the review offers first."""
    taken: list[str] = []
    while len(taken) < count:
        key = next_answer([one for one, _ in pool], taken, (), profile)
        if key is None:
            break
        taken.append(key)
    return [own for one, own in pool if one.key in taken]


def figures(learnt_from: list[Sample], held_out: list[Sample]) -> tuple[float, float]:
    """Spearman's rho and AUC on what was held out."""
    learnt = fit(learnt_from, Profile.load("default"), SETTINGS)
    scores = [learnt.walk(one).score or 3.0 for one in held_out]
    decided = [
        (s, one.rating >= 4) for s, one in zip(scores, held_out, strict=True) if one.rating != 3
    ]
    area = auc([s for s, _ in decided], [is_true for _, is_true in decided]).value
    return rho(scores, [one.rating for one in held_out]) or 0.0, area or 0.5


def line(company: str, answers: list[tuple[Scored, Sample]], profile: Profile, count: int) -> str:
    """What so many ratings of a company are worth, both ways."""
    groups = sorted({own.group for _, own in answers})
    drawn = []
    for draw in range(DRAWS):
        random = np.random.Generator(np.random.PCG64(draw))
        out = set(random.permutation(groups)[: len(groups) // 2])
        pool = [one for one in answers if one[1].group not in out]
        held_out = [own for _, own in answers if own.group in out]
        first = chosen(pool, profile, count)
        any_others = [pool[place][1] for place in random.permutation(len(pool))[:count]]
        drawn.append([*figures(first, held_out), *figures(any_others, held_out)])
    found = np.array(drawn)
    mean, better = found.mean(axis=0), (found[:, :2] > found[:, 2:]).sum(axis=0)
    return (
        f"{company}, {count} rated, {DRAWS} draws: as offered rho {mean[0]:.2f}, "
        f"AUC {mean[1]:.2f}; any rho {mean[2]:.2f}, AUC {mean[3]:.2f}; as offered better in "
        f"{better[0]} (rho) and {better[1]} (AUC)"
    )


def main() -> int:
    """Prints a line for each company."""
    beside = Path(__file__).parents[1] / ".." / "shared" / "data"
    data = Path(os.environ.get("KLOPT_DATA") or beside).resolve()
    if not (data / "turns-nl").is_dir():
        print(f"no rated turns at {data}; KLOPT_DATA names another folder", file=sys.stderr)
        return 2
    profile = Profile.load("default")
    for company in COMPANIES:
        answers = read(data, company)
        for count in RATED:
            print(line(company, answers, profile, count), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
