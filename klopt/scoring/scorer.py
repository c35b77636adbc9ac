"""The scorer: one turn, many turns, on an event loop, or while the answer is being written."""

from __future__ import annotations

import contextvars
import logging
import os
import pickle
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypedDict, Unpack, overload

from klopt._internal.cached import Recent
from klopt.classifier import Classification
from klopt.errors import ConfigurationError, KloptError, RecordError
from klopt.scoring.assessment import Assessment
from klopt.scoring.explanation import Refusal
from klopt.scoring.measuring import Measuring
from klopt.scoring.profile import Profile
from klopt.scoring.reading import Case, NotScorableError
from klopt.scoring.setup import Deadline, Options, Setup
from klopt.text.reader import ANSWER_LIMIT_CHARS
from klopt.types import Contexts, Turn

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from klopt.scoring.streaming import AnswerStream

_LOG = logging.getLogger("klopt")
_NO_TURN: Final = "{kind} is not a Turn; create one from a row with Turn.from_mapping"


class How(TypedDict, total=False):
    """The keyword arguments of `Scorer.score`."""

    measure_all: bool
    budget_ms: float | None


class Scorer:
    r"""Scores turns by one profile; safe in threads. Pages are read once and cached by content.

    Args:
        setup: A `Profile`, or a whole `klopt.scoring.setup.Setup`.
        options: By name, the fields of a `Setup` beside its profile: ``all_types``, ``terms``,
            ``translate``, ``adviser``, ``index``, ``retrieve``, ``language`` and ``clock``.

    Raises:
        ConfigurationError: Pages are to be retrieved, and there is no index.
        LexiconError: A lexicon file is invalid.
        InputError: A lexicon file cannot be read, or the index does not fit the profile.
        UnknownLanguageError: The profile does not have the language of a lexicon, of the
            translation, or the default one.
        ExtraMissingError: The profile needs a parse, and spaCy is not installed.

    >>> from klopt import Scorer, Turn
    >>> scorer = Scorer.load("afas")
    >>> page = "# Opslaan\n\n1. Klik op **Bestand**.\n2. Klik op **Opslaan**."
    >>> turn = Turn("Hoe sla ik het op?", "Klik op **Bewaren**.", [page])
    >>> assessment = scorer.score(turn)
    >>> assessment.score, assessment.verdict, assessment.rule
    (1.0, 'block', 'missing_component')
    """

    def __init__(self, setup: Profile | Setup, **options: Unpack[Options]) -> None:
        known = Options.__annotations__
        if unknown := sorted(options.keys() - known.keys()):
            raise TypeError(
                f"Scorer has no argument {', '.join(unknown)}; it has {', '.join(known)}. Pages "
                "come with each turn, or all at once as index=Index.open(FILE)"
            )
        whole = setup if isinstance(setup, Setup) else Setup(setup)
        self.setup = whole = replace(whole, **options)
        measuring = Measuring if whole.translate is None else whole.translate.measuring
        self._measuring: Measuring = measuring(whole)
        self._threads: dict[int, ThreadPoolExecutor] = {}
        self._token = os.urandom(16)

    @classmethod
    def load(cls, profile: str | Path = "default", **options: Unpack[Options]) -> Scorer:
        """Return a scorer for a built-in profile (``afas``, ``default``) or a company's own file.

        The options are those of `Scorer`, by name: ``all_types``, ``terms``, ``translate``,
        ``adviser``, ``index``, ``retrieve``, ``language`` and ``clock``.

        With ``language="nl"`` a turn whose words and pages do not decide its language is read as
        Dutch; without, it is not scored.

        >>> turn = Turn("PIN?", "PIN: F8.", "PIN: F8.")
        >>> Scorer.load(language="nl").score(turn).language, Scorer.load().score(turn).language
        ('nl', None)
        """
        return cls(Profile.load(profile), **options)

    @property
    def profile(self) -> Profile:
        """How it scores."""
        return self.setup.profile

    @property
    def name(self) -> str:
        """The profile's name, with the translation and the adviser if there are any."""
        return self.setup.name

    @property
    def at_once(self) -> int:
        """Number of turns to score at the same time, from 1: more where a model is waited for."""
        return 1 if self.setup.adviser is None else self.setup.adviser.at_once

    def prepare(self, language: str) -> None:
        """Load now what the first turns of a language need: lexicons, weights, a pipeline.

        Raises:
            UnknownLanguageError: The profile does not have the language.
            PipelineError: The profile needs a pipeline that is not installed.
        """
        self.setup.check_language(language)
        self._measuring.languages.prepare(language)

    @overload
    def score(self, turn: Turn, /, **how: Unpack[How]) -> Assessment: ...

    @overload
    def score(
        self, question: str, answer: str, contexts: Contexts, **how: Unpack[How]
    ) -> Assessment: ...

    def score(
        self,
        question: Turn | str,
        answer: str | None = None,
        contexts: Contexts = None,
        *,
        measure_all: bool = False,
        budget_ms: float | None = None,
    ) -> Assessment:
        """Score one turn.

        Args:
            question: The question; or a `Turn`, alone.
            answer: The answer, beside a question.
            contexts: Its pages, as a `Turn` takes them.
            measure_all: Also measure heuristics that the score does not need, for evaluation; the
                score stays the same.
            budget_ms: The time budget in milliseconds. When it is up, the assessment holds what
                was found so far, with status ``cut_off`` and never with verdict ``send``. Checked
                between steps of a few milliseconds; call `prepare` before.

        Returns:
            An `Assessment`; a turn that cannot be scored gets a status and a reason, no error.

        Raises:
            PipelineError: The profile needs a pipeline that is not installed.
            LexiconError: A lexicon of the company is invalid.
            ConfigurationError: The profile needs a translation or second opinions, and the scorer
                has none; a scorer with either got a budget; the budget is not a number from 0.
            RecordError: It is neither a `Turn` nor a question with an answer, or a context names
                a page that is not known.

        >>> Scorer.load().score("Hoe sluit ik af?", "Met Alt+F8.", "Sluit af met Alt+F7.").verdict
        'block'
        """
        deadline = self.setup.deadline(budget_ms)
        return self._score(_turn_of(question, answer, contexts), measure_all, deadline)

    @overload
    async def ascore(self, turn: Turn, /, **how: Unpack[How]) -> Assessment: ...

    @overload
    async def ascore(
        self, question: str, answer: str, contexts: Contexts, **how: Unpack[How]
    ) -> Assessment: ...

    async def ascore(
        self,
        question: Turn | str,
        answer: str | None = None,
        contexts: Contexts = None,
        *,
        measure_all: bool = False,
        budget_ms: float | None = None,
    ) -> Assessment:
        """Score one turn in a thread, so that the event loop continues; else as `score`.

        The turns of one scorer run one after the other, or `at_once` together, since Python
        computes in one thread at a time. To use several cores, call
        `loop.run_in_executor(pool, scorer.score, turn)` with a process pool: each process makes
        the scorer once. A turn that is cancelled while it waits is not scored. Waiting counts for
        the budget.
        """
        from asyncio import get_running_loop

        given = _turn_of(question, answer, contexts)
        deadline = self.setup.deadline(budget_ms)
        work = partial(self._score, given, measure_all, deadline)
        run = partial(contextvars.copy_context().run, work)
        return await get_running_loop().run_in_executor(self._own_threads(), run)

    @overload
    def stream(self, turn: Turn, /) -> AnswerStream: ...

    @overload
    def stream(self, question: str, contexts: Contexts) -> AnswerStream: ...

    def stream(self, question: Turn | str, contexts: Contexts = None) -> AnswerStream:
        """Check an answer while it is being written.

        Takes a question and its pages; or a `Turn`, of which the answer is not read.

        Raises:
            RecordError: It is neither a `Turn` nor a question.
        """
        from klopt.scoring.streaming import AnswerStream

        given = _turn_of(question, None if isinstance(question, Turn) else "", contexts)
        return AnswerStream(self._measuring, self.score, given)

    def score_many(
        self, turns: Iterable[Turn], *, budget_ms: float | None = None, waited_ms: float = 0.0
    ) -> Iterator[Assessment]:
        """Score turns one by one, in order, each with its budget; no turn stops the others.

        The milliseconds that the turns waited before, as in a queue, count for the budget.

        A bug in klopt becomes status ``error`` with the reason ``internal``, and its traceback is
        logged; errors of configuration are raised as in `score`.
        """
        for turn in turns:
            if not isinstance(turn, Turn):
                yield self.refuse("", _NO_TURN.format(kind=type(turn).__name__))
                continue
            try:
                yield self._score(turn, False, self.setup.deadline(budget_ms, waited_ms))
            except KloptError:
                raise
            except Exception as error:
                _LOG.exception("turn %r could not be scored", turn.id)
                refusal = Refusal("internal", found=f"{type(error).__name__}: {error}")
                stop = NotScorableError(refusal, is_error=True)
                yield self._measuring.refused(Case(turn), stop)

    def refuse(self, row_id: str, reason: str) -> Assessment:
        """Return the assessment of a row that could not be read as a turn."""
        stop = NotScorableError(Refusal("row", found=reason), is_error=True)
        return self._measuring.refused(Case(Turn("", "", id=row_id)), stop)

    def classify(self, turn: Turn) -> tuple[Classification, tuple[int, int] | None]:
        """Return the message type of a turn's question, and the deciding span in the original.

        A question in a language that the profile does not have is read in translation.

        Raises:
            UnknownLanguageError: The language is unknown, or the profile does not have it.
            RecordError: It is not a `Turn`, or the question is too long.
            PatternTimeoutError: A pattern took too long on it.
            TranslationError: It could not be translated.
        """
        if not isinstance(turn, Turn):
            raise RecordError(_NO_TURN.format(kind=type(turn).__name__))
        if len(turn.question) > ANSWER_LIMIT_CHARS:
            length = Refusal(
                "question_too_long", count=len(turn.question), limit=ANSWER_LIMIT_CHARS
            )
            raise RecordError(length.words(None))
        return self._measuring.classify(turn)

    def _score(self, turn: Turn, measure_all: bool, deadline: Deadline) -> Assessment:
        assessment = self._measuring.assess(turn, measure_all=measure_all, deadline=deadline)
        adviser = self.setup.adviser
        if adviser is None or assessment.score is None:
            return assessment
        if assessment.retrieved:
            turn = replace(turn, contexts=assessment.retrieved)
        return adviser.advise(turn, assessment, self.profile)

    def _own_threads(self) -> ThreadPoolExecutor:
        """Return the threads of this process; a forked one does not have its parent's."""
        from concurrent.futures import ThreadPoolExecutor

        known = self._threads.get(os.getpid())
        return known or self._threads.setdefault(
            os.getpid(), ThreadPoolExecutor(self.at_once, "klopt-score")
        )

    def __reduce__(self) -> tuple[Callable[..., Scorer], tuple[Any, ...]]:
        """Let another process make the scorer once, from the same setup."""
        made_of = {field_.name: getattr(self.setup, field_.name) for field_ in fields(Setup)}
        sent = {}
        for name, one in made_of.items():
            try:
                sent[name] = pickle.dumps(one)
            except (TypeError, AttributeError, pickle.PicklingError) as error:
                raise ConfigurationError(
                    f"this scorer cannot be sent to another process, since its {name} cannot "
                    f"({error}); make a scorer there, as with the initializer of the pool"
                ) from None
        return _received, (self._token, type(self), sent)

    if not TYPE_CHECKING:  # a type checker should report unknown attributes

        def __getattr__(self, name: str) -> object:
            """Make a received scorer at its first use, where an error can be reported."""
            if name != "_sent" and "_sent" in self.__dict__:
                made_of = {key: pickle.loads(one) for key, one in self._sent.items()}
                self.__init__(Setup(**made_of))
            return object.__getattribute__(self, name)


