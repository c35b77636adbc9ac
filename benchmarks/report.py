"""All figures about accuracy: as text to read, and as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from benchmarks import targets
from benchmarks.held_out import Scores
from benchmarks.over_seeds import Brings, OverSeeds
from benchmarks.pages_alone import Untaught
from benchmarks.set_figures import SetFigures
from benchmarks.set_tables import set_lines, type_lines
from benchmarks.text_tables import WIDTH, figure, grid, number
from klopt.evaluation import plain
from klopt.evaluation.message_types import MessageTypes

_DECIMALS: Final = 4
_SHORT: Final = (
    "Spearman's rho",
    "AUC, true over untrue",
    "AUC, mean over systems",
    "rated 1 and below 3",
    "rated 5 and below 3",
)


@dataclass(frozen=True, slots=True)
class Learning:
    """What is known of learning the default profile.

    Attributes:
        first: The held-out scores with the first seed, for the tables of each data set.
        held_out: Data set → figure → what it is over the seeds.
        ablation: What each part brings.
        untaught: Profiles that no rating has taught.
        made_count: Language → answers made from its pages.
    """

    first: Scores
    held_out: Mapping[str, Mapping[str, OverSeeds]]
    ablation: tuple[Brings, ...]
    untaught: tuple[Untaught, ...]
    made_count: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything.

    Attributes:
        sets: The data sets.
        message_files: Messages without answers: file → profile → table 3.
        learning: None when the data that the default profile is learnt from are not at hand.
    """

    sets: tuple[SetFigures, ...]
    message_files: Mapping[str, Mapping[str, MessageTypes]]
    learning: Learning | None


def table(found: Report) -> dict[str, Any]:
    """The report for JSON: figures to four decimals, what is not known left out.

    It holds no text and no id of the data.
    """
    result: dict[str, Any] = {}
    if found.learning is not None:
        held_out = found.learning.held_out
        result["targets"] = [plain.table(one) for one in targets.results(held_out)]
        result["held_out"] = {
            where: {name: plain.table(one) for name, one in some.items()}
            for where, some in held_out.items()
        }
        result["ablation_held_out"] = [plain.table(one) for one in found.learning.ablation]
        result["untaught"] = [plain.table(one) for one in found.learning.untaught]
        result["made_answers"] = dict(found.learning.made_count)
    result["sets"] = [plain.table(one) for one in found.sets]
    result["message_files"] = {
        name: {profile: plain.table(one) for profile, one in some.items()}
        for name, some in found.message_files.items()
    }
    return {name: _rounded(one) for name, one in result.items()}


def _rounded(value: object, name: str = "") -> object:
    if isinstance(value, dict):
        return {key: _rounded(one, key) for key, one in value.items() if one is not None}
    if isinstance(value, list):
        return [_rounded(one) for one in value]
    if isinstance(value, float):
        return float(f"{value:.4g}") if name == "p" else round(value, _DECIMALS)
    return value


def compact(text: str) -> str:
    """JSON with each object that holds only figures and words on one line.

    >>> compact('[{  "b": 1,   "c": 2 }]')
    '[{"b": 1, "c": 2}]'
    """
    return re.sub(r"\{\s+([^{}\[\]]*?)\s+\}", lambda m: "{" + " ".join(m[1].split()) + "}", text)


def lines(found: Report, about: Mapping[str, Any]) -> Iterator[str]:
    """The report as text."""
    yield f"klopt {about['klopt']}, {about['date']}. Both profiles score all message types."
    yield "No company terms are given. In brackets: 95% intervals, by the bootstrap over the"
    yield f"answers ({about['resamples']} draws), of shares Wilson's."
    yield "Held out is what was learnt: weights, line and cuts. The heuristics themselves and the"
    yield "settings of the fit were made with these development data in sight; no figure is of data"
    yield "that nobody had seen."
    if found.learning is not None:
        yield from _learning(found.learning)
    for one in found.sets:
        yield from set_lines(one)
    yield from ("", "=" * WIDTH, "Message types, found without seeing the stated type")
    yield "By 'afas': the paper's lists; by 'default': the scored rules. The rules were mended on"
    yield "these very messages: too high for new ones. The paper, its test set: F1 0.62 (all),"
    yield "0.62 (binary), 0.80 (instruction), 0.77 (binary or instruction)."
    for one in found.sets:
        yield from type_lines(one.name, one.types)
    for name, types in found.message_files.items():
        yield from type_lines(name, types)


def _learning(found: Learning) -> Iterator[str]:
    rows = []
    for one in targets.results(found.held_out):
        low, high = one.target.at_least, one.target.at_most
        wanted = f"≥ {low:.2f}" if low is not None else f"≤ {high:.2f}"
        cells = [f"{one.target.data_set}, {one.target.figure}", wanted, *_seeds(one.found)]
        rows.append([*cells, "met" if one.met else "MISSED"])
    head = ["target", "mean", "lowest", "highest", "first seed [95%]", "n"]
    yield from grid("TARGETS, default profile, held out", ["", *head, ""], rows)
    for where, some in found.held_out.items():
        seeds = next(iter(some.values())).seeds
        title = f"{where}: default profile, HELD OUT by page, over {seeds} seeds of the folds"
        yield from grid(title, ["", *head[1:]], [[n, *_seeds(one)] for n, one in some.items()])
    yield from _ablation(found)
    made = ", ".join(f"{count} {language}" for language, count in found.made_count.items())
    for where in found.held_out:
        names = [name for name in _SHORT if name in found.untaught[0].figures[where]]
        short = [
            name.removesuffix(", true over untrue").replace("Spearman's ", "") for name in names
        ]
        rows = [
            [one.name, *(figure(one.figures[where][name]) for name in names[:2])]
            for one in found.untaught
        ]
        title = f"{where}: profiles that no rating has taught; {made} answers made from pages"
        yield from grid(title, ["", *short[:2]], rows)
        rows = [
            [one.name, *(figure(one.figures[where][name]) for name in names[2:])]
            for one in found.untaught
        ]
        if len(names) > 2:
            yield from grid(f"{where}: the same", ["", *short[2:]], rows)


def _seeds(one: OverSeeds) -> list[str]:
    figures = [number(one.mean), number(one.lowest), number(one.highest)]
    return [*figures, figure(one.first), str(one.first.n)]


def _ablation(found: Learning) -> Iterator[str]:
    rows = [
        [
            one.name,
            figure(one.spearman_nl, signed=True),
            figure(one.spearman_en, signed=True),
            figure(one.auc_techqa, signed=True),
        ]
        for one in found.ablation
    ]
    title = (
        "ABLATION, HELD OUT: what each part of the default profile brings (with it less without "
        "it; without it everything is learnt anew), mean over the seeds and 95% of that mean"
    )
    head = ["", "rho, turns nl", "rho, turns en", "AUC, TechQA, mean"]
    yield from grid(title, head, rows)
    yield "  'cut: X' takes X's nodes out of the tree; the other rows stop weighing X."
