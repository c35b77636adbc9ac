"""Frozen values as dictionaries, lists and rounded figures, for JSON, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from klopt.errors import InputError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")
_DECIMALS: Final = 6
_ALLOWED: Final = {
    "bool_type": "true or false",
    "dataclass_type": "an object",
    "dict_type": "an object",
    "float_type": "a number",
    "int_type": "a whole number",
    "missing": "a value",
    "string_type": "a text",
    "tuple_type": "a list",
}
"""What pydantic's error types mean, in words."""


def table(value: DataclassInstance) -> dict[str, Any]:
    """A frozen value as JSON has it: figures to six decimals, p-values to six digits.

    >>> from klopt.evaluation import Estimate
    >>> table(Estimate(1 / 3, reason="too few rows for an interval", n=2, p=1e-9))["p"]
    1e-09
    """
    return {one.name: _plain(getattr(value, one.name), one.name) for one in fields(value)}


def _plain(value: object, name: str = "") -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return table(value)
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    if isinstance(value, float):  # A p-value may be far below the sixth decimal.
        return float(f"{value:.6g}") if name == "p" else round(value, _DECIMALS) + 0.0
    return value


def read(kind: type[T], content: Mapping[str, Any], what: str, cure: str) -> T:
    """A frozen value of a class back from what `table` made of it.

    Raises:
        InputError: It has another shape; the message says ``what`` it is and where, what was met,
            and the ``cure``.

    >>> from klopt.evaluation import Estimate
    >>> read(Estimate, {"value": 0.5, "n": 3}, "estimate", "measure anew").n
    3
    >>> read(Estimate, {"value": "0.5"}, "estimate", "measure anew")
    Traceback (most recent call last):
    klopt.errors.InputError: estimate, value: met "0.5", allowed: a number; measure anew
    """
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(kind).validate_json(json.dumps(content, allow_nan=False), strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        names = [str(one) for one in first["loc"]]
        where = f"{what}, {'.'.join(names)}" if names else what
        is_nothing = first["type"] == "missing" or first["input"] is None
        met = "nothing" if is_nothing else f'"{str(first["input"])[:40]}"'
        one_of = first.get("ctx", {}).get("expected", first["msg"])
        allowed = _ALLOWED.get(first["type"], one_of)
        raise InputError(f"{where}: met {met}, allowed: {allowed}; {cure}") from None
    except ValueError as error:
        raise InputError(f"{what}: {error}; {cure}") from None
