"""Makes the `Assessment` of a turn from what was measured, or from why it was refused."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from klopt.classifier import Classification
from klopt.heuristics import Material
from klopt.measurement import Evidence, Measurement
from klopt.reading.reader import Reading
from klopt.reading.text import PlainText
from klopt.records import Turn
from klopt.scoring.admission import NotScorableError
from klopt.scoring.assessment import Assessment, Verdict
from klopt.scoring.explanation import Refusal, as_read, capitalised, explain_refusal, explain_walk
from klopt.scoring.interpretation import Scope, TranslationNote
from klopt.scoring.languages import Languages
from klopt.scoring.profile import Profile
from klopt.scoring.tree import Node, Walk

_KEPT: Final = 256
"""Fingerprints that are kept."""


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
        self, case: Case, material: Material, measurements: Mapping[str, Measurement], outcome: Walk
    ) -> Assessment:
        """The assessment of a turn that was scored."""
        answer, abstained = material.answer, material.refusal is not None
        score, rule = outcome.score or 0.0, outcome.rule or ""
        verdict = self._verdict(score)
        said_in = case.told_language if case.has_tables else answer.language
        note = case.note
        sentences = explain_walk(
            outcome,
            self.nodes[rule],
            measurements,
            verdict,
            said_in,
            abstained=abstained,
            quote=as_read if case.translator is None else _as_answered(answer.plain),
        )
        is_lacking = note is not None and note.status == "failed"
        reason: Refusal | None = None
        if note is not None and is_lacking:
            reason = Refusal("on_original", found=note.reason or "", wanted=note.target)
            sentences = (*sentences, f"{capitalised(reason.words(said_in))}.")
        return Assessment(
            **self._about(case),
            score=score,
            stars=math.floor(score + 0.5),
            verdict=verdict,
            status="scored_on_original" if is_lacking else "scored",
            reason_code=note.reason_code if note is not None else None,
            reason=None if reason is None else reason.words(None),
            rule=rule,
            path=outcome.visits,
            abstained=abstained,
            measurements=measurements,
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
            weights=self.profile.counts(case.language),
            sentences=explain_refusal(stop.refusal, case.language),
        )

    def _verdict(self, score: float) -> Verdict:
        if score < self.profile.block_below:
            return "block"
        return "send" if score >= self.profile.send_from else "review"

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
            "meta": case.turn.meta,
        }

    def _fingerprint(self, case: Case) -> str:
        """What was used; a turn that was not translated has that of a scorer that does not."""
        if case.language is None:
            return self._line(None, (), None)
        read: tuple[str, ...] = (case.own,)
        if case.translator is not None and case.note is not None:
            read = tuple(dict.fromkeys((case.own, case.note.target)))
        return self._line(case.language, read, case.translator)


def _as_answered(answer: PlainText) -> Callable[[Evidence], str]:
    """Quotes the answer itself, and not its translation, to those who know the answer."""
    return lambda evidence: answer.quoted(evidence.start, evidence.end) or evidence.text


def question_span(classification: Classification, question: Reading) -> tuple[int, int] | None:
    """Where in the original question a message type was decided; None when nowhere."""
    if classification.end <= classification.start:
        return None
    return question.original(classification.start, classification.end)
