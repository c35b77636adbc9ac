"""``klopt company init``: a folder made from help pages, and added to."""

from __future__ import annotations

from pathlib import Path

import pytest
import tomlkit

from klopt import Page, Scorer, Turn, lexicons
from klopt.company.entries import LexiconEntry, read
from klopt.company.folder import Company
from klopt.company.page_names import names_on_pages
from klopt.company.starting import start
from klopt.company.suggestions import Suggestion, Suggestions
from klopt.errors import CompanyError
from klopt.reading.reader import PAGE_LIMIT_CHARS, Reader
from tests.cli.conftest import write_log
from tests.growth.growing import assert_linear

SUBJECTS = {
    "nl": ("Verlof", "Factuur", "Rooster", "Contract", "Rapport"),
    "en": ("Leave", "Invoice", "Roster", "Contract", "Report"),
}
PAGE = {
    "nl": """# {0} invoeren

Met Plano Balans voert u hier elke week iets in. Volgens Plano Balans is {1} nr{2} dan van u.
De teamleider kan {1} zien. Deze Kleur is een kleur. Nu ziet u van {1} de **Saldokaart {2}**.
""",
    "en": """# Enter {0}

With Plano Balans you enter something here every week. In Plano Balans {1} nr{2} is then yours.
The team lead sees {1}. This Colour is a colour. Now you see the **Balance Card** of {1}.
""",
}
FURTHER = {
    "marked as often": "Nu ziet {0} de **Saldokaart** en hier Saldokaart, {0}.",
    "a small tail": "Nu ziet {0} hier een XY-bestand.",
    "one letter": "Nu ziet {0} hier op Q iets.",
    "one sentence, on however many pages": "U ziet hier Saldokaart nu.",
    "the beginning of a sentence": "{0}! Saldokaart is er.",
    "a heading": "# De Saldokaart van {0}",
    "code": "`Saldokaart {0}`",
}


def centre(language: str) -> list[Page]:
    """Help pages of five subjects."""
    return [
        Page(PAGE[language].format(one, one.lower(), number), id=f"{one}.md", format="markdown")
        for number, one in enumerate(SUBJECTS[language])
    ]


def names(pages: list[Page], language: str) -> list[LexiconEntry]:
    return names_on_pages(pages, Reader(lexicons.load(language)))


@pytest.mark.parametrize("language", ["nl", "en"])
def test_names_recur_unmarked_inside_sentences(language: str):
    (entry,) = names(centre(language), language)
    assert (entry.name, entry.part) == ("Plano Balans", "allowed")
    assert entry.about.startswith("10 times on 5 pages: “")
    too_long = [Page("x" * PAGE_LIMIT_CHARS + page.text, id=page.id) for page in centre(language)]
    assert not names(too_long, language)


@pytest.mark.parametrize("text", FURTHER.values(), ids=FURTHER)
def test_what_is_no_name(text: str):
    pages = [Page(text.format(word), id=word) for word in ("jan", "piet", "klaas", "truus")]
    assert not names([Page(one.text, id=one.id, format="markdown") for one in pages], "nl")


def made(folder: Path, language: str = "nl", *, update: bool = False) -> tuple[LexiconEntry, ...]:
    company = Company(folder, "Acme", (folder.parent / "help",))
    return start(company, centre(language), language, update=update)


@pytest.mark.parametrize("language", ["nl", "en"])
def test_start_writes_a_folder_that_scores(tmp_path: Path, language: str):
    assert [one.name for one in made(tmp_path / "acme", language)] == ["Plano Balans"]
    company = Company.open(tmp_path / "acme")
    profile = company.load()
    assert (profile.name, "denied_names" in profile.review_on) == ("Acme", True)
    (file,) = profile.languages[language].lexicons
    assert "10 times on 5 pages" in file.read_text("utf-8")
    question = {"nl": "Hoe voer ik verlof in?", "en": "How do I enter leave?"}[language]
    turn = Turn(question, "Plano Balans.", centre(language), language=language)
    assert Scorer(profile).score(turn).status == "scored"


def test_start_never_overwrites(tmp_path: Path):
    made(tmp_path / "acme")
    before = {one: one.read_bytes() for one in (tmp_path / "acme").rglob("*") if one.is_file()}
    with pytest.raises(CompanyError, match=r"nothing in it is overwritten; .* --update"):
        made(tmp_path / "acme")
    assert not made(tmp_path / "acme", update=True)
    assert before == {one: one.read_bytes() for one in before}


def test_update_adds_what_is_new_and_keeps_what_is_decided(tmp_path: Path):
    folder = tmp_path / "acme"
    made(folder)
    path = folder / "nl" / "product_names.toml"
    document = tomlkit.parse(path.read_text("utf-8"))
    document["lists"]["allowed"] = []  # type: ignore[index]
    path.write_text(tomlkit.dumps(document), "utf-8")
    profile = (folder / "profile.toml").read_text("utf-8").replace("# block_below", "block_below")
    (folder / "profile.toml").write_text(profile, "utf-8")
    assert len(made(folder, "en", update=True)) == 1
    assert not made(folder, update=True)
    assert not read(folder, "nl")
    again = (folder / "profile.toml").read_text("utf-8")
    assert again.startswith(profile.strip())
    assert set(Company.open(folder).load().languages) == {"nl", "en"}


def test_a_name_that_was_rejected_is_not_put_in(tmp_path: Path):
    folder = tmp_path / "acme"
    folder.mkdir()
    name = Suggestion("nl", "", LexiconEntry("product_names", "allowed", ("Plano Balans",)))
    Suggestions(folder).joined([name]).decided([name.id], "rejected").write()
    assert not made(folder)


def test_the_command(klopt, tmp_path: Path):
    for page in (*centre("nl"), *centre("en")[:2]):
        path = tmp_path / "help" / page.id
        path.parent.mkdir(exist_ok=True)
        path.with_stem(f"{path.stem}-{len(page.text)}").write_text(page.text, "utf-8")
    log = write_log(tmp_path / "chats.jsonl", {"question": "Hoe?", "answer": "Zo."})
    given = ("company", "init", "--pages", tmp_path / "help", "--log", log, "-o", tmp_path / "acme")
    run = klopt(*given)
    told = f"{run.out}{run.err}"
    assert run.code == 0
    assert "--language en --update -o" in told
    assert "Look at the names of products: 1, such as Plano Balans" in told
    assert "rate 50 answers" in told
    assert f"klopt score {log} --pages" in told
    company = Company.open(tmp_path / "acme")
    assert (company.name, company.log) == ("acme", log)
    run = klopt(*given, "--language", "en", "--update")
    assert run.code == 0
    assert "Its pages have no new names of products to add." in f"{run.out}{run.err}"
    assert len(Company.open(tmp_path / "acme").page_folders) == 1


def test_finding_takes_linear_time():
    text = "Het kloksaldo{0} van Plano Balans is Nieuw, vgl. tz.w. de Kleur.\n\n"

    def made(chars: int) -> list[Page]:
        return [Page("".join(text.format("x" * (n % 7)) for n in range(chars // 70)), id="a")]

    assert_linear(made, 21_000, names=lambda pages: names(pages, "nl"))
