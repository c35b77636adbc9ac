"""``python -m benchmarks.translation``: what reading Dutch turns in English translation brings.

The memory is made of what the real data have in both languages: the pages, and the turns with
their own translation. So the figures are those of a good translation; an online translator may do
worse. The default profile was learnt from these very turns: so it is measured as it is learnt
without their company.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from klopt import Profile, Scorer
from klopt.batch.pages import read_pages
from klopt.bilingual.learning import learn
from klopt.bilingual.pairs import TextPair
from klopt.comparing import using
from klopt.evaluation import Estimate, Resampling
from klopt.evaluation.agreement import spearman
from klopt.evaluation.comparison import compare
from klopt.evaluation.rated import Rated, graded, select
from klopt.scoring.interpretation import Scope, Translate
from klopt.translation.interpreter import MemoryInterpreter
from klopt.translation.memory import Memory
from training.command import given, number, show, store
from training.companies import LeftOut, learnt_without
from training.rated_turns import CENTRES, rows_of

SOURCE, TARGET = "nl", "en"
CENTRE: Final = CENTRES[0]
"""Whose turns are read."""
SCOPES: Final[tuple[Scope, ...]] = ("marked", "whole")
RESAMPLING: Final = Resampling()


def pairs(data: Path) -> Iterator[TextPair]:
    """Pages that are there in both languages, and turns beside their translations."""
    own, theirs = (read_pages(data / "help" / language) for language in (SOURCE, TARGET))
    for name, page in own.items():
        if name == page.id and name in theirs:
            yield TextPair.of_pages(page, theirs[name], page.id)
    for row in rows_of(data / CENTRE.turns):
        for field in ("question", "answer"):
            yield TextPair(row[field], row[f"{field}_en"], CENTRE.name)


def ways(profile: Profile, data: Path, memory: Memory) -> dict[str, tuple[Rated, ...]]:
    """The turns by a profile: as they are, and in translation."""
    turns, reader = CENTRE.load(data), MemoryInterpreter(memory, target=TARGET)
    by_way: dict[str, Translate | None] = {
        "original": None,
        **{scope: Translate(reader, scope) for scope in SCOPES},
    }
    read = {}
    for name, translate in by_way.items():
        scorer = Scorer(profile, all_types=True, translate=translate)
        read[name] = select(turns, [scorer.score(turn, measure_all=True) for turn in turns])
    return read


def agreement(by_way: dict[str, tuple[Rated, ...]]) -> dict[str, Any]:
    """Spearman of each way with the ratings, and what it has more than the original."""
    table: dict[str, Any] = {}
    for name, rows in by_way.items():
        judged, ratings = graded(rows)
        own = spearman([row.score for row in judged], ratings, RESAMPLING)
        table[name] = {"n": own.n, "spearman": _plain(own)}
        others = {row.place: row for row in by_way["original"]}
        both = [(row, others[row.place]) for row in rows if row.place in others]
        if name != "original":
            less = compare((name, "original"), both, RESAMPLING)
            table[name]["less"] = _plain(less.spearman_difference)
            table[name]["features"] = {
                feature.name: [feature.second, feature.first, _plain(feature.spearman_difference)]
                for feature in less.features
                if feature.differ_count
            }
    return table


def _plain(estimate: Estimate) -> list[float | None]:
    figures = estimate.value, estimate.low, estimate.high
    return [None if x is None else round(x, 4) for x in figures]


def _shown(interval: Sequence[float | None]) -> str:
    value, low, high = map(number, interval)
    return f"{value} [{low}, {high}]"


def main() -> None:
    """Prints the figures and writes them as JSON."""
    options = given(__doc__, Path(__file__).with_suffix(".json"), "turns-nl")
    data: Path = options.data
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.sqlite"
        with Memory.open(path, create=True) as memory:
            memory.add(learn(pairs(data), SOURCE, TARGET).entries)
        with Memory.open(path, create=False, read_only=True) as memory:
            stored = {"afas": agreement(ways(Profile.load("afas"), data, memory))}
            unseen = LeftOut.measured(data).learnt(CENTRE.company)
            with using(learnt_without(CENTRE.company)):
                agreed = agreement(ways(unseen, data, memory))
            stored["default, learnt without their company"] = agreed
    for profile, table in stored.items():
        rows = []
        for name, figures in table.items():
            less = _shown(figures["less"]) if "less" in figures else ""
            rows.append([name, str(figures["n"]), "", _shown(figures["spearman"]), less])
            rows += [
                [f"  {feature}", "", number(before), number(after), _shown(difference)]
                for feature, (before, after, difference) in figures.get("features", {}).items()
            ]
        head = ["", "n", "original", "so read", "difference"]
        show(f"{profile}: Spearman with the ratings, 95% intervals", head, rows)
    store(stored, options.output)


if __name__ == "__main__":
    main()
