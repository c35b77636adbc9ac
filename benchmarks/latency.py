"""How long scoring takes, beside other metrics on the same texts, and how much memory."""

from __future__ import annotations

import json
import multiprocessing
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measured import workers
from klopt import Page, Scorer, Turn, lexicons
from klopt.matching import Language
from training.rated_turns import CENTRES, Centre, demo_turns

Figures = dict[str, float]
ROUNDS = 3
PAGE_WORDS = 300
FEWEST_PAGE_WORDS = 50


def calibration() -> float:
    """Seconds for ten million additions in plain Python: how fast this machine is today.

    About 0.4 on a current server core; figures of two machines compare in proportion to it.
    """

    def add() -> None:
        total = 0
        for number in range(10_000_000):
            total += number

    return round(min(_timed(add) for _ in range(3)), 3)


def percentiles(times: Sequence[float]) -> Figures:
    """p50, p95 and p99 in milliseconds, and how many times were taken."""
    p50, p95, p99 = np.percentile(np.array(times) * 1000, [50, 95, 99])
    return {
        "p50_ms": round(float(p50), 3),
        "p95_ms": round(float(p95), 3),
        "p99_ms": round(float(p99), 3),
        "n": len(times),
    }


def groups(data: Path | None) -> dict[str, list[list[Turn]]]:
    """What is timed: the demo company's turns, and those of the real centres by language."""
    found = {"demo": [demo_turns()]}
    for language in ("nl", "en") if data is not None else ():
        centres = [one for one in CENTRES if one.language == language]
        found[f"centres {language}"] = [one.load(data or Path()) for one in centres]
    return found


def fresh(turns: Sequence[Turn], number: int) -> Iterator[Turn]:
    """The turns as new ones: nothing but the pages has been seen, no type or language is given."""
    for turn in turns:
        yield Turn(f"{turn.question} {number}", f"{turn.answer} {number}", turn.pages, turn.id)


def whole_turns(centres: Sequence[Sequence[Turn]], profile: str, rounds: int) -> Figures:
    """Time to score one turn whose pages are known, each a new one; one scorer a centre."""
    times: list[float] = []
    for turns in centres:
        scorer = Scorer.load(profile, all_types=True)
        for turn in turns:
            scorer.score(turn)
        for number in range(rounds):
            new = fresh(turns, number)
            times += [_timed(partial(scorer.score, turn)) for turn in new]
    return percentiles(times)


def beside(centres: Sequence[Sequence[Turn]]) -> dict[str, Figures]:
    """Time of ROUGE (rouge-score) and BLEU (sacrebleu) of the answer against its pages."""
    from rouge_score.rouge_scorer import RougeScorer
    from sacrebleu import sentence_bleu

    rouge = RougeScorer(["rouge1", "rouge2", "rougeL"])
    times: dict[str, list[float]] = {"rouge-score": [], "sacrebleu": []}
    for turn in (turn for turns in centres for turn in turns):
        texts = [page.text for page in turn.pages] or [""]
        whole = "\n".join(texts)
        times["rouge-score"].append(_timed(partial(rouge.score, whole, turn.answer)))
        times["sacrebleu"].append(_timed(partial(sentence_bleu, turn.answer, texts)))
    return {name: percentiles(taken) for name, taken in times.items()}


def page_reading(centres: Sequence[Sequence[Turn]]) -> Figures:
    """Time to read a page for the first time, brought to 300 words."""
    times: list[float] = []
    for turns in centres:
        pages: dict[str, Page] = {page.text: page for turn in turns for page in turn.pages}
        language = Language(lexicons.load(turns[0].language))
        for page in list(pages.values())[:2]:
            language.page(Page(page.text + "\n"))
        for page in pages.values():
            words = len(page.text.split())
            if words >= FEWEST_PAGE_WORDS:
                seconds = _timed(partial(language.page, page))
                times.append(seconds * PAGE_WORDS / words)
    return percentiles(times)


def throughput(data: Path | None, processes: int = 2) -> float:
    """Turns a second on two processes together, the pages known."""
    with workers() as pool:
        barrier_free = [pool.submit(_rate, data) for _ in range(processes)]
        return round(sum(one.result() for one in barrier_free), 1)


def _rate(data: Path | None) -> float:
    centres: list[Centre] = [one for one in CENTRES if one.language == "nl"]
    sets = [one.load(data) for one in centres] if data is not None else [demo_turns()]
    scorers = [Scorer.load(all_types=True) for _ in sets]
    for scorer, turns in zip(scorers, sets, strict=True):
        list(scorer.score_many(turns))
    new = [list(fresh(turns, 1)) for turns in sets]
    start = time.perf_counter()
    for scorer, turns in zip(scorers, new, strict=True):
        list(scorer.score_many(turns))
    return sum(map(len, new)) / (time.perf_counter() - start)


def growth(turns: int = 10_000) -> Figures:
    """Resident memory after a fifth of many turns with new words, and after all of them."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        return pool.apply(_growth, (turns,))


def _growth(turns: int) -> Figures:
    scorer, log = Scorer.load(all_types=True), demo_turns()
    found: Figures = {"turns": turns}
    for number in range(turns):
        turn = log[number % len(log)]
        new = f"woord{number}a woord{number}b {number}"
        scorer.score(Turn(f"{turn.question} {new}", f"{turn.answer} {new}.", turn.pages))
        if number + 1 in (turns // 5, turns):
            found["all_mb" if number + 1 == turns else "fifth_mb"] = round(_resident_mb(), 1)
    return found


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * 4096 / 2**20


def _timed(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


_PROCESS = """
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
scored = peak_mb()
json.dump(
    {"import_s": imported, "ready_s": ready, "ready_mb": memory, "demo_scored_mb": scored,
     "spacy": float("spacy" in sys.modules)}, sys.stdout)
"""


def process(root: Path, runs: int = 5) -> Figures:
    """Import, ready to score and peak memory of a process of its own: medians of some runs."""
    found: list[Figures] = []
    for _ in range(runs):
        done = subprocess.run(
            [sys.executable, "-c", _PROCESS], cwd=root, check=True, capture_output=True, text=True
        )
        found.append(json.loads(done.stdout))
    return {key: round(float(np.median([one[key] for one in found])), 3) for key in found[0]}
