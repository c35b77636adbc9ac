"""``klopt evaluate --metrics``: figures that are computed beside klopt's score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from klopt.batch.figures import Figures, by_reason
from klopt.cli.columns import Sourced
from klopt.cli.figure_options import FigureOptions
from klopt.cli.judged_rows import Log
from klopt.cli.named_fields import no_field
from klopt.cli.options import warn
from klopt.cli.progress import bar
from klopt.evaluation import NumberColumn
from klopt.records import Pages

SOURCE = "--metrics"


def figure_columns(
    log: Log, options: FigureOptions, file: str, pages: Pages | None
) -> list[Sourced]:
    """The columns of ``--metrics``, in order.

    Raises:
        click.UsageError: A figure asks a model, or needs a field that no row has.
        ConfigurationError: There is no such model for BERTScore.
        ExtraMissingError: What a figure needs is not installed.
    """
    asked, gold_field = options.asked, options.gold_field
    if asked.judges:
        raise click.UsageError(
            f"--metrics: {asked.judges[0]} asks a model, which klopt evaluate does not. Run klopt "
            f"judge {file} --metrics {asked.judges[0].partition('.')[0]} --model NAME -o "
            "judged.jsonl, and give --with judged.jsonl here."
        )
    if asked.tops and gold_field not in log.fields:
        raise click.UsageError(no_field("--gold-field", gold_field, file, log.fields))
    figures = Figures(asked, bert=options.bert(), pages=pages)
    if not figures.names:
        return []
    values: dict[str, list[float | None]] = {name: [] for name in figures.names}
    reasons: dict[str, str] = {}
    with bar("Measuring", len(log.turns)) as progress:
        for count, (row, turn) in enumerate(zip(log.rows, log.turns, strict=True), 1):
            found = figures.of(turn, row.fields.get(gold_field))
            for name, value in found.values.items():
                values[name].append(value)
            reasons = {**found.reasons, **reasons}
            if progress is not None:
                progress(count)
    _warn_of_empty(values, reasons)
    return [Sourced(NumberColumn(name, tuple(values[name])), SOURCE) for name in figures.names]


def _warn_of_empty(
    values: Mapping[str, Sequence[float | None]], reasons: Mapping[str, str]
) -> None:
    """Says which figures no row has, and why the first row has none."""
    empty = {name: reasons[name] for name, column in values.items() if set(column) == {None}}
    for reason, names in by_reason(empty).items():
        warn(f"--metrics: no row has a value for {', '.join(names)}; the first: {reason}")