def _turn_of(given: Turn | str, answer: str | None, contexts: Contexts) -> Turn:
    """Return the turn, or make one of a question, an answer and pages.

    Raises:
        RecordError: It is neither, or both.
    """
    if isinstance(given, str):
        if answer is None and contexts is not None:
            raise RecordError("answer is None, not text; a tool call has no answer to score")
        if answer is None:
            alone = _NO_TURN.format(kind="a question alone")
            raise RecordError(f"{alone}, or pass texts: score(question, answer, contexts)")
        return Turn(given, answer, contexts)
    if not isinstance(given, Turn):
        kind = "None" if given is None else type(given).__name__
        if answer is not None:
            raise RecordError(
                f"the question is {kind}, not a text; give question, answer and contexts, or a Turn"
            )
        raise RecordError(_NO_TURN.format(kind=kind))
    if answer is not None or contexts is not None:
        raise RecordError("a Turn has its own answer and contexts; pass only the Turn")
    return given


_RECEIVED: Final = Recent[bytes, Scorer](8)
"""Scorers from another process, each made once."""


def _received(token: bytes, kind: type[Scorer], sent: dict[str, bytes]) -> Scorer:
    """Return a scorer that is made later: an error while unpickling breaks a process pool."""
    known = _RECEIVED.get(token)
    if known is not None:
        return known
    scorer = kind.__new__(kind)
    scorer.__dict__["_sent"] = sent
    return _RECEIVED.put(token, scorer)
