"""What logs of any size cost, what breaks first at many turns a second, and how long they wait.

``python -m benchmarks.at_scale`` measures what a turn takes by each built-in profile, of the
process in front of a service, and to be kept, and how large it is; runs `benchmarks.clusters`; and
reckons the rest. The figures go to benchmarks/at_scale.json and docs/laptop-to-cluster.md.
Milliseconds are those of the processor, so that other work on the machine counts less.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator, Mapping
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Final

from benchmarks import clusters
from benchmarks.queue import Cascade
from benchmarks.timing import DEMO, ROOT, Figures, memory_mb, rows, show
from klopt import Scorer, Turn
from klopt.batch.output import to_json
from klopt.batch.pages import read_pages
from klopt.report.scored import AskedRow, ScoredRow
from klopt.scoring.profile import BUILT_IN
from klopt.watching.store import Bounds, Store
from tests.server.conftest import cpu_s, running
from training.command import store

TURNS: Final = 700
WARM: Final = 140
CORES: Final = 16
"""Of a machine, of which so much is to be at work:"""
LOAD: Final = 0.7
GIGABIT_KB: Final = 125_000
ENCODER_MS: Final = 90.0
"""An answer, of 12 layers of 384 (docs/second-opinions.md)."""
LLM_MS: Final = 1_390.0
LLM_USD: Final = 0.0005
"""An answer, as printed there; and so many calls are under way at one time:"""
LLM_CALLS: Final = 100
KEPT: Final = Bounds().row_count
PLAYED: Final = (
    (100, 0.0, 2, 50, 1), (100, 0.1, 2, 50, 1), (100, 0.1, 4, 200, 1), (100, 0.1, 4, 200, 20),
    (100, 0.3, 4, 200, 1), (100, 0.3, 8, 200, 1), (100, 0.8, 12, 200, 1),
)  # fmt: skip
"""Turns a second, share, processes, deadline and how many come together."""
RATE: Final = 10_000
"""Turns a second."""
PAGE: Final = ROOT / "docs" / "laptop-to-cluster.md"


def measure() -> Figures:
    """What one turn takes, in milliseconds of a core and in kilobytes, and a process in MB."""
    sent = list(islice(rows(), WARM + TURNS))
    figures: Figures = {}
    pages = read_pages(DEMO / "pages")
    for profile in BUILT_IN:
        scorer = Scorer.load(profile, all_types=True)
        made = []
        for number, row in enumerate(sent):
            if number == WARM:
                began = time.process_time()
            made.append(scorer.score(Turn.from_mapping(row, pages=pages)).to_dict())
        figures[f"{profile}_ms"] = (time.process_time() - began) * 1000 / TURNS
        if profile == "default":
            given = made
    figures["review_share"] = sum(one["verdict"] == "review" for one in given) / len(given)
    figures["answer_kb"] = sum(len(to_json(one)) for one in given) / len(given) / 1000
    texts = [sum(len(pages[name].text) for name in row["contexts"]) for row in sent]
    figures["request_kb"] = (len(json.dumps(sent)) + sum(texts)) / len(sent) / 1000
    with tempfile.TemporaryDirectory() as folder:
        figures["keep_ms"] = _keep_ms(Path(folder), given)
        figures |= _front(Path(folder), sent)
    return {name: round(value, 3) for name, value in figures.items()}


def _keep_ms(folder: Path, made: list[dict[str, object]]) -> float:
    """Keeping answers, each by itself, waits for the disk: milliseconds of the clock."""
    store = Store(folder / "kept", Bounds())
    began = time.perf_counter()
    for number, row in enumerate(made):
        asked = AskedRow("Hoe?", "Zo.", date.today())
        store.add([(str(number).encode(), ScoredRow.from_mapping(row), asked)])
    store.close()
    return (time.perf_counter() - began) * 1000 / len(made)


def _front(folder: Path, sent: list[dict[str, object]]) -> Figures:
    """The process in front of those that score, in milliseconds of a core, and one that scores."""
    with running(folder, "--pages", DEMO / "pages", "--all-types") as to, to.client() as client:
        for row in sent[:WARM]:
            client.post("/v1/score", json=row).raise_for_status()
        began = cpu_s(to.process.pid)
        for row in sent[WARM:]:
            client.post("/v1/score", json=row).raise_for_status()
        taken_s = cpu_s(to.process.pid) - began
        children = Path(f"/proc/{to.process.pid}/task/{to.process.pid}/children").read_text("ascii")
        scoring_mb = max(memory_mb(int(pid)) for pid in children.split())
    return {"front_ms": taken_s * 1000 / TURNS, "process_mb": scoring_mb}


def first(figures: Figures, rate: float = RATE) -> Iterator[str]:
    """What holds least first: how many turns a second one of it holds, and how many it takes."""
    asked = figures["review_share"]
    held = {
        f"an LLM for those to review ({asked:.0%}), {LLM_CALLS} calls at a time": (
            LLM_CALLS / asked / LLM_MS * 1000
        ),
        "`klopt watch`, which scores in one process": 1000 / figures["default_ms"],
        f"an encoder for those to review, a machine of {CORES} cores": (
            CORES * LOAD * 1000 / asked / ENCODER_MS
        ),
        "`--keep`, one writer": 1000 / figures["keep_ms"],
        "the process in front of a `klopt serve`": LOAD * 1000 / figures["front_ms"],
        "pages in the request, a line of 1 Gbit/s": GIGABIT_KB / figures["request_kb"],
        "answers, a line of 1 Gbit/s": GIGABIT_KB / figures["answer_kb"],
    }
    for profile in BUILT_IN:
        held[f"`{profile}`, a machine of {CORES} cores"] = (
            CORES * LOAD * 1000 / figures[f"{profile}_ms"]
        )
    yield f"| what | one holds, turns a second | at {rate:,.0f} a second |"
    yield "|---|---:|---:|"
    for what, one in sorted(held.items(), key=lambda each: each[1]):
        yield f"| {what} | {_rounded(one)} | {-(-rate // one):,.0f} |"
    busy = rate * figures["default_ms"] / 1000 / LOAD
    day = 86_400 * rate
    yield "\n| of all of it | |\n|---|---:|"
    yield f"| turns a day | {day:,.0f} |"
    yield f"| answers a day, as JSON | {day * figures['answer_kb'] / 1e6:,.0f} GB |"
    yield f"| asking an LLM about those to review, a day | US$ {day * asked * LLM_USD:,.0f} |"
    yield f"| cores for `default`, at {LOAD:.0%} of their time | {busy:,.0f} |"
    yield f"| memory of its processes | {busy * figures['process_mb'] / 1000:,.1f} GB |"
    yield f"| the {KEPT:,} rows that `klopt watch` keeps | the last {KEPT / rate:,.0f} s |"


def waiting(figures: Figures) -> Iterator[str]:
    """What comes of turns of which some are asked of an encoder, by `benchmarks.queue`."""
    yield "| turns a second | asked | processes | deadline | refused | cut off | wait, 99% |"
    yield "|---:|---:|---:|---:|---:|---:|---:|"
    for rate, share, workers, deadline_ms, burst in PLAYED:
        load = Cascade(
            rate, burst, workers, 4, figures["default_ms"], share, ENCODER_MS, deadline_ms
        )
        came = load.play()
        shares = " | ".join(f"{came[name]:.1%}" for name in ("refused_share", "cut_off_share"))
        at_once = f", {burst} at a time" if burst > 1 else ""
        yield (
            f"| {rate}{at_once} | {share:.0%} | {workers} | {deadline_ms} ms | {shares} "
            f"| {came['wait_p99_ms']:.0f} ms |"
        )


def printed(stored: Mapping[str, Figures]) -> dict[str, str]:
    """The tables of the page, by their names there."""
    own, engines = stored["at scale"], stored["clusters"]
    tables = {"costs": clusters.table(engines), "first": first(own), "waiting": waiting(own)}
    return {name: "\n".join(lines) for name, lines in tables.items()}


def _rounded(value: float) -> str:
    return f"{float(f'{value:.2g}'):,.0f}"


def main() -> None:
    """Measures, stores the figures, and puts the tables into the page."""
    stored = {"clusters": clusters.measure(), "at scale": measure()}
    show(stored)
    store(stored, Path(__file__).with_suffix(".json"))
    page = PAGE.read_text("utf-8")
    for name, text in printed(stored).items():
        before, _, rest = page.partition(f"<!-- {name} -->\n")
        page = f"{before}<!-- {name} -->\n\n{text}\n\n<!-- end{rest.partition('<!-- end')[2]}"
    PAGE.write_text(page, "utf-8")


if __name__ == "__main__":
    main()
