"""Case tables by hand, beside the tests that read them."""

import tomllib
from pathlib import Path
from typing import Any


def tables(room: str, name: str) -> dict[str, Any]:
    """The tables of ``tests/ROOM/cases/NAME.toml``."""
    return tomllib.loads(
        (Path(__file__).parent / room / "cases" / f"{name}.toml").read_text("utf-8")
    )
