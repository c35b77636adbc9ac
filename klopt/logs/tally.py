"""Count the outcomes of a log's rows as they pass, without keeping the rows."""

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
    """What a summary counts of an assessment; ``untranslated`` says why a translation failed."""

    verdict: str
    status: str
    message_type: str | None
    reason_code: str | None
    reason: str | None
    untranslated: str | None
    lacks_terms: bool

    @classmethod
    def of(cls, scored: Assessment) -> Counted:
        """Extract what is counted from an assessment."""
        note = scored.translation
        is_missing = scored.status == "scored_on_original" or scored.reason_code == "not_translated"
        terms = scored.measurements.get(_TERMS)
        return cls(
            scored.verdict,
            scored.status,
            scored.message_type,
            scored.reason_code,
            scored.reason,
            (note.reason_code or "") if note is not None and is_missing else None,
            terms is not None and terms.value is None,
        )

    @property
    def is_error(self) -> bool:
        """Whether the row is invalid, or klopt failed on it."""
        return self.status == "error" and self.reason_code != "not_translated"


@dataclass
class Tally:
    """Counts of rows by outcome.

    Attributes:
        errors: Rows that could not be read, or on which klopt failed.
        on_original: Rows scored on the original text because the translation failed.
        repeated: Rows with question, answer and contexts of an earlier row, not scored again.
        without_terms: Whether company terms could not be measured in some row.
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
    def of(cls, saved: Mapping[str, Any]) -> Tally:
        """Restore a tally from ``vars`` of one; raise ValueError if fields or types differ."""
        own = cls()
        if {name: type(value) for name, value in saved.items()} != {
            name: dict if isinstance(value, Counter) else type(value)
            for name, value in vars(own).items()
        }:
            raise ValueError("its counts have other fields")
        for name, value in saved.items():
            setattr(own, name, Counter(value) if isinstance(value, dict) else value)
        return own

    def add(self, counted: Counted, *, is_repeat: bool = False) -> None:
        """Count one row."""
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
        """Yield the same results, counting each."""
        for row, assessment in results:
            self.add(Counted.of(assessment))
            yield row, assessment

    @property
    def scored(self) -> int:
        """Answers with a score."""
        return self.verdicts.total() - self.verdicts["unscored"]

    @property
    def refused_untranslated(self) -> int:
        """Answers that were not scored because they were not translated."""
        return self.untranslated.total() - self.on_original

    def summary(self) -> str:
        """Return how many answers got which verdict, in one line."""
        total = self.verdicts.total()
        if not total:
            return "No rows."
        parts = [f"{self.verdicts[name]:,} {name}" for name in VERDICTS if self.verdicts[name]]
        line = f"{total:,} answer{'s' if total > 1 else ''}: {', '.join(parts)}."
        if self.repeated:
            line += f" {self.repeated:,} repeat an earlier answer and were scored once."
        if self.errors:
            line += f" {self.errors:,} could not be read."
        if self.untranslated:
            why = ", ".join(f"{code} {count}" for code, count in sorted(self.untranslated.items()))
            count = self.untranslated.total()
            line += f" {count:,} {'was' if count == 1 else 'were'} not translated ({why}): "
            line += f"{self.on_original:,} scored on the original text, "
            line += f"{self.refused_untranslated:,} not scored."
        return line
