"""A small company's folder, and the command run inside this process."""

from __future__ import annotations

from pathlib import Path

import pytest

from klopt.company.entries import LexiconEntry, put
from klopt.company.folder import Company
from tests.cli.conftest import Klopt, write_log
from tests.company.reviewed import company_of, write_company

PAGES = {
    "verlof.md": """# Verlof aanvragen

U vraagt verlof aan in het Verlofscherm. Uw leidinggevende krijgt daarvan bericht.

1. Klik op **Verlof**.
2. Klik op **Nieuw verlof**.
3. Kies de dagen en klik op **Versturen**.
""",
    "saldo.md": """# Uw verlofsaldo bekijken

Het verlofsaldo staat op de tegel Verlof, op de tegel Saldo en in het jaaroverzicht.

1. Klik op **Verlof**.
2. Klik op **Saldo**.
""",
}
TURNS = tuple(
    {"id": id, "question": asked, "answer": said, "contexts": [page], "rating": rating}
    for id, page, rating, asked, said in (
        (
            *("aanvraag", "verlof.md", 5, "Hoe vraag ik verlof aan?"),
            "1. Klik op **Verlof**.\n2. Klik op **Nieuw verlof**.\n"
            "3. Kies de dagen en klik op **Versturen**.",
        ),
        (
            *("saldo", "saldo.md", 5, "Waar zie ik mijn verlofsaldo?"),
            "1. Klik op **Verlof**.\n2. Klik op **Saldo**.",
        ),
        (
            *("knop", "verlof.md", 1, "Hoe vraag ik verlof aan?"),
            "Klik op **Urenbriefje** en daarna op **Afwezig melden**.",
        ),
        (
            *("bericht", "verlof.md", 4, "Wie krijgt er bericht als ik verlof aanvraag?"),
            "Uw leidinggevende krijgt bericht van de aanvraag.",
        ),
    )
)
TERMS = [LexiconEntry("company_terms", "terms", (one,)) for one in ("verlofsaldo", "verlofscherm")]


@pytest.fixture(scope="session")
def klopt() -> Klopt:
    return Klopt()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder whose name is wider than any window."""
    folder = tmp_path / ("een map met een heel lange naam " * 6).strip()
    folder.mkdir()
    return folder


@pytest.fixture
def acme(home: Path) -> Company:
    """A folder with two terms, two pages and four rated answers."""
    found = company_of(home, "acme", PAGES)
    write_log(found.rated, *TURNS)
    put(found.path, "nl", TERMS)
    return found


@pytest.fixture
def company(tmp_path: Path) -> Company:
    """A folder with a log to rate, and suggestions."""
    return write_company(tmp_path)
