"""Makes the `Assessment` of a turn from what was measured, or from why it was refused."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final

from klopt.classifier import Classification
from klopt.lexicons import Lexicons
from klopt.measurement import Evidence, Measurement
from klopt.reading.reader import Reading
from klopt.reading.recent import Recent
from klopt.reading.text import PlainText
from klopt.records import Turn
from klopt.scoring.admission import NotScorableError
from klopt.scoring.assessment import Assessment, Verdict
from klopt.scoring.explanation import Refusal, as_read, capitalised, explain_refusal, explain_walk
from klopt.scoring.measuring import TurnTexts
from klopt.scoring.profile import Profile
from klopt.scoring.route import Route, Seen
from klopt.scoring.tables import Tables
from klopt.scoring.tree import Walk

_KEPT: Final = 256
"""Fingerprints that are kept."""


class Assessing:
    """Makes assessments by one profile.

    Args:
        profile: Says which verdict goes with a score.
        tables: What languages are read with, for the fingerprint.
    """

    def __init__(self, profile: Profile, tables: Tables) -> None:
        self.profile = profile
        self._tables = tables
        # While a translator is asked, its memory grows, and with it the fingerprint changes.
        self._fingerprints: Recent[tuple[str, tuple[str, ...], str | None], str] = Recent(_KEPT)
        self._nodes = {node.node: node for node in profile.tree}

    def assessed(
        self,
        turn: Turn,
        texts: TurnTexts,
        route: Route,
        seen: Seen,
        measurements: Mapping[str, Measurement],
        outcome: Walk,
    ) -> Assessment:
        """The assessment of a turn that was scored."""
        abstained = _abstains(texts.answer, texts.reader.lexicons)
        score, rule = outcome.score or 0.0, outcome.rule or ""
        verdict = self._verdict(score)
        said_in = route.language if route.has_tables else texts.answer.language
        note, found = seen.note, seen.classification
        sentences = explain_walk(
            outcome,
            self._nodes[rule],
            measurements,
            verdict,
            said_in,
            abstained=abstained,
            quote=as_read if seen.translator is None else _as_answered(texts.answer.plain),
        )
        is_lacking = note is not None and note.status == "failed"
        reason: Refusal | None = None
        if note is not None and is_lacking:
            reason = Refusal("on_original", found=note.reason or "", wanted=note.target)
            sentences = (*sentences, f"{capitalised(reason.words(said_in))}.")
        return Assessment(
            id=turn.id,
            score=score,
            stars=math.floor(score + 0.5),
            verdict=verdict,
            status="scored_on_original" if is_lacking else "scored",
            reason_code=note.reason_code if note is not None else None,
            reason=None if reason is None else reason.words(None),
            language=route.language,
            message_type=found.message_type if found else None,
            pattern=found.pattern if found else None,
            span=question_span(found, texts.question) if found else None,
            rule=rule,
            path=outcome.visits,
            abstained=abstained,
            measurements=measurements,
            weights=self.profile.counts(texts.answer.language),
            sentences=sentences,
            fingerprint=self._fingerprint(seen),
            translation=note,
            meta=turn.meta,
        )

    def refused(self, turn: Turn, stop: NotScorableError, seen: Seen) -> Assessment:
        """The assessment of a turn that was not scored."""
        route, found = seen.route, seen.classification
        language = route.language if route is not None else None
        place = None
        if found is not None and seen.question is not None:
            place = question_span(found, seen.question)
        return Assessment(
            id=turn.id,
            score=None,
            stars=None,
            verdict="unscored",
            status="error" if stop.is_error else "not_scorable",
            reason_code=stop.refusal.code,
            reason=stop.refusal.words(None),
            language=language,
            message_type=found.message_type if found else None,
            pattern=found.pattern if found else None,
            span=place,
            rule=None,
            path=(),
            abstained=False,
            measurements={},
            weights=self.profile.counts(language),
            sentences=explain_refusal(stop.refusal, language),
            fingerprint=self._fingerprint(seen),
            translation=seen.note,
            meta=turn.meta,
        )

    def _verdict(self, score: float) -> Verdict:
        if score < self.profile.block_below:
            return "block"
        return "send" if score >= self.profile.send_from else "review"

    def _fingerprint(self, seen: Seen) -> str:
        """What was used; a turn that was not translated has that of a scorer that does not."""
        route = seen.route
        if route is None:
            return self._tables.fingerprint(None, (), None)
        read: tuple[str, ...] = (route.own,)
        if seen.translator is not None and seen.note is not None:
            read = tuple(dict.fromkeys((route.own, seen.note.target)))
        key = (route.language, read, seen.translator)
        found = self._fingerprints.get(key)
        if found is None:
            found = self._tables.fingerprint(*key)
            self._fingerprints.put(key, found)
        return found


def _as_answered(answer: PlainText) -> Callable[[Evidence], str]:
    """Quotes the answer itself, and not its translation, to those who know the answer."""
    return lambda evidence: answer.quoted(evidence.start, evidence.end) or evidence.text


def _abstains(answer: Reading, tables: Lexicons) -> bool:
    text = answer.plain.text
    return any(pattern.search(text) for pattern in tables["refusals"].group("does_not_know"))


def question_span(classification: Classification, question: Reading) -> tuple[int, int] | None:
    """Where in the original question a message type was decided; None when nowhere."""
    if classification.end <= classification.start:
        return None
    return question.original(classification.start, classification.end)
