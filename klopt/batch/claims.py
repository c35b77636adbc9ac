"""Claims beside passages, row by row; a row that cannot be compared is kept, and says why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from klopt.batch.rows import read_mappings
from klopt.comparing import Comparator, Comparison
from klopt.errors import (
    InputError,
    PatternTimeoutError,
    RecordError,
    UnknownLanguageError,
)
from klopt.reading.markup import read_text
from klopt.reading.reader import ANSWER_LIMIT_CHARS, PAGE_LIMIT_CHARS, vote
from klopt.records import row_id
from klopt.scoring.assessment import Slot
from klopt.scoring.statements import slots_in

AUTO: Final = "auto"
LIMITS_CHARS: Final = {
    "passage": PAGE_LIMIT_CHARS,
    "claim": ANSWER_LIMIT_CHARS,
    "question": ANSWER_LIMIT_CHARS,
}
"""The texts of a row, and how long each may be."""


@dataclass(frozen=True, slots=True)
class ComparedClaim:
    """What came of one row; ``problem`` is why nothing was compared."""

    id: str
    comparison: Comparison | None = None
    slots: tuple[Slot, ...] = ()
    language: str | None = None
    problem: str | None = None
    warning: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON; ``reason`` is there only where the row could not be compared."""
        comparison = self.comparison
        row: dict[str, Any] = {
            "id": self.id,
            "label": None if comparison is None else comparison.label,
            "probabilities": None if comparison is None else dict(comparison.probabilities),
            "slots": [asdict(slot) for slot in self.slots],
        }
        return row if self.problem is None else {**row, "reason": self.problem}


def compare_claims(source: str, language: str = AUTO) -> Iterator[ComparedClaim]:
    """Compares the rows of a file, in order."""
    for number, fields, warning in read_mappings(source, None):
        if isinstance(fields, str):
            yield ComparedClaim(f"row-{number}", problem=fields)
            continue
        name = row_id(fields) or f"row-{number}"
        told = f"row {number}: {warning}" if warning else None
        try:
            comparison, slots, read_in = _compared(fields, language)
        except (InputError, PatternTimeoutError, RecordError, UnknownLanguageError) as error:
            problem = f"row {number}: {error}"
            yield ComparedClaim(name, problem=problem, warning=told)
        else:
            yield ComparedClaim(name, comparison, slots, read_in, warning=told)


def _compared(fields: Mapping[str, Any], language: str) -> tuple[Comparison, tuple[Slot, ...], str]:
    passage, claim = _text(fields, "passage"), _text(fields, "claim")
    question = _text(fields, "question", is_required=False)
    code = _text(fields, "language", is_required=False) or language
    if code == AUTO:
        code = _told((question, claim, passage))
    comparison = Comparator.load(code).compare(passage, claim, question or None)
    return comparison, slots_in(comparison.slots, read_text(claim), read_text(passage)), code


def _text(fields: Mapping[str, Any], name: str, *, is_required: bool = True) -> str:
    value = fields.get(name)
    if value is None or value == "":
        if is_required:
            there = ", ".join(str(field)[:40] for field in fields) or "none"
            raise RecordError(f"there is no {name}; the fields are {there}")
        return ""
    if not isinstance(value, str):
        raise RecordError(f"{name} is not text but {str(value)[:40]}")
    if len(value) > (limit := LIMITS_CHARS.get(name, len(value))):
        raise RecordError(f"{name} has {len(value):,} characters, at most {limit:,} are read")
    return value


def _told(texts: Sequence[str]) -> str:
    voted = vote(texts)
    if voted.language is None:
        raise UnknownLanguageError(
            f"the language cannot be told ({voted.reason}); state it in the row, or with --language"
        )
    return voted.language
