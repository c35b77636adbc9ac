"""What ``klopt score`` costs over long logs: by processes, by length, and after a kill at half.

``python -m benchmarks.long_logs --turns 100000`` is for a machine with nothing else to do; the
log is the demo company's, each turn with words of its own, and starting counts too.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

DEMO: Final = Path(__file__).parent.parent / "data" / "demo"
TURNS: Final = (1_000, 3_000)
PROCESSES: Final = 2
_LOOK_S: Final = 0.2

Figures = dict[str, float]


def write_log(path: Path, count: int) -> None:
    """So many turns of the demo company, no two alike."""
    rows = [json.loads(line) for line in (DEMO / "turns.jsonl").read_text("utf-8").splitlines()]
    with path.open("w", encoding="utf-8") as log:
        for number in range(count):
            row = rows[number % len(rows)]
            new = {
                "id": f"turn-{number}",
                "question": f"{row['question']} {number}",
                "answer": f"{row['answer']} {number}",
                "contexts": [f"{row['language']}/{name}" for name in row["contexts"]],
            }
            log.write(json.dumps(new) + "\n")


def run(log: Path, output: Path, processes: int, until_kept: int | None = None) -> Figures:
    """One run: seconds, and the most memory of its processes together, where they can be seen.

    Args:
        log: What is scored.
        output: Where to.
        processes: How many score.
        until_kept: Kills it when so many rows are kept; None lets it end.
    """
    options = ["--pages", DEMO / "pages", "--all-types", "--processes", processes]
    line = [sys.executable, "-m", "klopt", "score", log, "-o", output, *options]
    start, most_mb = time.perf_counter(), 0.0
    process = subprocess.Popen([*map(str, line)], stderr=subprocess.DEVNULL)
    while process.poll() is None:
        most_mb = max(most_mb, memory_mb(process.pid))
        if until_kept is not None and kept_count(output) >= until_kept:
            process.kill()
        time.sleep(_LOOK_S)
    return {"seconds": round(time.perf_counter() - start, 1), "mb": round(most_mb, 1)}


def kept_count(output: Path) -> int:
    """How many rows a run that is under way has kept."""
    for state in output.parent.glob(f".{output.name}.*.state"):
        with suppress(OSError):
            return int(json.loads(state.read_text())["rows"])
    return 0


def memory_mb(pid: int) -> float:
    """What a process and those that it started hold, what they share counted once; 0 if unseen."""
    found = 0.0
    with suppress(OSError):
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for one in (str(pid), *children):
            for line in Path(f"/proc/{one}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    found += int(line.split()[1]) / 1024
    return found


def measure(turns: Sequence[int] = TURNS) -> dict[str, Figures]:
    """The figures of each length, and those of going on after a kill at half of the longest."""
    found: dict[str, Figures] = {}
    with tempfile.TemporaryDirectory() as folder:
        log, outputs = Path(folder, "log.jsonl"), [Path(folder, f"{n}.jsonl") for n in range(3)]
        for count in turns:
            write_log(log, count)
            one = run(log, outputs[0], 1)
            more = run(log, outputs[1], PROCESSES)
            if outputs[0].read_bytes() != outputs[1].read_bytes():
                raise SystemExit("the output differs with the number of processes")
            found[f"{count} turns"] = {
                "one_turns_per_s": round(count / one["seconds"], 1),
                "two_turns_per_s": round(count / more["seconds"], 1),
                "times": round(one["seconds"] / more["seconds"], 2),
                "one_mb": one["mb"],
                "two_mb": more["mb"],
            }
        killed = run(log, outputs[2], PROCESSES, turns[-1] // 2)
        gone_on = run(log, outputs[2], PROCESSES)
        if outputs[2].read_bytes() != outputs[1].read_bytes():
            raise SystemExit("the output differs after a kill")
        whole = more["seconds"]
        found["killed at half"] = {
            "killed_s": killed["seconds"],
            "gone_on_s": gone_on["seconds"],
            "added_share": round((killed["seconds"] + gone_on["seconds"]) / whole - 1, 3),
        }
    return found


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, nargs="+", default=TURNS, help="lengths of the log")
    for name, figures in measure(parser.parse_args().turns).items():
        print(f"{name:<16}", "  ".join(f"{key} {value}" for key, value in figures.items()))


if __name__ == "__main__":
    main()
