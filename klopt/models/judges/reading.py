"""What is read from a judge's reply."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reading:
    """A reply that follows the form.

    Attributes:
        score: 1 to 5.
        feedback: Why, in the judge's words.
    """

    score: int
    feedback: str
