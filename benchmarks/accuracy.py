"""``python -m benchmarks.accuracy``: how well both profiles agree with people, table by table.

Every figure of CHANGELOG "Scores" and of the documents about accuracy is printed here. What the
default profile scores on the answers that it was learnt from comes second; first comes what it
scores on answers whose page was held out.
"""

from __future__ import annotations

import argparse
import datetime
import json
import platform
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from benchmarks import report
from benchmarks.held_out import SEEDS, WHOLE, held_out_by_seed, material
from benchmarks.measured import Scored, measure, say
from benchmarks.message_files import message_files
from benchmarks.over_seeds import RATED, RESAMPLING, ablation, over_seeds
from benchmarks.pages_alone import untaught
from benchmarks.rated_sets import PROFILES, at_hand
from benchmarks.set_figures import set_figures
from klopt import Scorer, Turn, __version__
from klopt.evaluation import Estimate
from klopt.evaluation.rated import select
from klopt.tuning.samples import Sample

OUTPUT: Final = Path(__file__).parent / "accuracy.json"
SHORT: Final = {
    "spearman": "Spearman's rho",
    "one_star_below_3": "rated 1 and below 3",
    "five_star_below_3": "rated 5 and below 3",
}


def agreement(turns: Sequence[Turn], profile: str) -> dict[str, Any]:
    """The short lines of `make bench`: rho and the shares below 3, all message types scored."""
    scorer = Scorer.load(profile, all_types=True)
    rows = select(turns, list(scorer.score_many(turns)))
    found: dict[str, Any] = {"n": len(rows)}
    for name, figure in SHORT.items():
        one = RATED[figure](rows, RESAMPLING)
        found[name] = None if one.value is None else round(one.value, 3)
        found[f"{name}_95"] = _ends(one)
    return found


def _ends(one: Estimate) -> list[float] | None:
    return None if one.low is None or one.high is None else [round(one.low, 3), round(one.high, 3)]


def figures(data: Path | None) -> report.Report:
    """Everything that can be measured with the data at hand; without them the demo company."""
    scored, made = measure(at_hand(data), data)
    scorers = {profile: Scorer.load(profile, all_types=True) for profile in PROFILES}
    learning = None if data is None else _learning(scored, made)
    sets = []
    for one in scored:
        first = learning.first if learning and one.data_set.learnt_from else None
        sets.append(set_figures(one, scorers, first))
        say(f"figures of {one.data_set.name}")
    files = {} if data is None else message_files(data, scorers)
    return report.Report(tuple(sets), files, learning)


def _learning(scored: Sequence[Scored], made: Mapping[str, Sequence[Sample]]) -> report.Learning:
    found = material(scored, made)
    judged = {one.data_set.name: one.judged["default"] for one in scored}
    scores = held_out_by_seed(found)
    say("intervals of the ablation")
    return report.Learning(
        first=scores[WHOLE][0],
        held_out=over_seeds(judged, scores[WHOLE]),
        ablation=ablation(judged, scores),
        untaught=untaught(judged, found),
        made_count={language: len(some) for language, some in made.items()},
    )


def about() -> dict[str, Any]:
    """What the figures were made with."""
    return {
        "klopt": __version__,
        "date": datetime.date.today().isoformat(),
        "python": platform.python_version(),
        **{name: metadata.version(name) for name in ("spacy", "numpy", "scipy")},
        "machine": platform.machine(),
        "profiles": {name: Scorer.load(name).profile.digest[:16] for name in PROFILES},
        "resamples": RESAMPLING.resamples,
        "resampling_seed": RESAMPLING.seed,
        "fold_seeds": list(SEEDS),
    }


def main() -> None:
    """Prints all tables and writes them as JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy", description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of the real data; left out without")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    data: Path | None = arguments.data
    if data is not None and not data.is_dir():
        say(f"the real data are not at {data}: only the demo company is measured")
        data = None
    found = figures(data)
    head = about()
    print("\n".join(report.lines(found, head)))
    text = json.dumps({"about": head, **report.table(found)}, indent=1, ensure_ascii=False)
    text = report.compact(text)
    arguments.output.write_text(text + "\n", encoding="utf-8")
    say(f"written to {arguments.output}")


if __name__ == "__main__":
    main()
