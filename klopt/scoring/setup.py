"""What a scorer is made of: profile, time budget, and the lexicons of its languages.

`Setup` is one value that whoever makes or copies a scorer passes on. How a time budget is kept:
docs/decisions/0023-budget.md.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, Final, Protocol, TypedDict, TypeGuard

from klopt import classifier, heuristics, lexicons
from klopt.errors import ConfigurationError, UnknownLanguageError
from klopt.heuristics import BY_NAME
from klopt.heuristics.declaration import Need
from klopt.lexicons import Lexicon
from klopt.scoring.assessment import Assessment
from klopt.scoring.explanation import texts
from klopt.scoring.notes import Scope
from klopt.scoring.profile import LanguageSettings, Profile
from klopt.scoring.tree import WEAKEST
from klopt.types import Turn
from klopt.verification import LANGUAGES, Comparator, Language, PageStore
from klopt.verification.words import qualifier_phrases
from klopt.version import VERSION

CHARS_PER_SECOND: Final = 200_000
"""Reading speed that a deadline assumes, until the turn turns out to go slower."""
FIXED_COST_CHARS: Final = 1_000
"""The fixed cost of a turn, in characters that could be read in that time."""
_DIGEST_CHARS: Final = 8


def is_budget(budget: object) -> TypeGuard[float]:
    """Return whether it is a time in milliseconds: a number from 0 that a float can hold.

    >>> is_budget(25), is_budget(-1), is_budget(True), is_budget(10**400)
    (True, False, False, False)
    """
    if not isinstance(budget, int | float) or isinstance(budget, bool):
        return False
    return 0 <= budget <= sys.float_info.max or budget == float("inf")


class Deadline:
    """When a turn's time is up; without a budget it never is. Time spent waiting counts.

    Raises:
        ConfigurationError: The budget is not a number from 0.

    >>> seconds = iter([10.0, 10.01, 10.02, 10.026])
    >>> deadline = Deadline(25, lambda: next(seconds))
    >>> deadline.allows(400), deadline.allows(4_000), deadline.allows(0)
    (True, False, False)
    """

    def __init__(
        self,
        budget_ms: float | None = None,
        clock: Callable[[], float] = time.perf_counter,
        waited_ms: float = 0.0,
    ) -> None:
        self.is_set = budget_ms is not None
        if budget_ms is None:
            self.budget_ms = float("inf")
            return
        if not is_budget(budget_ms):
            is_huge = isinstance(budget_ms, int) and abs(budget_ms) > sys.float_info.max
            given = "a number that is too large" if is_huge else repr(budget_ms)
            raise ConfigurationError(
                f"budget_ms is {given}; give milliseconds, 0 or more, or None for no budget"
            )
        self.budget_ms = float(budget_ms) + 0.0  # 0.0 for -0.0, which would print as "-0"
        self._clock = clock
        self._until = clock() + (self.budget_ms - waited_ms) / 1000
        self._begun: float | None = None
        self._chars = 0

    def allows(self, chars: int) -> bool:
        """Return whether there is time left to read a text of this length; 0 for any time at all.

        The next call measures how fast the allowed text was read on this machine.
        """
        if not self.is_set:
            return True
        now = self._clock()
        self._begun = now if self._begun is None else self._begun
        measured = (now - self._begun) / (self._chars + FIXED_COST_CHARS)
        is_allowed = now + chars * max(1 / CHARS_PER_SECOND, measured) < self._until
        self._chars += chars if is_allowed else 0
        return is_allowed


class Translates(Protocol):
    """A scorer's translation, `klopt.translation.Translate`."""

    @property
    def target(self) -> str:
        """The language that texts are translated to."""

    @property
    def scope(self) -> Scope:
        """Which features read the translation."""

    def measuring(self, setup: Setup) -> Any:  # noqa: ANN401 (klopt.scoring.measuring imports this)
        """Return the `klopt.scoring.measuring.Measuring` of a setup that reads translations."""


class Advises(Protocol):
    """Requests second opinions where they are wanted."""

    @property
    def name(self) -> str:
        """Whose opinion it requests, for people."""

    @property
    def at_once(self) -> int:
        """Number of answers, from 1, that it takes at the same time."""

    def advise(self, turn: Turn, assessment: Assessment, profile: Profile) -> Assessment:
        """Return the assessment of a scored turn, with the changes of a second opinion.

        Without a second opinion, that is the same object.
        """


class Options(TypedDict, total=False):
    """The fields of a `Setup` beside its profile, as `Scorer` and `Scorer.load` take them."""

    all_types: bool
    terms: Iterable[Path | Lexicon]
    translate: Translates | None
    adviser: Advises | None
    index: PageStore | None
    retrieve: int
    language: str
    clock: Callable[[], float]


