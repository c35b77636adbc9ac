"""What an entry would change of rated answers other than those that it was found on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from klopt.company.entries import Entry
from klopt.company.trials import Answer, Trials
from klopt.evaluation.agreement import rho
from klopt.scoring.assessment import Assessment

_RANKS: Final = {"block": 0, "review": 1, "send": 2}
_LEAST: Final = 5e-4
"""A smaller change of the agreement is none."""
_MORE: Final = 2e-3
"""From here on it is worth having."""
_MOST_TRIED: Final = 150
"""An entry is tried on so many of the answers that have its words, evenly over all."""
_HOME: Final = 0.05
"""An entry is worth showing that brings the answers that it was found on so much score."""


@dataclass(frozen=True)
class Candidate:
    """An entry that some answers suggest.

    Attributes:
        language: Of the entry.
        entry: What to put in.
        why: Where it came from, in a sentence.
        found_on: The places of the answers that suggest it.
        touched: The places of all answers that it may change.
        examples: Stretches of those that suggest it.
    """

    language: str
    entry: Entry
    why: str
    found_on: frozenset[int]
    touched: frozenset[int]
    examples: tuple[str, ...] = ()


@dataclass(frozen=True)
class Effect:
    """What an entry would change.

    An answer counts as another one when the entry is found on an answer of another page too: so
    it would have been suggested without this answer and all that rest on its page.

    Attributes:
        tried: How many other rated answers have its words.
        changed: The ids of all answers that it changes, those that it was found on included.
        moves: What becomes of other answers: what, and of how many.
        right: How many of those moves are for the better, less those for the worse.
        agreement: How much closer scores and ratings get (Spearman), all else as it is.
        at_home: The moves of the rated answers that it was found on alone.
        home_gain: By how much the true ones of those score higher, less the untrue ones.
        unrated: The moves of answers that nobody rated.
        noun: What it was tried on.
        pages: On the answers of how many pages it was found; of questions, on how many.
    """

    tried: int
    changed: tuple[str, ...]
    moves: Mapping[str, int]
    right: int
    agreement: float = 0.0
    at_home: Mapping[str, int] = field(default_factory=dict)
    home_gain: float = 0.0
    unrated: Mapping[str, int] = field(default_factory=dict)
    noun: str = "rated answer"
    pages: int = 1

    @property
    def is_better(self) -> bool:
        """Whether others are the better for it, on the whole."""
        return not self.is_worse and (self.right > 0 or self.agreement >= _MORE)

    @property
    def is_worse(self) -> bool:
        """Whether others are the worse for it."""
        return self.right < 0 or self.agreement <= -_LEAST

    @property
    def is_hope(self) -> bool:
        """Whether it mends what it was found on, or answers that nobody rated, and harms none."""
        return not self.is_worse and (self.home_gain >= _HOME or bool(self.unrated))

    def told(self) -> str:
        """The effect in sentences."""
        found = []
        if self.tried:
            shift = "" if abs(self.agreement) < _LEAST else f", agreement {self.agreement:+.3f}"
            what = _listed(self.moves) or (
                "no verdict changes" if self.noun == "rated answer" else "none"
            )
            found.append(f"On {counted(self.tried, f'other {self.noun}')}: {what}{shift}.")
        if abs(self.home_gain) >= _HOME:
            alone = "" if self.tried else ", and there is no other to try it on"
            moves = f" ({_listed(self.at_home)})" if self.at_home else ""
            found.append(f"Where it was found: score {self.home_gain:+.2f}{moves}{alone}.")
        if self.unrated:
            found.append(f"Of those that nobody rated: {_listed(self.unrated)}.")
        return " ".join(found) or "It changes no verdict."


def effect_of(trials: Trials, candidate: Candidate) -> Effect:
    """What an entry would change; see `Effect`."""
    answers = trials.answers
    pages = {answers[place].page for place in candidate.found_on}
    more = sorted(candidate.touched - candidate.found_on)
    places = [*sorted(candidate.found_on), *more[:: len(more) // _MOST_TRIED + 1]]
    then = trials.with_entries(candidate.language, [candidate.entry], places)
    others, home, unrated = [], [], []
    for place in places:
        if not answers[place].is_rated:
            unrated.append(place)
        elif pages - {answers[place].page}:
            others.append(place)
        else:
            home.append(place)
    moved = _moves(answers, then, others)
    tried = {place: then[place] for place in others if place in then}
    return Effect(
        tried=len(others),
        changed=tuple(answers[place].turn.id for place in sorted(then)),
        moves=_counts(moved),
        right=sum(gain for _, gain in moved),
        agreement=agreement(answers, tried) - agreement(answers, {}),
        at_home=_counts(_moves(answers, then, home)),
        home_gain=sum((_gain(answers[one], then[one]) for one in home if one in then), 0.0),
        unrated=_counts(_moves(answers, then, unrated)),
        pages=len(pages),
    )


def _gain(answer: Answer, then: Assessment) -> float:
    """How much higher a true answer scores, or lower an untrue one."""
    if answer.truth is None or answer.now.score is None or then.score is None:
        return 0.0
    return (then.score - answer.now.score) * (1 if answer.truth else -1)


def agreement(answers: Sequence[Answer], then: Mapping[int, Assessment]) -> float:
    """Spearman's rho of scores and ratings, some answers scored anew; 0 where there is none."""
    scores, ratings = [], []
    for place, one in enumerate(answers):
        score = then.get(place, one.now).score
        if one.turn.rating is not None and score is not None:
            scores.append(score)
            ratings.append(one.turn.rating)
    return rho(scores, ratings) or 0.0


def _moves(
    answers: Sequence[Answer], then: Mapping[int, Assessment], places: Sequence[int]
) -> list[tuple[str, int]]:
    """What becomes of verdicts, and what that is worth: 1 for a true answer that rises."""
    found = []
    for place in places:
        answer = answers[place]
        before, after = answer.now.verdict, then.get(place, answer.now).verdict
        if before != after and after in _RANKS:
            is_up = _RANKS[after] > _RANKS[before]
            kind = {True: "true ", False: "untrue ", None: ""}[answer.truth]
            gain = 0 if answer.truth is None else 1 if answer.truth is is_up else -1
            found.append((f"{kind}from {before} to {after}", gain))
    return found


def _counts(moves: Sequence[tuple[str, int]]) -> dict[str, int]:
    return dict(Counter(what for what, _ in moves))


def _listed(moves: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {what}" for what, count in sorted(moves.items()))


def counted(number: int, noun: str) -> str:
    """A number of things.

    >>> counted(1, "answer"), counted(2, "answer")
    ('1 answer', '2 answers')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


@dataclass(frozen=True)
class Figures:
    """How right the verdicts on rated answers are.

    Attributes:
        agreement: Spearman's rho of scores and ratings; 0 where there is none.
        true_held_back: Of the answers rated 4 or 5, how many are not sent.
        true: How many those are.
        untrue_sent: Of the answers rated 1 or 2, how many are sent.
        untrue: How many those are.
    """

    agreement: float
    true_held_back: int
    true: int
    untrue_sent: int
    untrue: int

    @classmethod
    def of(cls, answers: Sequence[Answer]) -> Figures:
        """Those of answers as they are scored now."""
        sent = {
            side: [one.now.verdict == "send" for one in answers if one.truth is side]
            for side in (True, False)
        }
        return cls(
            round(agreement(answers, {}), 4),
            sent[True].count(False),
            len(sent[True]),
            sent[False].count(True),
            len(sent[False]),
        )
