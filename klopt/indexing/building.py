"""Builds an index file: pages are read on all cores, and those that did not change are copied."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from klopt.comparing.words import prepared
from klopt.embedding.encoder import TextEncoder, WholeNumbers
from klopt.errors import InputError, UnknownLanguageError
from klopt.indexing.index_file import RECORD, Index, digest_of
from klopt.indexing.parts import PartsWriter
from klopt.indexing.postings import WEIGHTS, Bags, tables_of
from klopt.indexing.record import BadRecordError, page_of, record_of
from klopt.indexing.vectors import PASSAGE, vectors_of
from klopt.processes import ENDED_TWICE, in_processes
from klopt.reading.reader import vote
from klopt.records import Page, Pages
from klopt.scoring.setup import Languages, Setup
from klopt.version import VERSION

Job = tuple[Page, str]
"""A page and the language that it is read in."""

ReadPage = tuple[bytes, WholeNumbers | None]
"""The record of a page, and what its passages mean where that is asked for."""

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
    counts = Counter(sorted(code for code in voted if code is not None))
    if language == "auto" and not counts:
        raise UnknownLanguageError(f"{vote(heads).reason}; state it with --language")
    first = counts.most_common(1)[0][0] if language == "auto" else language
    return first, [code or first for code in voted]


def build(
    file: BinaryIO,
    pages: Pages,
    setup: Setup,
    *,
    language: str = "auto",
    vectors: bool = False,
    old: Index | None = None,
    processes: int = 1,
    advance: Callable[[], object] = lambda: None,
) -> int:
    """Writes an index for a scorer, and says how many pages were copied and not read anew.

    With ``vectors`` pages are also found by what they mean, and in another language than the
    question; that takes some 20 milliseconds for each `klopt.indexing.vectors.PASSAGE_WORDS` words.
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
    read_in = [code if code in languages.profile.languages else first for code in told]
    jobs = list(zip(distinct, read_in, strict=True))
    pages_of: dict[bytes, list[int]] = {}
    for number, job in enumerate(jobs):
        pages_of.setdefault(digest_of(*job), []).append(number)
    order = sorted(pages_of)
    wanted = [jobs[pages_of[digest][0]] for digest in order]
    tables = {code: languages[code].lexicons.digest for code in sorted(set(read_in))}
    encoder = TextEncoder.shipped().digest if vectors else None
    copies = _copies(old, wanted, tables, encoder, plain_names=languages.profile.plain_names)
    bags = {code: Bags(code, WEIGHTS) for code in tables}
    writer = PartsWriter(file)
    records = []
    passages: list[NDArray[np.void]] = []
    rows: dict[int, int] = {}
    unread = [job for job, copy in zip(wanted, copies, strict=True) if copy is None]
    with closing(_read_all(unread, setup, languages, processes, vectors=vectors)) as fresh:
        for row, (digest, copy) in enumerate(zip(order, copies, strict=True)):
            (record, meant), code = next(fresh) if copy is None else copy, wanted[row][1]
            try:
                page = page_of(record, code)
            except BadRecordError:  # an old file may say anything, with the right checksums
                copies[row] = None
                record, meant = _read_page(wanted[row], languages, vectors=vectors)
                page = page_of(record, code)
            records.append((digest, *writer.add(record)))
            if meant is not None:
                passages.append(np.zeros(len(meant), PASSAGE))
                passages[-1]["record"], passages[-1]["vector"] = row, meant
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
        "vectors": encoder,
        "regions": {
            "records": writer.add(np.array(records, RECORD).tobytes()),
            "words": writer.add(words),
            "postings": writer.add(postings),
            "vectors": writer.add(b"".join(one.tobytes() for one in passages)),
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
    old: Index | None,
    jobs: Sequence[Job],
    tables: Mapping[str, str],
    encoder: str | None,
    *,
    plain_names: bool,
) -> list[ReadPage | None]:
    """What an old index has of each page; None where that has none that fits and is whole."""
    if old is None or old.plain_names != plain_names or encoder not in (None, old.encoder):
        return [None] * len(jobs)
    copies: list[ReadPage | None] = []
    for page, code in jobs:
        fits = old.languages.get(code) == tables[code]
        try:
            record = old.record_of(page, code) if fits else None
            meant = old.vectors_of(page, code) if encoder and record else None
            copies.append(None if record is None else (record, meant))
        except InputError:
            copies.append(None)
    return copies


def _read_all(
    jobs: Sequence[Job], setup: Setup, languages: Languages, processes: int, *, vectors: bool
) -> Generator[ReadPage]:
    """What is read of pages, in order, here or in processes of their own."""
    if processes <= 1:
        yield from (_read_page(job, languages, vectors=vectors) for job in jobs)
        return
    groups = (
        (some, some)
        for start in range(0, len(jobs), _CHUNK)
        if (some := [*jobs[start : start + _CHUNK]])
    )
    read = partial(_read, vectors=vectors)
    for some, results in in_processes(processes, read, groups, _start, setup):
        for (page, _), result in zip(some, results, strict=True):
            if result is None:
                raise InputError(f'page "{page.id}": {ENDED_TWICE}')
            yield result


_OWN: Final[list[Languages]] = []
"""In a process that reads: with what."""


def _start(setup: Setup) -> None:
    _OWN.append(Languages(setup.profile, setup.terms))


def _read(jobs: list[Job], *, vectors: bool) -> list[ReadPage]:
    return [_read_page(job, _OWN[0], vectors=vectors) for job in jobs]


def _read_page(job: Job, languages: Languages, *, vectors: bool) -> ReadPage:
    page, code = job
    language = languages[code]
    index = language.read_page(page)
    meant = vectors_of(page, index.reading.plain) if vectors else None
    return record_of(prepared(index, language.lexicons)), meant
