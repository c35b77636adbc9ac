"""An evaluation as tables for a person at a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from klopt.cli.column_tables import show_columns
from klopt.cli.comparison_table import show_comparison
from klopt.cli.evaluation_words import in_words, share, two
from klopt.cli.figure_tables import (
    NONE,
    chance,
    difference,
    figure_table,
    interval,
    print_table,
    value,
    with_interval,
)
from klopt.cli.terminal import shown
from klopt.evaluation import Estimate, Evaluation
from klopt.evaluation.disagreements import Disagreement
from klopt.evaluation.evaluation import ProfileEvaluation
from klopt.evaluation.features import HeuristicTypes
from klopt.evaluation.message_types import MessageTypes
from klopt.evaluation.slices import Agreement
from klopt.evaluation.thresholds import Costs, StarRow

_WORST: Final = 5
_CURVE: Final = (2.0, 2.5, 3.0, 3.5, 4.0, 4.5)
_FIGURES: Final = (
    ("Spearman's rho", "spearman"),
    ("Kendall's tau-b", "kendall"),
    ("Pearson's r", "pearson"),
    ("AUC, true over untrue", "auc"),
    ("quadratic kappa, stars", "kappa_quadratic"),
    ("within 1 of the rating", "accuracy_margin_1"),
)
_TABLE_5: Final = (
    ("Margin 1", "margin_1"),
    ("Score = 1", "score_1"),
    ("Score < 3", "below_3"),
    ("Score > 3", "above_3"),
    ("Score = 5", "score_5"),
)
_TABLE_3: Final = ("f1", "accuracy", "precision", "recall")


def show_evaluation(found: Evaluation, console: Console) -> None:
    """All of it: each profile's tables, what is about the types, then in plain words."""
    for one in found.profiles:
        _show_profile(one, console, labels=not found.rows.rated)
    if found.comparison is not None:
        show_comparison(found.comparison, console)
    if found.columns:
        show_columns(found, console)
    if found.heuristics_by_type and found.heuristics_by_type[0].types:
        title = "Rho of each feature by message type (paper, table 2, measured)"
        print_table(console, title, _by_type(found.heuristics_by_type))
    if found.message_types is not None:
        print_table(console, "Message types found (paper, table 3)", _types(found.message_types))
    if found.labellers is not None:
        kappa = found.labellers.kappa
        text = f"Cohen's kappa of message_type and {found.labellers.field}: "
        console.print(shown(f"\n{text}{with_interval(kappa)} on {found.labellers.n} rows"))
    console.print(Text("\nIn plain words", style="bold"))
    for sentence in in_words(found):
        console.print(shown(f"- {sentence}"))


def _show_profile(one: ProfileEvaluation, console: Console, *, labels: bool) -> None:
    console.print(shown(f"Profile {one.name}", style="bold underline"))
    people = "labels" if labels else "ratings"
    print_table(console, f"Agreement with the {people}", _overall(one.agreement[0]))
    if len(one.agreement) > 1:
        print_table(console, "Agreement by part", _parts(one.agreement))
    if not labels:
        print_table(console, "Answers by rating (paper, table 5)", _stars(one.stars))
    print_table(
        console, f"Features against the {people} (paper: rho > 0, p < 0.10)", _features(one)
    )
    print_table(console, "Ablation: the score without one feature", _ablation(one))
    print_table(console, "Costs of a threshold", _costs(one.costs))
    if one.disagreements:
        print_table(console, "Worst disagreements", _disagreements(one.disagreements[:_WORST]))
    console.print()


def _overall(one: Agreement) -> Table:
    table = figure_table("", "value", "95% interval", "n", "p")
    for words, name in _FIGURES:
        figure: Estimate = getattr(one, name)
        if not figure.n:
            continue
        as_share = name == "accuracy_margin_1"
        cells = [value(figure, as_share), interval(figure, as_share), str(figure.n), chance(figure)]
        table.add_row(words, *cells)
    return table


def _parts(slices: Sequence[Agreement]) -> Table:
    table = figure_table("", "n", "rho", "95% interval", "p", "AUC", "95% interval")
    for one in slices[1:]:
        table.add_row(
            shown(one.slice),
            str(max(one.spearman.n, one.auc.n)),
            value(one.spearman),
            interval(one.spearman),
            chance(one.spearman),
            value(one.auc),
            interval(one.auc),
        )
    return table


def _stars(rows: Sequence[StarRow]) -> Table:
    table = figure_table("", *(f"Rated {row.rating}" for row in rows))
    for words, name in _TABLE_5:
        table.add_row(words, *(value(getattr(row, name), as_share=True) for row in rows))
    table.add_row("answers", *(str(row.n) for row in rows), style="dim")
    return table


def _features(one: ProfileEvaluation) -> Table:
    table = figure_table("", "n", "missing", "rho", "95% interval", "p", "selected")
    for feature in one.features:
        figure = feature.spearman
        table.add_row(
            feature.name,
            str(feature.n),
            str(feature.missing_count),
            value(figure),
            interval(figure),
            chance(figure),
            Text("yes", style="green") if feature.selected else Text("no", style="dim"),
        )
    return table


def _ablation(one: ProfileEvaluation) -> Table:
    table = figure_table("without", "rho", "95% interval", "it brings", "95% interval", "n")
    for part in one.ablation:
        left, brings = part.spearman_without, part.brings
        gain = difference(brings)
        table.add_row(part.name, value(left), interval(left), gain, interval(brings), str(left.n))
    return table


def _costs(costs: Costs) -> Table:
    table = figure_table("stop below", "untrue stopped", "true held back", left=0)
    points = {round(point.threshold, 1): point for point in costs.points}
    for threshold in _CURVE:
        point = points[threshold]
        cells = (point.caught_share, point.held_back_share)
        table.add_row(f"{threshold:.1f}", *(NONE if c is None else share(c) for c in cells))
    table.add_row("answers", str(costs.untrue_count), str(costs.true_count), style="dim")
    return table


def _by_type(rows: Sequence[HeuristicTypes]) -> Table:
    table = figure_table("", *rows[0].types)
    for one in rows:
        cells = [cell.spearman for cell in one.types.values()]
        table.add_row(one.name, *(NONE if rho is None else two(rho) for rho in cells))
    return table


def _types(found: MessageTypes) -> Table:
    table = figure_table("", "F1", "accuracy", "precision", "recall")
    rows = [("all", found.overall), *((one.type, one) for one in found.types)]
    for name, figures in [*rows, ("binary or instruction", found.binary_or_instruction)]:
        table.add_row(name, *(value(getattr(figures, column)) for column in _TABLE_3))
    return table


def _disagreements(worst: Iterable[Disagreement]) -> Table:
    table = figure_table("id", "judged", "score", "gap", "decided by", "type")
    for place in (4, 5):
        table.columns[place].justify = "left"
    for one in worst:
        judged = f"{one.rating:g}" if one.rating is not None else "true" if one.label else "untrue"
        table.add_row(
            shown(one.id.replace("\n", " ")),
            judged,
            f"{one.score:.1f}",
            f"{one.gap:.1f}",
            shown(one.rule or ""),
            one.message_type or "",
        )
    return table
