"""What a profile reads its languages with, and the line that says what a score was made with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from klopt import lexicons, pipelines
from klopt.comparing import LANGUAGES, Comparator
from klopt.errors import UnknownLanguageError
from klopt.heuristics import BY_NAME, Options
from klopt.heuristics.declaration import Need
from klopt.lexicons import Lexicon
from klopt.matching import Language, Shelf
from klopt.scoring.explanation import texts
from klopt.scoring.profile import Profile
from klopt.scoring.statements import WEAKEST
from klopt.version import VERSION

_DIGITS: Final = 8


class Languages:
    """The languages of a profile, each made when it is first needed.

    Args:
        profile: Names the languages, their pipelines and lexicons.
        terms: Further lexicons of the company, or their files.
        shelf: Pages that were read ahead.

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
        self.options: dict[str, Options] = {
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
        """The fingerprint of a score.

        Args:
            language: Of the turn; None when it could not be told.
            read: The profile's languages whose tables were used, in order.
            translator: What translated, in a word; None when nothing did.
        """
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

    Args:
        profile: The profile's name.
        profile_digest: SHA-256 of its file.
        language: Of the turn.
        lexicons: The digests of the tables that were used; two where a turn was read in two
            languages.
        pipelines: The signatures of the pipelines that were used, none without a parse.
        translator: What translated.

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
