"""How many answers a second are scored with and without a translation from a warm memory."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from klopt import Scorer, Turn

ROUNDS: Final = 3
WARM_TURNS: Final = 3
"""Those with the longest guides: measuring them reads and parses every page, as other turns did
in a bot at work. Only the other answers are timed."""


def throughput(turns: Sequence[Turn], ways: Mapping[str, Callable[[], Scorer]]) -> dict[str, Any]:
    """Answers a second of one core by each way, and their share of what the first way does.

    Processor time is taken, which other work on the machine disturbs less than the clock's.

    Each round has new scorers, the ways in turn. A scorer first measures the answers of a few
    turns over every page, so that pages, tables and pipelines are read and the memory is open;
    then it scores every other answer once, which it has not seen.

    Args:
        turns: Dutch turns, all in the memory.
        ways: Name → makes a scorer.

    Returns:
        For each way the median of the rounds: ``answers_s``, and ``share`` of the first way's
        within the same round.
    """
    ordered = sorted(turns, key=lambda turn: -turn.answer.count("\n"))
    warm, timed = ordered[:WARM_TURNS], ordered[WARM_TURNS:]
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(ROUNDS):
        names = list(ways)
        for name in names[number % len(names) :] + names[: number % len(names)]:
            rates[name].append(_rate(ways[name](), warm, timed))
    first = np.array(next(iter(rates.values())))
    return {
        name: {
            "answers_s": round(float(np.median(found)), 1),
            "share": round(float(np.median(np.array(found) / first)), 3),
        }
        for name, found in rates.items()
    }


def _rate(scorer: Scorer, warm: Sequence[Turn], timed: Sequence[Turn]) -> float:
    """Answers a second."""
    pages = list({page.id: page for turn in timed for page in turn.pages}.values())
    for place, page in enumerate(pages):
        scorer.score(
            dataclasses.replace(warm[place % len(warm)], contexts=[page]), measure_all=True
        )
    start = time.process_time()
    for turn in timed:
        scorer.score(turn)
    return len(timed) / (time.process_time() - start)
