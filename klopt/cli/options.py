"""Options and arguments of the commands: how a command declares them, and those that it shares."""

from __future__ import annotations

import codecs
import dataclasses
import inspect
import math
import os
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
from click.core import ParameterSource

from klopt._internal.fields import CONVERSATION_NAMES
from klopt.cli.terminal import FORMS, counted, warn
from klopt.errors import InputError, UnknownLanguageError
from klopt.logs.formats import kind_of, packing_of
from klopt.retrieval import MAX_RETRIEVED
from klopt.types import Page, field_names

if TYPE_CHECKING:
    from klopt.retrieval.index_file import Index
    from klopt.scoring.scorer import Scorer
    from klopt.scoring.setup import Setup

EMBEDDER: Final = "KLOPT_EMBEDDER"  # environment variable: folder of the model of an index
MULTIPLE: Final = "may be given several times."
NEW_FILE: Final = click.Path(path_type=Path, dir_okay=False)  # Only written; no file that is read
OWN_FILE: Final = click.Path(path_type=Path, dir_okay=False)  # Read, and perhaps also written

_WRITTEN: Final = (None, "csv", "json", "jsonl", "text")  # `kind_of` names for ``-o``
_CODE: Final = re.compile(r"auto|[a-z]{2,3}")
_METAVARS: Final[Mapping[object, str]] = {Path: "FILE", int: "N"}
_READ: Final = re.compile("FILE|CACHE|OUT|RATED|SCORES|WHO")  # Metavars of files that are read

Run = Callable[..., int | None]


@dataclasses.dataclass(frozen=True, slots=True)
class Declared:
    """An option or argument as click needs it, without its parameter's name and type."""

    settings: Mapping[str, Any]
    names: tuple[str, ...] = ()
    kind: type[click.Parameter] = click.Option


def shared(help: str, *names: str, **settings: Any) -> Declared:  # noqa: ANN401 (click's)
    """Declare an option in an annotation; its name is the parameter's unless given."""
    return Declared({"help": help, **settings}, names)


def argument(metavar: str, **settings: Any) -> Declared:  # noqa: ANN401 (click's)
    """Declare an argument in an annotation."""
    return Declared({"metavar": metavar, **settings}, kind=click.Argument)


def option(help: str, *names: str, **settings: Any) -> Any:  # noqa: ANN401 (of any type)
    """Declare an option of one command, as the default of a parameter or field."""
    declared = shared(help, *names, **settings)
    return dataclasses.field(default=settings.get("default"), metadata={"declared": declared})


def output_to(help: str, **settings: Any) -> Any:  # noqa: ANN401 (of any type)
    """Declare ``-o``, a file that appears when it is complete."""
    return option(help, "-o", "--output", type=NEW_FILE, **settings)


def as_command(
    name: str, example: str, group: click.Group | None = None
) -> Callable[[Run], click.Command]:
    """Make a command of a function, whose parameters are its options and arguments.

    An annotation or a default declares each parameter; a dataclass stands for its fields. The
    command refuses an output file that it also reads, and two outputs to one file.
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


def _declarations(of: Callable[..., Any]) -> Iterator[tuple[str, Any, Declared | None, Any]]:
    """Yield name, type, declaration and default of each parameter of a function, or field.

    The declaration is None for a parameter that is a dataclass of options.
    """
    defaults = {name: own.default for name, own in inspect.signature(of).parameters.items()}
    if dataclasses.is_dataclass(of):
        defaults |= {own.name: own for own in dataclasses.fields(of)}
    for name, hint in get_type_hints(of, include_extras=True).items():
        if name not in defaults:  # the type of the result
            continue
        declared, default = None, defaults[name]
        if get_origin(hint) is Annotated:
            hint, declared = get_args(hint)
        if isinstance(default, dataclasses.Field):
            declared = default.metadata.get("declared", declared)
            default = default.default
        is_required = default in (inspect.Parameter.empty, dataclasses.MISSING)
        yield name, hint, declared, None if is_required else default


def _parameters(of: Callable[..., Any]) -> Iterator[click.Parameter]:
    for name, hint, declared, default in _declarations(of):
        if declared is None:
            yield from _parameters(hint)
        else:
            yield _parameter(name, hint, declared, default)


def _parameter(name: str, hint: object, declared: Declared, default: object) -> click.Parameter:
    """Return click's parameter, with the settings that follow from its type."""
    settings = dict(declared.settings)
    if default is not None:
        settings["default"] = default
    kinds = get_args(hint) if get_origin(hint) in (UnionType, Union) else (hint,)
    kind = next(each for each in kinds if each is not NoneType)
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
    return {
        name: given[name] if declared else hint(**_values(hint, given))
        for name, hint, declared, _ in _declarations(of)
    }


