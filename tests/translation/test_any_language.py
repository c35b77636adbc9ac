"""Answers in a language that klopt has no words of, over pages in it."""

from __future__ import annotations

import pytest

from klopt import Page, Scorer, Turn
from klopt.reading.reader import vote
from klopt.translation.identification import identified
from klopt.translation.word_for_word import word_for_word

PAGES = {
    "pl": "# Kod logowania\n\nPo wysłaniu kod jest ważny przez 15 minut. Potem wyślij nowy kod.",
    "es": "# Código\n\nEl código es válido durante 15 minutos después de enviarlo.",
    "el": "# Κωδικός\n\nΟ κωδικός ισχύει για 15 λεπτά μετά την αποστολή του.",
    "uk": "# Код\n\nКод дійсний протягом 15 хвилин після надсилання.",
}
ANSWERS = {
    "pl": ("Jak długo ważny jest kod do logowania?", "Kod jest ważny przez {} minut."),
    "es": ("¿Cuánto tiempo es válido el código?", "El código es válido durante {} minutos."),
    "el": ("Πόση ώρα ισχύει ο κωδικός;", "Ο κωδικός ισχύει για {} λεπτά."),
    "uk": ("Як довго дійсний код для входу?", "Код дійсний протягом {} хвилин."),
}


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer.load(translate=word_for_word(any_language=True))


def asked(language: str, minutes: int, page: str) -> Turn:
    question, answer = ANSWERS[language]
    return Turn(question, answer.format(minutes), [Page(page, "code.md")])


@pytest.mark.parametrize("language", sorted(PAGES))
def test_the_right_answer_scores_higher_and_is_not_sent(scorer, language):
    true, untrue = (scorer.score(asked(language, one, PAGES[language])) for one in (15, 30))
    assert (true.language, untrue.language) == (language, language)
    assert (true.verdict, untrue.verdict) == ("review", "block")
    assert true.score > untrue.score
    assert "as it stands" in true.fingerprint


def test_pages_in_another_language_are_not_held_against_it(scorer):
    turn = asked("pl", 15, "# Code\n\nThe code is valid for 15 minutes after it was sent.")
    result = scorer.score(turn)
    assert (result.verdict, result.reason_code) == ("unscored", "context_language")


def test_dutch_is_read_as_without_it(scorer):
    page = Page("Na verzending is de code 15 minuten geldig. Vraag daarna een nieuwe code aan.")
    turn = Turn("Hoe lang is de code geldig?", "De code is 15 minuten geldig.", [page])
    assert scorer.score(turn).to_dict() == Scorer.load().score(turn).to_dict()


@pytest.mark.parametrize(
    ("texts", "language"),
    [
        (["Hvordan endrer jeg passordet mitt når jeg har glemt det?"], "no"),
        (["Miten vaihdan salasanan?", "Valitse Vaihda salasana."], "fi"),
        (["Jak změním heslo?"], "cs"),
        (["Parolayı nasıl değiştiririm?"], "tr"),
        (["Як змінити пароль?"], "uk"),
        (["LN-2047 15"], None),
        (["OK"], None),
        ([""], None),
        (["كيف أغير كلمة المرور؟"], None),
        (["パスワードを変更する方法"], None),
        (["Jak zmienić hasło? " * 100_000], "pl"),
    ],
)
def test_a_language_is_told_or_left_open(texts, language):
    assert identified(texts) == language


@pytest.mark.parametrize(
    "text",
    [
        "Jak długo ważny jest kod do logowania? Kod jest ważny przez 15 minut.",
        "Kako dugo vrijedi kod za prijavu? Kod vrijedi 15 minuta.",
    ],
)
def test_one_word_does_not_make_a_text_english_or_dutch(text):
    assert vote([text]).language is None


def german(page, **fields):
    turn = "Wie lange gilt der Code?", "Der Code gilt 15 Minuten.", [Page(page, "code.md")]
    return Turn(*turn, **fields)


def test_only_the_beginning_of_many_sentences_is_read(scorer, monkeypatch):
    monkeypatch.setattr("klopt.scoring.across.MOST_SENTENCES", 20)
    within, beyond = (
        scorer.score(german("De winkel is dicht. " * before + "De code geldt 15 minuten."))
        for before in (19, 20)
    )
    assert within.statements[0].truth > 0.9
    assert beyond.statements[0].truth < 0.5


def test_how_it_was_read_is_in_the_fingerprint(scorer):
    turn = german("De code is na verzending 15 minuten geldig.", language="de")
    by_words = Scorer.load(translate=word_for_word()).score(turn)
    assert scorer.score(turn).fingerprint != by_words.fingerprint
