"""What the default profile gains by a translation on answers whose page it has not learnt from."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks.held_out import (
    DUTCH,
    ENGLISH,
    LABELS,
    WHOLE,
    learnt,
    material,
    rescored,
    third_step,
)
from benchmarks.measured import Scored, assessed, made_samples, say
from benchmarks.rated_sets import BY_NAME
from klopt import Turn
from klopt.evaluation.rated import Rated, select
from klopt.tuning.fitting import Learnt, fit
from klopt.tuning.samples import Sample, sample, splits

SEED: Final = 0


def held_out(
    data: Path,
    turns: Sequence[Turn],
    original: Sequence[Rated],
    english: Sequence[Rated],
    translated: Mapping[str, Sequence[Rated]],
) -> dict[str, tuple[Rated, ...]]:
    """The rows of each way of reading with the score of a profile that has not seen their page.

    The profile is learnt anew for each fold as ``training/profile.py`` learns it: from the
    original turns, the English ones, answers made from the pages, and the TechQA answers. The
    translated ways teach it nothing.

    Args:
        data: The folder of the data.
        turns: The Dutch turns.
        original: Them as they are, by the default profile, everything measured.
        english: Their translations, the same.
        translated: Way → them read in translation, the same.

    Returns:
        ``original``, ``english`` and each way → its rows, in order.
    """
    labels = select(BY_NAME[LABELS].load(data), assessed(LABELS, "default", data))
    sets = ((DUTCH, turns, original), (ENGLISH, turns, english), (LABELS, (), labels))
    made = {}
    for language in ("nl", "en"):
        made[language] = made_samples(language, data)
        say(f"answers made from the pages, {language}")
    found = material(
        [Scored(BY_NAME[name], some, {"default": tuple(rows)}) for name, some, rows in sets], made
    )
    groups = {row.place: one.group for row, one in zip(original, found.judged[DUTCH], strict=True)}
    ways = {
        "original": (original, found.judged[DUTCH]),
        "english": (english, found.judged[ENGLISH]),
    }
    for name, rows in translated.items():
        kept = [row for row in rows if row.place in groups]
        ways[name] = (kept, [_sample(row, groups[row.place]) for row in kept])
    scores: dict[str, dict[int, float | None]] = {name: {} for name in ways}
    every = [*found.judged[DUTCH], *found.judged[ENGLISH]]
    for number, (_, outside) in enumerate(splits(every, seed=SEED), 1):
        left_out = frozenset(every[place].group for place in outside)
        before = learnt(found, WHOLE, SEED, left_out)
        profile, settings = third_step(found, WHOLE, SEED, before)
        last = Learnt(profile.tree, profile.evidence)
        if settings is not None:
            last = fit(found.judged[LABELS], profile, settings)
        for name, (_, some) in ways.items():
            for place, one in enumerate(some):
                if one.group in left_out:
                    scores[name][place] = last.walk(one).score
        say(f"learnt without fold {number}")
    return {
        name: rescored(rows, [scores[name][place] for place in range(len(rows))])
        for name, (rows, _) in ways.items()
    }


def _sample(row: Rated, group: str) -> Sample:
    """A row as a sample in the language whose weights it is scored by, with its page's group."""
    found = sample(row.turn, row.assessment)
    if found is None:
        raise ValueError("a judged row is scored and has a rating or a label")
    language = row.assessment.read_as or found.language
    return dataclasses.replace(found, group=group, language=language)
