"""What the rated answers of all help centres teach, and what that is worth for one left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from klopt import Scorer
from klopt.comparing import Learnt, using
from klopt.comparing.learnt import Network, Trees, Weighing
from klopt.scoring.profile import Profile
from klopt.scoring.tree import HIGHEST, LOWEST
from klopt.tuning.fitting import Learnt as Weights
from klopt.tuning.fitting import Settings, fit, measuring
from klopt.tuning.lines import Lines
from klopt.tuning.samples import Sample, samples
from training.claims import FOLDS, LEFT_OUT
from training.rated_turns import CENTRES, Centre

SETTINGS: Final = Settings(cuts=False, pooled=True)
"""One weighing for all languages, on the scale of the ratings, and the tree as it stands."""
UNSCORED: Final = 3.0
"""What an answer without a score counts as when answers are put in order."""
UNTRUE: Final = 2.0
SENT_UNTRUE: Final = 0.10
"""At most so many of the answers that are sent are untrue."""
BLOCKED_TRUE: Final = 0.06
"""At most so many of those that are blocked are true; on a company left out it comes to more."""
STEP: Final = 0.1
"""Lines are drawn in tenths, as scores are printed and verdicts given."""

Found = Mapping[Centre, Sequence[Sample]]


def learnt_without(company: str, folder: Path = LEFT_OUT) -> Learnt:
    """What was learnt without a company; its trees too where they were learnt already."""
    fold = "+".join(next(one for one in FOLDS if company in one))
    trees = folder / f"{company}.trees.npz"
    return Learnt(
        Network(_read(folder / f"{fold}.network.npz")),
        Weighing(_read(folder / f"{fold}.slots.npz")),
        Trees(_read(trees) if trees.exists() else _NO_TREES),
    )


def measured(data: Path, profile: Profile) -> dict[Centre, list[Sample]]:
    """The rated answers of all centres, each measured with what was learnt without its company."""
    found = {}
    for centre in CENTRES:
        with using(learnt_without(centre.company)):
            scorer = Scorer(measuring(profile), all_types=True)
            turns = centre.load(data)
            judged = [(turn, scorer.score(turn, measure_all=True)) for turn in turns]
        found[centre] = samples(judged)
    return found


def weights_without(company: str, found: Found, profile: Profile) -> Weights:
    """What the rated answers of all other companies teach."""
    others = [one for centre, own in found.items() if centre.company != company for one in own]
    return fit(others, profile, SETTINGS)


def scores_left_out(found: Found, profile: Profile) -> dict[Centre, NDArray[np.float64]]:
    """The scores of each centre's answers by weights learnt from all other companies."""
    scores = {}
    for centre, own in found.items():
        learnt = weights_without(centre.company, found, profile)
        walked = [learnt.walk(one).score for one in own]
        scores[centre] = np.array([UNSCORED if one is None else one for one in walked])
    return scores


def lines_of(
    found: Found,
    scores: Mapping[Centre, NDArray[np.float64]],
    centres: Sequence[Centre],
    profile: Profile,
) -> Lines:
    """The lowest line to send from, and the highest to block below, within those risks.

    Each risk is that of what is really sent or blocked: some answers are not sent whatever their
    score, and without a fault none is blocked.

    Args:
        found: The rated answers.
        scores: Theirs.
        centres: Whose are looked at.
        profile: Says what is a fault.
    """
    every = [one for centre in centres for one in found[centre]]
    own, ratings = np.concatenate([scores[one] for one in centres]), ratings_of(found, centres)
    held = np.array([one.held for one in every])
    faulty = np.array([has_fault(one, profile) for one in every])
    steps = np.round(np.arange(LOWEST + STEP, HIGHEST + STEP, STEP), 1)
    untrue, true = ratings <= UNTRUE, ratings == HIGHEST
    sends = [one for one in steps if _share(untrue, (own >= one) & ~held) <= SENT_UNTRUE]
    blocks = [one for one in steps if _share(true, (own < one) & faulty) <= BLOCKED_TRUE]
    send_from = float(min(sends, default=HIGHEST))
    return Lines(min(float(max(blocks, default=LOWEST)), send_from), send_from)


def lines_left_out(
    found: Found, scores: Mapping[Centre, NDArray[np.float64]], profile: Profile
) -> dict[str, Lines]:
    """Company → the lines that the scores of all others set."""
    return {
        company: lines_of(found, scores, [one for one in found if one.company != company], profile)
        for company in dict.fromkeys(centre.company for centre in found)
    }


def ratings_of(found: Found, centres: Sequence[Centre]) -> NDArray[np.float64]:
    """The ratings of the answers of some centres."""
    return np.array([one.rating for centre in centres for one in found[centre]])


def has_fault(sample: Sample, profile: Profile) -> bool:
    """Whether an answer has a fault without which nothing is blocked."""
    return any(
        one.kind == "unsupported"
        for name in profile.review_on
        for one in sample.measurements[name].evidence
    )


def _share(which: NDArray[np.bool_], among: NDArray[np.bool_]) -> float:
    return float(which[among].mean()) if among.any() else 0.0


def _read(file: Path) -> dict[str, Any]:
    with np.load(file, allow_pickle=False) as arrays:
        return dict(arrays)


_NO_TREES: Final[dict[str, Any]] = {
    "features": np.zeros(1, np.uint8),
    "thresholds": np.zeros(1, np.float32),
    "lefts": np.array([-1], np.int16),
    "rights": np.array([-1], np.int16),
    "roots": np.zeros(1, np.int16),
    "values": np.zeros(1, np.float32),
    "weights": np.zeros(1, np.float32),
    "base": np.zeros((), np.float32),
}
