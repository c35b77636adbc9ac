"""What the rated answers of all help centres teach, and what that is worth for one left out."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from klopt import Scorer
from klopt.comparing import Learnt, using
from klopt.comparing.learnt import BoostedTrees, FamilyNetworks, Network
from klopt.scoring.interpretation import Translate
from klopt.scoring.profile import Profile
from klopt.scoring.tree import HIGHEST, LOWEST
from klopt.tuning.fitting import FitSettings, fit, measuring
from klopt.tuning.fitting import LearntWeights as Weights
from klopt.tuning.lines import DrawnLines
from klopt.tuning.samples import Sample, samples
from training.claims import FOLDS, LEFT_OUT, outputs
from training.rated_turns import CENTRES, Centre

SETTINGS: Final = FitSettings(pooled=True)
"""One weighing for all languages, on the scale of the ratings, and the tree as it stands."""
UNSCORED: Final = 3.0
"""What an answer without a score counts as when answers are put in order."""
UNTRUE: Final = 2.0
BASE: Final = Path(__file__).with_name("default_profile.toml")
"""The tree and the heuristics of the default profile, before anything is learnt."""
SENT_UNTRUE: Final = 0.10
"""At most so many of the answers that are sent are untrue."""
BLOCKED_TRUE: Final = 0.06
"""At most so many of those that are blocked are true; on a company left out it comes to more."""
STEP: Final = 0.1
"""Lines are drawn in tenths, as scores are printed and verdicts given."""


def base_profile() -> Profile:
    """The default profile before anything is learnt."""
    return Profile.read(BASE.read_text("utf-8"), where=str(BASE), folder=BASE.parent)


def compared_without(company: str, folder: Path = LEFT_OUT) -> Learnt:
    """What compares, learnt without a company; the trees, which do not, are those of klopt."""
    fold = next(fold for fold in FOLDS if company in fold)
    return dataclasses.replace(
        Learnt.load(),
        network=Network(np.load(outputs(folder, "network")[fold])),
        families=FamilyNetworks(np.load(outputs(folder, "families")[fold])),
    )


def learnt_without(company: str) -> Learnt:
    """What was learnt without a company, its trees too."""
    trees = BoostedTrees(np.load(LEFT_OUT / f"{company}.trees.npz"))
    return dataclasses.replace(compared_without(company), boosted=trees)


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Rated answers, measured with what was learnt without their company, and what they teach.

    A company is left out by its name; "" leaves out none.
    """

    samples: Mapping[Centre, Sequence[Sample]]
    profile: Profile

    @classmethod
    def measured(cls, data: Path) -> LeftOut:
        """The answers of all help centres."""
        profile, measured = base_profile(), {}
        for centre in CENTRES:
            with using(learnt_without(centre.company)):
                scorer = Scorer(measuring(profile), all_types=True)
                turns = centre.load(data)
                judged = [(turn, scorer.score(turn, measure_all=True)) for turn in turns]
            measured[centre] = samples(judged)
        return cls(measured, profile)

    @cache  # noqa: B019
    def weights(self, company: str) -> Weights:
        """What the answers of all other companies teach."""
        return fit([sample for centre in self._without(company) for sample in self.samples[centre]],
                   self.profile, SETTINGS)  # fmt: skip

    @cached_property
    def scores(self) -> dict[Centre, NDArray[np.float64]]:
        """The scores of each centre's answers by weights learnt from all other companies."""
        return {
            centre: scores_of(self.weights(centre.company), own)
            for centre, own in self.samples.items()
        }

    @cache  # noqa: B019
    def lines(self, company: str) -> DrawnLines:
        """The lowest line to send from and the highest to block below, by the scores of all others.

        Each risk is that of what is really sent or blocked: some answers are not sent whatever
        their score, and without a fault none is blocked.
        """
        ratings, own, held, faulty = self.known(*self._without(company))
        steps = np.round(np.arange(LOWEST + STEP, HIGHEST + STEP, STEP), 1)
        untrue, true = ratings <= UNTRUE, ratings == HIGHEST
        sends = [step for step in steps if _share(untrue, (own >= step) & ~held) <= SENT_UNTRUE]
        blocks = [step for step in steps if _share(true, (own < step) & faulty) <= BLOCKED_TRUE]
        send_from = float(min(sends, default=HIGHEST))
        return DrawnLines(min(float(max(blocks, default=LOWEST)), send_from), send_from)

    def known(self, *centres: Centre) -> tuple[NDArray[Any], ...]:
        """Of each answer of some centres rating and score, whether it is held back, has a fault."""
        every = [sample for centre in centres for sample in self.samples[centre]]
        columns = ([sample.rating, sample.held, self.has_fault(sample)] for sample in every)
        ratings, held, faulty = np.array(list(columns)).T
        own = np.concatenate([self.scores[centre] for centre in centres])
        return ratings, own, held.astype(bool), faulty.astype(bool)

    def learnt(self, company: str) -> Profile:
        """The profile with the weights and lines of all other companies."""
        weights, lines = self.weights(company), self.lines(company)
        return dataclasses.replace(
            self.profile, tree=weights.tree, evidence=weights.evidence, **lines._asdict()
        )

    @contextmanager
    def scorer(self, company: str, translate: Translate | None = None) -> Iterator[Scorer]:
        """A scorer that knows nothing of a company, until the block ends."""
        with using(learnt_without(company)):
            yield Scorer(self.learnt(company), all_types=True, translate=translate)

    def has_fault(self, sample: Sample) -> bool:
        """Whether an answer has a fault without which nothing is blocked."""
        return any(
            evidence.kind == "unsupported"
            for name in self.profile.review_on
            for evidence in sample.measurements[name].evidence
        )

    def _without(self, company: str) -> list[Centre]:
        return [centre for centre in self.samples if centre.company != company]


def scores_of(learnt: Weights, some: Sequence[Sample]) -> NDArray[np.float64]:
    """The scores of answers; that of one without counts as `UNSCORED`."""
    walked = (learnt.walk(sample).score for sample in some)
    return np.array([UNSCORED if score is None else score for score in walked])


def _share(which: NDArray[np.bool_], among: NDArray[np.bool_]) -> float:
    return float(which[among].mean()) if among.any() else 0.0
