"""How long scoring takes, beside other metrics on the same texts, and how much memory."""

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

from benchmarks.timing import ROOT, Figures, fresh, percentiles, timed
from klopt import Page, Scorer, Turn, lexicons
from klopt.matching import Language
from training.rated_turns import CENTRES, demo_turns

ROUNDS: Final = 3
PAGE_WORDS: Final = 300
FEWEST_PAGE_WORDS: Final = 50
ONE_THREAD: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
Groups = Sequence[Sequence[Turn]]


def measure(data: Path | None) -> dict[str, Figures]:
    """All figures, by name: of the demo company, and of the real help centres by language."""
    groups: dict[str, Groups] = {"demo": [demo_turns()]}
    if data is not None:
        for language in ("nl", "en"):
            own = [centre.load(data) for centre in CENTRES if centre.language == language]
            groups[f"centres {language}"] = own
    found: dict[str, Figures] = {"process": process()}
    for name, centres in groups.items():
        found[f"{name}, default"] = whole_turns(centres, "default", ROUNDS)
        for other, figures in beside(centres).items():
            found[f"{name}, {other}"] = figures
        found[f"{name}, afas"] = whole_turns(centres, "afas", 1)
        found[f"{name}, page"] = page_reading(centres)
    dutch = groups.get("centres nl", groups["demo"])
    return found | {"throughput": {"turns_per_s": throughput(dutch)}}


def whole_turns(centres: Groups, profile: str, rounds: int) -> Figures:
    """Time to score one turn whose pages are known, each a new one; one scorer a centre."""
    times: list[float] = []
    for turns in centres:
        scorer = Scorer.load(profile, all_types=True)
        list(scorer.score_many(turns))
        for number in range(rounds):
            times += [timed(partial(scorer.score, turn))[0] for turn in fresh(turns, number)]
    return percentiles(times)


def beside(centres: Groups) -> dict[str, Figures]:
    """Time of ROUGE (rouge-score) and BLEU (sacrebleu) of the answer against its pages."""
    from rouge_score.rouge_scorer import RougeScorer
    from sacrebleu import sentence_bleu

    rouge = RougeScorer(["rouge1", "rouge2", "rougeL"])
    times: dict[str, list[float]] = {"rouge-score": [], "sacrebleu": []}
    for turn in (turn for turns in centres for turn in turns):
        text = "\n".join(page.text for page in turn.pages)
        times["rouge-score"].append(timed(partial(rouge.score, text, turn.answer))[0])
        times["sacrebleu"].append(timed(partial(sentence_bleu, turn.answer, [text]))[0])
    return {name: percentiles(some) for name, some in times.items()}


def page_reading(centres: Groups) -> Figures:
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
                times.append(timed(partial(language.page, page))[0] * PAGE_WORDS / words)
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
    found: list[Figures] = [
        json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
        for _ in range(runs)
    ]
    return {key: round(float(np.median([one[key] for one in found])), 3) for key in found[0]}
