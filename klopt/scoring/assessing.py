"""What comes of a turn: its assessment, scored, refused, or cut off when its time was up."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final

from klopt.classifier import Classification
from klopt.heuristics import BY_NAME, Material
from klopt.measurement import Measurement
from klopt.reading.reader import Reading
from klopt.records import Page, Turn
from klopt.scoring.admission import Deadline, NotScorableError
from klopt.scoring.assessment import Assessment, CutOff
from klopt.scoring.explanation import (
    TELLING,
    Refusal,
    as_read,
    capitalised,
    explain_cut_off,
    explain_refusal,
    explain_walk,
    headline,
)
from klopt.scoring.interpretation import Scope, TranslationNote
from klopt.scoring.languages import Languages
from klopt.scoring.statements import WEAKEST, CheckedStatement, with_unknown_names
from klopt.scoring.tree import Node, Walk, highest_score, stars
from klopt.scoring.verdict import Grounds

_KEPT: Final = 256
"""Fingerprints that are kept, and weights of languages."""


@dataclass(slots=True)
class Case:
    """One turn on its way, and what is known of it so far.

    Attributes:
        turn: The turn.
        deadline: When its time is up.
        language: Its language; None until it was told.
        own: The language of the profile whose tables read the turn as it is.
        scope: What reads a translation; None when nothing does.
        has_tables: Whether the turn can be scored as it is.
        question: The question, as it was classified.
        classification: Its message type.
        note: What came of the translation.
        translator: What translated, in a word for the fingerprint.
        retrieved: The pages that were found for it.
        retriever: How many were looked for where, in a word for the fingerprint.
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


class Assessing:
    """Makes assessments by one profile.

    Args:
        languages: What turns are read with, by which profile.
    """

    def __init__(self, languages: Languages) -> None:
        self.profile = languages.profile
        self._nodes: dict[str | None, Node] = {one.node: one for one in self.profile.tree}
        # While a translator is asked, its memory grows, and with it the fingerprint changes.
        self._line = lru_cache(_KEPT)(languages.fingerprint)
        self._counts = lru_cache(_KEPT)(self.profile.counts)

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

        Args:
            case: The turn.
            material: What was read of it.
            made: What was measured.
            late: Where faults were still to be looked for when the time was up.
            statements: Those of the answer.
            outcome: The score by the tree.
            is_weighed: Whether evidence for and against was added up to it.
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
    return question.original(classification.start, classification.end)


def _in_order(made: Mapping[str, Measurement]) -> Mapping[str, Measurement]:
    return {name: made[name] for name in BY_NAME if name in made}
