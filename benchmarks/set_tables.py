"""The tables of one data set as text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from benchmarks.set_figures import PAPER_SCOPE, THRESHOLDS, SetFigures
from benchmarks.text_tables import NONE, WIDTH, counts, figure, grid, number, p_value, percent
from klopt.evaluation import Estimate
from klopt.evaluation.agreement import Agreement
from klopt.evaluation.message_types import MessageTypes

_AGREEMENT: Final = (
    ("Spearman's rho", "spearman"),
    ("Kendall's tau-b", "kendall"),
    ("Pearson's r", "pearson"),
    ("AUC, true over untrue", "auc"),
    ("quadratic kappa, stars", "kappa_quadratic"),
    ("within 1 of the rating", "accuracy_margin_1"),
)
_WITH_P: Final = ("spearman", "kendall", "pearson")
_TABLE_5: Final = (
    ("margin 1", "margin_1"),
    ("score = 1", "score_1"),
    ("score < 3", "below_send"),
    ("score > 3", "above_send"),
    ("score = 5", "score_5"),
)
_TABLE_3: Final = ("f1", "accuracy", "precision", "recall")


def set_lines(one: SetFigures) -> list[str]:
    """Everything about a data set."""
    judged = ", ".join(f"{name} {count}" for name, count in one.judged_count.items())
    about = f"{one.about} {one.turn_count} turns; scored and judged: {judged}."
    head = ["", "=" * WIDTH, one.name, *textwrap.wrap(about, WIDTH)]
    return [*head, *_agreements(one), *_stars(one), *_costs(one), *_comparisons(one)]


def type_lines(where: str, types: Mapping[str, MessageTypes]) -> list[str]:
    """Table 3: how well the message types of a data set are found, by both profiles."""
    lines: list[str] = []
    for profile, found in types.items():
        rows = [
            [name, *(figure(getattr(one, column)) for column in _TABLE_3)]
            for name, one in (
                ("all", found.overall),
                *((one.type, one) for one in found.types),
                (PAPER_SCOPE, found.binary_or_instruction),
            )
        ]
        title = f"{where}, {profile}: message types found (paper, table 3), n = {found.n}"
        lines += grid(title, ["", "F1", "accuracy", "precision", "recall"], rows)
    return lines


def _agreements(one: SetFigures) -> Iterator[str]:
    names = [way.name for way in one.ways]
    for place in (0, _scope(one.ways[0].agreement)):
        if place is None:
            continue
        some = [way.agreement[place] for way in one.ways]
        rows = []
        for words, column in _AGREEMENT:
            cells: list[Estimate] = [getattr(found, column) for found in some]
            if any(cell.value is not None for cell in cells):
                rows.append([words, *map(figure, cells), counts(cells)])
                if column in _WITH_P:
                    rows.append(["  p", *map(p_value, cells), ""])
        if place == 0 and any(way.mean_auc.value is not None for way in one.ways):
            means = [way.mean_auc for way in one.ways]
            rows.append(["AUC, mean over systems", *map(figure, means), counts(means)])
        what = "all message types" if place == 0 else f"{PAPER_SCOPE}, the paper's scope"
        title = f"{one.name}: agreement with people, {what} (paper, table 4)"
        yield from grid(title, ["", *names, "n"], rows)
    for words, column in (("Spearman's rho", "spearman"), ("AUC, true over untrue", "auc")):
        rows = []
        for place, part in enumerate(one.ways[0].agreement):
            if place and not part.slice.startswith("language"):
                cells = [getattr(_slice(way.agreement, part.slice), column) for way in one.ways]
                name = part.slice.partition(": ")[2]
                rows.append([name, *map(figure, cells), counts(cells)])
        yield from grid(
            f"{one.name}: {words} by part; types as stated, else as each profile finds them",
            ["", *names, "n"],
            rows,
        )


def _scope(agreement: Sequence[Agreement]) -> int | None:
    names = [one.slice for one in agreement]
    wanted = f"message type: {PAPER_SCOPE}"
    return names.index(wanted) if wanted in names else None


def _slice(agreement: Sequence[Agreement], name: str) -> Agreement:
    return next(one for one in agreement if one.slice == name)


def _stars(one: SetFigures) -> Iterator[str]:
    for way in one.ways:
        rows = [
            [words, *(percent(getattr(row, column)) for row in way.stars)]
            for words, column in _TABLE_5
            if way.stars
        ]
        head = ["", *(f"rated {row.rating} (n={row.n})" for row in way.stars)]
        yield from grid(f"{one.name}, {way.name}: answers by rating (paper, table 5)", head, rows)


def _costs(one: SetFigures) -> Iterator[str]:
    head = ["stop below", *(f"{way.name}" for way in one.ways)]
    for words, column, count in (
        ("untrue answers stopped", "caught", one.ways[0].costs.untrue_count),
        ("true answers held back", "held_back", one.ways[0].costs.true_count),
    ):
        rows = [
            [
                f"{threshold:.1f}",
                *(percent(getattr(way.costs.at[place], column)) for way in one.ways),
            ]
            for place, threshold in enumerate(THRESHOLDS)
        ]
        last = []
        for way in one.ways:
            cautious = way.costs.at[len(THRESHOLDS) :]
            cells = [f"{percent(getattr(at, column))} at {at.threshold:.1f}" for at in cautious]
            last.append(cells[0] if cells else NONE)
        rows.append(["at most 10% of the true", *last])
        yield from grid(f"{one.name}: cost of a threshold, {words}, n = {count}", head, rows)


def _comparisons(one: SetFigures) -> Iterator[str]:
    rows = [
        [
            f"{found.first} less {found.second}",
            figure(found.spearman_difference, signed=True),
            figure(found.auc_difference, signed=True),
            number(found.p_first_better),
            str(found.n),
        ]
        for found in one.comparisons
    ]
    title = f"{one.name}: the profiles on the same turns; 'better': share of the resamples in "
    title += "which the first has the higher rho"
    yield from grid(title, ["", "rho", "AUC", "better", "n"], rows)
