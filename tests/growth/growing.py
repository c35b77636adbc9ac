"""Whether the time to read a text grows linearly with its length."""

import gc
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
"""The sizes are the largest one divided by these; the smallest is the measure for the others."""

EXPECTED_GROWTH = 1.5
"""Growth of the time per character up to which no further round is measured."""

MAX_GROWTH = 4.0
"""Allowed growth of the time per character. It would be 20 if time grew with the square."""

MAX_ROUNDS = 8
HARMLESS_S = 0.01
"""Reading the largest text is not examined if it takes less than this."""


@dataclass(frozen=True)
class Shape:
    """A text of any length."""

    unit: str
    start: str = ""
    end: str = ""

    def text(self, chars: int) -> str:
        """Return a text of this shape with ``chars`` characters, or a few more."""
        units = (chars - len(self.start) - len(self.end)) // len(self.unit) + 1
        middle = self.unit * units
        if "{}" in self.unit:
            middle = middle.replace("{}", "%d") % tuple(range(units))
        return self.start + middle + self.end


_SHAPES: dict[str, list[Any]] = tomllib.loads(
    Path(__file__).with_name("shapes.toml").read_text(encoding="utf-8")
)


def shapes_of(group: str) -> list[Shape]:
    return [Shape(**row) if isinstance(row, dict) else Shape(row) for row in _SHAPES[group]]


def shapes(*groups: str) -> Any:
    """Run a test for each shape of these groups, as its argument ``shape``."""
    found = [shape for group in groups for shape in shapes_of(group)]
    return pytest.mark.parametrize("shape", found, ids=[ascii(shape.unit) for shape in found])


def tried(read: Callable[[Any], Any]) -> Callable[[Any], None]:
    """Return a function that reads and ignores errors of klopt."""

    def attempt(given: Any) -> None:
        with suppress(KloptError):
            read(given)

    return attempt


def assert_linear(made: Callable[[int], Any], largest: int, **reads: Callable[[Any], Any]) -> None:
    """Check that the time per character does not grow with the text.

    The shortest of several runs is compared, in further rounds only while the growth is suspicious,
    so that a busy machine slows the test and does not fail it.

    Args:
        made: Makes the text, or file, of a size.
        largest: The largest size: the limit that klopt has, if it has one.
        reads: The functions to measure, by name.

    Raises:
        AssertionError: The time per character grows by more than ``MAX_GROWTH``.
    """
    texts = [(largest // step, made(largest // step)) for step in STEPS]
    for name, read in reads.items():
        read(texts[0][1])  # load tables, compile patterns
        growth = min(_growths(read, texts))
        assert growth <= MAX_GROWTH, f"{name}: a character takes {growth:.1f} times as long"


def _growths(read: Callable[[Any], Any], texts: list[tuple[int, Any]]) -> Iterator[float]:
    """Yield the growth after each round, until it is as expected."""
    best = [float("inf")] * len(texts)
    for _ in range(MAX_ROUNDS):
        best = [min(one, _cpu_s(read, text)) for one, (_, text) in zip(best, texts, strict=True)]
        first, *others = (one / size for one, (size, _) in zip(best, texts, strict=True))
        growth = 1.0 if best[-1] < HARMLESS_S else max(others) / first
        yield growth
        if growth <= EXPECTED_GROWTH:
            return


def _cpu_s(read: Callable[[Any], object], text: Any) -> float:
    """Return the seconds of the processor, without the collector of cycles."""
    gc.disable()
    try:
        start = time.process_time()
        read(text)
        return time.process_time() - start
    finally:
        gc.enable()
