"""The best passage for a claim."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt.verification.units import LONGEST
from tests.tables import tables
from tests.verification.texts import paired, places, text_of

CASES = tables("verification", "passages")
PAGES = CASES["pages"]


@pytest.mark.parametrize(("language", "why", "question", "answer", "pages", "best"), CASES["best"])
def test_the_best_passage(languages, language, why, question, answer, pages, best):
    texts = [PAGES.get(page, page) for page in pages]
    match, _ = paired(languages[language], answer, texts, question)
    assert best in text_of(match, places(match)[0]), why


def test_a_claim_without_known_words_has_no_passage(languages):
    match, _ = paired(languages["nl"], "De wasbeer danst.", ["Kies Opslaan.", "Sluit af."])
    assert places(match) == [None]


@pytest.mark.parametrize(("question", "answer", "row"), CASES["rows"])
def test_a_named_row_is_the_best_passage(languages, question, answer, row):
    match, _ = paired(languages["nl"], answer, [PAGES["codes"]], question)
    assert text_of(match, places(match)[0]) == row


WORDS = st.sampled_from(
    ["kies", "map", "sluit", "open", "bestand.", "kabel.", "papier,", "#", "\n\n", "venster"]
)
TEXT = st.lists(WORDS, max_size=40).map(" ".join)


@settings(max_examples=60)
@given(TEXT, st.lists(TEXT, max_size=3), TEXT)
def test_a_passage_is_a_few_sentences_of_a_page(languages, answer, pages, question):
    match, _ = paired(languages["nl"], answer, pages, question)
    for one in places(match):
        if one is not None:
            assert 0 <= one.first <= one.last < len(match.contexts[one.page].index.units)
            assert one.last - one.first < LONGEST
            assert 0 < one.share <= 1
