"""``klopt company show``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rich.table import Column

from klopt.cli import options
from klopt.cli.company.review import rating_steps
from klopt.cli.options import as_command
from klopt.cli.terminal import Screen, counted, figures, next_steps, shown, table, tell, write
from klopt.company import lints
from klopt.company.folder import Company
from klopt.company.suggestions import Suggestions
from klopt.lexicons import Lexicon
from klopt.scoring.profile import Profile, source_of

_EXAMPLES: Final = 4


@as_command("show", "klopt company show acme/")
def command(
    *, folder: options.CompanyFolder, name: options.CompanyProfile, form: options.Format
) -> None:
    """Show the lexicons, thresholds, pages, log and open suggestions of a company's FOLDER."""
    company = Company.open(folder)
    profile, source = Profile.load(folder / name), source_of(folder / name)
    lists = [
        {"file": file.path.relative_to(folder).as_posix(), "list": part, "entries": entries}
        for file in lints.files(company)
        for part, entries in sorted(_lists(file.lexicon).items())
        if entries
    ]
    console = Screen()
    if not console.has_tables(form):
        write(lists, form)
        return
    if lists:
        columns = (Column("file", overflow="fold"), "list", figures("entries"), "examples")
        console.print(table(columns, map(_cells, lists)))
        console.print()
    extended = " and ".join(part.name for part in source.chain if part is not source)
    lines = [
        f"{company.name}: profile {profile.name} in {source.name}"
        + (f", which extends {extended}." if extended else "."),
        f"Sends from {profile.send_from:g}, blocks below {profile.block_below:g}.",
        f"Message types: {', '.join(profile.message_types)}.",
        f"Faults that always need review: {', '.join(profile.review_on) or 'none'}.",
    ]
    for line in lines:
        console.print(shown(line))
    paths = f"Pages: {', '.join(map(str, company.page_folders))}. Log: {company.log or 'none'}."
    console.print(shown(paths), soft_wrap=True)
    count = len(Suggestions.read(company.path).open)
    console.print(f"{counted(count, 'open suggestion')}.")
    if count:
        command = ["klopt", "company", "suggest", folder]
        tell(next_steps((command, "see the suggestions, and decide on them")))
    else:
        tell(rating_steps(company))


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    entries = row["entries"]
    examples = ", ".join(entries[:_EXAMPLES]) + (" …" if len(entries) > _EXAMPLES else "")
    return row["file"], row["list"], f"{len(entries):,}", examples


def _lists(lexicon: Lexicon) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {part: list(own) for part, own in lexicon.lists.items()}
    for part, groups in lexicon.word_groups.items():
        found[part] = [" = ".join(group) for group in groups]
    for pattern in lexicon.patterns:
        found.setdefault(pattern.group, []).append(pattern.id)
    found["pairs"] = [f"{pair.one[0]} ↔ {pair.other[0]}" for pair in lexicon.pairs]
    for part, words in lexicon.values.items():
        found[part] = [f"{word} = {value:g}" for word, value in words.items()]
    return found
