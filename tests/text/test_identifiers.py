"""What only can be copied: found where it is, left alone where it may be something else."""

import pytest

from klopt.text.identifiers import identifiers, keys_of
from tests.tables import tables

CASES = tables("text", "identifiers")


@pytest.mark.parametrize(("text", "found"), CASES["found"])
def test_what_is_one(text, found):
    assert [text[span.start : span.end] for span, _ in identifiers(text)] == found


@pytest.mark.parametrize("text", CASES["none"])
def test_what_is_none(text):
    assert list(identifiers(text)) == []


@pytest.mark.parametrize(("answer", "page", "is_there"), CASES["on_a_page"])
def test_whether_a_page_has_it(answer, page, is_there):
    ((_, key),) = identifiers(answer)
    assert (key in keys_of([page])) == is_there
