"""``klopt company init``: a folder made from help pages, and its updates."""

from pathlib import Path

import pytest
import tomlkit

from klopt import Page, Scorer, Turn, lexicons
from klopt.company.folder import Company, ProductName, read_names
from klopt.company.starting import names_on_pages, start
from klopt.company.suggestions import Suggestion, Suggestions
from klopt.errors import CompanyError
from klopt.text.reader import Reader
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


def help_centre(language: str) -> list[Page]:
    """Return help pages on five subjects."""
    return [
        Page(PAGE[language].format(one, one.lower(), number), id=f"{one}.md", format="markdown")
        for number, one in enumerate(SUBJECTS[language])
    ]


def names(pages: list[Page], language: str) -> list[ProductName]:
    return names_on_pages(pages, Reader(lexicons.load(language)))


def made(folder: Path, language: str = "nl", *, update: bool = False) -> tuple[ProductName, ...]:
    company = Company(folder, "Acme", (folder.parent / "help",))
    return start(company, help_centre(language), language, update=update)


@pytest.mark.parametrize("language", ["nl", "en"])
def test_init_writes_a_folder_that_scores(tmp_path, language):
    assert [one.name for one in made(tmp_path / "acme", language)] == ["Plano Balans"]
    company = Company.open(tmp_path / "acme")
    profile = company.load()
    assert (profile.name, "denied_names" in profile.review_on) == ("Acme", True)
    (file,) = profile.languages[language].lexicons
    assert "10 times on 5 pages" in file.read_text("utf-8")
    question = {"nl": "Hoe voer ik verlof in?", "en": "How do I enter leave?"}[language]
    turn = Turn(question, "Plano Balans.", help_centre(language), language=language)
    assert Scorer(profile).score(turn).status == "scored"


def test_init_never_overwrites(tmp_path):
    made(tmp_path / "acme")
    before = {one: one.read_bytes() for one in (tmp_path / "acme").rglob("*") if one.is_file()}
    with pytest.raises(CompanyError, match=r"does not overwrite it; .* --update"):
        made(tmp_path / "acme")
    assert not made(tmp_path / "acme", update=True)
    assert before == {one: one.read_bytes() for one in before}


def test_an_update_adds_new_names_and_keeps_decisions(tmp_path):
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
    assert not read_names(folder, "nl")
    again = (folder / "profile.toml").read_text("utf-8")
    assert again.startswith(profile.strip())
    assert set(Company.open(folder).load().languages) == {"nl", "en"}


def test_a_rejected_name_is_not_added(tmp_path):
    folder = tmp_path / "acme"
    folder.mkdir()
    Suggestions(folder, (Suggestion("nl", "", "Plano Balans", status="rejected"),)).write()
    assert not made(folder)


def test_the_command_names_the_next_commands(klopt, tmp_path):
    for page in (*help_centre("nl"), *help_centre("en")[:2]):
        path = tmp_path / "help" / page.id
        path.parent.mkdir(exist_ok=True)
        path.with_stem(f"{path.stem}-{len(page.text)}").write_text(page.text, "utf-8")
    log = write_log(tmp_path / "chats.jsonl", {"question": "Hoe?", "answer": "Zo."})
    given = ("company", "init", "--pages", tmp_path / "help", "--log", log, "-o", tmp_path / "acme")
    run = klopt(*given)
    output = f"{run.out}{run.err}"
    assert run.code == 0
    assert "--language en --update -o" in output
    assert "Check 1 product name, such as Plano Balans" in output
    assert f"klopt company review {tmp_path}" in output
    assert f"klopt company check {tmp_path / 'acme'} --accept" in output
    company = Company.open(tmp_path / "acme")
    assert (company.name, company.log) == ("acme", log)
    run = klopt(*given, "--language", "en", "--update")
    assert run.code == 0
    assert "Its pages have no new product names to add." in f"{run.out}{run.err}"
    company = Company.open(tmp_path / "acme")
    assert (len(company.page_folders), company.retrieve) == (1, 0)
    run = klopt(*given[:4], "-o", tmp_path / "acme", "--update", "--retrieve", 3)
    assert "--log LOG" not in run.err  # The folder names its log
    assert Company.open(tmp_path / "acme").retrieve == 3


def test_names_are_found_in_linear_time():
    text = "Het kloksaldo{0} van Plano Balans is Nieuw, vgl. tz.w. de Kleur.\n\n"

    def made(chars: int) -> list[Page]:
        return [Page("".join(text.format("x" * (n % 7)) for n in range(chars // 70)), id="a")]

    assert_linear(made, 21_000, names=lambda pages: names(pages, "nl"))
