"""How long scoring takes, stage by stage, and how much memory."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from klopt import Scorer, Turn, heuristics, lexicons
from klopt.classifier import classify
from klopt.heuristics import Context, Material
from klopt.matching import Indexes, Synonyms, align
from klopt.reading.reader import Reader

Figures = dict[str, dict[str, float]]
INDEXES = Indexes()


def calibration() -> float:
    """Seconds for ten million additions in plain Python: how fast this machine is today.

    About 0.4 on a current server core; figures of two machines compare in proportion to it.
    """

    def add() -> None:
        total = 0
        for number in range(10_000_000):
            total += number

    return round(min(_timed(add) for _ in range(3)), 3)


def percentiles(times: list[float]) -> dict[str, float]:
    """p50, p95 and p99 in milliseconds, and how many times were taken."""
    p50, p95, p99 = np.percentile(np.array(times) * 1000, [50, 95, 99])
    return {
        "p50_ms": round(float(p50), 3),
        "p95_ms": round(float(p95), 3),
        "p99_ms": round(float(p99), 3),
        "n": len(times),
    }


def whole_turns(turns: list[Turn], *, measure_all: bool, rounds: int = 5) -> dict[str, float]:
    """Time to score one turn with its pages already read, each round with a new answer text.

    A blank more at the end of question and answer keeps the parses of earlier rounds from
    being remembered, as they would not be for a new answer.
    """
    scorer = Scorer.load("default", all_types=True)
    for language in {turn.language for turn in turns}:
        scorer.prepare(language)
    for turn in turns:
        scorer.score(turn, measure_all=True)
    times: list[float] = []
    for number in range(1, rounds + 1):
        for turn in turns:
            fresh = Turn(
                f"{turn.question} {number}",
                f"{turn.answer} {number}",
                turn.pages,
                turn.id,
                turn.language,
            )
            times.append(_timed(lambda fresh=fresh: scorer.score(fresh, measure_all=measure_all)))
    return percentiles(times)


def stages(turns: list[Turn], rounds: int = 5) -> Figures:
    """Time of reading, classifying, parsing and each heuristic, all of them measured."""
    times: dict[str, list[float]] = defaultdict(list)
    readers = {name: Reader(lexicons.load(name)) for name in ("nl", "en")}
    for number in range(rounds + 1):
        for turn in turns:
            reader = readers[turn.language]
            contexts = tuple(Context(p.id, reader.read_page(p)) for p in turn.pages)
            if not contexts:
                continue
            reader.parse(*(context.reading for context in contexts))
            taken = _one(turn, number, reader, contexts)
            if number:  # the first round warms up
                for stage, seconds in taken.items():
                    times[stage].append(seconds)
    return {stage: percentiles(values) for stage, values in times.items()}


def _one(
    turn: Turn, number: int, reader: Reader, contexts: tuple[Context, ...]
) -> dict[str, float]:
    taken: dict[str, float] = {}
    kept: dict[str, Any] = {}

    def timed(stage: str, work: Callable[[], Any]) -> None:
        start = time.perf_counter()
        kept[stage] = work()
        taken[stage] = time.perf_counter() - start

    question, answer = f"{turn.question} {number}", f"{turn.answer} {number}"
    timed("reading", lambda: (reader.read(question), reader.read(answer)))
    asked, answered = kept["reading"]
    timed("classifying", lambda: classify(asked.plain.text, reader.lexicons))
    timed("parsing", lambda: reader.parse(asked, answered))
    timed(
        "aligning",
        lambda: align(
            asked,
            answered,
            ((one.page, one.reading) for one in contexts),
            parser=lambda reading: reader.parse(reading)[0],
            indexes=INDEXES,
            synonyms=Synonyms(reader.lexicons),
        ),
    )
    for heuristic in heuristics.ALL:
        material = Material(
            asked, answered, contexts, reader.lexicons,
            lambda reading: reader.parse(reading)[0], lambda: kept["aligning"], heuristic.options,
        )  # fmt: skip
        timed(heuristic.name, lambda h=heuristic, m=material: h.measure(m))
    taken["all but parsing"] = sum(s for stage, s in taken.items() if stage != "parsing")
    return taken


def page_reading(turns: list[Turn]) -> dict[str, float]:
    """Time to read and parse a page for the first time, brought to 250 words."""
    reader = Reader(lexicons.load("nl"))
    reader.parse(reader.read("Een zin om de pijplijn te laden."))
    times: list[float] = []
    for page in {page.id: page for turn in turns for page in turn.pages}.values():
        words = len(page.text.split())
        if words >= 50:
            seconds = _timed(lambda page=page: reader.parse(reader.read_page(page)))
            times.append(seconds * 250 / words)
    return percentiles(times)


def throughput(turns: list[Turn]) -> float:
    """Turns a second on one core, with pages read once."""
    scorer = Scorer.load("default", all_types=True)
    list(scorer.score_many(turns))
    fresh = [Turn(f"{t.question} .", f"{t.answer} .", t.pages, t.id, t.language) for t in turns]
    seconds = _timed(lambda: list(scorer.score_many(fresh)))
    return round(len(turns) / seconds, 1)


def _timed(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


_PROCESS = """
import json, resource, sys, time
start = time.perf_counter()
import klopt
imported = time.perf_counter() - start
scorer = klopt.Scorer.load()
scorer.prepare("nl")
ready = time.perf_counter() - start
from benchmarks.turns import standard_turns
list(scorer.score_many(standard_turns()))
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
json.dump({"import_s": imported, "ready_s": ready, "memory_mb": memory}, sys.stdout)
"""


def process(root: Path, runs: int = 5) -> dict[str, float]:
    """Import, ready to score and peak memory of a process of its own: medians of some runs."""
    found: list[dict[str, float]] = []
    for _ in range(runs):
        done = subprocess.run(
            [sys.executable, "-c", _PROCESS], cwd=root, check=True, capture_output=True, text=True
        )
        found.append(json.loads(done.stdout))
    return {key: round(float(np.median([one[key] for one in found])), 3) for key in found[0]}
