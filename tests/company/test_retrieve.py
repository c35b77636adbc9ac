"""Pages for the answers of a log without page names: ``retrieve`` in company.toml."""

from dataclasses import replace
from functools import partial

import pytest

from klopt.cli.company.scorer import company_scorer
from klopt.company.folder import Company
from klopt.company.review.desk import ReviewDesk, shuffled
from klopt.company.review.store import PersonOpinion, key_of
from klopt.errors import CompanyError
from klopt.logs.rows import read_rows
from tests.cli.conftest import write_log
from tests.company.reviewed import ANSWERS, stored


@pytest.fixture
def bare(company):
    """A company with a log without page names."""
    rows = ({"id": f"b{n}", "question": q, "answer": a} for n, (_, q, a) in enumerate(ANSWERS))
    write_log(company.log, *rows)
    return company


@pytest.fixture
def retrieving(bare):
    found = replace(bare, retrieve=2)
    found.write()
    return found


@pytest.mark.parametrize("command", ["check", "suggest"])
def test_without_the_setting_the_command_names_it(klopt, bare, command):
    run = klopt("company", command, bare.path)
    assert "9 answers of 9 have no score" in run.err
    assert f"add the line retrieve = 3 to {bare.path / 'company.toml'}" in run.err


def test_check_scores_with_retrieved_pages(klopt, retrieving):
    run = klopt("company", "check", retrieving.path, "--accept")
    assert "have no score" not in run.err
    assert '"verdict": "send"' in retrieving.accepted.read_text("utf-8")


def test_check_reads_a_log_with_other_field_names(klopt, retrieving):
    write_log(retrieving.log, *({"klant": q, "bot": a} for _, q, a in ANSWERS))
    named = ("--map", "question=klant", "--map", "answer=bot")
    run = klopt("company", "check", retrieving.path, *named)
    assert run.code == 0
    assert "--map question=klant --map answer=bot --accept" in run.err


def test_suggest_reads_retrieved_pages(klopt, retrieving):
    questions = ("Hoe deel ik het rooster?", "Hoe deel ik een rooster?", "Rooster delen, hoe?")
    answer = "Open **Planning** en klik op **Verzenden**."
    write_log(retrieving.log, *({"question": question, "answer": answer} for question in questions))
    assert "Verzenden" in klopt("company", "suggest", retrieving.path).out


def test_a_rating_has_the_retrieved_pages(retrieving):
    pages = retrieving.pages()
    rows = read_rows(str(retrieving.log), pages=pages)
    scorer_of = partial(company_scorer, retrieving, pages=pages)
    desk = ReviewDesk(retrieving, rows, pages, scorer_of=scorer_of)
    desk.book.wait(10_000, 180)
    _, question, answer = ANSWERS[0]
    key = key_of("b0", question, answer)
    desk.rate(key, PersonOpinion(rating=5.0), PersonOpinion().version)
    (row,) = stored(retrieving)
    assert "rooster.md" in row["contexts"]
    turn, _ = desk.book.assess(desk.book.row(key))
    assert [page.id for page in turn.pages] == row["contexts"]


@pytest.mark.parametrize("value", ["-1", "51", '"3"', "true"])
def test_an_invalid_number_of_pages_is_refused(company, value):
    file = company.path / "company.toml"
    file.write_text(file.read_text("utf-8") + f"retrieve = {value}\n", "utf-8")
    with pytest.raises(CompanyError, match=r"retrieve: .*a number of pages from 0 to 50"):
        Company.open(company.path)


def test_the_order_of_the_review_is_independent_of_the_log(bare, tmp_path):
    ids = [row.id for row in shuffled(read_rows(str(bare.log)))]
    log = tmp_path / "reversed.jsonl"
    log.write_text("".join(reversed(bare.log.read_text("utf-8").splitlines(True))), "utf-8")
    assert ids == [row.id for row in shuffled(read_rows(str(log)))]
    assert sorted(ids) == [f"b{number}" for number in range(len(ANSWERS))] != ids
