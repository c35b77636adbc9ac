"""What comes out: one `Assessment` for each turn."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from klopt.measurement import Measurement
from klopt.records import MessageType
from klopt.scoring.interpretation import TranslationNote
from klopt.scoring.tree import Visit

Status = Literal["scored", "scored_on_original", "not_scorable", "error"]
Verdict = Literal["send", "review", "block", "unscored"]


@dataclass(frozen=True, slots=True)
class Assessment:
    """How far one answer can be trusted, and why.

    Attributes:
        id: The turn's.
        score: 1 (untrue) to 5 (true); None unless it was scored. Never NaN.
        stars: The score rounded to whole stars, halves up.
        verdict: ``send``, ``review`` or ``block`` by the profile's thresholds, else ``unscored``:
            what is not scored never passes.
        status: ``scored``; ``scored_on_original``: it was to be translated and could not be, so
            the features that read the translation read the original; ``not_scorable``: there is
            nothing to judge or it is out of scope; ``error``: the row or a resource is at fault.
        reason_code: A stable word for the reason, such as ``no_contexts``; None when ``scored``.
        reason: The reason in words; None when ``scored``.
        language: The language of the question and answer, or None.
        message_type: One of the seven types, or None before classification.
        pattern: The pattern, or declared rule, that decided the message type.
        span: Its place in the original question; None when nothing in the text decided.
        rule: The node of the tree that decided; None unless scored.
        path: The nodes that the walk came to.
        abstained: Whether the answer says that it does not know.
        measurements: Heuristic → measurement, those that the walk asked for.
        weights: Heuristic → the profile's weight.
        sentences: Why, in the turn's language (English when that is not known): the verdict,
            the node that decided, what it saw.
        fingerprint: What was used, so that like is compared with like.
        translation: What came of the translation; None when nobody asked for one.
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
    weights: Mapping[str, float]
    sentences: tuple[str, ...]
    fingerprint: str
    translation: TranslationNote | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)

    @property
    def read_as(self) -> str | None:
        """The language whose weights and tables the score rests on; None when none was told."""
        note = self.translation
        if note is not None and note.scope == "whole" and note.status == "translated":
            return note.target
        return self.language

    @property
    def explanation(self) -> str:
        """The sentences as one text."""
        return " ".join(self.sentences)

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON, ``id`` first, in a fixed order; figures to six decimals.

        ``meta`` is left out: it is the caller's own. ``translation`` is there only where a
        translation was asked for.
        """
        found: dict[str, Any] = {
            "id": self.id,
            "score": None if self.score is None else round(self.score, 6),
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
            "path": [dataclasses.asdict(visit) for visit in self.path],
            "abstained": self.abstained,
            "measurements": {
                name: {
                    "value": None if one.value is None else round(one.value, 6),
                    "reason": one.reason,
                    "weight": self.weights[name],
                    "evidence": [dataclasses.asdict(evidence) for evidence in one.evidence],
                }
                for name, one in self.measurements.items()
            },
            "explanation": self.explanation,
            "fingerprint": self.fingerprint,
        }
        if self.translation is not None:
            found["translation"] = dataclasses.asdict(self.translation)
        return found
