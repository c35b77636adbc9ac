"""What came of the rows of a log, counted as they come by, so that a long one is not kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from klopt.scoring.assessment import Assessment

R = TypeVar("R")

VERDICTS: Final = ("send", "review", "block", "unscored")
_TERMS: Final = "company_specific_terms"


@dataclass(frozen=True, slots=True)
class Counted:
    """What is counted of one assessment; ``untranslated`` is why it was not translated as asked."""

    verdict: str
    status: str
    message_type: str | None
    reason_code: str | None
    reason: str | None
    untranslated: str | None
    lacks_terms: bool

    @classmethod
    def of(cls, scored: Assessment) -> Counted:
        """What is counted of an assessment."""
        note = scored.translation
        is_lacking = scored.status == "scored_on_original" or scored.reason_code == "not_translated"
        terms = scored.measurements.get(_TERMS)
        return cls(
            scored.verdict,
            scored.status,
            scored.message_type,
            scored.reason_code,
            scored.reason,
            (note.reason_code or "") if note is not None and is_lacking else None,
            terms is not None and terms.value is None,
        )

    @property
    def is_error(self) -> bool:
        """Whether the row is at fault, or klopt."""
        return self.status == "error" and self.reason_code != "not_translated"


@dataclass
class Tally:
    """How many rows came out how.

    Attributes:
        errors: Rows that could not be read, or scored for a fault of klopt.
        on_original: Those scored on the original for lack of a translation.
        repeated: Those with question, answer and contexts of an earlier row, not scored again.
        without_terms: Whether company terms were not measured in some row.
    """

    verdicts: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    message_types: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    untranslated: Counter[str] = field(default_factory=Counter)
    errors: int = 0
    on_original: int = 0
    repeated: int = 0
    without_terms: bool = False

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Tally:
        """One that was kept as a dictionary, to count on.

        Raises:
            ValueError: It is another kind of dictionary.
        """
        own = cls()
        if {name: type(value) for name, value in kept.items()} != {
            name: dict if isinstance(value, Counter) else type(value)
            for name, value in vars(own).items()
        }:
            raise ValueError("it counts something else")
        for name, value in kept.items():
            setattr(own, name, Counter(value) if isinstance(value, dict) else value)
        return own

    def add(self, counted: Counted, *, is_repeat: bool = False) -> None:
        """Counts a row."""
        self.verdicts[counted.verdict] += 1
        self.statuses[counted.status] += 1
        if counted.message_type is not None:
            self.message_types[counted.message_type] += 1
        if counted.verdict == "unscored":
            self.reasons[counted.reason_code or ""] += 1
        if counted.untranslated is not None:
            self.untranslated[counted.untranslated] += 1
        self.errors += counted.is_error
        self.on_original += counted.status == "scored_on_original"
        self.repeated += is_repeat
        self.without_terms |= counted.lacks_terms

    def count(self, results: Iterable[tuple[R, Assessment]]) -> Iterator[tuple[R, Assessment]]:
        """The same results, counted on their way through."""
        for row, assessment in results:
            self.add(Counted.of(assessment))
            yield row, assessment

    @property
    def refused_untranslated(self) -> int:
        """Answers that were not scored because they were not translated."""
        return self.untranslated.total() - self.on_original

    def summary(self) -> str:
        """How many answers got which verdict, in one line."""
        total = self.verdicts.total()
        if not total:
            return "No rows."
        parts = [f"{self.verdicts[name]:,} {name}" for name in VERDICTS if self.verdicts[name]]
        line = f"{total:,} answer{'s' if total > 1 else ''}: {', '.join(parts)}."
        if self.repeated:
            line += f" {self.repeated:,} of them repeated an earlier one, which was scored once."
        if self.errors:
            line += f" {self.errors:,} of them could not be read."
        if self.untranslated:
            why = ", ".join(f"{code} {count}" for code, count in sorted(self.untranslated.items()))
            line += (
                f" {self.untranslated.total()} of them were not translated ({why}): "
                f"{self.on_original} scored on the original text, "
                f"{self.refused_untranslated} not scored."
            )
        return line

    def to_dict(self) -> dict[str, Any]:
        """The figures as an object for JSON, the names in each in order."""
        return {
            "rows": self.verdicts.total(),
            "verdicts": {name: self.verdicts[name] for name in VERDICTS},
            **{
                name: dict(sorted(getattr(self, name).items()))
                for name in ("statuses", "message_types", "reasons", "untranslated")
            },
            "errors": self.errors,
            "repeated": self.repeated,
        }
