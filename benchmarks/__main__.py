"""``python -m benchmarks``: prints and stores what klopt costs and what it gets right."""

from __future__ import annotations

import argparse
import datetime
import json
import platform
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

from benchmarks import (
    accuracy,
    classification,
    clusters,
    in_a_bot,
    indexes,
    latency,
    log_reports,
    long_logs,
    service,
)
from klopt import __version__
from training.rated_turns import CENTRES, demo_turns

ROOT = Path(__file__).parent.parent
BUDGETS = {
    "Dutch turn p50": ("centres nl, default", "p50_ms", 5.0),
    "Dutch turn p99": ("centres nl, default", "p99_ms", 15.0),
    "English turn p50": ("centres en, default", "p50_ms", 8.0),
    "English turn p99": ("centres en, default", "p99_ms", 20.0),
    "page of 300 words p50": ("centres nl, page", "p50_ms", 8.0),
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
    "report of 20,000 rows": ("report of 20000 rows", "report_s", 5.0),
}
LEAST = {
    "two processes, in one": ("long log, 3000 turns", "times", 1.8),
    "turns a second, two processes": ("throughput", "turns_per_s", 300.0),
    "turns a second, served": ("service", "turns_per_s", 250.0),
}


def measure(data: Path | None) -> dict[str, Any]:
    """All figures, by name."""
    results: dict[str, Any] = {
        "calibration": {"ten_million_additions_s": latency.calibration()},
        "process": latency.process(ROOT),
    }
    for name, centres in latency.groups(data).items():
        results[f"{name}, default"] = latency.whole_turns(centres, "default", latency.ROUNDS)
        for other, figures in latency.beside(centres).items():
            results[f"{name}, {other}"] = figures
        results[f"{name}, afas"] = latency.whole_turns(centres, "afas", 1)
        results[f"{name}, page"] = latency.page_reading(centres)
    results["throughput"] = {"turns_per_s": latency.throughput(data)}
    results["growth"] = latency.growth()
    results["service"] = service.measure()
    results |= {f"long log, {name}": found for name, found in long_logs.measure().items()}
    results |= {f"in a bot, {name}": found for name, found in in_a_bot.measure().items()}
    results |= indexes.measure() | log_reports.measure()
    results["clusters"] = clusters.measure()
    rated = {"demo": demo_turns()}
    if data is not None:
        rated |= {centre.name: centre.load(data) for centre in CENTRES}
    for name, turns in rated.items():
        for profile in ("afas", "default"):
            results[f"{name}, {profile}, agreement"] = accuracy.agreement(turns, profile)
    if data is not None:
        results["message types"] = classification.measure(data)
    return results


def main() -> None:
    """Runs everything; the results go to the terminal and to a JSON file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of the real data; left out without")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "benchmarks" / "results.json")
    arguments = parser.parse_args()
    data: Path | None = arguments.data
    if data is not None and not data.is_dir():
        print(f"The real data are not at {data}: only the demo company is measured.")
        data = None
    results = measure(data)
    for name, figures in results.items():
        if name != "message types":
            print(f"{name:<45} {_line(figures)}")
    if "message types" in results:
        classification.show(results["message types"], sys.stdout.write)
    print()
    for bounds, word in ((BUDGETS, "at most"), (LEAST, "at least")):
        for name, (where, key, bound) in bounds.items():
            value = results.get(where, {}).get(key)
            if value is not None:
                is_met = value <= bound if bounds is BUDGETS else value >= bound
                verdict = "met" if is_met else "MISSED"
                print(f"{name:<34} {value:>9.3f}  {word} {bound:g}  {verdict}")
    about = {
        "klopt": __version__,
        "date": datetime.date.today().isoformat(),
        "python": platform.python_version(),
        "spacy": metadata.version("spacy"),
        "machine": platform.machine(),
    }
    text = json.dumps({"about": about, "results": results}, indent=1, ensure_ascii=False)
    arguments.output.write_text(text + "\n", encoding="utf-8")
    print(f"\nWritten to {arguments.output}")


def _line(figures: dict[str, Any]) -> str:
    return "  ".join(f"{key} {value}" for key, value in figures.items())


if __name__ == "__main__":
    main()
