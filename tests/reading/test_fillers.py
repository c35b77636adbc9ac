"""Sentences that say nothing of the product."""

from __future__ import annotations

import pytest

from klopt.matching import Language

FILLER = "Geen probleem"


@pytest.mark.parametrize(
    ("text", "is_filler"),
    [
        ("Geen probleem.", True),
        ("Geen probleem, ja hoor zo.", True),
        ("Geen probleem, ja hoor ook.", False),
        ("Geen probleem, klik daarvoor op de knop in het menu.", False),
        ("Graag gedaan, en klik daarvoor dan op de knop in het menu.", True),
        ("Klik op de knop.", False),
    ],
)
def test_a_filler_is_half_of_its_sentence_or_a_closing_begins_it(
    languages: dict[str, Language], text: str, is_filler: bool
):
    assert bool(languages["nl"].reader.read(text).fillers) == is_filler


def test_the_lengths_are_one_on_either_side_of_half():
    assert 2 * len(FILLER) == len("Geen probleem, ja hoor zo.")
    assert 2 * len(FILLER) < len("Geen probleem, ja hoor ook.")
