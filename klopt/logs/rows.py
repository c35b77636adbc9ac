"""Read the rows of a log; a row that cannot be read is kept, with the reason."""

from __future__ import annotations

import logging
import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, Final

from klopt._internal.cached import Recent
from klopt._internal.fields import Columns, rename, values_at
from klopt.errors import InputError, RecordError
from klopt.logs.formats import (
    ENDINGS,
    Extracted,
    Found,
    Names,
    Warn,
    kind_in,
    kind_of,
    lines_of,
    refuse_archive,
    unpacked,
)
from klopt.logs.json_rows import read_json, read_lines
from klopt.scoring.setup import is_budget
from klopt.types import Pages, Turn, are_page_names, field_names, field_of, row_id

_LOG: Final = logging.getLogger("klopt")
_RECENT_IDS: Final = 100_000  # Ids that are remembered to recognise duplicates
_SAMPLE_ROWS: Final = 20  # first rows, from which klopt suggests what to map
_HEAD_BYTES: Final = 512  # First bytes of a file by which archives are recognised
_FIELDS: Final = frozenset(field_names())
_VARYING: Final = re.compile(r'"[^"]*"|[0-9]+')  # What may differ between warnings of one kind


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the input: a turn, or why there is none.

    Its id is ``row-N``, or ``FILE:row-N`` if several files are read, if it has none. ``fields`` has
    the file's own names, and is empty without a turn; ``budget_ms`` is the time to score it.
    """

    number: int
    id: str
    turn: Turn | None
    problem: str | None = None
    warnings: tuple[str, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    file: str = ""
    budget_ms: float | None = None

    @property
    def place(self) -> str:
        """The row's position, for messages."""
        return f"{self.file}, row {self.number}" if self.file else f"row {self.number}"


def read_rows(
    source: str,
    *,
    pages: Pages | None = None,
    names: Names = None,
    with_contexts: bool = True,
    file: str = "",
    encoding: str | None = None,
    needed: Sequence[str] = ("question", "answer"),
    warn: Warn = _LOG.warning,
    suggest: Warn | None = None,
) -> Iterator[Row]:
    """Yield the rows of a file, or of standard input (``-``), one by one.

    A record that holds a conversation becomes its turns; see `klopt.logs.conversations`. ``names``
    maps our field names to paths in the file; contexts may name ``pages``; ``file`` is the name
    that the rows carry, if several files are read; ``needed`` are fields without which klopt
    suggests what to map; ``suggest`` gets that suggestion, and ``warn`` anything else that concerns
    the whole file. Raises InputError if the file does not exist, cannot be read, or its format is
    unknown.
    """
    where = "standard input" if source == "-" else source
    found = read_mappings(source, names, encoding)
    turns = _turns_in(found, names, warn, where)
    turns = _with_suggestion(turns, names, needed, suggest or warn, where)
    if with_contexts and pages and "contexts" not in (names or {}):
        pages = _named(pages)
        turns = _with_page_column(turns, names, pages, warn, where)
    return rows_of(
        turns, pages=pages, names=names, with_contexts=with_contexts, file=file, is_lenient=True
    )


def _turns_in(found: Iterable[Found], names: Names, warn: Warn, where: str) -> Iterator[Found]:
    """Yield the turns that rows hold; warn at the end about conversations that hold none.

    A conversation, a trace or a message becomes its turns: each answer of the bot with the user's
    last messages before it.
    """
    reader, added = None, 0
    columns = Columns()
    mapped = [path for ours, path in (names or {}).items() if ours in ("question", "answer")]
    for item, fields, warning in found:
        number = item + added
        if isinstance(fields, str) or any(values_at(fields, path) for path in mapped):
            yield number, fields, warning
            continue
        is_nested = any(isinstance(own, dict | list) for own in fields.values())
        if columns.is_turn(fields) and ("contexts" in columns.of(fields) or not is_nested):
            yield number, fields, warning
            continue
        if reader is None:
            from klopt.logs.conversations import Conversations  # most logs hold none

            reader = Conversations(names)
        for more, turn in enumerate(reader.turns_of(fields)):
            if more and not isinstance(turn, Extracted):  # a list of rows in one item
                added += 1
            yield item + added, turn, warning
            warning = None
    if reader is not None and (problem := reader.problem()):
        warn(f"{where}: {problem}")


