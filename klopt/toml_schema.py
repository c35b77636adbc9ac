"""TOML files that people write, checked by pydantic: every problem at once, each with its line.

A schema is made of `Table` models whose values say what is allowed (`MustBe`). Importing pydantic
takes longer than loading klopt's own files, so those are checked by its tests instead.
"""

from __future__ import annotations

import json
import re
import tomllib
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Annotated, Any, ClassVar, Final, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    ModelWrapValidatorHandler,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    create_model,
    model_validator,
)
from pydantic_core import CoreSchema, ErrorDetails, InitErrorDetails, PydanticCustomError
from pydantic_core.core_schema import no_info_wrap_validator_function

from klopt.errors import ConfigurationError

_TOLD: Final = "told"
_LONGEST_SHOWN_CHARS: Final = 60
_BARE: Final = re.compile(r"[\w-]+", re.ASCII)
_KEY: Final = r"""(?:"(?:\\.|[^"\\])*"|'[^']*'|[\w-]+)"""
_KEYS: Final = re.compile(rf"{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*")
_BLANK: Final = re.compile(r"(?:[\s,=]|#[^\n]*)*")
_VALUE: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\])*"'
    r"|'[^']*'"
    r"|[^,\]}#\n]+",
    re.DOTALL,
)

Kind: TypeAlias = Any
"""What a value may be, as pydantic takes it: a type, annotated or not, that may be made here."""

TomlPath: TypeAlias = tuple[str | int, ...]
"""Keys from the top, and the place, from 0, in a list or among the tables of one name."""

Problem: TypeAlias = tuple[TomlPath, str]
"""Where in a value, and what is wrong there."""


def told(sentence: str) -> PydanticCustomError:
    """An error of which the sentence stands in the message as it is."""
    return PydanticCustomError(_TOLD, "{sentence}", {"sentence": sentence})


def together(problems: Iterable[Problem]) -> ValidationError:
    """Several such errors as one."""
    return ValidationError.from_exception_data(
        "", [InitErrorDetails(type=told(said), loc=path, input=None) for path, said in problems]
    )


@dataclass(frozen=True)
class MustBe:
    """What a value must be, in the words that follow "is not" and "give"."""

    allowed: str

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return no_info_wrap_validator_function(self._check, handler(source))

    def _check(self, value: object, handler: ValidatorFunctionWrapHandler) -> object:
        try:
            return handler(value)
        except ValidationError as error:
            if any(one["type"] == _TOLD for one in error.errors()):
                raise
            raise told(f"{shown(value)} is not {self.allowed}") from None


Text = Annotated[str, Field(pattern=r"\S"), MustBe("text")]
Number = Annotated[float, Field(allow_inf_nan=False), MustBe("a number")]


