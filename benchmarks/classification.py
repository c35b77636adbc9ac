"""How often the message type is right: the rows of the AFAS paper's table 3 on the real messages.

``python -m benchmarks.classification`` prints them for both methods and every data file. On its
own test set, which is not public, the paper reports F1, accuracy, precision and recall of 0.62,
0.61, 0.65, 0.61 (all), 0.62, 0.62, 0.61, 0.63 (binary), 0.80, 0.81, 0.90, 0.71 (instruction) and
0.77, 0.77, 0.82, 0.72 (is binary or instruction).
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, get_args

from klopt import lexicons
from klopt.classifier import Method, classify
from klopt.records import MESSAGE_TYPES, MessageType

FILES: Final = (
    ("helpdesk-nl", "messages/helpdesk-nl.dev.jsonl", "question", "nl"),
    ("support-nl", "messages/support-nl.dev.jsonl", "question", "nl"),
    ("turns-nl", "turns-nl/dev.jsonl", "question", "nl"),
    ("turns-en", "turns-nl/dev.jsonl", "question_en", "en"),
)
"""Name, file below the data folder, field of the message, language."""

COLUMNS: Final = ("f1", "accuracy", "precision", "recall")
Pairs = list[tuple[MessageType, MessageType]]


def measure(data: Path) -> dict[str, Any]:
    """Table 3 for every file that is there.

    Args:
        data: The folder with ``messages`` and ``turns-nl``.

    Returns:
        Method → name of the data → ``{"count": ..., "rows": {row: {column: share}}}``, rows and
        columns as in the paper's table 3, shares from 0 to 1, None where nothing is divided.
        The row ``all`` averages over the types weighted by how often they occur; the other rows
        ask of each message whether it is of that kind.

    Source: AFAS paper, table 3. The paper does not say what the accuracy of one type is; here it
    is the share of messages for which "is it of this type" is answered right.
    """
    results: dict[str, Any] = {}
    for method in get_args(Method):
        results[method] = {}
        for name, file, field, language in FILES:
            path = data / file
            if path.is_file():
                pairs = _pairs(path, field, language, method)
                results[method][name] = {"count": len(pairs), "rows": table(pairs)}
    return results


def table(pairs: Pairs) -> dict[str, dict[str, float | None]]:
    """The rows of table 3 from (meant, found) pairs.

    >>> table([("binary", "binary"), ("error", "binary")])["binary"]["precision"]
    0.5
    """
    rows = {"all": _all(pairs)}
    for name, kinds in (
        ("binary", ("binary",)),
        ("instruction", ("instruction",)),
        ("is binary or instruction", ("binary", "instruction")),
    ):
        rows[name] = _one([(meant in kinds, found in kinds) for meant, found in pairs])
    return rows


def _pairs(path: Path, field: str, language: str, method: Method) -> Pairs:
    tables = lexicons.load(language)
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return [
        (row["message_type"], classify(row[field], tables, method=method).message_type)
        for row in rows
        if row.get(field)
    ]


def _one(pairs: Iterable[tuple[bool, bool]]) -> dict[str, float | None]:
    pairs = list(pairs)
    both = sum(meant and found for meant, found in pairs)
    precision = _share(both, sum(found for _, found in pairs))
    recall = _share(both, sum(meant for meant, _ in pairs))
    f1 = _share(2 * both, sum(meant + found for meant, found in pairs))
    accuracy = _share(sum(meant == found for meant, found in pairs), len(pairs))
    return dict(zip(COLUMNS, (f1, accuracy, precision, recall), strict=True))


def _all(pairs: Pairs) -> dict[str, float | None]:
    row: dict[str, float | None] = {}
    single = {
        kind: _one((meant == kind, found == kind) for meant, found in pairs)
        for kind in MESSAGE_TYPES
    }
    for column in COLUMNS:
        values: list[float] = [single[meant][column] or 0.0 for meant, _ in pairs]
        row[column] = _share(sum(values), len(pairs))
    row["accuracy"] = _share(sum(meant == found for meant, found in pairs), len(pairs))
    return row


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def show(results: dict[str, Any], write: Callable[[str], object]) -> None:
    """Writes the paper's table 3 for each method and file."""
    head = f"{'':34}{'F1':>8}{'accuracy':>10}{'precision':>11}{'recall':>8}"
    for method, files in results.items():
        for name, found in files.items():
            write(f"\n{method}, {name}, {found['count']} messages\n{head}\n")
            for row, values in found["rows"].items():
                write(_line(row, [values[column] for column in COLUMNS]))


def _line(row: str, values: list[float | None]) -> str:
    cells = ["–" if value is None else f"{value:.2f}" for value in values]
    return f"  {row:32}{cells[0]:>8}{cells[1]:>10}{cells[2]:>11}{cells[3]:>8}\n"


def main() -> int:
    """Print the tables; 3 when the data are not there."""
    beside = Path(__file__).parent.parent / ".." / "shared" / "data"
    data = Path(os.environ.get("KLOPT_DATA") or beside).resolve()
    results = measure(data)
    if not any(results.values()):
        print(f"no messages at {data}; KLOPT_DATA names another folder", file=sys.stderr)
        return 3
    show(results, sys.stdout.write)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
