"""Find the steps of a reference in an answer, and how much of each it has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final, TypeAlias

from klopt.reference.reference import ReferenceStep
from klopt.reference.words import MOST_PLACES, CheckedLanguage, Covered, Words

DETAIL: Final = 0.5
"""Weight of a word outside the first line of its step."""
SYNONYM: Final = 0.8
REACH_SENTENCES: Final = 5
"""A step lies within this many consecutive sentences."""
APART: Final = 0.02
"""Penalty for each further sentence that a step spans."""

_Hit: TypeAlias = tuple[int, str, float]
"""A word of the answer, the wanted key it may stand for, and its credit."""


def find_steps(
    steps: Sequence[ReferenceStep], answer: Words, language: CheckedLanguage
) -> tuple[Covered, ...]:
    """For each step the share of it that the answer has, and where.

    A degree is the mean of the share found anywhere and of the share found together, within
    `REACH_SENTENCES`; 1 for a step without words.
    """
    return tuple(_find(_wanted(step, language), answer, language) for step in steps)


def _find(wanted: Mapping[str, float], answer: Words, language: CheckedLanguage) -> Covered:
    total = sum(wanted.values())
    if not total:
        return Covered(1.0)
    hits = _hits(wanted, answer, language)
    most: dict[str, float] = {}
    for _, key, credit in hits:
        most[key] = max(credit, most.get(key, 0.0))
    together, used = _together(hits, total, answer)
    return Covered(
        (sum(most.values()) / total + together) / 2, (used[0], used[-1]) if used else None
    )


def _wanted(step: ReferenceStep, language: CheckedLanguage) -> Mapping[str, float]:
    """The words of a step with their weights, those of its first line in full."""
    found: dict[str, float] = {}
    details = step.text[len(step.title) :] if step.text.startswith(step.title) else step.text
    for text, part in ((step.title, 1.0), (details, DETAIL)):
        words = language.read(text)
        for key, weight in zip(words.keys, words.weights, strict=True):
            if weight:
                found[key] = max(found.get(key, 0.0), part * weight)
    return found


def _hits(wanted: Mapping[str, float], answer: Words, language: CheckedLanguage) -> list[_Hit]:
    """The words of the answer that are wanted, or a synonym of a word that it lacks."""
    hits: list[_Hit] = []
    for key, weight in wanted.items():
        others, part = [key], 1.0
        if key not in answer.places:
            others, part = sorted(language.synonyms.get(key, ())), SYNONYM
        hits += (
            (number, key, part * weight)
            for other in others
            for number in answer.places.get(other, ())[:MOST_PLACES]
        )
    return sorted(hits)


def _together(hits: Sequence[_Hit], total: float, answer: Words) -> tuple[float, tuple[int, ...]]:
    """The degree of the run of sentences with most of a step, and its words in the answer."""
    sentences = [
        (sentence, list(own))
        for sentence, own in groupby(hits, key=lambda hit: answer.sentences[hit[0]])
    ]
    best = 0.0
    used: list[_Hit] = []
    for at, (first, _) in enumerate(sentences):
        gains: dict[str, float] = {}
        near: list[_Hit] = []
        for sentence, own in sentences[at : at + REACH_SENTENCES]:
            if sentence >= first + REACH_SENTENCES:
                break
            near += own
            for _, key, credit in own:
                gains[key] = max(credit, gains.get(key, 0.0))
            degree = sum(gains.values()) / total - APART * (sentence - first)
            if degree > best:
                best, used = degree, list(near)
    return best, _closest(used)


def _closest(hits: Sequence[_Hit]) -> tuple[int, ...]:
    """One place for each key, the closest together."""
    count = len({key for _, key, _ in hits})
    last: dict[str, int] = {}
    best: tuple[int, ...] = ()
    for number, key, _ in hits:
        last.pop(key, None)
        last[key] = number
        first = next(iter(last.values()))
        if len(last) == count and (not best or number - first < best[-1] - best[0]):
            best = tuple(last.values())
    return best
