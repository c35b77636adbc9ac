"""One way from a turn to its assessment: admit it, read it, measure it, weigh it, say it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar, Final

from klopt.classifier import Classification, classify
from klopt.errors import (
    ConfigurationError,
    PatternTimeoutError,
    UnknownLanguageError,
)
from klopt.heuristics import BY_NAME, Material
from klopt.measurement import Measurement
from klopt.reading.reader import Reading
from klopt.reading.text import PlainText
from klopt.records import MESSAGE_TYPES, Page, Turn
from klopt.scoring.admission import (
    COMPARING_CHARS,
    Deadline,
    NotScorableError,
    OutOfTimeError,
    read_contexts,
    read_turn,
    tell_language,
)
from klopt.scoring.assessment import Assessment, CheckedStatement, CutOff
from klopt.scoring.explanation import (
    TELLING,
    Refusal,
    as_read,
    capitalised,
    checked_statements,
    explain_cut_off,
    explain_refusal,
    explain_walk,
    headline,
    with_unknown_names,
)
from klopt.scoring.interpretation import Scope, TranslationNote
from klopt.scoring.setup import Languages, Setup
from klopt.scoring.tree import (
    DENIED,
    WEAKEST,
    Grounds,
    Node,
    Walk,
    highest_score,
    stars,
    walk,
)

_KEPT: Final = 256
"""Fingerprints that are kept, and weights of languages."""


@dataclass(slots=True)
class Case:
    """One turn on its way, and what is known of it so far.

    Attributes:
        own: The language of the profile whose tables read the turn as it is.
        scope: What reads a translation; None when nothing does.
        has_tables: Whether the turn can be scored as it is.
        question: The question, as it was classified.
        translator: What translated, in a word for the fingerprint.
        retriever: How many pages were looked for where, in a word for the fingerprint.
    """

    turn: Turn
    deadline: Deadline = field(default_factory=Deadline)
    language: str | None = None
    own: str = ""
    scope: Scope | None = None
    has_tables: bool = True
    question: Reading | None = None
    classification: Classification | None = None
    note: TranslationNote | None = None
    translator: str | None = None
    retrieved: tuple[Page, ...] = ()
    retriever: str | None = None


class Measuring:
    """Measures turns, and says what is to be done with their answers; safe in threads."""

    reads_any_language: ClassVar[bool] = False

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.profile = setup.profile
        self.languages = Languages(setup.profile, setup.terms, setup.index)
        self._nodes: dict[str | None, Node] = {one.node: one for one in self.profile.tree}
        # While a translator is asked, its memory grows, and with it the fingerprint changes.
        self._line = lru_cache(_KEPT)(self.languages.fingerprint)
        self._counts = lru_cache(_KEPT)(self.profile.counts)

    def assess(self, turn: Turn, *, measure_all: bool, deadline: Deadline) -> Assessment:
        """Scores a turn, as `klopt.scoring.scorer.Scorer.score` says, without second opinions."""
        case = Case(turn, deadline)
        try:
            if not deadline.allows(len(turn.question) + len(turn.answer)):
                raise OutOfTimeError
            own, marked = self.materials(case, *read_turn(turn))
            return self._assess(case, own, marked, measure_all)
        except NotScorableError as stop:
            return self.refused(case, stop)
        except OutOfTimeError as stop:
            return self.unfinished(case, {}, (), tuple(self.profile.weights), stop.unread)
        except PatternTimeoutError as error:
            refusal = Refusal("pattern_timeout", found=str(error))
            return self.refused(case, NotScorableError(refusal, is_error=True))

    def classify(self, turn: Turn, question: PlainText) -> tuple[Classification, Reading]:
        """The message type of a question, and the reading that it was found in.

        Raises:
            UnknownLanguageError: The language cannot be told, or the profile does not have it.
            PatternTimeoutError: A pattern took too long on it.
            TranslationError: It could not be translated.
        """
        try:
            asked = self.question(Case(turn), question)
        except NotScorableError as stop:
            raise UnknownLanguageError(stop.refusal.words(None)) from None
        return self._classify(turn, asked), asked

    def question(self, case: Case, question: PlainText) -> Reading:
        """A question alone, as its message type is told from it."""
        self.route(case, (question,))
        return self.languages[case.own].reader.read_plain(question)

    def material(self, turn: Turn) -> Material | None:
        """What heuristics are given of a turn; None where they are not given it as it is.

        Raises:
            NotScorableError: It is not scored as it is.
            PatternTimeoutError: A pattern took too long on it.
        """
        return self.materials(Case(turn), *read_turn(turn))[0]

    def route(self, case: Case, texts: Sequence[PlainText]) -> str:
        """Decides how a turn goes, by its language, which is given back.

        Raises:
            NotScorableError: The language cannot be told, or nothing here reads it.
        """
        profile = self.profile
        if profile.opinion is not None and self.setup.adviser is None:
            raise ConfigurationError(
                f'profile "{profile.name}" asks for second opinions of {profile.opinion.who}, and '
                "this scorer has none; Scorer(profile, adviser=...) takes them"
            )
        if profile.translate is not None and self.setup.translate is None:
            raise ConfigurationError(
                f'profile "{profile.name}" translates to "{profile.translate.to}", and '
                "this scorer has no translation; Scorer(profile, translate=...) takes one"
            )
        case.language = case.own = tell_language(
            case.turn.language, texts, profile.languages, translatable=self.reads_any_language
        )
        return case.language

    def materials(
        self, case: Case, question: PlainText, answer: PlainText
    ) -> tuple[Material, Material]:
        """What is read of a turn, and what those heuristics read that the paper marks.

        Raises:
            NotScorableError: It is not to be scored, or cannot be.
            OutOfTimeError: There is no time to read its pages.
        """
        self.find_pages(case, self.route(case, (question, answer)))
        own = self.as_it_is(case, question, answer)
        return own, own

    def find_pages(self, case: Case, language: str) -> None:
        """Finds pages for a turn that has none, where there is an index to look in."""
        setup = self.setup
        if setup.index is not None and setup.retrieve and not case.turn.pages:
            hits = setup.index.search(case.turn.question, setup.retrieve, language=language)
            case.retrieved = tuple(hit.page for hit in hits)
            case.retriever = f"{setup.retrieve}@{setup.index.digest[:8]}"
            case.turn = replace(case.turn, contexts=case.retrieved)

    def as_it_is(self, case: Case, question: PlainText, answer: PlainText) -> Material:
        """A turn in its own words.

        Raises:
            NotScorableError: It is not to be scored, or cannot be.
            OutOfTimeError: There is no time to read its pages.
        """
        tables = self.languages[case.own]
        asked = self.admit(case, tables.reader.read_plain(question))
        contexts = read_contexts(case.turn.pages, tables, case.deadline)
        return Material(asked, tables.reader.read_plain(answer), contexts, tables)

    def admit(self, case: Case, question: Reading) -> Reading:
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
            if case.deadline.is_set:
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
            return self.unfinished(case, made, statements, tuple(late), ())
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
        return self.scored(case, own, made, late, statements, outcome, is_weighed=is_weighed)

    def _statements(
        self, material: Material, made: Collection[str], late: Collection[str]
    ) -> tuple[CheckedStatement, ...]:
        """The statements of an answer, unless they were to be compared when the time was up."""
        if "comparator" not in self.languages.needs or (late and not _is_compared(made)):
            return ()
        return checked_statements(material, self.languages.fault_below)

    def refused(self, case: Case, stop: NotScorableError) -> Assessment:
        """The assessment of a turn that was not scored."""
        refusal = stop.refusal
        if refusal.code == "no_contexts" and case.retriever and not case.retrieved:
            refusal = Refusal("nothing_found")
        return Assessment(
            **self._about(case),
            score=None,
            stars=None,
            verdict=self.profile.decide(Grounds(score=None)).verdict,
            status="error" if stop.is_error else "not_scorable",
            reason_code=refusal.code,
            reason=refusal.words(None),
            rule=None,
            path=(),
            abstained=False,
            measurements={},
            statements=(),
            weights=self._counts(case.language),
            sentences=explain_refusal(refusal, case.language),
        )

    def scored(
        self,
        case: Case,
        material: Material,
        made: Mapping[str, Measurement],
        late: Collection[str],
        statements: tuple[CheckedStatement, ...],
        outcome: Walk,
        *,
        is_weighed: bool,
    ) -> Assessment:
        """The assessment of a turn that has its score.

        Where something is ``late``, faults were still to be looked for when the time was up.
        """
        profile, answer, note = self.profile, material.answer, case.note
        abstained = material.refusal is not None
        grounds = Grounds(
            score=outcome.score,
            faults=tuple(profile.faulty(made)),
            is_weighed=is_weighed,
            is_open=is_weighed and abstained,
        )
        unstated = statements
        if statements and not abstained and WEAKEST in profile.review_on:
            pairs = zip(statements, material.statements or (), strict=True)
            unstated = tuple(replace(one, fault=one.fault or not it.stands) for one, it in pairs)
            grounds = replace(grounds, is_unstated=any(one.fault for one in unstated))
        decided = profile.decide(grounds)
        if decided.held:
            statements = unstated
        said_in = case.language if case.has_tables else answer.language
        why = explain_walk(
            replace(outcome, score=decided.score),
            self._nodes[outcome.rule],
            made,
            decided.verdict,
            said_in or "",
            abstained=abstained,
            held=decided.held,
            statements=statements,
            # The answer itself is quoted, and not its translation, to those who know the answer.
            quote=as_read
            if case.translator is None
            else lambda one: answer.plain.quoted(one.start, one.end) or one.text,
        )
        if decided.verdict != "send":
            statements = with_unknown_names(statements, made.get(TELLING))
        code, reason = note.reason_code if note is not None else None, None
        if note is not None and note.status == "failed":
            reason = Refusal("on_original", found=note.reason or "", wanted=note.target)
        if late:
            budget_ms = case.deadline.budget_ms
            reason = Refusal("out_of_time", found=f"{budget_ms:g}")
            code = reason.code
            is_sent = decided.verdict == "send"
            decided = profile.decide(replace(grounds, is_cut_off=True))
            told = headline(decided.verdict, decided.score or 0.0, case.language)
            why = (told, *(() if is_sent else why[1:]))
        if reason is not None:
            why = (*why, f"{capitalised(reason.words(said_in))}.")
        return Assessment(
            **self._about(case),
            score=decided.score,
            stars=stars(decided.score or 0.0),
            verdict=decided.verdict,
            status="cut_off" if late else "scored_on_original" if reason else "scored",
            reason_code=code,
            reason=None if reason is None else reason.words(None),
            rule=outcome.rule,
            path=outcome.visits,
            abstained=abstained,
            measurements=_in_order(made),
            statements=statements,
            weights=self._counts(answer.language),
            sentences=why,
            cut_off=CutOff(case.deadline.budget_ms, (), tuple(late)) if late else None,
        )

    def unfinished(
        self,
        case: Case,
        made: Mapping[str, Measurement],
        statements: tuple[CheckedStatement, ...],
        late: tuple[str, ...],
        unread: tuple[str, ...],
    ) -> Assessment:
        """The assessment of a turn whose time was up before it had a score.

        It is blocked where the whole would be: by a fault that was found already and the highest
        score that it can still come to. Else a person looks at it.
        """
        profile, budget_ms = self.profile, case.deadline.budget_ms
        weighing = profile.evidence.get(case.language or "")
        highest = highest_score(profile.tree, profile.weights, made, weighing)
        grounds = Grounds(
            score=highest,
            faults=tuple(profile.faulty(made)),
            is_weighed=bool(profile.evidence),
            is_cut_off=True,
        )
        verdict = profile.decide(grounds).verdict
        refusal = Refusal("out_of_time", found=f"{budget_ms:g}")
        said = explain_cut_off(made, verdict, case.language, statements)
        return replace(
            self.refused(case, NotScorableError(refusal)),
            verdict=verdict,
            status="cut_off",
            measurements=_in_order(made),
            statements=with_unknown_names(statements, made.get(TELLING)),
            sentences=(*said, f"{capitalised(refusal.words(case.language))}."),
            cut_off=CutOff(budget_ms, unread, late),
        )

    def _about(self, case: Case) -> dict[str, Any]:
        """What an assessment says of any turn, scored or not."""
        found = case.classification
        return {
            "id": case.turn.id,
            "language": case.language,
            "message_type": found.message_type if found else None,
            "pattern": found.pattern if found else None,
            "span": question_span(found, case.question) if found and case.question else None,
            "fingerprint": self._fingerprint(case),
            "translation": case.note,
            "retrieved": case.retrieved,
            "meta": case.turn.meta,
        }

    def _fingerprint(self, case: Case) -> str:
        """What was used; a turn that was not translated has that of a scorer that does not."""
        if case.language is None:
            return self._line(None, (), None)
        read: tuple[str, ...] = (case.own,)
        if case.translator is not None and case.note is not None:
            read = tuple(dict.fromkeys((case.own, case.note.target)))
        line = self._line(case.language, read, case.translator)
        return line if case.retriever is None else f"{line}|retrieved:{case.retriever}"


def question_span(classification: Classification, question: Reading) -> tuple[int, int] | None:
    """Where in the original question a message type was decided; None when nowhere."""
    if classification.end <= classification.start:
        return None
    return question.plain.original(classification.start, classification.end)


def _in_order(made: Mapping[str, Measurement]) -> Mapping[str, Measurement]:
    return {name: made[name] for name in BY_NAME if name in made}


def _is_compared(made: Collection[str]) -> bool:
    """Whether something that was measured has held the answer's statements against the pages."""
    return any("comparator" in BY_NAME[name].needs for name in made)
