"""The message type by ordered lists, first match wins: the AFAS paper's own method."""

from __future__ import annotations

from typing import Final

from klopt.classifier.classification import (
    MESSAGE_MAX_CHARS,
    NO_QUESTION_MARK,
    UNSPECIFIED,
    Classification,
    table,
)
from klopt.lexicons import Lexicons
from klopt.records import MessageType

LEXICON: Final = "messages_published"

ORDER: Final[tuple[MessageType, ...]] = ("error", "general", "reasoning", "instruction", "binary")
"""The lists in the paper's order. Action has no list; unspecified is what is left."""

QUESTION_MARKS: Final = ("?", "？", "؟")


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
    lexicon = table(lexicons, LEXICON)
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
