"""Options that several commands share, and how a chat log is opened with them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from glob import glob
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import click

from klopt.batch.formats import kind_of, packing_of
from klopt.batch.pages import read_pages
from klopt.batch.rows import Row
from klopt.errors import InputError, UnknownLanguageError
from klopt.indexing.building import spoken
from klopt.indexing.index_file import Index
from klopt.records import Page, field_names
from klopt.report.view import clean
from klopt.scoring.scorer import Scorer

_CODE: Final = re.compile(r"auto|[a-z]{2,3}")
_FOLLOW_LINKS: Final = "klopt.follow_links"

Command = Callable[..., Any]
Option = Callable[[Command], Command]


def gathered(kind: type[Any], options: Iterable[Option] = ()) -> Option:
    """A decorator that gives a command options, and their values as one first argument.

    Of two such decorators the lower one fills the first argument.

    Args:
        kind: A dataclass with a field for each option, by its name; others keep their defaults.
        options: In the order in which help lists them, before those that its fields declare.
    """
    names = [one.name for one in dataclasses.fields(kind)]
    every: list[Option] = [
        *options,
        *(
            click.option(f"--{one.name.replace('_', '-')}", one.name, **one.metadata)
            for one in dataclasses.fields(kind)
            if one.metadata
        ),
    ]

    def decorate(function: Command) -> Command:
        @wraps(function)
        def run(*before: object, **given: object) -> object:
            own = {name: given.pop(name) for name in names if name in given}
            return function(kind(**own), *before, **given)

        return with_options(every)(run)

    return decorate


def option(**settings: Any) -> Any:  # noqa: ANN401 (the field may be of any type)
    """A field of a dataclass that is an option by the same name, for `gathered`.

    Args:
        settings: Those of `click.option`.
    """
    return dataclasses.field(metadata=settings)


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
        ours, _sign, theirs = value.partition("=")
        if not ours or not theirs:
            raise click.BadParameter(f'"{value}" is not of the form answer=bot_text')
        names[ours.strip()] = theirs.strip()
        if ours.strip() not in field_names():
            allowed = ", ".join(field_names())
            raise click.BadParameter(f'there is no field "{ours}" to map; the fields are {allowed}')
    return names


def _json_lines(_: click.Context, __: click.Parameter, path: Path | None) -> Path | None:
    if path is not None and (packing_of(path) or kind_of(path) not in (None, "jsonl")):
        raise click.BadParameter(
            f"{path}: this command writes JSON lines; give a name that ends in .jsonl"
        )
    return path


def output_to(help: str, *, required: bool = False, **settings: Any) -> Option:  # noqa: ANN401 (click's)
    """``-o``, for a file that appears when it is whole."""
    return click.option("-o", "--output", required=required, type=NEW_FILE, help=help, **settings)


NEW_FILE: Final = click.Path(path_type=Path, dir_okay=False)
FILE = click.argument("file", metavar="FILE")
FILE_OR_DEMO: Final = (
    click.argument("file", metavar="[FILE]", required=False),
    click.option("--demo", is_flag=True, help="The demo company's chat log instead of a file."),
)
LINKS = click.option(
    "--follow-links",
    is_flag=True,
    expose_value=False,
    callback=lambda context, _, value: context.meta.update({_FOLLOW_LINKS: value}),
    help="Also read pages that are links to files outside their folder.",
)
PAGES = with_options(
    (
        click.option(
            "--pages",
            type=click.Path(path_type=Path),
            metavar="DIR",
            help="Folder with the help pages that contexts name.",
        ),
        LINKS,
    )
)
FOLDER = with_options(
    (
        click.option(
            "--pages",
            required=True,
            type=click.Path(path_type=Path),
            metavar="DIR",
            help="Folder with the help pages.",
        ),
        LINKS,
    )
)
INDEX = with_options(
    (
        click.option(
            "--index",
            type=click.Path(path_type=Path),
            callback=lambda _, __, path: None if path is None else Index.open(path),
            metavar="FILE",
            help="Pages read ahead by `klopt index build`: contexts name them as those of --pages.",
        ),
        click.option(
            "--retrieve",
            type=click.IntRange(0, 50),
            default=0,
            metavar="K",
            help="Give rows without contexts the K pages of --index that fit the question best.",
        ),
    )
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
OUTPUT = output_to(
    "Write JSON lines to this file; it appears when it is whole.", callback=_json_lines
)
JSON = click.option(
    "--json", "as_json", is_flag=True, help="JSON lines on a terminal too, no table."
)


def with_language(rows: Iterable[Row], language: str) -> Iterator[Row]:
    """The rows, each with the stated language unless it states its own."""
    for row in rows:
        if row.turn is not None and row.turn.language == "auto" and language != "auto":
            row = dataclasses.replace(row, turn=dataclasses.replace(row.turn, language=language))
        yield row


def pages_in(folder: Path) -> dict[str, Page]:
    """The pages of a folder by name, as `read_pages`, with links as ``--follow-links`` says."""
    follow_links = click.get_current_context().meta.get(_FOLLOW_LINKS, False)
    return read_pages(folder, follow_links=follow_links, warn=warn)


def read_folder(folder: Path, language: str) -> dict[str, list[Page]]:
    """The pages of a folder, each once, by language: the stated one first, or that of the most.

    Each page votes; those that decide nothing are in the first language.

    Raises:
        InputError: The folder is not there, or holds no page.
        UnknownLanguageError: No page decides anything.
    """
    pages = list({page.id: page for page in pages_in(folder).values()}.values())
    try:
        first, told = spoken(pages, language)
    except UnknownLanguageError as error:
        raise UnknownLanguageError(f"{folder}: {error}") from None
    found: dict[str, list[Page]] = {first: []}
    for page, one in zip(pages, told, strict=True):
        found.setdefault(one, []).append(page)
    return found


def globbed(files: Iterable[str]) -> list[str]:
    """The files, and those that names with * or ? stand for, by name.

    Raises:
        InputError: None fits a name.
    """
    found: list[str] = []
    for file in files:
        is_one = file == "-" or Path(file).exists()
        fitting = [file] if is_one else sorted(glob(file))  # noqa: PTH207 (may be absolute)
        if not fitting:
            raise InputError(f"{file}: there is no such file")
        found += fitting
    return found


def refuse_both_or_neither(file: str | None, demo: bool) -> None:
    """Stops unless there is either a file or ``--demo``."""
    if (file is None) != demo:
        raise click.UsageError("Give either a FILE or --demo.")


def refuse_overwriting(
    outputs: Mapping[str, Path | None], read: Mapping[str, Iterable[str | Path | None]]
) -> None:
    """Stops at an output that is read here, and at two that are one file.

    Args:
        outputs: The option of each.
        read: What files are, in a message, and the files; None and "-" are none.
    """
    for option, output in outputs.items():
        for what, files in read.items():
            if output is not None and any(same_file(output, file) for file in files):
                raise click.UsageError(f"{output} is {what}; choose another file for {option}.")
    given = [(option, output) for option, output in outputs.items() if output is not None]
    for (first, output), (second, other) in combinations(given, 2):
        if output.resolve() == other.resolve():
            raise click.UsageError(f"{first} and {second} are both {output}.")


def same_file(output: Path, given: str | Path | None) -> bool:
    """Whether an output would overwrite what is read."""
    if given is None or given == "-":
        return False
    return output.exists() and Path(given).exists() and output.samefile(given)


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
    if scorer.setup.translate is not None:
        if not _CODE.fullmatch(language):
            raise click.UsageError(f'"{language}" is no code of a language, such as nl, de or fr.')
        return
    if language != "auto" and language not in known:
        raise UnknownLanguageError(
            f'profile "{scorer.profile.name}" has no language "{language}"; it has '
            f"{', '.join(known)}, and auto votes for each row"
        )
