"""What the benchmarks of speed share: a clock, memory, and turns that nobody has seen."""

import datetime
import itertools
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from klopt import Turn, __version__
from training.command import store

Figures = dict[str, float]
Made = TypeVar("Made")
ROOT: Final = Path(__file__).parent.parent
DEMO: Final = ROOT / "data" / "demo"
RESULTS: Final = Path(__file__).with_name("results.json")


def timed(work: Callable[[], Made]) -> tuple[float, Made]:
    """Seconds that some work takes, and what it gives."""
    start = time.perf_counter()
    made = work()
    return time.perf_counter() - start, made


def percentiles(times: Sequence[float]) -> Figures:
    """p50, p95 and p99 in milliseconds, and how many times were taken."""
    p50, p95, p99 = (round(float(one), 3) for one in np.percentile(times, [50, 95, 99]) * 1000)
    return {"p50_ms": p50, "p95_ms": p95, "p99_ms": p99, "n": len(times)}


def calibration() -> float:
    """Seconds for ten million additions in plain Python: how fast this machine is today.

    About 0.4 on a current server core; figures of two machines compare in proportion to it.
    """

    def add() -> None:
        total = 0
        for number in range(10_000_000):
            total += number

    return round(min(timed(add)[0] for _ in range(3)), 3)


def fresh(turns: Sequence[Turn], number: int) -> Iterator[Turn]:
    """The turns as new ones: nothing but the pages has been seen, no type or language is given."""
    for turn in turns:
        yield Turn(f"{turn.question} {number}", f"{turn.answer} {number}", turn.pages, turn.id)


def rows() -> Iterator[dict[str, Any]]:
    """Rows of the demo company for ever, no two alike; pages by their names below its folder."""
    log = [json.loads(line) for line in (DEMO / "turns.jsonl").read_text("utf-8").splitlines()]
    for number in itertools.count():
        row = log[number % len(log)]
        yield {
            "id": f"turn-{number}",
            "question": f"{row['question']} {number}",
            "answer": f"{row['answer']} {number}",
            "contexts": [f"{row['language']}/{name}" for name in row["contexts"]],
        }


def memory_mb(pid: int | str = "self", field: str = "Pss:") -> float:
    """What a process and those that it started hold, what they share counted once; 0 if unseen."""
    total_kb = 0
    with suppress(OSError):
        children = Path(f"/proc/{pid}/task/{pid}/children") if pid != "self" else None
        for one in (pid, *(children.read_text().split() if children else ())):
            for line in Path(f"/proc/{one}/smaps_rollup").read_text("ascii").splitlines():
                total_kb += int(line.split()[1]) if line.startswith(field) else 0
    return total_kb / 1024


def long_runs(output: Path = RESULTS) -> dict[str, dict[str, Any]]:
    """What runs of their own stored, each with its date."""
    results = json.loads(output.read_text("utf-8"))["results"]
    return {name: own for name, own in results.items() if "date" in own}


def store_long(name: str, figures: Mapping[str, Any], output: Path = RESULTS) -> None:
    """Prints the figures of a run of its own, and puts them, with their age, beside the others."""
    show({name: figures})
    stored = json.loads(output.read_text("utf-8"))
    age = {"date": datetime.date.today().isoformat(), "klopt": __version__}
    stored["results"][name] = {**figures, **age}
    store(stored, output)


def show(by_name: Mapping[str, Mapping[str, Any]]) -> None:
    """Prints figures, a line for each name."""
    for name, figures in by_name.items():
        print(f"{name:<45} {'  '.join(f'{key} {value}' for key, value in figures.items())}")
