"""Options that several commands share, and how a chat log is opened with them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from klopt.batch.pages import read_pages
from klopt.batch.rows import Row, read_rows
from klopt.cli.terminal import clean
from klopt.errors import UnknownLanguageError
from klopt.records import field_names
from klopt.scoring.scorer import Scorer

_CODE: Final = re.compile(r"auto|[a-z]{2,3}")

Function = TypeVar("Function", bound=Callable[..., Any])


def _names(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    names: dict[str, str] = {}
    for value in values:
        ours, sign, theirs = value.partition("=")
        if not sign or not ours or not theirs:
            raise click.BadParameter(f'"{value}" is not of the form answer=bot_text')
        names[ours.strip()] = theirs.strip()
        if ours.strip() not in field_names():
            allowed = ", ".join(field_names())
            raise click.BadParameter(f'there is no field "{ours}" to map; the fields are {allowed}')
    return names


FILE = click.argument("file", metavar="FILE")
PAGES = click.option(
    "--pages",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder with the help pages that contexts name.",
)
PROFILE = click.option(
    "--profile",
    default="default",
    show_default=True,
    metavar="NAME",
    help="default, afas (the paper as published), or a profile file.",
)
LANGUAGE = click.option(
    "--language",
    default="auto",
    show_default=True,
    metavar="CODE",
    help="nl, en, or auto: a vote for each row. A row's own language goes first. With "
    "--translate any other, such as de.",
)
ALL_TYPES = click.option(
    "--all-types", is_flag=True, help="Score every message type, not only the profile's."
)
MAP = click.option(
    "--map",
    "names",
    multiple=True,
    callback=_names,
    metavar="OURS=THEIRS",
    help="A field by another name, such as answer=bot_text; may be given several times.",
)
TERMS = click.option(
    "--terms",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Company terms from `klopt company terms`; may be given several times.",
)


def scoring_options(function: Function) -> Function:
    """FILE and the options with which a log is read and scored."""
    for option in reversed((FILE, PROFILE, PAGES, TERMS, LANGUAGE, ALL_TYPES, MAP)):
        function = option(function)
    return function


def open_rows(
    file: str,
    pages: Path | None,
    language: str,
    names: dict[str, str],
    *,
    with_contexts: bool = True,
) -> Iterator[Row]:
    """The rows of a file, each with the stated language unless it states its own."""
    known = read_pages(pages) if pages is not None else None
    return with_language(
        read_rows(file, pages=known, names=names, with_contexts=with_contexts), language
    )


def with_language(rows: Iterable[Row], language: str) -> Iterator[Row]:
    """The rows, each with the stated language unless it states its own."""
    for row in rows:
        if row.turn is not None and row.turn.language == "auto" and language != "auto":
            row = dataclasses.replace(row, turn=dataclasses.replace(row.turn, language=language))
        yield row


def same_file(output: Path | None, given: str | None) -> bool:
    """Whether an output would overwrite what is read."""
    if output is None or given in (None, "-") or not output.exists():
        return False
    source = Path(str(given))
    return source.exists() and output.samefile(source)


def warn(sentence: str) -> None:
    """A sentence on standard error."""
    click.echo(f"Warning: {clean(sentence)}", err=True)


def check_language(language: str, scorer: Scorer) -> None:
    """Stops at a language that the profile does not have, unless it is read in translation.

    Raises:
        UnknownLanguageError: With the languages that it has.
        UsageError: It is no code of a language.
    """
    known = scorer.profile.languages
    if scorer.translate is not None:
        if not _CODE.fullmatch(language):
            raise click.UsageError(f'"{language}" is no code of a language, such as nl, de or fr.')
        return
    if language != "auto" and language not in known:
        raise UnknownLanguageError(
            f'profile "{scorer.profile.name}" has no language "{language}"; it has '
            f"{', '.join(known)}, and auto votes for each row"
        )
