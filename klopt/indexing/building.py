"""Builds an index file: pages are read on all cores, and those that did not change are copied."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import BinaryIO, Final

import numpy as np

from klopt.comparing.words import prepared
from klopt.errors import InputError, UnknownLanguageError
from klopt.indexing.index_file import RECORD, Index, digest_of
from klopt.indexing.parts import PartsWriter
from klopt.indexing.postings import WEIGHTS, Bags, tables_of
from klopt.indexing.record import BadRecordError, page_of, record_of
from klopt.processes import start_pool
from klopt.reading.reader import vote
from klopt.records import Page, Pages
from klopt.scoring.setup import Languages, Setup
from klopt.version import VERSION

Job = tuple[Page, str]
"""A page and the language that it is read in."""

_CHUNK: Final = 32
"""So many pages are read in one go by a process."""
_VOTE_CHARS: Final = 2_000


def spoken(pages: Sequence[Page], language: str) -> tuple[str, list[str]]:
    """The language of most pages, or the stated one, and that of each page.

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
    setup: Setup,
    *,
    language: str = "auto",
    old: Index | None = None,
    processes: int = 1,
    advance: Callable[[], object] = lambda: None,
) -> int:
    """Writes an index for a scorer, and says how many pages were copied and not read anew.

    A page that tells no language is in the stated one; ``auto`` is that of most pages. The same
    pages give the same bytes, however many processes read them.
    """
    distinct = list({id(page): page for page in pages.values()}.values())
    languages = _languages(setup)
    first, told = spoken(distinct, language)
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
    with _reading(setup, languages, processes) as read:
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
    setup: Setup, languages: Languages, processes: int
) -> Iterator[Callable[[Sequence[Job]], Iterator[bytes]]]:
    """A function that reads pages, in order, here or in processes of their own."""
    if processes <= 1:
        yield lambda jobs: (_record(job, languages) for job in jobs)
        return
    with start_pool(processes, _start, setup) as pool:
        try:
            yield lambda jobs: pool.map(_read, jobs, chunksize=_CHUNK)
        finally:
            pool.shutdown(cancel_futures=True)


_OWN: Final[list[Languages]] = []
"""In a process that reads: with what."""


def _start(setup: Setup) -> None:
    _OWN.append(_languages(setup))


def _languages(setup: Setup) -> Languages:
    return Languages(setup.profile, setup.terms)


def _read(job: Job) -> bytes:
    return _record(job, _OWN[0])


def _record(job: Job, languages: Languages) -> bytes:
    page, code = job
    language = languages[code]
    return record_of(prepared(language.read_page(page), language.lexicons))
