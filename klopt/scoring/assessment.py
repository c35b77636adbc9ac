"""What comes out: one `Assessment` for each turn, of what was measured or why it was refused."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final, Literal

from klopt.classifier import Classification
from klopt.heuristics import Material
from klopt.measurement import Evidence, Measurement
from klopt.reading.reader import Reading
from klopt.reading.text import PlainText
from klopt.records import MessageType, Page, Turn
from klopt.scoring.admission import NotScorableError
from klopt.scoring.deadline import CutOff, Deadline
from klopt.scoring.explanation import (
    DENIED,
    TELLING,
    Refusal,
    as_read,
    capitalised,
    explain_refusal,
    explain_walk,
)
from klopt.scoring.interpretation import Scope, TranslationNote
from klopt.scoring.languages import Languages
from klopt.scoring.profile import Profile, Verdict
from klopt.scoring.second_opinion import OpinionNote
from klopt.scoring.statements import WEAKEST, CheckedStatement, with_unknown_names
from klopt.scoring.tree import Node, Visit, Walk, stars

_KEPT: Final = 256
"""Fingerprints that are kept."""

Status = Literal["scored", "scored_on_original", "cut_off", "not_scorable", "error"]


@dataclass(frozen=True, slots=True)
class Assessment:
    """How far one answer can be trusted, and why.

    Attributes:
        id: The turn's.
        score: 1 (untrue) to 5 (true); None unless it was scored. Never NaN. Where it was cut off,
            the score, if there is one, is no higher than that of the whole.
        stars: The score rounded to whole stars, halves up.
        verdict: ``send``, ``review`` or ``block`` by the profile's thresholds, of the score as it
            is printed, with one decimal. ``review`` for ``send`` where its ``review_on`` found a
            fault, no page states a statement, or a weighed answer leaves a part of the question
            open; and for ``block`` of a weighed answer in which it found none. The score is then
            the nearest one that is reviewed. Where it was cut off, ``block`` if the whole would be
            blocked whatever else is found, else ``review``. Else ``unscored``: what is not scored
            never passes.
        status: ``scored``; ``scored_on_original``: it was to be translated and could not be, so
            the features that read the translation read the original; ``cut_off``: its time was up
            before everything was measured, and ``cut_off`` says what was not; ``not_scorable``:
            there is nothing to judge or it is out of scope; ``error``: the row or a resource is
            at fault.
        reason_code: A stable word for the reason, such as ``no_contexts``; None when ``scored``.
        reason: The reason in words; None when ``scored``.
        language: The language of the question and answer, or None.
        message_type: One of the seven types, or None before classification.
        pattern: The pattern, or declared rule, that decided the message type.
        span: Its place in the original question; None when nothing in the text decided.
        rule: The node of the tree that decided; None unless scored.
        path: The nodes that the walk came to.
        abstained: Whether the answer says that it does not know, or only refers to people.
        measurements: Heuristic → measurement, those that the walk asked for.
        statements: The answer's statements beside the pages, in order; none where the profile, or
            the language, has nothing that compares them.
        weights: Heuristic → how much it counts in the last node, learnt for the language or set.
        sentences: Why, in the turn's language (English when that is not known): the verdict,
            the node that decided, what it saw.
        fingerprint: What was used, so that like is compared with like.
        translation: What came of the translation; None when nobody asked for one.
        opinions: What came of second opinions; empty when none was wanted. Path, rule and
            measurements stay those of klopt itself.
        cut_off: What it does not rest on, since its time was up; None when it was not.
        retrieved: The pages that klopt found for the question, best first; empty where the turn
            had contexts of its own, or none were looked for.
    """

    id: str
    score: float | None
    stars: int | None
    verdict: Verdict
    status: Status
    reason_code: str | None
    reason: str | None
    language: str | None
    message_type: MessageType | None
    pattern: str | None
    span: tuple[int, int] | None
    rule: str | None
    path: tuple[Visit, ...]
    abstained: bool
    measurements: Mapping[str, Measurement]
    statements: tuple[CheckedStatement, ...]
    weights: Mapping[str, float]
    sentences: tuple[str, ...]
    fingerprint: str
    translation: TranslationNote | None = None
    opinions: tuple[OpinionNote, ...] = ()
    cut_off: CutOff | None = None
    retrieved: tuple[Page, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)

    @property
    def read_as(self) -> str | None:
        """The language whose weights and tables the score rests on; None when none was told."""
        note = self.translation
        if note is not None and note.scope == "whole" and note.status == "translated":
            return note.target
        return self.language

    @property
    def own_score(self) -> float | None:
        """What klopt itself came to, before any second opinion."""
        return self.opinions[0].score_before if self.opinions else self.score

    @property
    def explanation(self) -> str:
        """The sentences as one text."""
        return " ".join(self.sentences)

    @property
    def why(self) -> str:
        """The reason in one sentence: the worst that is wrong, or what the score rests on."""
        return self.sentences[min(1, len(self.sentences) - 1)]

    def __str__(self) -> str:
        r"""Two lines: the verdict, and why.

        >>> from klopt import Page, Scorer, Turn
        >>> page = Page("# Printen\n\nPrinten gaat met Ctrl+P. Sluit met Alt+F7.", id="printen")
        >>> print(Scorer.load().score(Turn("Hoe sluit ik af?", "Sluit met Alt+F8.", [page], "7")))
        7: Score 1,2 van 5: niet versturen.
        Geen pagina noemt “Alt+F8”.
        """
        return f"{self.id}: {self.sentences[0]}\n{self.why}"

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON, ``id`` first, in a fixed order; figures to six decimals.

        ``meta`` is left out: it is the caller's own. ``translation`` is there only where a
        translation was asked for, ``opinions`` only where a second opinion was wanted, ``cut_off``
        only where the time was up, ``retrieved`` (the ids of pages) only where klopt looked for
        the pages.
        """
        found: dict[str, Any] = {
            "id": self.id,
            "score": _rounded(self.score),
            "stars": self.stars,
            "verdict": self.verdict,
            "status": self.status,
            "reason_code": self.reason_code,
            "reason": self.reason,
            "language": self.language,
            "message_type": self.message_type,
            "pattern": self.pattern,
            "span": None if self.span is None else list(self.span),
            "rule": self.rule,
            "path": [
                {**dataclasses.asdict(visit), "value": _rounded(visit.value)} for visit in self.path
            ],
            "abstained": self.abstained,
            "measurements": {
                name: {
                    "value": _rounded(one.value),
                    "reason": one.reason,
                    "weight": self.weights[name],
                    "evidence": [dataclasses.asdict(evidence) for evidence in one.evidence],
                }
                for name, one in self.measurements.items()
            },
            "statements": [
                {
                    **dataclasses.asdict(one),
                    "slots": [dataclasses.asdict(slot) for slot in one.slots],
                    "differing": [list(span) for span in one.differing],
                    "wrong": [list(span) for span in one.wrong],
                    "rivals": [list(pair) for pair in one.rivals],
                }
                for one in self.statements
            ],
            "explanation": self.explanation,
            "fingerprint": self.fingerprint,
        }
        if self.translation is not None:
            found["translation"] = dataclasses.asdict(self.translation)
        if self.opinions:
            found["opinions"] = [one.to_dict() for one in self.opinions]
        if self.cut_off is not None:
            found["cut_off"] = {
                **dataclasses.asdict(self.cut_off),
                "unread": list(self.cut_off.unread),
                "unmeasured": list(self.cut_off.unmeasured),
            }
        if self.retrieved:
            found["retrieved"] = [page.id for page in self.retrieved]
        return found


