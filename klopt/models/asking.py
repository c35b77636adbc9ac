"""Asks until a reply can be used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from klopt.errors import LlmError, LlmReason, ReplyError
from klopt.models.calls import Call, CallError, Model, Reply, Usage

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What was read from a reply.

    Attributes:
        value: What ``read`` made of the reply that could be used.
        usage: What all tries cost together.
        problems: What was wrong with each reply before it, in order; empty when the first would do.
    """

    value: T
    usage: Usage
    problems: tuple[str, ...] = ()


def ask(model: Model, call: Call, read: Callable[[Reply], T], tries: int = 3) -> Answer[T]:
    """Asks a model, and asks again while its replies cannot be used.

    Args:
        model: Who is asked.
        call: What; the same words every time.
        read: Makes something of a reply, or raises `ReplyError` when it cannot.
        tries: How often at most, from 1.

    Returns:
        What was read, with what it cost and what went wrong before.

    Raises:
        CallError: No reply could be used, or the model gave none; it holds what was spent and
            every problem. Its reason is that of the last try.
        ValueError: ``tries`` is below 1.
    """
    if tries < 1:
        raise ValueError(f"tries is at least 1, not {tries}")
    usage, problems = Usage(), list[str]()
    reason: LlmReason = "bad_shape"
    for attempt in range(1, tries + 1):
        try:
            reply = model.complete(replace(call, attempt=attempt))
        except LlmError as error:
            if isinstance(error, CallError):
                usage += error.usage
            if error.reason_code == "no_transcript" and problems:
                break  # the recorded run ended here too
            raise _failed(call, error.reason_code, error.message, usage, problems) from None
        usage += reply.usage
        try:
            return Answer(read(reply), usage, tuple(problems))
        except ReplyError as error:
            problems.append(error.message)
            reason = error.reason_code
    message = f"the reply could not be used: {problems[0]}"
    if len(problems) > 1:
        message = f"none of {len(problems)} replies could be used; the last: {problems[-1]}"
    raise _failed(call, reason, message, usage, problems)


def _failed(
    call: Call, reason: LlmReason, message: str, usage: Usage, problems: list[str]
) -> CallError:
    return CallError(
        reason, f"row {call.id!r}, {call.technique}: {message}", usage, tuple(problems)
    )
