"""One way from a turn to its assessment: admit it, read it, measure it, weigh it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from klopt.classifier import Classification, classify
from klopt.errors import (
    ConfigurationError,
    PatternTimeoutError,
    TranslationError,
    UnknownLanguageError,
)
from klopt.heuristics import BY_NAME, Material
from klopt.measurement import Measurement
from klopt.reading.reader import Reading
from klopt.reading.text import PlainText
from klopt.records import MESSAGE_TYPES, MessageType, Turn
from klopt.scoring.admission import (
    NotScorableError,
    other_language,
    read_contexts,
    read_pages,
    read_turn,
    tell_language,
)
from klopt.scoring.assessment import Assessing, Assessment, Case
from klopt.scoring.deadline import (
    COMPARING_CHARS,
    CutOff,
    Deadline,
    OutOfTimeError,
    held_back,
    out_of_time,
    unfinished,
)
from klopt.scoring.explanation import DENIED, TELLING, Refusal
from klopt.scoring.interpretation import Translate, TranslatedTurns, TranslationNote, failed
from klopt.scoring.languages import Languages
from klopt.scoring.profile import Profile
from klopt.scoring.retrieval import Retrieval
from klopt.scoring.second_opinion import Adviser
from klopt.scoring.statements import WEAKEST, CheckedStatement, checked_statements
from klopt.scoring.tree import highest_score, walk


class Measuring:
    """Measures turns by one profile. Safe to use from several threads.

    Args:
        profile: How to score.
        languages: What turns are read with.
        types: The message types that are scored.
        translate: Reads a translation; or None.
        adviser: Asks for second opinions; or None.
        retrieval: Finds pages for turns that have none.

    Attributes:
        assessing: Makes the assessments.
    """

    def __init__(
        self,
        profile: Profile,
        languages: Languages,
        types: Collection[MessageType],
        translate: Translate | None,
        adviser: Adviser | None,
        retrieval: Retrieval,
    ) -> None:
        self.profile = profile
        self.translate = translate
        self.adviser = adviser
        self._retrieval = retrieval
        self.languages = languages
        self.assessing = Assessing(profile, languages)
        self._types = types
        self._translated: TranslatedTurns | None = None
        if translate is not None:
            target = translate.interpreter.target
            self._translated = TranslatedTurns(translate.interpreter, languages[target])

    def assess(self, turn: Turn, *, measure_all: bool, deadline: Deadline) -> Assessment:
        """Scores a turn, as `klopt.scoring.scorer.Scorer.score` says, without second opinions."""
        case = Case(turn, deadline=deadline)
        try:
            if not deadline.allows(len(turn.question) + len(turn.answer)):
                raise OutOfTimeError
            question, answer = read_turn(turn)
            self._route(case, (question, answer))
            self._retrieval.fill(case)
            score = self._score_whole if case.scope == "whole" else self._score_own
            return score(case, question, answer, measure_all)
        except NotScorableError as stop:
            return self.assessing.refused(case, self._retrieval.told(case, stop))
        except OutOfTimeError as stop:
            return self._unfinished(case, {}, (), tuple(self.profile.weights), stop.unread)
        except PatternTimeoutError as error:
            refusal = Refusal("pattern_timeout", found=str(error))
            return self.assessing.refused(case, NotScorableError(refusal, is_error=True))

    def classify(self, turn: Turn, question: PlainText) -> tuple[Classification, Reading]:
        """The message type of a question, and the reading that it was found in.

        Raises:
            UnknownLanguageError: The language cannot be told, or the profile does not have it.
            PatternTimeoutError: A pattern took too long on it.
            TranslationError: It could not be translated.
        """
        case = Case(turn)
        try:
            self._route(case, (question,))
        except NotScorableError as stop:
            raise UnknownLanguageError(stop.refusal.words(None)) from None
        asked = self.languages[case.own].reader.read_plain(question)
        if self._translated is not None and self.translate is not None and case.scope == "whole":
            try:
                asked = self._translated.question(asked, case.told_language)
            except TranslationError:
                if self.translate.required or not case.has_tables:
                    raise
        return self._classify(turn, asked), asked

    def material(self, turn: Turn) -> Material | None:
        """What heuristics are given of a turn; None when a translation is to be read for it.

        Raises:
            NotScorableError: It is not scored as it is.
            PatternTimeoutError: A pattern took too long on it.
        """
        case = Case(turn)
        question, answer = read_turn(turn)
        self._route(case, (question, answer))
        self._retrieval.fill(case)
        return None if case.scope else self._own(case, question, answer)

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
        material = self._own(case, question, answer)
        translated = self._translate(case, material) if case.scope == "marked" else None
        return self._assess(case, material, translated, measure_all)

    def _own(self, case: Case, question: PlainText, answer: PlainText) -> Material:
        """A turn in its own language."""
        language = self.languages[case.own]
        asked = self._admit(case, language.reader.read_plain(question))
        contexts = read_contexts(case.turn.pages, language, case.deadline)
        return Material(asked, language.reader.read_plain(answer), contexts, language)

    def _score_whole(
        self, case: Case, question: PlainText, answer: PlainText, measure_all: bool
    ) -> Assessment:
        """Scores a turn by its translation alone."""
        language = self.languages[case.own]
        pages = read_pages(case.turn.pages, language, case.deadline)
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
            self.languages[question.language].lexicons,
            method=self.profile.classifier,
            sentences=question.sentences,
        )

    def _assess(
        self, case: Case, material: Material, translated: Material | None, measure_all: bool
    ) -> Assessment:
        """Measures what the tree asks for on its way to a score."""
        made: dict[str, Measurement] = {}
        late: dict[str, Measurement] = {}

        def measure(name: str) -> Measurement:
            if name in made:
                return made[name]
            heuristic = BY_NAME[name]
            compares = "comparator" in heuristic.needs and not _is_compared(made)
            chars = COMPARING_CHARS + len(case.turn.answer) if compares else 0
            if late or not case.deadline.allows(chars):
                return late.setdefault(name, Measurement.missing("the time was up"))
            reads = translated if heuristic.reads_translation else None
            made[name] = heuristic(reads or material, self.languages.options[name])
            return made[name]

        profile = self.profile
        weighing = profile.evidence.get(material.answer.language)
        outcome = walk(profile.tree, profile.weights, measure, weighing)
        if late:
            return self._unfinished(
                case, made, self._statements(material, made, late), tuple(late), ()
            )
        is_weighed = bool(profile.evidence) and outcome.rule in (None, profile.tree[-1].node)
        if is_weighed and material.is_bare:
            raise NotScorableError(Refusal("nothing_checked"))
        if outcome.score is None:
            raise NotScorableError(Refusal("nothing_measurable"))
        for name in (TELLING, DENIED):
            if name in profile.weights:
                measure(name)
        is_blocked = outcome.score < profile.block_below and is_weighed
        if self.adviser or outcome.score >= profile.send_from or is_blocked:
            for name in profile.review_on:
                measure(name)
        for name in profile.weights if measure_all else ():
            measure(name)
        statements = self._statements(material, made, late)
        found = self.assessing.assessed(case, material, _in_order(made), statements, outcome)
        if not late:
            return found
        lowest = min(outcome.score, profile.on_its_side(outcome.score, "review"))
        return held_back(found, CutOff(case.deadline.budget_ms, (), tuple(late)), lowest)

    def _statements(
        self, material: Material, made: Collection[str], late: Collection[str]
    ) -> tuple[CheckedStatement, ...]:
        """The statements of an answer, unless they were to be compared when the time was up."""
        if "comparator" not in self.languages.needs or (late and not _is_compared(made)):
            return ()
        return checked_statements(material, self.profile.options.get(WEAKEST, {}))

    def _unfinished(
        self,
        case: Case,
        made: Mapping[str, Measurement],
        statements: tuple[CheckedStatement, ...],
        late: tuple[str, ...],
        unread: tuple[str, ...],
    ) -> Assessment:
        """The assessment of a turn whose time was up before it had a score."""
        profile, budget_ms = self.profile, case.deadline.budget_ms
        weighing = profile.evidence.get(case.language or "")
        highest = highest_score(profile.tree, profile.weights, made, weighing)
        refused = self.assessing.refused(case, NotScorableError(out_of_time(budget_ms)))
        cut_off = CutOff(budget_ms, unread, late)
        return unfinished(refused, profile, _in_order(made), statements, highest, cut_off)


def _in_order(made: Mapping[str, Measurement]) -> Mapping[str, Measurement]:
    return {name: made[name] for name in BY_NAME if name in made}


def _is_compared(made: Collection[str]) -> bool:
    """Whether something that was measured has held the answer's statements against the pages."""
    return any("comparator" in BY_NAME[name].needs for name in made)
