"""TechQA by its document alone, with the terms that its labels teach held out by question."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Final

from klopt.evaluation.rated import Rated
from klopt.scoring.profile import Profile
from klopt.tuning.fitting import Settings, held_out_scores
from klopt.tuning.samples import sample
from training.profile import HELD_BACK, LABELLED

SETTINGS: Final = Settings(only=LABELLED, held_back_share=HELD_BACK, folds=5)


def held_out(rows: Sequence[Rated]) -> tuple[Rated, ...]:
    """The answers with the score that they get when labels of other questions alone were seen.

    All else that the default profile weighs stays as it is.

    Args:
        rows: Labelled answers, everything measured; the answers to one question have one text of
            it and are held out together.
    """
    by_question = [
        dataclasses.replace(one, group=row.turn.question)
        for row in rows
        if (one := sample(row.turn, row.assessment)) is not None
    ]
    scores = held_out_scores(by_question, Profile.load(), SETTINGS)
    return tuple(
        dataclasses.replace(row, score=round(score, 6))
        for row, score in zip(rows, scores, strict=True)
        if score is not None
    )
