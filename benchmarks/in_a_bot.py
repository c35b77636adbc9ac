"""What scoring inside a bot costs: ``python -m benchmarks.in_a_bot``, and part of `make bench`."""

from __future__ import annotations

import asyncio
import functools
import gc
import json
import multiprocessing
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.latency import Figures, fresh, percentiles
from klopt import Assessment, Page, Scorer, Turn
from klopt.scoring.streaming import EarlyFault
from training.rated_turns import demo_turns

ROOT = Path(__file__).parent.parent
TOKEN_CHARS = 4
BUDGETS_MS = (5, 10, 20, 30, 50)
WORKERS = 2


def measure() -> dict[str, Figures]:
    """All figures, by name, on the demo company's turns."""
    turns = demo_turns()
    scorer = warm(turns)
    return {
        "stream": stream(scorer, turns),
        "threads": threads(scorer, turns),
        "event loop": event_loop(scorer, turns),
        "processes": processes(scorer, turns),
        "budget": budget(scorer, turns),
        "first answer": first_answer(),
    }


def warm(turns: Sequence[Turn]) -> Scorer:
    """A scorer that has seen some turns, as after the first minute of a bot."""
    scorer = Scorer.load(all_types=True)
    for turn in (*turns, *fresh(turns, 0)):
        scorer.score(turn)
    gc.collect()
    gc.freeze()
    return scorer


def stream(scorer: Scorer, turns: Sequence[Turn]) -> Figures:
    """How long `feed` takes that completes a sentence and tells a fault; how far to trust those.

    ``confirmed_share`` are the early faults that the finished answer has too, ``told_share`` the
    faults of the finished answer, those of its last sentence left out, that were told early.
    """
    telling: list[float] = []
    reading: list[float] = []
    early_count = confirmed_count = fault_count = told_count = 0
    for turn in turns:
        running, early = scorer.stream(turn), list[EarlyFault]()
        for start in range(0, len(turn.answer), TOKEN_CHARS):
            begun = time.perf_counter()
            found = running.feed(turn.answer[start : start + TOKEN_CHARS])
            seconds = time.perf_counter() - begun
            if seconds > 0.0005:
                reading.append(seconds)
            if found:
                telling.append(seconds)
            early += found
        faults = dict(faults_of(running.finish()))
        told = {(one.kind, one.start) for one in early}
        last = max((one.start for one in running.finish().statements), default=0)
        early_count += len(told)
        confirmed_count += len(told & faults.keys())
        fault_count += sum(start < last for _, start in faults)
        told_count += sum(start < last and (kind, start) in told for kind, start in faults)
    return {
        **{f"fault_{key}": value for key, value in percentiles(telling).items()},
        **{f"sentence_{key}": value for key, value in percentiles(reading).items()},
        "confirmed_share": round(confirmed_count / early_count, 3),
        "told_share": round(told_count / fault_count, 3),
    }


def faults_of(assessment: Assessment) -> Iterator[tuple[tuple[str, int], str]]:
    """Kind and place of each fault that a stream may tell early, and its words."""
    for one in assessment.statements:
        if one.fault:
            yield (one.relation, one.start), one.text
    for name, kind in (("components_defined", "unknown_name"), ("step_order", "early_step")):
        measurement = assessment.measurements.get(name)
        for evidence in measurement.evidence if measurement else ():
            if evidence.kind == "unsupported":
                yield (kind, evidence.start), evidence.text


def threads(scorer: Scorer, turns: Sequence[Turn]) -> Figures:
    """Turns a second of one thread, and of two together; how long a turn takes among two."""
    found: Figures = {}
    for count in (1, WORKERS):
        work = [turn for number in range(3) for turn in fresh(turns, 10 * count + number)]
        times: list[float] = []
        run = functools.partial(_timed, scorer, times)
        begun = time.perf_counter()
        with ThreadPoolExecutor(count) as pool:
            list(pool.map(run, work))
        found[f"turns_per_s_{count}"] = round(len(work) / (time.perf_counter() - begun), 1)
        found[f"p50_ms_{count}"] = percentiles(times)["p50_ms"]
    return found


