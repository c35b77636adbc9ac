"""Options: each declared where a command takes it, those that several share here."""

from __future__ import annotations

import dataclasses
import inspect
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from glob import glob
from itertools import combinations
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import click

from klopt.batch.formats import kind_of, packing_of
from klopt.cli.terminal import FORMS, counted, warn
from klopt.errors import InputError, UnknownLanguageError
from klopt.records import Page, field_names

if TYPE_CHECKING:
    from klopt.scoring.scorer import Scorer
    from klopt.scoring.setup import Setup

_CODE: Final = re.compile(r"auto|[a-z]{2,3}")
_DECLARED: Final = "klopt.declared"
_METAVARS: Final[Mapping[object, str]] = {Path: "FILE", int: "N"}
"""What help calls a value of a type, unless an option says otherwise."""

Run = Callable[..., int | None]


@dataclasses.dataclass(frozen=True, slots=True)
class Declared:
    """What click is told of an option or an argument, beside its name and its type."""

    names: tuple[str, ...]
    settings: Mapping[str, Any]
    kind: type[click.Parameter] = click.Option


def shared(help: str, *names: str, **settings: Any) -> Declared:  # noqa: ANN401 (click's)
    """An option as an annotation; its names are that of the parameter unless given."""
    return Declared(names, {"help": help, **settings})


def argument(metavar: str, **settings: Any) -> Declared:  # noqa: ANN401 (click's)
    """An argument as an annotation."""
    return Declared((), {"metavar": metavar, **settings}, click.Argument)


def option(help: str, *names: str, **settings: Any) -> Any:  # noqa: ANN401 (of any type)
    """An option of one command, as the default of a parameter or a field; as `shared`."""
    declared = shared(help, *names, **settings)
    return dataclasses.field(default=settings.get("default"), metadata={_DECLARED: declared})


def output_to(help: str, **settings: Any) -> Any:  # noqa: ANN401 (of any type)
    """``-o``, for a file that appears when it is whole."""
    return option(help, "-o", "--output", type=NEW_FILE, **settings)


def as_command(
    name: str, example: str, group: click.Group | None = None
) -> Callable[[Run], click.Command]:
    """A decorator that makes a command of a function.

    No output may be what another parameter reads, nor two of them one file.

    Its options are its parameters, in the order in which help lists them: an annotation or a
    default declares each, and a dataclass stands for all that its fields declare. The type says
    what click reads, how often, and whether it must be given.
    """

    def decorate(function: Run) -> click.Command:
        def checked(**given: Any) -> int | None:  # noqa: ANN401 (of any type)
            _refuse_overwriting(made.params, given)
            return function(**_values(function, given))

        made = click.Command(
            name,
            params=list(_parameters(function)),
            callback=checked,
            help=inspect.cleandoc(function.__doc__ or ""),
            epilog=f"Example: {example}",
        )
        if group is not None:
            group.add_command(made)
        return made

    return decorate


def _taken(of: Callable[..., Any]) -> Iterator[tuple[str, Any, list[Declared], Any]]:
    """Of each parameter or field: name, type, what is declared, and a default that is not None.

    Nothing is declared for a dataclass, whose fields declare.
    """
    if dataclasses.is_dataclass(of):
        defaults: dict[str, Any] = {taken.name: taken for taken in dataclasses.fields(of)}
    else:
        defaults = {
            taken.name: taken.default for taken in inspect.signature(of).parameters.values()
        }
    for name, hint in get_type_hints(of, include_extras=True).items():
        if (default := defaults.get(name)) is None:  # what is returned
            continue
        declared: list[Declared] = []
        if get_origin(hint) is Annotated:
            hint, *declared = get_args(hint)
        if isinstance(default, dataclasses.Field):
            declared = [*default.metadata.values()] or declared
            default = None if default.metadata else default.default
        is_left_out = default in (inspect.Parameter.empty, dataclasses.MISSING)
        yield name, hint, declared, None if is_left_out else default


def _parameters(of: Callable[..., Any]) -> Iterator[click.Parameter]:
    for name, hint, declared, default in _taken(of):
        if not declared:
            yield from _parameters(hint)
            continue
        first, *others = declared
        yield _parameter(name, hint, first, default)
        for other in others:
            yield click.Option(other.names, **other.settings)


