from __future__ import annotations

import re
from datetime import date

import pytest

from klopt.records import MESSAGE_TYPES
from klopt.report.log_figures import SHOWN, VERDICTS, WHYS
from klopt.report.log_page import LANGUAGES, render, texts
from klopt.report.scored import AskedRow
from klopt.scoring.explanation import texts as explanations
from tests.report.reader import words
from tests.report.scored_log import ANSWER, QUESTION, counted, faulty, place, scored, statement

DAY = date(2026, 11, 23)
ASKED = AskedRow(QUESTION, ANSWER, DAY)


def page(*rows, asked: AskedRow = ASKED) -> str:
    return "".join(render(counted(*rows or [scored()], asked=asked), "nl", "scores.jsonl"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_words(language):
    said = texts(language)
    assert set(said["kinds"]) == set(MESSAGE_TYPES)
    assert set(said["verdicts"]) == set(said["tiles"]) == set(VERDICTS)
    assert set(WHYS) <= set(said["questions"])
    assert set(said["reasons"]) == set(explanations(language)["reasons"]) - {"on_original"}
    assert len(said["months"]["names"]) == 12


def test_what_a_support_lead_reads():
    found = words(page(scored("7"), scored("8", verdict="send", score=4.8)))
    assert "Zo te versturen: 1 (50%) van de 2 antwoorden" in found
    assert "Blokkeer direct" in found
    assert "kaarten.md" in found
    assert "de pagina zegt het anders (kaarten.md, regel 3)" in found
    assert "“Blokkeren duurt 30 minuten.”" in found
    assert "23 nov. 2026" in found


def test_a_closed_card_says_why_and_a_page_its_language_where_another_has_its_name():
    found = page(scored("7"), scored("8", language="en"))
    for summary in re.findall(r"<summary><span class=.badge.*?</summary>", found):
        assert "Geen pagina noemt “Blokkeer direct”." in summary
    assert "kaarten.md (nl)" in words(found)
    assert "kaarten.md (nl)" not in words(page())


@pytest.mark.parametrize(("count", "is_drawn"), [(9, False), (10, True)])
def test_pictures_are_drawn_of_ten_ratings_or_more(count, is_drawn):
    found = page(*(scored(str(n)) for n in range(count)), asked=AskedRow(QUESTION, rating=1.0))
    assert ('id="pictures"' in found) is ('href="#pictures"' in found) is is_drawn
    assert found.count('class="plot"') == 3 * is_drawn


def test_without_the_log_the_statements_stand_for_the_answer():
    found = words(page(asked=AskedRow()))
    assert "Wat het antwoord beweert" in found
    assert "Open Passen." in found
    assert "de pagina zegt het anders" in found
    assert "Door de tijd" not in found


def test_without_the_log_a_name_is_marked_where_it_stands_in_a_statement():
    row = scored(statements=[statement("Kies Blokkeer direct.", "supported")])
    assert '<mark class="differs">Blokkeer direct</mark>' in page(row, asked=AskedRow())


def test_tables_say_how_many_more_there_are():
    assert "Nog 5 staan hier niet." in words(page(*map(faulty, range(SHOWN + 5))))


def test_texts_of_others_are_escaped_cleaned_and_cut():
    nasty = "<img src=x onerror=alert(1)>\u202eomgekeerd\x07" + "x" * 100_000
    stands = [statement(nasty, "not_stated", fault=True)]
    row = scored(nasty, statements=stands, explanation=nasty, language=nasty)
    placed = [statement("A", "supported", passage=place(nasty, nasty))]
    for found in (page(row, scored(statements=placed)), page(asked=AskedRow(nasty, nasty, DAY))):
        assert "<img" not in found
        assert not re.search(r"[\u202e\x07]", found)
        assert len(found) < len(page()) + 60_000
