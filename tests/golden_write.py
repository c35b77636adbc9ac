"""Write the golden assessments again: python -m tests.golden_write.

Read the difference before you commit it: each change is a change of scores, and belongs under
"Scores" in the CHANGELOG with its reason.
"""

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from klopt import Assessment, Page, Scorer, Turn
from klopt.errors import RecordError
from klopt.logs.pages import read_pages
from tests.conftest import DEMO, demo_rows

FOLDER = Path(__file__).parent / "golden"
DECIMALS = 3


def read_list() -> list[dict[str, Any]]:
    """The entries of ``golden/turns.toml``."""
    return tomllib.loads((FOLDER / "turns.toml").read_text("utf-8"))["golden"]


@cache
def _pages(language: str) -> dict[str, Page]:
    return read_pages(DEMO / "pages" / language)


@cache
def _scorer(profile: str) -> Scorer:
    return Scorer.load(profile)


def make(entry: dict[str, Any]) -> dict[str, Any]:
    """The assessment of an entry, rounded and without its fingerprint."""
    row = next(row for row in demo_rows() if row["id"] == entry["turn"])
    own = {name: entry[name] for name in ("answer", "contexts") if name in entry}
    given = {**row, "message_type": None, **own}
    scorer = _scorer(entry["profile"])
    try:
        turn = Turn.from_mapping(given, pages=_pages(entry.get("pages", row["language"])))
    except RecordError as error:
        found: Assessment = scorer.refuse(row["id"], str(error))
    else:
        found = scorer.score(turn)
    return {key: rounded(value) for key, value in found.to_dict().items() if key != "fingerprint"}


def rounded(value: Any) -> Any:
    """Round all figures in a value to `DECIMALS`."""
    if isinstance(value, float):
        return round(value, DECIMALS)
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    return [rounded(part) for part in value] if isinstance(value, list) else value


def main() -> None:
    """Write each golden assessment, and remove those that are no longer listed."""
    entries = read_list()
    for path in FOLDER.glob("*.json"):
        if path.stem not in {entry["name"] for entry in entries}:
            path.unlink()
    for entry in entries:
        text = json.dumps(make(entry), ensure_ascii=False, indent=1)
        (FOLDER / f"{entry['name']}.json").write_text(text + "\n", "utf-8", newline="\n")
    print(f"{len(entries)} goldens written to {FOLDER.name}/; read the difference")


if __name__ == "__main__":
    main()