class Table(BaseModel):
    """A table with just the keys that it declares."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)
    unknown: ClassVar[str] = "unknown key; allowed are {}"

    @classmethod
    def of(cls, unknown: str = unknown, /, **keys: Kind) -> type[Table]:
        """A table with these keys: key → type, or type and default where it may be left out."""
        fields: dict[str, Any] = {
            key: kind if isinstance(kind, tuple) else (kind, ...) for key, kind in keys.items()
        }
        table: type[Table] = create_model("Table", __base__=cls, **fields)
        table.unknown = unknown
        return table

    @model_validator(mode="wrap")
    @classmethod
    def _tell(cls, value: object, handler: ModelWrapValidatorHandler[Table]) -> Table:
        try:
            return handler(value)
        except ValidationError as error:
            raise together((one["loc"], cls._sentence(one)) for one in error.errors()) from None

    @classmethod
    def _sentence(cls, error: ErrorDetails) -> str:
        fields, kind = cls.model_fields, error["type"]
        if kind == "missing":
            field = fields[str(error["loc"][0])]
            said = [one.allowed for one in field.metadata if isinstance(one, MustBe)]
            return f"missing; give {said[0] if said else _keys(field.annotation)}"
        if kind == "extra_forbidden":
            return cls.unknown.format(", ".join(sorted(fields)))
        if kind == "model_type":
            return f"{shown(error['input'])} is not {_keys(cls)}"
        return error["msg"]


def _keys(table: Kind) -> str:
    return f"a table with {', '.join(sorted(table.model_fields))}"


def faults(find: Callable[[Any], Iterable[Problem]], *, once_right: bool = False) -> WrapValidator:
    """Adds problems to those of a value's parts.

    Args:
        find: Gets the value as it is in the file.
        once_right: Looks only when the parts have no problems.
    """

    def check(value: object, handler: ValidatorFunctionWrapHandler) -> object:
        problems: list[Problem] = []
        try:
            checked = handler(value)
        except ValidationError as error:
            if once_right:
                raise
            problems = [(one["loc"], one["msg"]) for one in error.errors()]
        problems += find(value)
        if problems:
            raise together(problems)
        return checked

    return WrapValidator(check)


def list_of(kind: Kind, allowed: str, *checks: WrapValidator, least: int = 0) -> Kind:
    """A list of at least so many entries of a kind."""
    return Annotated[list[kind], Field(min_length=least), MustBe(allowed), *checks]


def distinct() -> WrapValidator:
    """No entry of a list stands twice."""

    def find(value: object) -> Iterator[Problem]:
        seen = set[str]()
        for number, entry in enumerate(value if isinstance(value, list) else ()):
            if repr(entry) in seen:
                yield (number,), f"{shown(entry)} stands twice"
            seen.add(repr(entry))

    return faults(find)


def fitting(fits: Callable[[str], object], allowed: str) -> Kind:
    """A text that meets a condition."""

    def check(text: str) -> str:
        if not fits(text):
            raise ValueError(text)
        return text

    return Annotated[str, AfterValidator(check), MustBe(allowed)]


def place() -> Kind:
    """A text that may name a file or a folder."""
    return fitting(lambda text: text.strip() and "\0" not in text, "a file or a folder")


def one_of(names: Iterable[str], what: str = "one of ") -> Kind:
    """A text that is one of a few names."""
    known = tuple(names)
    return fitting(known.__contains__, what + ", ".join(known))


def check(
    text: str,
    *,
    where: str,
    schema: Callable[[Mapping[str, Any]], type[Table]],
    error: type[ConfigurationError],
    whole: Callable[[dict[str, Any]], dict[str, Any]] = lambda table: table,
) -> dict[str, Any]:
    r"""The table of a TOML file that fits its schema.

    Args:
        text: The TOML source.
        where: The file's name, for the message.
        schema: The file's table → what it may hold, which may hang on some of it.
        error: What to raise.
        whole: The file's table → the table that is checked and given back, where the file says
            only what differs from another.

    Raises:
        ConfigurationError: Of the kind ``error``, with every problem, one a line, in the order of
            the file: file and line, section and key, what was met, what is allowed.

    >>> from klopt.errors import ProfileError
    >>> text = "[part]\nshare = 'all'\nnam = 'a'"
    >>> part = Table.of(name=Text, share=(Number, 1.0))
    >>> check(text, where="a.toml", schema=lambda _: Table.of(part=part), error=ProfileError)
    Traceback (most recent call last):
    klopt.errors.ProfileError: a.toml:1: [part] name: missing; give text
    a.toml:2: [part] share: "all" is not a number
    a.toml:3: [part] nam: unknown key; allowed are name, share
    """
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as fault:
        raise error(f"{where}: not TOML: {fault}") from None
    table = whole(table)
    try:
        schema(table).model_validate(table)
    except ValidationError as fault:
        lines = toml_lines(text)
        problems = [
            (_line(one["loc"], lines), f"{_place(one['loc'], table)}: {one['msg']}")
            for one in fault.errors()
        ]
        problems.sort(key=itemgetter(0))
        raise error(
            "\n".join(
                f"{where}:{line}: {said}" if line else f"{where}: {said}" for line, said in problems
            )
        ) from None
    return table


def _line(path: TomlPath, lines: Mapping[TomlPath, int]) -> int:
    """The line of the innermost part that is in the file, or 0."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 0)


