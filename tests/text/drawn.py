"""Texts that Hypothesis draws from the pieces of ``cases/pieces.toml``."""

from hypothesis import strategies as st

from tests.tables import tables

PIECES: dict[str, list[str]] = tables("text", "pieces")


def texts(reader: str, max_size: int = 40) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(PIECES[reader]), max_size=max_size).map("".join)
