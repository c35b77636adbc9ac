"""A company's folder, made from its help pages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import tomlkit

from klopt import lexicons, shipped
from klopt.batch.output import whole_file
from klopt.company.entries import LexiconEntry, put
from klopt.company.folder import FILE, Company, held
from klopt.company.page_names import names_on_pages
from klopt.company.suggestions import Suggestion, Suggestions
from klopt.errors import CompanyError, InputError
from klopt.reading.reader import Reader
from klopt.records import Page
from klopt.scoring.profile import Profile
from klopt.text_file import read_text_file

ONCE_FOUND: Final = "found.txt"
"""What was put in once: who takes it out by hand does not find it back."""


def start(
    company: Company, pages: Iterable[Page], language: str, *, update: bool = False
) -> tuple[LexiconEntry, ...]:
    """Writes a company's folder, or adds to it what is new: the names of products.

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
    names = names_on_pages(pages, Reader(lexicons.load(language)))
    try:
        (folder / language).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made: {error.strerror}") from None
    with held(folder):
        company = _known(company, update=update)  # others may have written in the meantime
        _write_profile(company, language)
        new = _put(folder, language, names)
        company.write()
    return new


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
    there = {known_folder.resolve() for known_folder in known.page_folders}
    folders = *known.page_folders, *(p for p in company.page_folders if p.resolve() not in there)
    return Company(folder, company.name or known.name, folders, company.log or known.log)


def _put(folder: Path, language: str, names: Sequence[LexiconEntry]) -> tuple[LexiconEntry, ...]:
    """Puts in what was not found before, and nobody decided on."""
    path = folder / ONCE_FOUND
    known = path.read_text("utf-8", "replace").split() if path.is_file() else []
    decided = {
        suggestion.id for suggestion in Suggestions.read(folder).all if suggestion.status != "open"
    }
    ids = {Suggestion(language, "", entry).id: entry for entry in names}
    new = tuple(entry for name, entry in ids.items() if name not in {*known, *decided})
    put(folder, language, new)
    with whole_file(path) as file:
        file.writelines(f"{name}\n" for name in sorted({*known, *ids}))
    return new


def _write_profile(company: Company, language: str) -> None:
    """Writes the profile, or adds the language to the one that is there."""
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
