"""Rows of a file, as they are read; one that cannot be read is kept, and says why."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from klopt.batch.formats import ENDINGS, ROW_LIMIT_CHARS, kind_of, lines_of, unpacked
from klopt.cached import Recent
from klopt.errors import InputError, RecordError
from klopt.records import Pages, Turn, field_of, row_id
from klopt.scoring.setup import is_budget

if TYPE_CHECKING:
    from klopt.batch.tables import Found

_IDS_SEEN: Final = 100_000


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the input: a turn, or why there is none.

    Attributes:
        number: Its line (JSONL) or row (CSV, Parquet), from 1.
        id: Its id; ``row-N`` when it has none.
        turn: The turn, or None.
        problem: What is wrong with the row, or None.
        warning: What was mended in it, or None.
        fields: The row as it was read, by the file's own names; empty when there is no turn.
        budget_ms: The time that there is to score it, where that is read; None for any.
        file: Its file, where several are read; its id is then ``FILE:row-N`` when it has none.
    """

    number: int
    id: str
    turn: Turn | None
    problem: str | None = None
    warning: str | None = None
    fields: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    file: str = ""
    budget_ms: float | None = None

    @property
    def place(self) -> str:
        """Where it stands, for messages."""
        return f"{self.file}, row {self.number}" if self.file else f"row {self.number}"


def read_rows(
    source: str,
    *,
    pages: Pages | None = None,
    names: Mapping[str, str] | None = None,
    with_contexts: bool = True,
    stated: str | None = None,
    file: str = "",
) -> Iterator[Row]:
    """The rows of a file, or of standard input (``-``, JSONL), one by one.

    Args:
        source: A path, or ``-``.
        pages: Pages that contexts may name.
        names: Our field name → the file's, where no alias fits.
        with_contexts: False leaves the contexts out.
        stated: As for `read_mappings`.
        file: What the rows say of their file, where several are read.

    Raises:
        InputError: The file is not there or of another kind.
        ExtraMissingError: Parquet without pyarrow, Excel without defusedxml.
    """
    return rows_of(
        read_mappings(source, names, stated),
        pages=pages,
        names=names,
        with_contexts=with_contexts,
        file=file,
    )


def rows_of(
    mappings: Iterable[Found],
    *,
    pages: Pages | None = None,
    names: Mapping[str, str] | None = None,
    with_contexts: bool = True,
    file: str = "",
    with_place: bool = True,
    with_budget: bool = False,
) -> Iterator[Row]:
    """The rows of mappings that were read already; else as `read_rows`."""
    told: set[str] = set()
    prefix = f"{Path(file).name}:" if file else ""
    for number, fields, warning in mappings:
        if isinstance(fields, str):
            yield Row(number, f"{prefix}row-{number}", None, fields, file=file)
            continue
        name = row_id(fields, names) or f"{prefix}row-{number}"
        try:
            turn = Turn.from_mapping(
                {**fields, "id": name},
                pages=pages,
                names={ours: theirs for ours, theirs in (names or {}).items() if ours != "id"},
                with_contexts=with_contexts,
            )
            budget_ms = _budget(fields) if with_budget else None
        except RecordError as error:
            row = Row(number, name, None, file=file)
            yield replace(row, problem=f"{row.place}: {error}" if with_place else str(error))
            continue
        is_whole = bool(turn.question and turn.answer)
        hint = None if is_whole else missing_fields(fields, names)
        if hint and hint not in told:
            told.add(hint)
            warning = f"{warning}; {hint}" if warning else hint
        yield Row(number, name, turn, None, warning, fields, file, budget_ms)


def _budget(fields: Mapping[str, Any]) -> float | None:
    given = fields.get("budget_ms")
    if given is not None and not is_budget(given):
        raise RecordError("budget_ms is not a number of milliseconds from 0")
    return given


