"""Whom to ask for a second opinion, when, and under which budget."""

from __future__ import annotations

import logging
import queue
import threading
from dataclasses import replace
from typing import Final, get_args

from klopt.errors import KloptError
from klopt.models.calls import Usage
from klopt.opinions.change import problem, reason, revised, unchanged
from klopt.opinions.opinion import Asked, NotAsked, Opinion, Said
from klopt.records import Turn
from klopt.scoring.assessment import Assessment
from klopt.scoring.profile import Budget, Profile, When
from klopt.scoring.second_opinion import OpinionNote

MOST_FAILED: Final = 3
"""So many failed questions in a row, before anybody replied, end the asking."""

_LONGEST_CHARS: Final = 100
_LOG: Final = logging.getLogger("klopt")
_NEVER_ASKED: Final = get_args(NotAsked)
_NOT_ASKED: Final = (*_NEVER_ASKED, "budget", "money", "unpriced", "gave_up", "id_twice")


class Advisor:
    """Asks for opinions on answers, for a `klopt.Scorer`; safe to use from several threads.

    Answers are asked about in the order in which they are scored, while the budget lasts. What is
    not asked stays as klopt judged it. An opinion that fails, comes too late, has another form or
    contradicts itself changes no score, and such an answer is never sent: its verdict is
    ``review``, or stays ``block``.

    Args:
        opinion: Who is asked.
        when: ``review``: about answers that a person would look at; ``always``: about all.
        budget: What that may cost; the answer that uses it up is the last that is asked about.
        at_once: About how many answers may be asked at one time, from 1; where the number of
            questions or the money is bounded, one after the other all the same, so that the same
            answers are asked about each time.
        one_each: Ask about one answer for an id, as files of opinions and of replies hold one.

    Attributes:
        at_once: About how many answers may be asked at one time.
        usage: What the opinions cost until now, those that came too late included.
        asked_count: How many answers were asked about.

    >>> from klopt import Scorer, Turn
    >>> from klopt.opinions import Said
    >>> class Sure:
    ...     name = signature = "sure"
    ...     def ask(self, asked):
    ...         return Said(truth=1.0)
    >>> turn = Turn("Kan dat?", "Dat kan bij **Bestand**.", ["Dat kan alleen bij **Beheer**."])
    >>> scorer = Scorer.load(adviser=Advisor(Sure(), "always"))
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
        self.usage, self.asked_count = Usage(), 0
        self._opinion, self._when, self._budget = opinion, when, budget or Budget()
        is_bounded = (self._budget.questions, self._budget.usd) != (None, None)
        self.at_once = 1 if is_bounded else at_once
        self._failed_count = 0
        self._has_replied = self._is_unpriced = False
        self._answers: dict[str, tuple[str, str]] | None = {} if one_each else None
        self._lock = threading.Lock()

    def advise(self, turn: Turn, assessment: Assessment, profile: Profile) -> Assessment:
        """The assessment with what the opinion changes, or why there is none.

        The very same when no opinion is wanted: no score, or another verdict than ``review``
        where only those are asked about.
        """
        if assessment.score is None or (self._when == "review" and assessment.verdict != "review"):
            return assessment
        asked = Asked.about(turn, assessment)
        closed = self._closed(turn)
        said = self._ask(asked) if closed is None else Said(reason_code=closed)
        if said.reason_code is None and (code := problem(said, asked, profile)) is not None:
            said = Said(who=said.who, usage=said.usage, reason_code=code)
        self._count(said)
        note = self._note(said, assessment)
        if note.reason_code is None:
            after = revised(assessment, said, asked, profile, note.who)
        else:
            words = self._words(said, assessment.language)
            after = unchanged(assessment, note, words)
        return replace(
            after,
            fingerprint=f"{assessment.fingerprint}|opinion:{self._opinion.signature}",
            opinions=(*assessment.opinions, note),
        )

    def _note(self, said: Said, before: Assessment) -> OpinionNote:
        code, usage = said.reason_code, said.usage
        return OpinionNote(
            who=" ".join((said.who or self.name).split())[:_LONGEST_CHARS],
            status="given" if code is None else "not_asked" if code in _NOT_ASKED else "failed",
            reason_code=code,
            reason=None if code is None else said.reason or self._words(said, None),
            truth=said.truth,
            statements=said.statements,
            score_before=before.score or 0.0,
            verdict_before=before.verdict,
            calls=usage.calls,
            cost_usd=usage.cost_usd,
            seconds=usage.seconds,
            problems=said.problems,
        )

    def _words(self, said: Said, language: str | None) -> str:
        """Why there is no opinion, in words."""
        budget, code = self._budget, said.reason_code or ""
        limits = {"budget": budget.questions, "late": budget.ms, "gave_up": MOST_FAILED}
        limit = limits.get(code, budget.usd) or 0
        return reason(code, language, limit=f"{limit:.12g}", found=said.reason or "")

    def _closed(self, turn: Turn) -> str | None:
        """Why nobody is asked any more; else one more answer is asked about."""
        own = turn.question, turn.answer
        if self._answers is not None and self._answers.setdefault(turn.id, own) != own:
            return "id_twice"
        usd, questions = self._budget.usd, self._budget.questions
        with self._lock:
            if self._failed_count >= MOST_FAILED and not self._has_replied:
                return "gave_up"
            if usd is not None and self._is_unpriced:
                return "unpriced"
            if usd is not None and (self.usage.cost_usd or 0.0) >= usd:
                return "money"
            if questions is not None and self.asked_count >= questions:
                return "budget"
            self.asked_count += 1
            return None

    def _ask(self, asked: Asked) -> Said:
        """What is said in time; whoever comes too late is not waited for."""
        box: queue.SimpleQueue[Said | KloptError] = queue.SimpleQueue()
        ms, is_late = self._budget.ms, threading.Event()

        def run() -> None:
            try:
                said = self._opinion.ask(asked)
            except KloptError as error:
                box.put(error)
                return
            except Exception as error:
                if is_late.is_set():
                    return  # nobody waits for it, and what it asked may be closed by now
                _LOG.exception("the opinion %s on turn %r failed", self.name, asked.turn.id)
                said = Said(reason_code="internal", reason=type(error).__name__)
            self._add(said.usage)
            box.put(said)

        threading.Thread(target=run, name="klopt-opinion", daemon=True).start()
        try:
            said = box.get(timeout=min(ms / 1000, threading.TIMEOUT_MAX))
        except queue.Empty:
            is_late.set()
            return Said(reason_code="late")
        if isinstance(said, KloptError):
            raise said
        if said.usage.seconds * 1000 > ms:
            return Said(who=said.who, usage=said.usage, reason_code="late")
        return said

    def _add(self, usage: Usage) -> None:
        with self._lock:
            self.usage += usage
            self._is_unpriced |= usage.calls > 0 and usage.cost_usd is None

    def _count(self, said: Said) -> None:
        with self._lock:
            if said.reason_code in _NEVER_ASKED:
                self.asked_count -= 1
            if said.usage.calls or said.reason_code is None:
                self._has_replied = True
            elif said.reason_code not in (*_NOT_ASKED, "no_transcript"):
                self._failed_count += 1
