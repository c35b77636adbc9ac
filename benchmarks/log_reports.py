"""What `klopt report` costs: scored logs of two sizes, made of the demo company's."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from klopt import Scorer
from klopt.batch.cores import score_rows
from klopt.cli.demo_log import demo_rows, demo_terms

COUNTS: Final = (2000, 20_000)
DAYS: Final = 180
Figures = dict[str, float]


def measure() -> dict[str, Figures]:
    """The figures for each number of rows."""
    scorer = Scorer.load(terms=demo_terms())
    scored = [(row.fields, one.to_dict()) for row, one in score_rows(demo_rows(), scorer)]
    return {f"report of {count} rows": _measure(scored, count) for count in COUNTS}


def _measure(scored: list[tuple[dict[str, object], dict[str, object]]], count: int) -> Figures:
    draw = random.Random(count)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        scores, log, page = (folder / one for one in ("scores.jsonl", "log.jsonl", "report.html"))
        with scores.open("w", encoding="utf-8") as ours, log.open("w", encoding="utf-8") as theirs:
            for number in range(count):
                asked, told = draw.choice(scored)
                own = {
                    "id": f"row-{number}",
                    "timestamp": 1_790_000_000 + number * 86400 * DAYS // count,
                }
                question = f"{asked['question']} ({number})"
                theirs.write(json.dumps({**asked, **own, "question": question}) + "\n")
                ours.write(json.dumps({**told, "id": own["id"]}) + "\n")
        command = [sys.executable, "-m", "klopt", "report", scores, "--log", log, "-o", page]
        start = time.perf_counter()
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        if status:
            raise RuntimeError(f"klopt report ended with {os.waitstatus_to_exitcode(status)}")
        return {
            "report_s": round(time.perf_counter() - start, 2),
            "peak_mb": round(used.ru_maxrss / 1024, 1),
            "page_mb": round(page.stat().st_size / 2**20, 1),
        }
