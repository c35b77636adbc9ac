"""What a heuristic gives out: a value between 0 and 1, or a reason, and evidence for it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

Figure: TypeAlias = Annotated[float, "six decimals"]
"""A number that is written with six decimals."""

EvidenceKind = Literal["supported", "unsupported", "found"]
"""``supported``: a page bears the answer's span out; ``unsupported``: no page does, or one goes
against it; ``found``: the span is what the heuristic looked for, without a judgement on it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One span of the original answer, and where a page supports it.

    Attributes:
        kind: ``supported``, ``unsupported`` or ``found``.
        text: What the heuristic read, in plain text (markup removed).
        start: First character in the *original* answer, from 0.
        end: Character after the last one in the original answer.
        page: Id of the page that supports the span, or goes against it; or None.
        page_start: First character in the original page, or None.
        page_end: Character after the last one in the original page, or None.
        entry: What matched: a lexicon entry, a pair of words, a step; or None.

    >>> Evidence("unsupported", "Opslaan", 8, 15).page is None
    True
    """

    kind: EvidenceKind
    text: str
    start: int
    end: int
    page: str | None = None
    page_start: int | None = None
    page_end: int | None = None
    entry: str | None = None


@dataclass(frozen=True, slots=True)
class Measurement:
    """One heuristic's result for one answer.

    Attributes:
        value: 0 to 1, higher is truer; None when there was nothing to measure.
        reason: Why the value is None; None when there is a value.
        evidence: The spans that the value rests on, in the answer's order.

    Raises:
        ValueError: When the value is outside 0–1 or NaN, or when value and reason are not
            exactly one of the two.

    >>> Measurement(0.5).value
    0.5
    >>> Measurement.missing("the answer names no component").reason
    'the answer names no component'
    """

    value: float | None
    reason: str | None = None
    evidence: tuple[Evidence, ...] = ()

    def __post_init__(self) -> None:
        if (self.value is None) == (self.reason is None):
            raise ValueError("a measurement has either a value or a reason, never both or none")
        if self.value is not None and not (math.isfinite(self.value) and 0 <= self.value <= 1):
            raise ValueError(f"a measurement lies between 0 and 1, not {self.value!r}")

    @classmethod
    def missing(cls, reason: str, evidence: tuple[Evidence, ...] = ()) -> Measurement:
        """A measurement that could not be made, with the reason."""
        return cls(None, reason, evidence)
