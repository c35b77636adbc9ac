"""Ends a run in which nobody replies: a wrong key or address is wrong for every row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, get_args

from klopt.batch.checking import CheckedRow
from klopt.errors import LlmError, LlmReason

MOST_FAILED: Final = 3
"""So many failed rows end a run in which nobody has replied yet."""

_CODES: Final[tuple[LlmReason, ...]] = get_args(LlmReason)


def while_hopeful(
    rows: Iterable[CheckedRow], has_replied: Callable[[], bool], advice: str
) -> Iterator[CheckedRow]:
    """The same rows, while there is hope that the model will reply.

    Args:
        rows: Of a run that asks a model.
        has_replied: Whether anybody has replied until now.
        advice: What to look at when nobody does.

    Raises:
        LlmError: `MOST_FAILED` rows failed before anybody replied, or everything that was asked
            was refused.
    """
    failed_count, only_refused = 0, True
    first: tuple[LlmReason, str] | None = None
    for row in rows:
        failed = [(code, text) for code in _CODES for other, text in row.failures if other == code]
        failed_count += bool(failed)
        first = first or next(iter(failed), None)
        only_refused = only_refused and not row.usage.calls
        only_refused = only_refused and all(code == "refused" for code, _ in failed)
        if first and failed_count >= MOST_FAILED and not has_replied():
            raise _stopped(*first, f"the first {MOST_FAILED} answers", advice)
        yield row
    if first and only_refused and not has_replied():
        raise _stopped(*first, "all answers", advice)


def _stopped(code: LlmReason, text: str, which: str, advice: str) -> LlmError:
    how = "were refused" if code == "refused" else "got no reply"
    return LlmError(code, f"{which} {how}, so the run stops here. {advice} The first: {text}")
