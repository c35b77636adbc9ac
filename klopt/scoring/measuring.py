"""One way from a turn to its assessment: admit it, read it, measure it, weigh it, say it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar, Final

from klopt.classifier import Classification, classify
from klopt.errors import ConfigurationError, PatternTimeoutError, UnknownLanguageError
from klopt.heuristics import BY_NAME, Material
from klopt.reading.markup import read_text
from klopt.reading.reader import LanguageVote, Reading, settled, vote
from klopt.reading.text import PlainText
from klopt.records import MESSAGE_TYPES, Measurement, MessageType, Page, Turn
from klopt.scoring.assessment import Assessment, CheckedStatement, CutOff, TurnLanguages
from klopt.scoring.explanation import (
    TELLING,
    Refusal,
    as_read,
    capitalised,
    explain_cut_off,
    explain_walk,
    headline,
    texts,
)
from klopt.scoring.interpretation import Scope, TranslationNote
from klopt.scoring.readable import (
    NotScorableError,
    OutOfTimeError,
    look_alike,
    other_language,
    read_pages,
    read_turn,
)
from klopt.scoring.setup import Deadline, Languages, Setup
from klopt.scoring.statements import checked_statements, with_unknown_names
from klopt.scoring.tree import DENIED, WEAKEST, Grounds, Node, Walk, highest_score, stars, walk

SHOWN_CHARS: Final = 60
"""Of a word that is told."""
COMPARING_CHARS: Final = 600
"""To hold an answer against its pages is taken to need as long as to read so many and its own."""
TOLD_CHARS: Final = 1_000
"""So much of a question, and of an answer, says in what language it is told that they were not
read."""
_KEPT: Final = 256
"""Fingerprints that are kept, and weights of languages."""
_CODE: Final = re.compile(r"[a-z]{2,3}")


@dataclass(slots=True)
class Case:
    """One turn on its way, and what is known of it so far.

    Attributes:
        own: The language of the profile whose tables read the turn as it is.
        scope: What reads a translation; None when nothing does.
        has_tables: Whether the turn can be scored as it is.
        question: The question, as it was classified.
        translator: What translated, in a word for the fingerprint.
        is_rough: Whether that was word for word.
        retriever: How many pages were looked for where, in a word for the fingerprint.
        made: Heuristic → measurement, in the order in which the tree asked.
        late: The heuristics that were asked when the time was up.
        languages: What its texts read like, where that is not all one language.
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
    is_rough: bool = False
    retrieved: tuple[Page, ...] = ()
    retriever: str | None = None
    made: dict[str, Measurement] = field(default_factory=dict)
    late: dict[str, Measurement] = field(default_factory=dict)
    languages: TurnLanguages | None = None

    @property
    def is_compared(self) -> bool:
        """Whether what was measured has held the answer's statements against the pages."""
        return any("comparator" in BY_NAME[name].needs for name in self.made)

    @property
    def span(self) -> tuple[int, int] | None:
        """Where in the original question its message type was decided; None when nowhere."""
        classification = self.classification
        if (
            self.question is None
            or classification is None
            or classification.end <= classification.start
        ):
            return None
        return self.question.plain.original(classification.start, classification.end)

    @property
    def told_in(self) -> str | None:
        """The language to tell in: the turn's, or what its beginning reads like so far."""
        turn = self.turn
        if self.language is not None or turn.language != "auto":
            return self.language or turn.language
        votes = vote([turn.question[:TOLD_CHARS], turn.answer[:TOLD_CHARS]])
        return votes.language or votes.other

    @property
    def measurements(self) -> dict[str, Measurement]:
        """What was measured, in the order of `klopt.heuristics.ALL`."""
        return {name: self.made[name] for name in BY_NAME if name in self.made}


