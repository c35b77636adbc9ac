"""How the time to read a text grows with it, for shapes that cost more than their length."""

from __future__ import annotations

import gc
import statistics
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from klopt.errors import KloptError

STEPS = (20, 8, 1)
"""Parts of the largest size; the smallest is the measure for the others."""

RULE = 1.5
"""A character of a long text may take so many times what one of a short text takes."""

MARGIN = 2.0
"""And so many times that on a machine that does other things too. A square would take 20."""

ROUNDS = 3
RUNS = 3
SHORT_S = 0.02
"""What takes longer is measured once a round."""


@dataclass(frozen=True)
class Shape:
    """A text of any length."""

    unit: str
    start: str = ""
    end: str = ""

    def text(self, chars: int) -> str:
        """So many characters of it, or a few more."""
        units = (chars - len(self.start) - len(self.end)) // len(self.unit) + 1
        middle = self.unit * units
        if "{}" in self.unit:
            middle = middle.replace("{}", "%d") % tuple(range(units))
        return self.start + middle + self.end


_SHAPES: dict[str, list[Any]] = tomllib.loads(
    Path(__file__).with_name("shapes.toml").read_text(encoding="utf-8")
)


def shapes(*groups: str) -> Any:
    """Runs a test for each shape of some groups, as its ``shape``."""
    rows = [row if isinstance(row, dict) else {"unit": row} for g in groups for row in _SHAPES[g]]
    return pytest.mark.parametrize(
        "shape", [Shape(**row) for row in rows], ids=[ascii(row["unit"]) for row in rows]
    )


def tried(read: Callable[[Any], Any]) -> Callable[[Any], None]:
    """Reads what may be refused."""

    def attempt(given: Any) -> None:
        with suppress(KloptError):
            read(given)

    return attempt


def assert_linear(made: Callable[[int], Any], largest: int, **reads: Callable[[Any], Any]) -> None:
    """Whether reading takes as long for each character of what is ``made`` of so many."""
    texts = [(largest // step, made(largest // step)) for step in STEPS]
    for name, read in reads.items():
        read(texts[0][1])  # tables are loaded, patterns compiled
        lowest = min(_growths(read, texts))
        assert lowest <= RULE * MARGIN, f"{name}: a character takes {lowest:.1f} times as long"


def _growths(read: Callable[[Any], Any], texts: list[tuple[int, Any]]) -> Iterator[float]:
    """How much longer a character takes in the larger texts, in each round till one is fine."""
    for _ in range(ROUNDS):
        first, *others = (_time(read, text) / size for size, text in texts)
        yield max(others) / first
        if max(others) / first <= RULE:
            return


def _time(read: Callable[[Any], object], text: Any) -> float:
    """Seconds of the processor, the median of several runs.

    Without the collector of cycles: when it runs depends on all else that is in memory.
    """
    times: list[float] = []
    gc.disable()
    try:
        while len(times) < RUNS and not (times and times[-1] > SHORT_S):
            start = time.process_time()
            read(text)
            times.append(time.process_time() - start)
    finally:
        gc.enable()
    return statistics.median(times)
