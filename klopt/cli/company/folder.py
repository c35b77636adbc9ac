"""What the commands over a company's folder share: the folder, and the log."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from klopt.cli.options import argument, shared
from klopt.company.folder import Company

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
