"""``python -m benchmarks``: measure and store klopt's speed and memory."""

import argparse
import datetime
import json
import platform
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyromark
from rouge_score.rouge_scorer import RougeScorer

from benchmarks import clusters, in_a_bot, indexes, long_logs, service
from benchmarks.timing import (
    DEMO,
    RESULTS,
    ROOT,
    Figures,
    fresh,
    long_runs,
    percentiles,
    show,
    timed,
)
from klopt import Scorer, Turn, __version__, lexicons
from klopt.logs.pages import read_pages
from klopt.text.reader import Reader
from training.command import store
from training.rated_turns import CENTRES, demo_turns

ROUNDS: Final = 3
BUDGETS: Final = Path(__file__).with_name("budgets.toml")


def reading() -> Figures:
    """Return the megabytes of pages read per second, in the best of `ROUNDS` rounds."""
    reader = Reader(lexicons.load("nl"))
    markdown = [page.text for page in read_pages(DEMO / "pages" / "nl").values()]
    tables = pyromark.Options.ENABLE_TABLES
    html = [pyromark.html(text, options=tables) for text in markdown]
    figures = {}
    for name, texts in (("markdown", markdown), ("html", html)):
        seconds = min(timed(lambda: [*map(reader.read, texts)])[0] for _ in range(ROUNDS))  # noqa: B023
        figures[f"{name}_mb_per_s"] = round(sum(map(len, texts)) / 1e6 / seconds, 2)
    return figures


def whole_turns(centres: Sequence[Sequence[Turn]], profile: str, rounds: int) -> Figures:
    """Return the time to score a new turn about known pages, with one scorer per centre.

    ``rouge_times`` compares the medians with rouge-score's on the same answers and pages, measured
    in turns; ``p99_times`` is p99 divided by p50.
    """
    rouge = RougeScorer(["rouge1", "rouge2", "rougeL"])
    own, other = list[float](), list[float]()
    for turns in centres:
        scorer = Scorer.load(profile, all_types=True)
        list(scorer.score_many(turns))
        for turn in chain.from_iterable(fresh(turns, number) for number in range(rounds)):
            own.append(timed(partial(scorer.score, turn))[0])
            pages = "\n".join(page.text for page in turn.pages)
            other.append(timed(partial(rouge.score, pages, turn.answer))[0])
    figures = percentiles(own)
    rouge_times = round(float(np.median(own) / np.median(other)), 3)
    p99_times = round(figures["p99_ms"] / figures["p50_ms"], 3)
    return {**figures, "rouge_times": rouge_times, "p99_times": p99_times}


_PROCESS: Final = """
import json, sys, time
from pathlib import Path

def peak_mb():
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024

start = time.perf_counter()
import klopt
imported = time.perf_counter() - start
scorer = klopt.Scorer.load()
scorer.prepare("nl")
ready = time.perf_counter() - start
json.dump({"import_s": imported, "ready_s": ready, "ready_mb": peak_mb()}, sys.stdout)
"""


def process(runs: int = 5) -> Figures:
    """Return the import time, start-up time and peak memory of a new process: medians of runs."""
    command = [sys.executable, "-c", _PROCESS]
    measured: list[Figures] = [
        json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
        for _ in range(runs)
    ]
    return {key: round(float(np.median([one[key] for one in measured])), 3) for key in measured[0]}


def measure(data: Path | None) -> dict[str, Any]:
    """Return all figures, by name, on turns of the demo company and of real help centres."""
    groups: dict[str, list[Sequence[Turn]]] = {"demo": [demo_turns()]}
    if data is not None:
        for centre in CENTRES:
            groups.setdefault(f"centres {centre.language}", []).append(centre.load(data))
    return {
        "process": process(),
        **{
            f"{name}, {profile}": whole_turns(centres, profile, rounds)
            for name, centres in groups.items()
            for profile, rounds in (("default", ROUNDS), ("afas", 1))
        },
        "reading": reading(),
        "service": service.measure(),
        **{f"long log, {name}": figures for name, figures in long_logs.measure().items()},
        **{f"in a bot, {name}": figures for name, figures in in_a_bot.measure().items()},
        **indexes.measure(),
        **long_logs.reports(),
        "clusters": clusters.measure(),
    }


def main() -> None:
    """Run all benchmarks; print the results and write them to a JSON file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of the real data; optional")
    data: Path | None = parser.parse_args().data
    if data is not None and not data.is_dir():
        print(f"The folder {data} is missing: only the demo company is measured.")
        data = None
    results = measure(data)
    show(results)
    for name, own in long_runs().items():
        if results.setdefault(name, own) is own:
            print(f"{name}: measured earlier, on {own['date']} with klopt {own['klopt']}")
    print()
    for bound, budgets in tomllib.loads(BUDGETS.read_text("utf-8")).items():
        for name, (group, figure, limit) in budgets.items():
            value = results.get(group, {}).get(figure)
            if value is not None:
                is_met = value <= limit if bound == "at_most" else value >= limit
                verdict = "met" if is_met else "MISSED"
                print(f"{name:<36} {value:>9.3f}  {bound.replace('_', ' ')} {limit:g}  {verdict}")
    about = {
        "klopt": __version__,
        "date": datetime.date.today().isoformat(),
        "python": platform.python_version(),
        "machine": platform.machine(),
    }
    store({"about": about, "results": results}, RESULTS)


if __name__ == "__main__":
    main()
