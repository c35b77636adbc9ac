"""What of a turn can be read, in time and within bounds; and that it cannot be scored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import regex

from klopt.matching import Context, Language
from klopt.reading.markup import read_text
from klopt.reading.reader import ANSWER_LIMIT_CHARS, CONTEXTS_LIMIT_CHARS, PAGE_LIMIT_CHARS
from klopt.reading.text import PlainText
from klopt.records import Page, Turn
from klopt.scoring.explanation import Refusal
from klopt.scoring.setup import Deadline

_LATIN: Final = regex.compile(r"\p{Latin}")
_OTHER: Final = regex.compile(r"[\p{Greek}\p{Cyrillic}]")
_WORD: Final = regex.compile(r"\p{L}{3,}")


def look_alike(text: str) -> str | None:
    """The first word that mixes Latin letters with Greek or Cyrillic ones, or None.

    >>> look_alike("Klik op \u039fpslaan."), look_alike("Klik op Opslaan.")
    ('\u039fpslaan', None)
    """
    if _OTHER.search(text) is None:
        return None
    words = (match[0] for match in _WORD.finditer(text))
    return next((word for word in words if _OTHER.search(word) and _LATIN.search(word)), None)


class NotScorableError(Exception):
    """Inside `klopt.scoring` only: a turn cannot be scored, and why.

    Where ``is_error``, the row or a resource is at fault, rather than there being nothing to judge.
    """

    def __init__(self, refusal: Refusal, *, is_error: bool = False) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal
        self.is_error = is_error


class OutOfTimeError(Exception):
    """Inside `klopt.scoring` only: the time was up before anything could be measured."""

    def __init__(self, unread: Sequence[str] = ()) -> None:
        super().__init__(*unread)
        self.unread = tuple(unread)


def read_turn(turn: Turn) -> tuple[PlainText, PlainText]:
    """The plain texts of question and answer."""
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


def other_language(pages: Sequence[Context], wanted: str) -> NotScorableError:
    """That all pages are in another language than the turn."""
    votes = [page.index.reading.vote for page in pages]
    languages = sorted({str(vote.language or vote.other) for vote in votes})
    return NotScorableError(Refusal("context_language", found=", ".join(languages), wanted=wanted))


def read_pages(
    pages: Sequence[Page], language: Language, deadline: Deadline
) -> tuple[Context, ...]:
    """The pages with text, whatever their language.

    Where there is no time to read them all, those for which there is are read, so that the next
    turn need not.
    """
    for page in pages:
        if len(page.text) > PAGE_LIMIT_CHARS:
            raise NotScorableError(
                Refusal("page_too_long", page.id, count=len(page.text), limit=PAGE_LIMIT_CHARS)
            )
    total = sum(len(page.text) for page in pages)
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
    texts = tuple(context for context in read if context.index.reading.plain.has_words)
    if not texts:
        raise NotScorableError(Refusal("no_contexts"))
    return texts
