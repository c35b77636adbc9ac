"""What the commands over a company's folder share: the folder, and the log."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Annotated

from klopt.batch.rows import Row, read_rows
from klopt.cli.fields import tell_unread
from klopt.cli.options import argument, shared, warn
from klopt.cli.terminal import counted
from klopt.company.folder import Company
from klopt.records import Pages
from klopt.scoring.profile import Profile

Folder = Annotated[Path, argument("FOLDER")]
Log = Annotated[
    Path | None,
    shared(
        "A chat log, rated or not, instead of that of company.toml or rated.jsonl.",
        metavar="FILE",
    ),
]
FolderProfile = Annotated[
    str,
    shared(
        "A profile of the folder, such as customers.toml.",
        "--profile",
        default="profile.toml",
        metavar="NAME",
    ),
]


def log_of(company: Company, given: Path | None) -> Path | None:
    """The log that is meant: the one that was given, the company's, or what people rated."""
    if given is not None:
        return given
    kept = (company.log, company.rated)
    return next((one for one in kept if one is not None and one.is_file()), None)


def answers_in(log: Path, pages: Pages) -> list[Row]:
    """Each answer once, with the mean of what several people gave it; says what is not read."""
    rows = list(read_rows(str(log), pages=pages))
    unread = [row.problem or "" for row in rows if row.turn is None]
    if unread:
        tell_unread(unread, str(log), "rows", is_all=len(unread) == len(rows))
    found: dict[str, Row] = {}
    ratings = defaultdict[str, list[float]](list)
    others = 0
    for row in rows:
        first = found.setdefault(row.id, row).turn
        if row.turn is None or first is None or row.turn.answer != first.answer:
            others += row is not found[row.id]
        elif row.turn.rating is not None:
            ratings[row.id].append(row.turn.rating)
    if others:
        warn(f"{log}: {counted(others, 'row')} left out, whose id an earlier row has")
    return [
        replace(row, turn=replace(row.turn, rating=fmean(given)))
        if row.turn is not None and (given := ratings.get(name))
        else row
        for name, row in found.items()
    ]


def asking_nobody(profile: Profile) -> Profile:
    """The profile, which neither translates nor asks for second opinions."""
    return replace(profile, opinion=None, translate=None)
