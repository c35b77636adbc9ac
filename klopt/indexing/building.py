"""Builds an index file: pages are read on all cores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from typing import BinaryIO, Final

import numpy as np

from klopt.comparing.words import prepared
from klopt.errors import UnknownLanguageError
from klopt.indexing.index_file import RECORD, digest_of
from klopt.indexing.parts import PartsWriter
from klopt.indexing.record import page_of, record_of
from klopt.indexing.search import WEIGHTS, Bags, tables_of
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
    processes: int = 1,
    advance: Callable[[], object] = lambda: None,
) -> None:
    """Writes an index for a scorer.

    A page that tells no language is in the stated one; ``auto`` is that of most pages. The same
    pages give the same bytes, however many processes read them.
    """
    distinct = list({id(page): page for page in pages.values()}.values())
    languages = Languages(setup.profile, setup.terms)
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
    bags = {code: Bags(code, WEIGHTS) for code in tables}
    writer = PartsWriter(file)
    records = []
    rows: dict[int, int] = {}
    with closing(_read(wanted, setup, languages, processes)) as found:
        read = zip(order, wanted, found, strict=True)
        for row, (digest, (_, code), record) in enumerate(read):
            records.append((digest, *writer.add(record)))
            bags[code].add(page_of(record, code), pages_of[digest])
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


def _read(
    jobs: Sequence[Job], setup: Setup, languages: Languages, processes: int
) -> Generator[bytes]:
    """The records of pages, in order, read here or in processes of their own."""
    if processes <= 1:
        yield from (_record(job, languages) for job in jobs)
        return
    with start_pool(processes, _start, setup) as pool:
        try:
            yield from pool.map(_own_record, jobs, chunksize=_CHUNK)
        finally:
            pool.shutdown(cancel_futures=True)


_OWN: Final[list[Languages]] = []
"""In a process that reads: with what."""


def _start(setup: Setup) -> None:
    _OWN.append(Languages(setup.profile, setup.terms))


def _own_record(job: Job) -> bytes:
    return _record(job, _OWN[0])


def _record(job: Job, languages: Languages) -> bytes:
    page, code = job
    language = languages[code]
    return record_of(prepared(language.read_page(page), language.lexicons))
