"""What ``klopt score`` and ``klopt report`` cost over long logs, and after a kill at half.

``python -m benchmarks.long_logs --turns 100000`` and ``--report 1000000`` are for a machine with
nothing else to do, and stay in the file when ``python -m benchmarks`` writes the rest. The log is
the demo company's, each turn with words of its own, and starting counts too.
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
LOOK_S: Final = 0.2
PARTS: Final = 10
FLAT_TIMES: Final = 1.1
"""So many times the seconds of the second part, when what is kept for repeats is full, is flat."""


def run(*arguments: object, look: Callable[[float, float], bool] | None = None) -> Figures:
    """One run of klopt: seconds, and the most memory of its processes.

    ``look`` is given seconds and megabytes now and then, and says when to kill it.
    """
    line = [sys.executable, "-m", "klopt", *map(str, arguments)]
    start, most_mb = time.perf_counter(), 0.0
    process = subprocess.Popen(line, stderr=subprocess.DEVNULL)
    is_killed = False
    while process.poll() is None:
        most_mb = max(most_mb, now_mb := memory_mb(process.pid))
        if look is not None and look(time.perf_counter() - start, now_mb):
            process.kill()
            is_killed = True
        with suppress(subprocess.TimeoutExpired):
            process.wait(LOOK_S)
    if process.returncode and not is_killed:
        raise SystemExit(f"klopt {arguments[0]} ended with {process.returncode}")
    return {"seconds": round(time.perf_counter() - start, 1), "mb": round(most_mb, 1)}


def score(
    log: Path,
    output: Path,
    processes: int = PROCESSES,
    look: Callable[[float, float], bool] | None = None,
) -> Figures:
    """One run of `klopt score` over a log of the demo company, as `run`."""
    options = ["--pages", DEMO / "pages", "--all-types", "--processes", processes]
    return run("score", log, "-o", output, *options, look=look)


class KeptRows:
    """How many rows a run that is under way has kept, by what it adds to its hidden file."""

    def __init__(self, output: Path) -> None:
        self._output, self._at, self._count = output, 0, 0

    def count(self) -> int:
        """As of now; 0 before the first are kept, and what was last seen when the run is over."""
        for hidden in self._output.parent.glob(f".{self._output.name}.*.rows"):
            with suppress(OSError), hidden.open("rb") as file:
                file.seek(self._at)
                for line in file:
                    if not line.endswith(b"\n"):
                        break
                    self._at += len(line)
                    if line.startswith(b'{"checkpoint": '):
                        self._count = json.loads(line)["checkpoint"]["rows"]
        return self._count


def write_log(log: Path, count: int) -> None:
    """So many turns, no two alike."""
    with log.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in islice(rows(), count))


def growth(count: int) -> tuple[Figures, str]:
    """Seconds and memory of one run on two processes, by the tenth; and whether that is flat."""
    step = max(CHECKPOINT_ROWS, count // PARTS)
    marks: list[tuple[int, float, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        log, output = Path(folder, "log.jsonl"), Path(folder, "scores.jsonl")
        write_log(log, count)
        kept = KeptRows(output)

        def look(seconds: float, mb: float) -> bool:
            if (done := kept.count()) >= step * (len(marks) + 1):
                marks.append((done, seconds, mb))
                print(f"{done:>9,} rows {seconds:>9.1f} s {mb:>7.1f} MB", flush=True)
            return False

        figures = score(log, output, look=look)
    for done, seconds, mb in marks:
        figures |= {f"s_{done}": round(seconds, 1), f"mb_{done}": round(mb, 1)}
    if len(marks) < 3:
        return figures, "Too short to tell whether it is flat."
    paces = [(now[1] - was[1]) / (now[0] - was[0]) for was, now in pairwise(marks)]
    times, times_mb = round(paces[-1] / paces[0], 2), round(marks[-1][2] / marks[1][2], 2)
    flat = "Flat" if max(times, times_mb) <= FLAT_TIMES else "Not flat"
    said = f"{flat}: the last part took {times} times the second, with {times_mb} times its memory."
    return figures | {"last_times_s": times, "last_times_mb": times_mb}, said


def measure(turns: Sequence[int] = TURNS) -> dict[str, Figures]:
    """The figures of each length, and those of going on after a kill at half of the longest."""
    figures: dict[str, Figures] = {}
    with tempfile.TemporaryDirectory() as folder:
        log, outputs = Path(folder, "log.jsonl"), [Path(folder, f"{n}.jsonl") for n in range(3)]
        for count in turns:
            write_log(log, count)
            one, more = score(log, outputs[0], 1), score(log, outputs[1])
            if outputs[0].read_bytes() != outputs[1].read_bytes():
                raise SystemExit("the output differs with the number of processes")
            figures[f"{count} turns"] = {
                "one_turns_per_s": round(count / one["seconds"], 1),
                "two_turns_per_s": round(count / more["seconds"], 1),
                "times": round(one["seconds"] / more["seconds"], 2),
                "one_mb": one["mb"],
                "two_mb": more["mb"],
            }
        kept = KeptRows(outputs[2])
        killed = score(log, outputs[2], look=lambda *_: kept.count() >= turns[-1] // 2)
        gone_on = score(log, outputs[2])
        if outputs[2].read_bytes() != outputs[1].read_bytes():
            raise SystemExit("the output differs after a kill")
        both = killed["seconds"] + gone_on["seconds"]
        figures["killed at half"] = {
            "killed_s": killed["seconds"],
            "gone_on_s": gone_on["seconds"],
            "added_share": round(both / more["seconds"] - 1, 3),
        }
    return figures


REPORTED: Final = (2000, 20_000)
DAYS: Final = 180


def reports(counts: Sequence[int] = REPORTED) -> dict[str, Figures]:
    """What `klopt report` costs over scored logs of some sizes, made of the demo company's."""
    scorer = Scorer.load(terms=demo_terms())
    scored = [(row.fields, found.to_dict()) for row, found in score_rows(demo_rows(), scorer)]
    return {f"report of {count} rows": _report(scored, count) for count in counts}


