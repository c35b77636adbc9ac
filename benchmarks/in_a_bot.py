"""``python -m benchmarks.in_a_bot``: cost of scoring inside a bot; part of `make bench`."""

import functools
import gc
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from typing import Final

from benchmarks.timing import Figures, fresh, percentiles, show, timed
from klopt import Assessment, Page, Scorer, Turn
from klopt.scoring.streaming import EarlyFault
from training.rated_turns import demo_turns

TOKEN_CHARS: Final = 4
BUDGETS_MS: Final = (5, 10, 20, 30, 50)
WORKERS: Final = 2


def measure() -> dict[str, Figures]:
    """Return all figures, by name, on the demo company's turns and with warm caches."""
    turns = demo_turns()
    scorer = Scorer.load(all_types=True)
    for turn in (*turns, *fresh(turns, 0)):
        scorer.score(turn)
    gc.collect()
    gc.freeze()
    return {
        "stream": stream(scorer, turns),
        "threads": pooled(scorer, turns, ThreadPoolExecutor),
        "processes": pooled(scorer, turns, _processes),
        "budget": budget(scorer, turns),
    }


def stream(scorer: Scorer, turns: Sequence[Turn]) -> Figures:
    """Return the time of a `feed` that reports a fault, and the accuracy of early faults.

    ``confirmed_share`` is the share of early faults that the finished answer has too,
    ``told_share`` the share of the finished answer's faults, without its last sentence, that were
    reported early.
    """
    times: list[float] = []
    early_count = confirmed_count = fault_count = told_count = 0
    for turn in turns:
        running, early = scorer.stream(turn), list[EarlyFault]()
        for start in range(0, len(turn.answer), TOKEN_CHARS):
            piece = turn.answer[start : start + TOKEN_CHARS]
            seconds, new = timed(functools.partial(running.feed, piece))
            if new:
                times.append(seconds)
            early += new
        whole = running.finish()
        faults = set(faults_of(whole))
        told = {(one.kind, one.start) for one in early}
        last = max((claim.start for claim in whole.claims), default=0)
        early_count += len(told)
        confirmed_count += len(told & faults)
        fault_count += sum(start < last for _, start in faults)
        told_count += sum(start < last and (kind, start) in told for kind, start in faults)
    return {
        **{f"fault_{key}": value for key, value in percentiles(times).items()},
        "confirmed_share": round(confirmed_count / early_count, 3),
        "told_share": round(told_count / fault_count, 3),
    }


def faults_of(assessment: Assessment) -> Iterator[tuple[str, int]]:
    """Yield kind and offset of each fault that a stream may report early."""
    for claim in assessment.claims:
        if claim.fault:
            yield claim.relation, claim.start
    for name, kind in (("components_defined", "unknown_name"), ("step_order", "early_step")):
        measurement = assessment.measurements.get(name)
        for evidence in measurement.evidence if measurement else ():
            if evidence.kind == "unsupported":
                yield kind, evidence.start


def pooled(scorer: Scorer, turns: Sequence[Turn], pool_of: Callable[[int], Executor]) -> Figures:
    """Return turns per second and the median time per turn of one and of two workers."""
    figures: Figures = {}
    score = functools.partial(_seconds, scorer)
    for count in (1, WORKERS):
        with pool_of(count) as pool:
            list(pool.map(score, [*turns, *fresh(turns, 0)] * count))
            work = [turn for number in range(3) for turn in fresh(turns, 10 * count + number)]
            seconds, times = timed(lambda: list(pool.map(score, work)))  # noqa: B023
        figures[f"turns_per_s_{count}"] = round(len(work) / seconds, 1)
        figures[f"p50_ms_{count}"] = percentiles(times)["p50_ms"]
    return figures


def _processes(count: int) -> Executor:
    return ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("forkserver"))


def _seconds(scorer: Scorer, turn: Turn) -> float:
    return timed(functools.partial(scorer.score, turn))[0]


def budget(scorer: Scorer, turns: Sequence[Turn]) -> Figures:
    """Return by how much a budget is exceeded, on turns with unread pages."""
    overruns: Figures = {}
    for budget_ms in BUDGETS_MS:
        over: list[float] = []
        cut_off_count = 0
        for turn in fresh(turns, budget_ms):
            pages = [Page(f"{page.text}\n\n{budget_ms}", id=page.id) for page in turn.pages]
            new = replace(turn, contexts=pages)
            seconds, assessment = timed(functools.partial(scorer.score, new, budget_ms=budget_ms))
            over.append(max(0.0, seconds - budget_ms / 1000))
            cut_off_count += assessment.status == "cut_off"
        figures = percentiles(over)
        overruns |= {f"{budget_ms}_ms_over_{name}": figures[name] for name in ("p50_ms", "p99_ms")}
        overruns[f"{budget_ms}_ms_cut_off_share"] = round(cut_off_count / len(turns), 3)
    return overruns


if __name__ == "__main__":
    show(measure())
