"""What a classifier hands back, and how it finds its table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from klopt.errors import UnknownLanguageError
from klopt.lexicons import Lexicon, Lexicons
from klopt.records import MessageType

NO_MATCH: Final = "no_match"
"""The `pattern` of a message in which no pattern was found."""

NO_QUESTION_MARK: Final = "no_question_mark"
"""The `pattern` of a message that the published method calls reasoning for want of a ``?``."""


MESSAGE_MAX_CHARS: Final = 20_000
"""Only so much of a message is looked at, by either method."""


@dataclass(frozen=True, slots=True)
class Classification:
    """The type of one message and why.

    Attributes:
        message_type: One of `klopt.records.MESSAGE_TYPES`.
        pattern: The id of the pattern that decided, or `NO_MATCH` or `NO_QUESTION_MARK`.
        start: First character, in the message, of what the pattern found.
        end: After its last character; 0 and 0 when no pattern was found.
        scores: Type → score for the scored method, the types without a score left out, in the
            order of `klopt.records.MESSAGE_TYPES`; empty for the published method.

    >>> Classification("binary", "modal_question", 0, 6, (("binary", 4.0),)).score("error")
    0.0
    """

    message_type: MessageType
    pattern: str
    start: int
    end: int
    scores: tuple[tuple[MessageType, float], ...] = ()

    def score(self, message_type: MessageType) -> float:
        """The score of one type, at least 0.0, no unit; 0.0 where nothing spoke for it."""
        return dict(self.scores).get(message_type, 0.0)


UNSPECIFIED: Final = Classification("unspecified", NO_MATCH, 0, 0)


def table(lexicons: Lexicons, lexicon_id: str) -> Lexicon:
    """The classifier's lexicon of a language.

    Raises:
        UnknownLanguageError: The language has none; that of another language is never used.
    """
    try:
        return lexicons[lexicon_id]
    except KeyError:
        raise UnknownLanguageError(
            f'language "{lexicons.language}" has no lexicon "{lexicon_id}", which says what '
            f"type a message is; add {lexicons.language}/{lexicon_id}.toml"
        ) from None
