"""All figures about accuracy: as text to read, and as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from benchmarks.set_figures import SetFigures
from benchmarks.set_tables import set_lines, type_lines
from benchmarks.text_tables import WIDTH
from klopt.evaluation import plain
from klopt.evaluation.message_types import MessageTypes

_DECIMALS: Final = 4


@dataclass(frozen=True, slots=True)
class Report:
    """Everything.

    Attributes:
        sets: The data sets.
        message_files: Messages without answers: file → profile → table 3.
    """

    sets: tuple[SetFigures, ...]
    message_files: Mapping[str, Mapping[str, MessageTypes]]


def table(found: Report) -> dict[str, Any]:
    """The report for JSON: figures to four decimals, what is not known left out.

    It holds no text and no id of the data.
    """
    result = {
        "sets": [plain.table(one) for one in found.sets],
        "message_files": {
            name: {profile: plain.table(one) for profile, one in some.items()}
            for name, some in found.message_files.items()
        },
    }
    return {name: _rounded(one) for name, one in result.items()}


def _rounded(value: object, name: str = "") -> object:
    if isinstance(value, dict):
        return {key: _rounded(one, key) for key, one in value.items() if one is not None}
    if isinstance(value, list):
        return [_rounded(one) for one in value]
    if isinstance(value, float):
        return float(f"{value:.4g}") if name == "p" else round(value, _DECIMALS)
    return value


def compact(text: str) -> str:
    """JSON with each object that holds only figures and words on one line.

    >>> compact('[{  "b": 1,   "c": 2 }]')
    '[{"b": 1, "c": 2}]'
    """
    return re.sub(r"\{\s+([^{}\[\]]*?)\s+\}", lambda m: "{" + " ".join(m[1].split()) + "}", text)


def lines(found: Report, about: Mapping[str, Any]) -> Iterator[str]:
    """The report as text."""
    yield f"klopt {about['klopt']}, {about['date']}. Both profiles score all message types."
    yield "No company terms are given. In brackets: 95% intervals, by the bootstrap over the"
    yield f"answers ({about['resamples']} draws), of shares Wilson's."
    yield "The default profile was learnt from most of these answers; `benchmarks.left_out` prints"
    yield "what it is worth for a company that it has never seen."
    for one in found.sets:
        yield from set_lines(one)
    yield from ("", "=" * WIDTH, "Message types, found without seeing the stated type")
    yield "By 'afas': the paper's lists; by 'default': the scored rules. The rules were mended on"
    yield "these very messages: too high for new ones. The paper, its test set: F1 0.62 (all),"
    yield "0.62 (binary), 0.80 (instruction), 0.77 (binary or instruction)."
    for one in found.sets:
        yield from type_lines(one.name, one.types)
    for name, types in found.message_files.items():
        yield from type_lines(name, types)
