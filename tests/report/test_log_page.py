"""The report of a log: its texts, figures and limits."""

import re
from datetime import date

import pytest

from klopt.report.log_figures import SHOWN, WELL_RATED, WHYS
from klopt.report.log_page import LANGUAGES, render, texts
from klopt.report.page_counts import VERDICTS
from klopt.report.scored import LogRow
from klopt.scoring.explanation import texts as explanations
from klopt.types import MESSAGE_TYPES, Turn
from tests.report.reader import words
from tests.report.scored_log import ANSWER, QUESTION, claim, faulty, figures_of, place, scored

DAY = date(2026, 11, 23)
LOG = LogRow(QUESTION, ANSWER, DAY)


def page(*rows, log: LogRow = LOG) -> str:
    return "".join(render(figures_of(*rows or [scored()], log=log), "nl", "scores.jsonl"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_a_text(language):
    found = texts(language)
    assert set(found["kinds"]) == set(MESSAGE_TYPES)
    assert set(found["verdicts"]) == set(found["tiles"]) == set(VERDICTS)
    assert set(WHYS) <= set(found["questions"])
    assert set(found["reasons"]) == set(explanations(language)["reasons"]) - {"on_original"}
    assert len(found["months"]["names"]) == 12


def test_the_page_shows_verdicts_names_pages_and_evidence():
    found = words(page(scored("7"), scored("8", verdict="send", score=4.8)))
    assert "Van de 2 antwoorden zonder controle te versturen: 1 (50%)." in found
    assert "Blokkeer direct" in found
    assert "kaarten.md" in found
    assert "de pagina zegt iets anders (kaarten.md, regel 3)" in found
    assert "“Blokkeren duurt 30 minuten.”" in found
    assert "23 nov. 2026" in found


def test_a_question_that_a_product_stores_as_html_is_shown_without_tags():
    log = LogRow.of(Turn("<p>Hoe blokkeer&nbsp;ik?</p>", ANSWER), {})
    assert log.question == "Hoe blokkeer ik?"
    assert "Hoe blokkeer ik?" in words(page(scored("7"), log=log))


def test_a_closed_card_shows_its_reason_and_a_page_whose_name_is_shared_its_language():
    found = page(scored("7"), scored("8", language="en"))
    for summary in re.findall(r"<summary><span class=.badge.*?</summary>", found):
        assert "Geen pagina noemt “Blokkeer direct”." in summary
    assert "kaarten.md (nl)" in words(found)
    assert "kaarten.md (nl)" not in words(page())


@pytest.mark.parametrize(("count", "is_drawn"), [(9, False), (10, True)])
def test_charts_need_ten_ratings(count, is_drawn):
    found = page(*(scored(str(n)) for n in range(count)), log=LogRow(QUESTION, rating=1.0))
    assert ('id="pictures"' in found) is ('href="#pictures"' in found) is is_drawn
    assert found.count('class="plot"') == 3 * is_drawn


def test_without_the_log_the_claims_replace_the_answer():
    found = words(page(log=LogRow()))
    assert "Wat het antwoord beweert" in found
    assert "Open Passen." in found
    assert "de pagina zegt iets anders" in found
    assert "Door de tijd" not in found


def test_without_the_log_a_name_is_marked_in_its_claim():
    row = scored(claims=[claim("Kies Blokkeer direct.", "supported")])
    assert '<mark class="differs">Blokkeer direct</mark>' in page(row, log=LogRow())


def test_the_summary_shows_the_most_important_findings():
    repeated = (scored(str(number)) for number in range(9))
    other = scored("9", score=1.2, claims=[claim("Dat kost 5 euro.", "not_stated", fault=True)])
    text = page(*repeated, other, scored("10", verdict="unscored", score=None, abstained=True))
    summary = text[text.index("<section") : text.index("<nav")]
    found = words(f"</head>{summary}")
    assert "van de 10 gescoorde antwoorden niet" in found
    assert "kaarten.md 1 antwoord wijkt af" in found
    assert "De bot zegt: “Dat kost 5 euro.” De pagina zegt: niets hierover." in found
    assert f"{QUESTION} (het antwoord van de bot staat op geen pagina, 2 keer)" in found


@pytest.mark.parametrize(
    ("count", "rated", "is_shown"),
    [(WELL_RATED, 0, True), (WELL_RATED + 1, WELL_RATED, False), (20, 19, True), (20, 20, False)],
)
def test_the_command_to_rate_is_shown_until_there_are_ratings(count, rated, is_shown):
    logs = [
        LogRow(QUESTION, ANSWER, rating=1.0 if number < rated else None) for number in range(count)
    ]
    figures = figures_of(*(scored(str(number)) for number in range(count)), log=logs)
    found = "".join(render(figures, "nl", None, ["klopt rate"]))
    assert ("klopt rate" in found) is is_shown
    assert f"Beoordeel {WELL_RATED} willekeurige" not in found or count >= WELL_RATED


def test_a_chart_by_week_names_the_first_and_the_last_day():
    rows = [scored(str(number)) for number in range(2)]
    logs = [LogRow(day=date(2025, 12, 3)), LogRow(day=date(2026, 2, 28))]
    found = "".join(render(figures_of(*rows, log=logs), "nl", None))
    assert "van 3 dec. 2025 tot en met 28 feb. 2026" in found


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_code_is_shown(language):
    codes = [*explanations(language)["reasons"], "a_new_one"]
    rows = [scored(verdict="unscored", score=None, reason_code=code) for code in codes]
    rows.append(scored("1", message_type="unspecified"))
    found = words("".join(render(figures_of(*rows), language, "scores.jsonl")))
    assert not re.search(r"[a-z]_[a-z]", found)


def test_tables_show_the_number_of_omitted_rows():
    assert "Nog 5 niet getoond." in words(page(*map(faulty, range(SHOWN + 5))))


def test_texts_are_escaped_cleaned_and_truncated():
    nasty = "<img src=x onerror=alert(1)>\u202eomgekeerd\x07" + "x" * 100_000
    wrong = [claim(nasty, "not_stated", fault=True)]
    row = scored(nasty, claims=wrong, explanation=nasty, language=nasty)
    placed = [claim("A", "supported", passage=place(nasty, nasty))]
    for found in (page(row, scored(claims=placed)), page(log=LogRow(nasty, nasty, DAY))):
        assert "<img" not in found
        assert not re.search(r"[\u202e\x07]", found)
        assert len(found) < len(page()) + 60_000
