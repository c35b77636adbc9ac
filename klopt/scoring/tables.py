"""What a scorer reads languages with: tables, the company's own included, and pipelines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from klopt import lexicons, pipelines
from klopt.errors import UnknownLanguageError
from klopt.matching import Synonyms
from klopt.reading.reader import Reader
from klopt.scoring.fingerprint import fingerprint
from klopt.scoring.profile import Profile


class Tables:
    """The readers of a profile's languages, each made when it is first needed.

    Args:
        profile: Names the languages, their pipelines and lexicons.
        terms: Further lexicon files of the company.

    Raises:
        LexiconError: A lexicon file is wrong.
        InputError: A lexicon file cannot be read.
        UnknownLanguageError: A lexicon is for a language that the profile does not have.
    """

    def __init__(self, profile: Profile, terms: Iterable[Path] = ()) -> None:
        self.profile = profile
        self._own = tuple(lexicons.read_lexicon(Path(path)) for path in terms)
        unusable = [one for one in self._own if one.language not in profile.languages]
        if unusable:
            raise UnknownLanguageError(
                f'lexicon "{unusable[0].id}" is for language "{unusable[0].language}", which '
                f'profile "{profile.name}" does not have'
            )
        self._readers: dict[str, Reader] = {}
        self._synonyms: dict[str, Synonyms] = {}

    def reader(self, language: str) -> Reader:
        """The reader of one of the profile's languages."""
        reader = self._readers.get(language)
        if reader is None:
            settings = self.profile.languages[language]
            tables = lexicons.load(language)
            for lexicon in (*map(lexicons.read_lexicon, settings.lexicons), *self._own):
                if lexicon.language == language:
                    tables = tables.extended(lexicon)
            reader = Reader(tables, pipeline=settings.pipeline)
            self._synonyms[language] = Synonyms(tables)
            self._readers[language] = reader
        return reader

    def synonyms(self, language: str) -> Synonyms:
        """The synonyms of one of the profile's languages."""
        self.reader(language)
        return self._synonyms[language]

    def fingerprint(self, language: str | None, read: Sequence[str], translator: str | None) -> str:
        """The fingerprint of a score.

        Args:
            language: Of the turn; None when it could not be told.
            read: The profile's languages whose tables and pipelines were used, in order.
            translator: What translated, in a word; None when nothing did.
        """
        tables, signatures = list[str](), list[str]()
        for one in read:
            name = self.profile.languages[one].pipeline
            tables.append(self.reader(one).lexicons.digest)
            signatures.append(f"{name}@{pipelines.signature(one, name)}")
        return fingerprint(
            self.profile.name, self.profile.digest, language, tables, signatures, translator
        )
