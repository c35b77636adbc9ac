"""``python -m benchmarks.retrieval``: how often the index finds the right page for a question.

As in the HR paper (section 3.3.1, appendix A.3): the right page, or a nearly identical one, is the
first that is found, among the first three, or among the first five. The note to a turn's rating
names its right pages; if there are several, any of them counts.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final

from klopt import Page, lexicons
from klopt.evaluation.estimate import share
from klopt.logs.checks import Retrieval, rank
from klopt.logs.pages import read_pages
from klopt.retrieval.building import build
from klopt.retrieval.index_file import Index
from klopt.retrieval.search import WEIGHTS, Bags, Searcher, Weights, best, tables_of
from klopt.retrieval.vectors import Embedder
from klopt.scoring.profile import Profile
from klopt.scoring.setup import Setup
from klopt.verification import Language
from training.command import given, show
from training.rated_turns import CENTRES, Centre, rows_of

TOP: Final = (1, 3, 5)
VARIANTS: Final = {
    "as shipped": WEIGHTS,
    "compounds whole": replace(WEIGHTS, parts=0.0),
    "headings as text": replace(WEIGHTS, title=0.0, headings=0.0),
    "without file names": replace(WEIGHTS, name=0.0),
}
NAME: Final = re.compile(r"[\w-]+(?:\.[\w-]+)*")
MIN_NAME_CHARS: Final = 9
"""A shorter name without a hyphen in a note may be an ordinary word."""


@dataclass(frozen=True, eq=False)
class Questions:
    """The pages of a help centre, and the questions whose right pages are known."""

    centre: Centre
    pages: Sequence[Page]
    with_pages: Sequence[tuple[str, tuple[Page, ...]]]

    @classmethod
    def of(cls, centre: Centre, data: Path) -> Questions:
        """Read the pages and questions of a help centre."""
        pages = read_pages(data / "help" / centre.pages)
        found = []
        for row in rows_of(data / centre.turns):
            names = dict.fromkeys(name.removesuffix(".md") for name in NAME.findall(row["note"]))
            sure = (name for name in names if "-" in name or len(name) >= MIN_NAME_CHARS)
            if right := tuple(pages[name] for name in sure if name in pages):
                found.append((row["question"], right))
        return cls(centre, list({page.id: page for page in pages.values()}.values()), found)


@cache
def _language(code: str) -> Language:
    return Language(lexicons.load(code), page_cache=2_000)


def retrieved(questions: Questions, weights: Weights) -> list[Retrieval]:
    """Return the first five pages for each question."""
    language = _language(questions.centre.language)
    bags = Bags(language, weights)
    for number, page in enumerate(questions.pages):
        bags.add(language.page(page), page, number)
    searcher = Searcher(*tables_of([bags]), len(questions.pages), weights)
    return [
        Retrieval(
            tuple(
                questions.pages[at] for at, _ in best(searcher.scores(question, language), max(TOP))
            ),
            right,
        )
        for question, right in questions.with_pages
    ]


def found_in_index(questions: Questions, embedder: Embedder) -> list[Retrieval]:
    """Return the first five pages for each question from an index file; print the costs."""
    centre, pages = questions.centre, {page.id or "": page for page in questions.pages}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "pages.klopt"
        with path.open("wb") as file:
            start = process_time()
            build(file, pages, Setup(Profile.load("default")), embedder=embedder)
            build_ms = (process_time() - start) * 1000 / len(pages)
        index = Index.open(path, embedder)
        index.search(questions.with_pages[0][0], max(TOP), language=centre.language)
        start = process_time()
        found = [
            Retrieval(tuple(hit.page for hit in index.search(question, max(TOP))), right)
            for question, right in questions.with_pages
        ]
        search_ms = (process_time() - start) * 1000 / len(found)
        kilobytes = path.stat().st_size / len(pages) / 1000
    costs = f"{build_ms:.0f} ms and {kilobytes:.1f} kB a page, {search_ms:.1f} ms a question"
    print(f"{centre.name}: {costs}")
    return found


def row_of(name: str, found: Iterable[Retrieval]) -> list[str]:
    """Return a row of the table."""
    ranks = [rank(one) or sys.maxsize for one in found if one.gold]
    shares = [share(sum(place <= k for place in ranks), len(ranks)) for k in TOP]
    cells = (f"{one.value:.3f} [{one.low:.2f}, {one.high:.2f}]" for one in shares)
    return [name, str(len(ranks)), *cells]


def main() -> None:
    """Print the table."""
    options = given(__doc__, embedder={"type": Path, "help": "folder of an embedding model"})
    sets = [Questions.of(centre, options.data) for centre in CENTRES]
    found = {name: [retrieved(one, weights) for one in sets] for name, weights in VARIANTS.items()}
    if options.embedder is not None:
        embedder = Embedder(options.embedder)
        found["with vectors"] = [found_in_index(one, embedder) for one in sets]
    rows = []
    for name, by_set in found.items():
        for questions, own in zip(sets, by_set, strict=True):
            rows.append(row_of(f"{questions.centre.name}, {name}", own))
        rows.append(row_of(f"all, {name}", chain(*by_set)))
    show("Right page found", ["", "n", *(f"top-{k}" for k in TOP)], rows)


if __name__ == "__main__":
    main()
