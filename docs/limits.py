"""Prints docs/limits.md, with the figures of the code: python docs/limits.py > docs/limits.md."""

from __future__ import annotations

import inspect
import pkgutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def limits() -> Iterator[str]:
    """The lines of the page."""
    groups = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    yield f"# Limits\n\n{groups.pop('about')}"
    for title, rows in groups.items():
        yield f"\n## {title}\n\n| | limit | beyond it |\n|---|---|---|"
        for row in rows:
            yield f"| {row['what']} | {row['limit'].format(_value(row))} | {row['then']} |"


def _value(row: dict[str, str]) -> Any:  # noqa: ANN401 (a number, of whatever type)
    value = pkgutil.resolve_name(row["name"])
    if "argument" in row:
        return inspect.signature(value).parameters[row["argument"]].default
    return value


if __name__ == "__main__":
    print("\n".join(limits()))
