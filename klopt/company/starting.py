"""Make a company's folder from its help pages, or add to one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import tomlkit

from klopt import lexicons
from klopt._internal import shipped
from klopt._internal.files import read_text_file, whole_file
from klopt.company.folder import FILE, Company, held
from klopt.company.names import ProductName, add_names
from klopt.company.page_names import names_on_pages
from klopt.company.suggestions import Suggestion, Suggestions
from klopt.errors import CompanyError, InputError
from klopt.scoring.profile import Profile
from klopt.text.reader import Reader
from klopt.types import Page

FOUND_FILE: Final = "found.txt"
"""Ids of the names that were added once; a name deleted by hand is not added again."""


def start(
    company: Company, pages: Iterable[Page], language: str, *, update: bool = False
) -> tuple[ProductName, ...]:
    """Write a company's folder, or add a language and new product names to it.

    Args:
        company: The folder; settings of one that exists are kept.
        pages: Help pages in one language.
        language: Their language.
        update: Whether the folder may exist.

    Returns:
        The names that were added.

    Raises:
        CompanyError: The folder exists, and ``update`` is false.
    """
    folder = company.path
    _merged(company, update=update)
    names = names_on_pages(pages, Reader(lexicons.load(language)))
    try:
        (folder / language).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made: {error.strerror}") from None
    with held(folder):
        company = _merged(company, update=update)  # another command may have changed it
        _write_profile(company, language)
        new = _add_new(folder, language, names)
        company.write()
    return new


def _merged(company: Company, *, update: bool) -> Company:
    """Return the company with the settings of the existing folder."""
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
    return Company(folder, company.name or known.name, folders, company.log or known.log)


def _add_new(folder: Path, language: str, names: Sequence[ProductName]) -> tuple[ProductName, ...]:
    """Add the names that are new and that nobody decided on."""
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
    """Write the profile, or add the language to the existing one."""
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