def told(
    rows: Iterable[Row], warn: Callable[[str], None], *, one_each: bool = False
) -> Iterator[Row]:
    """The same rows; says which were mended, and which ids stood in one of the last rows too.

    With ``one_each`` a row whose id stood in any row before is refused: a file of replies has one
    answer for an id, so that it would be given the replies to another answer.
    """
    seen = Recent[str, str](sys.maxsize if one_each else _IDS_SEEN)
    for row in rows:
        if row.warning:
            warn(f"{row.place}: {row.warning}")
        if (before := seen.get(row.id)) is None:
            seen.put(row.id, row.place)
            yield row
            continue
        stood = f'{row.place}: id "{row.id}" stood in {before} too'
        if not one_each:
            warn(f"{stood}; both are kept")
            yield row
        elif row.turn is None:
            yield row
        else:
            problem = f"{stood}; replies on file are to one answer an id"
            yield replace(row, turn=None, problem=problem)


def missing_fields(
    row: Mapping[str, Any],
    names: Mapping[str, str] | None = None,
    needed: Iterable[str] = ("question", "answer"),
    cure: str = "--map {ours}={theirs}?",
) -> str | None:
    """What to say of a row without fields that are needed, which has some by other names.

    >>> missing_fields({"question": "Kan dat?", "reactie": "Ja."})
    'no field is read as answer; there are also reactie: --map answer=reactie?'
    """
    fields = {str(name): field_of(str(name), names) for name in row}
    missing = [name for name in needed if name not in fields.values()]
    others = [name[:40] for name, ours in fields.items() if ours is None][:12]
    if not missing or not others:
        return None
    told = f"no field is read as {' or '.join(missing)}; there are also {', '.join(others)}"
    return f"{told}: {cure.format(ours=missing[0], theirs=others[0])}"


def read_mappings(
    source: str, names: Mapping[str, str] | None, stated: str | None = None
) -> Iterator[Found]:
    """The rows of a file as they stand, with their number and what was mended in each."""
    path = Path(source)
    if source != "-" and not path.is_file():
        raise InputError(f"{source}: there is no such file")
    kind = stated or ("jsonl" if source == "-" else kind_of(path))
    if kind is None:
        raise InputError(
            f'{source}: "{path.suffix}" is not one of {", ".join(ENDINGS)}, or one with .gz or .zst'
        )
    where = "standard input" if source == "-" else source
    if kind in ("excel", "parquet"):
        if source == "-":
            raise InputError(f"{kind.title()} cannot be read from a pipe; give the file")
        if kind == "excel":
            from klopt.batch.spreadsheets import read_excel

            yield from read_excel(path, names)
        else:
            from klopt.batch.tables import read_parquet

            yield from read_parquet(path, names)
        return
    with unpacked(source) as data:
        match kind:
            case "csv":
                from klopt.batch.tables import read_csv

                yield from read_csv(data, where, names)
            case "arrow":
                from klopt.batch.tables import read_arrow

                yield from read_arrow(data, where, names)
            case _:
                yield from read_lines(lines_of(data, where), where)


def _decode(data: bytes) -> tuple[str, str | None]:
    """Text; what is not UTF-8 becomes U+FFFD and is told."""
    try:
        return data.decode("utf-8-sig"), None
    except UnicodeDecodeError as error:
        warning = f"byte {error.start + 1} is not UTF-8; read as U+FFFD"
        return data.decode("utf-8-sig", "replace"), warning


def read_lines(lines: Iterable[bytes], where: str, first: int = 1) -> Iterator[Found]:
    """Lines of JSON, as `read_mappings`."""
    for number, data in enumerate(lines, first):
        if len(data) > ROW_LIMIT_CHARS:
            problem = f"a line of more than {ROW_LIMIT_CHARS:,} bytes; is a line end missing?"
            yield number, f"{where}, line {number}: {problem}", None
            continue
        text, warning = _decode(data)
        if not text.strip():
            continue
        try:
            fields = json.loads(text)
        except (ValueError, RecursionError) as error:
            yield number, f"{where}, line {number}: not JSON: {error}", None
            continue
        if not isinstance(fields, dict):
            yield number, f"{where}, line {number}: not a JSON object but {text.strip()[:40]}", None
            continue
        yield number, fields, warning
