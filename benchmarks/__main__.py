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

from benchmarks import accuracy, classification, latency
from benchmarks.turns import demo_turns, real_turns, standard_turns
from klopt import __version__

ROOT = Path(__file__).parent.parent
BUDGETS = {
    "turn p50": ("standard turns, whole", "p50_ms", 10.0),
    "turn p99": ("standard turns, whole", "p99_ms", 30.0),
    "all but parsing p50": ("standard turns, all but parsing", "p50_ms", 2.0),
    "page of 250 words p50": ("standard pages, first reading", "p50_ms", 60.0),
    "import klopt": ("process", "import_s", 0.15),
    "ready to score": ("process", "ready_s", 1.5),
    "memory": ("process", "memory_mb", 300.0),
}


def measure(data: Path | None) -> dict[str, Any]:
    """All figures, by name."""
    results: dict[str, Any] = {
        "calibration": {"ten_million_additions_s": latency.calibration()},
        "process": latency.process(ROOT),
    }
    standard = standard_turns()
    results["standard turns, whole"] = latency.whole_turns(standard, measure_all=False)
    results["standard turns, whole, every feature"] = latency.whole_turns(
        standard, measure_all=True
    )
    for stage, figures in latency.stages(standard).items():
        results[f"standard turns, {stage}"] = figures
    results["standard pages, first reading"] = latency.page_reading(standard)
    groups = {"demo": demo_turns()}
    if data is not None:
        groups["real help centre"] = real_turns(data)
    for name, turns in groups.items():
        results[f"{name}, whole"] = latency.whole_turns(turns, measure_all=False)
        results[f"{name}, throughput"] = {"turns_per_s": latency.throughput(turns)}
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
    for name, (where, key, budget) in BUDGETS.items():
        value = results[where][key]
        print(
            f"{name:<25} {value:>9.3f}  budget {budget:g}  {'met' if value <= budget else 'MISSED'}"
        )
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