@dataclass(frozen=True, slots=True)
class Setup:
    """All that a scorer is made of.

    Attributes:
        profile: How to score.
        all_types: Score every message type, whatever the profile's scope.
        terms: The company's own lexicons, or their files, beside the profile's.
        translate: Reads a translation; None for no translation.
        adviser: Requests second opinions; None for none.
        index: Pages that were read ahead, a `klopt.Index`; other pages are read when they come.
        retrieve: Number of pages of the index that a turn without contexts gets, those that fit
            its question best; the assessment lists them.
        language: The language of turns that state none, and whose own words and pages do not
            decide it; ``auto`` for no default.
        clock: The clock for budgets, in seconds; it never goes back.

    Raises:
        ConfigurationError: ``index`` is no index, ``retrieve`` no number of pages, or pages are to
            be retrieved without an index.
        UnknownLanguageError: The profile does not have the default language.
    """

    profile: Profile
    all_types: bool = False
    terms: Iterable[Path | Lexicon] = ()
    translate: Translates | None = None
    adviser: Advises | None = None
    index: PageStore | None = None
    retrieve: int = 0
    language: str = "auto"
    clock: Callable[[], float] = time.perf_counter

    def __post_init__(self) -> None:
        # Read once, here: processes that start later score alike, whoever edits a file meanwhile.
        languages = {code: _with_lexicons(own) for code, own in self.profile.languages.items()}
        object.__setattr__(self, "profile", replace(self.profile, languages=languages))
        object.__setattr__(self, "terms", _read(self.terms))
        if self.language != "auto":
            self.check_language(self.language)
        if self.index is not None and not hasattr(self.index, "languages"):
            raise ConfigurationError(
                f"index={self.index!r:.60}: give an open index file: Index.open(FILE)"
            )
        is_count = isinstance(self.retrieve, int) and self.retrieve >= 0
        if not is_count or (self.retrieve and self.index is None):
            raise ConfigurationError(
                f"retrieve={self.retrieve!r}: give a number of pages, 0 or more, and an index to "
                "find them in: Scorer(profile, index=Index.open(FILE), retrieve=3)"
            )

    @property
    def name(self) -> str:
        """The profile's name, with the translation and the adviser if there are any."""
        name = self.profile.name
        if self.translate is not None:
            more = ", whole" if self.translate.scope == "whole" else ""
            name += f" ({self.translate.target}{more})"
        return name if self.adviser is None else f"{name} + {self.adviser.name}"

    def deadline(self, budget_ms: float | None, waited_ms: float = 0.0) -> Deadline:
        """Return the deadline of a turn that begins now, after it waited.

        Raises:
            ConfigurationError: The budget is not a number from 0, or the scorer translates or
                requests second opinions.
        """
        if budget_ms is not None and (self.translate or self.adviser):
            raise ConfigurationError(
                "a scorer that translates or asks for second opinions cannot keep to a budget_ms, "
                "since how long others take is not known; use one without them, or no budget"
            )
        return Deadline(budget_ms, self.clock, waited_ms)

    def check_language(self, language: str) -> None:
        """Raise UnknownLanguageError for a language that the profile does not have."""
        if language not in self.profile.languages:
            known = ", ".join(self.profile.languages)
            raise UnknownLanguageError(
                f'profile "{self.profile.name}" has no language "{language}"; it has {known}'
            )


class Languages(dict[str, Language]):
    """The languages of a profile, each made when it is first needed.

    Attributes:
        options: Heuristic → its options: the profile's, completed with the defaults.
        fault_below: A claim that is less likely true than this is at fault.
        needs: What the profile's heuristics need.
    """

    def __init__(
        self, profile: Profile, terms: Iterable[Path | Lexicon] = (), store: PageStore | None = None
    ) -> None:
        super().__init__()
        self.profile = profile
        self._store = store
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
            from klopt.text.pipelines import check_installed

            check_installed()
        for code in store.languages if store is not None else ():
            if code in profile.languages:
                self[code]  # checks that the pages fit

    def __missing__(self, code: str) -> Language:
        """Make one of the profile's languages: one for all threads, since it knows pages."""
        tables = lexicons.load(code)
        for lexicon in self._own:
            tables = tables.extended(lexicon) if lexicon.language == code else tables
        made = Language(
            tables,
            pipeline=self.profile.languages[code].pipeline,
            plain_names=self.profile.plain_names,
            store=self._store,
        )
        return self.setdefault(code, made)

    def prepare(self, code: str) -> None:
        """Load now what the first turns of a language would wait for."""
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
        """Return version, profile, language, lexicons, pipelines and translator, joined by ``|``.

        ``language`` is the turn's, None if unknown; ``read`` the languages that it was read in,
        two where it was read in translation too; ``translator`` what translated.
        """
        pipes, spacy = list[str](), "none"
        if "parse" in self.needs and read:
            from importlib import metadata  # slow, as the next one is

            from klopt.text.pipelines import signature

            spacy = metadata.version("spacy")

            named = ((code, self.profile.languages[code].pipeline) for code in read)
            pipes = [f"{name}@{signature(code, name)}" for code, name in named]
        parts = {
            "klopt": VERSION,
            "profile": f"{self.profile.name}@{self.profile.digest[:_DIGEST_CHARS]}",
            "language": language or "none",
            "lexicons": "+".join(self[code].lexicons.digest[:_DIGEST_CHARS] for code in read)
            or "none",
            "pipeline": "+".join(pipes) or "none",
            "spacy": spacy,
            "translator": translator or "none",
        }
        return "|".join(f"{name}:{value}" for name, value in parts.items())


def _with_lexicons(own: LanguageSettings) -> LanguageSettings:
    """Return settings with their lexicons read."""
    return own if own.read is not None else replace(own, read=_read(own.lexicons))


def _read(files: Iterable[Path | Lexicon]) -> tuple[Lexicon, ...]:
    return tuple(
        own if isinstance(own, Lexicon) else lexicons.read_lexicon(Path(own)) for own in files
    )
