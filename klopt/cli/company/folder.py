"""What the commands over a company's folder share: the folder, and the log."""

from __future__ import annotations

from pathlib import Path

import click

from klopt.company.folder import Company

COMPANY = click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
LOG = click.option(
    "--log",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A chat log, rated or not, instead of that of company.toml or rated.jsonl.",
)


def log_of(company: Company, given: Path | None) -> Path | None:
    """The log that is meant: the one that was given, the company's, or what people rated."""
    if given is not None:
        return given
    kept = (company.log, company.rated)
    return next((one for one in kept if one is not None and one.is_file()), None)
