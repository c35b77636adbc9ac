"""Case tables in TOML, beside the tests that read them."""

import tomllib
from pathlib import Path
from typing import Any


def tables(folder: str, name: str) -> dict[str, Any]:
    """The tables of ``tests/FOLDER/cases/NAME.toml``."""
    path = Path(__file__).parent / folder / "cases" / f"{name}.toml"
    return tomllib.loads(path.read_text("utf-8"))


def flattened(table: dict[str, Any], *keys: str) -> list[dict[str, Any]]:
    """The cases in nested tables, each with the names of its tables under these keys."""
    key, *inner = keys
    return [
        {key: name, **case}
        for name, value in table.items()
        for case in (flattened(value, *inner) if inner else value)
    ]
