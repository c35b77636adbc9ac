"""Files of JSON lines that are known by a key: read whole, every problem told at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from klopt.errors import InputError
from klopt.toml_schema import Table

K = TypeVar("K")
V = TypeVar("V")

MOST_PROBLEMS: Final = 20
"""Bad lines that one message tells of."""


def content_of(path: Path) -> bytes:
    """The bytes of a file, or an `InputError`."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def read_fields(text: str, table: type[Table]) -> dict[str, Any]:
    """The fields of a line, with what a table has for those left out.

    Raises:
        ValueError: The line is something else; the message has a line for each problem.
    """
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("not JSON") from None
    if not isinstance(fields, dict):
        raise ValueError("not a JSON object")
    try:
        return table.model_validate(fields).model_dump()
    except ValidationError as error:
        raise ValueError("\n".join(_problems(error))) from None


def read_lines(
    path: Path,
    content: bytes,
    read: Callable[[str], tuple[K, V]],
    what: Callable[[K], str],
    same: Callable[[V], object] = lambda value: value,
) -> dict[K, V]:
    """The values of a file by their keys; empty lines do not count, and one may stand there twice.

    Two values of one key must be the ``same``; ``what`` names one in the message.

    Raises:
        InputError: ``read`` raises a ValueError of a line, or two lines are at odds.
    """
    problems, lines = list[str](), dict[K, tuple[int, V]]()
    for number, raw in enumerate(content.split(b"\n"), 1):
        if not raw.strip():
            continue
        where = f"{path}, line {number}"
        try:
            key, value = read(raw.decode("utf-8-sig" if number == 1 else "utf-8"))
        except UnicodeDecodeError:
            problems.append(f"{where}: not UTF-8")
        except ValueError as error:
            problems += [f"{where}: {problem}" for problem in str(error).split("\n")]
        else:
            before, first = lines.setdefault(key, (number, value))
            if same(first) != same(value):
                problems.append(f"{where}: another {what(key)} than in line {before}; keep one")
    if problems:
        more = len(problems) - MOST_PROBLEMS
        problems[MOST_PROBLEMS:] = [f"… and {more} more"] if more > 0 else []
        raise InputError("\n".join(problems))
    return {key: value for key, (_, value) in lines.items()}


def _problems(error: ValidationError) -> Iterator[str]:
    for problem in error.errors():
        where = (part if isinstance(part, str) else f"entry {part + 1}" for part in problem["loc"])
        yield f"{' '.join(where)}: {problem['msg']}"
