"""What other lines of a profile would send and hold back, seen on rated answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from klopt.company.settings import Keys
from klopt.evaluation.estimate import Estimate, share
from klopt.evaluation.rated import is_rated, truth
from klopt.records import Turn
from klopt.scoring.assessment import Assessment
from klopt.scoring.profile import Profile
from klopt.scoring.tree import printed

_ORDER: Final = ("unscored", "block", "review", "send")


@dataclass(frozen=True, slots=True)
class Sending:
    """What one profile sends.

    Attributes:
        sent: The share of the scored answers that is sent.
        untrue_sent: The share of what is sent, and was rated or labelled, that is untrue; a rating
            between true and untrue counts, as in `klopt fit` and `klopt evaluate`.
        untrue_held: The share of the untrue answers that is not sent.
        true_held: The share of the true answers that is not sent.
        blocked: The share of the scored answers that is blocked.
        unscored: The share of all answers that is not scored.
    """

    sent: Estimate
    untrue_sent: Estimate
    untrue_held: Estimate
    true_held: Estimate
    blocked: Estimate
    unscored: Estimate

    @classmethod
    def of(cls, turns: Sequence[Turn], found: Sequence[Assessment]) -> Sending:
        """What goes with the verdicts of some turns, in their order.

        >>> Sending.of([], []).sent.value is None
        True
        """
        every = [(turn, assessment.verdict) for turn, assessment in zip(turns, found, strict=True)]
        rows = [row for row in every if row[1] != "unscored"]
        sent = [turn for turn, verdict in rows if verdict == "send"]
        sides = {
            side: [verdict != "send" for turn, verdict in rows if truth(turn) is side]
            for side in (True, False)
        }
        judged = [truth(turn) for turn in sent if is_rated(turn)]
        return cls(
            sent=share(len(sent), len(rows)),
            untrue_sent=share(judged.count(False), len(judged)),
            untrue_held=share(sum(sides[False]), len(sides[False])),
            true_held=share(sum(sides[True]), len(sides[True])),
            blocked=share(sum(verdict == "block" for _, verdict in rows), len(rows)),
            unscored=share(len(every) - len(rows), len(every)),
        )


@dataclass(frozen=True, slots=True)
class Changed:
    """An answer that gets another verdict."""

    turn: Turn
    before: Assessment
    after: Assessment


def changed(
    turns: Sequence[Turn], before: Sequence[Assessment], after: Sequence[Assessment]
) -> list[Changed]:
    """The answers whose verdict changes, the worst first.

    Those that change for the worse (untrue ones up, true ones down), with what is sent before and
    after first; those that are neither true nor untrue; those that change for the better.
    """
    every = map(Changed, turns, before, after)

    def order(answer: Changed) -> tuple[int, bool]:
        was, now = answer.before.verdict, answer.after.verdict
        is_true, is_up = truth(answer.turn), _ORDER.index(now) > _ORDER.index(was)
        group = 1 if is_true is None else 2 if is_true is is_up else 0
        return group, "send" not in (was, now)

    return sorted(
        (answer for answer in every if answer.before.verdict != answer.after.verdict), key=order
    )


def curve(
    turns: Sequence[Turn], lowest: Sequence[Assessment], profile: Profile
) -> dict[float, Sending]:
    """What a profile would send from each line, in steps of a fifth, and from its own.

    Args:
        turns: Those that were judged.
        lowest: What comes of them where all is sent that is not blocked, and has no fault.
        profile: The profile.
    """
    steps = (step / 5 for step in range(5, 26))
    froms = sorted({profile.send_from, *(line for line in steps if line > profile.block_below)})
    return {
        line: Sending.of(turns, [_from(line, assessment) for assessment in lowest])
        for line in froms
    }


def _from(line: float, assessment: Assessment) -> Assessment:
    is_held = (
        assessment.verdict == "send"
        and assessment.score is not None
        and printed(assessment.score) < line
    )
    return replace(assessment, verdict="review") if is_held else assessment


def named(given: Mapping[Keys, float]) -> str:
    """Lines in words.

    >>> named({("verdict", "send_from"): 4.3, ("verdict", "block_below"): 2.0})
    'send_from 4.3, block_below 2'
    """
    return ", ".join(f"{keys[-1]} {line:g}" for keys, line in given.items())