def _parameter(name: str, hint: object, declared: Declared, default: object) -> click.Parameter:
    """What click is told, with what the type says."""
    settings = dict(declared.settings)
    if default is not None:
        settings["default"] = default
    kinds = get_args(hint) if get_origin(hint) in (UnionType, Union) else (hint,)
    kind, *_ = [each for each in kinds if each is not NoneType]
    is_needed = NoneType not in kinds and "default" not in settings and kind is not bool
    if get_origin(kind) is tuple and get_args(kind)[-1] is Ellipsis:
        kind, _ = get_args(kind)
        is_argument = declared.kind is click.Argument
        settings |= {"nargs": -1} if is_argument else {"multiple": True}
        is_needed &= is_argument
    if kind is bool:
        settings["is_flag"] = True
    elif get_origin(kind) is Literal:
        settings.setdefault("type", click.Choice(get_args(kind)))
    elif kind is Path:
        settings.setdefault("type", click.Path(path_type=Path))
    elif kind in (int, float):
        settings.setdefault("type", kind)
    if kind in _METAVARS:
        settings.setdefault("metavar", _METAVARS[kind])
    settings.setdefault("required", is_needed and not settings.get("multiple"))
    if declared.kind is click.Argument:
        return click.Argument([name], **settings)
    names = declared.names or (f"--{name.replace('_', '-')}",)
    return click.Option([*names, name], **settings)


