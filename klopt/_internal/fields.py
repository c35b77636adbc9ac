"""The field names of logs: our own names, aliases, paths into objects, and values in messages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from klopt._internal import shipped
from klopt.errors import RecordError

CONVERSATION_NAMES: Final = ("messages", "role", "text", "sender", "conversation", "user", "bot")
"""Names that ``--map`` takes for conversations, besides the fields of a turn."""
_SHOWN_CHARS: Final = 60  # Characters of a value that a message shows
_STEP: Final = re.compile(r"\[(-?[0-9]{0,9})\]|[^.\[\]]+")  # of a path: a name, or a position
_PATH: Final = re.compile(rf"(?:{_STEP.pattern})(?:\.[^.\[\]]+|\[-?[0-9]{{0,9}}\])*")
_ADDRESS: Final = re.compile(r"https?://\S+|www\.\S+", re.IGNORECASE)
_SHAPES: Final = 256  # Sets of field names that `Columns` caches
_NOT_ALPHANUMERIC: Final = re.compile(r"[\W_]+")


class _Aliases(NamedTuple):
    """Aliases of the fields of a turn or a page.

    Attributes:
        names: Folded alias → our name, and the alias's rank from 0, the preferred one.
        paths: Our name → its aliases that are paths, by preference.
    """

    names: Mapping[str, tuple[str, int]]
    paths: Mapping[str, tuple[str, ...]]


@cache
def _aliases(kind: str) -> _Aliases:
    table = shipped.table("klopt._internal", "aliases.toml")[kind]
    names = {
        fold(alias): (ours, rank)
        for ours, aliases in table.items()
        for rank, alias in enumerate(aliases)
        if "." not in alias
    }
    paths = {ours: tuple(alias for alias in own if "." in alias) for ours, own in table.items()}
    return _Aliases(names, {ours: own for ours, own in paths.items() if own})


@cache
def field_names() -> tuple[str, ...]:
    """Return our own field names of a row, sorted."""
    return tuple(sorted({ours for ours, _ in _aliases("turn").names.values()}))


def field_of(
    name: str, names: Mapping[str, str] | None = None, *, kind: str = "turn"
) -> str | None:
    """Return our name for a field of a ``turn`` or ``page``, by ``--map`` or an alias, or None.

    >>> field_of("retrievedContexts"), field_of("colour")
    ('contexts', None)
    """
    for ours, theirs in (names or {}).items():
        if theirs == name:
            return ours
    known = _aliases(kind).names.get(fold(name))
    return None if known is None else known[0]


def shorten(text: str) -> str:
    """Shorten a value for a message."""
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"


def to_text(value: object, how: Callable[[object], str] = str) -> str:
    """Return a value as text, even if Python refuses to convert it."""
    try:
        return how(value)
    except (RecursionError, ValueError):
        return "a number with too many digits" if isinstance(value, int) else kind_of_value(value)


@lru_cache(4096)
def fold(name: str) -> str:
    """Return a name as names are compared: without case, spaces and punctuation.

    >>> fold("Pagina('s)"), fold("retrievedContexts") == fold("retrieved_contexts")
    ('paginas', True)
    """
    return _NOT_ALPHANUMERIC.sub("", name).casefold()


@lru_cache(1024)
def _readings(
    kind: str, names: tuple[str, ...]
) -> tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]:
    """Return our fields in rows with these names, each with its names and paths by preference."""
    aliases = _aliases(kind)
    found: dict[str, list[tuple[int, str]]] = {}
    for name in names:
        known = aliases.names.get(fold(to_text(name)))
        if known is not None:
            ours, rank = known
            found.setdefault(ours, []).append((-1 if name == ours else rank, name))
    paths = {
        ours: tuple(path for path in own if path in names or path.partition(".")[0] in names)
        for ours, own in aliases.paths.items()
    }
    fields = dict.fromkeys((*found, *(ours for ours, own in paths.items() if own)))
    return tuple(
        (
            ours,
            tuple(name for _, name in sorted(found.get(ours, ()), key=lambda each: each[0])),
            paths.get(ours, ()),
        )
        for ours in fields
    )


def rename(row: Mapping[str, Any], kind: str, names: Mapping[str, str]) -> dict[str, Any]:
    """Return a row under our own field names.

    An exact name takes precedence over an alias, an earlier alias over a later one, and a field
    with a value over one that is null.

    Raises:
        RecordError: ``names`` has an unknown field, or one that the row lacks.
    """
    for named in names:
        if named not in field_names():
            allowed = ", ".join(field_names())
            raise RecordError(f'there is no field "{named}" to map; the fields are {allowed}')
    fields: dict[str, Any] = {}
    for ours, own, paths in _readings(kind, tuple(row)):
        value = next((row[name] for name in own if row[name] is not None), None)
        if value is None and paths:
            inner = (value for path in paths for value in values_at(row, path))
            value = next((value for value in inner if value), None)
        if value is not None:
            fields[ours] = value
    for ours, theirs in names.items():
        found_values = values_at(row, theirs)
        if not found_values:
            raise RecordError(f'there is no field "{theirs}" to read as {ours}')
        is_several = len(found_values) > 1 or "[]" in theirs
        fields[ours] = found_values if is_several else found_values[0]
        if is_several and ours != "contexts" and all(isinstance(one, str) for one in found_values):
            fields[ours] = "\n".join(found_values)
    return {ours: value for ours, value in fields.items() if value is not None}


class Columns:
    """Which fields of a row are read as which of ours, by alias; cached by the field names."""

    def __init__(self) -> None:
        self._shapes: dict[tuple[Any, ...], Mapping[str, Any]] = {}

    def of(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return our field name → the name in a row."""
        names = tuple(row)
        if (known := self._shapes.get(names)) is None:
            if len(self._shapes) >= _SHAPES:
                self._shapes.clear()
            known = self._shapes[names] = rename({name: name for name in names}, "turn", {})
        return known

    def is_turn(self, row: Mapping[str, Any]) -> bool:
        """Whether a row has a question and an answer as texts, rather than a conversation."""
        columns = self.of(row)
        question, answer = (row.get(columns.get(name, "")) for name in ("question", "answer"))
        return (
            isinstance(question, str)
            and isinstance(answer, str)
            and (question[:1] not in ("{", "[") or opened(question) is question)
        )


