"""One row of what `klopt score` wrote, with what its log says beside it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import MISSING, dataclass, field, fields
from datetime import date, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from klopt import shipped
from klopt.errors import RecordError
from klopt.evaluation.rated import rating_of
from klopt.measurement import Measurement
from klopt.records import Turn
from klopt.scoring.assessment import COLUMNS, CheckedStatement
from klopt.scoring.profile import Verdict
from klopt.scoring.tree import HIGHEST, LOWEST

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from pydantic import BaseModel, TypeAdapter

_NO_ROW: Final = "this is no row of `klopt score`"
_FROM: Final = date(1990, 1, 1)
_UNTIL: Final = date(2100, 1, 1)
_DAY_FIRST: Final = re.compile(r"\A(\d{1,2})[-.](\d{1,2})[-.](\d{4})(?!\d)")
_LONGEST_TIME_CHARS: Final = 40


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """What a report needs of a scored answer: some of `COLUMNS`, as `klopt score` wrote them.

    Of ``measurements`` it has what found no page, or a page against; ``pages`` are all that stand
    behind the answer.
    """

    id: str
    verdict: Verdict
    status: str
    score: float | None = None
    reason_code: str | None = None
    language: str | None = None
    message_type: str | None = None
    rule: str | None = None
    abstained: bool = False
    measurements: Mapping[str, Measurement] = field(default_factory=dict)
    statements: tuple[CheckedStatement, ...] = ()
    explanation: str = ""
    pages: tuple[str, ...] = ()

    @classmethod
    def from_mapping(cls, row: Mapping[str, Any]) -> ScoredRow:
        """A row as `klopt score` wrote it, in any form: lists and objects may be JSON in a text.

        Raises:
            RecordError: It is none, with the field that tells.

        >>> ScoredRow.from_mapping({"id": "7", "verdict": "send", "status": "scored"}).verdict
        'send'
        """
        given = {name: value for name, value in row.items() if value not in (None, "")}
        try:
            for name in ("measurements", "statements"):
                if isinstance(value := given.get(name), str):
                    given[name] = json.loads(value)
            measured = given.get("measurements", {})
            if isinstance(measured, list):  # as in Parquet
                measured = {record["name"]: record for record in measured}
            evidence = [
                (name, record, record.get("evidence", ()))
                for name, record in dict(measured).items()
            ]
            given["measurements"] = {
                name: {**record, "evidence": against}
                for name, record, found in evidence
                if (against := [each for each in found if each.get("kind") == "unsupported"])
            }
            stated = (statement.get("passage") or {} for statement in given.get("statements", ()))
            shown = (each for _, _, found in evidence for each in found)
            named = (each.get("page") for every in (stated, shown) for each in every)
            pages = tuple(dict.fromkeys(filter(None, named)))
        except KeyError as error:
            raise RecordError(f"{_NO_ROW}: no {error} is there") from None
        except (AttributeError, RecursionError, TypeError, ValueError) as error:
            raise RecordError(f"{_NO_ROW}: {error}") from None
        return cls(**read_columns(cls, given), pages=pages)


def read_columns(kind: type[DataclassInstance], row: Mapping[str, Any]) -> dict[str, Any]:
    """Those of `COLUMNS` that a dataclass has fields of, as `klopt score` wrote them.

    Raises:
        RecordError: The row has not what they hold, with the field that tells.
    """
    from pydantic import ValidationError

    try:
        found = dict(_reader(kind).model_validate(row))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise RecordError(f"{_NO_ROW}: {where}: {first['msg']}") from None
    except RecursionError as error:
        raise RecordError(f"{_NO_ROW}: {error}") from None
    score = found.get("score")
    if score is not None and not LOWEST <= score <= HIGHEST:
        raise RecordError(f"{_NO_ROW}: score {score} is not 1 to 5")
    return found


@cache
def _reader(kind: type[DataclassInstance]) -> type[BaseModel]:
    from pydantic import create_model  # here, since the other commands do not need it

    kinds = {column.name: column.kind for column in COLUMNS}
    kinds["measurements"] = Mapping[str, Measurement]  # their weights are not read
    read: dict[str, Any] = {}
    for own in fields(kind):
        if own.name in kinds:
            default = ... if own.default is MISSING else own.default
            default = default if own.default_factory is MISSING else own.default_factory()
            read[own.name] = kinds[own.name], default
    return create_model(kind.__name__, **read)


@dataclass(frozen=True, slots=True)
class AskedRow:
    """What a log says of a row: the question, the answer, when, and a rating from 1 to 5."""

    question: str = ""
    answer: str = ""
    day: date | None = None
    rating: float | None = None

    @classmethod
    def of(cls, turn: Turn, fields: Mapping[str, Any], time: str | None = None) -> AskedRow:
        """That of a row of a log; ``time`` names the field that says when, as in `day_in`."""
        return cls(turn.question, turn.answer, day_in(fields, time), rating_of(turn))


def day_in(fields: Mapping[str, Any], name: str | None = None) -> date | None:
    """The day of a row of a log; None where it has none, or none that can be read.

    Args:
        fields: The row, which may have more in ``meta`` or ``metadata``.
        name: The field that says it; one of ``times.toml`` when left out.

    >>> day_in({"meta": {"createdAt": "2026-11-23T09:30:00Z"}})
    datetime.date(2026, 11, 23)
    """
    values = {_fold(key): value for key, value in _named(fields)}
    wanted = _names() if name is None else (_fold(name),)
    return next((day for key in wanted if (day := day_of(values.get(key))) is not None), None)


def day_of(value: object) -> date | None:
    """The day of a time: ISO 8601, day-month-year, or seconds (or thousandths) since 1970 in UTC.

    >>> day_of("23-11-2026 09:30"), day_of(1795426200), day_of("soon")
    (datetime.date(2026, 11, 23), datetime.date(2026, 11, 23), None)
    """
    if isinstance(value, str):
        value = _DAY_FIRST.sub(_year_first, value.strip()[:_LONGEST_TIME_CHARS])
    readers: tuple[Callable[[Any], datetime], ...]
    readers = (_time().validate_python, datetime.fromisoformat)
    for read in readers:
        with suppress(TypeError, ValueError):  # as pydantic's error is
            day = read(value).date()
            return day if _FROM <= day < _UNTIL else None
    return None


def _year_first(found: re.Match[str]) -> str:
    return f"{found[3]}-{found[2]:0>2}-{found[1]:0>2}"


@cache
def _time() -> TypeAdapter[datetime]:
    from pydantic import TypeAdapter

    return TypeAdapter(datetime)


def _named(fields: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The fields of a row, after those in its meta."""
    for key in ("metadata", "meta"):
        if isinstance(inner := fields.get(key), Mapping):
            yield from inner.items()
            yield from ((f"{key}.{name}", value) for name, value in inner.items())
    yield from fields.items()


@cache
def _names() -> tuple[str, ...]:
    return tuple(map(_fold, shipped.table("klopt.report", "times.toml")["fields"]))


def _fold(name: object) -> str:
    return str(name).replace("_", "").replace("-", "").casefold()