def _values(of: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a function's parameters, or of a dataclass's fields."""
    return {
        name: given[name] if declared else hint(**_values(hint, given))
        for name, hint, declared, _ in _taken(of)
    }


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


def _plain(_: click.Context, __: click.Parameter, path: Path | None) -> Path | None:
    if path is not None and (packing_of(path) or kind_of(path) not in (None, "csv", "jsonl")):
        raise click.BadParameter(
            f"{path}: JSON lines or CSV is written here; give a name that ends in .jsonl or .csv"
        )
    return path


class Number(click.FloatRange):
    """A number in a range; click lets "nan" through each."""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number, where it is one."""
        found: float = super().convert(cast(float, value), param, ctx)
        if math.isnan(found):
            self.fail(f"{value} is not a number.", param, ctx)
        return found


NEW_FILE: Final = click.Path(path_type=Path, dir_okay=False)
"""A file that is written, and so none that the same command reads."""
OWN_FILE: Final = click.Path(path_type=Path, dir_okay=False)
"""A file that is read and may be written to."""
_READ: Final = re.compile("FILE|MEMORY|OUT|RATED|SCORES|WHO")
"""In what help calls a file that is read."""
MULTIPLE: Final = "may be given several times."
MOST_RETRIEVED: Final = 50
"""Pages that a row without contexts is given."""
_LINKS: Final = shared(
    "Also read pages that are links to files outside their folder.", "--follow-links", is_flag=True
)

File = Annotated[str, argument("FILE")]
FileOrNone = Annotated[str | None, argument("[FILE]")]
Demo = Annotated[bool, shared("The demo company's chat log instead of a file.")]
NoBrowser = Annotated[bool, shared("Only say the address, and open no browser.")]
CompanyFolder = Annotated[Path, argument("FOLDER")]
CompanyProfile = Annotated[
    str,
    shared(
        "A profile of the folder, such as customers.toml.",
        "--profile",
        default="profile.toml",
        metavar="NAME",
    ),
]
SourceFolder = Annotated[Path, argument("SOURCE_DIR"), _LINKS]
Pages = Annotated[
    Path | None, shared("Folder with the help pages that contexts name.", metavar="DIR"), _LINKS
]
PagesToRead = Annotated[Path, shared("Folder with the help pages.", metavar="DIR"), _LINKS]
ProfileName = Annotated[
    str,
    shared(
        "default, afas (the paper as published), or a profile file.",
        default="default",
        metavar="NAME",
    ),
]
Language = Annotated[
    str,
    shared(
        "nl, en, or auto: a vote for each row. A row's own language goes first. With --translate "
        "any other, such as de.",
        default="auto",
        metavar="CODE",
    ),
]
LanguageOfPages = Annotated[str, shared("nl, en, or auto: that of most pages.", default="auto")]
AllTypes = Annotated[bool, shared("Score every message type, not only the profile's.")]
Names = Annotated[
    dict[str, str],
    shared(
        f"A field by another name, such as answer=bot_text; {MULTIPLE}",
        "--map",
        multiple=True,
        callback=_names,
        metavar="OURS=THEIRS",
    ),
]
Terms = Annotated[
    tuple[Path, ...],
    shared(f"Company terms from `klopt company terms`; {MULTIPLE}", metavar="FILE"),
]
Output = Annotated[
    Path | None,
    shared(
        "Write to this file, CSV by its ending, else JSON lines; it appears when it is whole.",
        *("-o", "--output"),
        type=NEW_FILE,
        callback=_plain,
    ),
]


def format_of(forms: Sequence[str]) -> Declared:
    """``--format``, with these forms."""
    return shared(
        "In what form it is printed.",
        "--format",
        type=click.Choice(forms),
        show_default="table on a terminal, else jsonl",
    )


AS_JSON: Final = shared("The same as --format jsonl.", "--json", "form", flag_value="jsonl")
Format = Annotated[str | None, format_of(FORMS), AS_JSON]


@dataclasses.dataclass(frozen=True, kw_only=True)
class SetupOptions:
    """With what turns are scored: the options of a `klopt.scoring.setup.Setup`, and the pages."""

    profile: ProfileName = "default"
    pages: Pages = None
    index: Path | None = option(
        "Pages read ahead by `klopt index build`: contexts name them as those of --pages."
    )
    retrieve: int = option(
        "Give rows without contexts the K pages of --index that fit the question best.",
        type=click.IntRange(0, MOST_RETRIEVED),
        default=0,
        metavar="K",
    )
    terms: Terms = ()
    all_types: AllTypes = False

    def loaded(self) -> Setup:
        """The profile with the terms; without the pages, which are read when they are needed."""
        if self.retrieve and self.index is None:
            raise click.UsageError("--retrieve finds pages in an index: add --index FILE.")
        from klopt.scoring.profile import Profile
        from klopt.scoring.setup import Setup

        return Setup(Profile.load(self.profile), all_types=self.all_types, terms=self.terms)


def follows_links() -> bool:
    """Whether ``--follow-links`` was given."""
    return bool(click.get_current_context().params.get("follow_links", False))


def pages_in(folder: Path) -> dict[str, Page]:
    """The pages of a folder by name, as `read_pages`, with links as ``--follow-links`` says."""
    from klopt.batch.pages import read_pages

    return read_pages(folder, follow_links=follows_links(), warn=warn)


def read_folder(
    folder: Path, language: str, why_left_out: Callable[[str], str]
) -> tuple[str, list[Page]]:
    """The pages of a folder in one language, each once; says how many are in another.

    Each page votes; those that decide nothing are in the language of the most.
    """
    from klopt.indexing.building import spoken

    pages = list({page.id: page for page in pages_in(folder).values()}.values())
    try:
        first, told = spoken(pages, language)
    except UnknownLanguageError as error:
        raise UnknownLanguageError(f"{folder}: {error}") from None
    for other, count in Counter(spoken_in for spoken_in in told if spoken_in != first).items():
        warn(f"{folder}: {counted(count, 'page')} in {other} left out{why_left_out(other)}")
    return first, [page for page, spoken_in in zip(pages, told, strict=True) if spoken_in == first]


def globbed(_: click.Context, __: click.Parameter, files: tuple[str, ...]) -> tuple[str, ...]:
    """The files, and those that names with * or ? stand for, by name; a callback of click."""
    every: list[str] = []
    for file in files:
        is_one = file == "-" or Path(file).exists()
        fitting = [file] if is_one else sorted(glob(file))  # noqa: PTH207 (may be absolute)
        if not fitting:
            raise InputError(f"{file}: there is no such file")
        every += fitting
    return tuple(every)


def refuse(options: object, names: Iterable[str], why: str) -> None:
    """Stops at the first of these options that was given, and says why it is of no use."""
    for name in names:
        if getattr(options, name) not in (None, False):
            raise click.UsageError(f"--{name.replace('_', '-')} {why}.")


def refuse_both_or_neither(file: str | None, demo: bool) -> None:
    """Stops unless there is either a file or ``--demo``."""
    if (file is None) != demo:
        raise click.UsageError("Give either a FILE or --demo.")


def refuse_overwriting(option: str, output: Path, what: str, files: Iterable[str | Path]) -> None:
    """Stops where the output of an option is one of the files that are read, as ``what``."""
    if any(same_file(output, file) for file in files):
        raise click.UsageError(f"{output} is {what}; choose another file for {option}.")


def _refuse_overwriting(params: Sequence[click.Parameter], given: Mapping[str, Any]) -> None:
    """Stops at an output that another parameter reads, and at two outputs that are one file."""
    outputs: dict[str, Path] = {}
    read: list[tuple[str, str]] = []
    for param in params:
        values = given.get(str(param.name))
        if param.type is NEW_FILE:
            outputs |= {} if values is None else {param.opts[0]: values}
        elif values is not None and _READ.search(param.metavar or ""):
            what = "the input" if isinstance(param, click.Argument) else f"read by {param.opts[0]}"
            several = values if isinstance(values, tuple) else (values,)
            read += [(what, str(value).removeprefix("recorded:")) for value in several]
    for option, output in outputs.items():
        for what, file in read:
            refuse_overwriting(option, output, what, [file])
    for (first, output), (second, other) in combinations(outputs.items(), 2):
        if output.resolve() == other.resolve():
            raise click.UsageError(f"{first} and {second} are both {output}.")


def same_file(output: Path, given: str | Path) -> bool:
    """Whether an output would overwrite what is read."""
    return given != "-" and output.exists() and Path(given).exists() and output.samefile(given)


def check_language(language: str, scorer: Scorer) -> None:
    """Stops at a language that the profile does not have, unless it is read in translation."""
    if scorer.setup.translate is None:
        if language != "auto":
            scorer.setup.check_language(language)
    elif not _CODE.fullmatch(language):
        raise click.UsageError(f'"{language}" is no code of a language, such as nl, de or fr.')
