"""Numbers from elsewhere beside klopt's score, as tables for a person at a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from klopt.cli.figure_tables import difference, figure_table, interval, print_table, value
from klopt.cli.terminal import shown
from klopt.evaluation import ColumnAgreement, Evaluation
from klopt.evaluation.slices import Agreement


def show_columns(found: Evaluation, console: Console) -> None:
    """What each number from elsewhere is worth, klopt's own score first."""
    first = found.profiles[0].name
    people = "ratings" if found.rows.rated else "labels"
    print_table(console, f"Beside other scores: agreement with the {people}", _beside(found))
    title = f"Difference: klopt ({first}) less the other score, on the rows that have both"
    print_table(console, title, _less(found.columns))


def _beside(found: Evaluation) -> Table:
    table = figure_table(
        "", "n", "missing", "rho", "95% interval", "tau", "r", "AUC", "95% interval"
    )
    for profile in found.profiles:
        _add_score(table, shown(f"klopt ({profile.name})", style="bold"), profile.agreement[0])
    for one in found.columns:
        _add_score(table, _name(one), one, str(one.n), str(one.missing_count))
    return table


def _add_score(
    table: Table, name: Text, one: Agreement | ColumnAgreement, n: str = "", missing: str = ""
) -> None:
    table.add_row(
        name,
        n or str(max(one.spearman.n, one.auc.n)),
        missing,
        value(one.spearman),
        interval(one.spearman),
        value(one.kendall),
        value(one.pearson),
        value(one.auc),
        interval(one.auc),
    )


def _less(columns: Sequence[ColumnAgreement]) -> Table:
    table = figure_table("", "n", "rho", "95% interval", "AUC", "95% interval")
    for one in columns:
        rho, auc = one.spearman_difference, one.auc_difference
        table.add_row(
            _name(one),
            str(max(rho.n, auc.n)),
            *(difference(rho), interval(rho), difference(auc), interval(auc)),
        )
    return table


def _name(one: ColumnAgreement) -> Text:
    return shown(one.name.replace("\n", " "))
