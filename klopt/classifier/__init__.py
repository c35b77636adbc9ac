"""What type of message a question is, of the seven types of the AFAS paper, section 4.4.1.

The type decides what is looked at in an answer and whether it is scored at all. There are two
methods, each only rules over tables: `classify_ordered` is the paper's, `scored` has klopt's own
default.

>>> from klopt.lexicons import load
>>> found = classify("Kan ik dat later nog aanpassen?", load("nl"))
>>> found.message_type, found.pattern
('binary', 'modal_question')
>>> classify("Kan ik dat later nog aanpassen?", load("nl"), method="published").pattern
'can'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias, get_args

from klopt.classifier.classification import (
    MESSAGE_MAX_CHARS,
    NO_MATCH,
    NO_QUESTION_MARK,
    UNSPECIFIED,
    Classification,
    table,
)
from klopt.classifier.scored import classify_scored
from klopt.errors import ConfigurationError
from klopt.lexicons import Lexicons
from klopt.reading.text import Span
from klopt.records import MessageType

__all__ = [
    "NO_MATCH",
    "NO_QUESTION_MARK",
    "Classification",
    "Method",
    "classify",
    "classify_ordered",
]

Method: TypeAlias = Literal["published", "scored"]

ORDER: Final[tuple[MessageType, ...]] = ("error", "general", "reasoning", "instruction", "binary")
"""The lists in the paper's order. Action has no list; unspecified is what is left."""

QUESTION_MARKS: Final = ("?", "？", "؟")


def classify(
    text: str,
    lexicons: Lexicons,
    *,
    method: Method = "scored",
    sentences: Sequence[Span] | None = None,
) -> Classification:
    """The type of a message, with the pattern and the characters that decided it.

    Args:
        text: The message as the user typed it; may be empty.
        lexicons: The tables of its language: ``messages`` and ``messages_published``.
        method: ``scored`` adds weights up over the sentences; ``published`` is the paper's
            ordered lists, first match wins.
        sentences: Where the sentences are, if the caller has split them already; only
            ``scored`` looks.

    Returns:
        A `Classification`; a text that says nothing is ``unspecified`` with ``no_match``.

    Raises:
        ConfigurationError: There is no such method.
        UnknownLanguageError: The language has no table for the method.
        PatternTimeoutError: A company's own pattern took too long.

    Source: AFAS paper, sections 4.4.1 (types) and 5.1 (ordered lists).
    """
    if method == "published":
        return classify_ordered(text, lexicons)
    if method == "scored":
        return classify_scored(text, lexicons, sentences=sentences)
    allowed = ", ".join(get_args(Method))
    raise ConfigurationError(f'classifier method "{method}" is not one of {allowed}')


def classify_ordered(text: str, lexicons: Lexicons) -> Classification:
    """The type whose list is the first to hold something that stands in the text.

    The lists are tried as error, general, reasoning, instruction, binary; a message in which
    none of them is found is unspecified. A message without a question mark is reasoning, unless
    the error or the general list took it: the paper prints that condition as part of the
    reasoning list. Within a list the patterns are tried in the order of the table.

    Source: AFAS paper, section 5.1. The paper prints the beginning of each list, in English;
    the table's header says which entries those are and which we completed. The paper lowercases
    the text; we ignore case instead, which finds the same and keeps the character offsets.

    >>> from klopt.lexicons import load
    >>> classify_ordered("Hoe wijzig ik het tarief?", load("nl")).message_type
    'instruction'
    >>> classify_ordered("Ik wil het tarief wijzigen.", load("nl")).pattern
    'no_question_mark'
    """
    lexicon = table(lexicons, "messages_published")
    text = text[:MESSAGE_MAX_CHARS]
    if not text.strip():
        return UNSPECIFIED
    for message_type in ORDER:
        for pattern in lexicon.group(message_type):
            match = pattern.search(text)
            if match is not None:
                return Classification(message_type, pattern.id, match.start(), match.end())
        if message_type == "reasoning" and not any(mark in text for mark in QUESTION_MARKS):
            return Classification(message_type, NO_QUESTION_MARK, 0, 0)
    return UNSPECIFIED