class Measuring:
    """Measures turns, and says what is to be done with their answers; safe in threads.

    What reads a turn raises `NotScorableError` and `OutOfTimeError`; `assess` turns them into
    assessments.
    """

    reads_any_language: ClassVar[bool] = False

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.profile = setup.profile
        self.languages = Languages(setup.profile, setup.terms, setup.index)
        self.types = MESSAGE_TYPES if setup.all_types else self.profile.message_types
        self._nodes: dict[str | None, Node] = {node.node: node for node in self.profile.tree}
        # While a translator is asked, its memory grows, and with it the fingerprint changes.
        self._line = lru_cache(_KEPT)(self.languages.fingerprint)
        self._counts = lru_cache(_KEPT)(self.profile.counts)

    def assess(self, turn: Turn, *, measure_all: bool, deadline: Deadline) -> Assessment:
        """Scores a turn, as `klopt.scoring.scorer.Scorer.score` says, without second opinions."""
        case = Case(turn, deadline)
        try:
            if not deadline.allows(len(turn.question) + len(turn.answer)):
                raise OutOfTimeError
            return self._assess(case, *self.materials(case), measure_all)
        except NotScorableError as stop:
            return self.refused(case, stop)
        except OutOfTimeError as stop:
            return self._unfinished(case, (), tuple(self.profile.weights), stop.unread)
        except PatternTimeoutError as error:
            refusal = Refusal("pattern_timeout", found=str(error))
            return self.refused(case, NotScorableError(refusal, is_error=True))

    def classify(self, turn: Turn) -> tuple[Classification, tuple[int, int] | None]:
        """As `klopt.scoring.scorer.Scorer.classify` says."""
        case = Case(turn)
        try:
            asked = self.question(case, read_text(turn.question))
            return self.admit(case, asked, MESSAGE_TYPES), case.span
        except NotScorableError as stop:
            raise UnknownLanguageError(stop.refusal.words(None)) from None

    def question(self, case: Case, question: PlainText) -> Reading:
        """A question alone, as its message type is told from it."""
        self.route(case, (question,))
        return self.languages[case.own].reader.read_plain(question)

    def material(self, turn: Turn) -> Material | None:
        """What heuristics are given of a turn; None where they are not given it as it is."""
        return self.materials(Case(turn))[0]

    def materials(self, case: Case) -> tuple[Material, Material]:
        """What is read of a turn, and what those heuristics read that the paper marks."""
        question, answer = read_turn(case.turn)
        language = self.route(case, (question, answer))
        setup = self.setup
        if setup.index is not None and setup.retrieve and not case.turn.pages:
            hits = setup.index.search(
                case.turn.question,
                setup.retrieve,
                language=language,
                pages_in=None if self.reads_any_language else (language,),
            )
            case.retrieved = tuple(hit.page for hit in hits)
            case.retriever = f"{setup.retrieve}@{setup.index.digest[:8]}"
            case.turn = replace(case.turn, contexts=case.retrieved)
        own, marked = self.read(case, language, question, answer)
        case.languages = self._spoken(case, question, answer)
        return own, marked

    def _spoken(self, case: Case, *texts: PlainText) -> TurnLanguages | None:
        """What each text of a turn reads like by itself, unless all are as the turn."""
        tables = self.languages[case.own]
        pages = [tables.page(page).reading for page in case.turn.pages]
        voted = [(vote([text.running_text]), text) for text in texts]
        voted += [(page.vote, page.plain) for page in pages]
        asked, answered, *others = (self._reads_like(case, *one) for one in voted)
        same = {asked, answered, *others} <= {case.language, None}
        return None if same else TurnLanguages(asked, answered, tuple(others))

    def _reads_like(self, case: Case, votes: LanguageVote, text: PlainText) -> str | None:
        """The language of a text; that of its turn where it may be of that one among others."""
        candidates = {language for language, _ in votes.shares}
        if votes.language is None and not candidates.isdisjoint(self.profile.languages):
            return case.language if case.language in candidates else None
        return votes.language or votes.other or self.other_language(votes, (text,))

    def route(self, case: Case, texts: Sequence[PlainText]) -> str:
        """Decides how a turn goes, by its language, which is given back: stated, or by a vote."""
        profile, language = self.profile, case.turn.language
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
        if language == "auto":
            votes = vote([text.running_text for text in texts])
            told = votes.language or settled(votes, case.turn.pages)
            language = told or self.other_language(votes, texts) or ""
            if not language:
                raise NotScorableError(Refusal("language_unknown", found=votes.reason or ""))
        is_code = self.reads_any_language and _CODE.fullmatch(language)
        if language not in profile.languages and not is_code:
            known = ", ".join(profile.languages)
            raise NotScorableError(Refusal("language_unsupported", language, known))
        case.language = case.own = language
        return language

    def other_language(self, votes: LanguageVote, texts: Sequence[PlainText]) -> str | None:
        """A language without tables that a turn is read in; None where only those with are."""
        return None

    def read(
        self, case: Case, language: str, question: PlainText, answer: PlainText
    ) -> tuple[Material, Material]:
        """A turn in its own words, on the pages in its language and those in nobody knows which."""
        tables = self.languages[case.own]
        asked = tables.reader.read_plain(question)
        self.admit(case, asked, self.types)
        pages, known = read_pages(case.turn.pages, tables, case.deadline), (None, tables.code)
        same = tuple(page for page in pages if page.index.reading.vote.language in known)
        if not same:
            raise other_language(pages, tables.code)
        own = Material(asked, tables.reader.read_plain(answer), same, tables)
        return own, own

    def admit(
        self, case: Case, question: Reading, types: Collection[MessageType]
    ) -> Classification:
        """The message type of a question, if it is among those that are wanted."""
        given = case.turn.message_type
        if given is None:
            classification = classify(
                question.plain.text,
                self.languages[question.language].lexicons,
                method=self.profile.classifier,
                sentences=question.sentences,
            )
        else:
            classification = Classification(given, "given", 0, 0)
        case.question, case.classification = question, classification
        if classification.message_type not in types:
            raise NotScorableError(Refusal("out_of_scope", found=classification.message_type))
        return classification

    def _assess(self, case: Case, own: Material, marked: Material, measure_all: bool) -> Assessment:
        """Measures what the tree asks for on its way to a score."""
        made, late, profile = case.made, case.late, self.profile

        def measure(name: str) -> Measurement:
            if name in made:
                return made[name]
            heuristic = BY_NAME[name]
            if case.is_rough and name == TELLING:
                return made.setdefault(name, Measurement.missing("names may be translated too"))
            if case.deadline.is_set:
                compares = "comparator" in heuristic.needs and not case.is_compared
                chars = COMPARING_CHARS + len(case.turn.answer) if compares else 0
                if late or not case.deadline.allows(chars):
                    return late.setdefault(name, Measurement.missing("the time was up"))
            reads = marked if heuristic.reads_translation else own
            made[name] = heuristic(reads, self.languages.options[name])
            return made[name]

        weighing = profile.evidence.get(own.answer.language)
        outcome = walk(profile.tree, profile.weights, measure, weighing)
        is_weighed = bool(profile.evidence) and outcome.rule in (None, profile.tree[-1].node)
        has_score = not late
        if has_score:
            if is_weighed and own.is_bare:
                raise NotScorableError(Refusal("nothing_checked"))
            if outcome.score is None:
                raise NotScorableError(Refusal("nothing_measurable"))
            is_blocked = outcome.score < profile.block_below and is_weighed
            is_held = self.setup.adviser or outcome.score >= profile.send_from or is_blocked
            for name in (
                *(one for one in (TELLING, DENIED) if one in profile.weights),
                *(profile.review_on if is_held else ()),
                *(profile.weights if measure_all else ()),
            ):
                measure(name)
        statements: tuple[CheckedStatement, ...] = ()
        if "comparator" in self.languages.needs and (not late or case.is_compared):
            statements = checked_statements(own, self.languages.fault_below)
        if has_score:
            return self._scored(case, own, statements, outcome, is_weighed=is_weighed)
        return self._unfinished(case, statements, tuple(late))

    def refused(self, case: Case, stop: NotScorableError) -> Assessment:
        """The assessment of a turn that was not scored."""
        refusal = stop.refusal
        if refusal.code == "no_contexts" and case.retriever and not case.retrieved:
            refusal = Refusal("nothing_found")
        language = case.told_in
        why = texts(language)["verdict"]["unscored"]
        return Assessment(
            **self._about(case),
            score=None,
            stars=None,
            verdict="unscored",
            status="error" if stop.is_error else "not_scorable",
            reason_code=refusal.code,
            reason=refusal.words(None),
            rule=None,
            path=(),
            abstained=False,
            measurements={},
            statements=(),
            weights=self._counts(case.language),
            sentences=(f"{why.format(reason=refusal.words(language))}.",),
        )

    def _scored(
        self,
        case: Case,
        material: Material,
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
        mixed = look_alike(answer.plain.text)
        grounds = Grounds(
            score=outcome.score,
            faults=profile.faulty(case.made),
            is_weighed=is_weighed,
            is_open=is_weighed and abstained,
            is_rough=case.is_rough or mixed is not None,
        )
        unstated = statements
        if statements and not abstained and WEAKEST in profile.review_on:
            pairs = zip(statements, material.statements or (), strict=True)
            unstated = tuple(replace(one, fault=one.fault or not it.stands) for one, it in pairs)
            grounds = replace(grounds, is_unstated=any(statement.fault for statement in unstated))
        decided = profile.decide(grounds)
        if decided.held:
            statements = unstated
        said_in = case.language or answer.language
        why = explain_walk(
            replace(outcome, score=decided.score),
            self._nodes[outcome.rule],
            case.made,
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
            statements = with_unknown_names(statements, case.made.get(TELLING))
        code, reason = note.reason_code if note is not None else None, None
        if note is not None and note.status == "failed":
            reason = Refusal("on_original", found=note.reason or "", wanted=note.target)
        if case.is_rough:
            why = (*why, texts(said_in)["word_for_word"])
        if mixed is not None:
            why = (*why, texts(said_in)["look_alike"].format(word=mixed[:SHOWN_CHARS]))
        cut_off = None
        if case.late:
            budget_ms = case.deadline.budget_ms
            cut_off = CutOff(budget_ms, (), tuple(case.late))
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
            status="cut_off" if cut_off else "scored_on_original" if reason else "scored",
            reason_code=code,
            reason=None if reason is None else reason.words(None),
            rule=outcome.rule,
            path=outcome.visits,
            abstained=abstained,
            measurements=case.measurements,
            statements=statements,
            weights=self._counts(answer.language),
            sentences=why,
            cut_off=cut_off,
        )

    def _unfinished(
        self,
        case: Case,
        statements: tuple[CheckedStatement, ...],
        late: tuple[str, ...],
        unread: tuple[str, ...] = (),
    ) -> Assessment:
        """The assessment of a turn whose time was up before it had a score.

        It is blocked where the whole would be: by a fault that was found already and the highest
        score that it can still come to. Else a person looks at it.
        """
        profile, budget_ms = self.profile, case.deadline.budget_ms
        weighing = profile.evidence.get(case.language or "")
        grounds = Grounds(
            score=highest_score(profile.tree, profile.weights, case.made, weighing),
            faults=profile.faulty(case.made),
            is_weighed=bool(profile.evidence),
            is_cut_off=True,
        )
        verdict = profile.decide(grounds).verdict
        refusal = Refusal("out_of_time", found=f"{budget_ms:g}")
        language = case.told_in
        sentences = explain_cut_off(case.made, verdict, language, statements)
        return replace(
            self.refused(case, NotScorableError(refusal)),
            verdict=verdict,
            status="cut_off",
            measurements=case.measurements,
            statements=with_unknown_names(statements, case.made.get(TELLING)),
            sentences=(*sentences, f"{capitalised(refusal.words(language))}."),
            cut_off=CutOff(budget_ms, unread, late),
        )

    def _about(self, case: Case) -> dict[str, Any]:
        """What an assessment says of any turn, scored or not."""
        classification, note = case.classification, case.note
        read: tuple[str, ...] = () if case.language is None else (case.own,)
        if case.translator is not None and note is not None:
            read = tuple(dict.fromkeys((case.own, note.target)))
        line = self._line(case.language, read, case.translator)
        return {
            "id": case.turn.id,
            "language": case.language,
            "message_type": classification.message_type if classification else None,
            "pattern": classification.pattern if classification else None,
            "span": case.span,
            "fingerprint": f"{line}|retrieved:{case.retriever}" if case.retriever else line,
            "translation": note,
            "retrieved": case.retrieved,
            "languages": case.languages,
            "meta": case.turn.meta,
        }
