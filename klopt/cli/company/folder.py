"""What the commands over a company's folder share."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from klopt.cli.options import argument, shared
from klopt.scoring.profile import Profile

Folder = Annotated[Path, argument("FOLDER")]
FolderProfile = Annotated[
    str,
    shared(
        "A profile of the folder, such as customers.toml.",
        "--profile",
        default="profile.toml",
        metavar="NAME",
    ),
]


def asking_nobody(profile: Profile) -> Profile:
    """The profile, which neither translates nor asks for second opinions."""
    return replace(profile, opinion=None, translate=None)
