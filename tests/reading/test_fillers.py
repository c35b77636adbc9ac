"""Sentences that say nothing of the product."""

from __future__ import annotations

import pytest

from klopt.matching import Language
from tests.tables import tables


@pytest.mark.parametrize(("text", "language", "is_filler"), tables("reading", "fillers")["fillers"])
def test_politeness_and_lead_ins_are_no_statements(
    languages: dict[str, Language], text: str, language: str, is_filler: bool
):
    """A filler is half of its sentence, or a closing begins it."""
    assert bool(languages[language].reader.read(text).fillers) == is_filler
