"""Builds an index file: pages are read on all cores, and those that did not change are copied."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np

from klopt.comparing.words import prepared
from klopt.errors import InputError, UnknownLanguageError
from klopt.indexing.index_file import RECORD, Index, digest_of
from klopt.indexing.parts import PartsWriter
from klopt.indexing.postings import WEIGHTS, Bags, tables_of
from klopt.indexing.record import BadRecordError, page_of, record_of
from klopt.processes import start_pool
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
        How many pages were copied, and not read.

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
    jobs = list(zip(distinct, read_in, strict=True))
    pages_of: dict[bytes, list[int]] = {}
    for number, job in enumerate(jobs):
        pages_of.setdefault(digest_of(*job), []).append(number)
    order = sorted(pages_of)
    wanted = [jobs[pages_of[digest][0]] for digest in order]
    tables = {code: languages[code].lexicons.digest for code in sorted(set(read_in))}
    copies = _copies(old, wanted, tables, plain_names=languages.profile.plain_names)
    bags = {code: Bags(code, WEIGHTS) for code in tables}
    writer = PartsWriter(file)
    records = []
    rows: dict[int, int] = {}
    with _reading(recipe, languages, processes) as read:
        fresh = read([job for job, copy in zip(wanted, copies, strict=True) if copy is None])
        for row, (digest, copy) in enumerate(zip(order, copies, strict=True)):
            record, code = next(fresh) if copy is None else copy, wanted[row][1]
            try:
                page = page_of(record, code)
            except BadRecordError:  # an old file may say anything, with the right checksums
                copies[row] = None
                record = _record(wanted[row], languages)
                page = page_of(record, code)
            records.append((digest, *writer.add(record)))
            bags[code].add(page, pages_of[digest])
            rows |= dict.fromkeys(pages_of[digest], row)
            advance()
    words, postings = tables_of(bags.values())
    numbers = {id(page): number for number, page in enumerate(distinct)}
    directory = {
        "klopt": VERSION,
        "languages": tables,
        "profile": languages.profile.name,
        "plain_names": languages.profile.plain_names,
        "regions": {
            "records": writer.add(np.array(records, RECORD).tobytes()),
            "words": writer.add(words),
            "postings": writer.add(postings),
        },
        "pages": [
            [page.id, page.title, page.url, page.format, code, rows[number]]
            for number, (page, code) in enumerate(jobs)
        ],
        "names": {name: numbers[id(page)] for name, page in pages.items() if name != page.id},
    }
    writer.finish(directory)
    return len(copies) - copies.count(None)


def _copies(
    old: Index | None, jobs: Sequence[Job], tables: Mapping[str, str], *, plain_names: bool
) -> list[bytes | None]:
    """For each page its record in an old index; None where that has none that fits and is whole."""
    if old is None or old.plain_names != plain_names:
        return [None] * len(jobs)
    found: list[bytes | None] = []
    for page, code in jobs:
        fits = old.languages.get(code) == tables[code]
        try:
            found.append(old.record_of(page, code) if fits else None)
        except InputError:
            found.append(None)
    return found


@contextmanager
def _reading(
    recipe: Recipe, languages: Languages, processes: int
) -> Iterator[Callable[[Sequence[Job]], Iterator[bytes]]]:
    """A function that reads pages, in order, here or in processes of their own."""
    if processes <= 1:
        yield lambda jobs: (_record(job, languages) for job in jobs)
        return
    with start_pool(processes, _start, recipe) as pool:
        try:
            yield lambda jobs: pool.map(_read, jobs, chunksize=_CHUNK)
        finally:
            pool.shutdown(cancel_futures=True)


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
