"""Folders of companies, and the command run inside this process."""

from datetime import date

import pytest

from klopt.evaluation.fitting.terms import CompanyTerms, to_lexicon
from tests.cli.conftest import Klopt, write_log
from tests.company.reviewed import company_of, write_company
from tests.tables import tables

COMPANY = tables("company", "company")
PAGES: dict[str, str] = COMPANY["pages"]
TURNS = tuple(COMPANY["turns"])
TERMS = CompanyTerms("nl", ("verlofsaldo", "verlofscherm"), 2, 2)


@pytest.fixture(scope="session")
def klopt():
    return Klopt()


@pytest.fixture
def home(tmp_path):
    """A folder with a name wider than any terminal."""
    folder = tmp_path / ("een map met een heel lange naam " * 6).strip()
    folder.mkdir()
    return folder


@pytest.fixture
def acme(home):
    """A folder with two terms, two pages and four rated answers."""
    found = company_of(home, "acme", PAGES)
    write_log(found.rated, *TURNS)
    text = to_lexicon(TERMS, source="help", today=date(2026, 11, 23))
    (found.path / "nl" / "company_terms.toml").write_text(text, "utf-8")
    return found


@pytest.fixture
def company(tmp_path):
    """A folder with a log to rate, and suggestions."""
    return write_company(tmp_path)
