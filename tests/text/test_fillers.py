"""Sentences that are polite phrases or lead-ins, not claims."""

import pytest

from tests.tables import tables


@pytest.mark.parametrize(("text", "language", "is_filler"), tables("text", "fillers")["fillers"])
def test_fillers(languages, text, language, is_filler):
    """A filler is at least half of its sentence, or a closing begins it."""
    assert bool(languages[language].reader.read(text).fillers) == is_filler
