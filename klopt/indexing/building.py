"""Builds an index file: pages are read on all cores, and those that did not change are copied."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np

from klopt.comparing.sides import prepared
from klopt.errors import InputError, UnknownLanguageError
from klopt.indexing.index_file import RECORD, Index, digest_of
from klopt.indexing.parts import PartsWriter
from klopt.indexing.postings import WEIGHTS, Bags, tables_of
from klopt.indexing.record import page_of, record_of
from klopt.reading.language import vote
from klopt.records import Page, Pages
from klopt.scoring.languages import Languages
from klopt.scoring.profile import Profile
from klopt.version import VERSION

__all__ = ["Recipe", "build", "spoken"]

Job = tuple[Page, str]
"""A page and the language that it is read in."""

_CHUNK: Final = 32
"""So many pages are read in one go by a process."""
_VOTE_CHARS: Final = 2_000


@dataclass(frozen=True, slots=True)
class Recipe:
    """What pages are read with.

    Attributes:
        profile: Name or file of the profile that will score with them.
        terms: Company terms, or other lexicon files of the company.
        language: Of pages that do not tell; ``auto`` for that of most pages.
    """

    profile: str | Path = "default"
    terms: tuple[Path, ...] = ()
    language: str = "auto"

    def languages(self) -> Languages:
        """The languages of the profile, with the company's tables."""
        return Languages(Profile.load(self.profile), self.terms)


def spoken(pages: Sequence[Page], language: str) -> tuple[str, list[str]]:
    """The language of most pages, or the stated one, and that of each page.

    Args:
        pages: Each votes; one that decides nothing is in the language of most.
        language: That language, or ``auto``.

    Raises:
        UnknownLanguageError: No page decides anything.

    >>> spoken([Page("Klik op de knop."), Page("Wifi")], "auto")
    ('nl', ['nl', 'nl'])
    """
    heads = [page.text[:_VOTE_CHARS] for page in pages]
    voted = [vote([head]).language for head in heads]
    counts = Counter(sorted(one for one in voted if one is not None))
    if language == "auto" and not counts:
        raise UnknownLanguageError(f"{vote(heads).reason}; state it with --language")
    first = counts.most_common(1)[0][0] if language == "auto" else language
    return first, [one or first for one in voted]


def build(
    file: BinaryIO,
    pages: Pages,
    recipe: Recipe,
    *,
    old: Index | None = None,
    processes: int = 1,
    advance: Callable[[], object] = lambda: None,
) -> int:
    """Writes an index; the same pages give the same bytes, however many processes read them.

    Args:
        file: Where to; it can be written to at any place.
        pages: By name; a page may go by several.
        recipe: What the pages are read with.
        old: An index of which the records of pages that did not change are copied.
        processes: How many read.
        advance: Called for each page that is ready.

    Returns:
        How many pages were read, and not copied.

    Raises:
        UnknownLanguageError: The language of the pages cannot be told, or the profile does not
            have it.
    """
    distinct = list({id(page): page for page in pages.values()}.values())
    languages = recipe.languages()
    first, told = spoken(distinct, recipe.language)
    if first not in languages.profile.languages:
        raise UnknownLanguageError(
            f'the pages are in "{first}", which profile "{languages.profile.name}" does not have; '
            f"it has {', '.join(languages.profile.languages)}, and --language states another"
        )
    read_in = [one if one in languages.profile.languages else first for one in told]
    jobs = {digest_of(*job): job for job in zip(distinct, read_in, strict=True)}
    order = sorted(jobs)
    tables = {code: languages[code].lexicons.digest for code in sorted(set(read_in))}
    fits = old is not None and old.plain_names == languages.profile.plain_names
    copied_in = {
        code for code in tables if old and fits and old.languages.get(code) == tables[code]
    }
    places = {digest: number for number, digest in enumerate(order)}
    rows = [places[digest_of(*job)] for job in zip(distinct, read_in, strict=True)]
    pages_of: dict[int, list[int]] = {}
    for number, place in enumerate(rows):
        pages_of.setdefault(place, []).append(number)
    bags = {code: Bags(code, WEIGHTS) for code in tables}
    writer = PartsWriter(file)
    records = []
    wanted = [jobs[digest] for digest in order]
    copies = [_copy(old, job) if job[1] in copied_in else None for job in wanted]
    with _reading(recipe, languages, processes) as read:
        fresh = read([job for job, copy in zip(wanted, copies, strict=True) if copy is None])
        for place, (digest, copy) in enumerate(zip(order, copies, strict=True)):
            record, code = next(fresh) if copy is None else copy, wanted[place][1]
            records.append((digest, *writer.add(record)))
            bags[code].add(page_of(record, code), pages_of[place])
            advance()
    words, postings = tables_of(bags.values())
    numbers = {id(page): number for number, page in enumerate(distinct)}
    directory = {
        "klopt": VERSION,
        "languages": tables,
        "plain_names": languages.profile.plain_names,
        "regions": {
            "records": writer.add(np.array(records, RECORD).tobytes()),
            "words": writer.add(words),
            "postings": writer.add(postings),
        },
        "pages": [
            [page.id, page.title, page.url, page.format, code, row]
            for page, code, row in zip(distinct, read_in, rows, strict=True)
        ],
        "names": {name: numbers[id(page)] for name, page in pages.items() if name != page.id},
    }
    writer.finish(directory)
    return copies.count(None)


def _copy(old: Index | None, job: Job) -> bytes | None:
    """The record of a page in an old index; None where it has none, or a damaged one."""
    try:
        return None if old is None else old.record_of(*job)
    except InputError:
        return None


@contextmanager
def _reading(
    recipe: Recipe, languages: Languages, processes: int
) -> Iterator[Callable[[Sequence[Job]], Iterator[bytes]]]:
    """A function that reads pages, in order, here or in processes of their own."""
    if processes <= 1:
        yield lambda jobs: (_record(job, languages) for job in jobs)
        return
    with ProcessPoolExecutor(
        processes, get_context("spawn"), initializer=_start, initargs=(recipe,)
    ) as pool:
        yield lambda jobs: pool.map(_read, jobs, chunksize=_CHUNK)


_OWN: Final[list[Languages]] = []
"""In a process that reads: with what."""


def _start(recipe: Recipe) -> None:
    _OWN.append(recipe.languages())


def _read(job: Job) -> bytes:
    return _record(job, _OWN[0])


def _record(job: Job, languages: Languages) -> bytes:
    page, code = job
    language = languages[code]
    return record_of(prepared(language.read_page(page), language.lexicons))
