"""The shape that replies of the LLM solver have: an object with a list under ``answer``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from klopt.errors import ReplyError
from klopt.models.calls import parse_json

T = TypeVar("T")

_MOST_NOTES: Final = 20
_LONGEST_SHOWN_CHARS: Final = 60


@dataclass(frozen=True, slots=True)
class Read(Generic[T]):
    """What was read from a reply, and what was overlooked in it."""

    value: T
    notes: tuple[str, ...]


def answer_of(text: str, notes: list[str]) -> object:
    """What stands under ``answer``; a reply that is only the list will do, with a note.

    Raises:
        ReplyError: The reply is not JSON, or has no answer.

    >>> answer_of('{"answer": ["A"]}', [])
    ['A']
    """
    value = parse_json(text)
    if isinstance(value, list):
        notes.append('the reply is a list without an object around it, read as its "answer"')
        return value
    if not isinstance(value, dict) or "answer" not in value:
        raise wrong_shape(value, 'an object with an "answer"')
    return value["answer"]


def wrong_shape(value: object, allowed: str) -> ReplyError:
    """The error for a value of a reply that cannot be read."""
    return ReplyError("bad_shape", f"the reply has {shown(value)} where {allowed} belongs")


def shown(value: object) -> str:
    """A value for a message, as JSON, cut when it is long.

    >>> shown({"blank": None})
    '{"blank": null}'
    """
    text = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")
    return cut(text)


def cut(text: str) -> str:
    """A text for a message, cut when it is long."""
    return text if len(text) <= _LONGEST_SHOWN_CHARS else f"{text[:_LONGEST_SHOWN_CHARS]}…"


def capped(notes: Sequence[str]) -> tuple[str, ...]:
    """The first notes, and how many there are more."""
    more = len(notes) - _MOST_NOTES
    return (*notes[:_MOST_NOTES], f"and {more} more") if more > 0 else tuple(notes)
