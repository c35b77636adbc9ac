"""Make a company's folder from its help pages and the product names on them, or add to one."""

from __future__ import annotations

import json
import sys
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import regex
import tomlkit

from klopt import lexicons
from klopt._internal import shipped
from klopt._internal.files import read_text_file, whole_file
from klopt.company.folder import FILE, Company, ProductName, add_names, held
from klopt.company.suggestions import Suggestion, Suggestions
from klopt.errors import CompanyError, InputError
from klopt.scoring.profile import Profile
from klopt.text.markup import chars_to_read
from klopt.text.plain import Span, in_small_letters
from klopt.text.reader import PAGE_LIMIT_CHARS, Reader, Reading
from klopt.types import Page

MIN_OCCURRENCES: Final = 3  # Different sentences, and different pages, that must have a name
MAX_LOWERCASE_SHARE: Final = 0.2  # Mentions with a small letter, as a share of those with a capital
MAX_SENTENCES: Final = 50
HEADING_WORDS: Final = 4

_EXAMPLE_CHARS: Final = 160
_PART: Final = r"\p{Lu}[\p{L}\p{N}]*(?:[-’'&.][\p{L}\p{N}]++)*+"
_NAME: Final = regex.compile(
    rf"(?<![\p{{L}}\p{{N}}./@\\_-]){_PART}(?:[ ](?:{_PART}|\d{{2,4}}(?![\p{{L}}\p{{N}}.,])))*+"
    r"(?![\p{L}\p{N}_@/\\])",
    regex.VERSION1,
)
_WORD: Final = regex.compile(r"(?<![\p{L}\p{N}.@/_-])\p{Ll}[\p{L}\p{N}-]*+", regex.VERSION1)
_YEAR: Final = regex.compile(r"[ ](?:19|20)\d\d\Z")
_SMALL_TAIL: Final = regex.compile(r"-\p{Ll}[\p{Ll}]*\Z", regex.VERSION1)
_OPENS: Final = regex.compile(r"(?:[:;.!?“”\"„‘(•*–—|\[]|^)\s*\Z", regex.VERSION1)
_OPENING_CHARS: Final = 3
_SKIPPED_BLOCKS: Final = ("heading", "cell", "row", "code")


@dataclass(slots=True)
class _Mentions:
    count: int = 0
    pages: set[str] = field(default_factory=set)
    sentences: dict[str, None] = field(default_factory=dict)

    def add(self, page: str, sentence: str) -> None:
        self.count += 1
        self.pages.add(page)
        if len(self.sentences) < MAX_SENTENCES:
            self.sentences.setdefault(sentence)

    @property
    def origin(self) -> str:
        """The counts and the shortest sentence, preferably no heading of a word or two."""
        example = min(
            self.sentences,
            key=lambda sentence: (sentence.count(" ") < HEADING_WORDS, len(sentence)),
        )
        return f"{self.count} times on {len(self.pages)} pages: “{example}”"


def names_on_pages(pages: Iterable[Page], reader: Reader) -> list[ProductName]:
    """Return names that recur unmarked in sentences.

    A name in bold or quotes is a component of the screen: it must not be allowed everywhere.
    """
    found: dict[str, _Mentions] = defaultdict(_Mentions)
    marked: Counter[str] = Counter()
    lowercase: Counter[str] = Counter()
    stop_words = reader.lexicons["stop_words"].words
    for page in pages:
        if chars_to_read(page.text, page.format) > PAGE_LIMIT_CHARS:
            continue
        reading = reader.read(page.text, page.format)
        lowercase.update(_WORD.findall(reading.plain.text))
        for name, start, end, is_marked in _names(reading, stop_words):
            if is_marked:
                marked[name] += 1
            else:
                found[name].add(page.id, _sentence(reading, start, end))
    return [
        ProductName(name, origin=mentions.origin)
        for name, mentions in found.items()
        if min(len(mentions.sentences), len(mentions.pages)) >= MIN_OCCURRENCES
        and mentions.count > marked[name]
        and lowercase[in_small_letters(name)] <= MAX_LOWERCASE_SHARE * mentions.count
        and not _is_excluded(name, reader)
    ]


def _names(reading: Reading, stop_words: Set[str]) -> Iterator[tuple[str, int, int, bool]]:
    """Yield candidates with their offsets, and whether the page marks them."""
    text = reading.plain.text
    marked, skipped = bytearray(len(text)), bytearray(len(text))
    for start, end in (
        *((component.start, component.end) for component in reading.components),
        *((mark.start, mark.end) for mark in reading.plain.marks),
    ):
        marked[start:end] = b"\1" * (end - start)
    for block in reading.plain.blocks:
        if block.kind in _SKIPPED_BLOCKS:
            skipped[block.start : block.end] = b"\1" * (block.end - block.start)
    starts = {sentence.start for sentence in reading.sentences}
    for match in _NAME.finditer(text):
        start, end = match.span()
        if skipped[start]:
            continue
        if start in starts or _OPENS.search(text[max(0, start - _OPENING_CHARS) : start]):
            first, _, rest = match[0].partition(" ")
            if not rest or in_small_letters(first) not in stop_words:
                continue
            start = end - len(rest)
        yield _YEAR.sub("", text[start:end]), start, end, marked.find(1, start, end) >= 0


