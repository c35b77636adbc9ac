"""``klopt company allow`` and ``klopt company deny``: names that exist, and that no answer has."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import click

from klopt import lexicons
from klopt.cli import options
from klopt.cli.options import argument, as_command, shared
from klopt.cli.terminal import warn
from klopt.company import lints
from klopt.company.entries import LexiconEntry, put, read, take_out
from klopt.company.folder import Company, held
from klopt.errors import CompanyError
from klopt.records import clean

LEXICON: Final = "product_names"
_OTHER: Final = {"allowed": "denied", "denied": "allowed"}
_Names = Annotated[tuple[str, ...], argument("NAME...")]
_Language = Annotated[
    str | None,
    shared(
        "Of the names; need not be given where the folder has one.",
        type=click.Choice(lexicons.languages()),
    ),
]
_Forget = Annotated[bool, shared("Take the names out of the list again.")]


@as_command("allow", 'klopt company allow acme/ "Urenbriefje"')
def allow(
    *, folder: options.CompanyFolder, names: _Names, language: _Language, forget: _Forget
) -> None:
    """Allow NAMEs: they exist, though no page has them, so an answer may have them."""
    _list_names(folder, names, "allowed", language, forget=forget)


@as_command("deny", 'klopt company deny acme/ "Oud scherm"')
def deny(
    *, folder: options.CompanyFolder, names: _Names, language: _Language, forget: _Forget
) -> None:
    """Deny NAMEs: an answer that has one is looked at by a person, and never sent unseen."""
    _list_names(folder, names, "denied", language, forget=forget)


def _list_names(
    folder: Path, names: Sequence[str], part: str, language: str | None, *, forget: bool
) -> None:
    """Puts names into a list of the company's, or takes them out."""
    company = Company.open(folder)
    language = language or _only_language(company)
    own = [LexiconEntry(LEXICON, part, (_plain(name),)) for name in names]
    with held(folder):
        _list(folder, own, part, language, forget=forget)
    done = f"no longer {part}" if forget else part
    told = ", ".join(entry.name for entry in own)
    click.echo(clean(f"{language}/{LEXICON}.toml, {done}: {told}."))
    for finding in lints.lints(company, company.load()):
        if LEXICON in finding.text:
            warn(finding.text)
    click.echo(f"Which answers that moves: klopt company check {folder}")


def _list(
    folder: Path, own: Sequence[LexiconEntry], part: str, language: str, *, forget: bool
) -> None:
    wanted = {entry.name.casefold(): entry.name for entry in own}
    every = [entry for entry in read(folder, language) if entry.lexicon == LEXICON]
    there = [entry for entry in every if entry.name.casefold() in wanted]
    if forget:
        mine = [entry for entry in there if entry.part == part]
        lacking = wanted.keys() - {entry.name.casefold() for entry in mine}
        if lacking:
            raise CompanyError(
                f"{folder / language / LEXICON}.toml: not {part}, so that it cannot be forgotten: "
                + ", ".join(sorted(wanted[entry] for entry in lacking))
            )
        take_out(folder, language, mine)
        return
    if against := [entry for entry in there if entry.part != part]:
        take_out(folder, language, against)
        warn(f"no longer {_OTHER[part]}: {', '.join(entry.name for entry in against)}")
    put(folder, language, own)


def _plain(name: str) -> str:
    """A name as a lexicon has it."""
    whole = name.encode("utf-8", "replace").decode()  # a terminal may give other bytes
    return unicodedata.normalize("NFC", " ".join(whole.split()))


def _only_language(company: Company) -> str:
    """The one language that the folder has lexicons of."""
    languages = company.load().languages
    codes = [code for code, own in languages.items() if own.lexicons] or list(languages)
    named = [code for code in codes if (company.path / code).is_dir()] or codes
    if len(named) != 1:
        raise CompanyError(
            f"{company.path}: has lexicons of {', '.join(named)}; say of which by --language"
        )
    return named[0]
