"""Write docs/reference/limits.md and docs/nl/reference/limits.md, with the values of the code."""

from __future__ import annotations

import inspect
import pkgutil
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

DOCS: Final = Path(__file__).parent
DUTCH: Final = tomllib.loads((DOCS / "nl" / "limits.toml").read_text("utf-8"))


def limits(texts: Mapping[str, str] | None = None) -> Iterator[str]:
    """Yield the lines of the page; in another language with its texts.

    Raises:
        KeyError: A text is not among them.
    """
    said = texts.__getitem__ if texts else str
    groups = tomllib.loads((DOCS / "limits.toml").read_text("utf-8"))
    about = groups.pop("about")
    if texts:
        yield "---\nlanguage: nl\n---"
        about = texts["about"]
    yield f"# {said('Limits')}\n\n{about.strip()}"
    for title, rows in groups.items():
        yield f"\n## {said(title)}\n\n| | {said('limit')} | {said('beyond it')} |\n|---|---|---|"
        for row in rows:
            limit = said(row["limit"]).format(_value(row))
            limit = _in_dutch(limit) if texts else limit
            yield f"| {said(row['what'])} | {limit} | {said(row['then'])} |"


def _in_dutch(text: str) -> str:
    return re.sub(r"(?<=\d)[.,](?=\d)", lambda found: ".,"[found[0] == "."], text)


def _value(row: dict[str, str]) -> Any:  # noqa: ANN401 (a number, of whatever type)
    value = pkgutil.resolve_name(row["name"])
    if "argument" in row:
        return inspect.signature(value).parameters[row["argument"]].default
    return value


if __name__ == "__main__":
    for folder, texts in ((DOCS, None), (DOCS / "nl", DUTCH)):
        (folder / "reference" / "limits.md").write_text("\n".join([*limits(texts), ""]), "utf-8")
