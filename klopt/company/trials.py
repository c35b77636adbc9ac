"""A company's answers as they are scored now, and as they would be with other entries.

Entries are put in beside the lexicons of the profile in memory: no file is written, and only the
answers that have their words are scored again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from klopt.company.entries import Entry, lexicons_of
from klopt.evaluation.rated import is_rated, truth
from klopt.matching import Language
from klopt.matching.index import PageIndex
from klopt.matching.language import Hit
from klopt.reading.reader import Reading
from klopt.records import Page, Turn
from klopt.scoring.assessment import Assessment
from klopt.scoring.languages import Languages
from klopt.scoring.profile import Profile
from klopt.scoring.scorer import Scorer
from klopt.tuning.samples import page_behind

_READ_ANEW: Final = frozenset({"components", "guides"})
"""Lexicons that change how a page is read; with entries of others what was read stays."""


@dataclass(frozen=True, eq=False)
class Answer:
    """An answer as it is scored now.

    Attributes:
        turn: What was asked, answered and perhaps rated.
        now: What klopt makes of it.
        page: What it has in common with other answers that rest on the same page.
        reading: The answer, read.
        pages: Its pages, read.
    """

    turn: Turn
    now: Assessment
    page: str
    reading: Reading
    pages: tuple[PageIndex, ...]

    @property
    def truth(self) -> bool | None:
        """Whether a person called it true; None between the two, or where nobody did."""
        return truth(self.turn)

    @property
    def is_rated(self) -> bool:
        """Whether a person rated it."""
        return is_rated(self.turn)

    @property
    def language(self) -> str:
        """Its language."""
        return self.reading.language

    @cached_property
    def said(self) -> frozenset[str]:
        """The words of the answer, as words are compared."""
        return frozenset(self.reading.tokens.keys)

    @cached_property
    def given(self) -> frozenset[str]:
        """The words of its pages."""
        return frozenset().union(*(one.reading.tokens.keys for one in self.pages))


class Trials:
    """Answers of a company, and what would become of them.

    Args:
        profile: The company's.
        turns: Its answers, some of them rated.
        advance: Called after each answer.

    Attributes:
        turns: Those whose message type can be told, each with its language.
        answers: Those that could be scored, in order.
        languages: What they were read with.
    """

    def __init__(
        self, profile: Profile, turns: Iterable[Turn], advance: Callable[[], object] | None = None
    ) -> None:
        self.profile = profile
        self.languages = Languages(profile)
        self.scorer = Scorer(profile, index=_Read(self.languages))
        found, told = [], []
        for turn in turns:
            now = self.scorer.score(turn, measure_all=True)
            code = now.language
            if code is not None and code in profile.languages:
                if now.message_type is not None:
                    told.append(replace(turn, language=code))
                if now.score is not None:
                    language = self.languages[code]
                    pages = tuple(map(language.page, turn.pages))
                    reading = language.reader.read(turn.answer)
                    found.append(Answer(turn, now, page_behind(turn, now), reading, pages))
            if advance is not None:
                advance()
        self.turns = tuple(told)
        self.answers = tuple(found)

    def with_entries(
        self, language: str, entries: Sequence[Entry], places: Collection[int]
    ) -> dict[int, Assessment]:
        """Some answers scored with entries put in.

        Args:
            language: Of the entries.
            entries: What to put in.
            places: Of the answers to score.

        Returns:
            Place → assessment, of those whose score or verdict changes.

        Raises:
            LexiconError: An entry does not fit its lexicon.
        """
        if not places:
            return {}
        scorer = self._scorer(language, entries)
        found = {}
        for place in places:
            answer = self.answers[place]
            then = scorer.score(answer.turn)
            if (then.score, then.verdict) != (answer.now.score, answer.now.verdict):
                found[place] = then
        return found

    def type_with(self, language: str, entries: Sequence[Entry]) -> Callable[[Turn], str]:
        """What tells the message type of a question, whatever the turn states, with entries in."""
        scorer = self._scorer(language, entries)

        def told(turn: Turn) -> str:
            return scorer.classify(replace(turn, message_type=None))[0].message_type

        return told

    def _scorer(self, language: str, entries: Sequence[Entry]) -> Scorer:
        is_read_anew = any(one.lexicon in _READ_ANEW for one in entries)
        shelf = None if is_read_anew else _Read(self.languages)
        return Scorer(self.profile, terms=lexicons_of(language, entries), index=shelf)


class _Read:
    """Pages as they were read already; see `klopt.matching.language.Shelf`."""

    digest = ""
    languages = ()

    def __init__(self, known: Languages) -> None:
        self._known = known

    def join(self, language: Language) -> None:
        """Takes any."""

    def find(self, page: Page, language: str) -> PageIndex | None:
        """Any page."""
        return self._known[language].page(page)

    def search(self, question: str, k: int, *, language: str) -> Sequence[Hit]:
        """None: turns have their own."""
        raise NotImplementedError
