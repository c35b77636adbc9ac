"""What a request is answered with when it is not answered."""

from __future__ import annotations


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
