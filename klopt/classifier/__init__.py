"""What type of message a question is, of the seven types of the AFAS paper, section 4.4.1.

The type decides what is looked at in an answer and whether it is scored at all. There are two
methods, each in one module and each only rules over tables: `ordered` is the paper's, `scored`
is klopt's own default.

>>> from klopt.lexicons import load
>>> found = classify("Kan ik dat later nog aanpassen?", load("nl"))
>>> found.message_type, found.pattern
('binary', 'modal_question')
>>> classify("Kan ik dat later nog aanpassen?", load("nl"), method="published").pattern
'can'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

from klopt.classifier.classification import NO_MATCH, NO_QUESTION_MARK, Classification
from klopt.classifier.ordered import classify_ordered
from klopt.classifier.scored import classify_scored
from klopt.errors import ConfigurationError
from klopt.lexicons import Lexicons
from klopt.reading.text import Span

__all__ = ["NO_MATCH", "NO_QUESTION_MARK", "Classification", "Method", "classify"]

Method: TypeAlias = Literal["published", "scored"]


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
