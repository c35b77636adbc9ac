"""The pages of the review: what is stored, what is refused, what is shown."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import Any

import pytest

from klopt._internal import shipped
from klopt.company.folder import Company, read_names
from klopt.company.review.app import BODY_BYTES, application
from klopt.company.review.shown import ANSWER_CHARS
from klopt.company.suggestions import Suggestions
from klopt.evaluation.rated import is_rated
from klopt.logs.rows import read_rows
from tests.company.reviewed import MEND, NAME, desk, path_of, rows, stored, write_company
from tests.report.browser import HOSTILE

testclient = pytest.importorskip("starlette.testclient")
HERE = "http://127.0.0.1:8000"


class Tab:
    """A browser's tab, as far as forms go."""

    def __init__(self, app: Any) -> None:
        self.client = testclient.TestClient(app, HERE)
        self.page = ""
        self.url = ""

    def open(self, path: str = "/") -> Tab:
        return self._took(self.client.get(path))

    def send(self, *, origin: str | None = HERE, **fields: str) -> Tab:
        """The form of the page with some fields filled in."""
        form = re.search(r'<form method="post" action="([^"]+)"', self.page)
        assert form is not None
        hidden = re.findall(r'<input type="hidden" name="(\w+)"[^>]* value="([^"]*)"', self.page)
        chosen = re.search(r'<option value="(\w+)" selected', self.page)
        note = re.search(r'<textarea name="note"[^>]*>\n(.*?)</textarea>', self.page, re.DOTALL)
        data = {name: html.unescape(value) for name, value in reversed(hidden)}
        data |= {"message_type": chosen[1] if chosen else ""}
        data |= {"note": html.unescape(note[1]) if note else ""} | fields
        headers = {} if origin is None else {"origin": origin}
        return self._took(self.client.post(form[1], data=data, headers=headers))

    def _took(self, response: Any) -> Tab:
        self.page, self.url, self.status = response.text, response.url.path, response.status_code
        self.headers = response.headers
        return self

    @property
    def id(self) -> str:
        found = re.search(r'<span class="id">([^<]*)</span>', self.page)
        return "" if found is None else found[1]

    @property
    def said(self) -> str:
        found = re.search(r'<p role="status" id="said">(.*?)</p>', self.page)
        return "" if found is None else html.unescape(found[1])

    def at(self, row_id: str) -> Tab:
        for _ in range(30):
            if self.id == row_id:
                return self
            (onward,) = re.findall(r'href="(/next/\w+)"', self.page)
            self.open(onward)
        raise AssertionError(f"{row_id} was never offered")


@dataclass
class Quiet:
    company: Company
    app: Any


@pytest.fixture(scope="module")
def quiet(tmp_path_factory):
    """For tests that store nothing."""
    company = write_company(tmp_path_factory.mktemp("quiet"))
    return Quiet(company, application(desk(company), "nl"))


@pytest.fixture
def app(company):
    return application(desk(company), "nl")


def test_rating_stores_and_goes_on_until_everything_is_rated(company, app):
    """What is passed over comes after the last."""
    tab = Tab(app).open().at("a1")
    seen = []
    while tab.id:
        seen.append(tab.id)
        tab.send(rating="4")
    first, *others = (row["id"] for row in rows())
    assert seen == [*others, first]
    assert "Alles is beoordeeld" in tab.page
    assert [row["id"] for row in stored(company)] == seen
    assert all(row["rating"] == 4 and "rater" not in row for row in stored(company))
    pages = company.pages()
    read_again = list(read_rows(str(company.rated), pages=pages))
    assert all(row.turn and is_rated(row.turn) and row.turn.pages for row in read_again)


def test_what_is_marked_corrected_and_noted_is_stored_beside_the_rating(company, app):
    tab = Tab(app).open().at("a3")
    answer = next(row["answer"] for row in rows() if row["id"] == "a3")
    start = answer.index("90 dagen")
    tab.send(mark=f"{start}-{start + 9}", note="Op de pagina\r\nstaat 30.")
    assert tab.id == "a3"
    assert '<mark class="untrue">90 dagen</mark>' in tab.page
    tab.send(message_type="error")
    assert "klopt geeft" not in tab.page  # before a person has rated it
    tab.send(rating="1")
    (row,) = stored(company)
    assert (row["rating"], row["untrue"], row["message_type"]) == (1, ["90 dagen"], "error")
    assert row["note"] == "Op de pagina\nstaat 30."
    assert tab.said == "Opgeslagen: een 1."
    tab.open(path_of("a3"))
    assert 'aria-pressed="true"><b>1</b>' in tab.page
    assert "Jij gaf een 1. klopt geeft " in tab.page
    tab.send(unmark="0", message_type="error")
    assert "untrue" not in stored(company)[0]


def test_a_page_from_before_a_restart_stores_nothing_and_says_so(company, app):
    old = Tab(app).open()
    old.client = testclient.TestClient(application(desk(company), "nl"), HERE)
    old.send(rating="3")
    assert (old.status, stored(company)) == (409, [])
    assert "opnieuw gestart" in old.said
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
def test_what_comes_from_elsewhere_or_is_no_form_is_refused(quiet, sent, headers, status):
    tab = Tab(quiet.app).open()
    token = re.search(r'name="token" value="(\w+)"', tab.page)
    assert token is not None
    given = {"content": sent}
    if isinstance(sent, dict):
        given = {"data": {"token": token[1], "rating": "3"} | sent}
    assert tab.client.post(tab.url, headers=headers, **given).status_code == status
    assert stored(quiet.company) == []


def test_nothing_but_our_own_script_and_style_sheet_is_let_in(quiet):
    tab = Tab(quiet.app).open()
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
def test_hostile_texts_are_escaped(quiet, row_id):
    tab = Tab(quiet.app).open().at(row_id)
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


def test_suggestions_are_accepted_and_put_back(company, app):
    tab = Tab(app).open("/suggestions")
    assert "Naam om toe te staan" in tab.page
    assert html.escape(HOSTILE, quote=False)[:30].split("&")[0] in tab.page
    assert "<img" not in tab.page
    other = Tab(app).open("/suggestions")
    tab.send(id=NAME.id, status="accepted", seen="open")
    assert tab.said == f"Aangenomen: {NAME.id}. De antwoorden worden opnieuw gescoord."
    assert [one.name for one in read_names(company.path, "nl")] == ["Mijn taken"]
    assert Suggestions.read(company.path)[NAME.id].status == "accepted"
    other.send(id=NAME.id, status="rejected", seen="open")
    assert other.status == 409
    assert Suggestions.read(company.path)[NAME.id].status == "accepted"
    other.send(id=NAME.id, status="open", seen="accepted")
    assert read_names(company.path, "nl") == []
    other.send(id=MEND.id, status="rejected", seen="open")
    assert Suggestions.read(company.path)[MEND.id].status == "rejected"


def test_a_suggestion_that_does_not_fit_is_told_and_changes_nothing(company, app):
    path = company.path / "nl" / "product_names.toml"
    path.write_text("broken", "utf-8")
    tab = Tab(app).open("/suggestions").send(id=NAME.id, status="accepted", seen="open")
    assert tab.status == 409
    assert tab.said.startswith("Niet opgeslagen.")
    assert Suggestions.read(company.path)[NAME.id].status == "open"
    for name, status in (("none", "accepted"), (NAME.id, "burnt")):
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