def _timed(scorer: Scorer, times: list[float], turn: Turn) -> None:
    begun = time.perf_counter()
    scorer.score(turn)
    times.append(time.perf_counter() - begun)


def event_loop(scorer: Scorer, turns: Sequence[Turn]) -> Figures:
    """Turns a second by `ascore`, eight asked for at a time, and how late a sleep of 1 ms ends."""
    work = [turn for number in range(3) for turn in fresh(turns, 100 + number)]
    late: list[float] = []

    async def look() -> None:
        while True:
            begun = time.perf_counter()
            await asyncio.sleep(0.001)
            late.append(time.perf_counter() - begun - 0.001)

    async def main() -> float:
        looking, waiting = asyncio.create_task(look()), asyncio.Semaphore(8)

        async def one(turn: Turn) -> None:
            async with waiting:
                await scorer.ascore(turn)

        begun = time.perf_counter()
        await asyncio.gather(*map(one, work))
        looking.cancel()
        return len(work) / (time.perf_counter() - begun)

    rate = asyncio.run(main())
    return {"turns_per_s": round(rate, 1), **{f"late_{k}": v for k, v in percentiles(late).items()}}


def processes(scorer: Scorer, turns: Sequence[Turn]) -> Figures:
    """Turns a second over a pool of two processes, the scorer sent along with each turn."""
    context = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(WORKERS, mp_context=context) as pool:
        list(pool.map(scorer.score, [*turns, *fresh(turns, 0)] * WORKERS))
        work = [turn for number in range(3) for turn in fresh(turns, 200 + number)]
        begun = time.perf_counter()
        list(pool.map(scorer.score, work))
        return {"turns_per_s": round(len(work) / (time.perf_counter() - begun), 1)}


def budget(scorer: Scorer, turns: Sequence[Turn]) -> Figures:
    """By how much a budget is overrun, on turns of which no page was read before."""
    found: Figures = {}
    for budget_ms in BUDGETS_MS:
        over: list[float] = []
        cut_off_count = 0
        for turn in fresh(turns, budget_ms):
            pages = [Page(f"{page.text}\n\n{budget_ms}", id=page.id) for page in turn.pages]
            new = replace(turn, contexts=pages)
            begun = time.perf_counter()
            assessment = scorer.score(new, budget_ms=budget_ms)
            over.append(max(0.0, (time.perf_counter() - begun) * 1000 - budget_ms))
            cut_off_count += assessment.status == "cut_off"
        p50, p99 = np.percentile(over, [50, 99])
        found[f"{budget_ms}_ms_over_p50_ms"] = round(float(p50), 3)
        found[f"{budget_ms}_ms_over_p99_ms"] = round(float(p99), 3)
        found[f"{budget_ms}_ms_cut_off_share"] = round(cut_off_count / len(turns), 3)
    return found


_FIRST = """
import json, sys, time
start = time.perf_counter()
import klopt
page = "# Wachtwoord\\n\\n1. Klik op **Profiel**.\\n2. Klik op **Wachtwoord wijzigen**."
answer = "Klik op **Profiel** en daarna op **Wachtwoord wijzigen**."
klopt.Scorer.load().score("Hoe wijzig ik mijn wachtwoord?", answer, page)
json.dump(time.perf_counter() - start, sys.stdout)
"""


def first_answer(runs: int = 5) -> Figures:
    """Seconds from ``import klopt`` to the first assessment, in a process of its own: a median."""
    taken = []
    for _ in range(runs):
        done = subprocess.run(
            [sys.executable, "-c", _FIRST], cwd=ROOT, check=True, capture_output=True, text=True
        )
        taken.append(json.loads(done.stdout))
    return {"cold_s": round(float(np.median(taken)), 3)}


def main() -> None:
    """Prints everything."""
    for name, figures in measure().items():
        print(f"{name:<14} {'  '.join(f'{key} {value}' for key, value in figures.items())}")


if __name__ == "__main__":
    main()
