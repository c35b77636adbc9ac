"""With what turns are scored, in what time, and what their languages are read with.

`Setup` is one value that whoever makes or copies a scorer passes on. How a budget of time is kept:
docs/decisions/0023-budget.md.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Final, Protocol, TypedDict, TypeGuard

from klopt import classifier, heuristics, lexicons
from klopt.comparing import LANGUAGES, Comparator
from klopt.comparing.words import qualifier_phrases
from klopt.errors import ConfigurationError, UnknownLanguageError
from klopt.heuristics import BY_NAME
from klopt.heuristics.declaration import Need
from klopt.lexicons import Lexicon
from klopt.matching import Language, Shelf
from klopt.records import Turn
from klopt.scoring.assessment import Assessment
from klopt.scoring.explanation import texts
from klopt.scoring.interpretation import Translate
from klopt.scoring.profile import LanguageSettings, Profile
from klopt.scoring.tree import WEAKEST
from klopt.version import VERSION

__all__ = ["Advises", "Deadline", "Languages", "Options", "Setup", "is_budget"]

CHARS_A_S: Final = 200_000
"""So many characters are taken to be read in a second, or fewer where the turn has gone slower."""
OTHER_CHARS: Final = 1_000
"""What else a turn needs takes as long as so many, and says nothing of how fast a machine reads."""
_DIGITS: Final = 8


def is_budget(budget: object) -> TypeGuard[float]:
    """Whether it is a time in milliseconds; a whole number may be no larger than others can be.

    >>> is_budget(25), is_budget(-1), is_budget(True), is_budget(10**400)
    (True, False, False, False)
    """
    if not isinstance(budget, int | float) or isinstance(budget, bool):
        return False
    return 0 <= budget <= sys.float_info.max or budget == float("inf")


class Deadline:
    """When a turn's time is up; without a budget it never is.

    Raises:
        ConfigurationError: The budget is no number from 0.

    >>> seconds = iter([10.0, 10.01, 10.02, 10.026])
    >>> deadline = Deadline(25, lambda: next(seconds))
    >>> deadline.allows(400), deadline.allows(4_000), deadline.allows(0)
    (True, False, False)
    """

    def __init__(
        self, budget_ms: float | None = None, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        if budget_ms is not None and not is_budget(budget_ms):
            is_huge = isinstance(budget_ms, int) and abs(budget_ms) > sys.float_info.max
            given = "a number that is too large" if is_huge else repr(budget_ms)
            raise ConfigurationError(
                f"budget_ms is {given}; give milliseconds, 0 or more, or None for no budget"
            )
        # Not -0.0, which would be told as "-0".
        self.budget_ms = float("inf") if budget_ms is None else float(budget_ms) + 0.0
        self._clock = clock
        self.is_set = budget_ms is not None
        self._until = clock() + self.budget_ms / 1000 if self.is_set else self.budget_ms
        self._begun: float | None = None
        self._chars = 0

    def allows(self, chars: int) -> bool:
        """Whether there is time to read a text of so many characters; of none, any time.

        What it allows is done when it is asked again: that shows how fast this machine is now.
        """
        if not self.is_set:
            return True
        now = self._clock()
        self._begun = now if self._begun is None else self._begun
        seconds_a_char = max(1 / CHARS_A_S, (now - self._begun) / (self._chars + OTHER_CHARS))
        is_allowed = now + chars * seconds_a_char < self._until
        self._chars += chars if is_allowed else 0
        return is_allowed


class Advises(Protocol):
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
    adviser: Advises | None
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
    adviser: Advises | None = None
    index: Shelf | None = None
    retrieve: int = 0
    clock: Callable[[], float] = time.perf_counter

    def __post_init__(self) -> None:
        # Read here, once: processes that start later score alike, whoever edits a file meanwhile.
        languages = {code: _with_lexicons(own) for code, own in self.profile.languages.items()}
        object.__setattr__(self, "profile", replace(self.profile, languages=languages))
        object.__setattr__(self, "terms", _read(self.terms))
        if self.retrieve < 0 or (self.retrieve and self.index is None):
            raise ConfigurationError(
                f"retrieve={self.retrieve}: how many pages of an index a turn without contexts "
                "gets; Scorer(profile, index=Index.open(FILE)) has one, and 0 retrieves nothing"
            )

    @property
    def name(self) -> str:
        """The profile's name, and what else is read or who is asked, to tell scorers apart."""
        name = self.profile.name
        if self.translate is not None:
            more = ", whole" if self.translate.scope == "whole" else ""
            name += f" ({self.translate.interpreter.target}{more})"
        return name if self.adviser is None else f"{name} + {self.adviser.name}"

    def deadline(self, budget_ms: float | None) -> Deadline:
        """When the time of a turn is up that begins now.

        Raises:
            ConfigurationError: It is no number from 0, or what takes unknown time has a part.
        """
        if budget_ms is not None and (self.translate or self.adviser):
            raise ConfigurationError(
                "a scorer that translates or asks for second opinions keeps to no budget_ms: how "
                "long others take is not known; use one without them, or no budget"
            )
        return Deadline(budget_ms, self.clock)

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


