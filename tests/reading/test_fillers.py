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


@pytest.mark.parametrize(
    ("text", "language", "is_filler"),
    [
        ("Laat het weten als het niet lukt.", "nl", True),
        ("Heeft u nog een vraag?", "nl", True),
        ("Kan ik u nog ergens anders mee helpen?", "nl", True),
        ("Mocht het niet lukken, neem dan contact op met onze helpdesk.", "nl", True),
        ("Als het niet lukt, stuur de bestelling dan naar Antwerpen.", "nl", False),
        ("Neem contact op met de salarisbeheerder.", "nl", False),
        ("Heeft u nog een licentie?", "nl", False),
        ("Volg deze stappen:", "nl", True),
        ("Ga als volgt te werk:", "nl", True),
        ("Dat kan als volgt.", "nl", True),
        ("Volg deze stappen alleen als functioneel beheerder van het portaal:", "nl", False),
        ("Follow these steps:", "en", True),
        ("If that doesn't work, please contact our support team.", "en", True),
        ("If that doesn't work, restart the printer.", "en", False),
        ("Here is how:", "en", True),
        ("Here is how much it costs: 25 euros a month.", "en", False),
    ],
)
def test_politeness_and_lead_ins_are_no_statements(languages, text, language, is_filler):
    assert bool(languages[language].reader.read(text).fillers) == is_filler
