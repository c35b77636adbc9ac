"""Validate TOML files that people write with pydantic: every problem at once, with its line.

A schema consists of `Table` models whose values state what is allowed (`MustBe`). Importing
pydantic takes longer than loading klopt's own files, so only its tests validate those.
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

_CUSTOM: Final = "klopt"
_MAX_SHOWN_CHARS: Final = 60
_BARE: Final = re.compile(r"[\w-]+", re.ASCII)
_KEY: Final = r"""(?:"(?:\\.|[^"\\])*"|'[^']*'|[\w-]+)"""
_KEYS: Final = re.compile(rf"{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*")
_DECIMAL_COMMA: Final = re.compile(r"=[ \t]*([+-]?[0-9]+),([0-9]+)[ \t]*(?:#|\r?\Z)")
_BLANK: Final = re.compile(r"(?:[\s,=]|#[^\n]*)*")
_VALUE: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\])*"'
    r"|'[^']*'"
    r"|[^,\]}#\n]+",
    re.DOTALL,
)

Kind: TypeAlias = Any  # A type as pydantic takes it, annotated or not, possibly created at run time

TomlPath: TypeAlias = tuple[str | int, ...]  # keys, and indexes into lists and arrays of tables

Problem: TypeAlias = tuple[TomlPath, str]  # A path within a value, and what is wrong there


def custom_error(message: str) -> PydanticCustomError:
    """Return an error whose message is shown unchanged."""
    return PydanticCustomError(_CUSTOM, "{message}", {"message": message})


def _combined(problems: Iterable[Problem]) -> ValidationError:
    details = [
        InitErrorDetails(type=custom_error(message), loc=path, input=None)
        for path, message in problems
    ]
    return ValidationError.from_exception_data("", details)


@dataclass(frozen=True)
class MustBe:
    """What a value must be, in words that follow "is not" and "give"."""

    allowed: str

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return no_info_wrap_validator_function(self._check, handler(source))

    def _check(self, value: object, handler: ValidatorFunctionWrapHandler) -> object:
        try:
            return handler(value)
        except ValidationError as error:
            if any(detail["type"] == _CUSTOM for detail in error.errors()):
                raise
            raise custom_error(f"{shown(value)} is not {self.allowed}") from None


Text = Annotated[str, Field(pattern=r"\S"), MustBe("text")]
Number = Annotated[float, Field(allow_inf_nan=False), MustBe("a number")]


class Table(BaseModel):
    """A table that allows only the keys it declares."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)
    unknown: ClassVar[str] = "unknown key; allowed are {}"

    @classmethod
    def of(cls, unknown: str = unknown, /, **keys: Kind) -> type[Table]:
        """Create a table with these keys: key → type, or type and default of an optional key."""
        fields: dict[str, Any] = {
            key: kind if isinstance(kind, tuple) else (kind, ...) for key, kind in keys.items()
        }
        table: type[Table] = create_model("Table", __base__=cls, **fields)
        table.unknown = unknown
        return table

    @model_validator(mode="wrap")
    @classmethod
    def _reword(cls, value: object, handler: ModelWrapValidatorHandler[Table]) -> Table:
        try:
            return handler(value)
        except ValidationError as error:
            raise _combined((one["loc"], cls._message(one)) for one in error.errors()) from None

    @classmethod
    def _message(cls, error: ErrorDetails) -> str:
        match error["type"]:
            case "missing":
                field = cls.model_fields[str(error["loc"][0])]
                allowed = [one.allowed for one in field.metadata if isinstance(one, MustBe)]
                return f"missing; give {allowed[0] if allowed else _keys(field.annotation)}"
            case "extra_forbidden":
                return cls.unknown.format(", ".join(sorted(cls.model_fields)))
            case "model_type":
                return f"{shown(error['input'])} is not {_keys(cls)}"
        return error["msg"]


def _keys(table: Kind) -> str:
    return f"a table with {', '.join(sorted(table.model_fields))}"


def faults(find: Callable[[Any], Iterable[Problem]], *, once_right: bool = False) -> WrapValidator:
    """Return a validator that adds the problems that ``find`` reports of the value in the file.

    With ``once_right`` it is called only where the value's parts have no problems.
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
            raise _combined(problems)
        return checked

    return WrapValidator(check)


def list_of(kind: Kind, allowed: str, *checks: WrapValidator, least: int = 0) -> Kind:
    """Return the type of a list with a minimum length."""
    return Annotated[list[kind], Field(min_length=least), MustBe(allowed), *checks]


def distinct() -> WrapValidator:
    """Return a validator that refuses duplicates in a list."""

    def find(value: object) -> Iterator[Problem]:
        seen = set[str]()
        for number, entry in enumerate(value if isinstance(value, list) else ()):
            if repr(entry) in seen:
                yield (number,), f"{shown(entry)} occurs twice"
            seen.add(repr(entry))

    return faults(find)


