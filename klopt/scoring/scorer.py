"""Scores turns: one way from a `Turn` to an `Assessment`."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from klopt.classifier import Classification, classify
from klopt.errors import (
    ConfigurationError,
    KloptError,
    PatternTimeoutError,
    RecordError,
    TranslationError,
    UnknownLanguageError,
)
from klopt.heuristics import BY_NAME, Material
from klopt.matching import Shelf
from klopt.measurement import Measurement
from klopt.reading.markup import read_text
from klopt.reading.reader import ANSWER_LIMIT_CHARS, Reading
from klopt.reading.text import PlainText
from klopt.records import MESSAGE_TYPES, Turn
from klopt.scoring.admission import (
    NotScorableError,
    other_language,
    read_contexts,
    read_pages,
    read_turn,
    tell_language,
)
from klopt.scoring.assessment import Assessing, Assessment, Case, question_span
from klopt.scoring.explanation import TELLING, Refusal
from klopt.scoring.interpretation import Translate, TranslatedTurns, TranslationNote, failed
from klopt.scoring.languages import Languages
from klopt.scoring.profile import Profile
from klopt.scoring.retrieval import Retrieval
from klopt.scoring.second_opinion import Adviser
from klopt.scoring.statements import WEAKEST, checked_statements
from klopt.scoring.tree import walk

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
        adviser: Asks for second opinions, as `klopt.opinions` does; without it nobody is asked.
        index: Pages that were read ahead, a `klopt.Index`; any other page is read when it comes.
        retrieve: A turn without contexts gets so many pages of the index, those that fit its
            question best, and the assessment says which; 0 leaves it without.

    Raises:
        ConfigurationError: Pages are to be retrieved, and there is no index.
        LexiconError: A lexicon file is wrong.
        InputError: A lexicon file cannot be read, or the index does not fit the profile.
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
        adviser: Adviser | None = None,
        index: Shelf | None = None,
        retrieve: int = 0,
    ) -> None:
        self._retrieval = Retrieval(index, retrieve)
        self.profile = profile
        self.translate = translate
        self.adviser = adviser
        self._types = MESSAGE_TYPES if all_types else profile.message_types
        self._languages = Languages(profile, terms, index)
        self._assessing = Assessing(profile, self._languages)
        self._translated: TranslatedTurns | None = None
        if translate is not None:
            target = translate.interpreter.target
            self._check(target)
            self._translated = TranslatedTurns(translate.interpreter, self._languages[target])

    @classmethod
    def load(
        cls,
        profile: str | Path = "default",
        *,
        all_types: bool = False,
        terms: Iterable[Path] = (),
        translate: Translate | None = None,
        adviser: Adviser | None = None,
        index: Shelf | None = None,
        retrieve: int = 0,
    ) -> Scorer:
        """A scorer for a built-in profile (``afas``, ``default``) or a company's own file."""
        loaded = Profile.load(profile)
        return cls(
            loaded,
            all_types=all_types,
            terms=terms,
            translate=translate,
            adviser=adviser,
            index=index,
            retrieve=retrieve,
        )

    @property
    def name(self) -> str:
        """The profile's name, and what else it reads or whom it asks, to tell scorers apart."""
        found = self.profile.name
        if self.translate is not None:
            more = ", whole" if self.translate.scope == "whole" else ""
            found += f" ({self.translate.interpreter.target}{more})"
        return found if self.adviser is None else f"{found} + {self.adviser.name}"

    @property
    def at_once(self) -> int:
        """How many turns may be scored at one time, from 1: more where a model is waited for."""
        return 1 if self.adviser is None else self.adviser.at_once

    def prepare(self, language: str) -> None:
        """Loads the tables of a language now, not at the first turns, and what else is needed.

        A pipeline is loaded only when a heuristic of the profile needs a parse.

        Raises:
            UnknownLanguageError: The profile does not have the language.
            PipelineError: The profile needs a pipeline that is not installed.
        """
        self._check(language)
        self._languages.prepare(language)

    def score(self, turn: Turn, *, measure_all: bool = False) -> Assessment:
        """Scores one turn.

        Args:
            turn: Question, answer and pages.
            measure_all: Also measure what the walk through the tree did not ask for, for
                evaluation; the score stays the same.

        Returns:
            An `Assessment`; a turn that cannot be scored gets a status and a reason, no error.

        Raises:
            PipelineError: The profile needs a pipeline that is not installed.
            LexiconError: A lexicon of the company is wrong.
            ConfigurationError: The profile asks for a translation or for second opinions, and the
                scorer has none.
            RecordError: It is no `Turn`; `Turn.from_mapping` makes one of a row.
        """
        if not isinstance(turn, Turn):
            raise RecordError(_no_turn(turn))
        case = Case(turn)
        try:
            question, answer = read_turn(turn)
            self._route(case, (question, answer))
            self._retrieval.fill(case)
            score = self._score_whole if case.scope == "whole" else self._score_own
            found = score(case, question, answer, measure_all)
        except NotScorableError as stop:
            return self._assessing.refused(case, stop)
        except PatternTimeoutError as error:
            refusal = Refusal("pattern_timeout", found=str(error))
            return self._assessing.refused(case, NotScorableError(refusal, is_error=True))
        return (
            found if self.adviser is None else self.adviser.advise(case.turn, found, self.profile)
        )

    def score_many(self, turns: Iterable[Turn]) -> Iterator[Assessment]:
        """Scores turns one by one, in order; no turn stops the others.

        A fault of klopt itself becomes status ``error`` with the reason ``internal`` and is
        logged with its traceback; wrong configuration is raised as in `score`.
        """
        for turn in turns:
            if not isinstance(turn, Turn):
                yield self.refuse("", _no_turn(turn))
                continue
            try:
                yield self.score(turn)
            except KloptError:
                raise
            except Exception as error:
                _LOG.exception("turn %r could not be scored", turn.id)
                refusal = Refusal("internal", found=f"{type(error).__name__}: {error}")
                stop = NotScorableError(refusal, is_error=True)
                yield self._assessing.refused(Case(turn), stop)

    def refuse(self, row_id: str, reason: str) -> Assessment:
        """The assessment of a row that could not be read as a turn."""
        stop = NotScorableError(Refusal("row", found=reason), is_error=True)
        return self._assessing.refused(Case(Turn("", "", id=row_id)), stop)

    def classify(self, turn: Turn) -> tuple[Classification, tuple[int, int] | None]:
        """The message type of a turn's question, and the deciding span in the original.

        A question in a language that the profile does not have is read in translation.

        Raises:
            UnknownLanguageError: The language cannot be told, or the profile does not have it.
            RecordError: It is no `Turn`, or the question is too long.
            PatternTimeoutError: A pattern took too long on it.
            TranslationError: It could not be translated.
        """
        if not isinstance(turn, Turn):
            raise RecordError(_no_turn(turn))
        if len(turn.question) > ANSWER_LIMIT_CHARS:
            length = Refusal(
                "question_too_long", count=len(turn.question), limit=ANSWER_LIMIT_CHARS
            )
            raise RecordError(length.words(None))
        question = read_text(turn.question)
        case = Case(turn)
        try:
            self._route(case, (question,))
        except NotScorableError as stop:
            raise UnknownLanguageError(stop.refusal.words(None)) from None
        asked = self._languages[case.own].reader.read_plain(question)
        if self._translated is not None and self.translate is not None and case.scope == "whole":
            try:
                asked = self._translated.question(asked, case.told_language)
            except TranslationError:
                if self.translate.required or not case.has_tables:
                    raise
        found = self._classify(turn, asked)
        return found, question_span(found, asked)

    def _check(self, language: str) -> None:
        if language not in self.profile.languages:
            known = ", ".join(self.profile.languages)
            raise UnknownLanguageError(
                f'profile "{self.profile.name}" has no language "{language}"; it has {known}'
            )

    def _route(self, case: Case, texts: Sequence[PlainText]) -> None:
        """Decides how a turn goes, by its language.

        Raises:
            NotScorableError: The language cannot be told, or nothing here reads it.
        """
        languages = self.profile.languages
        if self.profile.opinion is not None and self.adviser is None:
            raise ConfigurationError(
                f'profile "{self.profile.name}" asks for second opinions of '
                f"{self.profile.opinion.who}, and this scorer has none; "
                "Scorer(profile, adviser=...) takes them"
            )
        if self.profile.translate is not None and self.translate is None:
            raise ConfigurationError(
                f'profile "{self.profile.name}" translates to "{self.profile.translate.to}", and '
                "this scorer has no translation; Scorer(profile, translate=...) takes one"
            )
        translatable = self.translate is not None
        language = tell_language(case.turn.language, texts, languages, translatable=translatable)
        case.language = case.own = language
        if self.translate is None or language == self.translate.interpreter.target:
            return
        if language in languages:
            case.scope = self.translate.scope
        else:
            case.own, case.scope = self.translate.interpreter.target, "whole"
            case.has_tables = False

    def _score_own(
        self, case: Case, question: PlainText, answer: PlainText, measure_all: bool
    ) -> Assessment:
        """Scores a turn as it is; the features that the paper marks may read a translation."""
        language = self._languages[case.own]
        asked = self._admit(case, language.reader.read_plain(question))
        contexts = read_contexts(case.turn.pages, language)
        material = Material(asked, language.reader.read_plain(answer), contexts, language)
        translated = self._translate(case, material) if case.scope == "marked" else None
        return self._assess(case, material, translated, measure_all)

    def _score_whole(
        self, case: Case, question: PlainText, answer: PlainText, measure_all: bool
    ) -> Assessment:
        """Scores a turn by its translation alone."""
        language = self._languages[case.own]
        pages = read_pages(case.turn.pages, language)
        if self._translated and not self._translated.readable(pages, case.told_language):
            raise other_language(pages, case.told_language)
        reader = language.reader
        material = Material(reader.read_plain(question), reader.read_plain(answer), pages, language)
        translated = self._translate(case, material)
        if translated is None:
            return self._score_own(case, question, answer, measure_all)
        self._admit(case, translated.question)
        return self._assess(case, translated, None, measure_all)

    def _translate(self, case: Case, material: Material) -> Material | None:
        """The turn in the target language, or None when it is to be scored on the original.

        Raises:
            NotScorableError: It was not translated, and the original will not do.
        """
        if self._translated is None or self.translate is None or case.scope is None:
            return None
        source, target = case.told_language, self.translate.interpreter.target
        try:
            found = self._translated.read(material, source, with_page_names=not case.has_tables)
        except TranslationError as error:
            case.note = failed(source, target, case.scope, error)
            if self.translate.required or not case.has_tables:
                refusal = Refusal("not_translated", found=error.message, wanted=target)
                raise NotScorableError(refusal, is_error=True) from None
            return None
        case.note = TranslationNote(
            source, target, case.scope, "translated", unmasked_count=found.unmasked_count
        )
        case.translator = f"{case.scope}:{found.signature}"
        return found.material

    def _admit(self, case: Case, question: Reading) -> Reading:
        """The question, once its type is known and among those that the profile scores."""
        case.question = question
        case.classification = self._classify(case.turn, question)
        if case.classification.message_type not in self._types:
            raise NotScorableError(Refusal("out_of_scope", found=case.classification.message_type))
        return question

    def _classify(self, turn: Turn, question: Reading) -> Classification:
        if turn.message_type is not None and turn.message_type in MESSAGE_TYPES:
            return Classification(turn.message_type, "given", 0, 0)
        return classify(
            question.plain.text,
            self._languages[question.language].lexicons,
            method=self.profile.classifier,
            sentences=question.sentences,
        )

    def _assess(
        self, case: Case, material: Material, translated: Material | None, measure_all: bool
    ) -> Assessment:
        """Measures what the tree asks for on its way to a score."""
        made: dict[str, Measurement] = {}

        def measure(name: str) -> Measurement:
            if name not in made:
                heuristic = BY_NAME[name]
                reads = translated if heuristic.reads_translation else None
                made[name] = heuristic(reads or material, self._languages.options[name])
            return made[name]

        profile = self.profile
        weighing = profile.evidence.get(material.answer.language)
        outcome = walk(profile.tree, profile.weights, measure, weighing)
        if outcome.score is None:
            raise NotScorableError(Refusal("nothing_measurable"))
        is_weighed = bool(profile.evidence) and outcome.rule == profile.tree[-1].node
        if is_weighed and material.is_bare:
            raise NotScorableError(Refusal("nothing_checked"))
        if TELLING in profile.weights:
            measure(TELLING)
        is_blocked = outcome.score < profile.block_below and is_weighed
        if self.adviser or outcome.score >= profile.send_from or is_blocked:
            for name in profile.review_on:
                measure(name)
        for name in profile.weights if measure_all else ():
            measure(name)
        measured = {name: made[name] for name in BY_NAME if name in made}
        statements = (
            checked_statements(material, profile.options.get(WEAKEST, {}))
            if "comparator" in self._languages.needs
            else ()
        )
        return self._assessing.assessed(case, material, measured, statements, outcome)


def _no_turn(given: object) -> str:
    return f"{type(given).__name__} is no Turn; Turn.from_mapping makes one of a row"
