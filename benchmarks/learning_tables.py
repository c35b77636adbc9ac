"""The curve of few ratings as a table, and what of it klopt tells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def shown(found: Mapping[str, Any]) -> str:
    return ""


def worth(found: Mapping[str, Any]) -> str:
    return ""
