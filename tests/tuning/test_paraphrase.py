"""Rewording keeps what is true; the layouts are those that bots use."""

from __future__ import annotations

import dataclasses
import random

import pytest

from klopt.reading.reader import Reader
from klopt.tuning.drafts import Asked, Draft, about, from_statement
from klopt.tuning.paraphrase import lay_out, reworded
from klopt.tuning.wording import Wording, with_others, wording

COMMON = frozenset({"verlof", "contract", "de", "in", "u", "uw", "leave", "the", "i"})


def words(reader: Reader) -> Wording:
    return dataclasses.replace(wording(reader.lexicons), common=COMMON)


def layouts(draft: Draft, reader: Reader) -> set[str]:
    return {lay_out(draft, words(reader), random.Random(seed)) for seed in range(400)}


def rewordings(draft: Draft, reader: Reader) -> set[tuple[str, ...]]:
    return {reworded(draft, words(reader), random.Random(seed)).points for seed in range(60)}


def test_layouts_of_a_guide(dutch: Reader):
    draft = Draft(
        "guide", "?", "instruction", ("Klik op: ⟦Nieuw⟧.", "Kies ⟪HRM⟫."), "Zo doet u dat:"
    )
    names = ("**Nieuw**", '"Nieuw"', "Nieuw")
    assert layouts(draft, dutch) == {
        *(f"Zo doet u dat:\n\n1. Klik op: {name}.\n2. Kies HRM." for name in names),
        *(f"Zo doe je dat:\n\n1. Klik op: {name}.\n2. Kies HRM." for name in names),
        *(
            f"Klik op {name} en {then} HRM."
            for name in names
            for then in ("kies daarna", "kies vervolgens")
        ),
    }


@pytest.mark.parametrize(
    ("yes", "points", "expected"),
    [
        (True, ("De knop is blauw.",), "Ja, de knop is blauw."),
        (False, ("Orlinde rekent niet.",), "Nee, Orlinde rekent niet."),
        (False, (), "Nee, dat is niet mogelijk."),
        (True, (), "Ja, dat kan."),
    ],
)
def test_layout_of_yes_and_no(yes: bool, points: tuple[str, ...], expected: str, dutch: Reader):
    draft = Draft("binary", "?", "binary", points, yes=yes)
    assert layouts(draft, dutch) == {expected}


def test_a_place_in_doubt_keeps_the_whole_answer_formal(dutch: Reader):
    draft = Draft("prose", "?", "general", ("U kiest. Dan vraagt u hulp.",))
    assert layouts(draft, dutch) == {"U kiest. Dan vraagt u hulp."}


def test_a_capital_in_the_middle_stays_one(dutch: Reader):
    draft = Draft("prose", "?", "general", ("Kies dit. U kunt het wijzigen.",))
    assert "Kies dit. Je kunt het wijzigen." in layouts(draft, dutch)


def test_informal_is_informal_throughout(dutch: Reader):
    draft = Draft("prose", "?", "general", ("Hier kunt u uw naam wijzigen als u wilt.",))
    assert layouts(draft, dutch) == {
        "Hier kunt u uw naam wijzigen als u wilt.",
        "Hier kun je je naam wijzigen als je wilt.",
    }


@pytest.mark.parametrize(
    ("point", "expected"),
    [
        ("Klik daar en ga opnieuw verder.", "Klik daar en ga nogmaals verder."),
        ("U kunt dit eenvoudig zelf wijzigen.", "U kunt dit zelf wijzigen."),
        (
            "De app bewaart altijd de laatste keuze, zodat u verder kunt.",
            "De app bewaart altijd de laatste keuze.",
        ),
    ],
)
def test_rewordings(point: str, expected: str, dutch: Reader):
    assert rewordings(Draft("prose", "?", "general", (point,)), dutch) == {(point,), (expected,)}


@pytest.mark.parametrize(
    "point",
    [
        "Klik op ⟦opnieuw⟧ en ga verder.",
        "De app bewaart de laatste keuze, als u dat wilt.",
        "Dat is niet eenvoudig aan te passen.",
    ],
)
def test_left_alone(point: str, dutch: Reader):
    assert rewordings(Draft("prose", "?", "general", (point,)), dutch) == {(point,)}


