"""Second opinions: when to request one, within which budget, and how it changes a score."""

from __future__ import annotations

import logging
import queue
import textwrap
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final, Literal, Protocol, TypeAlias, get_args

from klopt._internal import shipped
from klopt.errors import KloptError
from klopt.llm.calls import Usage
from klopt.scoring.assessment import Assessment, CheckedClaim
from klopt.scoring.explanation import FALLBACK, decimal, headline, text_language
from klopt.scoring.notes import ClaimOpinion, OpinionNote
from klopt.scoring.profile import Budget, Profile, When
from klopt.scoring.tree import HIGHEST, LOWEST, WEAKEST, Grounds, stars
from klopt.types import Turn
from klopt.verification import LABELS

NotRequested: TypeAlias = Literal["nothing_recorded", "nothing_to_ask"]
"""Why no request was made: no opinion is recorded, or the answer has nothing to give one on."""


@dataclass(frozen=True, slots=True)
class OpinionRequest:
    """A turn, and its claims in order, each with its closest passage.

    There are no claims where the profile or the language does not split an answer.

    >>> from klopt import Scorer, Turn
    >>> turn = Turn("Kan dat?", "Ja. Klik op **Opslaan**.", ["Klik op **Opslaan**."])
    >>> request = OpinionRequest(turn, Scorer.load().score(turn).claims)
    >>> [(claim.text, claim.passage.text) for claim in request.claims]
    [('Ja. Klik op Opslaan.', 'Klik op Opslaan.')]
    """

    turn: Turn
    claims: tuple[CheckedClaim, ...] = ()


@dataclass(frozen=True, slots=True)
class OpinionResult:
    """An opinion on the whole answer or on its claims, or why there is none.

    Attributes:
        truth: Probability that the answer is true, 0 to 1; None without an opinion on it.
        claims: One opinion for each claim, in order, None without one; empty for an opinion on the
            whole answer.
        who: Whose opinion it is; empty for the name of its source.
        usage: Calls, seconds and cost.
        reason_code: None, or why there is no opinion: one of `NotRequested`, of
            `klopt.errors.LlmReason`, or ``internal``.
        reason: The same for people.
        problems: Problems of invalid replies.

    >>> OpinionResult(truth=0.9, who="Anna").reason_code is None
    True
    """

    truth: float | None = None
    claims: tuple[ClaimOpinion | None, ...] = ()
    who: str = ""
    usage: Usage = field(default_factory=Usage)
    reason_code: str | None = None
    reason: str | None = None
    problems: tuple[str, ...] = ()


