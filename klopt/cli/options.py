"""Options that several commands share, and how a chat log is opened with them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, Final

import click

from klopt.batch.pages import read_pages
from klopt.batch.rows import Row, read_rows
from klopt.cli.terminal import clean
from klopt.errors import UnknownLanguageError
from klopt.reading.language import vote
from klopt.records import Page, field_names
from klopt.scoring.scorer import Scorer

_CODE: Final = re.compile(r"auto|[a-z]{2,3}")
_VOTE_CHARS: Final = 2_000

Command = Callable[..., Any]
Option = Callable[[Command], Command]


def gathered(kind: type[Any], options: Sequence[Option]) -> Option:
    """A decorator that gives a command options, and their values as one first argument.

    Of two such decorators the lower one fills the first argument.

    Args:
        kind: A dataclass with a field for each option, by its name; others keep their defaults.
        options: In the order in which help lists them.
    """
    names = [one.name for one in dataclasses.fields(kind)]

    def decorate(function: Command) -> Command:
        @wraps(function)
        def run(*before: object, **given: object) -> object:
            own = {name: given.pop(name) for name in names if name in given}
            return function(kind(**own), *before, **given)

        return with_options(options)(run)

    return decorate


def option(**settings: Any) -> Any:  # noqa: ANN401 (the field may be of any type)
    """A field of a dataclass that is an option by the same name: `declared` tells which.

    Args:
        settings: Those of `click.option`.
    """
    return dataclasses.field(metadata=settings)


def declared(kind: type[Any]) -> list[Option]:
    """The options of the fields of a dataclass that `option` made, for `gathered`."""
    return [
        click.option(f"--{one.name.replace('_', '-')}", one.name, **one.metadata)
        for one in dataclasses.fields(kind)
        if one.metadata
    ]


def with_options(options: Sequence[Option]) -> Option:
    """A decorator that gives a command options, in the order in which help lists them."""

    def decorate(function: Command) -> Command:
        for one in reversed(options):
            function = one(function)
        return function

    return decorate


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


NEW_FILE: Final = click.Path(path_type=Path, dir_okay=False)
FILE = click.argument("file", metavar="FILE")
FILE_OR_DEMO: Final = (
    click.argument("file", metavar="[FILE]", required=False),
    click.option("--demo", is_flag=True, help="The demo company's chat log instead of a file."),
)
PAGES = click.option(
    "--pages",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder with the help pages that contexts name.",
)
PROFILE = click.option(
    "--profile",
    default="default",
    metavar="NAME",
    help="default, afas (the paper as published), or a profile file.",
)
LANGUAGE = click.option(
    "--language",
    default="auto",
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
OUTPUT = click.option(
    "-o",
    "--output",
    type=NEW_FILE,
    help="Write JSON lines to this file; it appears when it is whole.",
)
JSON = click.option(
    "--json", "as_json", is_flag=True, help="JSON lines on a terminal too, no table."
)


SCORING: Final = (PROFILE, PAGES, TERMS, LANGUAGE, ALL_TYPES, MAP)
"""With what a log is read and scored."""

scoring_options: Final = with_options((FILE, *SCORING))


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


def read_folder(folder: Path, language: str) -> tuple[list[Page], str]:
    """The pages of a folder, each once, and their language; ``auto`` has them vote.

    Raises:
        InputError: The folder is not there, or holds no page.
        UnknownLanguageError: The vote decides nothing.
    """
    pages = list({page.id: page for page in read_pages(folder).values()}.values())
    if language != "auto":
        return pages, language
    voted = vote([page.text[:_VOTE_CHARS] for page in pages])
    if voted.language is None:
        raise UnknownLanguageError(f"{folder}: {voted.reason}; state it with --language")
    return pages, voted.language


def refuse_both_or_neither(file: str | None, demo: bool) -> None:
    """Stops unless there is either a file or ``--demo``."""
    if (file is None) != demo:
        raise click.UsageError("Give either a FILE or --demo.")


def refuse_overwriting(
    output: Path | None, given: str | Path | None, what: str = "the input", option: str = "-o"
) -> None:
    """Stops at an output that is the file given, which is read."""
    if same_file(output, None if given is None else str(given)):
        raise click.UsageError(f"{output} is {what}; choose another file for {option}.")


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
