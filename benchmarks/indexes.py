"""What an index file costs and saves: built, opened, searched, and the first page from it.

The pages are the demo company's, varied: each with words of its own, in an order of its own.
"""

from __future__ import annotations

import multiprocessing
import random
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from klopt import Index, Page, Scorer, lexicons
from klopt.batch.pages import read_pages
from klopt.comparing.words import side_of
from klopt.indexing.building import Recipe, build
from klopt.matching import Language

COUNTS: Final = (250, 10_000)
PAGES: Final = Path(__file__).parent.parent / "data" / "demo" / "pages" / "nl"
ROUNDS: Final = 200
Figures = dict[str, float]


def varied(count: int) -> dict[str, Page]:
    """So many pages of the demo company, no two alike."""
    draw = random.Random(count)
    own = [one for name, one in read_pages(PAGES).items() if name == one.id]
    found = {}
    for number in range(count):
        blocks = own[number % len(own)].text.split("\n\n")
        middle = blocks[1:]
        draw.shuffle(middle)
        words = " ".join(f"begrip{draw.randrange(count)}" for _ in range(5))
        text = "\n\n".join([f"{blocks[0]} {number}", *middle, f"Zie ook: {words}."])
        found[f"pagina-{number}.md"] = Page(text, f"pagina-{number}.md", format="markdown")
    return found


def measure() -> dict[str, Figures]:
    """The figures for each number of pages."""
    return {f"index of {count} pages": _measure(count) for count in COUNTS}


def _measure(count: int) -> Figures:
    pages = varied(count)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "help.klopt"
        cores = multiprocessing.cpu_count()
        figures = {"build_s": _built(path, pages, None, cores)}
        figures["build_again_s"] = _built(path, pages, Index.open(path), 1)
        figures["file_mb"] = round(path.stat().st_size / 2**20, 1)
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            figures |= pool.apply(_opened, (path, list(pages)))
        return figures


def _built(path: Path, pages: dict[str, Page], old: Index | None, processes: int) -> float:
    start = time.perf_counter()
    with path.with_suffix(".part").open("wb") as file:
        build(file, pages, Recipe(language="nl"), old=old, processes=processes)
    path.with_suffix(".part").replace(path)
    return round(time.perf_counter() - start, 2)


def _opened(path: Path, names: list[str]) -> Figures:
    """In a process of its own, so that its memory is that of the index."""
    language = Language(lexicons.load("nl"))
    language.prepare()
    Scorer.load().prepare("nl")
    before = _own_mb()
    seconds, index = _timed(partial(Index.open, path))
    opened_mb = _own_mb() - before
    _, scorer = _timed(partial(Scorer.load, index=index))
    scorer.prepare("nl")
    draw = random.Random(1)
    some = [index[draw.choice(names)] for _ in range(ROUNDS)]
    read = [_timed(partial(index.find, page, "nl"))[0] for page in some]
    anew = [_timed(partial(_read_anew, language, page))[0] for page in some[:50]]
    asked = [" ".join(page.text.split()[8:24]) for page in some]
    first, _ = _timed(partial(index.search, asked[0], language="nl"))
    searched = [_timed(partial(index.search, one, language="nl"))[0] for one in asked]
    return {
        "open_ms": _ms(seconds),
        "own_mb": round(opened_mb, 1),
        "own_mb_searched": round(_own_mb() - before, 1),
        "page_ms": _ms(_median(read)),
        "page_anew_ms": _ms(_median(anew)),
        "search_first_ms": _ms(first),
        "search_p50_ms": _ms(_median(searched)),
        "search_p99_ms": _ms(sorted(searched)[int(0.99 * len(searched))]),
    }


def _read_anew(language: Language, page: Page) -> None:
    index = language.read_page(page)
    index.reading.vote  # noqa: B018 - a cached property
    side_of(index.reading, language.lexicons)


def _own_mb() -> float:
    """Memory that no other process shares."""
    lines = Path("/proc/self/smaps_rollup").read_text("ascii").splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024


def _median(times: list[float]) -> float:
    return sorted(times)[len(times) // 2]


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 3)


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


if __name__ == "__main__":
    for name, figures in measure().items():
        print(f"{name:<24}", "  ".join(f"{key} {value}" for key, value in figures.items()))
