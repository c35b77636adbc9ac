"""Notes in an assessment: the outcomes of its translation and of second opinions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from klopt.scoring.tree import Verdict
from klopt.types import Figure
from klopt.verification import Label

Scope: TypeAlias = Literal["marked", "whole"]
"""Whether the features that the paper marks (𝔄) read the translation, or all features."""


TOO_SHORT: Final = "…"
"""The lost part of a translation that is too short for its sentence."""


@dataclass(frozen=True, slots=True)
class LostPart:
    """A sentence whose translation lacks a part.

    Attributes:
        text: The sentence in the original, without markup.
        part: The value or placeholder that is missing, or `TOO_SHORT`.
        start: First character of the sentence in the original text, from 0.
        end: Character after its last one.
        page: The id of its page; None in the question and the answer.
    """

    text: str
    part: str
    start: int
    end: int
    page: str | None = None


@dataclass(frozen=True, slots=True)
class TranslationNote:
    """The outcome of the translation of one turn.

    Attributes:
        source: The language of the turn.
        target: The language that it was translated to.
        scope: Which features read the translation.
        status: ``translated`` or ``failed``.
        reason_code: One of `klopt.errors.TranslationReason` after a failure, else None.
        reason: The same in words.
        unmasked_count: Sentences whose names, numbers and codes went through the translator.
        lost: Sentences of question, answer and quoted passages whose translation lacks a part.
    """

    source: str
    target: str
    scope: Scope
    status: Literal["translated", "failed"]
    reason_code: str | None = None
    reason: str | None = None
    unmasked_count: int = 0
    lost: tuple[LostPart, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimOpinion:
    """A second opinion on one claim.

    Attributes:
        relation: The label of the claim.
        probability: Probability of that label, 0 to 1.
    """

    relation: Label
    probability: Figure

    @property
    def truth(self) -> float:
        """Probability that the claim is true.

        >>> ClaimOpinion("contradicted", 0.75).truth
        0.25
        """
        return self.probability if self.relation == "supported" else 1 - self.probability


@dataclass(frozen=True, slots=True)
class OpinionNote:
    """The outcome of a second opinion on one answer.

    Attributes:
        who: Whose opinion it is.
        status: ``given``; ``failed``: it was requested, and the result cannot be used;
            ``not_asked``: the budget was used up, or there was nothing to ask.
        reason_code: Why there is no opinion, as a code; None when it was given.
        reason: The same for people.
        truth: Probability that the whole answer is true, 0 to 1; None without an opinion on it.
        claims: Opinions on the assessment's claims, in order, None where there is none; empty
            for an opinion on the whole answer.
        score_before: The score without the opinion.
        verdict_before: The verdict without it.
        calls: Number of model replies, unusable ones included.
        cost_usd: Cost in US dollars; None when the price is unknown.
        seconds: Duration; of a recorded opinion, when it was recorded.
        problems: Problems of replies before the one that could be used.
    """

    who: str
    status: Literal["given", "failed", "not_asked"]
    reason_code: str | None
    reason: str | None
    truth: Figure | None
    claims: tuple[ClaimOpinion | None, ...]
    score_before: Figure
    verdict_before: Verdict
    calls: int = 0
    cost_usd: Figure | None = None
    seconds: Figure = 0.0
    problems: tuple[str, ...] = ()
