"""The chat log of the demo company, which comes with klopt."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Final

from klopt.batch.pages import read_pages
from klopt.batch.rows import Row, read_rows

_FOLDER: Final = Path(str(resources.files("klopt.data").joinpath("demo")))


def demo_terms() -> tuple[Path, ...]:
    """The company terms learnt from the demo company's pages."""
    return tuple(sorted(_FOLDER.glob("terms-*.toml")))


def other_rows(language: str) -> Iterator[Row]:
    """Answers of the demo company in German or French; their contexts are its Dutch pages."""
    rows = read_rows(str(_FOLDER / "turns-other.jsonl"), pages=read_pages(_FOLDER / "pages" / "nl"))
    return (row for row in rows if row.turn is not None and row.turn.language == language)


def demo_rows() -> Iterator[Row]:
    """The demo company's chat log; each turn's contexts are pages in its own language."""
    pages = {language: read_pages(_FOLDER / "pages" / language) for language in ("nl", "en")}
    log = str(_FOLDER / "turns.jsonl")
    readers = (read_rows(log, pages=own) for own in pages.values())
    for dutch, english in zip(*readers, strict=True):
        is_english = english.turn is not None and english.turn.language == "en"
        yield english if is_english else dutch
