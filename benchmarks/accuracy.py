"""``python -m benchmarks.accuracy``: how well both profiles agree with people, table by table.

The default profile was learnt from most of these answers; `benchmarks.left_out` says what it is
worth for a company that it has never seen.
"""

from __future__ import annotations

import argparse
import datetime
import json
import platform
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from benchmarks import report
from benchmarks.measured import measure, say
from benchmarks.message_files import message_files
from benchmarks.rated_figures import RATED, RESAMPLING
from benchmarks.rated_sets import PROFILES, at_hand
from benchmarks.set_figures import set_figures
from klopt import Scorer, Turn, __version__
from klopt.evaluation import Estimate
from klopt.evaluation.rated import select

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
        one = RATED[figure](rows)
        found[name] = None if one.value is None else round(one.value, 3)
        found[f"{name}_95"] = _ends(one)
    return found


def _ends(one: Estimate) -> list[float] | None:
    return None if one.low is None or one.high is None else [round(one.low, 3), round(one.high, 3)]


def figures(data: Path | None) -> report.Report:
    """Everything that can be measured with the data at hand; without them the demo company."""
    scorers = {profile: Scorer.load(profile, all_types=True) for profile in PROFILES}
    sets = []
    for one in measure(at_hand(data), data):
        sets.append(set_figures(one, scorers))
        say(f"figures of {one.data_set.name}")
    return report.Report(tuple(sets), {} if data is None else message_files(data, scorers))


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