def fitting(fits: Callable[[str], object], allowed: str) -> Kind:
    """Return the type of a text that meets a condition."""

    def check(text: str) -> str:
        if not fits(text):
            raise ValueError(text)
        return text

    return Annotated[str, AfterValidator(check), MustBe(allowed)]


def place() -> Kind:
    """Return the type of the name of a file or a folder."""
    return fitting(lambda text: text.strip() and "\0" not in text, "a file or a folder")


def one_of(names: Iterable[str], what: str = "one of ") -> Kind:
    """Return the type of a text that is one of a few names."""
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
    r"""Parse a TOML file and validate it.

    ``where`` names the file in messages; ``schema`` may depend on values in the table; ``whole``
    completes a table that extends another file. Raises ``error`` with every problem, one a line, in
    the order of the file: file and line, section and key, the value, what is allowed.

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
        raise error(f"{where}: not TOML: {fault}{_decimal_point(text, str(fault))}") from None
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
            "\n".join(f"{where}{f':{line}' if line else ''}: {what}" for line, what in problems)
        ) from None
    return table


def _decimal_point(text: str, fault: str) -> str:
    """Return a hint if the line of a fault has a number with a decimal comma."""
    line = re.search(r"at line ([0-9]+)", fault)
    found = line and _DECIMAL_COMMA.search(text.split("\n")[int(line[1]) - 1])
    return f"; write {found[1]}.{found[2]}, with a point" if found else ""


def _line(path: TomlPath, lines: Mapping[TomlPath, int]) -> int:
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 0)


def _place(path: TomlPath, table: Mapping[str, Any]) -> str:
    """Return ``[section] key`` for a path, such as ``[[tree]] 2 "missing" score``."""
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
    """Return a value as JSON for a message, shortened."""
    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= _MAX_SHOWN_CHARS else f"{text[:_MAX_SHOWN_CHARS]}…"


def toml_lines(text: str) -> dict[TomlPath, int]:
    r"""Return the line, from 1, of each table, key and list entry of a valid TOML file.

    >>> lines = toml_lines('[a]\nb = [\n  1,\n  2,\n]\n[[c]]\nd = 1\n[[c]]\nd = 2\n')
    >>> lines["a", "b", 1], lines["c", 1, "d"]
    (4, 9)
    """
    found: dict[TomlPath, int] = {}
    last_entries: dict[TomlPath, int] = {}

    def of_last_entry(table: TomlPath) -> TomlPath:
        return (*table, last_entries[table]) if table in last_entries else table

    table: TomlPath = ()
    at = _end(_BLANK, text, 0)
    while at < len(text):
        if text[at] == "[":
            is_entry = text.startswith("[[", at)
            start = _end(_BLANK, text, at + 1 + is_entry)
            end = _end(_KEYS, text, start)
            table = ()
            for key in _parts(text[start:end]):
                table = (*of_last_entry(table), key)
                found.setdefault(table, at)
            if is_entry:
                last_entries[table] = last_entries.get(table, -1) + 1
            table = of_last_entry(table)
            found[table] = at
            at = text.index("]", end) + 1 + is_entry
        else:
            at = _add_pair(text, at, table, found)
        at = _end(_BLANK, text, at)
    breaks = [match.start() for match in re.finditer("\n", text)]
    return {path: bisect(breaks, start) + 1 for path, start in found.items()}


def _add_pair(text: str, at: int, table: TomlPath, found: dict[TomlPath, int]) -> int:
    """Add a key and what its value holds; return the end of the value."""
    end = _end(_KEYS, text, at)
    for key in _parts(text[at:end]):
        table = (*table, key)
        found.setdefault(table, at)
    return _add_value(text, _end(_BLANK, text, end), table, found)


def _add_value(text: str, at: int, path: TomlPath, found: dict[TomlPath, int]) -> int:
    if text[at] not in "[{":
        return _end(_VALUE, text, at)
    is_list, count = text[at] == "[", 0
    at = _end(_BLANK, text, at + 1)
    while text[at] not in "]}":
        if is_list:
            found[*path, count] = at
            at, count = _add_value(text, at, (*path, count), found), count + 1
        else:
            at = _add_pair(text, at, path, found)
        at = _end(_BLANK, text, at)
    return at + 1


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else len(text)


def _parts(keys: str) -> list[str]:
    """Return the keys of a dotted key, without quotes."""
    table: Any = tomllib.loads(f"{keys} = 0")
    parts: list[str] = []
    while isinstance(table, dict):
        ((key, table),) = table.items()
        parts.append(key)
    return parts