def _sentence(reading: Reading, start: int, end: int) -> str:
    """Return the sentence around a name, at most `_EXAMPLE_CHARS` on either side."""
    number = bisect_right(reading.sentences, Span(start, sys.maxsize)) - 1
    is_inside = number >= 0 and start < reading.sentences[number].end
    around = reading.sentences[number] if is_inside else Span(start, end)
    first = max(around.start, start - _EXAMPLE_CHARS)
    last = min(around.end, end + _EXAMPLE_CHARS)
    text = reading.plain.text[first:last]
    return f"{'…' if first > around.start else ''}{text}{'…' if last < around.end else ''}"


def _is_excluded(name: str, reader: Reader) -> bool:
    """Whether it is a letter, a compound such as "PDF-bestand", or a word of a lexicon."""
    small = in_small_letters(name)
    units = reader.lexicons["contrasts"].word_groups.values()
    return (
        len(name) < 2
        or _SMALL_TAIL.search(name) is not None
        or small in reader.lexicons["stop_words"].words
        or any(small in group for named in units for group in named)
        or reader.lexicons["components"].first("not_a_component", name) is not None
    )


FOUND_FILE: Final = "found.txt"  # ids of names added once; one deleted by hand is not added again


def start(
    company: Company, pages: Iterable[Page], language: str, *, update: bool = False
) -> tuple[ProductName, ...]:
    """Write a company's folder, or add a language and new product names to it.

    ``pages`` are in that language. Settings of a folder that exists are kept; without ``update`` it
    is a CompanyError. Returns the names that were added.
    """
    folder = company.path
    _merged(company, update=update)
    names = names_on_pages(pages, Reader(lexicons.load(language)))
    try:
        (folder / language).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be created: {error.strerror}") from None
    with held(folder):
        company = _merged(company, update=update)  # another command may have changed it
        _write_profile(company, language)
        new = _add_new(folder, language, names)
        company.write()
    return new


def _merged(company: Company, *, update: bool) -> Company:
    folder = company.path
    if not (folder / FILE).exists():
        return replace(company, name=company.name or folder.resolve().name)
    if not update:
        raise CompanyError(
            f"{folder}: already exists, and klopt does not overwrite it; give another folder, or "
            "--update to add new names to this one"
        )
    known = Company.open(folder)
    if known.profile.is_file():
        known.load()  # fails early on an invalid profile
    resolved = {known_folder.resolve() for known_folder in known.page_folders}
    new = (pages for pages in company.page_folders if pages.resolve() not in resolved)
    folders = (*known.page_folders, *new)
    return replace(
        known,
        name=company.name or known.name,
        page_folders=folders,
        log=company.log or known.log,
        retrieve=company.retrieve or known.retrieve,
        names={**known.names, **company.names},
        encoding=company.encoding or known.encoding,
    )


def _add_new(folder: Path, language: str, names: Sequence[ProductName]) -> tuple[ProductName, ...]:
    path = folder / FOUND_FILE
    known = path.read_text("utf-8", "replace").split() if path.is_file() else []
    decided = {one.id for one in Suggestions.read(folder).all if one.status != "open"}
    ids = {Suggestion(language, "", name=name.name).id: name for name in names}
    new = tuple(name for name_id, name in ids.items() if name_id not in {*known, *decided})
    add_names(folder, language, new)
    with whole_file(path) as file:
        file.writelines(f"{name_id}\n" for name_id in sorted({*known, *ids}))
    return new


def _write_profile(company: Company, language: str) -> None:
    if company.profile.is_file():
        text = read_text_file(company.profile)
    else:
        default = Profile.load("default")
        text = shipped.text("klopt.company", "profile_template.toml")
        for name, value in (
            ("name", json.dumps(company.name, ensure_ascii=False)),
            ("block_below", default.block_below),
            ("send_from", default.send_from),
            ("review_on", json.dumps(sorted({*default.review_on, "denied_names"}))),
        ):
            text = text.replace(f"{{{name}}}", str(value))
    document = tomlkit.parse(text)
    settings = document.setdefault("languages", tomlkit.table(is_super_table=True))
    if language not in settings:
        own = tomlkit.table()
        own["lexicons"] = [language]
        settings[language] = own
    with whole_file(company.profile) as file:
        file.write(tomlkit.dumps(document))
