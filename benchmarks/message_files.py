"""Table 3 on messages that come without an answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from benchmarks.classification import FILES
from benchmarks.rated_figures import RESAMPLING
from klopt import Scorer, Turn
from klopt.evaluation.message_types import MessageTypes, message_types


def message_files(data: Path, scorers: Mapping[str, Scorer]) -> dict[str, dict[str, MessageTypes]]:
    """File → profile → how well the types of its messages are found.

    Only the files of messages; those of turns are counted with the turns.
    """
    found: dict[str, dict[str, MessageTypes]] = {}
    for name, file, field, language in FILES:
        path = data / file
        if not file.startswith("messages/") or not path.is_file():
            continue
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        turns = [
            Turn(row[field], "-", language=language, message_type=row["message_type"])
            for row in rows
            if row.get(field)
        ]
        own = {one: message_types(turns, scorer, RESAMPLING) for one, scorer in scorers.items()}
        found[name] = {one: types for one, types in own.items() if types is not None}
    return found
