"""How much may be asked of the service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

HEAD_BYTES: Final = 65_536
"""Of the address and headers of a request, and of what else is no body."""
MOST_FOUND: Final = 100
"""Pages that a search gives."""
MOST_RETRIEVED: Final = 50
"""Pages that a row without contexts is given."""
QUEUE_EACH: Final = 5
"""Requests that wait or are worked on, for each process, unless told otherwise."""


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