def is_address(name: str) -> bool:
    """Whether a name is the address of a page on the web."""
    return _ADDRESS.fullmatch(name.strip()) is not None


def values_at(value: object, path: str) -> list[Any]:
    """Return the values at a path inside objects and lists; none if there is no such path.

    A text that holds JSON is parsed if the path continues inside it.

    >>> values_at({"reply": {"parts": [{"text": "Ja"}, {"text": "Nee"}]}}, "reply.parts[0].text")
    ['Ja']
    >>> values_at({"reply": '[{"text": "Ja"}, {"text": "Nee"}]'}, "reply[].text")
    ['Ja', 'Nee']
    """
    if isinstance(value, Mapping) and path in value:
        return [value[path]]
    found = [value]
    for step in _steps(path):
        found = [inner for outer in found for inner in _inside(outer, step)]
    return found


@lru_cache(4096)
def _steps(path: str) -> tuple[str | int | None, ...]:
    """Return the steps of a path: a name, a position, or None for all items of a list.

    A text that is not a valid path is one name.
    """
    if not _PATH.fullmatch(path):
        return (path,)
    return tuple(
        match[0] if match[1] is None else int(match[1]) if match[1].strip("-") else None
        for match in _STEP.finditer(path)
    )


def _inside(value: object, step: str | int | None) -> list[Any]:
    value = opened(value)
    if isinstance(step, str):
        return [value[step]] if isinstance(value, Mapping) and step in value else []
    if not isinstance(value, list):
        return [value] if step is None and value is not None else []
    if step is None:
        return value
    return [value[step]] if -len(value) <= step < len(value) else []


def opened(value: object) -> object:
    """Return the object or list that a text holds as JSON; any other value unchanged.

    >>> opened('{"text": "Ja"}'), opened("{Ja}"), opened([1])
    ({'text': 'Ja'}, '{Ja}', [1])
    """
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def kind_of_value(value: object) -> str:
    """Return the type of a value, for messages."""
    match value:
        case None:
            return "None"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case list():
            return "a list"
        case str():
            return "text"
    return "an object" if isinstance(value, Mapping) else type(value).__name__
