"""``python -m benchmarks``: measure and store klopt's speed and memory."""

import argparse
import datetime
import json
import platform
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyromark

from benchmarks import clusters, in_a_bot, indexes, long_logs, service
from benchmarks.timing import (
    DEMO,
    RESULTS,
    ROOT,
    Figures,
    calibration,
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
AT_MOST = {
    "Dutch turn p50": ("centres nl, default", "p50_ms", 5.0),
    "Dutch turn p99": ("centres nl, default", "p99_ms", 15.0),
    "English turn p50": ("centres en, default", "p50_ms", 8.0),
    "English turn p99": ("centres en, default", "p99_ms", 20.0),
    "import klopt": ("process", "import_s", 0.15),
    "ready to score": ("process", "ready_s", 0.3),
    "memory when ready": ("process", "ready_mb", 90.0),
    "added by the service p50": ("service", "added_p50_ms", 2.0),
    "p99 at four times, in those at half": ("service", "p99_times", 3.0),
    "requests lost": ("service", "lost", 0.0),
    "first fault in a stream p95": ("in a bot, stream", "fault_p95_ms", 10.0),
    "30 ms with unread pages, over p99": ("in a bot, budget", "30_ms_over_p99_ms", 5.0),
    "open 250 pages": ("index of 250 pages", "open_ms", 50.0),
    "open 10,000 pages": ("index of 10000 pages", "open_ms", 500.0),
    "own memory of 10,000 pages": ("index of 10000 pages", "own_mb_searched", 20.0),
    "page from the index": ("index of 10000 pages", "page_ms", 0.5),
    "memory of two processes on a log": ("long log, 3000 turns", "two_mb", 600.0),
    "Spark a row, times plain": ("clusters", "spark_times", 1.15),
    "Ray a row, times plain": ("clusters", "ray_times", 1.15),
    "search 10,000 pages p50": ("index of 10000 pages", "search_p50_ms", 2.0),
    "report of 20,000 rows": ("report of 20000 rows", "report_s", 4.0),
    "report of 1,000,000 rows": ("report of 1000000 rows", "report_s", 180.0),
    "memory of that report": ("report of 1000000 rows", "peak_mb", 250.0),
}
AT_LEAST = {
    "two processes, in one": ("long log, 3000 turns", "times", 1.8),
    "turns a second, two processes": ("in a bot, processes", "turns_per_s_2", 300.0),
    "turns a second, served": ("service", "turns_per_s", 250.0),
}


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
    """Return the time to score a new turn about known pages, with one scorer per centre."""
    times: list[float] = []
    for turns in centres:
        scorer = Scorer.load(profile, all_types=True)
        list(scorer.score_many(turns))
        for number in range(rounds):
            times += [timed(partial(scorer.score, turn))[0] for turn in fresh(turns, number)]
    return percentiles(times)


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
memory = peak_mb()
from training.rated_turns import demo_turns
list(scorer.score_many(demo_turns()))
json.dump(
    {"import_s": imported, "ready_s": ready, "ready_mb": memory, "demo_scored_mb": peak_mb(),
     "spacy": float("spacy" in sys.modules)}, sys.stdout)
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
        "calibration": {"ten_million_additions_s": calibration()},
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
    for bounds, words in ((AT_MOST, "at most"), (AT_LEAST, "at least")):
        for name, (where, key, bound) in bounds.items():
            value = results.get(where, {}).get(key)
            if value is not None:
                is_met = value <= bound if bounds is AT_MOST else value >= bound
                verdict = "met" if is_met else "MISSED"
                print(f"{name:<34} {value:>9.3f}  {words} {bound:g}  {verdict}")
    about = {
        "klopt": __version__,
        "date": datetime.date.today().isoformat(),
        "python": platform.python_version(),
        "spacy": metadata.version("spacy"),
        "machine": platform.machine(),
    }
    store({"about": about, "results": results}, RESULTS)


if __name__ == "__main__":
    main()
