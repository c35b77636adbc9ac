"""Clock, memory, new turns and stored results of the speed benchmarks."""

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
T = TypeVar("T")
ROOT: Final = Path(__file__).parent.parent
DEMO: Final = ROOT / "data" / "demo"
DEMO_TURNS: Final = 70
RESULTS: Final = Path(__file__).with_name("results.json")


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Return the seconds that a call takes, and its result."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def percentiles(times: Sequence[float]) -> Figures:
    """Return p50, p95 and p99 in milliseconds, and the number of times."""
    p50, p95, p99 = (round(float(one), 3) for one in np.percentile(times, [50, 95, 99]) * 1000)
    return {"p50_ms": p50, "p95_ms": p95, "p99_ms": p99, "n": len(times)}


def fresh(turns: Sequence[Turn], number: int) -> Iterator[Turn]:
    """Yield turns with a new question and answer, the same pages, and no type or language."""
    for turn in turns:
        yield Turn(f"{turn.question} {number}", f"{turn.answer} {number}", turn.pages, turn.id)


def rows() -> Iterator[dict[str, Any]]:
    """Yield an endless log of the demo company, all rows different; pages by name."""
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
    """Return the memory of a process and its children; 0 where Linux does not show it.

    With the default field, memory that processes share counts once.
    """
    total_kb = 0
    with suppress(OSError):
        children = Path(f"/proc/{pid}/task/{pid}/children") if pid != "self" else None
        for one in (pid, *(children.read_text().split() if children else ())):
            for line in Path(f"/proc/{one}/smaps_rollup").read_text("ascii").splitlines():
                total_kb += int(line.split()[1]) if line.startswith(field) else 0
    return total_kb / 1024


def long_runs() -> dict[str, dict[str, Any]]:
    """Return the results that `store_long` wrote."""
    results = json.loads(RESULTS.read_text("utf-8"))["results"]
    return {name: own for name, own in results.items() if "date" in own}


def store_long(name: str, figures: Mapping[str, Any]) -> None:
    """Print the figures of a long benchmark and store them with date and version."""
    show({name: figures})
    stored = json.loads(RESULTS.read_text("utf-8"))
    age = {"date": datetime.date.today().isoformat(), "klopt": __version__}
    stored["results"][name] = {**figures, **age}
    store(stored, RESULTS)


def show(by_name: Mapping[str, Mapping[str, Any]]) -> None:
    """Print figures, one line per name."""
    for name, figures in by_name.items():
        print(f"{name:<45} {'  '.join(f'{key} {value}' for key, value in figures.items())}")
