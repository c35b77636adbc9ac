"""Two profiles beside each other, as a table for a person at a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from klopt.cli.evaluation_words import listed, two
from klopt.cli.figure_tables import NONE, difference, figure_table, interval, print_table
from klopt.cli.terminal import shown
from klopt.evaluation import Estimate
from klopt.evaluation.comparison import Comparison


def show_comparison(found: Comparison, console: Console) -> None:
    """The scores, then each feature to which the two give other values; the rest by name."""
    title = f"Difference: {found.first} (1st) less {found.second} (2nd), on the same answers"
    print_table(console, title, _table(found))
    same = [one.name for one in found.features if one.n and not one.differ_count]
    if same:
        words = "has the same values" if len(same) == 1 else "have the same values"
        console.print(shown(f"{listed(same)} {words} in both.", style="dim"))


def _table(found: Comparison) -> Table:
    table = figure_table("", "n", "differ", "1st", "2nd", "less", "95% interval")
    differ = str(found.differ_count)
    _add(
        table,
        "rho of the score",
        differ,
        (found.spearman_first, found.spearman_second),
        found.spearman_difference,
    )
    _add(table, "AUC of the score", differ, (found.auc_first, found.auc_second),
         found.auc_difference)  # fmt: skip
    for one in found.features:
        if one.differ_count:
            _add(
                table,
                f"rho of {one.name}",
                str(one.differ_count),
                (one.first, one.second),
                one.spearman_difference,
            )
    return table


def _add(
    table: Table,
    name: str,
    differ: str,
    both: tuple[float | None, float | None],
    less: Estimate,
) -> None:
    figures = (NONE if one is None else two(one) for one in both)
    table.add_row(name, str(less.n), differ, *figures, difference(less), interval(less))
