"""``klopt claims``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

import click
from rich.table import Column

from klopt.cli import EXIT_BAD_INPUT, options
from klopt.cli.options import as_command, option
from klopt.cli.terminal import counted, figures, give, ids, tell, tracked, warn
from klopt.logs.claims import AUTO, ComparedClaim, compare_claims
from klopt.scoring.explanation import texts
from klopt.verification import LABELS, LANGUAGES

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
    give(
        _tallied(tracked(compare_claims(file, language), "Comparing", file), labels),
        (ids(), "label", figures("chance"), Column("contradictions", ratio=1)),
        _cells,
        ComparedClaim.to_dict,
        output=output,
        form=form,
    )
    written = f" Written to {output}." if output is not None else ""
    tell(f"{_summary(labels)}{written}")
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


def _summary(labels: Counter[str]) -> str:
    """Return the number of claims per label."""
    if not labels:
        return "No rows."
    parts = [f"{labels[name]} {name}" for name in (*LABELS, _FAILED) if labels[name]]
    return f"{counted(labels.total(), 'claim')}: {', '.join(parts)}."
