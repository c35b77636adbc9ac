"""Whom to ask for a second opinion, when, under which budget, and what it changes."""

from __future__ import annotations

import logging
import queue
import textwrap
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final, get_args

from klopt import shipped
from klopt.comparing import LABELS
from klopt.errors import KloptError
from klopt.models.calls import Usage
from klopt.opinions.opinion import Asked, NotAsked, Opinion, Said
from klopt.records import Turn
from klopt.scoring.assessment import Assessment, CheckedStatement
from klopt.scoring.explanation import FALLBACK, decimal, headline, said_in
from klopt.scoring.profile import Budget, Profile, When
from klopt.scoring.second_opinion import OpinionNote, SaidOfStatement
from klopt.scoring.tree import HIGHEST, LOWEST, WEAKEST, Grounds, stars

MOST_FAILED: Final = 3
"""So many failed questions in a row, before anybody replied, end the asking."""

_LONGEST_WHO_CHARS: Final = 100
_LONGEST_ITEM_CHARS: Final = 60
_MOST_ITEMS: Final = 3
_LOG: Final = logging.getLogger("klopt")
_NEVER_ASKED: Final = get_args(NotAsked)
_NOT_ASKED: Final = (*_NEVER_ASKED, "budget", "money", "unpriced", "gave_up", "id_twice")


