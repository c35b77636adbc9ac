"""Sentences that say nothing of the product."""

import pytest

from tests.tables import tables


@pytest.mark.parametrize(("text", "language", "is_filler"), tables("text", "fillers")["fillers"])
def test_politeness_and_lead_ins_are_no_statements(languages, text, language, is_filler):
    """A filler is half of its sentence, or a closing begins it."""
    assert bool(languages[language].reader.read(text).fillers) == is_filler
