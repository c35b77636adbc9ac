"""Frozen values as dictionaries, lists and rounded figures, for JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_DECIMALS: Final = 6


def table(value: DataclassInstance) -> dict[str, Any]:
    """A frozen value as JSON has it: figures to six decimals, p-values to six digits.

    >>> from klopt.evaluation import Estimate
    >>> table(Estimate(1 / 3, reason="too few rows for an interval", n=2, p=1e-9))["p"]
    1e-09
    """
    return {
        field.name: _field(field.name, getattr(value, field.name))
        for field in dataclasses.fields(value)
    }


def _field(name: str, value: object) -> object:
    """A p-value may be far below the sixth decimal."""
    if name == "p" and isinstance(value, float):
        return float(f"{value:.6g}")
    return _plain(value)


def _plain(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return table(value)
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    if isinstance(value, float):
        return round(value, _DECIMALS) + 0.0
    return value
