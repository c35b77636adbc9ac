"""What only can be copied: found where it is, left alone where it may be something else."""

from __future__ import annotations

import pytest

from klopt.reading.identifiers import identifiers, keys_of
from tests.tables import tables

CASES = tables("reading", "identifiers")


@pytest.mark.parametrize(("text", "found"), CASES["found"])
def test_what_is_one(text: str, found: list[str]) -> None:
    assert [text[span.start : span.end] for span, _ in identifiers(text)] == found


@pytest.mark.parametrize("text", CASES["none"])
def test_what_is_none(text: str) -> None:
    assert list(identifiers(text)) == []


@pytest.mark.parametrize(("answer", "page", "is_there"), CASES["on_a_page"])
def test_whether_a_page_has_it(answer: str, page: str, is_there: bool) -> None:
    ((_, key),) = identifiers(answer)
    assert (key in keys_of([page])) == is_there
