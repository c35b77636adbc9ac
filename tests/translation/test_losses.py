"""Translations that lack a value, a placeholder or part of a sentence."""

import pytest

from klopt import Assessment, Scorer, Turn
from klopt.scoring.notes import TOO_SHORT
from klopt.text.markup import read_text
from klopt.translation import CachedTranslator, Translate, TranslationCache
from klopt.translation.masks import find_masks, lost_part, segment
from klopt.translation.measuring import source_text
from tests.tables import tables
from tests.translation.fakes import Fake

CASES = tables("translation", "losses")
QUESTION = "Hoe lang kan ik mijn bestelling nog terugsturen?"
PAGE = "# Terugsturen\n\nStuur de bestelling binnen 14 dagen terug. Bewaren kan in `x.y`."
ANSWER = "Je kunt de bestelling binnen twee weken terugsturen."
TRANSLATED = {
    QUESTION: "For how long can I still return my order?",
    ANSWER: "You can return the order within two weeks.",
    "Terugsturen": "Returning",
    "Stuur de bestelling binnen ⟦1⟧ dagen terug.": "Return the order within ⟦1⟧ days.",
    "Bewaren kan in ⟦1⟧.": "You may store it in ⟦1⟧.",
}
LOSSY = {"Bewaren kan in ⟦1⟧.": "Lost", "Bewaren kan in x.y.": "You may store it there."}


@pytest.mark.parametrize(("languages", "sentence", "translated", "lost"), CASES["lost"])
def test_the_lost_part_of_a_translation(languages, sentence, translated, lost):
    source, target = languages.split("-")
    plain = read_text(sentence)
    own = segment(plain, 0, len(plain.text), find_masks(plain))
    found = lost_part(own, plain.text, translated, source, target)
    assert found == lost.replace("half", TOO_SHORT)


@pytest.fixture
def score(tmp_path):
    def run(answer: str = ANSWER, **changed: str) -> Assessment:
        fake = Fake((TRANSLATED | changed).__getitem__)
        file = tmp_path / f"{len(list(tmp_path.iterdir()))}.sqlite"
        with TranslationCache(file, create=True) as cache:
            translate = Translate(CachedTranslator(cache, translator=fake), "whole", required=True)
            scorer = Scorer.load(all_types=True, translate=translate)
            return scorer.score(Turn(QUESTION, answer, [PAGE], language="nl"))

    return run


def test_an_answer_whose_translation_lacks_a_value_is_reviewed(score):
    found = score(**{ANSWER: "You can return the order within a while."})
    assert (found.verdict, found.status, found.reason_code) == ("review", "scored", None)
    assert "“twee weken” ontbreekt in de vertaling" in found.why
    (lost,) = found.to_dict()["translation"]["lost"]
    assert (lost["part"], lost["page"]) == ("twee weken", None)
    assert ANSWER[lost["start"] : lost["end"]] == lost["text"] == ANSWER


def test_an_answer_with_a_complete_translation_is_sent(score):
    found = score()
    assert (found.verdict, found.translation.lost) == ("send", ())


def test_a_lossy_translation_blocks_no_answer(score):
    answer = "Je kunt de bestelling, als je dat per se wilt, binnen drie weken terugsturen."
    whole = score(answer, **{answer: "You can, if you must, return the order within 3 weeks."})
    assert whole.verdict == "block"
    found = score(f"{answer} Dan.", **{answer: "Return the order in 3 weeks.", "Dan.": "Then."})
    assert (found.verdict, found.translation.lost[0].part) == ("review", TOO_SHORT)


def test_a_loss_on_a_page_counts_only_in_a_passage(score):
    assert score(**LOSSY).verdict == "send"
    passage = "Stuur de bestelling binnen ⟦1⟧ dagen terug."
    lossy = {passage: "Lost", passage.replace("⟦1⟧", "14"): "Return the order within a while."}
    found = score(**lossy)
    assert (found.verdict, [one.part for one in found.translation.lost]) == ("review", ["14"])
    assert PAGE[found.translation.lost[0].start :].startswith("Stuur")


def test_a_sentence_without_placeholders_is_checked_for_losses_too(tmp_path, dutch):
    def lossy(text: str) -> str:
        return "It is lost" if "⟦" in text else "Wait for it."

    with TranslationCache(tmp_path / "cache.sqlite", create=True) as cache:
        translator = CachedTranslator(cache, translator=Fake(lossy))
        found = translator.translate([source_text(dutch.read("Wacht 30 minuten."))], "nl")
    assert [one.part for one in found.lost[0]] == ["30"]
