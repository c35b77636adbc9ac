"""One way from a turn to its assessment: admit it, read it, measure it, weigh it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

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
from klopt.records import MESSAGE_TYPES, Turn
from klopt.scoring.admission import (
    COMPARING_CHARS,
    Deadline,
    NotScorableError,
    OutOfTimeError,
    other_language,
    read_contexts,
    read_pages,
    read_turn,
    tell_language,
)
from klopt.scoring.assessing import Assessing, Case
from klopt.scoring.assessment import Assessment
from klopt.scoring.explanation import TELLING, Refusal
from klopt.scoring.interpretation import TranslatedTurns
from klopt.scoring.languages import Languages
from klopt.scoring.setup import Setup
from klopt.scoring.statements import CheckedStatement, checked_statements
from klopt.scoring.tree import walk
from klopt.scoring.verdict import DENIED


class Measuring:
    """Measures turns, and says what is to be done with their answers.

    Safe to use from several threads.

    Args:
        setup: With what.

    Attributes:
        languages: What turns are read with.
        assessing: Makes the assessments.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.profile = setup.profile
        self.languages = Languages(setup.profile, setup.terms, setup.index)
        self.assessing = Assessing(self.languages)
        self._translated: TranslatedTurns | None = None
        if setup.translate is not None:
            target = setup.translate.interpreter.target
            setup.check_language(target)
            self._translated = TranslatedTurns(setup.translate, self.languages[target])

    def assess(self, turn: Turn, *, measure_all: bool, deadline: Deadline) -> Assessment:
        """Scores a turn, as `klopt.scoring.scorer.Scorer.score` says, without second opinions."""
        case = Case(turn, deadline)
        try:
            if not deadline.allows(len(turn.question) + len(turn.answer)):
                raise OutOfTimeError
            own, marked = self._materials(case, *read_turn(turn))
            return self._assess(case, own, marked, measure_all)
        except NotScorableError as stop:
            return self.assessing.refused(case, stop)
        except OutOfTimeError as stop:
            return self.assessing.unfinished(case, {}, (), tuple(self.profile.weights), stop.unread)
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
            language = self._route(case, (question,))
        except NotScorableError as stop:
            raise UnknownLanguageError(stop.refusal.words(None)) from None
        asked = self.languages[case.own].reader.read_plain(question)
        if self._translated is not None and case.scope == "whole":
            try:
                asked = self._translated.question(asked, language)
            except TranslationError:
                if self._translated.is_needed(has_tables=case.has_tables):
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
        if self._translated is not None:
            self._route(case, (question, answer))
        return None if case.scope else self._materials(case, question, answer)[0]

    def _route(self, case: Case, texts: Sequence[PlainText]) -> str:
        """Decides how a turn goes, by its language, which is given back.

        Raises:
            NotScorableError: The language cannot be told, or nothing here reads it.
        """
        profile, translate = self.profile, self.setup.translate
        if profile.opinion is not None and self.setup.adviser is None:
            raise ConfigurationError(
                f'profile "{profile.name}" asks for second opinions of {profile.opinion.who}, and '
                "this scorer has none; Scorer(profile, adviser=...) takes them"
            )
        if profile.translate is not None and translate is None:
            raise ConfigurationError(
                f'profile "{profile.name}" translates to "{profile.translate.to}", and '
                "this scorer has no translation; Scorer(profile, translate=...) takes one"
            )
        known, is_any = profile.languages, translate is not None
        language = tell_language(case.turn.language, texts, known, translatable=is_any)
        case.language = case.own = language
        if translate is not None and language != translate.interpreter.target:
            case.has_tables = language in known
            case.scope = translate.scope if case.has_tables else "whole"
            case.own = language if case.has_tables else translate.interpreter.target
        return language

    def _materials(
        self, case: Case, question: PlainText, answer: PlainText
    ) -> tuple[Material, Material]:
        """What is read of a turn, and what those heuristics read that the paper marks.

        Both are the same, but where only the marked ones read a translation.

        Raises:
            NotScorableError: It is not to be scored, or cannot be.
            OutOfTimeError: There is no time to read its pages.
        """
        language = self._route(case, (question, answer))
        setup = self.setup
        if setup.index is not None and setup.retrieve and not case.turn.pages:
            hits = setup.index.search(case.turn.question, setup.retrieve, language=language)
            case.retrieved = tuple(hit.page for hit in hits)
            case.retriever = f"{setup.retrieve}@{setup.index.digest[:8]}"
            case.turn = replace(case.turn, contexts=case.retrieved)
        tables = self.languages[case.own]
        reader = tables.reader
        if case.scope == "whole" and self._translated is not None:
            pages = read_pages(case.turn.pages, tables, case.deadline)
            if not self._translated.readable(pages, language):
                raise other_language(pages, language)
            read = reader.read_plain(question), reader.read_plain(answer)
            whole = self._translate(case, language, Material(*read, pages, tables))
            if whole is not None:
                self._admit(case, whole.question)
                return whole, whole
        asked = self._admit(case, reader.read_plain(question))
        contexts = read_contexts(case.turn.pages, tables, case.deadline)
        own = Material(asked, reader.read_plain(answer), contexts, tables)
        marked = self._translate(case, language, own) if case.scope == "marked" else None
        return own, marked or own

    def _translate(self, case: Case, language: str, material: Material) -> Material | None:
        """The turn in the target language, or None when it is to be scored on the original.

        Raises:
            NotScorableError: It was not translated, and the original will not do.
        """
        if self._translated is None or case.scope is None:
            return None
        found, case.note = self._translated.read(
            material, language, case.scope, with_page_names=not case.has_tables
        )
        if found is not None:
            case.translator = f"{case.scope}:{found.signature}"
            return found.material
        if self._translated.is_needed(has_tables=case.has_tables):
            refusal = Refusal("not_translated", case.note.reason or "", wanted=case.note.target)
            raise NotScorableError(refusal, is_error=True)
        return None

    def _admit(self, case: Case, question: Reading) -> Reading:
        """The question, once its type is known and among those that are scored."""
        case.question = question
        case.classification = self._classify(case.turn, question)
        if case.classification.message_type not in self.setup.types:
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

    def _assess(self, case: Case, own: Material, marked: Material, measure_all: bool) -> Assessment:
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
            reads = marked if heuristic.reads_translation else own
            made[name] = heuristic(reads, self.languages.options[name])
            return made[name]

        profile = self.profile
        weighing = profile.evidence.get(own.answer.language)
        outcome = walk(profile.tree, profile.weights, measure, weighing)
        if late:
            statements = self._statements(own, made, late)
            return self.assessing.unfinished(case, made, statements, tuple(late), ())
        is_weighed = bool(profile.evidence) and outcome.rule in (None, profile.tree[-1].node)
        if is_weighed and own.is_bare:
            raise NotScorableError(Refusal("nothing_checked"))
        if outcome.score is None:
            raise NotScorableError(Refusal("nothing_measurable"))
        for name in (TELLING, DENIED):
            if name in profile.weights:
                measure(name)
        is_blocked = outcome.score < profile.block_below and is_weighed
        if self.setup.adviser or outcome.score >= profile.send_from or is_blocked:
            for name in profile.review_on:
                measure(name)
        for name in profile.weights if measure_all else ():
            measure(name)
        statements = self._statements(own, made, late)
        return self.assessing.scored(
            case, own, made, late, statements, outcome, is_weighed=is_weighed
        )

    def _statements(
        self, material: Material, made: Collection[str], late: Collection[str]
    ) -> tuple[CheckedStatement, ...]:
        """The statements of an answer, unless they were to be compared when the time was up."""
        if "comparator" not in self.languages.needs or (late and not _is_compared(made)):
            return ()
        return checked_statements(material, self.languages.fault_below)


def _is_compared(made: Collection[str]) -> bool:
    """Whether something that was measured has held the answer's statements against the pages."""
    return any("comparator" in BY_NAME[name].needs for name in made)
