"""What a turn must have to be scored: text, a known language, pages in that language, bounds, time.

How a budget of time is kept: docs/decisions/0023-budget.md.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Collection, Sequence
from typing import Final, TypeGuard

from klopt.errors import ConfigurationError, RecordError
from klopt.matching import Context, Language
from klopt.reading.markup import read_text
from klopt.reading.reader import (
    ANSWER_LIMIT_CHARS,
    CONTEXTS_LIMIT_CHARS,
    PAGE_LIMIT_CHARS,
    vote,
)
from klopt.reading.text import PlainText
from klopt.records import Contexts, Page, Turn
from klopt.scoring.explanation import Refusal

NO_TURN: Final = "{kind} is no Turn; Turn.from_mapping makes one of a row"
_CODE: Final = re.compile(r"[a-z]{2,3}")

CHARS_A_S: Final = 200_000
"""So many characters are taken to be read in a second, or fewer where the turn has gone slower."""
OTHER_CHARS: Final = 1_000
"""What else a turn needs takes as long as so many, and says nothing of how fast a machine reads."""
COMPARING_CHARS: Final = 600
"""To hold an answer against its pages is taken to need as long as to read so many and its own."""


class NotScorableError(Exception):
    """Inside `klopt.scoring` only: a turn cannot be scored, and why.

    Where ``is_error``, the row or a resource is at fault, rather than there being nothing to judge.
    """

    def __init__(self, refusal: Refusal, *, is_error: bool = False) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal
        self.is_error = is_error


def is_budget(found: object) -> TypeGuard[float]:
    """Whether it is a time in milliseconds; a whole number may be no larger than others can be.

    >>> is_budget(25), is_budget(-1), is_budget(True), is_budget(10**400)
    (True, False, False, False)
    """
    if not isinstance(found, int | float) or isinstance(found, bool):
        return False
    return 0 <= found <= sys.float_info.max or found == float("inf")


class Deadline:
    """When a turn's time is up; without a budget it never is.

    Raises:
        ConfigurationError: The budget is no number from 0.

    >>> seconds = iter([10.0, 10.01, 10.02, 10.026])
    >>> deadline = Deadline(25, lambda: next(seconds))
    >>> deadline.allows(400), deadline.allows(4_000), deadline.allows(0)
    (True, False, False)
    """

    def __init__(
        self, budget_ms: float | None = None, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        if budget_ms is not None and not is_budget(budget_ms):
            is_huge = isinstance(budget_ms, int) and abs(budget_ms) > sys.float_info.max
            found = "a number that is too large" if is_huge else repr(budget_ms)
            raise ConfigurationError(
                f"budget_ms is {found}; give milliseconds, 0 or more, or None for no budget"
            )
        # Not -0.0, which would be told as "-0".
        self.budget_ms = float("inf") if budget_ms is None else float(budget_ms) + 0.0
        self._clock = clock
        self.is_set = budget_ms is not None
        self._until = clock() + self.budget_ms / 1000 if self.is_set else self.budget_ms
        self._begun: float | None = None
        self._chars = 0

    def allows(self, chars: int) -> bool:
        """Whether there is time to read a text of so many characters; of none, any time.

        What it allows is done when it is asked again: that shows how fast this machine is now.
        """
        if not self.is_set:
            return True
        now = self._clock()
        self._begun = now if self._begun is None else self._begun
        seconds_a_char = max(1 / CHARS_A_S, (now - self._begun) / (self._chars + OTHER_CHARS))
        is_allowed = now + chars * seconds_a_char < self._until
        self._chars += chars if is_allowed else 0
        return is_allowed


class OutOfTimeError(Exception):
    """Inside `klopt.scoring` only: the time was up before anything could be measured."""

    def __init__(self, unread: Sequence[str] = ()) -> None:
        super().__init__(*unread)
        self.unread = tuple(unread)


def turn_of(given: Turn | str, answer: str | None, contexts: Contexts) -> Turn:
    """A turn as it is, or one of a question, an answer and pages.

    Raises:
        RecordError: It is neither, or both.
    """
    if isinstance(given, str):
        if answer is None:
            alone = NO_TURN.format(kind="a question alone")
            raise RecordError(f"{alone}, score(question, answer, contexts) takes texts")
        return Turn(given, answer, contexts)
    if not isinstance(given, Turn):
        kind = "nothing" if given is None else type(given).__name__
        if answer is not None:
            raise RecordError(
                f"the question is {kind}, not text; give texts, or a Turn instead of them all"
            )
        raise RecordError(NO_TURN.format(kind=kind))
    if answer is not None or contexts is not None:
        raise RecordError("a Turn has an answer and contexts of its own; give it alone")
    return given


def read_turn(turn: Turn) -> tuple[PlainText, PlainText]:
    """The plain texts of question and answer.

    Raises:
        NotScorableError: Either is empty, has no letters or digits, or is too long.
    """
    for name, text in (("question", turn.question), ("answer", turn.answer)):
        if len(text) > ANSWER_LIMIT_CHARS:
            raise NotScorableError(
                Refusal(f"{name}_too_long", count=len(text), limit=ANSWER_LIMIT_CHARS)
            )
    question, answer = read_text(turn.question), read_text(turn.answer)
    for name, plain in (("question", question), ("answer", answer)):
        if not plain.has_words:
            raise NotScorableError(Refusal(f"empty_{name}"))
    return question, answer


def tell_language(
    stated: str,
    texts: Sequence[PlainText],
    languages: Collection[str],
    *,
    translatable: bool = False,
) -> str:
    """The language of a turn: as stated, or by a vote on its texts together.

    Where it is ``translatable``, any other language will do too; its code is of two or three small
    letters.

    Raises:
        NotScorableError: The language cannot be told, or is not among ``languages``.
    """
    language: str | None = stated
    if stated == "auto":
        found = vote([text.running_text for text in texts])
        language = found.language or (found.other if translatable else None)
        if language is None:
            raise NotScorableError(Refusal("language_unknown", found=found.reason or ""))
    if language not in languages and not (translatable and _CODE.fullmatch(str(language))):
        known = ", ".join(languages)
        raise NotScorableError(Refusal("language_unsupported", found=str(language), wanted=known))
    return str(language)


def read_contexts(
    pages: Sequence[Page], language: Language, deadline: Deadline
) -> tuple[Context, ...]:
    """The pages with text in the language; those of which no one can tell count too.

    Raises:
        NotScorableError: No page has text, all are in another language, or they are too long.
        OutOfTimeError: As `read_pages`.
    """
    texts = read_pages(pages, language, deadline)
    same = tuple(one for one in texts if one.index.reading.vote.language in (None, language.code))
    if not same:
        raise other_language(texts, language.code)
    return same


def other_language(pages: Sequence[Context], wanted: str) -> NotScorableError:
    """That all pages are in another language than the turn."""
    votes = [one.index.reading.vote for one in pages]
    found = sorted({str(vote.language or vote.other) for vote in votes})
    return NotScorableError(Refusal("context_language", found=", ".join(found), wanted=wanted))


def read_pages(
    pages: Sequence[Page], language: Language, deadline: Deadline
) -> tuple[Context, ...]:
    """The pages with text, whatever their language.

    Raises:
        NotScorableError: No page has text, or they are too long.
        OutOfTimeError: There is no time to read them all; those for which there is are read, so
            that the next turn need not.
    """
    total = 0
    for page in pages:
        total += len(page.text)
        if len(page.text) > PAGE_LIMIT_CHARS:
            raise NotScorableError(
                Refusal("page_too_long", page.id, count=len(page.text), limit=PAGE_LIMIT_CHARS)
            )
    if total > CONTEXTS_LIMIT_CHARS:
        raise NotScorableError(
            Refusal("contexts_too_long", count=total, limit=CONTEXTS_LIMIT_CHARS)
        )
    read, unread = list[Context](), list[str]()
    for page in pages:
        if not deadline.is_set or language.knows(page) or deadline.allows(len(page.text)):
            read.append(Context(page.id, language.page(page)))
        else:
            unread.append(page.id)
    if unread:
        raise OutOfTimeError(unread)
    texts = tuple(one for one in read if one.index.reading.plain.has_words)
    if not texts:
        raise NotScorableError(Refusal("no_contexts"))
    return texts
