"""``klopt company allow``."""

from __future__ import annotations

from pathlib import Path

import click

from klopt.cli.company.folder import COMPANY, LOG
from klopt.cli.company.names import FORGET, LANGUAGE, NAMES, list_names


@click.command("allow", epilog='Example: klopt company allow acme/ "Urenbriefje"')
@COMPANY
@NAMES
@LANGUAGE
@LOG
@FORGET
def command(
    folder: Path, names: tuple[str, ...], language: str | None, log: Path | None, forget: bool
) -> None:
    """Allow NAMEs: they exist, though no page has them, so an answer may have them.

    Says how many answers of the log have them, and what that changes.
    """
    list_names(folder, names, "allowed", language, log, forget=forget)
