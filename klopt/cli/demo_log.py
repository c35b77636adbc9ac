"""The chat log of the demo company, which comes with klopt."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Final

from klopt.logs.pages import read_pages
from klopt.logs.rows import Row, read_rows

_FOLDER: Final = Path(str(resources.files("klopt.data").joinpath("demo")))


def demo_terms() -> tuple[Path, ...]:
    """Return the company terms of the demo company."""
    return tuple(sorted(_FOLDER.glob("terms-*.toml")))


def demo_rows() -> Iterator[Row]:
    """Yield the demo company's chat log; contexts are pages in the language of the turn."""
    pages = {language: read_pages(_FOLDER / "pages" / language) for language in ("nl", "en")}
    log = str(_FOLDER / "turns.jsonl")
    readers = (read_rows(log, pages=own) for own in pages.values())
    for dutch, english in zip(*readers, strict=True):
        is_english = english.turn is not None and english.turn.language == "en"
        yield english if is_english else dutch
