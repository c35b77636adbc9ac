"""How long scoring takes, and how much memory."""

from __future__ import annotations

import json
import multiprocessing
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final
from unittest.mock import patch

import numpy as np
from markdown_it import MarkdownIt

from benchmarks.timing import DEMO, ROOT, Figures, fresh, percentiles, timed
from klopt import Scorer, Turn, lexicons
from klopt.batch.pages import read_pages
from klopt.reading.reader import Reader
from training.rated_turns import CENTRES, demo_turns

ROUNDS: Final = 3
ONE_THREAD: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
Groups = Sequence[Sequence[Turn]]


def measure(data: Path | None) -> dict[str, Figures]:
    """All figures, by name: of the demo company, and of the real help centres by language."""
    groups: dict[str, Groups] = {"demo": [demo_turns()]}
    if data is not None:
        for language in ("nl", "en"):
            own = [centre.load(data) for centre in CENTRES if centre.language == language]
            groups[f"centres {language}"] = own
    times = {
        f"{name}, {profile}": whole_turns(centres, profile, rounds)
        for name, centres in groups.items()
        for profile, rounds in (("default", ROUNDS), ("afas", 1))
    }
    dutch = groups.get("centres nl", groups["demo"])
    whole = {"turns_per_s": throughput(dutch)}
    return {"process": process(), **times, "throughput": whole, "reading": reading()}


def reading() -> Figures:
    """Megabytes of the demo company's pages read in a second; the best of some rounds."""
    reader = Reader(lexicons.load("nl"))
    markdown = [page.text for page in read_pages(DEMO / "pages" / "nl").values()]
    html = list(map(MarkdownIt().enable("table").render, markdown))
    figures = {}
    for name, texts in (("markdown", markdown), ("html", html)):
        seconds = min(timed(lambda: [*map(reader.read, texts)])[0] for _ in range(ROUNDS))  # noqa: B023
        figures[f"{name}_mb_per_s"] = round(sum(map(len, texts)) / 1e6 / seconds, 2)
    return figures


def whole_turns(centres: Groups, profile: str, rounds: int) -> Figures:
    """Time to score one turn whose pages are known, each a new one; one scorer a centre."""
    times: list[float] = []
    for turns in centres:
        scorer = Scorer.load(profile, all_types=True)
        list(scorer.score_many(turns))
        for number in range(rounds):
            times += [timed(partial(scorer.score, turn))[0] for turn in fresh(turns, number)]
    return percentiles(times)


def throughput(centres: Groups, processes: int = 2) -> float:
    """Turns a second on two processes together, each with one thread, the pages known."""
    with (
        patch.dict("os.environ", dict.fromkeys(ONE_THREAD, "1")),
        multiprocessing.get_context("spawn").Pool(processes) as pool,
    ):
        return round(sum(pool.map(_rate, [centres] * processes, chunksize=1)), 1)


def _rate(centres: Groups) -> float:
    scorers = [Scorer.load(all_types=True) for _ in centres]

    def score(some: Groups) -> None:
        for scorer, turns in zip(scorers, some, strict=True):
            list(scorer.score_many(turns))

    score(centres)
    new = [list(fresh(turns, 1)) for turns in centres]
    return sum(map(len, new)) / timed(partial(score, new))[0]


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
    """Import, ready to score and peak memory of a process of its own: medians of some runs."""
    command = [sys.executable, "-c", _PROCESS]
    measured: list[Figures] = [
        json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
        for _ in range(runs)
    ]
    return {key: round(float(np.median([one[key] for one in measured])), 3) for key in measured[0]}