def test_first_steps_merged(dutch: Reader):
    steps = ("Open het ⟦Menu⟧.", "Klik op ⟦Nieuw⟧.", "Klik op ⟦Klaar⟧.")
    assert rewordings(Draft("guide", "?", "instruction", steps), dutch) == {
        steps,
        ("Open het ⟦Menu⟧ en klik op ⟦Nieuw⟧.", "Klik op ⟦Klaar⟧."),
    }


@pytest.mark.parametrize(
    "steps",
    [
        ("Open het ⟦Menu⟧.", "Klik op ⟦Klaar⟧."),
        ("Open het ⟦Menu⟧. Wacht.", "Klik op ⟦Nieuw⟧.", "Klik op ⟦Klaar⟧."),
        ("Er opent een venster.", "Klik op ⟦Nieuw⟧.", "Klik op ⟦Klaar⟧."),
    ],
)
def test_first_steps_not_merged(steps: tuple[str, ...], dutch: Reader):
    assert rewordings(Draft("guide", "?", "instruction", steps), dutch) == {steps}


def test_two_independent_sentences_change_places(dutch: Reader):
    points = ("Verlof telt per dag.", "Ziekte telt per uur.")
    expected = {points, points[::-1]}
    assert rewordings(Draft("prose", "?", "general", points), dutch) == expected


def test_a_sentence_that_points_back_stays(dutch: Reader):
    points = ("Verlof telt per dag.", "Dat is per uur anders.")
    assert rewordings(Draft("prose", "?", "general", points), dutch) == {points}


def test_after_te_no_word_is_put_for_another():
    pairs = {"wijzigen": ("wissen",)}
    assert with_others("U hoeft dit niet te wijzigen.", pairs, random.Random(0)) is None


@pytest.mark.parametrize(
    ("sentence", "question", "yes"),
    [
        ("U kunt verlof intrekken.", "Kan ik verlof intrekken?", True),
        ("U kunt verlof niet intrekken.", "Kan ik verlof intrekken?", False),
        ("U kunt uw verlof intrekken.", "Kan ik mijn verlof intrekken?", True),
        ("In Orlinde kunt u verlof vragen.", "Kan ik in Orlinde verlof vragen?", True),
        ("De sleutel is een jaar geldig.", "Is de sleutel een jaar geldig?", True),
    ],
)
def test_question_from_a_statement(sentence: str, question: str, yes: bool, dutch: Reader):
    assert from_statement(sentence, words(dutch)) == (Asked(question, "binary"), yes)


@pytest.mark.parametrize("sentence", ["Klik op Nieuw.", "De sleutel die u maakt is geldig."])
def test_no_question_from_a_statement(sentence: str, dutch: Reader):
    assert from_statement(sentence, words(dutch)) is None


@pytest.mark.parametrize(
    ("heading", "part", "kind"),
    [
        ("Verlof aanvragen", "verlof aanvragen", "instruction"),
        ("Om uw geluid uit te zetten:", "mijn geluid uitzetten", "instruction"),
        ("Waarom werkt het niet?", "Waarom werkt het niet?", "general"),
        ("Mijn scherm werkt niet", "Mijn scherm werkt niet", "error"),
        ("Contract", "contract", "general"),
    ],
)
def test_question_from_a_heading(heading: str, part: str, kind: str, dutch: Reader):
    for seed in range(10):
        asked = about((heading,), words(dutch), random.Random(seed))
        assert asked is not None
        assert (part in asked.text, asked.message_type) == (True, kind)


def test_english_headings(english: Reader):
    made = {
        asked.text
        for seed in range(40)
        for heading in ("Add leave", "Requesting leave", "I cannot log in")
        if (asked := about((heading,), words(english), random.Random(seed))) is not None
    }
    assert {"How do I add leave?", "How does requesting leave work?"} <= made
    assert "I cannot log in. What now?" in made


def test_no_heading(dutch: Reader):
    assert about(("", "x"), words(dutch), random.Random(0)) is None