class Adviser:
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
        usage: What the opinions cost until now, those that came too late included.
        asked_count: How many answers were asked about.

    >>> from klopt import Scorer, Turn
    >>> from klopt.opinions import Said
    >>> class Sure:
    ...     name = signature = "sure"
    ...     def ask(self, asked):
    ...         return Said(truth=1.0)
    >>> turn = Turn("Kan dat?", "Dat kan bij **Bestand**.", ["Dat kan alleen bij **Beheer**."])
    >>> scorer = Scorer.load(adviser=Adviser(Sure(), "always"))
    >>> assessment = scorer.score(turn)
    >>> assessment.verdict, assessment.opinions[0].verdict_before
    ('send', 'review')
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
        """The assessment with what the opinion changes, or why there is none; or as it was."""
        if assessment.score is None or (self._when == "review" and assessment.verdict != "review"):
            return assessment
        asked = Asked(turn, assessment.statements)
        closed = self._closed(turn)
        said = self._ask(asked) if closed is None else Said(reason_code=closed)
        if said.reason_code is None and (code := _problem(said, asked, profile)) is not None:
            said = Said(who=said.who, usage=said.usage, reason_code=code)
        self._count(said)
        note = self._note(said, assessment)
        if note.reason_code is None:
            after = _revised(assessment, said, asked, profile, note.who)
        else:
            after = _unchanged(assessment, note, self._words(said, assessment.language), profile)
        return replace(
            after,
            fingerprint=f"{assessment.fingerprint}|opinion:{self._opinion.signature}",
            opinions=(*assessment.opinions, note),
        )

    def _note(self, said: Said, before: Assessment) -> OpinionNote:
        code, usage = said.reason_code, said.usage
        return OpinionNote(
            who=" ".join((said.who or self.name).split())[:_LONGEST_WHO_CHARS],
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
        sentence: str = _texts(language)["reasons"][code]
        return sentence.format(limit=f"{limit:.12g}", found=said.reason or "")

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


def _problem(said: Said, asked: Asked, profile: Profile) -> str | None:
    """What is wrong with an opinion that was given: a code, or None.

    ``no_shape``: figures that are no chances, statements that were not asked about, nothing at
    all; ``contradiction``: a whole that could be sent, with a statement in it that is contradicted.
    """
    given = [statement for statement in said.statements if statement is not None]
    chances = [statement.probability for statement in given]
    chances += [] if said.truth is None else [said.truth]
    is_shaped = (
        chances
        and all(0 <= chance <= 1 for chance in chances)
        and all(statement.relation in LABELS for statement in given)
        and len(said.statements) in (0, len(asked.statements))
    )
    if not is_shaped:
        return "no_shape"
    if said.truth is None or all(statement.relation != "contradicted" for statement in given):
        return None
    whole = profile.decide(Grounds(score=_score(said.truth)))
    return "contradiction" if whole.verdict == "send" else None


def _revised(
    before: Assessment, said: Said, asked: Asked, profile: Profile, who: str
) -> Assessment:
    """The assessment with an opinion that was given.

    The score is 1 + 4 times the chance that the answer is true. Where that is said of statements
    it is the chance of the least likely one: an answer misleads by its worst statement, and a
    product would call a long answer untrue however sure each of its statements is. The verdict
    goes by the profile's lines. An opinion on the whole stands in for the person who would look;
    one on statements leaves standing what they do not settle - steps in another order, names that
    no page has, a part of the question left open - so that such an answer is not sent, nor is one
    beside a statement at fault.
    """
    statements = before.statements
    if said.statements:
        pairs = zip(statements, said.statements, strict=True)
        statements = tuple(_settled(own, other) for own, other in pairs)
    truth = min(statement.truth for statement in statements) if said.truth is None else said.truth
    is_of_whole = not said.statements
    is_open = said.truth is None and _unsettled(before, said, profile)
    decided = profile.decide(
        Grounds(
            score=_score(truth),
            is_unstated=not is_of_whole and any(statement.fault for statement in statements),
            is_open=is_open,
        )
    )
    score, verdict = decided.score or 0.0, decided.verdict
    if verdict == "send" and is_of_whole:
        statements = tuple(replace(statement, fault=False) for statement in statements)
    after = replace(before, score=score, stars=stars(score), verdict=verdict, statements=statements)
    told = _told(said, asked, who, before, is_sent=verdict == "send")
    # What klopt found against the answer is told as long as the opinion has not settled it.
    is_told = is_open or said.truth is not None
    rest = before.sentences[1:] if is_told and "send" not in (verdict, before.verdict) else ()
    first = headline(verdict, score, after.language)
    return replace(after, sentences=(first, *told, *rest))


def _unchanged(before: Assessment, note: OpinionNote, words: str, profile: Profile) -> Assessment:
    """The assessment without an opinion, and why there is none, in words.

    What was to be sent and got no opinion, though somebody was asked, is not sent.
    """
    first, *rest = before.sentences
    verdict = before.verdict
    if verdict == "send" and note.status == "failed":
        verdict = profile.decide(Grounds(score=before.score, is_cut_off=True)).verdict
        first = headline(verdict, before.score or 0.0, before.language)
    silent: str = _texts(before.language)["silent"]
    told = silent.format(who=note.who, reason=words)
    return replace(before, verdict=verdict, sentences=(first, *rest, told))


def _score(truth: float) -> float:
    return LOWEST + (HIGHEST - LOWEST) * truth


def _settled(statement: CheckedStatement, said: SaidOfStatement | None) -> CheckedStatement:
    if said is None:
        return statement
    fault = said.relation != "supported"
    return replace(statement, relation=said.relation, fault=fault, truth=said.truth)


def _unsettled(before: Assessment, said: Said, profile: Profile) -> bool:
    """Whether something is against an answer of which its statements were not asked."""
    others = [name for name in profile.faulty(before.measurements) if name != WEAKEST]
    pairs = zip(before.statements, said.statements, strict=True)
    is_left = any(statement.fault and other is None for statement, other in pairs)
    return bool(others) or is_left or (before.abstained and before.verdict != "send")


def _told(
    said: Said, asked: Asked, who: str, before: Assessment, *, is_sent: bool
) -> Iterator[str]:
    """What was said, in the language of the question."""
    words = _texts(before.language)
    own = decimal(before.score or 0.0, before.language)
    given = [
        (
            textwrap.shorten(statement.text.rstrip(" ."), _LONGEST_ITEM_CHARS, placeholder=" …"),
            opinion,
        )
        for statement, opinion in zip(asked.statements, said.statements, strict=False)
        if opinion is not None
    ]
    if said.truth is not None:
        yield words["whole"].format(who=who, share=f"{said.truth:.0%}", score=own)
    for relation in LABELS[1:]:
        texts = [f"“{text}”" for text, opinion in given if opinion.relation == relation]
        if texts:
            items = ", ".join([*texts[:_MOST_ITEMS], *(["…"] if len(texts) > _MOST_ITEMS else [])])
            yield words[relation].format(who=who, items=items)
    if said.truth is None and all(opinion.relation == "supported" for _, opinion in given):
        yield words["supported"].format(who=who, score=own)
        if not is_sent:
            item, least = min(given, key=lambda pair: pair[1].truth)
            yield words["least"].format(item=item, share=f"{least.truth:.0%}")


@cache
def _texts(language: str | None) -> Mapping[str, Any]:
    table = shipped.table("klopt.opinions", "texts.toml")
    texts: dict[str, Any] = table.get(said_in(language), table[FALLBACK])
    return texts