def _with_suggestion(
    found: Iterator[Found], names: Names, needed: Sequence[str], warn: Warn, where: str
) -> Iterator[Found]:
    """Yield the same rows; warn if none of the first has the needed and the mapped fields."""
    mapped = [path for ours, path in (names or {}).items() if ours in _FIELDS - {"id"}]
    sample: list[Found] = []
    for row in islice(found, _SAMPLE_ROWS):
        sample.append(row)
        if isinstance(row[1], str):
            continue
        if isinstance(row[1], Extracted):
            break
        read = {field_of(str(name), names) for name in row[1]}
        is_complete = all(values_at(row[1], path) for path in mapped)
        if is_complete and {*read, *(names or ())}.issuperset(needed):
            break
    else:
        fields = [row[1] for row in sample if not isinstance(row[1], str)]
        if fields:
            from klopt.logs.suggestions import suggested

            if hint := suggested(fields, names, needed, shlex.quote(where)):
                warn(f"{where}: {hint}")
    yield from chain(sample, found)


def _with_page_column(
    found: Iterator[Found], names: Names, pages: Pages, warn: Warn, where: str
) -> Iterator[Found]:
    """Yield the same rows; warn if a column of the first has names of pages but is not read."""
    columns: dict[str, bool] = {}  # whether all cells so far are names of pages
    for count, row in enumerate(found, 1):
        fields = row[1]
        if isinstance(fields, Extracted) or (
            isinstance(fields, Mapping) and "contexts" in rename(fields, "turn", {})
        ):
            yield from chain([row], found)
            return
        for name, value in () if isinstance(fields, str) else fields.items():
            if value and columns.get(name, True):
                is_free = isinstance(value, str) and field_of(str(name), names) is None
                columns[name] = is_free and are_page_names(value, pages)
        yield row
        if count == _SAMPLE_ROWS:
            break
    if column := next((name for name, is_named in columns.items() if is_named), None):
        option = shlex.quote(f"contexts={column}")
        warn(f'{where}: column "{column[:40]}" has names of your pages: --map {option}')
    yield from found


def rows_of(
    mappings: Iterable[Found],
    *,
    pages: Pages | None = None,
    names: Names = None,
    with_contexts: bool = True,
    file: str = "",
    with_place: bool = True,
    with_budget: bool = False,
    is_lenient: bool = False,
) -> Iterator[Row]:
    """Convert mappings to rows, as `read_rows`; ``with_place`` is for messages.

    An unknown page beside known ones is left out with a warning; with ``is_lenient`` an invalid
    message type or rating is, too.
    """
    prefix = f"{Path(file).name}:" if file else ""
    known = None if pages is None else _named(pages)
    for number, fields, warning in mappings:
        if isinstance(fields, str):
            yield Row(number, f"{prefix}row-{number}", None, fields, file=file)
            continue
        own = {} if isinstance(fields, Extracted) else names or {}
        name = row_id(fields, own) or f"{prefix}row-{number}"
        if isinstance(fields, Extracted) and fields.place > 1:
            name = f"{name}:{fields.place}"
        ignored: list[str] = []
        try:
            turn = Turn.from_mapping(
                {**fields, "id": name},
                pages=known,
                names={ours: path for ours, path in own.items() if ours in _FIELDS - {"id"}},
                with_contexts=with_contexts,
                ignored=ignored,
                only_contexts=not is_lenient,
            )
            budget_ms = fields.get("budget_ms") if with_budget else None
            if budget_ms is not None and not is_budget(budget_ms):
                raise RecordError("budget_ms is not a number of milliseconds from 0")
        except RecordError as error:
            row = Row(number, name, None, file=file)
            yield replace(row, problem=f"{row.place}: {error}" if with_place else str(error))
            continue
        warnings = (*((warning,) if warning else ()), *ignored)
        yield Row(number, name, turn, None, warnings, fields, file, budget_ms)