def _place(path: TomlPath, table: Mapping[str, Any]) -> str:
    """``[section] key`` of a path, such as ``[[tree]] 2 "missing" score``."""
    value: Any = table
    names, number, keys, of_tables = list[str](), "", list[str](), False
    for depth, part in enumerate(path):
        try:
            value = value[part]
        except (IndexError, KeyError, TypeError):
            value = None if depth else {}
        of_tables = isinstance(value, list) and isinstance((value or [0])[0], dict)
        if isinstance(part, str) and part != "[key]":
            is_section = isinstance(value, dict) or of_tables
            (names if is_section else keys).append(part if _BARE.fullmatch(part) else shown(part))
        elif isinstance(value, dict):
            name = value.get("node", value.get("id"))
            number = f" {int(part) + 1}" + (f" {shown(name)}" if isinstance(name, str) else "")
        elif isinstance(part, int):
            keys.append(f"entry {part + 1}")
            break
    brackets = "[[{}]]" if number or of_tables else "[{}]"
    return " ".join([brackets.format(".".join(names)) + number] * bool(names) + keys)


def shown(value: object) -> str:
    """A value for a message, cut when it is long."""
    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= _LONGEST_SHOWN_CHARS else f"{text[:_LONGEST_SHOWN_CHARS]}…"


def toml_lines(text: str) -> dict[TomlPath, int]:
    r"""Where each table, key and entry of a file stands, as its line, from 1.

    Args:
        text: TOML that tomllib reads.

    >>> lines = toml_lines('[a]\nb = [\n  1,\n  2,\n]\n[[c]]\nd = 1\n[[c]]\nd = 2\n')
    >>> lines["a", "b", 1], lines["c", 1, "d"]
    (4, 9)
    """
    found: dict[TomlPath, int] = {}
    entries: dict[TomlPath, int] = {}
    table: TomlPath = ()
    at = _end(_BLANK, text, 0)
    while at < len(text):
        if text[at] == "[":
            is_entry = text.startswith("[[", at)
            start = _end(_BLANK, text, at + 1 + is_entry)
            end = _end(_KEYS, text, start)
            table = ()
            for key in _parts(text[start:end]):
                table = (*_of_entry(table, entries), key)
                found.setdefault(table, at)
            if is_entry:
                entries[table] = entries.get(table, -1) + 1
            table = _of_entry(table, entries)
            found[table] = at
            at = text.index("]", end) + 1 + is_entry
        else:
            at = _pair(text, at, table, found)
        at = _end(_BLANK, text, at)
    breaks = [match.start() for match in re.finditer("\n", text)]
    return {path: bisect(breaks, start) + 1 for path, start in found.items()}


def _of_entry(table: TomlPath, entries: dict[TomlPath, int]) -> TomlPath:
    """The last entry of an array of tables; any other table as it is."""
    return (*table, entries[table]) if table in entries else table


def _pair(text: str, at: int, table: TomlPath, found: dict[TomlPath, int]) -> int:
    """Notes a key and what its value holds; gives the end of the value."""
    end = _end(_KEYS, text, at)
    for key in _parts(text[at:end]):
        table = (*table, key)
        found.setdefault(table, at)
    return _value(text, _end(_BLANK, text, end), table, found)


def _value(text: str, at: int, path: TomlPath, found: dict[TomlPath, int]) -> int:
    if text[at] not in "[{":
        return _end(_VALUE, text, at)
    is_list, count = text[at] == "[", 0
    at = _end(_BLANK, text, at + 1)
    while text[at] not in "]}":
        if is_list:
            found[*path, count] = at
            at, count = _value(text, at, (*path, count), found), count + 1
        else:
            at = _pair(text, at, path, found)
        at = _end(_BLANK, text, at)
    return at + 1


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else len(text)


def _parts(keys: str) -> list[str]:
    """The keys of a dotted key, without their quotes."""
    table: Any = tomllib.loads(f"{keys} = 0")
    parts: list[str] = []
    while isinstance(table, dict):
        ((key, table),) = table.items()
        parts.append(key)
    return parts