@dataclass(slots=True)
class Case:
    """One turn on its way, and what is known of it so far.

    Attributes:
        turn: The turn.
        language: Its language; None until it was told.
        own: The language of the profile whose tables read the turn as it is.
        scope: What reads a translation; None when nothing does.
        has_tables: Whether the turn can be scored as it is.
        question: The question, as it was classified.
        classification: Its message type.
        note: What came of the translation.
        translator: What translated, in a word for the fingerprint.
        deadline: When its time is up.
        retrieved: The pages that were found for it.
        retriever: How many were looked for where, in a word for the fingerprint.
    """

    turn: Turn
    language: str | None = None
    own: str = ""
    scope: Scope | None = None
    has_tables: bool = True
    question: Reading | None = None
    classification: Classification | None = None
    note: TranslationNote | None = None
    translator: str | None = None
    deadline: Deadline = field(default_factory=Deadline)
    retrieved: tuple[Page, ...] = ()
    retriever: str | None = None

    @property
    def told_language(self) -> str:
        """The language of a turn of which it was told."""
        if self.language is None:
            raise ValueError("the language of the turn was not told yet")
        return self.language


class Assessing:
    """Makes assessments by one profile.

    Args:
        profile: Says which verdict goes with a score.
        languages: What turns are read with, for the fingerprint.

    Attributes:
        nodes: The nodes of the profile's tree by name.
    """

    def __init__(self, profile: Profile, languages: Languages) -> None:
        self.profile = profile
        self.nodes: dict[str | None, Node] = {node.node: node for node in profile.tree}
        # While a translator is asked, its memory grows, and with it the fingerprint changes.
        self._line = lru_cache(_KEPT)(languages.fingerprint)

    def assessed(
        self,
        case: Case,
        material: Material,
        measurements: Mapping[str, Measurement],
        statements: tuple[CheckedStatement, ...],
        outcome: Walk,
    ) -> Assessment:
        """The assessment of a turn that was scored.

        Args:
            case: The turn.
            material: What was read of it.
            measurements: What was measured.
            statements: Those of the answer.
            outcome: The score by the tree.
        """
        answer, abstained = material.answer, material.refusal is not None
        score, rule = outcome.score or 0.0, outcome.rule or ""
        verdict = self.profile.verdict(score)
        faulty = self.profile.faulty(measurements)
        held = faulty if verdict == "send" else []
        if verdict == "send" and not abstained and WEAKEST in self.profile.review_on:
            found = material.statements if statements else None
            compared = zip(statements, found or (), strict=True)
            statements = tuple(
                replace(one, fault=one.fault or not said.stands) for one, said in compared
            )
            if not held and any(one.fault for one in statements):
                held = [WEAKEST]
        is_weighed = bool(self.profile.evidence) and rule == self.profile.tree[-1].node
        is_open = verdict == "send" and abstained and is_weighed
        is_untrue = any(name != DENIED for name in faulty)  # a denied name may still be true
        is_faultless = (
            verdict == "block" and is_weighed and self.profile.review_on and not is_untrue
        )
        if held or is_open or is_faultless:
            verdict = "review"
            score = self.profile.on_its_side(score, verdict)
        said_in = case.told_language if case.has_tables else answer.language
        note = case.note
        sentences = explain_walk(
            replace(outcome, score=score),
            self.nodes[rule],
            measurements,
            verdict,
            said_in,
            abstained=abstained,
            held=held,
            statements=statements,
            quote=as_read if case.translator is None else _as_answered(answer.plain),
        )
        if verdict != "send":
            statements = with_unknown_names(statements, measurements.get(TELLING))
        is_lacking = note is not None and note.status == "failed"
        reason: Refusal | None = None
        if note is not None and is_lacking:
            reason = Refusal("on_original", found=note.reason or "", wanted=note.target)
            sentences = (*sentences, f"{capitalised(reason.words(said_in))}.")
        return Assessment(
            **self._about(case),
            score=score,
            stars=stars(score),
            verdict=verdict,
            status="scored_on_original" if is_lacking else "scored",
            reason_code=note.reason_code if note is not None else None,
            reason=None if reason is None else reason.words(None),
            rule=rule,
            path=outcome.visits,
            abstained=abstained,
            measurements=measurements,
            statements=statements,
            weights=self.profile.counts(answer.language),
            sentences=sentences,
        )

    def refused(self, case: Case, stop: NotScorableError) -> Assessment:
        """The assessment of a turn that was not scored."""
        return Assessment(
            **self._about(case),
            score=None,
            stars=None,
            verdict="unscored",
            status="error" if stop.is_error else "not_scorable",
            reason_code=stop.refusal.code,
            reason=stop.refusal.words(None),
            rule=None,
            path=(),
            abstained=False,
            measurements={},
            statements=(),
            weights=self.profile.counts(case.language),
            sentences=explain_refusal(stop.refusal, case.language),
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


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def _as_answered(answer: PlainText) -> Callable[[Evidence], str]:
    """Quotes the answer itself, and not its translation, to those who know the answer."""
    return lambda evidence: answer.quoted(evidence.start, evidence.end) or evidence.text


def question_span(classification: Classification, question: Reading) -> tuple[int, int] | None:
    """Where in the original question a message type was decided; None when nowhere."""
    if classification.end <= classification.start:
        return None
    return question.original(classification.start, classification.end)
