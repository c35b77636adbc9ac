"""Where an answer has the steps of a reference, and how much of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby, takewhile
from typing import Final, TypeAlias

from klopt.checking.reference import ReferenceStep
from klopt.checking.words import MOST_PLACES, CheckedLanguage, Covered, Words, without_placeholders

DETAIL: Final = 0.5
"""What a word weighs that stands in a step's details and not in its first line."""
SYNONYM: Final = 0.8
RELATED: Final = 0.6
"""What a word counts that shares its beginning with one of the answer: "opent", "openen"."""
RELATED_CHARS: Final = 5
RELATED_SHARE: Final = 0.7
REUSED: Final = 0.3
"""What a word of the answer counts for a step when another step has had it."""
REACH_SENTENCES: Final = 5
"""A step stands within so many sentences in a row."""
APART: Final = 0.02
"""What each further sentence that a step is spread over takes off."""


def find_steps(
    steps: Sequence[ReferenceStep], answer: Words, language: CheckedLanguage
) -> tuple[Covered, ...]:
    r"""For each step how much of it the answer has, and where.

    The step that has the best place takes it first; what it has taken counts little for the
    others, so that one sentence is not taken for two steps. A degree is the mean of what stands
    anywhere in the answer and of what stands together, within `REACH_SENTENCES`; 1 for a step
    without words of its own.
    """
    starts: dict[str, list[str]] = {}
    for key in answer.places:
        if len(key) >= RELATED_CHARS and key.isalpha():
            starts.setdefault(key[:RELATED_CHARS], []).append(key)
    wanted = [_wanted(step, language) for step in steps]
    matches = [_matches(weights, answer, language, starts) for weights in wanted]
    totals = [sum(weights.values()) for weights in wanted]
    unused = Counter[int]()
    first_look = [
        _together(found, total, answer, unused)[0]
        for found, total in zip(matches, totals, strict=True)
    ]
    places: dict[int, Covered] = {}
    taken: Counter[int] = Counter()
    for number in sorted(range(len(steps)), key=lambda one: (-first_look[one], one)):
        total = totals[number]
        if not total:
            places[number] = Covered(1.0)
            continue
        anywhere = sum(max(count for _, count in found) for found in matches[number].values())
        here, used = _together(matches[number], total, answer, taken)
        taken.update(used)
        run = (used[0], used[-1]) if used else None
        places[number] = Covered((anywhere / total + here) / 2, run)
    return tuple(places[number] for number in range(len(steps)))


def _wanted(step: ReferenceStep, language: CheckedLanguage) -> Mapping[str, float]:
    """The words of a step with their weights, those of its first line in full."""
    found: dict[str, float] = {}
    details = step.text[len(step.title) :] if step.text.startswith(step.title) else step.text
    for text, part in ((step.title, 1.0), (details, DETAIL)):
        words = language.read(without_placeholders(text))
        for key, weight in zip(words.keys, words.weights, strict=True):
            if weight:
                found[key] = max(found.get(key, 0.0), part * weight)
    return found


_Hit: TypeAlias = tuple[int, str, float]
"""A word of the answer, the wanted key that it may stand for, and what it counts."""
Matches: TypeAlias = Mapping[str, Sequence[tuple[int, float]]]
"""Wanted key → the words of the answer that may stand for it, with what each counts."""


def _matches(
    wanted: Mapping[str, float],
    answer: Words,
    language: CheckedLanguage,
    starts: Mapping[str, Sequence[str]],
) -> Matches:
    """For each word that the answer has in some form, where, and what it counts."""
    matches = {}
    for key, weight in wanted.items():
        others: Sequence[str] = [key]
        part = 1.0
        if key not in answer.places:
            part = SYNONYM
            others = [
                near_key for near_key in language.synonyms.get(key, ()) if near_key in answer.places
            ]
        if not others:
            part = RELATED
            near = starts.get(key[:RELATED_CHARS], ())[:MOST_PLACES]
            others = [near_key for near_key in near if _share(key, near_key) >= RELATED_SHARE]
        places = [
            (number, part * weight)
            for other in others
            for number in answer.places[other][:MOST_PLACES]
        ]
        if places:
            matches[key] = sorted(places)
    return matches


def _share(one: str, other: str) -> float:
    """How much of the longer of two keys is their common beginning."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return len(list(same)) / max(len(one), len(other))


def _together(
    matches: Matches, total: float, answer: Words, taken: Mapping[int, int]
) -> tuple[float, tuple[int, ...]]:
    """The degree of the run of sentences that has most of a step, and its words in the answer."""
    hits = sorted(
        (number, key, count * (REUSED if taken.get(number) else 1.0))
        for key, places in matches.items()
        for number, count in places
    )
    sentences = [
        (sentence, list(its_hits))
        for sentence, its_hits in groupby(hits, key=lambda hit: answer.sentences[hit[0]])
    ]
    best = 0.0
    used: list[_Hit] = []
    for at, (first, _) in enumerate(sentences):
        gains: dict[str, float] = {}
        near: list[_Hit] = []
        for sentence, its_hits in sentences[at : at + REACH_SENTENCES]:
            if sentence >= first + REACH_SENTENCES:
                break
            near += its_hits
            for _, key, count in its_hits:
                gains[key] = max(count, gains.get(key, 0.0))
            degree = sum(gains.values()) / total - APART * (sentence - first)
            if degree > best:
                best, used = degree, list(near)
    return best, _closest(used)


def _closest(hits: Sequence[_Hit]) -> tuple[int, ...]:
    """Of each key the place that counts most; of several those that stand closest together."""
    most: dict[str, float] = {}
    for _, key, count in hits:
        most[key] = max(count, most.get(key, 0.0))
    chosen = [(number, key) for number, key, count in hits if count == most[key]]
    last: dict[str, int] = {}
    best: tuple[int, ...] = ()
    for number, key in chosen:
        last.pop(key, None)
        last[key] = number
        first = next(iter(last.values()))
        if len(last) == len(most) and (not best or number - first < best[-1] - best[0]):
            best = tuple(last.values())
    return best
