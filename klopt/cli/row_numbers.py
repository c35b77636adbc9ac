"""Numbers in a row of JSONL, CSV or Parquet: by name, inside objects, as text."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_TRUTH: Final = {"false": 0.0, "true": 1.0}
_DEEPEST: Final = 4


class _Nothing:
    """What `value_at` gives where there is no such field."""


ABSENT: Final = _Nothing()


def value_at(row: Mapping[str, Any], path: str) -> object:
    """What a row holds under a name, or under names inside objects with dots between them.

    >>> value_at({"meta": {"bleu": 0.4}, "a.b": 1}, "meta.bleu")
    0.4
    """
    if path in row:
        return row[path]
    for dot in (match.start() for match in re.finditer(r"\.", path)):
        inner = row.get(path[:dot])
        if isinstance(inner, Mapping):
            found = value_at(inner, path[dot + 1 :])
            if found is not ABSENT:
                return found
    return ABSENT


def number(value: object) -> float | None:
    """A value as a number; true is 1 and false 0, also as text. None where it is not one.

    >>> number("0.5"), number(True), number("0,5"), number(float("inf"))
    (0.5, 1.0, None, None)
    """
    if isinstance(value, str):
        text = value.strip()
        if text.casefold() in _TRUTH:
            return _TRUTH[text.casefold()]
        value = float(text) if _NUMBER.fullmatch(text) else None
    if not isinstance(value, int | float | Decimal):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def is_missing(value: object) -> bool:
    """Whether a value says that there is none: absent, null, empty, NaN."""
    if isinstance(value, str):
        return value.strip().casefold() in ("", "nan")
    return value is None or value is ABSENT or (isinstance(value, float) and math.isnan(value))


def is_truth(value: object) -> bool:
    """Whether a value is true or false, and no figure."""
    return str(value).strip().casefold() in _TRUTH


def number_paths(objects: Iterable[object], depth: int = 1) -> Iterator[str]:
    """The names of all numbers in the objects, those inside objects with dots."""
    for one in objects:
        for name, value in one.items() if isinstance(one, Mapping) else ():
            if number(value) is not None:
                yield str(name)
            elif isinstance(value, Mapping) and depth < _DEEPEST:
                yield from (f"{name}.{inner}" for inner in number_paths([value], depth + 1))
