"""``python -m benchmarks.retrieval``: how often the index finds the right page for a question.

As the HR paper counts (its section 3.3.1, appendix A.3): the right page, or one that is nearly the
same, is the first that is found, among the first three, or among the first five. The right pages
of a turn are those that the note to its rating names; where there are several, any will do.
"""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final

from klopt import Page, lexicons
from klopt.evaluation.estimate import share
from klopt.evaluation.retrieval import Retrieval, rank
from klopt.logs.pages import read_pages
from klopt.retrieval.building import build
from klopt.retrieval.index_file import Index
from klopt.retrieval.postings import WEIGHTS, Bags, Weights, tables_of
from klopt.retrieval.search import Searcher, best
from klopt.retrieval.vectors import Embedder
from klopt.scoring.profile import Profile
from klopt.scoring.setup import Setup
from klopt.verification import Language
from training.command import given
from training.rated_turns import CENTRES, Centre, rows_of

TOP: Final = (1, 3, 5)
WAYS: Final = {
    "as shipped": WEIGHTS,
    "compounds whole": replace(WEIGHTS, parts=0.0),
    "headings as text": replace(WEIGHTS, title=0.0, headings=0.0),
    "without file names": replace(WEIGHTS, name=0.0),
}
NAMED: Final = re.compile(r"[\w-]+(?:\.[\w-]+)*")
SURE_CHARS: Final = 9
"""A shorter word without a hyphen in a note may be a word, and no page's name."""


@dataclass(frozen=True, eq=False)
class Questions:
    """The pages of a help centre, and each question of which the right pages are known."""

    centre: Centre
    pages: Sequence[Page]
    asked: Sequence[tuple[str, tuple[Page, ...]]]

    @classmethod
    def of(cls, centre: Centre, data: Path) -> Questions:
        """Those over a centre."""
        pages = read_pages(data / "help" / centre.pages)
        asked = []
        for row in rows_of(data / centre.turns):
            names = dict.fromkeys(name.removesuffix(".md") for name in NAMED.findall(row["note"]))
            sure = (name for name in names if "-" in name or len(name) >= SURE_CHARS)
            if gold := tuple(pages[name] for name in sure if name in pages):
                asked.append((row["question"], gold))
        return cls(centre, list({page.id: page for page in pages.values()}.values()), asked)


@cache
def _language(code: str) -> Language:
    return Language(lexicons.load(code), page_cache=2_000)


def retrieved(of: Questions, weights: Weights) -> list[Retrieval]:
    """The first five pages for each question."""
    language = _language(of.centre.language)
    bags = Bags(language, weights)
    for number, page in enumerate(of.pages):
        bags.add(language.page(page), page, number)
    searcher = Searcher(*tables_of([bags]), len(of.pages), weights)
    return [
        Retrieval(
            tuple(of.pages[at] for at, _ in best(searcher.scores(question, language), max(TOP))),
            gold,
        )
        for question, gold in of.asked
    ]


def found_in_index(of: Questions, embedder: Embedder | None) -> list[Retrieval]:
    """The first five pages for each question, from an index file; says what that took."""
    pages = {page.id or "": page for page in of.pages}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "pages.klopt"
        with path.open("wb") as file:
            start = process_time()
            build(file, pages, Setup(Profile.load("default")), embedder=embedder)
            build_ms = (process_time() - start) * 1000 / len(pages)
        index = Index.open(path, embedder)
        index.search(of.asked[0][0], max(TOP), language=of.centre.language)
        start = process_time()
        retrieved = [
            Retrieval(tuple(hit.page for hit in index.search(question, max(TOP))), gold)
            for question, gold in of.asked
        ]
        search_ms = (process_time() - start) * 1000 / len(of.asked)
        kilobytes = path.stat().st_size / len(pages) / 1000
    print(
        f"{of.centre.name}: {build_ms:.0f} ms and {kilobytes:.1f} kB a page, "
        f"{search_ms:.1f} ms a question, {'with' if embedder else 'without'} vectors"
    )
    return retrieved


def tell(name: str, rows: Sequence[Retrieval]) -> None:
    """Prints one row of the table."""
    ranks = [rank(row) or sys.maxsize for row in rows if row.gold]
    shares = [share(sum(place <= k for place in ranks), len(ranks)) for k in TOP]
    cells = (f"{one.value:.3f} [{one.low:.2f}, {one.high:.2f}]" for one in shares)
    print(f"{name:<34} {len(ranks):>4}  {'  '.join(cells)}")


def main() -> None:
    """Prints the table."""
    options = given(__doc__, embedder={"type": Path, "help": "folder of an embedding model"})
    sets = [Questions.of(centre, options.data) for centre in CENTRES]
    print(f"{'':<34} {'n':>4}  " + "  ".join(f"{f'top-{k}':<19}" for k in TOP))
    for name, weights in WAYS.items():
        rows = [retrieved(questions, weights) for questions in sets]
        for questions, own in zip(sets, rows, strict=True) if weights is WEIGHTS else ():
            tell(f"{questions.centre.name}, {len(questions.pages)} pages", own)
        tell(f"all, {name}", list(itertools.chain(*rows)))
    if options.embedder is None:
        return
    embedder = Embedder(options.embedder)
    with_vectors = [found_in_index(questions, embedder) for questions in sets]
    for questions, own in zip(sets, with_vectors, strict=True):
        tell(f"{questions.centre.name}, with vectors", own)
    tell("all, with vectors", list(itertools.chain(*with_vectors)))
    # The English pages have the names of the Dutch ones.
    english = Questions.of(replace(CENTRES[0], pages="en"), options.data)
    for name, model in (("words alone", None), ("with vectors", embedder)):
        tell(f"Dutch over English, {name}", found_in_index(english, model))


if __name__ == "__main__":
    main()