class Opinion(Protocol):
    """A source of second opinions; safe for several threads.

    ``name`` is for people; ``signature`` is for fingerprints: what the opinion depends on, without
    ``|``.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def signature(self) -> str: ...  # noqa: D102

    def ask(self, request: OpinionRequest) -> OpinionResult:
        """Return the opinion, or why there is none, or raise `KloptError`."""
        ...


MAX_FAILURES: Final = 3  # consecutive ones without any reply, after which none is requested

_MAX_NAME_CHARS: Final = 100
_MAX_CLAIM_CHARS: Final = 60
_MAX_CLAIMS: Final = 3
_LOG: Final = logging.getLogger("klopt")
_NOT_REQUESTED: Final = get_args(NotRequested)
_SKIPPED: Final = (*_NOT_REQUESTED, "budget", "money", "unpriced", "gave_up", "id_twice")


class Adviser:
    """Second opinions for a `klopt.Scorer`; safe for several threads.

    Opinions are requested in the order in which answers are scored, while the budget lasts. Without
    an opinion an answer keeps klopt's score. An opinion that fails, is late, invalid or contradicts
    itself changes no score, and such an answer is never sent.

    Args:
        opinion: The source: a `klopt.llm.Recorded`, `klopt.llm.NliModel` or `klopt.llm.LlmOpinion`,
            or any object with a ``name``, a ``signature`` for fingerprints, and a method
            ``ask(request)`` that returns a `klopt.llm.OpinionResult`; ``request`` has the ``turn``
            and its ``claims``.
        when: ``review`` for answers with that verdict, or ``always``.
        budget: The limits; None for none but the timeout.
        at_once: Number of answers to process at a time; a budget of questions or money makes it 1,
            so that the same answers get an opinion in every run.
        one_each: Whether each row id gets one opinion, as recorded ones do.

    Attributes:
        requested_count: Number of opinions that were requested.
        usage: Calls, seconds and cost of all of them.

    >>> from klopt import Scorer, Turn
    >>> from klopt.llm import OpinionResult
    >>> class Sure:
    ...     name = signature = "sure"
    ...     def ask(self, request):
    ...         return OpinionResult(truth=1.0)
    >>> turn = Turn("Kan dat?", "Dat kan bij **Bestand**.", ["Dat kan alleen bij **Beheer**."])
    >>> scorer = Scorer.load(adviser=Adviser(Sure(), "always"))
    >>> assessment = scorer.score(turn)
    >>> assessment.verdict, assessment.opinions[0].verdict_before
    ('send', 'block')
    """

    def __init__(
        self,
        opinion: Opinion,
        when: When = "review",
        budget: Budget | None = None,
        *,
        at_once: int = 1,
        one_each: bool = False,
    ) -> None:
        self.name = opinion.name
        self.usage, self.requested_count = Usage(), 0
        self._opinion, self._when, self._budget = opinion, when, budget or Budget()
        is_bounded = (self._budget.questions, self._budget.usd) != (None, None)
        self.at_once = 1 if is_bounded else at_once
        self._failure_count = 0
        self._has_replied = self._is_unpriced = False
        self._texts_by_id: dict[str, tuple[str, str]] | None = {} if one_each else None
        self._lock = threading.Lock()

    def advise(self, turn: Turn, assessment: Assessment, profile: Profile) -> Assessment:
        """Return the assessment with an opinion, or the reason for none, or as it is if not due."""
        if assessment.score is None or (self._when == "review" and assessment.verdict != "review"):
            return assessment
        request = OpinionRequest(turn, assessment.claims)
        skipped = self._skip_reason(turn)
        result = self._request(request) if skipped is None else OpinionResult(reason_code=skipped)
        if result.reason_code is None and (code := _invalid(result, request, profile)) is not None:
            result = OpinionResult(who=result.who, usage=result.usage, reason_code=code)
        self._count(result)
        note = self._note(result, assessment)
        if note.reason_code is None:
            after = _revised(assessment, result, profile, note.who)
        else:
            reason = self._reason(result, assessment.language)
            after = _unchanged(assessment, note, reason, profile)
        fingerprint = f"{assessment.fingerprint}|opinion:{self._opinion.signature}"
        return replace(after, fingerprint=fingerprint, opinions=(*assessment.opinions, note))

    def _note(self, result: OpinionResult, before: Assessment) -> OpinionNote:
        code, usage = result.reason_code, result.usage
        return OpinionNote(
            who=" ".join((result.who or self.name).split())[:_MAX_NAME_CHARS],
            status="given" if code is None else "not_asked" if code in _SKIPPED else "failed",
            reason_code=code,
            reason=None if code is None else result.reason or self._reason(result, None),
            truth=result.truth,
            claims=result.claims,
            score_before=before.score or 0.0,
            verdict_before=before.verdict,
            calls=usage.calls,
            cost_usd=usage.cost_usd,
            seconds=usage.seconds,
            problems=result.problems,
        )

    def _reason(self, result: OpinionResult, language: str | None) -> str:
        budget, code = self._budget, result.reason_code or ""
        limits = {"budget": budget.questions, "late": budget.ms, "gave_up": MAX_FAILURES}
        limit = limits.get(code, budget.usd) or 0
        text: str = _texts(language)["reasons"][code]
        return text.format(limit=f"{limit:.12g}", found=result.reason or "")

    def _skip_reason(self, turn: Turn) -> str | None:
        """Why no opinion is requested; otherwise counts one more request."""
        texts = turn.question, turn.answer
        if self._texts_by_id is not None and self._texts_by_id.setdefault(turn.id, texts) != texts:
            return "id_twice"
        usd, questions = self._budget.usd, self._budget.questions
        with self._lock:
            if self._failure_count >= MAX_FAILURES and not self._has_replied:
                return "gave_up"
            if usd is not None and self._is_unpriced:
                return "unpriced"
            if usd is not None and (self.usage.cost_usd or 0.0) >= usd:
                return "money"
            if questions is not None and self.requested_count >= questions:
                return "budget"
            self.requested_count += 1
            return None

    def _request(self, request: OpinionRequest) -> OpinionResult:
        """The opinion, unless it takes longer than the budget allows."""
        results: queue.SimpleQueue[OpinionResult | KloptError] = queue.SimpleQueue()
        ms, is_late = self._budget.ms, threading.Event()

        def run() -> None:
            try:
                result = self._opinion.ask(request)
            except KloptError as error:
                results.put(error)
                return
            except Exception as error:
                if is_late.is_set():
                    return  # nobody waits for it, and its resources may be closed by now
                _LOG.exception("the opinion %s on turn %r failed", self.name, request.turn.id)
                result = OpinionResult(reason_code="internal", reason=type(error).__name__)
            with self._lock:
                self.usage += result.usage
                self._is_unpriced |= result.usage.calls > 0 and result.usage.cost_usd is None
            results.put(result)

        threading.Thread(target=run, name="klopt-opinion", daemon=True).start()
        try:
            result = results.get(timeout=min(ms / 1000, threading.TIMEOUT_MAX))
        except queue.Empty:
            is_late.set()
            return OpinionResult(reason_code="late")
        if isinstance(result, KloptError):
            raise result
        if result.usage.seconds * 1000 > ms:
            return OpinionResult(who=result.who, usage=result.usage, reason_code="late")
        return result

    def _count(self, result: OpinionResult) -> None:
        with self._lock:
            if result.reason_code in _NOT_REQUESTED:
                self.requested_count -= 1
            if result.usage.calls or result.reason_code is None:
                self._has_replied = True
            elif result.reason_code not in (*_SKIPPED, "no_transcript"):
                self._failure_count += 1


def _invalid(result: OpinionResult, request: OpinionRequest, profile: Profile) -> str | None:
    """Why an opinion cannot be used, as a code, or None."""
    claims = [claim for claim in result.claims if claim is not None]
    figures = [claim.probability for claim in claims]
    figures += [] if result.truth is None else [result.truth]
    if (
        not figures
        or not all(0 <= figure <= 1 for figure in figures)
        or not all(claim.relation in LABELS for claim in claims)
        or len(result.claims) not in (0, len(request.claims))
    ):
        return "no_shape"
    if result.truth is None or all(claim.relation != "contradicted" for claim in claims):
        return None
    whole = profile.decide(Grounds(score=_score(result.truth)))
    return "contradiction" if whole.verdict == "send" else None


def _revised(before: Assessment, result: OpinionResult, profile: Profile, who: str) -> Assessment:
    """The assessment with the score and the verdict of an opinion.

    The score is 1 + 4 times the probability that the answer is true; of an opinion on claims, that
    of the least likely claim: an answer misleads by its worst claim, and a product would call
    every long answer untrue. The profile's thresholds give the verdict. An opinion on the whole
    answer replaces the reviewer. An opinion on claims does not settle other findings (steps in
    another order, unknown names, an unanswered part of the question): such an answer is not sent,
    nor is one with a claim that is contradicted or not stated.
    """
    claims, is_on_whole = before.claims, not result.claims
    if not is_on_whole:
        claims = tuple(map(_with_opinion, claims, result.claims))
    truth = min(claim.truth for claim in claims) if result.truth is None else result.truth
    has_fault = not is_on_whole and any(claim.fault for claim in claims)
    is_open = result.truth is None and _has_other_findings(before, result, profile)
    decided = profile.decide(
        Grounds(score=_score(truth), faults=(WEAKEST,) if has_fault else (), is_open=is_open)
    )
    score, verdict = decided.score or 0.0, decided.verdict
    if verdict == "send" and is_on_whole:
        claims = tuple(replace(claim, fault=False) for claim in claims)
    sentences = [headline(verdict, score, before.language)]
    sentences += _sentences(result, who, before, is_sent=verdict == "send")
    # The explanation keeps klopt's own findings as long as the opinion has not settled them.
    if (is_open or result.truth is not None) and "send" not in (verdict, before.verdict):
        sentences += before.sentences[1:]
    after = replace(before, score=score, stars=stars(score), verdict=verdict, claims=claims)
    return replace(after, sentences=tuple(sentences))


def _unchanged(before: Assessment, note: OpinionNote, reason: str, profile: Profile) -> Assessment:
    """The assessment with the reason for no opinion; after a failure the answer is not sent."""
    first, *rest = before.sentences
    verdict = before.verdict
    if verdict == "send" and note.status == "failed":
        verdict = profile.decide(Grounds(score=before.score, is_cut_off=True)).verdict
        first = headline(verdict, before.score or 0.0, before.language)
    missing: str = _texts(before.language)["missing"]
    sentence = missing.format(who=note.who, reason=reason)
    return replace(before, verdict=verdict, sentences=(first, *rest, sentence))


def _score(truth: float) -> float:
    return LOWEST + (HIGHEST - LOWEST) * truth


def _with_opinion(claim: CheckedClaim, opinion: ClaimOpinion | None) -> CheckedClaim:
    if opinion is None:
        return claim
    fault = opinion.relation != "supported"
    return replace(claim, relation=opinion.relation, fault=fault, truth=opinion.truth)


def _has_other_findings(before: Assessment, result: OpinionResult, profile: Profile) -> bool:
    """Whether klopt has findings against an answer that an opinion on its claims leaves open."""
    has_others = any(name != WEAKEST for name in profile.faulty(before.measurements))
    pairs = zip(before.claims, result.claims, strict=True)
    is_left = any(claim.fault and opinion is None for claim, opinion in pairs)
    return has_others or is_left or (before.abstained and before.verdict != "send")


def _sentences(
    result: OpinionResult, who: str, before: Assessment, *, is_sent: bool
) -> Iterator[str]:
    texts = _texts(before.language)
    own = decimal(before.score or 0.0, before.language)
    given = [
        (textwrap.shorten(claim.text.rstrip(" ."), _MAX_CLAIM_CHARS, placeholder=" …"), opinion)
        for claim, opinion in zip(before.claims, result.claims, strict=False)
        if opinion is not None
    ]
    if result.truth is not None:
        yield texts["whole"].format(who=who, share=f"{result.truth:.0%}", score=own)
    for relation in LABELS[1:]:
        quoted = [f"“{text}”" for text, opinion in given if opinion.relation == relation]
        if quoted:
            more = ["…"] if len(quoted) > _MAX_CLAIMS else []
            items = ", ".join([*quoted[:_MAX_CLAIMS], *more])
            yield texts[relation].format(who=who, items=items)
    if result.truth is None and all(opinion.relation == "supported" for _, opinion in given):
        yield texts["supported"].format(who=who, score=own)
        if not is_sent:
            item, least = min(given, key=lambda pair: pair[1].truth)
            yield texts["least"].format(item=item, share=f"{least.truth:.0%}")


@cache
def _texts(language: str | None) -> Mapping[str, Any]:
    table = shipped.table("klopt.llm.opinions", "texts.toml")
    texts: dict[str, Any] = table.get(text_language(language), table[FALLBACK])
    return texts
