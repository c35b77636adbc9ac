"""Cost of ``klopt score`` and ``klopt report`` over long logs, and of resuming a killed run.

``python -m benchmarks.long_logs --turns 100000`` and ``--report 1000000`` need an otherwise idle
machine; ``python -m benchmarks`` keeps their results in its file. The log repeats the demo
company's, each turn with new texts. Times include the start of the process.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, Final

from benchmarks.timing import DEMO, Figures, memory_mb, rows, show, store_long
from klopt import Scorer
from klopt.cli.scoring import demo_rows, demo_terms
from klopt.logs.resume import CHECKPOINT_ROWS
from klopt.logs.scoring import score_rows

TURNS: Final = (1_000, 3_000)
PROCESSES: Final = 2
REPORT_ROWS: Final = (2000, 20_000)
REPORT_DAYS: Final = 180
POLL_S: Final = 0.2
PARTS: Final = 10
Poll = Callable[[float, float], bool]
"""Called with seconds and megabytes so far; True kills the run."""


def run(*arguments: object, poll: Poll | None = None) -> Figures:
    """Run klopt and return the seconds and the peak memory of its processes."""
    command = [sys.executable, "-m", "klopt", *map(str, arguments)]
    start, peak_mb = time.perf_counter(), 0.0
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    is_killed = False
    while process.poll() is None:
        peak_mb = max(peak_mb, now_mb := memory_mb(process.pid))
        if poll is not None and poll(time.perf_counter() - start, now_mb):
            process.kill()
            is_killed = True
        with suppress(subprocess.TimeoutExpired):
            process.wait(POLL_S)
    if process.returncode and not is_killed:
        raise SystemExit(f"klopt {arguments[0]} exited with {process.returncode}")
    return {"seconds": round(time.perf_counter() - start, 1), "mb": round(peak_mb, 1)}


def score(log: Path, output: Path, processes: int = PROCESSES, poll: Poll | None = None) -> Figures:
    """Run `klopt score` over a log of the demo company."""
    options = ["--pages", DEMO / "pages", "--all-types", "--processes", processes]
    return run("score", log, "-o", output, *options, poll=poll)


class WrittenRows:
    """Number of rows that a running process has written, from its journal."""

    def __init__(self, output: Path) -> None:
        self._output, self._offset, self._count = output, 0, 0

    def count(self) -> int:
        """Return the rows of the last checkpoint so far."""
        for journal in self._output.parent.glob(f".{self._output.name}.*.rows"):
            with suppress(OSError), journal.open("rb") as file:
                file.seek(self._offset)
                for line in file:
                    if not line.endswith(b"\n"):
                        break
                    self._offset += len(line)
                    if line.startswith(b'{"checkpoint": '):
                        self._count = json.loads(line)["checkpoint"]["rows"]
        return self._count


def write_log(log: Path, count: int) -> None:
    """Write a log of some length, all turns different."""
    with log.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in islice(rows(), count))


def growth(count: int) -> Figures:
    """Return time and memory after each tenth of a run, and the last in terms of the second."""
    step = max(CHECKPOINT_ROWS, count // PARTS)
    marks: list[tuple[int, float, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        log, output = Path(folder, "log.jsonl"), Path(folder, "scores.jsonl")
        write_log(log, count)
        written = WrittenRows(output)

        def poll(seconds: float, mb: float) -> bool:
            if (done := written.count()) >= step * (len(marks) + 1):
                marks.append((done, seconds, mb))
                print(f"{done:>9,} rows {seconds:>9.1f} s {mb:>7.1f} MB", flush=True)
            return False

        figures = score(log, output, poll=poll)
    for done, seconds, mb in marks:
        figures |= {f"s_{done}": round(seconds, 1), f"mb_{done}": round(mb, 1)}
    if len(marks) < 3:
        return figures
    paces = [(now[1] - was[1]) / (now[0] - was[0]) for was, now in pairwise(marks)]
    times, times_mb = round(paces[-1] / paces[0], 2), round(marks[-1][2] / marks[1][2], 2)
    return figures | {"last_times_s": times, "last_times_mb": times_mb}


def measure() -> dict[str, Figures]:
    """Return the figures of each length, and of a run that was killed halfway and resumed."""
    figures: dict[str, Figures] = {}
    with tempfile.TemporaryDirectory() as folder:
        log, outputs = Path(folder, "log.jsonl"), [Path(folder, f"{n}.jsonl") for n in range(3)]
        for count in TURNS:
            write_log(log, count)
            one, two = score(log, outputs[0], 1), score(log, outputs[1])
            if outputs[0].read_bytes() != outputs[1].read_bytes():
                raise SystemExit("the output differs with the number of processes")
            figures[f"{count} turns"] = {
                "one_turns_per_s": round(count / one["seconds"], 1),
                "two_turns_per_s": round(count / two["seconds"], 1),
                "times": round(one["seconds"] / two["seconds"], 2),
                "one_mb": one["mb"],
                "two_mb": two["mb"],
            }
        written = WrittenRows(outputs[2])
        killed = score(log, outputs[2], poll=lambda *_: written.count() >= TURNS[-1] // 2)
        resumed = score(log, outputs[2])
        if outputs[2].read_bytes() != outputs[1].read_bytes():
            raise SystemExit("the output differs after a kill")
        total = killed["seconds"] + resumed["seconds"]
        figures["killed at half"] = {
            "killed_s": killed["seconds"],
            "gone_on_s": resumed["seconds"],
            "added_share": round(total / two["seconds"] - 1, 3),
        }
    return figures


def reports(counts: Sequence[int] = REPORT_ROWS) -> dict[str, Figures]:
    """Return the cost of `klopt report` over logs of some sizes, drawn from the demo company's."""
    scorer = Scorer.load(terms=demo_terms())
    scored = [(row.fields, found.to_dict()) for row, found in score_rows(demo_rows(), scorer)]
    return {f"report of {count} rows": _report(scored, count) for count in counts}


def _report(scored: Sequence[tuple[Mapping[str, Any], dict[str, Any]]], count: int) -> Figures:
    draw = random.Random(count)
    with tempfile.TemporaryDirectory() as name:
        scores, log, page = (Path(name, own) for own in ("scores.jsonl", "log.jsonl", "page.html"))
        with scores.open("w", encoding="utf-8") as ours, log.open("w", encoding="utf-8") as theirs:
            for number in range(count):
                fields, assessment = draw.choice(scored)
                timestamp = 1_790_000_000 + number * 86400 * REPORT_DAYS // count
                own = {"id": f"row-{number}", "timestamp": timestamp}
                question = f"{fields['question']} ({number})"
                theirs.write(json.dumps({**fields, **own, "question": question}) + "\n")
                ours.write(json.dumps({**assessment, "id": own["id"]}) + "\n")
        cost = run("report", scores, "--log", log, "-o", page)
        page_mb = round(page.stat().st_size / 2**20, 1)
        return {"report_s": cost["seconds"], "peak_mb": cost["mb"], "page_mb": page_mb}


def main() -> None:
    """Print the figures, and store those of the long runs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.long_logs", description=__doc__)
    parser.add_argument("--turns", type=int, help="score a log of this length, measured by tenths")
    parser.add_argument("--report", type=int, help="make a report of this many rows")
    options = parser.parse_args()
    if options.turns:
        store_long(f"long log by the tenth, {options.turns} turns", growth(options.turns))
    if options.report:
        for name, figures in reports([options.report]).items():
            store_long(name, figures)
    if not options.turns and not options.report:
        show(measure())


if __name__ == "__main__":
    main()
