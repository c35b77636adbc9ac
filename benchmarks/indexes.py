"""Cost of building, opening and searching an index file, and of reading a page from it.

The pages are variants of the demo company's, with new words and another order of paragraphs.
"""

import multiprocessing
import random
import tempfile
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.timing import DEMO, Figures, memory_mb, percentiles, show, timed
from klopt import Index, Page, Scorer, lexicons
from klopt.logs.pages import read_pages
from klopt.retrieval.building import build
from klopt.scoring.profile import Profile
from klopt.scoring.setup import Setup
from klopt.verification import Language
from klopt.verification.words import side_of

COUNTS: Final = (250, 10_000)
ROUNDS: Final = 200


def varied(count: int) -> dict[str, Page]:
    """Return some number of different variants of the demo company's pages."""
    draw = random.Random(count)
    pages = read_pages(DEMO / "pages" / "nl")
    own = [page for name, page in pages.items() if name == page.id]
    made = {}
    for number in range(count):
        first, *middle = own[number % len(own)].text.split("\n\n")
        draw.shuffle(middle)
        words = " ".join(f"begrip{draw.randrange(count)}" for _ in range(5))
        text = "\n\n".join([f"{first} {number}", *middle, f"Zie ook: {words}."])
        made[f"pagina-{number}.md"] = Page(text, f"pagina-{number}.md", format="markdown")
    return made


def measure() -> dict[str, Figures]:
    """Return the figures for each number of pages."""
    return {f"index of {count} pages": _measure(count) for count in COUNTS}


def _measure(count: int) -> Figures:
    pages = varied(count)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "help.klopt"
        setup, cores = Setup(Profile.load()), multiprocessing.cpu_count()
        with path.open("wb") as file:
            seconds, _ = timed(partial(build, file, pages, setup, language="nl", processes=cores))
        file_mb = round(path.stat().st_size / 2**20, 1)
        figures = {"build_s": round(seconds, 2), "file_mb": file_mb}
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            return figures | pool.apply(_opened, (path, list(pages)))


def _opened(path: Path, names: list[str]) -> Figures:
    """Measure an index in a new process, so that its memory is that of the index."""
    language = Language(lexicons.load("nl"))
    language.prepare()
    Scorer.load().prepare("nl")
    before = memory_mb(field="Private_")
    seconds, index = timed(partial(Index.open, path))
    Scorer.load(index=index).prepare("nl")
    draw = random.Random(1)
    some = [index[draw.choice(names)] for _ in range(ROUNDS)]
    read = [timed(partial(index.find, page, "nl"))[0] for page in some]
    anew = [timed(partial(_read_anew, language, page))[0] for page in some[:50]]
    questions = [" ".join(page.text.split()[8:24]) for page in some]
    index.search(questions[0], language="nl")
    searched = percentiles([timed(partial(index.search, q, language="nl"))[0] for q in questions])
    return {
        "open_ms": round(seconds * 1000, 3),
        "own_mb_searched": round(memory_mb(field="Private_") - before, 1),
        "page_ms": round(median(read) * 1000, 3),
        "page_anew_ms": round(median(anew) * 1000, 3),
        "search_p50_ms": searched["p50_ms"],
        "search_p99_ms": searched["p99_ms"],
    }


def _read_anew(language: Language, page: Page) -> None:
    index = language.read_page(page)
    index.reading.vote  # noqa: B018 - a cached property
    side_of(index.reading, language.lexicons)


if __name__ == "__main__":
    show(measure())