def _named(pages: Pages) -> Pages:
    from klopt._internal.page_names import NamedPages  # not needed without pages

    return pages if isinstance(pages, NamedPages) else NamedPages(pages)


class Warnings:
    """Warnings about rows, given once per kind with the number of rows."""

    def __init__(self, warn: Warn) -> None:
        self._warn = warn
        self._first: dict[str, tuple[str, str]] = {}
        self._counts: Counter[str] = Counter()

    def add(self, place: str, text: str) -> None:
        """Add a warning about a row."""
        kind = _VARYING.sub("", text)
        self._first.setdefault(kind, (place, text))
        self._counts[kind] += 1

    def give(self) -> None:
        """Give what was added."""
        for kind, (place, text) in self._first.items():
            more = self._counts[kind] - 1
            also = f" (and {more:,} more row{'s' if more > 1 else ''})" if more else ""
            self._warn(f"{place}: {text}{also}")
        self._first.clear()
        self._counts.clear()


def with_warnings(rows: Iterable[Row], warn: Warn, *, one_each: bool = False) -> Iterator[Row]:
    """Yield the same rows; at the end warn about repairs and duplicate ids, once per kind.

    With ``one_each`` a duplicate id is an error: recorded replies belong to one answer per id.
    """
    seen = Recent[str, str](sys.maxsize if one_each else _RECENT_IDS)
    warnings = Warnings(warn)
    try:
        for row in rows:
            for text in row.warnings:
                warnings.add(row.place, text)
            if (before := seen.get(row.id)) is None:
                seen.put(row.id, row.place)
                yield row
                continue
            problem = f'id "{row.id}" is also the id of {before}'
            if one_each and row.turn is not None:
                problem += "; recorded replies belong to one answer per id"
                row = replace(row, turn=None, problem=f"{row.place}: {problem}")
            elif not one_each:
                warnings.add(row.place, f"{problem}; both are kept")
            yield row
    finally:
        warnings.give()


def read_mappings(source: str, names: Names, encoding: str | None = None) -> Iterator[Found]:
    """Yield the rows of a file unconverted; arguments as for `read_rows`."""
    path = Path(source)
    if source == "-":
        with unpacked(source, encoding) as data:
            yield from _rows_in(kind_in(data), data, "standard input", names)
        return
    if not path.is_file():
        is_other = path.exists()
        raise InputError(f"{source}: {'is not a file' if is_other else 'there is no such file'}")
    match kind_of(path):
        case None:
            with path.open("rb") as file:
                refuse_archive(file.read(_HEAD_BYTES), source)
            raise InputError(
                f'{source}: "{path.suffix}" is not one of {", ".join(ENDINGS)}, or one with .gz '
                "or .zst"
            )
        case "excel":
            from klopt.logs.tables import read_excel

            yield from read_excel(path, names)
        case "parquet":
            from klopt.logs.tables import read_parquet

            yield from read_parquet(path, names)
        case kind:
            with unpacked(source, encoding) as data:
                if kind in ("json", "jsonl", "text"):
                    kind = kind_in(data, kind)
                yield from _rows_in(kind, data, source, names)


def _rows_in(kind: str, data: BinaryIO, where: str, names: Names) -> Iterator[Found]:
    if kind == "json":
        return read_json(data, where)
    if kind == "jsonl":
        return read_lines(lines_of(data, where), where)
    if kind == "csv":
        from klopt.logs.csv_rows import read_csv  # logs of JSON do not need it

        return read_csv(data, where, names)
    if kind == "arrow":
        from klopt.logs.tables import read_arrow

        return read_arrow(data, where, names)
    raise InputError(f"{where}: {kind.title()} cannot be read from a pipe; give the file")
