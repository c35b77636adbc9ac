"""How much may be asked of the service, and what a request is answered with that gets nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

HEAD_BYTES: Final = 65_536
"""Of the address and headers of a request, and of what else is no body."""
MOST_FOUND: Final = 100
"""Pages that a search gives."""
QUEUE_EACH: Final = 4
"""Requests that wait or are worked on, for each process, unless told otherwise."""
LARGEST_HELD: Final = 32
"""All requests together hold as many bytes as so many of the largest."""
TRY_AGAIN_S: Final = 1
"""After so long who is refused for now may ask again."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a request may ask.

    Attributes:
        body_bytes: Of what it sends.
        body_s: Until it has sent it.
        piece_s: Until the next piece of a stream.
        batch_rows: In one batch.
        answer_s: Until it is answered, and of a batch until each four rows are.
        streams_count: At one time.
    """

    body_bytes: int = 4_000_000
    body_s: float = 15.0
    piece_s: float = 60.0
    batch_rows: int = 1_000
    answer_s: float = 10.0
    streams_count: int = 256


@dataclass(slots=True)
class Held:
    """The bytes of all requests that are not yet answered."""

    count: int = 0


class RefusedError(Exception):
    """A request that gets no result.

    Attributes:
        status: Of HTTP.
        code: A stable word for it.
        message: What was met, what is allowed and what to do.
        retry_after_s: When to ask again; None when that would not help.
    """

    def __init__(
        self, status: int, code: str, message: str, retry_after_s: int | None = None
    ) -> None:
        # All of them, so that it comes through to another process.
        super().__init__(status, code, message, retry_after_s)
        self.status = status
        self.code = code
        self.message = message
        self.retry_after_s = retry_after_s

    def __str__(self) -> str:
        return self.message
