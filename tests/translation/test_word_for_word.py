"""Texts read word for word in English."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from klopt import Page, Scorer, Turn, shipped
from klopt.errors import TranslationError
from klopt.reading.markup import read_text
from klopt.reading.reader import split_sentences
from klopt.reading.text import PlainText, Span
from klopt.scoring.interpretation import Foreign
from klopt.translation.word_for_word import SOURCES, WordInterpreter, WordTable, word_for_word
from tests.tables import tables

CASES = tables("translation", "word_for_word")

WORD = regex.compile(r"\w+")


def read(text: str, language: str) -> PlainText:
    plain = read_text(text)
    names = tuple(Span(one.start, one.end) for one in plain.marks if one.kind == "strong")
    foreign = Foreign(language, plain, split_sentences(plain.text, frozenset()), names)
    return WordInterpreter().interpret([foreign], language).texts[0]


@pytest.mark.parametrize(
    ("language", "word", "english"), [*CASES["words"], ("nl", "x" * 100, "x" * 100)]
)
def test_a_word_stands_for_another(language: str, word: str, english: str) -> None:
    assert WordTable.load(language).of(word) == english


def test_each_word_leads_back_to_the_one_it_stands_for() -> None:
    text = "Klicken Sie **nicht** auf *Speichern*, sondern warten Sie 15 Minuten."
    found = read(text, "de")
    assert found.text == "Click you not on save, but wait you 15 minute."
    back = {
        one.group(): text[slice(*found.original(*one.span()))] for one in WORD.finditer(found.text)
    }
    assert back["Click"] == "Klicken"
    assert back["not"] == "nicht"
    assert back["15"] == "15"
    assert back["minute"] == "Minuten"


def test_a_name_stays_where_one_of_its_words_is_not_known() -> None:
    assert "Batch Post Sales Invoices" in read("Start **Batch Post Sales Invoices**.", "nl").text
    assert read("Klicken Sie auf **Speichern**.", "de").text == "Click you on save."


def test_a_french_elision_is_two_words() -> None:
    assert read("L'administrateur n'a pas l'adresse.", "fr").text == (
        "The administrator not has not the address."
    )


def test_a_language_without_words_is_declared() -> None:
    with pytest.raises(TranslationError, match="no words of pl, but of de, fr, nl"):
        read("Kliknij.", "pl")


@given(text=st.text(max_size=200), language=st.sampled_from(sorted(SOURCES)))
def test_whatever_is_read_leads_into_the_original(text: str, language: str) -> None:
    found = read(text, language)
    for word in WORD.finditer(found.text):
        start, end = found.original(*word.span())
        assert 0 <= start <= end <= len(text)


@pytest.mark.parametrize("language", sorted(SOURCES))
def test_no_function_word_stands_for_two(language: str) -> None:
    table = shipped.table("klopt.translation", "words", f"{language}.toml")
    found = [(word, one) for one, words in table["function"].items() for word in words.split()]
    assert len({word for word, _ in found}) == len(found)
    assert all(word == word.lower() or english == "I" for word, english in found)


@pytest.mark.parametrize(("language", "text", "english"), CASES["sentences"])
def test_sentences_and_numbers_that_mean_more_together(language, text, english):
    assert WordTable.load(language).reads(text).startswith(english)


@pytest.mark.parametrize(("language", "question", "abstains", "answers"), CASES["abstentions"])
def test_an_abstention_is_told_in_german_and_french(language, question, abstains, answers):
    page = Page("Een sleutel is 12 maanden geldig.", "k.md")
    scorer = Scorer.load(translate=word_for_word())
    told = [
        scorer.score(Turn(question, text, [page], language=language))
        for text in (abstains, answers)
    ]
    assert [one.abstained for one in told] == [True, False]
