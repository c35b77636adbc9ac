"""Folders of companies, and a company with a log to rate, for the tests of the review."""

import contextlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from klopt.company.folder import Company
from klopt.company.review.desk import ReviewDesk
from klopt.company.review.store import key_of
from klopt.company.suggestions import Suggestion, Suggestions
from klopt.logs.rows import read_rows
from tests.cli.conftest import write_log
from tests.report.browser import HOSTILE

PROFILE = """[profile]
name = "acme"
extends = "default"

[heuristics.denied_names]

[verdict]
review_on = ["components_defined", "denied_names", "guide_asked", "step_order", "weakest_statement"]

[languages.nl]
lexicons = ["nl"]
"""
PAGES = {
    "rooster.md": "# Rooster\n\n1. Open **Planning**.\n2. Klik op **Rooster delen**.\n\n"
    "Een gedeeld rooster blijft 30 dagen zichtbaar voor elke medewerker.\n",
    "verlof.md": "# Verlof\n\nU vraagt verlof aan onder **Mijn verlof**. Een leidinggevende keurt "
    "de aanvraag binnen 5 werkdagen goed.\n",
}
ANSWERS = (
    ("rooster.md", "Hoe deel ik het rooster?", "Open **Planning** en klik op **Rooster delen**."),
    ("rooster.md", "Hoe deel ik een rooster?", "Open **Planning** en klik op **Verzenden**."),
    ("rooster.md", "Hoe lang staat het er?", "Een gedeeld rooster blijft 30 dagen zichtbaar."),
    ("rooster.md", "Tot wanneer zie ik het?", "Een gedeeld rooster blijft 90 dagen zichtbaar."),
    ("verlof.md", "Waar vraag ik verlof aan?", "U vraagt verlof aan onder **Mijn verlof**."),
    ("verlof.md", "Waar staat mijn verlof?", "U vraagt verlof aan onder **Mijn taken**."),
    ("verlof.md", "Wie keurt verlof goed?", "Een leidinggevende keurt de aanvraag goed."),
    ("verlof.md", "Hoe snel gaat dat?", "Een leidinggevende keurt die binnen 5 werkdagen goed."),
    ("verlof.md", "Hoe lang duurt het?", "De directie keurt de aanvraag binnen 9 weken goed."),
)
LONG = "verlof en " * 1_990
ODD = f"{HOSTILE} \x00 \u202egespiegeld\u202c \U0001f600 Klik op **Mijn verlof**.\r\n"
ALLOW = Suggestion(
    "nl",
    f"Het staat op 3 pagina's {HOSTILE}",
    "Mijn taken",
    examples=(f"Elke medewerker ziet het. {HOSTILE}",),
    answers=("a0",),
)
IMPROVE = Suggestion("nl", "2 onware antwoorden steunen erop", page="verlof.md")


def rows() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        {"id": f"a{number}", "question": question, "answer": answer, "contexts": [page]}
        for number, (page, question, answer) in enumerate(ANSWERS)
    ]
    hostile = {"question": f"Hoe zit het met verlof? {HOSTILE}", "contexts": ["verlof.md"]}
    odd = (("odd", ODD), ("long", LONG))
    return found + [{"id": id, "answer": text, "language": "nl"} | hostile for id, text in odd]


def company_of(home: Path, name: str, pages: Mapping[str, str], log: str | None = None) -> Company:
    """Write a company's folder beside its pages and the log, if any."""
    help_pages = home / "help"
    help_pages.mkdir(parents=True)
    for page, text in pages.items():
        (help_pages / page).write_text(text, "utf-8")
    (home / "acme" / "nl").mkdir(parents=True)
    found = Company(home / "acme", name, (help_pages,), log and home / log)
    found.write()
    found.profile.write_text(PROFILE, "utf-8")
    return found


def write_company(folder: Path) -> Company:
    company = company_of(folder, "Veerhuis", PAGES, "chats.jsonl")
    assert company.log is not None
    write_log(company.log, *rows())
    Suggestions(company.path, (ALLOW, IMPROVE)).write()
    return company


def desk(company: Company, rater: str = "") -> ReviewDesk:
    pages = company.pages()
    assert company.log is not None
    found = ReviewDesk(company, read_rows(str(company.log), pages=pages), pages, rater)
    found.book.wait(10_000, 180)
    return found


def stored(company: Company) -> list[dict[str, Any]]:
    if not company.rated.exists():
        return []
    return [json.loads(line) for line in company.rated.read_text("utf-8").splitlines()]


def path_of(row_id: str) -> str:
    row = next(row for row in rows() if row["id"] == row_id)
    return f"/answer/{key_of(row['id'], row['question'], row['answer'])}"


@dataclass
class Served:
    """A review in a process of its own."""

    process: subprocess.Popen[bytes]
    url: str

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@contextlib.contextmanager
def serving(company: Company, *arguments: str) -> Iterator[Served]:
    command = [sys.executable, "-m", "klopt", "company", "review", str(company.path)]
    with subprocess.Popen(
        [*command, "--no-browser", *arguments], stdout=subprocess.PIPE, env={**os.environ}
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline().decode()
            address = re.search(r"http://\S+", line)
            assert address is not None, line
            yield Served(process, address[0])
        finally:
            process.kill()
