"""With what turns are scored: one value that whoever makes or copies a scorer passes on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypedDict

from klopt.errors import ConfigurationError, UnknownLanguageError
from klopt.lexicons import Lexicon
from klopt.matching import Shelf
from klopt.records import MESSAGE_TYPES, MessageType, Turn
from klopt.scoring.assessment import Assessment
from klopt.scoring.interpretation import Translate
from klopt.scoring.profile import Profile

__all__ = ["Adviser", "Options", "Setup"]


class Adviser(Protocol):
    """Asks for a second opinion where that is wanted."""

    @property
    def name(self) -> str:
        """Whom it asks, for people."""
        ...

    @property
    def at_once(self) -> int:
        """About how many answers it may be asked at one time, from 1."""
        ...

    def advise(self, turn: Turn, assessment: Assessment, profile: Profile) -> Assessment:
        """The assessment of a scored turn, with what the opinion changes.

        The very same assessment when no opinion is wanted.
        """
        ...


class Options(TypedDict, total=False):
    """What a `Setup` has beside its profile, as `Scorer` and `Scorer.load` take it by name."""

    all_types: bool
    terms: Iterable[Path | Lexicon]
    translate: Translate | None
    adviser: Adviser | None
    index: Shelf | None
    retrieve: int
    clock: Callable[[], float]


@dataclass(frozen=True, slots=True)
class Setup:
    """All that a scorer is made of.

    Attributes:
        profile: How to score.
        all_types: Score every message type, whatever the profile's scope.
        terms: Company terms or other lexicons of the company, or their files, beside the profile's.
        translate: Reads a translation, as `klopt.translation` makes it; without it nothing is
            translated.
        adviser: Asks for second opinions, as `klopt.opinions` does; without it nobody is asked.
        index: Pages that were read ahead, a `klopt.Index`; any other page is read when it comes.
        retrieve: A turn without contexts gets so many pages of the index, those that fit its
            question best, and the assessment says which; 0 leaves it without.
        clock: What a budget is kept by: gives seconds, and never goes back.

    Raises:
        ConfigurationError: Pages are to be retrieved, and there is no index.
    """

    profile: Profile
    all_types: bool = False
    terms: Iterable[Path | Lexicon] = ()
    translate: Translate | None = None
    adviser: Adviser | None = None
    index: Shelf | None = None
    retrieve: int = 0
    clock: Callable[[], float] = time.perf_counter

    def __post_init__(self) -> None:
        object.__setattr__(self, "terms", tuple(self.terms))
        if self.retrieve < 0 or (self.retrieve and self.index is None):
            raise ConfigurationError(
                f"retrieve={self.retrieve}: how many pages of an index a turn without contexts "
                "gets; Scorer(profile, index=Index.open(FILE)) has one, and 0 retrieves nothing"
            )

    @property
    def name(self) -> str:
        """The profile's name, and what else is read or who is asked, to tell scorers apart."""
        found = self.profile.name
        if self.translate is not None:
            more = ", whole" if self.translate.scope == "whole" else ""
            found += f" ({self.translate.interpreter.target}{more})"
        return found if self.adviser is None else f"{found} + {self.adviser.name}"

    @property
    def types(self) -> tuple[MessageType, ...]:
        """The message types that are scored."""
        return MESSAGE_TYPES if self.all_types else self.profile.message_types

    def check_language(self, language: str) -> None:
        """Stops at a language that the profile does not have.

        Raises:
            UnknownLanguageError: It does not.
        """
        if language not in self.profile.languages:
            known = ", ".join(self.profile.languages)
            raise UnknownLanguageError(
                f'profile "{self.profile.name}" has no language "{language}"; it has {known}'
            )
