"""Scores turns: one way from a `Turn` to an `Assessment`."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from klopt.classifier import Classification, classify, prepare
from klopt.errors import (
    ConfigurationError,
    KloptError,
    PatternTimeoutError,
    RecordError,
    TranslationError,
    UnknownLanguageError,
)
from klopt.matching import Indexes
from klopt.measurement import Measurement
from klopt.reading.markup import read_text
from klopt.reading.reader import ANSWER_LIMIT_CHARS, Reader, Reading
from klopt.reading.text import PlainText
from klopt.records import MESSAGE_TYPES, Turn
from klopt.scoring.admission import (
    NotScorableError,
    read_contexts,
    read_pages,
    read_turn,
    tell_language,
)
from klopt.scoring.assessing import Assessing, question_span
from klopt.scoring.assessment import Assessment
from klopt.scoring.explanation import TELLING, Refusal
from klopt.scoring.interpretation import Translate, TranslationNote, failed
from klopt.scoring.measuring import HEURISTICS, Measurements, TurnTexts
from klopt.scoring.profile import Profile
from klopt.scoring.route import Route, Seen
from klopt.scoring.tables import Tables
from klopt.scoring.translating import TranslatedTurns
from klopt.scoring.tree import Walk, Weigh, walk

_LOG = logging.getLogger("klopt")


class Scorer:
    r"""Scores turns by one profile.

    Safe to use from several threads. Pages are read once and remembered by content.

    Args:
        profile: How to score.
        all_types: Score every message type, whatever the profile's scope.
        terms: Company terms, or other lexicon files of the company, added to the profile's.
        translate: Reads a translation, as `klopt.translation` makes it; without it nothing is
            translated.

    Raises:
        LexiconError: A lexicon file is wrong.
        InputError: A lexicon file cannot be read.
        UnknownLanguageError: The profile does not have the language of a lexicon, or the one
            that is translated to.

    >>> from klopt import Scorer, Turn
    >>> scorer = Scorer.load("afas")
    >>> page = "# Opslaan\n\n1. Klik op **Bestand**.\n2. Klik op **Opslaan**."
    >>> turn = Turn("Hoe sla ik het op?", "Klik op **Bewaren**.", [page])
    >>> assessment = scorer.score(turn)
    >>> assessment.score, assessment.verdict, assessment.rule
    (1.0, 'block', 'missing_component')
    """

    def __init__(
        self,
        profile: Profile,
        *,
        all_types: bool = False,
        terms: Iterable[Path] = (),
        translate: Translate | None = None,
    ) -> None:
        self.profile = profile
        self.translate = translate
        self._types = MESSAGE_TYPES if all_types else profile.message_types
        self._tables = Tables(profile, terms)
        self._indexes = Indexes()
        self._assessing = Assessing(profile, self._tables)
        self._options = {
            name: {**HEURISTICS[name].options, **profile.options[name]} for name in profile.weights
        }
        self._nodes = {node.node: node for node in profile.tree}
        self._translated: TranslatedTurns | None = None
        if translate is not None:
            target = translate.interpreter.target
            self._check(target)
            reader, synonyms = self._tables.reader(target), self._tables.synonyms(target)
            self._translated = TranslatedTurns(translate.interpreter, reader, synonyms)

    @classmethod
    def load(
        cls,
        profile: str | Path = "default",
        *,
        all_types: bool = False,
        terms: Iterable[Path] = (),
        translate: Translate | None = None,
    ) -> Scorer:
        """A scorer for a built-in profile (``afas``, ``default``) or a company's own file."""
        loaded = Profile.load(profile)
        return cls(loaded, all_types=all_types, terms=terms, translate=translate)

    @property
    def name(self) -> str:
        """The profile's name, and what it reads in translation, to tell scorers apart."""
        if self.translate is None:
            return self.profile.name
        target = self.translate.interpreter.target
        more = ", whole" if self.translate.scope == "whole" else ""
        return f"{self.profile.name} ({target}{more})"

    def prepare(self, language: str) -> None:
        """Loads the tables and the pipeline of a language now, not at the first turns.

        Raises:
            UnknownLanguageError: The profile does not have the language.
            PipelineError: The profile names a pipeline that is not installed.
        """
        self._check(language)
        reader = self._tables.reader(language)
        reader.parse(reader.read("klopt"))
        reader.lexicons.compile()
        prepare(reader.lexicons, method=self.profile.classifier)

    def score(self, turn: Turn, *, measure_all: bool = False) -> Assessment:
        """Scores one turn.

        Args:
            turn: Question, answer and pages.
            measure_all: Also measure what the walk through the tree did not ask for, for
                evaluation; the score stays the same.

        Returns:
            An `Assessment`; a turn that cannot be scored gets a status and a reason, no error.

        Raises:
            PipelineError: The profile names a pipeline that is not installed.
            LexiconError: A lexicon of the company is wrong.
            ConfigurationError: The profile asks for a translation, and the scorer has none.
        """
        seen = Seen()
        try:
            question, answer = read_turn(turn)
            seen.route = self._route(turn, (question, answer))
            score = self._score_whole if seen.route.scope == "whole" else self._score_own
            return score(turn, question, answer, seen.route, seen, measure_all)
        except NotScorableError as stop:
            return self._assessing.refused(turn, stop, seen)
        except PatternTimeoutError as error:
            refusal = Refusal("pattern_timeout", found=str(error))
            return self._assessing.refused(turn, NotScorableError(refusal, is_error=True), seen)

    def score_many(self, turns: Iterable[Turn]) -> Iterator[Assessment]:
        """Scores turns one by one, in order; no turn stops the others.

        A fault of klopt itself becomes status ``error`` with the reason ``internal`` and is
        logged with its traceback; wrong configuration is raised as in `score`.
        """
        for turn in turns:
            try:
                yield self.score(turn)
            except KloptError:
                raise
            except Exception as error:
                _LOG.exception("turn %r could not be scored", turn.id)
                refusal = Refusal("internal", found=f"{type(error).__name__}: {error}")
                stop = NotScorableError(refusal, is_error=True)
                yield self._assessing.refused(turn, stop, Seen())

    def refuse(self, row_id: str, reason: str) -> Assessment:
        """The assessment of a row that could not be read as a turn."""
        stop = NotScorableError(Refusal("row", found=reason), is_error=True)
        return self._assessing.refused(Turn("", "", id=row_id), stop, Seen())

    def classify(self, turn: Turn) -> tuple[Classification, tuple[int, int] | None]:
        """The message type of a turn's question, and the deciding span in the original.

        A question in a language that the profile does not have is read in translation.

        Raises:
            UnknownLanguageError: The language cannot be told, or the profile does not have it.
            RecordError: The question is too long.
            PatternTimeoutError: A pattern took too long on it.
            TranslationError: It could not be translated.
        """
        if len(turn.question) > ANSWER_LIMIT_CHARS:
            length = Refusal(
                "question_too_long", count=len(turn.question), limit=ANSWER_LIMIT_CHARS
            )
            raise RecordError(length.words(None))
        question = read_text(turn.question)
        try:
            route = self._route(turn, (question,))
        except NotScorableError as stop:
            raise UnknownLanguageError(stop.refusal.words(None)) from None
        reader = self._tables.reader(route.own)
        asked = reader.read_plain(question)
        if self._translated is not None and self.translate is not None and route.scope == "whole":
            try:
                asked = self._translated.question(asked, route.language)
                reader = self._tables.reader(asked.language)
            except TranslationError:
                if self.translate.required or not route.has_tables:
                    raise
        found = self._classify(turn, asked, reader)
        return found, question_span(found, asked)

    def _check(self, language: str) -> None:
        if language not in self.profile.languages:
            known = ", ".join(self.profile.languages)
            raise UnknownLanguageError(
                f'profile "{self.profile.name}" has no language "{language}"; it has {known}'
            )

    def _route(self, turn: Turn, texts: Sequence[PlainText]) -> Route:
        """How a turn goes, by its language.

        Raises:
            NotScorableError: The language cannot be told, or nothing here reads it.
        """
        languages = self.profile.languages
        if self.profile.translate is not None and self.translate is None:
            raise ConfigurationError(
                f'profile "{self.profile.name}" translates to "{self.profile.translate.to}", and '
                "this scorer has no translation; Scorer(profile, translate=...) takes one"
            )
        translatable = self.translate is not None
        language = tell_language(turn.language, texts, languages, translatable=translatable)
        if self.translate is None or language == self.translate.interpreter.target:
            return Route(language, language, None, has_tables=True)
        if language in languages:
            return Route(language, language, self.translate.scope, has_tables=True)
        return Route(language, self.translate.interpreter.target, "whole", has_tables=False)

    def _score_own(
        self,
        turn: Turn,
        question: PlainText,
        answer: PlainText,
        route: Route,
        seen: Seen,
        measure_all: bool,
    ) -> Assessment:
        """Scores a turn as it is; the features that the paper marks may read a translation."""
        reader = self._tables.reader(route.own)
        asked, answered = reader.read_plain(question), reader.read_plain(answer)
        seen.question = asked
        seen.classification = self._classify(turn, asked, reader)
        self._check_type(seen.classification)
        contexts = read_contexts(turn.pages, reader)
        texts = TurnTexts(asked, answered, contexts, reader, self._tables.synonyms(route.own))
        translated = None
        if route.scope == "marked":
            translated = self._translate(texts, route, seen)
        measurements, outcome = self._measure(texts, translated, measure_all)
        return self._assessing.assessed(turn, texts, route, seen, measurements, outcome)

    def _score_whole(
        self,
        turn: Turn,
        question: PlainText,
        answer: PlainText,
        route: Route,
        seen: Seen,
        measure_all: bool,
    ) -> Assessment:
        """Scores a turn by its translation alone."""
        reader = self._tables.reader(route.own)
        pages = read_pages(turn.pages, reader)
        if self._translated is not None and not self._translated.readable(pages, route.language):
            votes = [one.reading.vote for one in pages]
            others = sorted({str(one.language or one.other) for one in votes})
            raise NotScorableError(
                Refusal("context_language", found=", ".join(others), wanted=route.language)
            )
        asked, answered = reader.read_plain(question), reader.read_plain(answer)
        texts = TurnTexts(asked, answered, pages, reader, self._tables.synonyms(route.own))
        translated = self._translate(texts, route, seen)
        if translated is None:
            return self._score_own(turn, question, answer, route, seen, measure_all)
        seen.question = translated.question
        seen.classification = self._classify(turn, translated.question, translated.reader)
        self._check_type(seen.classification)
        measurements, outcome = self._measure(translated, None, measure_all)
        return self._assessing.assessed(turn, translated, route, seen, measurements, outcome)

    def _translate(self, texts: TurnTexts, route: Route, seen: Seen) -> TurnTexts | None:
        """The turn in the target language, or None when it is to be scored on the original.

        Raises:
            NotScorableError: It was not translated, and the original will not do.
        """
        if self._translated is None or self.translate is None or route.scope is None:
            return None
        target = self.translate.interpreter.target
        try:
            found = self._translated.read(
                texts.question,
                texts.answer,
                texts.contexts,
                route.language,
                with_page_names=not route.has_tables,
            )
        except TranslationError as error:
            seen.note = failed(route.language, target, route.scope, error)
            if self.translate.required or not route.has_tables:
                refusal = Refusal("not_translated", found=error.message, wanted=target)
                raise NotScorableError(refusal, is_error=True) from None
            return None
        seen.note = TranslationNote(
            route.language, target, route.scope, "translated", unmasked_count=found.unmasked_count
        )
        seen.translator = f"{route.scope}:{found.signature}"
        return found.texts

    def _check_type(self, classification: Classification) -> None:
        if classification.message_type not in self._types:
            raise NotScorableError(Refusal("out_of_scope", found=classification.message_type))

    def _classify(self, turn: Turn, question: Reading, reader: Reader) -> Classification:
        if turn.message_type is not None and turn.message_type in MESSAGE_TYPES:
            return Classification(turn.message_type, "given", 0, 0)
        return classify(
            question.plain.text,
            reader.lexicons,
            method=self.profile.classifier,
            sentences=question.sentences,
        )

    def _measure(
        self, texts: TurnTexts, translated: TurnTexts | None, measure_all: bool
    ) -> tuple[dict[str, Measurement], Walk]:
        made = Measurements(texts, translated, self._options, self._indexes)
        weighing = self.profile.evidence.get(texts.answer.language)
        outcome = walk(self.profile.tree, self.profile.weights, made.measure, weighing)
        decider = self._nodes.get(outcome.rule or "")
        if TELLING in self.profile.weights and isinstance(decider, Weigh):
            made.measure(TELLING)
        if measure_all:
            for name in self.profile.weights:
                made.measure(name)
        if outcome.score is None:
            raise NotScorableError(Refusal("nothing_measurable"))
        return made.made(), outcome
