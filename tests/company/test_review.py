"""The review: the ratings it stores, the requests it refuses, the pages it shows."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, replace
from typing import Any

import pytest

from klopt import Page, Scorer
from klopt._internal import shipped
from klopt.company.folder import Company, read_names
from klopt.company.review.app import BODY_BYTES, application
from klopt.company.review.desk import Book
from klopt.company.review.shown import ANSWER_CHARS
from klopt.company.suggestions import Suggestions
from klopt.evaluation.rated import is_rated
from klopt.logs.rows import read_rows, rows_of
from tests.cli.conftest import write_log
from tests.company.reviewed import ALLOW, IMPROVE, PAGES, desk, path_of, rows, stored, write_company
from tests.report.browser import HOSTILE

testclient = pytest.importorskip("starlette.testclient")
HERE = "http://127.0.0.1:8000"


class Tab:
    """A browser tab with support for forms."""

    def __init__(self, app: Any) -> None:
        self.client = testclient.TestClient(app, HERE)
        self.page = ""
        self.url = ""

    def open(self, path: str = "/") -> Tab:
        return self._read(self.client.get(path))

    def send(self, *, origin: str | None = HERE, **fields: str) -> Tab:
        """Send the form of the page with these fields."""
        form = re.search(r'<form method="post" action="([^"]+)"', self.page)
        assert form is not None
        hidden = re.findall(r'<input type="hidden" name="(\w+)"[^>]* value="([^"]*)"', self.page)
        chosen = re.search(r'<option value="(\w+)" selected', self.page)
        note = re.search(r'<textarea name="note"[^>]*>\n(.*?)</textarea>', self.page, re.DOTALL)
        data = {name: html.unescape(value) for name, value in reversed(hidden)}
        data |= {"message_type": chosen[1] if chosen else ""}
        data |= {"note": html.unescape(note[1]) if note else ""} | fields
        headers = {} if origin is None else {"origin": origin}
        return self._read(self.client.post(form[1], data=data, headers=headers))

    def _read(self, response: Any) -> Tab:
        self.page, self.url, self.status = response.text, response.url.path, response.status_code
        self.headers = response.headers
        return self

    @property
    def id(self) -> str:
        found = re.search(r'<span class="id">([^<]*)</span>', self.page)
        return "" if found is None else found[1]

    @property
    def message(self) -> str:
        found = re.search(r'<p role="status" id="said">(.*?)</p>', self.page)
        return "" if found is None else html.unescape(found[1])

    def at(self, row_id: str) -> Tab:
        for _ in range(30):
            if self.id == row_id:
                return self
            (next_page,) = re.findall(r'href="(/next/\w+)"', self.page)
            self.open(next_page)
        raise AssertionError(f"there is no page for {row_id}")


@dataclass
class Unchanged:
    company: Company
    app: Any


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory):
    """A review for tests that store nothing."""
    company = write_company(tmp_path_factory.mktemp("unchanged"))
    return Unchanged(company, application(desk(company), "nl"))


@pytest.fixture
def app(company):
    return application(desk(company), "nl")


def test_rating_stores_and_continues_until_all_are_rated(company, app):
    """An answer that was skipped comes last."""
    tab = Tab(app).open().at("a1")
    rated = []
    while tab.id:
        rated.append(tab.id)
        tab.send(rating="4")
    first, *others = (row["id"] for row in rows())
    assert rated == [*others, first]
    assert "Alles is beoordeeld" in tab.page
    assert f"Alle antwoorden zijn beoordeeld: {len(rated)}." in tab.page
    assert [row["id"] for row in stored(company)] == rated
    assert all(row["rating"] == 4 and "rater" not in row for row in stored(company))
    pages = company.pages()
    read_again = list(read_rows(str(company.rated), pages=pages))
    assert all(row.turn and is_rated(row.turn) and row.turn.pages for row in read_again)


def test_marks_type_and_note_are_stored_with_the_rating(company, app):
    tab = Tab(app).open().at("a3")
    answer = next(row["answer"] for row in rows() if row["id"] == "a3")
    start = answer.index("90 dagen")
    tab.send(mark=f"{start}-{start + 9}", note="Op de pagina\r\nstaat 30.")
    assert tab.id == "a3"
    assert '<mark class="untrue">90 dagen</mark>' in tab.page
    tab.send(message_type="error")
    assert "klopt geeft" not in tab.page  # only after a rating
    tab.send(rating="1")
    (row,) = stored(company)
    assert (row["rating"], row["untrue"], row["message_type"]) == (1, ["90 dagen"], "error")
    assert row["note"] == "Op de pagina\nstaat 30."
    assert tab.message == "Opgeslagen: een 1."
    tab.open(path_of("a3"))
    assert 'aria-pressed="true"><b>1</b>' in tab.page
    assert "Jij gaf een 1. klopt geeft " in tab.page
    tab.send(unmark="0", message_type="error")
    assert "untrue" not in stored(company)[0]


def test_a_page_from_before_a_restart_stores_nothing(company, app):
    old = Tab(app).open()
    old.client = testclient.TestClient(application(desk(company), "nl"), HERE)
    old.send(rating="3")
    assert (old.status, stored(company)) == (409, [])
    assert "opnieuw gestart" in old.message
    old.send(rating="3")
    assert [row["rating"] for row in stored(company)] == [3]


EVIL = "http://evil.example"


@pytest.mark.parametrize(
    ("sent", "headers", "status"),
    [
        ({}, {"origin": EVIL}, 403),
        ({}, {"origin": "http://127.0.0.1:9999"}, 403),
        ({}, {"origin": HERE, "sec-fetch-site": "cross-site"}, 403),
        ({}, {"origin": f"{EVIL}:8000", "host": "evil.example:8000"}, 400),
        ({"token": ""}, {}, 403),
        ({"token": "x"}, {}, 403),
        ({"token": "é"}, {}, 403),
        ({"note": "x" * 6_000}, {}, 400),
        (b"note=" + b"x" * BODY_BYTES, {"origin": HERE}, 413),
        (b"\xff", {"origin": HERE}, 400),
        (b"", {"origin": HERE}, 403),
    ],
)
def test_requests_of_other_sites_and_invalid_forms_are_refused(unchanged, sent, headers, status):
    tab = Tab(unchanged.app).open()
    token = re.search(r'name="token" value="(\w+)"', tab.page)
    assert token is not None
    given = {"content": sent}
    if isinstance(sent, dict):
        given = {"data": {"token": token[1], "rating": "3"} | sent}
    assert tab.client.post(tab.url, headers=headers, **given).status_code == status
    assert stored(unchanged.company) == []


def test_the_policy_allows_only_the_own_script_and_style_sheet(unchanged):
    tab = Tab(unchanged.app).open()
    for path in (tab.url, "/review.css", "/suggestions", "/nowhere"):
        headers = tab.open(path).headers
        assert headers["content-security-policy"].startswith(
            "default-src 'none'; script-src 'self'; style-src 'self'; form-action 'self'"
        )
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
    assert not re.search(r"<script(?! src)|<style|<[^>]* (on\w+|style)=", tab.open("/").page)
    for name in ("review.js", "review.css"):
        assert "//" not in re.sub(r"// .*", "", shipped.text("klopt.company.review", name))


@pytest.mark.parametrize("row_id", ["odd", "long"])
def test_hostile_texts_are_escaped(unchanged, row_id):
    tab = Tab(unchanged.app).open().at(row_id)
    assert "<script>document" not in tab.page
    assert "<img" not in tab.page
    assert "\x00" not in tab.page
    assert "\u202e" not in tab.page
    assert html.escape(HOSTILE, quote=False)[:40].split("&")[0] in tab.page
    words = re.search(r'<div id="words"[^>]*>(.*?)</div>', tab.page, re.DOTALL)
    assert words is not None
    answer = next(row["answer"] for row in rows() if row["id"] == row_id)
    shown = html.unescape(re.sub("</?b>", "", words[1]))
    assert len(shown) == len(answer.replace("**", "")) <= ANSWER_CHARS


def test_suggestions_are_accepted_and_reopened(company, app):
    tab = Tab(app).open("/suggestions")
    assert "Naam om toe te staan" in tab.page
    assert html.escape(HOSTILE, quote=False)[:30].split("&")[0] in tab.page
    assert "<img" not in tab.page
    other = Tab(app).open("/suggestions")
    tab.send(id=ALLOW.id, status="accepted", seen="open")
    assert tab.message == f"Aangenomen: {ALLOW.id}. De antwoorden worden opnieuw gescoord."
    assert [one.name for one in read_names(company.path, "nl")] == ["Mijn taken"]
    assert Suggestions.read(company.path)[ALLOW.id].status == "accepted"
    other.send(id=ALLOW.id, status="rejected", seen="open")
    assert other.status == 409
    assert Suggestions.read(company.path)[ALLOW.id].status == "accepted"
    other.send(id=ALLOW.id, status="open", seen="accepted")
    assert read_names(company.path, "nl") == []
    assert "Pagina is verbeterd" in other.page
    other.send(id=IMPROVE.id, status="rejected", seen="open")
    assert other.message == f"Niet nodig: {IMPROVE.id}."
    assert Suggestions.read(company.path)[IMPROVE.id].status == "rejected"


def test_a_page_to_improve_loses_the_answers_that_are_not_rated_untrue(company, app):
    answers = {row["id"]: row["answer"].replace("**", "") for row in rows()}
    page = replace(
        IMPROVE,
        answers=("a1", "a3", "a5"),
        examples=tuple(f"“{answers[name]}” ↔ “Anders.”" for name in ("a1", "a3", "a5")),
        reason="page",
    )
    Suggestions(company.path, (ALLOW, page)).write()
    for name, rating, left in (("a1", "1", 3), ("a3", "3", 2), ("a5", "5", 0)):
        Tab(app).open(path_of(name)).send(rating=rating)
        shown = Tab(app).open("/suggestions").page
        assert (f"{left} antwoorden wijken af van deze pagina" in shown) == (left > 0)
        assert (answers["a3"] in shown) == (left == 3)
        assert ("Pagina is verbeterd" in shown) == (left > 0)
        assert ALLOW.id in shown
    assert Suggestions.read(company.path)[page.id].answers == page.answers


def test_an_invalid_suggestion_changes_nothing(company, app):
    path = company.path / "nl" / "product_names.toml"
    path.write_text("broken", "utf-8")
    tab = Tab(app).open("/suggestions").send(id=ALLOW.id, status="accepted", seen="open")
    assert tab.status == 409
    assert tab.message.startswith("Niet opgeslagen.")
    assert Suggestions.read(company.path)[ALLOW.id].status == "open"
    for name, status in (("none", "accepted"), (ALLOW.id, "burnt")):
        assert tab.send(id=name, status=status, seen="open").status in (400, 409)
        tab.open("/suggestions")


def test_two_people_get_a_kappa_and_do_not_see_each_others_ratings(company):
    for rater in ("An", "Bo"):
        tab = Tab(application(desk(company, rater), "nl")).open()
        assert "als " + rater in tab.page
        assert "Jij gaf een" not in tab.page
        for rating in "15341":
            tab.send(rating=rating)
    assert "An en Bo" in tab.page
    assert re.search("<b>kappa 1,00</b><br><small>over 5 antwoorden", tab.page)
    assert {row["rater"] for row in stored(company)} == {"An", "Bo"}


def test_repeated_rows_are_scored_once_and_unscored_ones_counted():
    pages = {name: Page(text, name) for name, text in PAGES.items()}
    unknown = {"id": "u", "question": "Hoe?", "answer": "Zo doet u dat.", "contexts": ["weg.md"]}
    bare = {"id": "b", "question": "Hoe doe ik dat?", "answer": "Zo doet u dat."}
    log = enumerate([*rows()[:3], rows()[0], unknown, bare], 1)
    book = Book(
        rows_of(((n, row, None) for n, row in log), pages=pages), Scorer.load(), pages, None
    )
    book.wait(10_000, 180)
    assert len(book.scored) == 3
    assert dict(book.unscored) == {"row": 1, "no_contexts": 1}
    assert book.left_out == 0


def test_a_repeated_answer_is_offered_once(tmp_path):
    company = write_company(tmp_path)
    assert company.log is not None
    write_log(company.log, *rows(), rows()[0] | {"id": "again"})
    assert len(desk(company).book) == len(rows())
