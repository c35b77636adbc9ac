"""Case tables in TOML, beside the tests that read them."""

import tomllib
from pathlib import Path
from typing import Any


def tables(folder: str, name: str) -> dict[str, Any]:
    """The tables of ``tests/FOLDER/cases/NAME.toml``."""
    path = Path(__file__).parent / folder / "cases" / f"{name}.toml"
    return tomllib.loads(path.read_text("utf-8"))
