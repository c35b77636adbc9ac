"""With what turns are scored, and what their languages are read with.

`Setup` is one value that whoever makes or copies a scorer passes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Protocol, TypedDict

from klopt import classifier, heuristics, lexicons, pipelines
from klopt.comparing import LANGUAGES, Comparator
from klopt.errors import ConfigurationError, UnknownLanguageError
from klopt.heuristics import BY_NAME
from klopt.heuristics.declaration import Need
from klopt.lexicons import Lexicon
from klopt.matching import Language, Shelf
from klopt.records import MESSAGE_TYPES, MessageType, Turn
from klopt.scoring.assessment import Assessment
from klopt.scoring.explanation import texts
from klopt.scoring.interpretation import Translate
from klopt.scoring.profile import Profile
from klopt.scoring.tree import WEAKEST
from klopt.version import VERSION

__all__ = ["Adviser", "Languages", "Options", "Setup", "fingerprint"]

_DIGITS: Final = 8


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


class Languages:
    """The languages of a profile, each made when it is first needed.

    Attributes:
        options: Heuristic → its options: the profile's, and beside them the defaults.
        fault_below: A statement that is less likely true is at fault.
        needs: What the profile's heuristics need.

    Raises:
        LexiconError: A lexicon file is wrong.
        InputError: A lexicon file cannot be read, or the shelf does not fit the profile.
        UnknownLanguageError: A lexicon is for a language that the profile does not have.
        ExtraMissingError: The profile reads a parse, and spaCy is not installed.
    """

    def __init__(
        self, profile: Profile, terms: Iterable[Path | Lexicon] = (), shelf: Shelf | None = None
    ) -> None:
        self.profile = profile
        self._shelf = shelf
        self._named = {
            code: tuple(map(lexicons.read_lexicon, settings.lexicons))
            for code, settings in profile.languages.items()
        }
        self._own = tuple(
            one if isinstance(one, Lexicon) else lexicons.read_lexicon(Path(one)) for one in terms
        )
        unusable = [one for one in self._own if one.language not in profile.languages]
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
            pipelines.check_installed()
        self._known: dict[str, Language] = {}
        for code in shelf.languages if shelf is not None else ():
            if code in profile.languages:
                self[code]  # says whether the pages fit

    def __getitem__(self, code: str) -> Language:
        """One of the profile's languages."""
        language = self._known.get(code)
        if language is None:
            tables = lexicons.load(code)
            of_the_language = (one for one in self._own if one.language == code)
            for lexicon in (*self._named[code], *of_the_language):
                tables = tables.extended(lexicon)
            made = Language(
                tables,
                pipeline=self.profile.languages[code].pipeline,
                plain_names=self.profile.plain_names,
                shelf=self._shelf,
            )
            language = self._known.setdefault(code, made)  # one for all threads: it knows pages
        return language

    def prepare(self, code: str) -> None:
        """Makes ready now what the first turns of a language would wait for.

        Raises:
            PipelineError: The profile needs a pipeline that is not installed.
        """
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
        if "parse" in self.needs:
            language.parser.nlp  # noqa: B018 - a cached property

    def fingerprint(self, language: str | None, read: Sequence[str], translator: str | None) -> str:
        """The fingerprint of a score."""
        tables = [self[one].lexicons.digest for one in read]
        used = read if "parse" in self.needs else ()
        named = [(one, self.profile.languages[one].pipeline) for one in used]
        signatures = [f"{name}@{pipelines.signature(one, name)}" for one, name in named]
        profile = self.profile
        return fingerprint(profile.name, profile.digest, language, tables, signatures, translator)


def fingerprint(
    profile: str,
    profile_digest: str,
    language: str | None,
    lexicons: Sequence[str] = (),
    pipelines: Sequence[str] = (),
    translator: str | None = None,
) -> str:
    """Version, profile, language, tables, pipelines and translator, separated by ``|``.

    ``lexicons`` are the digests of the tables that were used, two where a turn was read in two
    languages; without a parse there are no ``pipelines``.

    >>> fingerprint("afas", "0123456789", None)
    'klopt:0.9.0|profile:afas@01234567|language:none|lexicons:none|pipeline:none|spacy:none|translator:none'
    """
    parts = {
        "klopt": VERSION,
        "profile": f"{profile}@{profile_digest[:_DIGITS]}",
        "language": language or "none",
        "lexicons": "+".join(digest[:_DIGITS] for digest in lexicons) or "none",
        "pipeline": "+".join(pipelines) or "none",
        "spacy": _version("spacy") if pipelines else "none",
        "translator": translator or "none",
    }
    return "|".join(f"{name}:{value}" for name, value in parts.items())


@cache
def _version(package: str) -> str:
    from importlib import metadata

    return metadata.version(package)
