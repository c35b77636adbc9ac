"""A company's folder, made from its help pages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import tomlkit

from klopt import lexicons, shipped
from klopt.batch.output import whole_file
from klopt.company.entries import Entry, put, read
from klopt.company.finding.abbreviations import find_abbreviations
from klopt.company.finding.names import find_names
from klopt.company.finding.pages import Found, HelpPage, read_help
from klopt.company.finding.style import find_style, with_entries
from klopt.company.finding.synonyms import find_synonyms
from klopt.company.finding.terms import find_terms
from klopt.company.folder import FILE, Company, held
from klopt.company.suggestions import Suggestion, Suggestions
from klopt.errors import CompanyError, ExtraMissingError, InputError
from klopt.reading.reader import Reader, Reading
from klopt.records import Page
from klopt.scoring.profile import Profile

ONCE_FOUND: Final = "found.txt"
"""What was put in once: who takes it out by hand does not find it back."""


@dataclass(frozen=True)
class Coverage:
    """On how many pages klopt finds what an answer can be held against.

    Attributes:
        pages: How many there are.
        components: How many name something of the screen.
        guides: How many have steps.
    """

    pages: int
    components: int
    guides: int

    @classmethod
    def of(cls, readings: Iterable[Reading]) -> Coverage:
        """That of some readings."""
        all_ = list(readings)
        return cls(
            len(all_),
            sum(bool(one.components) for one in all_),
            sum(bool(one.guides) for one in all_),
        )


@dataclass(frozen=True)
class Start:
    """What was found and written.

    Attributes:
        language: Of the pages.
        found: Each kind, all of it.
        new: The entries that were put in now.
        open: The suggestions that nobody has decided on.
        before: What klopt finds by itself,
        now: and with the entries.
        missing: What could not be looked for, and why.
    """

    language: str
    found: tuple[Found, ...]
    new: tuple[Entry, ...]
    open: tuple[Suggestion, ...]
    before: Coverage
    now: Coverage
    missing: str = ""


def start(
    company: Company,
    pages: Iterable[Page],
    language: str,
    *,
    update: bool = False,
) -> Start:
    """Writes a company's folder, or adds to it what is new.

    Args:
        company: Its folder need not be there yet; what one that is there has is kept. With an
            empty name it is called as it was, or as its folder.
        pages: Its help pages in one language, each once.
        language: Theirs.
        update: Adds to a folder that is there; what it holds and what was decided stay.

    Raises:
        CompanyError: There is such a folder, and ``update`` is false.
        ProfileError: The profile that is there is wrong.
        UnknownLanguageError: There are no tables for the language.
        InputError: The folder cannot be made.
    """
    folder = company.path
    _known(company, update=update)
    reader = Reader(lexicons.load(language))
    help_pages = list(read_help(pages, reader))
    found, missing = _found(help_pages, reader)
    try:
        (folder / language).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made: {error.strerror}") from None
    with held(folder):
        company = _known(company, update=update)  # others may have written in the meantime
        _write_profile(company, language)
        new, suggestions = _put(folder, language, found)
        company.write()
    style = [one for one in read(folder, language) if one.pattern is not None]
    again = Reader(with_entries(reader.lexicons, style))
    before = [one.reading for one in help_pages]
    now = [again.read_plain(one.plain) for one in before] if style else before
    return Start(
        language,
        found,
        new,
        suggestions.open,
        Coverage.of(before),
        Coverage.of(now),
        missing,
    )


def _known(company: Company, *, update: bool) -> Company:
    """The company as it is to be written: with what one that is there has."""
    folder = company.path
    if not (folder / FILE).exists():
        return replace(company, name=company.name or folder.resolve().name)
    if not update:
        raise CompanyError(
            f"{folder}: is there already, and nothing in it is overwritten; give another folder, "
            "or --update to add what is new to this one"
        )
    known = Company.open(folder)
    if known.profile.is_file():
        known.load()  # says what is wrong with it before anything is looked for
    there = {one.resolve() for one in known.page_folders}
    folders = *known.page_folders, *(p for p in company.page_folders if p.resolve() not in there)
    return Company(folder, company.name or known.name, folders, company.log or known.log)


def _found(pages: Sequence[HelpPage], reader: Reader) -> tuple[tuple[Found, ...], str]:
    """All kinds, and what could not be looked for."""
    missing = ""
    try:
        terms = find_terms(pages, reader)
    except ExtraMissingError as error:
        terms, missing = Found("terms"), str(error)
    others: tuple[Callable[[], Found], ...] = (
        lambda: find_names(pages, reader),
        lambda: find_abbreviations(pages, reader),
        lambda: find_style(pages, reader),
        lambda: find_synonyms(pages, reader),
    )
    return (terms, *(one() for one in others)), missing


def _put(
    folder: Path, language: str, found: Sequence[Found]
) -> tuple[tuple[Entry, ...], Suggestions]:
    """Puts in what is sure and was not found before; what is not sure is suggested."""
    path = folder / ONCE_FOUND
    known = path.read_text("utf-8", "replace").split() if path.is_file() else []
    suggestions = Suggestions.read(folder)
    decided = {one.id for one in suggestions.all if one.status != "open"}
    ids = {Suggestion(language, "", entry).id: entry for kind in found for entry in kind.entries}
    out = {*known, *decided}
    new = tuple(entry for name, entry in ids.items() if name not in out)
    put(folder, language, new)
    suggestions = suggestions.joined(one for kind in found for one in kind.suggestions)
    suggestions.write()
    with whole_file(path) as file:
        file.writelines(f"{one}\n" for one in sorted({*known, *ids}))
    return new, suggestions


def _write_profile(company: Company, language: str) -> None:
    """Writes the profile, or adds the language to the one that is there."""
    if company.profile.is_file():
        text = company.profile.read_text("utf-8")
        document = tomlkit.parse(text)
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
