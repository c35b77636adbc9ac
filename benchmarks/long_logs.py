"""What ``klopt score`` costs over long logs: by processes, by length, and after a kill at half.

``python -m benchmarks.long_logs --turns 100000`` is for a machine with nothing else to do; the
log is the demo company's, each turn with words of its own, and starting counts too.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

from benchmarks.timing import DEMO, Figures, memory_mb, rows, show, timed
from klopt import Scorer
from klopt.batch.cores import score_rows
from klopt.cli.demo_log import demo_rows, demo_terms

TURNS: Final = (1_000, 3_000)
PROCESSES: Final = 2
LOOK_S: Final = 0.2


def run(log: Path, output: Path, processes: int, until_kept: int | None = None) -> Figures:
    """One run, killed when so many rows are kept: seconds, and the most memory of its processes."""
    options = ["--pages", DEMO / "pages", "--all-types", "--processes", processes]
    line = [sys.executable, "-m", "klopt", "score", log, "-o", output, *options]
    start, most_mb = time.perf_counter(), 0.0
    process = subprocess.Popen([*map(str, line)], stderr=subprocess.DEVNULL)
    while process.poll() is None:
        most_mb = max(most_mb, memory_mb(process.pid))
        if until_kept is not None and kept_count(output) >= until_kept:
            process.kill()
        time.sleep(LOOK_S)
    return {"seconds": round(time.perf_counter() - start, 1), "mb": round(most_mb, 1)}


def kept_count(output: Path) -> int:
    """How many rows a run that is under way has kept."""
    for state in output.parent.glob(f".{output.name}.*.state"):
        with suppress(OSError, ValueError):
            notes = [one for one in state.read_text().splitlines() if one.startswith('{"bytes"')]
            return int((json.loads(notes[-1])["kept"] or {"rows": 0})["rows"])
    return 0


def measure(turns: Sequence[int] = TURNS) -> dict[str, Figures]:
    """The figures of each length, and those of going on after a kill at half of the longest."""
    figures: dict[str, Figures] = {}
    with tempfile.TemporaryDirectory() as folder:
        log, outputs = Path(folder, "log.jsonl"), [Path(folder, f"{n}.jsonl") for n in range(3)]
        for count in turns:
            lines = (json.dumps(row) + "\n" for row in islice(rows(), count))
            log.write_text("".join(lines), encoding="utf-8")
            one, more = run(log, outputs[0], 1), run(log, outputs[1], PROCESSES)
            if outputs[0].read_bytes() != outputs[1].read_bytes():
                raise SystemExit("the output differs with the number of processes")
            figures[f"{count} turns"] = {
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
        both = killed["seconds"] + gone_on["seconds"]
        figures["killed at half"] = {
            "killed_s": killed["seconds"],
            "gone_on_s": gone_on["seconds"],
            "added_share": round(both / more["seconds"] - 1, 3),
        }
    return figures


REPORTED: Final = (2000, 20_000)
DAYS: Final = 180


def reports() -> dict[str, Figures]:
    """What `klopt report` costs over scored logs of two sizes, made of the demo company's."""
    scorer = Scorer.load(terms=demo_terms())
    scored = [(row.fields, one.to_dict()) for row, one in score_rows(demo_rows(), scorer)]
    return {f"report of {count} rows": _report(scored, count) for count in REPORTED}


def _report(scored: list[tuple[dict[str, object], dict[str, object]]], count: int) -> Figures:
    draw = random.Random(count)
    with tempfile.TemporaryDirectory() as name:
        scores, log, page = (Path(name, one) for one in ("scores.jsonl", "log.jsonl", "page.html"))
        with scores.open("w", encoding="utf-8") as ours, log.open("w", encoding="utf-8") as theirs:
            for number in range(count):
                asked, assessment = draw.choice(scored)
                time = 1_790_000_000 + number * 86400 * DAYS // count
                own = {"id": f"row-{number}", "timestamp": time}
                question = f"{asked['question']} ({number})"
                theirs.write(json.dumps({**asked, **own, "question": question}) + "\n")
                ours.write(json.dumps({**assessment, "id": own["id"]}) + "\n")
        command = [sys.executable, "-m", "klopt", "report", scores, "--log", log, "-o", page]
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        seconds, (_, status, used) = timed(partial(os.wait4, process.pid, 0))
        if status:
            raise RuntimeError(f"klopt report ended with {os.waitstatus_to_exitcode(status)}")
        return {
            "report_s": round(seconds, 2),
            "peak_mb": round(used.ru_maxrss / 1024, 1),
            "page_mb": round(page.stat().st_size / 2**20, 1),
        }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, nargs="+", default=TURNS, help="lengths of the log")
    show(measure(parser.parse_args().turns))
