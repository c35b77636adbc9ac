"""What the report reads from an evaluation: typed, and with the place where a type is wrong."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from klopt.errors import InputError


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95% interval.

    Attributes:
        value: The figure, or None with a reason.
        low: Lower end of the interval, or None.
        high: Upper end, or None.
        n: How many rows it rests on.
        p: For correlations, how often chance alone gives as much; else None.
        reason: Why there is no value, or no interval.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0
    p: float | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A dictionary inside the evaluation, and its place in it.

    Every reader raises `InputError` where the type is not the one that it is named for.

    >>> Part({"n": 3}).count("n")
    3
    >>> Part({"n": "3"}).count("n")
    Traceback (most recent call last):
    klopt.errors.InputError: evaluation, n: met "3", allowed: a whole number from 0; write the \
evaluation anew with klopt evaluate
    """

    content: Mapping[str, Any]
    place: str = ""

    def has(self, key: str) -> bool:
        """Whether there is something under the key: not null, not empty."""
        return self.content.get(key) not in (None, [], {}, ())

    def text(self, key: str) -> str:
        """A text."""
        found = self.content.get(key)
        if isinstance(found, str):
            return found
        raise self._refusal(key, "a text")

    def words(self, key: str) -> str | None:
        """A text or null."""
        return None if self.content.get(key) is None else self.text(key)

    def count(self, key: str) -> int:
        """A whole number from 0."""
        found = self.content.get(key)
        if isinstance(found, int) and not isinstance(found, bool) and found >= 0:
            return found
        raise self._refusal(key, "a whole number from 0")

    def offset(self, key: str) -> int:
        """A whole number."""
        found = self.content.get(key)
        if isinstance(found, int) and not isinstance(found, bool):
            return found
        raise self._refusal(key, "a whole number")

    def flag(self, key: str) -> bool:
        """True or false."""
        found = self.content.get(key)
        if isinstance(found, bool):
            return found
        raise self._refusal(key, "true or false")

    def number(self, key: str) -> float | None:
        """A number, or None for null, NaN and the infinities."""
        found = self.content.get(key)
        if found is None:
            return None
        if isinstance(found, bool) or not isinstance(found, int | float):
            raise self._refusal(key, "a number or null")
        try:
            return float(found) if math.isfinite(found) else None
        except OverflowError:
            return None

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts, empty when null."""
        found = self.content.get(key)
        if found is None:
            return ()
        if isinstance(found, list | tuple) and all(isinstance(one, str) for one in found):
            return tuple(found)
        raise self._refusal(key, "a list of texts")

    def part(self, key: str) -> Part:
        """A dictionary, empty when null."""
        found = self.content.get(key)
        if found is None:
            return Part({}, self._place(key))
        if isinstance(found, Mapping) and all(isinstance(name, str) for name in found):
            return Part(found, self._place(key))
        raise self._refusal(key, "an object")

    def parts(self, key: str) -> tuple[Part, ...]:
        """A list of dictionaries, empty when null."""
        found = self.content.get(key)
        if found is None:
            return ()
        if not isinstance(found, list | tuple):
            raise self._refusal(key, "a list of objects")
        places = {str(index): one for index, one in enumerate(found)}
        whole = Part(places, self._place(key))
        return tuple(whole.part(index) for index in places)

    def counts(self, key: str) -> dict[str, int]:
        """Name → whole number, empty when null."""
        inner = self.part(key)
        return {name: inner.count(name) for name in inner.content}

    def estimate(self, key: str) -> Estimate:
        """A figure with its interval; one without a value says why."""
        if self.content.get(key) is None:
            return Estimate(None, reason="not in this evaluation")
        inner = self.part(key)
        value = inner.number("value")
        reason = inner.words("reason")
        low, high = inner.number("low"), inner.number("high")
        return Estimate(value, low, high, inner.count("n"), inner.number("p"), reason)

    def _place(self, key: str) -> str:
        return f"{self.place}.{key}" if self.place else key

    def _refusal(self, key: str, allowed: str) -> InputError:
        found = self.content.get(key)
        met = "nothing" if found is None else f'"{str(found)[:40]}"'
        return InputError(
            f"evaluation, {self._place(key)}: met {met}, allowed: {allowed}; write the evaluation "
            "anew with klopt evaluate"
        )
