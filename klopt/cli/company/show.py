"""``klopt company show``: what the folder holds, and each setting with the file it is from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import click
from rich.table import Column

from klopt.cli.company.folder import Folder, FolderProfile
from klopt.cli.options import as_command, option
from klopt.cli.terminal import Screen, counted, figures, shown, table
from klopt.company import lints
from klopt.company.folder import Company
from klopt.company.settings import Settings
from klopt.company.suggestions import Suggestions
from klopt.scoring.profile import Profile

_EXAMPLES: Final = 4


@as_command("show", "klopt company show acme/ --flat > whole.toml")
def command(
    *,
    folder: Folder,
    flat: bool = option("The whole profile as TOML, with what it inherits."),
    name: FolderProfile,
) -> None:
    """Show what a company's FOLDER holds: its lexicons with counts, its lines, what it extends.

    With --flat the whole profile, as a file that extends no other; its lexicons are named as
    they are seen from FOLDER.
    """
    company = Company.open(folder)
    settings = Settings.of(folder / name)
    if flat:
        click.echo(settings.text(), nl=False)
        return
    files = lints.files(company)
    console = Screen()
    rows = (
        (
            file.path.relative_to(folder).as_posix(),
            part,
            f"{len(entries):,}",
            ", ".join(entries[:_EXAMPLES]) + (" …" if len(entries) > _EXAMPLES else ""),
        )
        for file in files
        for part, entries in sorted(_parts(file))
    )
    columns = (Column("file", overflow="fold"), "list", figures("entries"), "such as")
    if files:
        console.print(table(columns, rows))
        console.print()
    for line in _about(company, settings, Profile.load(folder / name)):
        console.print(shown(line))
    places = f"Pages: {', '.join(map(str, company.page_folders))}. Log: {company.log or 'none'}."
    console.print(shown(places), soft_wrap=True)
    open_count = len(Suggestions.read(company.path).open)
    console.print(f"{counted(open_count, 'suggestion')} to look at.")


def _parts(file: lints.File) -> Iterator[tuple[str, list[str]]]:
    """The lists of a lexicon with what stands in them, those without anything left out."""
    found: dict[str, list[str]] = {}
    for part, phrases in file.lexicon.lists.items():
        found[part] = list(phrases)
    for part, groups in file.lexicon.word_groups.items():
        found[part] = [" = ".join(group) for group in groups]
    for pattern in file.lexicon.patterns:
        found.setdefault(pattern.group, []).append(pattern.id)
    if file.lexicon.pairs:
        found["pairs"] = [f"{pair.one[0]} ↔ {pair.other[0]}" for pair in file.lexicon.pairs]
    for part, words in file.lexicon.values.items():
        found[part] = [f"{word} = {value:g}" for word, value in words.items()]
    return ((part, entries) for part, entries in found.items() if entries)


def _about(company: Company, settings: Settings, profile: Profile) -> Iterator[str]:
    origin = settings.origin
    yield f"{company.name}: the profile is {settings.source.name}, by the name {profile.name}."
    if settings.source.extends is not None:
        extended = " and ".join(settings.extended)
        yield f"It extends {extended}; --flat shows what it takes from there."
    yield (
        f"Sent from {profile.send_from:g} ({origin(('verdict', 'send_from'))}), blocked below "
        f"{profile.block_below:g} ({origin(('verdict', 'block_below'))})."
    )
    yield f"Message types that are scored: {', '.join(profile.message_types)}."
    if profile.review_on:
        finding = ", ".join(profile.review_on)
        yield f"Never sent unseen where one of these finds a fault: {finding}."
