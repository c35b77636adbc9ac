"""Identifiers, which an answer can only copy: found in texts and on pages."""

import pytest

from klopt.text.inline import identifiers, keys_of
from tests.tables import tables

CASES = tables("text", "identifiers")


@pytest.mark.parametrize(("text", "found"), CASES["found"])
def test_identifiers(text, found):
    assert [text[span.start : span.end] for span, _ in identifiers(text)] == found


@pytest.mark.parametrize("text", CASES["none"])
def test_texts_without_identifiers(text):
    assert list(identifiers(text)) == []


@pytest.mark.parametrize(("answer", "page", "is_there"), CASES["on_a_page"])
def test_identifiers_of_an_answer_on_a_page(answer, page, is_there):
    ((_, key),) = identifiers(answer)
    assert (key in keys_of([page])) == is_there
