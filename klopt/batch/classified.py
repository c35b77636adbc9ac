"""What is put out for a classified row."""

from __future__ import annotations

from typing import Any, Final

from klopt.errors import PatternTimeoutError, RecordError, TranslationError, UnknownLanguageError
from klopt.records import Turn
from klopt.scoring.scorer import Scorer

NO_TYPE: Final = {"message_type": None, "pattern": None, "span": None, "text": None}
"""What a row has that could not be classified, beside its id and the reason."""


def classified(turn: Turn, scorer: Scorer) -> dict[str, Any]:
    """The row of output for a turn; the type that it states, if any, is not looked at.

    >>> found = classified(Turn("Hoe voeg ik een printer toe?", "", id="1"), Scorer.load())
    >>> found["id"], found["message_type"]
    ('1', 'instruction')
    """
    try:
        found, span = scorer.classify(Turn(turn.question, "", language=turn.language))
    except (PatternTimeoutError, RecordError, TranslationError, UnknownLanguageError) as error:
        return {"id": turn.id, **NO_TYPE, "reason": str(error)}
    return {
        "id": turn.id,
        "message_type": found.message_type,
        "pattern": found.pattern,
        "span": None if span is None else list(span),
        "text": None if span is None else turn.question[span[0] : span[1]],
    }
