"""Asks a model again when its server or the network fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from klopt.errors import LlmError, LlmReason
from klopt.models.calls import Call, CallError, Usage
from klopt.models.patience import Clock, Passing, Patience, try_again

R = TypeVar("R")


class PassingError(LlmError):
    """A failure that may be over the next time.

    Attributes:
        wait_seconds: How long the server asks to wait; None when it does not say.
    """

    def __init__(
        self, reason_code: LlmReason, message: str, wait_seconds: float | None = None
    ) -> None:
        super().__init__(reason_code, message)
        self.args = (reason_code, message, wait_seconds)
        self.wait_seconds = wait_seconds


def persist(
    call: Call, attempt: Callable[[], R], patience: Patience, clock: Clock
) -> tuple[R, Usage]:
    """Makes an attempt, and again while it fails with a `PassingError`.

    Args:
        call: What is asked.
        attempt: Sends one request.
        patience: How often, and with which waits.
        clock: Measures and waits.

    Returns:
        What the attempt gave; and the seconds and retries that it took.

    Raises:
        CallError: The last try failed, or one failed in a way that will not pass.
    """
    tries = try_again(
        attempt,
        LlmError,
        _passing,
        patience,
        clock,
        seed=f"{call.id}\0{call.technique}",
        about=f"row {call.id!r}, {call.technique}",
    )
    spent = Usage(seconds=tries.seconds, retries=tries.retries)
    if isinstance(tries.outcome, LlmError):
        failed = tries.outcome
        raise CallError(failed.reason_code, failed.message + tries.told, spent)
    return tries.outcome, spent


def _passing(error: LlmError) -> Passing | None:
    if not isinstance(error, PassingError):
        return None
    return Passing(error.reason_code, error.wait_seconds)
