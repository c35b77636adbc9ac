"""How a turn goes through the scorer, and what is known of it on the way."""

from __future__ import annotations

from dataclasses import dataclass

from klopt.classifier import Classification
from klopt.reading.reader import Reading
from klopt.scoring.interpretation import Scope, TranslationNote


@dataclass(frozen=True, slots=True)
class Route:
    """How a turn goes: its language, and what of it is read in another one.

    Attributes:
        language: Of the turn.
        own: The language of the profile whose tables read the turn as it is.
        scope: What reads the translation; None when there is none.
        has_tables: Whether the turn can be scored as it is.
    """

    language: str
    own: str
    scope: Scope | None
    has_tables: bool


@dataclass(slots=True)
class Seen:
    """What is known of a turn so far, for the assessment of one that is refused half way."""

    route: Route | None = None
    classification: Classification | None = None
    question: Reading | None = None
    note: TranslationNote | None = None
    translator: str | None = None
