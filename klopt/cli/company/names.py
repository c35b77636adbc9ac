"""``klopt company allow`` and ``klopt company deny``."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import click

from klopt import lexicons
from klopt.cli import options
from klopt.cli.company.review import tell_check
from klopt.cli.options import argument, as_command, shared
from klopt.cli.terminal import warn
from klopt.company import lints
from klopt.company.folder import (
    LEXICON,
    Company,
    Part,
    ProductName,
    add_names,
    held,
    read_names,
    remove_names,
)
from klopt.errors import CompanyError
from klopt.types import clean

_OTHER: Final = {"allowed": "denied", "denied": "allowed"}
_Names = Annotated[tuple[str, ...], argument("NAME...")]
_Language = Annotated[
    str | None,
    shared(
        "Language of the names; optional if the folder has one language.",
        type=click.Choice(lexicons.languages()),
    ),
]
_Forget = Annotated[bool, shared("Remove the names from the list.")]


@as_command("allow", 'klopt company allow acme/ "Urenbriefje"')
def allow(
    *, folder: options.CompanyFolder, names: _Names, language: _Language, forget: _Forget
) -> None:
    """Allow NAMEs that exist although they are on no page."""
    _edit_list(folder, names, "allowed", language, forget=forget)


@as_command("deny", 'klopt company deny acme/ "Oud scherm"')
def deny(
    *, folder: options.CompanyFolder, names: _Names, language: _Language, forget: _Forget
) -> None:
    """Deny NAMEs: answers that contain one always need review."""
    _edit_list(folder, names, "denied", language, forget=forget)


def _edit_list(
    folder: Path, names: Sequence[str], part: Part, language: str | None, *, forget: bool
) -> None:
    own = [ProductName(_normalized(name), part) for name in names]
    if not all(name.name for name in own):
        raise click.UsageError("one of the names is blank; give a name.")
    company = Company.open(folder)
    language = language or _only_language(company)
    with held(folder):
        (_forget_names if forget else _list_names)(folder, language, own, part)
    listed = ", ".join(name.name for name in own)
    click.echo(clean(f"{language}/{LEXICON}.toml, {'no longer ' * forget}{part}: {listed}."))
    for lint in lints.lints(company, company.load()):
        if LEXICON in lint.text:
            warn(lint.text)
    allow_again = ["klopt", "company", "allow", folder, *options.given("language")]
    allow_again += [name.name for name in own]
    is_undone = forget and part == "denied"
    tell_check(company, *[(allow_again, "allow what was allowed before")] * is_undone)


def _list_names(folder: Path, language: str, own: Sequence[ProductName], part: Part) -> None:
    wanted = {name.name.casefold() for name in own}
    every = read_names(folder, language)
    others = [name for name in every if name.part != part and name.name.casefold() in wanted]
    if others:
        remove_names(folder, language, others)
        warn(f"no longer {_OTHER[part]}: {', '.join(name.name for name in others)}")
    add_names(folder, language, own)


def _forget_names(folder: Path, language: str, own: Sequence[ProductName], part: Part) -> None:
    listed = {
        name.name.casefold(): name for name in read_names(folder, language) if name.part == part
    }
    if unknown := sorted(name.name for name in own if name.name.casefold() not in listed):
        raise CompanyError(
            f"{folder / language / LEXICON}.toml: not {part}, so --forget has nothing to remove: "
            + ", ".join(unknown)
        )
    remove_names(folder, language, [listed[name.name.casefold()] for name in own])


def _normalized(name: str) -> str:
    whole = name.encode("utf-8", "replace").decode()  # a terminal may pass invalid bytes
    return unicodedata.normalize("NFC", " ".join(whole.split()))


def _only_language(company: Company) -> str:
    languages = company.load().languages
    codes = [code for code, own in languages.items() if own.lexicons] or list(languages)
    named = [code for code in codes if (company.path / code).is_dir()] or codes
    if len(named) != 1:
        raise CompanyError(
            f"{company.path}: has lexicons for {', '.join(named)}; choose one with --language"
        )
    return named[0]