class Languages:
    """The languages of a profile, each made when it is first needed.

    Attributes:
        options: Heuristic → its options: the profile's, and beside them the defaults.
        fault_below: A statement that is less likely true is at fault.
        needs: What the profile's heuristics need.
    """

    def __init__(
        self, profile: Profile, terms: Iterable[Path | Lexicon] = (), shelf: Shelf | None = None
    ) -> None:
        self.profile = profile
        self._shelf = shelf
        named = (_with_lexicons(own).read or () for own in profile.languages.values())
        self._own = (*chain.from_iterable(named), *_read(terms))
        unusable = [lexicon for lexicon in self._own if lexicon.language not in profile.languages]
        if unusable:
            raise UnknownLanguageError(
                f'lexicon "{unusable[0].id}" is for language "{unusable[0].language}", which '
                f'profile "{profile.name}" does not have'
            )
        self.options: dict[str, heuristics.Options] = {
            name: {**one.options, **profile.options.get(name, {})} for name, one in BY_NAME.items()
        }
        self.fault_below = float(str(self.options[WEAKEST]["fault_below"]))
        self.needs: frozenset[Need] = frozenset[Need]().union(
            *(BY_NAME[name].needed(self.options[name]) for name in profile.weights)
        )
        if "parse" in self.needs:
            from klopt.pipelines import check_installed

            check_installed()
        self._known: dict[str, Language] = {}
        for code in shelf.languages if shelf is not None else ():
            if code in profile.languages:
                self[code]  # says whether the pages fit

    def __getitem__(self, code: str) -> Language:
        """One of the profile's languages."""
        language = self._known.get(code)
        if language is None:
            tables = lexicons.load(code)
            for lexicon in self._own:
                tables = tables.extended(lexicon) if lexicon.language == code else tables
            made = Language(
                tables,
                pipeline=self.profile.languages[code].pipeline,
                plain_names=self.profile.plain_names,
                shelf=self._shelf,
            )
            language = self._known.setdefault(code, made)  # one for all threads: it knows pages
        return language

    def prepare(self, code: str) -> None:
        """Makes ready now what the first turns of a language would wait for."""
        language = self[code]
        language.prepare()
        classifier.prepare(language.lexicons, self.profile.classifier)
        texts(code)
        for name in self.profile.weights:
            BY_NAME[name].texts  # noqa: B018 - a cached property
        if "match" in self.needs:
            language.relations  # noqa: B018 - a cached property
        if "comparator" in self.needs and code in LANGUAGES:
            Comparator.load(code)
            qualifier_phrases(language.lexicons)
        if "parse" in self.needs:
            language.parser.nlp  # noqa: B018 - a cached property

    def fingerprint(self, language: str | None, read: Sequence[str], translator: str | None) -> str:
        """Version, profile, language, tables, pipelines and translator, separated by ``|``.

        Args:
            language: That of the turn; None where it cannot be told.
            read: The languages that it was read in, two where it was read in translation too.
            translator: What translated, or None.
        """
        pipes: list[str] = []
        if "parse" in self.needs:
            from klopt.pipelines import signature

            named = ((code, self.profile.languages[code].pipeline) for code in read)
            pipes = [f"{name}@{signature(code, name)}" for code, name in named]
        parts = {
            "klopt": VERSION,
            "profile": f"{self.profile.name}@{self.profile.digest[:_DIGITS]}",
            "language": language or "none",
            "lexicons": "+".join(self[context].lexicons.digest[:_DIGITS] for context in read)
            or "none",
            "pipeline": "+".join(pipes) or "none",
            "spacy": _version("spacy") if pipes else "none",
            "translator": translator or "none",
        }
        return "|".join(f"{name}:{value}" for name, value in parts.items())


def _with_lexicons(own: LanguageSettings) -> LanguageSettings:
    """The same, with its lexicons read; those that were are not read anew."""
    return own if own.read is not None else replace(own, read=_read(own.lexicons))


def _read(files: Iterable[Path | Lexicon]) -> tuple[Lexicon, ...]:
    return tuple(
        own if isinstance(own, Lexicon) else lexicons.read_lexicon(Path(own)) for own in files
    )


def _version(package: str) -> str:
    from importlib import metadata  # here, for most scorers need it not

    return metadata.version(package)