def _report(scored: Sequence[tuple[Mapping[str, Any], dict[str, Any]]], count: int) -> Figures:
    draw = random.Random(count)
    with tempfile.TemporaryDirectory() as name:
        scores, log, page = (Path(name, own) for own in ("scores.jsonl", "log.jsonl", "page.html"))
        with scores.open("w", encoding="utf-8") as ours, log.open("w", encoding="utf-8") as theirs:
            for number in range(count):
                asked, assessment = draw.choice(scored)
                time = 1_790_000_000 + number * 86400 * DAYS // count
                own = {"id": f"row-{number}", "timestamp": time}
                question = f"{asked['question']} ({number})"
                theirs.write(json.dumps({**asked, **own, "question": question}) + "\n")
                ours.write(json.dumps({**assessment, "id": own["id"]}) + "\n")
        cost = run("report", scores, "--log", log, "-o", page)
        page_mb = round(page.stat().st_size / 2**20, 1)
        return {"report_s": cost["seconds"], "peak_mb": cost["mb"], "page_mb": page_mb}


def main() -> None:
    """Prints what a log of a length costs, and stores what takes too long to run each time."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.long_logs", description=__doc__)
    parser.add_argument("--turns", type=int, help="a log of this length, scored, by the tenth")
    parser.add_argument("--report", type=int, help="the report of so many rows")
    typed = parser.parse_args()
    if typed.turns:
        figures, said = growth(typed.turns)
        print(said)
        store_long(f"long log by the tenth, {typed.turns} turns", figures)
    if typed.report:
        for name, figures in reports([typed.report]).items():
            store_long(name, figures)
    if not typed.turns and not typed.report:
        show(measure())


if __name__ == "__main__":
    main()
