"""A row that `klopt score` wrote, and its row of the log."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, dataclass, field, fields
from datetime import date, datetime
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NotRequired, get_type_hints

from klopt._internal import shipped
from klopt.errors import RecordError
from klopt.evaluation.rated import rating_of
from klopt.scoring.assessment import COLUMNS, OLD_CLAIMS, CheckedClaim
from klopt.scoring.tree import HIGHEST, LOWEST, Verdict
from klopt.text.markup import without_html
from klopt.types import Evidence, EvidenceKind, Measurement, Turn

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from pydantic import BaseModel, TypeAdapter

_AGAINST: Final[EvidenceKind] = "unsupported"
_NO_ROW: Final = "this is not a row of `klopt score`"
_FROM: Final = date(1990, 1, 1)
_UNTIL: Final = date(2100, 1, 1)
_DAY_FIRST: Final = re.compile(r"\A(\d{1,2})[-.](\d{1,2})[-.](\d{4})(?!\d)")
_LONGEST_TIME_CHARS: Final = 40


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """The columns of a scored answer that a report needs.

    Measurements have unsupported evidence, claims no slots; ``pages`` are all pages with evidence;
    ``parts`` are the starts and texts of the answer's parts; ``reason`` says why there is no score.
    """

    id: str
    verdict: Verdict
    status: str
    score: float | None = None
    reason_code: str | None = None
    reason: str | None = None
    language: str | None = None
    message_type: str | None = None
    rule: str | None = None
    abstained: bool = False
    measurements: Mapping[str, Measurement] = field(default_factory=dict)
    claims: tuple[CheckedClaim, ...] = ()
    explanation: str = ""
    fingerprint: str = ""
    parts: tuple[tuple[int, str], ...] = ()
    pages: tuple[str, ...] = ()

    def is_of(self, answer: str) -> bool:
        """Whether the parts of the scored answer are in a text, at their places.

        >>> row = ScoredRow("7", "send", "scored", parts=((0, "Ja."), (4, "Dat kan.")))
        >>> row.is_of("Ja. Dat kan."), row.is_of("Nee. Dat kan.")
        (True, False)
        """
        return all(answer.startswith(text, start) for start, text in self.parts)

    @classmethod
    def from_mapping(cls, row: Mapping[str, Any]) -> ScoredRow:
        """Read a row in any output format; lists and objects may be JSON texts.

        RecordError, with the invalid field, for any other row.

        >>> ScoredRow.from_mapping({"id": "7", "verdict": "send", "status": "scored"}).verdict
        'send'
        """
        given = {name: value for name, value in row.items() if value not in (None, "")}
        try:
            for name in ("measurements", "claims", OLD_CLAIMS, "parts"):
                if isinstance(value := given.get(name), str):
                    given[name] = json.loads(value)
            if isinstance(score := given.get("score"), str):  # as a Dutch spreadsheet saves it
                given["score"] = score.replace(",", ".")
            if isinstance(measured := given.get("measurements"), list):  # as in Parquet
                given["measurements"] = {record["name"]: record for record in measured}
            return cls._of(read_columns(cls, given))
        except RecordError:
            raise
        except KeyError as error:
            raise RecordError(f"{_NO_ROW}: no {error} is there") from None
        except (RecursionError, TypeError, ValueError) as error:
            raise RecordError(f"{_NO_ROW}: {error}") from None

    @classmethod
    def from_line(cls, line: bytes) -> ScoredRow | None:
        """Read a row of JSON Lines fast; None where `from_mapping` should report the problem."""
        try:
            found = {name: value for name, value in read_columns(cls, line).items() if value != ""}
            return cls._of(found) if "id" in found else None
        except (RecordError, ValueError):
            return None

    @classmethod
    def _of(cls, found: dict[str, Any]) -> ScoredRow:
        """Make a row of its columns."""
        measured: Mapping[str, Mapping[str, Any]] = found.get("measurements", {})
        stated: Sequence[Mapping[str, Any]] = found.get("claims", ())
        evidence = {name: record.get("evidence", ()) for name, record in measured.items()}
        pages = [place.page for each in stated if (place := each["passage"]) is not None]
        pages += [each.get("page") for shown in evidence.values() for each in shown]
        found["measurements"] = {
            name: Measurement(
                measured[name]["value"],
                measured[name].get("reason"),
                tuple(Evidence(**each) for each in against),
            )
            for name, shown in evidence.items()
            if (against := [each for each in shown if each["kind"] == _AGAINST])
        }
        found["claims"] = tuple(CheckedClaim(**each, slots=()) for each in stated)
        found["parts"] = tuple(
            (each["start"], str(each["text"])) for each in found.get("parts", ())
        )
        return cls(**found, pages=tuple(dict.fromkeys(filter(None, pages))))


def read_columns(kind: type[DataclassInstance], row: Mapping[str, Any] | bytes) -> dict[str, Any]:
    """Read the columns for which a dataclass has fields, from a row or a line; or RecordError."""
    from pydantic import ValidationError

    reader = _reader(kind)
    try:
        if isinstance(row, bytes):
            found = dict(reader.model_validate_json(row))
        else:
            found = dict(reader.model_validate(row))
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
    from pydantic import (
        AliasChoices,
        Field,
        create_model,
    )  # here, since the other commands do not need it
    from typing_extensions import TypedDict

    typed_dict: Any = TypedDict

    def record(kind: Any, /, *left_out: str, **other: Any) -> Any:  # noqa: ANN401 (types)
        hints = {**get_type_hints(kind), **other}
        made = {}
        for own in fields(kind):
            if own.name not in left_out:
                hint = hints[own.name]
                made[own.name] = hint if own.default is MISSING else NotRequired[hint]
        return typed_dict(kind.__name__, made)

    against: Any = record(Evidence, kind=Literal["unsupported"])
    other: Any = typed_dict(
        "Other", {"kind": Literal["supported", "found"], "page": NotRequired[str | None]}
    )
    evidence = Annotated[against | other, Field(discriminator="kind")]
    measured: Any = record(Measurement, evidence=tuple[evidence, ...])
    stated: Any = record(CheckedClaim, "slots")
    kinds: dict[str, Any] = {column.name: column.kind for column in COLUMNS}
    # As Any, since pydantic refuses the lone surrogates that the text of an answer may have.
    part: Any = typed_dict("Part", {"start": int, "text": Any})
    kinds |= {
        "measurements": dict[str, measured],
        "claims": tuple[stated, ...],
        "parts": tuple[part, ...],
    }
    read: dict[str, Any] = {}
    for own in fields(kind):
        if own.name in kinds:
            default = ... if own.default is MISSING else own.default
            default = default if own.default_factory is MISSING else own.default_factory()
            names = AliasChoices(own.name, OLD_CLAIMS) if own.name == "claims" else own.name
            read[own.name] = kinds[own.name], Field(default, validation_alias=names)
    return create_model(kind.__name__, **read)


@dataclass(frozen=True, slots=True)
class LogRow:
    """A row of the log: question, answer, day, and rating from 1 to 5."""

    question: str = ""
    answer: str = ""
    day: date | None = None
    rating: float | None = None

    @classmethod
    def of(cls, turn: Turn, fields: Mapping[str, Any], time: str | None = None) -> LogRow:
        """Make one of a turn and its fields; ``time`` names the field with the time."""
        question = without_html(turn.question)
        return cls(question, turn.answer, day_in(fields, time), rating_of(turn))


def day_in(fields: Mapping[str, Any], name: str | None = None) -> date | None:
    """Return the day of a row of a log, None if unknown.

    More fields may be in ``meta`` or ``metadata``; by default those of ``times.toml`` hold the
    time.

    >>> day_in({"meta": {"createdAt": "2026-11-23T09:30:00Z"}})
    datetime.date(2026, 11, 23)
    """
    values = {_fold(key): value for key, value in _named(fields)}
    wanted = _names() if name is None else (_fold(name),)
    return next((day for key in wanted if (day := day_of(values.get(key))) is not None), None)


def day_of(value: object) -> date | None:
    """Return the day of a time: ISO 8601, day-month-year, or (milli)seconds since 1970 in UTC.

    >>> day_of("23-11-2026 09:30"), day_of(1795426200), day_of("soon")
    (datetime.date(2026, 11, 23), datetime.date(2026, 11, 23), None)
    """
    if isinstance(value, str):
        text = value.strip()[:_LONGEST_TIME_CHARS]
        value = _DAY_FIRST.sub(lambda own: f"{own[3]}-{own[2]:0>2}-{own[1]:0>2}", text)
    readers: tuple[Callable[[Any], datetime], ...]
    readers = (_time().validate_python, datetime.fromisoformat)
    for read in readers:
        with suppress(TypeError, ValueError):  # as pydantic's error is
            day = read(value).date()
            return day if _FROM <= day < _UNTIL else None
    return None


@cache
def _time() -> TypeAdapter[datetime]:
    from pydantic import TypeAdapter

    return TypeAdapter(datetime)


def _named(fields: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the fields in a row's meta, then its own."""
    for key in ("metadata", "meta"):
        if isinstance(inner := fields.get(key), Mapping):
            yield from inner.items()
            yield from ((f"{key}.{name}", value) for name, value in inner.items())
    yield from fields.items()


@cache
def _names() -> tuple[str, ...]:
    return tuple(map(_fold, shipped.table("klopt.report", "times.toml")["fields"]))


@lru_cache(1024)
def _fold(name: object) -> str:
    return str(name).replace("_", "").replace("-", "").casefold()
