"""``klopt company deny``."""

from __future__ import annotations

from pathlib import Path

import click

from klopt.cli.company.folder import COMPANY, LOG
from klopt.cli.company.names import FORGET, LANGUAGE, NAMES, list_names


@click.command("deny", epilog='Example: klopt company deny acme/ "Oud scherm"')
@COMPANY
@NAMES
@LANGUAGE
@LOG
@FORGET
def command(
    folder: Path, names: tuple[str, ...], language: str | None, log: Path | None, forget: bool
) -> None:
    """Deny NAMEs: an answer that has one is looked at by a person, and never sent unseen.

    Says how many answers of the log have them, and what that changes.
    """
    list_names(folder, names, "denied", language, log, forget=forget)
