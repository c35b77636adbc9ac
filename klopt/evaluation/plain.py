"""Frozen values as dictionaries, lists and rounded figures, for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
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