def given(*names: str) -> list[str]:
    """Return the options of these names as the user gave them to the current command."""
    context = click.get_current_context()
    words: list[str] = []
    for param in context.command.params:
        source = context.get_parameter_source(param.name or "")
        is_option = isinstance(param, click.Option)
        if is_option and param.name in names and source is ParameterSource.COMMANDLINE:
            for value in _texts(context.params[param.name]):
                words += [param.opts[0], *value]
    return words


def _texts(value: object) -> Iterator[list[str]]:
    """Yield the values of an option; none for a flag, several for one that was repeated."""
    if isinstance(value, Mapping):
        yield from ([f"{ours}={theirs}"] for ours, theirs in value.items())
    elif isinstance(value, tuple):
        yield from ([str(each)] for each in value)
    else:
        yield [] if value is True else [str(value)]


class Number(click.FloatRange):
    """A number in a range; click alone accepts "nan" in any range."""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number."""
        found: float = super().convert(cast(float, value), param, ctx)
        if math.isnan(found):
            self.fail(f"{value} is not a number.", param, ctx)
        return found


def _names(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    names: dict[str, str] = {}
    for value in values:
        ours, _sign, theirs = value.partition("=")
        if not ours or not theirs:
            raise click.BadParameter(
                f'"{value}" does not have the form OURS=THEIRS, such as answer=bot_text'
            )
        if ours.strip() not in (allowed := (*field_names(), *CONVERSATION_NAMES)):
            known = ", ".join(allowed)
            raise click.BadParameter(f'unknown field "{ours}"; the fields are {known}')
        names[ours.strip()] = theirs.strip()
    return names


def _encoding(_: click.Context, __: click.Parameter, name: str | None) -> str | None:
    from klopt._internal.decoding import is_encoding

    if name is not None and not is_encoding(name):
        raise click.BadParameter(
            f'"{name}" is not an encoding that Python supports; try utf-8, utf-16, cp1252 or cp850'
        )
    return name and codecs.lookup(name).name


def csv_or_json_lines(_: click.Context, __: click.Parameter, path: Path | None) -> Path | None:
    """Refuse a file whose ending is that of another format; a callback of click."""
    if path is not None and (packing_of(path) or kind_of(path) not in _WRITTEN):
        raise click.BadParameter(
            f"{path}: unsupported format; use a name that ends in .jsonl, .json or .csv"
        )
    return path


def format_of(forms: Sequence[str]) -> Declared:
    """Declare ``--format`` with these formats."""
    shown = "table on a terminal, else jsonl"
    return shared("Output format.", "--format", type=click.Choice(forms), show_default=shown)


File = Annotated[str, argument("FILE")]
FileOrNone = Annotated[str | None, argument("[FILE]")]
Demo = Annotated[bool, shared("Use the chat log of the demo company instead of FILE.")]
NoBrowser = Annotated[bool, shared("Print the address only; do not open a browser.")]
CompanyFolder = Annotated[Path, argument("FOLDER")]
CompanyProfile = Annotated[
    str,
    shared(
        "A profile in the folder, such as customers.toml.",
        "--profile",
        default="profile.toml",
        metavar="NAME",
    ),
]
Pages = Annotated[
    Path | None, shared("Folder of the help pages that contexts name.", metavar="DIR")
]
PagesToRead = Annotated[Path, shared("Folder of the help pages.", metavar="DIR")]
ProfileName = Annotated[
    str,
    shared(
        "default, afas (as published in the paper), or a profile file.",
        default="default",
        metavar="NAME",
    ),
]
Language = Annotated[
    str,
    shared(
        "Language of rows that state none: nl, en, or auto to detect it. With --translate also "
        "other languages, such as de.",
        default="auto",
        metavar="CODE",
    ),
]
LanguageOfPages = Annotated[
    str, shared("Language of the pages: nl, en, or auto for the most common one.", default="auto")
]
AllTypes = Annotated[bool, shared("Score all message types, not only those of the profile.")]
Names = Annotated[
    dict[str, str],
    shared(
        "Read a field under another name or path, such as answer=reply.parts[0].text, or say who "
        f"is who in conversations, such as bot=Anna; {MULTIPLE}",
        "--map",
        multiple=True,
        callback=_names,
        metavar="OURS=THEIRS",
    ),
]
Encoding = Annotated[
    str | None,
    shared(
        "Encoding of text files, such as cp1252 or utf-16.",
        callback=_encoding,
        show_default="detected",
        metavar="NAME",
    ),
]
Terms = Annotated[
    tuple[Path, ...],
    shared(f"Company terms from `klopt company terms`; {MULTIPLE}", metavar="FILE"),
]
Output = Annotated[
    Path | None,
    shared(
        "Write to this file: CSV or JSON if it ends in .csv or .json, else JSON lines.",
        *("-o", "--output"),
        type=NEW_FILE,
        callback=csv_or_json_lines,
    ),
]
Format = Annotated[str | None, format_of(FORMS)]


@dataclasses.dataclass(frozen=True, kw_only=True)
class SetupOptions:
    """The options of a `klopt.scoring.setup.Setup`, and the pages."""

    profile: ProfileName = "default"
    pages: Pages = None
    index: Path | None = option(
        "Index file of the help pages, from `klopt index build`; an alternative to --pages."
    )
    retrieve: int = option(
        "Find K pages in --index or --pages for each row without contexts. An index with vectors "
        f"needs its model's folder in {EMBEDDER}.",
        type=click.IntRange(0, MAX_RETRIEVED),
        default=0,
        metavar="K",
    )
    terms: Terms = ()
    all_types: AllTypes = False

    def loaded(self) -> Setup:
        """Return the profile with the terms, without pages."""
        if self.retrieve and self.index is None and self.pages is None:
            raise click.UsageError(
                "--retrieve needs pages to find: add --pages DIR or --index FILE."
            )
        from klopt.scoring.profile import Profile
        from klopt.scoring.setup import Setup

        return Setup(Profile.load(self.profile), all_types=self.all_types, terms=self.terms)


def open_index(path: Path) -> Index:
    """Open an index; if it has vectors, with the model in the folder that `EMBEDDER` names."""
    from klopt.retrieval.index_file import Index

    index = Index.open(path)
    folder = os.environ.get(EMBEDDER)
    return Index.open(path, folder) if folder and index.encoder is not None else index


def pages_in(folder: Path) -> dict[str, Page]:
    """Return the pages of a folder by name."""
    from klopt.logs.pages import read_pages

    return read_pages(folder, warn=warn)


def pages_in_one_language(
    folder: Path, language: str, why_left_out: Callable[[str], str]
) -> tuple[str, list[Page]]:
    """Return a language and the pages of a folder in it; warn about pages in other languages.

    ``why_left_out`` returns the end of the warning for a language.
    """
    from klopt.retrieval.building import page_languages

    pages = list({page.id: page for page in pages_in(folder).values()}.values())
    try:
        first, languages = page_languages(pages, language)
    except UnknownLanguageError as error:
        raise UnknownLanguageError(f"{folder}: {error}") from None
    for other, count in Counter(code for code in languages if code != first).items():
        warn(f"{folder}: {counted(count, 'page')} in {other} left out{why_left_out(other)}")
    return first, [page for page, code in zip(pages, languages, strict=True) if code == first]


def globbed(_: click.Context, __: click.Parameter, files: tuple[str, ...]) -> tuple[str, ...]:
    """Replace names with * or ? by the files that match; a callback of click."""
    every: list[str] = []
    for file in files:
        is_one = file == "-" or Path(file).exists()
        every += (own := [file] if is_one else sorted(glob(file)))  # noqa: PTH207 (may be absolute)
        if not own:
            raise InputError(f"{file}: there is no such file")
    return tuple(every)


def refuse(options: object, names: Iterable[str], why: str) -> None:
    """Raise a usage error for the first of these options that was given."""
    for name in names:
        if getattr(options, name) not in (None, False):
            raise click.UsageError(f"--{name.replace('_', '-')} {why}.")


def refuse_both_or_neither(file: str | None, demo: bool) -> None:
    """Raise a usage error unless either a file or ``--demo`` was given."""
    if (file is None) != demo:
        raise click.UsageError("Give either a FILE or --demo.")


def refuse_overwriting(option: str, output: Path, what: str, files: Iterable[str | Path]) -> None:
    """Raise a usage error if an output is one of the files that are read, described as ``what``."""
    if any(same_file(output, file) for file in files):
        raise click.UsageError(f"{output} is {what}; choose another file for {option}.")


def _refuse_overwriting(params: Sequence[click.Parameter], given: Mapping[str, Any]) -> None:
    outputs: list[tuple[str, Path]] = []
    read: list[tuple[str, str]] = []
    for param in params:
        values = given.get(str(param.name))
        several = () if values is None else values if isinstance(values, tuple) else (values,)
        if param.type is NEW_FILE:
            outputs += [(param.opts[0], value) for value in several]
        elif _READ.search(param.metavar or ""):
            what = "the input" if isinstance(param, click.Argument) else f"read by {param.opts[0]}"
            read += [(what, str(value).removeprefix("recorded:")) for value in several]
    for option, output in outputs:
        for what, file in read:
            refuse_overwriting(option, output, what, [file])
    for (first, output), (second, other) in combinations(outputs, 2):
        if output.resolve() == other.resolve():
            raise click.UsageError(
                f"{first} and {second} are both {output}; give each its own file."
            )


def same_file(output: Path, given: str | Path) -> bool:
    """Whether writing the output would overwrite the given file."""
    return given != "-" and output.exists() and Path(given).exists() and output.samefile(given)


def check_language(language: str, scorer: Scorer) -> None:
    """Raise an error for a language that the profile lacks, unless answers are translated."""
    if scorer.setup.translate is None:
        if language != "auto":
            scorer.setup.check_language(language)
    elif not _CODE.fullmatch(language):
        raise click.UsageError(f'"{language}" is not a language code such as nl, de or fr.')
