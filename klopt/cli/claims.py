"""``klopt claims``: compare claims with passages; a row that cannot be compared is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import click
from rich.table import Column

from klopt.cli import EXIT_BAD_INPUT, options
from klopt.cli.options import as_command, option
from klopt.cli.terminal import counted, figures, give, ids, tell, tracked, warn
from klopt.errors import InputError, PatternTimeoutError, RecordError, UnknownLanguageError
from klopt.logs.rows import read_mappings
from klopt.scoring.assessment import Slot
from klopt.scoring.explanation import texts
from klopt.scoring.measuring import slots_in
from klopt.text.language import vote
from klopt.text.markup import read_text
from klopt.text.reader import ANSWER_LIMIT_CHARS, PAGE_LIMIT_CHARS
from klopt.types import row_id
from klopt.verification import LABELS, LANGUAGES, Comparator, Comparison

AUTO: Final = "auto"
LIMITS_CHARS: Final = {
    "passage": PAGE_LIMIT_CHARS,
    "claim": ANSWER_LIMIT_CHARS,
    "question": ANSWER_LIMIT_CHARS,
}  # The text fields of a row, with their maximum lengths


@dataclass(frozen=True, slots=True)
class ComparedClaim:
    """The result of one row; ``problem`` says why nothing was compared."""

    id: str
    comparison: Comparison | None = None
    slots: tuple[Slot, ...] = ()
    language: str | None = None
    problem: str | None = None
    warning: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON object; ``reason`` is there only if the row could not be compared."""
        found = self.comparison
        row: dict[str, Any] = {"id": self.id, "label": found and found.label}
        row["probabilities"] = found and dict(found.probabilities)
        row["slots"] = [asdict(slot) for slot in self.slots]
        return row if self.problem is None else {**row, "reason": self.problem}


def compare_claims(source: str, language: str = AUTO) -> Iterator[ComparedClaim]:
    """Compare the rows of a file, in order; ``language`` is that of rows that state none."""
    for number, fields, warning in read_mappings(source, None):
        if isinstance(fields, str):
            yield ComparedClaim(f"row-{number}", problem=fields)
            continue
        found = ComparedClaim(row_id(fields) or f"row-{number}")
        try:
            comparison, slots, read_in = _compared(fields, language)
            found = ComparedClaim(found.id, comparison, slots, read_in)
        except (InputError, PatternTimeoutError, RecordError, UnknownLanguageError) as error:
            found = replace(found, problem=f"row {number}: {error}")
        yield replace(found, warning=f"row {number}: {warning}" if warning else None)


def _compared(fields: Mapping[str, Any], language: str) -> tuple[Comparison, tuple[Slot, ...], str]:
    passage, claim = _text(fields, "passage"), _text(fields, "claim")
    question = _text(fields, "question", is_required=False)
    code = _text(fields, "language", is_required=False) or language
    if code == AUTO:
        voted = vote((question, claim, passage))
        if voted.language is None:
            raise UnknownLanguageError(
                f"the language is unclear ({voted.reason}); state it in the row or with --language"
            )
        code = voted.language
    comparison = Comparator.load(code).compare(passage, claim, question or None)
    read = read_text(passage)
    slots = slots_in(comparison.slots, read_text(claim), read, (0, len(read.text)))
    return comparison, slots, code


def _text(fields: Mapping[str, Any], name: str, *, is_required: bool = True) -> str:
    value = fields.get(name)
    if value is None or value == "":
        if is_required:
            there = ", ".join(str(field)[:40] for field in fields) or "none"
            raise RecordError(f"field {name} is missing; the fields are {there}")
        return ""
    if not isinstance(value, str):
        raise RecordError(f"{name} is not text but {str(value)[:40]}")
    if len(value) > (limit := LIMITS_CHARS.get(name, len(value))):
        raise RecordError(f"{name} has {len(value):,} characters; the limit is {limit:,}")
    return value


_MAX_PAIRS: Final = 6
_FAILED: Final = "could not be compared"


@as_command("claims", "klopt claims claims.jsonl -o compared.jsonl")
def command(
    *,
    file: options.File,
    language: str = option(
        "Language of rows that state none; auto detects it.",
        type=click.Choice((*LANGUAGES, AUTO)),
        default=AUTO,
    ),
    output: options.Output,
    form: options.Format,
) -> int:
    """Decide whether passages support claims, contradict them, or do not state them.

    Each row of FILE (JSONL, CSV or Parquet, or - for standard input) has a passage and a claim, and
    may have a question, a language and an id. klopt compares the first 120 words of each text.

    Prints a table on a terminal, otherwise JSON lines, one per row in order. Exit code 3 when a row
    could not be compared; klopt compares the other rows.
    """
    labels: Counter[str] = Counter()
    compared = _tallied(tracked(compare_claims(file, language), "Comparing", file), labels)
    columns = (ids(), "label", figures("chance"), Column("contradictions", ratio=1))
    give(compared, columns, _cells, ComparedClaim.to_dict, output=output, form=form)
    parts = [f"{labels[name]} {name}" for name in (*LABELS, _FAILED) if labels[name]]
    counts = f"{counted(labels.total(), 'claim')}: {', '.join(parts)}." if parts else "No rows."
    tell(f"{counts} Written to {output}." if output is not None else counts)
    return EXIT_BAD_INPUT if labels[_FAILED] else 0


def _tallied(results: Iterable[ComparedClaim], labels: Counter[str]) -> Iterator[ComparedClaim]:
    """Yield the results and count them; warn about rows that cannot be compared."""
    for claim in results:
        for sentence in filter(None, (claim.warning, claim.problem)):
            warn(sentence)
        labels[_FAILED if claim.comparison is None else claim.comparison.label] += 1
        yield claim


def _cells(claim: ComparedClaim) -> tuple[str, ...]:
    comparison = claim.comparison
    if comparison is None:
        return claim.id, "–", "", claim.problem or ""
    sentence: str = texts(claim.language)["statements"]["rivals"]
    rivals = comparison.rivals[:_MAX_PAIRS]
    against = "; ".join(sentence.format(answer=own, page=page) for own, page in rivals)
    chance = f"{comparison.probabilities[comparison.label]:.2f}"
    return claim.id, comparison.label, chance, claim.problem or against
